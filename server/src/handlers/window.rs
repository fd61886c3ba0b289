//! A window as the contract shows it.

use schemux::WindowInfo;

use crate::tmux::WindowRow;

/// The contract's window.
pub fn info(row: WindowRow) -> WindowInfo {
    WindowInfo {
        active_pane_id: row.active_pane.map(|pane| pane.to_string()),
        pane_count: row.panes.into(),
        session_id: Some(row.session_id.to_string()),
        session_name: Some(row.session_name).filter(|name| !name.is_empty()),
        window_active: Some(if row.active { "1" } else { "0" }.to_owned()),
        window_height: Some(row.height.to_string()),
        window_id: row.id.to_string(),
        window_index: Some(row.index.to_string()),
        window_layout: row.layout,
        window_name: Some(row.name).filter(|name| !name.is_empty()),
        window_width: Some(row.width.to_string()),
    }
}
