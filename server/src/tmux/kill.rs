//! Ends sessions, windows and servers, and knows when they have ended.

use std::path::Path;
use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::command::{Command, CommandList};
use super::error::TmuxError;
use super::glance::listens;
use super::id::{SessionId, WindowId};
use super::place::Place;
use super::process_end::ProcessEnd;
use super::server::Server;

/// How often it is looked whether the socket is still served, where the process cannot be watched.
const LOOK: Duration = Duration::from_millis(10);

/// How often something is tried to be killed whose end is not seen.
const TRIES: u32 = 3;

/// Ends the server with all its sessions, and returns when it is gone, so that another one can be started on the same socket.
/// Whether one was running.
///
/// # Errors
///
/// [`TmuxError::Timeout`] if it does not end.
pub async fn kill_server(server: &Server) -> Result<bool, TmuxError> {
    let facts = match server.facts().await {
        Err(error) if error.is_no_server() => return Ok(false),
        facts => facts?,
    };
    let end = ProcessEnd::of(Some(facts.pid));
    let kill = CommandList::from(Command::new("kill-server"));
    match server.run(&kill).await {
        // It was ending already.
        Err(error) if error.is_no_server() => {}
        done => drop(done?),
    }
    let gone = async {
        // The process may be in another namespace, and the next server on the socket already.
        tokio::select! {
            () = end.reached() => {}
            () = unserved(&facts.socket_path) => {}
        }
    };
    let limit = server.deadline();
    let late = |_| TmuxError::Timeout { command: kill.to_string(), limit };
    timeout(limit, gone).await.map_err(late)?;
    Ok(true)
}

/// Ends a session with its windows, as far as no other session shows them.
pub async fn kill_session(server: &Server, session: SessionId) -> Result<(), TmuxError> {
    let kill = Command::new("kill-session").target(session);
    end(server, kill, |place| place.session_id == session).await
}

/// Ends a window with its panes, in every session that shows it.
pub async fn kill_window(server: &Server, window: WindowId) -> Result<(), TmuxError> {
    let kill = Command::new("kill-window").target(window);
    end(server, kill, |place| place.window_id == window).await
}

/// The last session takes the server with it, and then the answer may not arrive. So it is looked whether anything is left, and
/// what is left is killed again: an id means nothing else later.
async fn end(server: &Server, kill: Command, is_in: impl Fn(&Place) -> bool) -> Result<(), TmuxError> {
    let mut tries = 0;
    loop {
        tries += 1;
        let lost = match server.run(&kill.clone().into()).await {
            Err(error @ (TmuxError::ServerLost { .. } | TmuxError::ConnectionLost { .. })) => error,
            done => {
                done?;
                break;
            }
        };
        match server.places().await {
            Ok(places) if places.iter().any(&is_in) => {}
            Err(error) if !error.is_no_server() => return Err(error),
            _ => break,
        }
        if tries == TRIES {
            return Err(lost);
        }
    }
    server.detach().await;
    Ok(())
}

impl Server {
    /// Leaves the connection, if there is one; the next call that needs one opens another. To be called when the session that it is
    /// attached to may have ended: tmux is about to let it go, and what is sent meanwhile is lost.
    pub async fn detach(&self) {
        self.choice().close().await;
    }
}

async fn unserved(socket: &Path) {
    while listens(socket).await {
        sleep(LOOK).await;
    }
}
