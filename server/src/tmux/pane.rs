//! What tmux knows about a pane, as one row per session that shows it.

use super::command::Command;
use super::format::{Query, Row, is};
use super::id::{PaneId, SessionId, WindowId};

pub(super) const VARIABLES: &[&str] = &[
    "session_id",
    "window_id",
    "pane_id",
    "pane_index",
    "pane_active",
    "pane_width",
    "pane_height",
    "pane_left",
    "pane_top",
    "pane_at_right",
    "pane_at_top",
    "pane_at_bottom",
    "pane_tty",
    "pane_pid",
    "pane_current_command",
    "pane_current_path",
    "pane_title",
    "pane_dead",
];

/// A pane as one session shows it. A window that is linked into several sessions gives a row for each of them.
///
/// Texts are `None` where tmux has nothing to say, for instance the path of a program that has just been started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaneRow {
    /// The session that shows the pane.
    pub session_id: SessionId,
    /// The window that holds the pane.
    pub window_id: WindowId,
    /// The pane's id, which it keeps for life.
    pub id: PaneId,
    /// The pane's number in its window. It changes when panes come, go or are swapped.
    pub index: u32,
    /// Whether it is the active pane of its window.
    pub active: bool,
    /// Width in columns.
    pub width: u32,
    /// Height in rows.
    pub height: u32,
    /// Leftmost column in the window, from 0.
    pub left: u32,
    /// Topmost row in the window, from 0.
    pub top: u32,
    /// Rightmost column in the window, inclusive.
    pub right: u32,
    /// Lowest row in the window, inclusive.
    pub bottom: u32,
    /// Whether it touches the window's left edge.
    pub at_left: bool,
    /// Whether it touches the window's top edge.
    pub at_top: bool,
    /// Whether it touches the window's right edge.
    pub at_right: bool,
    /// Whether it touches the window's bottom edge.
    pub at_bottom: bool,
    /// The path of the terminal device.
    pub tty: Option<String>,
    /// The process that was started in the pane, also when it has ended.
    pub pid: Option<i32>,
    /// The name of the program in the foreground.
    pub current_command: Option<String>,
    /// The working directory of the program in the foreground. Lossy where it is no UTF-8.
    pub current_path: Option<String>,
    /// The pane's title.
    pub title: Option<String>,
    /// Whether the program has ended and the pane was kept (`remain-on-exit`).
    pub dead: bool,
}

impl PaneRow {
    /// Lists the rows of one pane. None if there is no such pane: unlike with `-t` that is no error.
    pub(crate) fn list_one(query: &Query, pane: PaneId) -> Command {
        Command::new("list-panes").flag('a').value('F', query.template()).value('f', is("pane_id", pane))
    }

    /// Reads a row of [`super::Server::pane_rows`]. Nothing if one of the ids is missing, which no tmux does.
    pub fn read(row: &Row) -> Option<Self> {
        let number = |variable| row.parsed(variable).unwrap_or(0);
        let (left, top) = (number("pane_left"), number("pane_top"));
        let (width, height) = (number("pane_width"), number("pane_height"));
        Some(Self {
            session_id: row.parsed("session_id")?,
            window_id: row.parsed("window_id")?,
            id: row.parsed("pane_id")?,
            index: number("pane_index"),
            active: row.flag("pane_active"),
            width,
            height,
            left,
            top,
            right: (left + width).saturating_sub(1),
            bottom: (top + height).saturating_sub(1),
            at_left: left == 0,
            at_top: row.flag("pane_at_top"),
            at_right: row.flag("pane_at_right"),
            at_bottom: row.flag("pane_at_bottom"),
            tty: row.some("pane_tty"),
            pid: row.parsed("pane_pid").filter(|&pid| pid > 0),
            current_command: row.some("pane_current_command"),
            current_path: row.some("pane_current_path"),
            title: row.some("pane_title"),
            dead: row.flag("pane_dead"),
        })
    }
}
