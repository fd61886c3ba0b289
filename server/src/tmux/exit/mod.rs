//! Waits until the program in a pane ends, and tells how it ended.
//!
//! From tmux 3.8 on the end is an event that carries the status ([`events`]). Before, a pane takes its status along when it
//! closes, so it is made to stay for as long as somebody waits ([`arming`]). Either way the end of the process itself wakes the
//! watch (a pidfd, on Linux), so that nothing runs while nothing happens but one look a second; tmux alone is believed about
//! what has happened.
//!
//! - `pane-exited` has no status before 3.8, and the pane is gone when its hooks run.
//! - A pane that is dead can be without a status for a moment (up to 3.6), or until somebody wakes tmux ([`nudge`]).
//! - A pane that was respawned while somebody waited has lost the status of the first program: that is [`Exit::Gone`].
//! - A pane that is killed from outside has no status: [`Exit::Gone`], at once if its program ends with it, within a second if
//!   the program lives on.
//! - While a wait goes on before 3.8, the pane shows `remain-on-exit on` and two options of this program, and its end runs
//!   `pane-died` hooks, not `pane-exited`. When the wait returns all of that is gone, and a pane that would have closed is closed.

mod arming;
mod events;
mod nudge;
mod seen;
mod shared;
mod status;
mod watch;

use std::time::Duration;

use tokio_util::sync::CancellationToken;

pub(crate) use shared::Waits;
pub use status::{Signal, Status};

use super::error::TmuxError;
use super::id::PaneId;
use super::server::Server;
use watch::Ended;

/// How waiting for a program's end ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exit {
    /// The program ended, and this is how.
    Completed(Status),
    /// The time is over and the program runs. Waiting again loses nothing.
    TimedOut,
    /// The pane was removed or respawned, or the server ended, so that the status cannot be known any more.
    Gone,
    /// The caller gave up.
    Cancelled,
}

/// Waits until the program that runs in `pane` now has ended, for up to `limit` or until `cancel`.
///
/// Any number of waits may be going on for one pane, in this program and in others; all get the same answer. When this
/// returns, nothing that it has set in tmux is left. If the future is dropped a task puts everything back. Only if tmux does
/// not answer this returns 2 seconds after it was told to, and the task goes on.
///
/// # Errors
///
/// [`TmuxError::NoSuchPane`] if there is no such pane to begin with; [`TmuxError::TooOld`]; [`TmuxError::NoServer`] and the like if there
/// is no server to begin with.
///
/// # Panics
///
/// Outside of a tokio runtime.
pub async fn wait_for_exit(
    server: &Server,
    pane: PaneId,
    limit: Duration,
    cancel: CancellationToken,
) -> Result<Exit, TmuxError> {
    let stop = async {
        tokio::select! {
            () = cancel.cancelled() => Exit::Cancelled,
            () = tokio::time::sleep(limit) => Exit::TimedOut,
        }
    };
    tokio::pin!(stop);
    let mut interest = tokio::select! {
        interest = server.waits().join(server, pane) => interest,
        stopped = &mut stop => return Ok(stopped),
    };
    let stopped = tokio::select! {
        ended = interest.ended() => return ended.map(Exit::from),
        stopped = &mut stop => stopped,
    };
    match (interest.leave().await, stopped) {
        // It ended at the last moment.
        (Some(Ok(ended @ (Ended::Program(_) | Ended::Gone))), Exit::TimedOut) => Ok(ended.into()),
        (Some(Err(error)), Exit::TimedOut) => Err(error),
        (_, stopped) => Ok(stopped),
    }
}

impl From<Ended> for Exit {
    fn from(ended: Ended) -> Self {
        match ended {
            Ended::Program(status) => Self::Completed(status),
            Ended::Gone => Self::Gone,
            // The server's handle was closed under the wait.
            Ended::StillRunning => Self::Cancelled,
        }
    }
}
