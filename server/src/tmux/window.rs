//! What tmux knows about a window, as one row per session that shows it.

use super::format::Row;
use super::id::{PaneId, SessionId, WindowId};

pub(super) const VARIABLES: &[&str] = &[
    "session_id",
    "session_name",
    "window_id",
    "window_index",
    "window_name",
    "window_active",
    "window_width",
    "window_height",
    "window_layout",
    "window_panes",
    "pane_id",
];

/// A window as one session shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowRow {
    /// The session that shows it.
    pub session_id: SessionId,
    /// That session's name, as tmux keeps it.
    pub session_name: String,
    /// The window's id, which it keeps for life.
    pub id: WindowId,
    /// Its number in this session.
    pub index: u32,
    /// Its name, as tmux keeps it: with control characters written as `\t`, `\033`.
    pub name: String,
    /// Whether it is the session's current window.
    pub active: bool,
    /// Width in columns.
    pub width: u32,
    /// Height in rows.
    pub height: u32,
    /// How its panes are laid out, in tmux's own words; without the zoom of a pane.
    pub layout: Option<String>,
    /// How many panes it has.
    pub panes: u32,
    /// Its active pane.
    pub active_pane: Option<PaneId>,
}

impl WindowRow {
    /// Reads a row of [`super::Server::window_rows`]. Nothing if one of the ids is missing, which no tmux does.
    pub fn read(row: &Row) -> Option<Self> {
        let number = |variable| row.parsed(variable).unwrap_or(0);
        Some(Self {
            session_id: row.parsed("session_id")?,
            session_name: row.text("session_name"),
            id: row.parsed("window_id")?,
            index: row.parsed("window_index")?,
            name: row.text("window_name"),
            active: row.flag("window_active"),
            width: number("window_width"),
            height: number("window_height"),
            layout: row.some("window_layout"),
            panes: number("window_panes"),
            active_pane: row.parsed("pane_id"),
        })
    }
}
