//! Waits by reading what the pane writes.

use std::time::Instant;

use tokio::time::sleep_until;

use super::seen::{Seen, lines};
use super::{Outcome, diff};
use crate::tmux::capture::split_at_line;
use crate::tmux::command::{Command, CommandList};
use crate::tmux::error::TmuxError;
use crate::tmux::format::nonce;
use crate::tmux::id::PaneId;
use crate::tmux::server::Server;
use crate::tmux::stream::{Closed, PaneStream, Piece};

/// A piece of so many bytes takes long enough that others should have their turn after it.
const LARGE: usize = 4 << 10;

/// Nothing if the stream came to an end that is not the pane's.
pub(super) async fn follow(server: &Server, seen: &mut Seen<'_>) -> Result<Option<Outcome>, TmuxError> {
    let mut stream = server.stream(seen.pane).await?;
    let begin = stream.offset();
    // An error is about the stream, which tells it better.
    let end = nonce();
    let tell = Command::new("display-message").flag('p').target(seen.pane);
    let list = CommandList::from(capture(seen.pane)).then(tell.operand(format!("{end}#{{alternate_on}}")));
    if let Ok(screen) = stream.screen(list).await
        && let Some((rows, alternate)) = split_at_line(&screen.output, &end)
    {
        seen.enter(server, rows, alternate.starts_with(b"1"), screen.exact && screen.offset == begin);
    }
    loop {
        let Some(piece) = next(&mut stream, seen).await else {
            match seen.look() {
                Some(outcome) => return Ok(Some(outcome)),
                None => continue,
            }
        };
        match piece {
            Piece::Bytes(bytes) => {
                if let Some(outcome) = seen.bytes(server, &bytes) {
                    return Ok(Some(outcome));
                }
                if seen.due().is_some_and(|due| due <= Instant::now())
                    && let Some(outcome) = seen.look()
                {
                    return Ok(Some(outcome));
                }
                if bytes.len() >= LARGE {
                    tokio::task::yield_now().await;
                }
            }
            Piece::Missed { .. } => {
                seen.missed = true;
                seen.matcher.gap();
            }
            Piece::Closed(Closed::Unattachable | Closed::ConnectionLost) => return Ok(None),
            Piece::Closed(why) => return Ok(Some(closed(server, seen, why).await)),
        }
    }
}

pub(in crate::tmux) fn capture(pane: PaneId) -> Command {
    // -J: what was wrapped is one line.
    Command::new("capture-pane").flag('p').flag('J').target(pane)
}

/// Nothing if something is due before anything comes.
async fn next(stream: &mut PaneStream, seen: &Seen<'_>) -> Option<Piece> {
    match seen.due() {
        None => Some(stream.next().await),
        Some(due) => tokio::select! {
            biased;
            piece = stream.next() => Some(piece),
            () = sleep_until(due.into()) => None,
        },
    }
}

/// The last that the pane has written may be known nowhere but on its screen.
async fn closed(server: &Server, seen: &mut Seen<'_>, why: Closed) -> Outcome {
    if let Some(verdict) = seen.matcher.settle() {
        return verdict.into();
    }
    let screen = match why {
        // tmux has scrolled to make room for its own words.
        Closed::PaneDead => server.run(&capture(seen.pane).value('S', "-50").into()).await.ok(),
        _ => None,
    };
    // tmux does not tell the last words of a pane that is gone, and nobody can look for them.
    seen.missed |= screen.is_none();
    if let Some(screen) = screen {
        let now = lines(&screen);
        let written = seen.matcher.tail.lines();
        let last = match (written.is_empty(), &seen.entry) {
            (false, _) => diff::after(&written, &now),
            (true, Some(entry)) => diff::fresh(entry, &now).0,
            (true, None) => Vec::new(),
        };
        // tmux's own words about it are no output.
        let last = last.into_iter().filter(|line| !line.starts_with("Pane is dead (")).collect();
        if let Some(outcome) = seen.lines(server, last) {
            return outcome;
        }
    }
    Outcome::Closed(why)
}
