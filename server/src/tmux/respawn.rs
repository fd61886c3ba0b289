//! Starts a pane's program again, or another one in its place.

use std::path::PathBuf;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use super::command::{Command, CommandList, literal};
use super::error::TmuxError;
use super::id::PaneId;
use super::pane::PaneRow;
use super::process_end::ProcessEnd;
use super::server::Server;

/// How long a new program is given to fail. A shell that cannot find its command took 2 to 6 ms here, and until it has
/// replaced itself tmux shows neither its name nor its directory.
const SETTLE: Duration = Duration::from_millis(40);

/// How long tmux may take to close a pane whose program has ended.
const CLOSING: Duration = Duration::from_millis(500);

/// What to start in a pane.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Respawn {
    /// Kill the program that runs there. If `false` and one runs, it is an error.
    pub kill: bool,
    /// The working directory: an existing directory, taken literally. tmux falls back on others silently if it does not
    /// exist, so check first. Without it, the directory of the previous start.
    pub start_directory: Option<PathBuf>,
    /// Variables for the new program, on top of the session's.
    pub environment: Vec<(String, String)>,
    /// A command for the shell. Without it, or if it is empty, the previous command is started again.
    pub shell_command: Option<String>,
}

/// Respawns the pane and returns it as it is once the program is seen to run, or to have ended in a pane that is kept.
///
/// # Errors
///
/// [`TmuxError::StillActive`], [`TmuxError::NoSuchPane`], [`TmuxError::BadVariable`];
/// [`TmuxError::EndedAtOnce`] if the program ended within 40 ms and the pane closed with it.
pub async fn respawn(server: &Server, pane: PaneId, what: &Respawn) -> Result<PaneRow, TmuxError> {
    let list = CommandList::from(command(pane, what)?);
    let row = server.pane_after(list, pane).await.map_err(|error| match error {
        TmuxError::Refused { stderr, .. } if stderr.contains("still active") => {
            TmuxError::StillActive { pane }
        }
        error => error,
    })?;
    let ended = timeout(SETTLE, ProcessEnd::of(row.pid).reached()).await.is_ok();
    settled(server, &row, ended).await.map_err(|error| match error {
        error if error.is_not_found() || error.is_no_server() => TmuxError::EndedAtOnce { pane },
        error => error,
    })
}

fn command(pane: PaneId, what: &Respawn) -> Result<Command, TmuxError> {
    let mut command = Command::new("respawn-pane").target(pane).flag_if(what.kill, 'k');
    if let Some(directory) = &what.start_directory {
        command = command.value('c', literal(directory));
    }
    for (name, value) in &what.environment {
        if name.is_empty() || name.contains('=') {
            return Err(TmuxError::BadVariable { name: name.clone() });
        }
        command = command.value('e', format!("{name}={value}"));
    }
    match what.shell_command.as_deref() {
        None | Some("") => Ok(command),
        Some(shell) => Ok(command.operand(shell)),
    }
}

/// Reads the pane again, until a program that has ended is also seen to have ended.
async fn settled(server: &Server, started: &PaneRow, ended: bool) -> Result<PaneRow, TmuxError> {
    let until = Instant::now() + CLOSING;
    loop {
        let row = server.pane(started.id).await?;
        if !ended || row.dead || row.pid != started.pid || Instant::now() > until {
            return Ok(row);
        }
        sleep(SETTLE / 4).await;
    }
}
