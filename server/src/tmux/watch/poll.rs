//! Waits by looking at the pane now and then, where its output cannot be followed.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::follow::capture;
use super::seen::{Seen, lines};
use super::{Outcome, diff};
use crate::tmux::command::{Command, CommandList};
use crate::tmux::error::TmuxError;
use crate::tmux::format::Query;
use crate::tmux::server::Server;
use crate::tmux::stream::Closed;

/// How often the pane is looked at.
const OFTEN: Duration = Duration::from_millis(100);
/// So many lines of history are compared.
const HISTORY: u32 = 100;
/// So many lines of history are read at most, after more has scrolled by between two looks.
const MOST: u32 = 5000;

const VARIABLES: &[&str] = &["pane_id", "pane_dead", "history_size", "alternate_on"];

/// What is there at one moment.
struct Look {
    dead: bool,
    alternate: bool,
    history: u32,
    lines: Vec<String>,
}

pub(super) async fn poll(server: &Server, seen: &mut Seen<'_>) -> Result<Outcome, TmuxError> {
    let mut before = look(server, seen, HISTORY).await?;
    if seen.entry.is_none() {
        let screen = before.lines.join("\n");
        seen.enter(server, screen.as_bytes(), before.alternate, true);
    }
    loop {
        if before.dead {
            return Ok(Outcome::Closed(Closed::PaneDead));
        }
        let until = Instant::now() + OFTEN;
        sleep_until(seen.due().map_or(until, |due| until.min(due.into()))).await;
        let now = match again(server, seen, before.history).await {
            Err(error) if error.is_no_server() => return Ok(gone(seen, Closed::ServerGone)),
            Err(error) if error.is_not_found() => return Ok(gone(seen, Closed::PaneGone)),
            now => now?,
        };
        // What was on the main screen is there again when the alternate one is left.
        let before_it = match (before.alternate, now.alternate) {
            (_, true) => {
                seen.matcher.begins_alternate();
                Look { dead: now.dead, ..before }
            }
            (true, false) => {
                seen.missed = true;
                now
            }
            (false, false) => {
                let (new, lost) = diff::fresh(&before.lines, &now.lines);
                seen.missed |= lost;
                if let Some(outcome) = seen.lines(server, new) {
                    return Ok(outcome);
                }
                now
            }
        };
        if let Some(outcome) = seen.look() {
            return Ok(outcome);
        }
        before = before_it;
    }
}

/// What it has written since the last look cannot be known.
fn gone(seen: &mut Seen<'_>, why: Closed) -> Outcome {
    seen.missed = true;
    Outcome::Closed(why)
}

/// Looks once more, far enough back.
async fn again(server: &Server, seen: &Seen<'_>, history: u32) -> Result<Look, TmuxError> {
    let now = look(server, seen, HISTORY).await?;
    let scrolled = now.history.saturating_sub(history);
    match scrolled > HISTORY / 2 {
        true => look(server, seen, scrolled.saturating_add(HISTORY).min(MOST)).await,
        false => Ok(now),
    }
}

async fn look(server: &Server, seen: &Seen<'_>, back: u32) -> Result<Look, TmuxError> {
    let query = Query::new(VARIABLES);
    let state = Command::new("display-message").flag('p').target(seen.pane).operand(query.template());
    let list = CommandList::from(state).then(capture(seen.pane).value('S', format!("-{back}")));
    let no_such_pane = || TmuxError::NoSuchPane { pane: seen.pane.to_string() };
    let output = server.run(&list).await.map_err(|error| match error {
        TmuxError::Refused { stderr, .. } if stderr.starts_with("can't find pane") => no_such_pane(),
        TmuxError::NoSessions => no_such_pane(),
        error => error,
    })?;
    let row = query.rows(&output).ok().and_then(|rows| rows.into_iter().next()).ok_or_else(no_such_pane)?;
    if row.text("pane_id") != seen.pane.to_string() {
        return Err(no_such_pane());
    }
    // The state is the first line: none of its values holds a newline.
    let screen = output.splitn(2, |&byte| byte == b'\n').nth(1).unwrap_or_default();
    Ok(Look {
        dead: row.flag("pane_dead"),
        alternate: row.flag("alternate_on"),
        history: row.parsed("history_size").unwrap_or(0),
        lines: lines(screen),
    })
}
