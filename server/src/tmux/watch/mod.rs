//! Waits for what a pane says: text, any output, or silence. And for channels ([`wait_channel`]).
//!
//! **From the stream.** What the pane's program writes is read as it comes ([`super::stream`]), so a line is seen however fast
//! it scrolls away, and once seen it is believed. A thousand waits cost one client for each session, and nothing runs while
//! nothing is written. Lines are taken in the order in which they were written: the first one that matches wins; on one line a
//! stop pattern wins over the others. Text that stands on the screen at the beginning ends nothing, and is reported.
//!
//! **By looking**, where there is no stream (no client may be attached, and somebody else has piped the pane): the screen and some history are read ten times a second and compared with what was there. So text that came and
//! went between two looks is not seen (a burst longer than the history, a screen that was cleared); if that may have happened
//! [`Watched::missed`] says so. A line that is written again where it already stood is no output.
//!
//! **Echo.** What this program types does not count as output ([`echo`] has the rules and their limits).
//!
//! **The alternate screen**, where full-screen programs draw, is left out: what stands where is not told by what is written.
//!
//! **A pane that ends** ends the wait at once. tmux does not tell its clients the last bytes of a pane that ends right after
//! writing them. If the pane stays (`remain-on-exit`), they are looked up on the screen; if it closes, nobody can know them, and
//! [`Watched::missed`] says so.
//! A pane that is respawned meanwhile is watched on: what the new program writes counts.

mod alone;
mod channel;
mod diff;
mod echo;
mod follow;
mod matcher;
mod patterns;
mod poll;
mod seen;
mod tail;
mod text;

use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

pub(crate) use channel::Channels;
pub use channel::{ChannelEnd, signal_channel, wait_channel};
pub(in crate::tmux) use follow::capture;
pub use patterns::{BadPattern, Patterns, Syntax};
pub(in crate::tmux) use seen::lines;
pub(in crate::tmux) use text::Text;

use super::error::TmuxError;
use super::id::PaneId;
use super::server::Server;
use super::stream::Closed;
use seen::Seen;

/// What is waited for. Without patterns, output or silence it is the end of the pane.
#[derive(Debug, Clone)]
pub struct Watch {
    /// Text that ends the wait well.
    pub patterns: Patterns,
    /// Text that ends it because what was waited for will not come.
    pub stop: Patterns,
    /// Whether any text ends it.
    pub any_output: bool,
    /// How long nothing at all must have been written for the wait to end. Counted from the beginning of the wait.
    pub idle: Option<Duration>,
    /// When it is given up.
    pub limit: Duration,
}

/// How a wait ended, and what was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    /// How it ended.
    pub outcome: Outcome,
    /// A line that was on the screen at the beginning matches one of the patterns.
    pub at_entry: bool,
    /// The last lines that were written meanwhile: no more than 20, and 2,000 bytes. Echoes are in it. If nothing was written it
    /// is the last row of what the screen showed at the beginning.
    pub tail: Vec<String>,
    /// Whether any text was written that is no echo.
    pub saw_output: bool,
    /// Whether the alternate screen was on at any time. What full-screen programs draw there is never matched, and no output.
    pub alternate: bool,
    /// Output may have come that was not seen. So it always may where the pane is gone.
    pub missed: bool,
    /// How long it took.
    pub elapsed: Duration,
}

/// How a wait ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A line came that matches a pattern.
    Matched {
        /// The pattern's place in the list, from 0.
        index: usize,
        /// The line, and those that came with it and match the same pattern: no more than 20, and 2,000 bytes.
        lines: Vec<String>,
    },
    /// A line came that matches a stop pattern.
    Stopped {
        /// The pattern's place in the list, from 0.
        index: usize,
        /// As for [`Self::Matched`].
        lines: Vec<String>,
    },
    /// Text came.
    AnyOutput,
    /// Nothing came for long enough.
    Idle,
    /// The time is over.
    TimedOut,
    /// The pane or its program has ended, or the server.
    Closed(Closed),
    /// The caller gave up.
    Cancelled,
}

/// What is told while a wait goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WatchProgress {
    /// How long it has gone on.
    pub elapsed: Duration,
    /// Whether any text was written that is no echo.
    pub saw_output: bool,
}

/// Who is told, at most every two seconds.
pub type OnProgress<'a> = &'a (dyn Fn(WatchProgress) + Send + Sync);

/// Waits until `pane` says what is waited for, or `watch.limit` is over, or `cancel`.
///
/// If the future is dropped nothing is left behind but a client that leaves three seconds after the last one who reads.
///
/// # Errors
///
/// [`TmuxError::NoSuchPane`] if there is no such pane to begin with; [`TmuxError::NoServer`] and the like if there is no server.
///
/// # Panics
///
/// Outside of a tokio runtime.
pub async fn watch(
    server: &Server,
    pane: PaneId,
    watch: Watch,
    cancel: CancellationToken,
    progress: Option<OnProgress<'_>>,
) -> Result<Watched, TmuxError> {
    let begun = Instant::now();
    let limit = watch.limit;
    let mut seen = Seen::new(pane, watch, begun, progress);
    let outcome = tokio::select! {
        biased;
        outcome = until_it_comes(server, &mut seen) => outcome?,
        () = cancel.cancelled() => Outcome::Cancelled,
        () = tokio::time::sleep(limit) => Outcome::TimedOut,
    };
    Ok(seen.result(outcome))
}

async fn until_it_comes(server: &Server, seen: &mut Seen<'_>) -> Result<Outcome, TmuxError> {
    match follow::follow(server, seen).await {
        Ok(Some(outcome)) => return Ok(outcome),
        // There was a stream, and there may be none any more.
        Ok(None) => seen.missed = true,
        Err(TmuxError::NoStream { .. }) => (),
        Err(error) => return Err(error),
    }
    poll::poll(server, seen).await
}
