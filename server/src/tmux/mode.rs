//! Enters copy mode, and leaves whatever mode lies over a pane: copy mode, the clock, choosers, the customizer, output of commands.
//!
//! `copy-mode -q` takes every mode off the pane's stack without a key being sent, so nothing can be typed into the
//! program below, and it is no error when there is none. Tried on 3.3a, 3.5a, 3.7c and 3.8 with all modes and three of them
//! nested; a window that a chooser had zoomed is unzoomed. (`send-keys -X cancel` leaves only copy mode, and of several
//! modes only the topmost.)

use super::command::{Command, CommandList};
use super::error::TmuxError;
use super::format::Query;
use super::id::PaneId;
use super::pane::PaneRow;
use super::server::Server;

/// Leaves all modes of the pane.
pub fn leave_modes(pane: PaneId) -> CommandList {
    Command::new("copy-mode").flag('q').target(pane).into()
}

/// Puts the pane into copy mode and scrolls its view up, by so many rows or as far as the history goes.
///
/// # Errors
///
/// [`TmuxError::NoSuchPane`].
pub async fn enter_copy_mode(server: &Server, pane: PaneId, up: u64) -> Result<PaneRow, TmuxError> {
    let enter = CommandList::from(Command::new("copy-mode").target(pane));
    // tmux goes row by row, also where there are none any more: 10^9 rows would hold it up for minutes.
    let rows = up.min(if up == 0 { 0 } else { history(server, pane).await? });
    let list = match rows {
        0 => enter,
        rows => {
            let scroll = Command::new("send-keys").target(pane).value('N', rows.to_string());
            enter.then(scroll.flag('X').operand("scroll-up"))
        }
    };
    server.pane_after(list, pane).await
}

/// How many rows the pane's history has.
async fn history(server: &Server, pane: PaneId) -> Result<u64, TmuxError> {
    let query = Query::new(&["history_size"]);
    let rows = server.rows(&query, PaneRow::list_one(&query, pane).into()).await?;
    let row = rows.first().ok_or_else(|| TmuxError::NoSuchPane { pane: pane.to_string() })?;
    Ok(row.parsed("history_size").unwrap_or(0))
}
