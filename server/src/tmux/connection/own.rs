//! Which clients of tmux are this program's own, so that they never show in an answer.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The names of all own clients, of all connections to all servers. A control client's name is made of its process.
static NAMES: Mutex<Names> = Mutex::new(Names { attached: Vec::new(), ended: VecDeque::new() });

/// So many clients that have ended are remembered: tmux may list one for a moment after its process has ended.
const REMEMBERED: usize = 32;

struct Names {
    attached: Vec<String>,
    ended: VecDeque<String>,
}

/// A client of this program, for as long as it may be attached.
#[derive(Debug)]
pub(crate) struct Own {
    names: Vec<String>,
}

impl Own {
    /// The client that this process is. Without a number it has ended already.
    pub fn process(id: Option<u32>) -> Self {
        let mut own = Self { names: Vec::new() };
        if let Some(id) = id {
            own.is_called(format!("client-{id}"));
        }
        own
    }

    /// The client's name as tmux tells it: it has another process if the tmux program is a script around the real one.
    pub fn is_called(&mut self, name: String) {
        names().attached.push(name.clone());
        self.names.push(name);
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        let mut all = names();
        for name in self.names.drain(..) {
            if let Some(at) = all.attached.iter().position(|attached| *attached == name) {
                all.attached.swap_remove(at);
            }
            all.ended.push_back(name);
        }
        while all.ended.len() > REMEMBERED {
            all.ended.pop_front();
        }
    }
}

/// Whether a client of this name is, or was a moment ago, this program's.
pub(crate) fn is_own(name: &str) -> bool {
    let all = names();
    all.attached.iter().chain(&all.ended).any(|own| own == name)
}

/// A panic elsewhere leaves the lists usable: every change of them is whole.
fn names() -> MutexGuard<'static, Names> {
    NAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_clients_are_known_while_attached_and_a_moment_longer() {
        let mut own = Own::process(Some(4_000_001));
        own.is_called("client-4000002".to_owned());
        assert!(is_own("client-4000001") && is_own("client-4000002") && !is_own("client-4000003"));
        drop(own);
        assert!(is_own("client-4000001") && is_own("client-4000002"));
        for id in 4_000_100..4_000_100 + REMEMBERED as u32 {
            drop(Own::process(Some(id)));
        }
        assert!(!is_own("client-4000001"));
    }
}
