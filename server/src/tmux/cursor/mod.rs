//! Reads a pane bit by bit: [`read_since`] gives what was written since the last read, and loses nothing silently.
//!
//! **From a recording.** The first read begins to record the pane ([`super::stream`]): its last 1 MiB is kept in this program, until
//! nobody has read it for ten minutes. What has fallen out of that is counted, to the byte. What a program writes over (a
//! progress bar) comes as lines, too: it was written. Every read asks tmux once, so that all that the pane has written before
//! is there.
//!
//! **From tmux's history**, where no client may be attached: the rows below the place of the last read. A long line is as many
//! rows as it fills. If the rows around that place are not what they were (history cleared, dropped or turned off, screen cleared,
//! another width), what is on the screen is given, and it is said that something may be missing.
//!
//! A cursor is for one pane of one server, and for one recording. With a cursor of another recording (of another process of this
//! program, or given up) the answer begins anew with the screen, and says so; so it does for a pane that was respawned, if
//! it is not recorded.

mod history;
mod lines;
mod recorder;
mod token;

pub(crate) use recorder::Recorders;
pub use token::{Cursor, NotACursor};

use super::error::TmuxError;
use super::id::PaneId;
use super::server::Server;
use super::stream::Closed;

/// How much is given at once. If there is more, the newest is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Most {
    /// Lines.
    pub lines: usize,
    /// Bytes, with one for the end of each line.
    pub bytes: usize,
}

impl Default for Most {
    fn default() -> Self {
        Self { lines: 500, bytes: 128_000 }
    }
}

/// What was written since the last read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delta {
    /// The lines, the oldest first. The last one may still grow: then the next read begins with the rest of it.
    pub lines: Vec<String>,
    /// The first line goes on where the last one of the read before ended.
    pub continues: bool,
    /// These lines are what the screen shows, and not only what is new: the first read, or one that begins anew.
    pub screen: bool,
    /// Output that was written since and cannot be given any more.
    pub missed: Option<Missed>,
    /// How many lines were left out to keep the answer short. They are older than those given.
    pub truncated_lines: u64,
    /// How many bytes were left out for that.
    pub truncated_bytes: u64,
    /// Nothing more will come, and why.
    pub closed: Option<Closed>,
    /// Where the next read goes on: after all that was written so far, also if some of it was left out.
    pub cursor: Cursor,
}

/// Output that was written and cannot be given any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missed {
    /// So many bytes, with those that only move and colour.
    Bytes(u64),
    /// Nobody knows how much, or whether.
    Unknown,
}

/// Reads what a pane has written since `cursor`, or without one what it shows.
///
/// # Errors
///
/// [`TmuxError::BadCursor`] if the cursor is of another pane or another tmux server; [`TmuxError::NoSuchPane`]; what a call to
/// tmux can meet.
///
/// # Panics
///
/// Outside of a tokio runtime.
pub async fn read_since(
    server: &Server,
    pane: PaneId,
    cursor: Option<&Cursor>,
    most: Most,
) -> Result<Delta, TmuxError> {
    let identity = server.identity().await?;
    if let Some(cursor) = cursor {
        check(cursor, pane, identity)?;
    }
    let mut delta = match recorder::read(server, pane, cursor, identity).await {
        Err(TmuxError::NoStream { .. }) => history::read(server, pane, cursor, identity).await,
        delta => delta,
    }?;
    let (lines, left, bytes) = lines::newest(std::mem::take(&mut delta.lines), most.lines, most.bytes);
    delta.continues &= left == 0 && (bytes == 0 || lines.is_empty());
    (delta.lines, delta.truncated_lines, delta.truncated_bytes) = (lines, left, bytes);
    Ok(delta)
}

fn check(cursor: &Cursor, pane: PaneId, identity: (i32, u64)) -> Result<(), TmuxError> {
    let bad = |reason: String| Err(TmuxError::BadCursor { reason });
    if cursor.server != identity {
        return bad("it is of another tmux server, or of one that has ended".to_owned());
    }
    if cursor.pane != pane {
        return bad(format!("it is of pane {}, not of pane {pane}", cursor.pane));
    }
    Ok(())
}
