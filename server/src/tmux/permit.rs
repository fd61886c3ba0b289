//! Keeps apart what crashes tmux when it happens at once: a client that attaches, and whatever tmux tells its clients.
//!
//! Below 3.7 a control client first says that it is one, then who it is, in three pieces. If tmux has something to tell its
//! control clients between the first piece and the last (one of them has left; a session, a window in front or a paste buffer
//! has changed), it follows a null pointer, and every session is gone. That moment takes about 0.1 ms, and longer on a loaded
//! machine: two loops that attach and leave ended a 3.3a after 46 clients, and a 3.5a after 226; 3.7c and 3.8 live on.
//!
//! So whoever attaches is alone, and whoever leaves or changes something is not while somebody attaches. That holds for all
//! programs that use this engine on the same server: the lock is one on the directory of its socket (`flock`), which needs no
//! file and goes with the program that holds it. What others do in that moment cannot be prevented: a person who leaves tmux,
//! another program, a program of ours that is killed, a session that ends and throws its clients out.
//!
//! Without the lock, because the directory cannot be opened, everything goes on as if nobody else were there.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use tokio::time::{Instant, sleep, timeout};

/// How long a permit lasts at most: a server that does not answer must not hold up those beside it. Attaching takes 5 ms.
const LASTS: Duration = Duration::from_millis(500);
/// How long a permit to change something is waited for.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often it is tried.
const AGAIN: Duration = Duration::from_millis(1);

/// The right to do something. It ends when dropped.
#[derive(Debug)]
pub(crate) struct Permit(#[expect(dead_code, reason = "what is held is its lock")] Option<File>);

impl Permit {
    /// To attach a client. Nothing if others have not made room for so long.
    pub async fn to_attach(socket: &Path, limit: Duration) -> Option<Self> {
        lock(socket, FlockOperation::NonBlockingLockExclusive, limit).await.map(Self)
    }

    /// To do what tmux may tell its clients. Many can at once. It is done in any case, so that nothing waits without a bound.
    pub async fn to_change(socket: &Path) -> Self {
        Self(lock(socket, FlockOperation::NonBlockingLockShared, PATIENCE).await.flatten())
    }

    /// Does it. If it takes long, others get theirs before it is done.
    pub async fn spend<T>(self, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        match timeout(LASTS, &mut work).await {
            Ok(done) => done,
            Err(_) => {
                drop(self);
                work.await
            }
        }
    }
}

/// The lock, or none where there can be none. Nothing if it was not free in time.
async fn lock(socket: &Path, operation: FlockOperation, limit: Duration) -> Option<Option<File>> {
    let until = Instant::now() + limit;
    let Some(directory) = socket.parent().and_then(|directory| File::open(directory).ok()) else {
        return Some(None);
    };
    loop {
        match flock(&directory, operation) {
            Ok(()) => return Some(Some(directory)),
            Err(Errno::WOULDBLOCK | Errno::INTR) if Instant::now() < until => sleep(AGAIN).await,
            Err(Errno::WOULDBLOCK | Errno::INTR) => return None,
            Err(_) => return Some(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(20);

    #[tokio::test]
    async fn who_attaches_is_alone() {
        let directory = tempfile::tempdir().unwrap();
        let socket = directory.path().join("default");
        let changes = (Permit::to_change(&socket).await, Permit::to_change(&socket).await);
        assert!(Permit::to_attach(&socket, SHORT).await.is_none());
        drop(changes);
        let attaches = Permit::to_attach(&socket, SHORT).await.unwrap();
        assert!(Permit::to_attach(&socket, SHORT).await.is_none());
        let elsewhere = directory.path().join("other").join("default");
        std::fs::create_dir(elsewhere.parent().unwrap()).unwrap();
        assert!(Permit::to_attach(&elsewhere, SHORT).await.is_some());
        let begun = Instant::now();
        let spent = attaches.spend(sleep(SHORT));
        tokio::join!(spent, async {
            Permit::to_change(&socket).await;
            assert!(begun.elapsed() >= SHORT);
        });
    }

    #[tokio::test]
    async fn what_takes_long_holds_up_nobody() {
        let directory = tempfile::tempdir().unwrap();
        let socket = directory.path().join("default");
        let long = Permit::to_attach(&socket, SHORT).await.unwrap().spend(sleep(3 * LASTS));
        let begun = Instant::now();
        tokio::join!(long, async {
            assert!(Permit::to_attach(&socket, 2 * LASTS).await.is_some());
            assert!(begun.elapsed() < 2 * LASTS);
        });
        assert!(begun.elapsed() >= 3 * LASTS);
    }

    #[tokio::test]
    async fn without_a_directory_nobody_waits() {
        let nowhere = Path::new("/nowhere/at/all");
        let permits = (Permit::to_attach(nowhere, SHORT).await, Permit::to_attach(nowhere, SHORT).await);
        assert!(permits.0.is_some() && permits.1.is_some());
    }
}
