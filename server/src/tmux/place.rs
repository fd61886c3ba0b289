//! Where things are: which session shows which window, and which window holds which pane. What a target is looked up in.

use super::format::Row;
use super::id::{PaneId, SessionId, WindowId};

pub(super) const VARIABLES: &[&str] = &[
    "session_id",
    "session_name",
    "window_id",
    "window_index",
    "window_active",
    "pane_id",
    "pane_index",
    "pane_active",
];

/// A pane's place as one session shows it. A window that is linked into several sessions gives one for each of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The session.
    pub session_id: SessionId,
    /// Its name, as tmux keeps it: with control characters written as `\t`, `\033`.
    pub session_name: String,
    /// The window.
    pub window_id: WindowId,
    /// The window's number in this session.
    pub window_index: u32,
    /// Whether it is the session's current window.
    pub window_active: bool,
    /// The pane.
    pub pane_id: PaneId,
    /// The pane's number in its window.
    pub pane_index: u32,
    /// Whether it is the active pane of its window.
    pub pane_active: bool,
}

impl Place {
    /// Nothing if a value is missing, which no tmux does.
    pub(super) fn read(row: &Row) -> Option<Self> {
        Some(Self {
            session_id: row.parsed("session_id")?,
            session_name: row.text("session_name"),
            window_id: row.parsed("window_id")?,
            window_index: row.parsed("window_index")?,
            window_active: row.flag("window_active"),
            pane_id: row.parsed("pane_id")?,
            pane_index: row.parsed("pane_index")?,
            pane_active: row.flag("pane_active"),
        })
    }

    /// The window as this session shows it, as a target for commands: `$1:@2`.
    pub fn window_target(&self) -> String {
        format!("{}:{}", self.session_id, self.window_id)
    }
}
