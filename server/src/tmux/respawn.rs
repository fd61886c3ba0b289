//! Starts a pane's program again, or another one in its place.

use std::path::PathBuf;

use super::command::{Command, CommandList};
use super::create::starting;
use super::error::TmuxError;
use super::id::PaneId;
use super::pane::PaneRow;
use super::server::Server;
use super::started::started;

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
    started(server, &row).await
}

fn command(pane: PaneId, what: &Respawn) -> Result<Command, TmuxError> {
    let command = Command::new("respawn-pane").target(pane).flag_if(what.kill, 'k');
    let command = starting(command, what.start_directory.as_deref(), &what.environment)?;
    match what.shell_command.as_deref() {
        None | Some("") => Ok(command),
        Some(shell) => Ok(command.operand(shell)),
    }
}
