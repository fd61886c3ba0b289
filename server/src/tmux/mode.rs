//! Leaves whatever mode lies over a pane: copy mode, the clock, choosers, the customizer, output of commands.
//!
//! `copy-mode -q` takes every mode off the pane's stack without a key being sent, so nothing can be typed into the
//! program below, and it is no error when there is none. Tried on 3.3a, 3.5a, 3.7c and 3.8 with all modes and three of them
//! nested; a window that a chooser had zoomed is unzoomed. (`send-keys -X cancel` leaves only copy mode, and of several
//! modes only the topmost.)

use super::command::{Command, CommandList};
use super::error::TmuxError;
use super::id::PaneId;
use super::pane::PaneRow;
use super::server::Server;

/// Leaves all modes of the pane and returns the pane as it is right after.
///
/// # Errors
///
/// [`TmuxError::NoSuchPane`], and what any command can meet.
pub async fn leave_modes(server: &Server, pane: PaneId) -> Result<PaneRow, TmuxError> {
    let leave = Command::new("copy-mode").flag('q').target(pane);
    server.pane_after(CommandList::from(leave), pane).await
}
