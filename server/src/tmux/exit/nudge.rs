//! Makes tmux look at its children again.
//!
//! tmux linked with libutempter, up to 3.5a, loses the signal that says that a program has ended: of 30 programs 10 to 18 stayed
//! "dead without a status" on Debian's 3.3a until some other program of the server ended. Sending the signal again cured 44
//! of 44 within 50 ms.

use rustix::process::{Pid, Signal, kill_process};

use super::seen::Seen;
use crate::tmux::command::Command;
use crate::tmux::server::Server;

/// The `attempt`-th try to get a status, from 0. Does nothing in the first, and gives up after some.
pub(super) async fn nudge(server: &Server, seen: &Seen, attempt: u32) {
    match attempt {
        1 | 3 | 5 if signal(seen) => (),
        1 | 3 | 5 | 6 => run_something(server).await,
        _ => (),
    }
}

/// Works for a server of the same user in the same pid namespace. In another namespace the signal may reach some other
/// process, which ignores it unless it waits for children of its own.
fn signal(seen: &Seen) -> bool {
    let server = seen.server.and_then(Pid::from_raw);
    server.is_some_and(|server| kill_process(server, Signal::CHILD).is_ok())
}

/// The end of any child of the server has the same effect, unless that is lost too: without -b the command would then wait for
/// ever (seen once in some hundred runs).
async fn run_something(server: &Server) {
    let list = Command::new("run-shell").flag('b').operand("true").into();
    if let Err(error) = server.run(&list).await {
        tracing::debug!(%error, "could not nudge tmux");
    }
}
