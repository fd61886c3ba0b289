//! A session as the contract shows it.

use schemux::SessionInfo;

use crate::tmux::SessionRow;

/// The contract's session.
pub fn info(row: SessionRow) -> SessionInfo {
    SessionInfo {
        active_pane_id: row.active_pane.map(|pane| pane.to_string()),
        session_attached: Some(row.attached.to_string()),
        session_created: Some(row.created.to_string()),
        session_id: row.id.to_string(),
        session_name: Some(row.name).filter(|name| !name.is_empty()),
        window_count: row.windows.into(),
    }
}
