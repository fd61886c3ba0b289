//! A pane as the contract shows it.

use schemux::PaneInfo;

use crate::state::Tmux;
use crate::tmux::{PaneId, PaneRow, Server, TmuxError};

/// The id that is meant. What is not written as tmux writes an id is no pane's.
pub fn id(text: &str) -> Result<PaneId, TmuxError> {
    text.parse().map_err(|_| TmuxError::NoSuchPane { pane: text.to_owned() })
}

impl Tmux {
    /// The contract's pane.
    pub fn pane_info(&self, server: &Server, row: PaneRow) -> PaneInfo {
        let is_caller = self.is_caller(server, row.id);
        info(row, is_caller)
    }
}

/// The contract's pane. `is_caller` says whether this program runs in it, where that can be known.
fn info(row: PaneRow, is_caller: Option<bool>) -> PaneInfo {
    let edge = |cells: u32| Some(i64::from(cells));
    PaneInfo {
        is_caller,
        pane_active: Some(if row.active { "1" } else { "0" }.to_owned()),
        pane_at_bottom: Some(row.at_bottom),
        pane_at_left: Some(row.at_left),
        pane_at_right: Some(row.at_right),
        pane_at_top: Some(row.at_top),
        pane_bottom: edge(row.bottom),
        pane_current_command: row.current_command,
        pane_current_path: row.current_path,
        pane_height: Some(row.height.to_string()),
        pane_id: row.id.to_string(),
        pane_index: Some(row.index.to_string()),
        pane_left: edge(row.left),
        pane_pid: row.pid.map(|pid| pid.to_string()),
        pane_right: edge(row.right),
        pane_title: row.title,
        pane_top: edge(row.top),
        pane_tty: row.tty,
        pane_width: Some(row.width.to_string()),
        session_id: Some(row.session_id.to_string()),
        window_id: Some(row.window_id.to_string()),
    }
}
