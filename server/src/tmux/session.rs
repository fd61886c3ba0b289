//! What tmux knows about a session.

use super::error::TmuxError;
use super::format::Row;
use super::id::{PaneId, SessionId};

pub(super) const VARIABLES: &[&str] =
    &["session_id", "session_name", "session_windows", "session_attached", "session_created", "pane_id"];

/// A session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// Its id, which it keeps for life.
    pub id: SessionId,
    /// Its name, as tmux keeps it: with control characters written as `\t`, `\033`.
    pub name: String,
    /// How many windows it shows.
    pub windows: u32,
    /// How many clients are attached to it; those of this program do not count.
    pub attached: u32,
    /// When it was created, in seconds since 1970.
    pub created: u64,
    /// The active pane of its current window.
    pub active_pane: Option<PaneId>,
}

impl SessionRow {
    /// Reads a row of [`super::Server::session_rows`]. Nothing if the id is missing, which no tmux does.
    pub fn read(row: &Row) -> Option<Self> {
        Some(Self {
            id: row.parsed("session_id")?,
            name: row.text("session_name"),
            windows: row.parsed("session_windows").unwrap_or(0),
            attached: row.parsed("session_attached").unwrap_or(0),
            created: row.parsed("session_created").unwrap_or(0),
            active_pane: row.parsed("pane_id"),
        })
    }
}

/// Whether a session can be called this and be found by it.
///
/// # Errors
///
/// [`TmuxError::BadSessionName`] for no name, and for what would be read as a window or a pane in a target: up to 3.6 tmux writes `_`
/// for it, so that the session would have another name than asked for.
pub(super) fn check_name(name: &str) -> Result<(), TmuxError> {
    let problem = match name {
        "" => "it is empty",
        name if name.contains('.') => "it contains a period",
        name if name.contains(':') => "it contains a colon",
        _ => return Ok(()),
    };
    Err(TmuxError::BadSessionName { name: name.to_owned(), problem })
}
