//! What does a pane show, and what stands in its history? One round trip, however many panes.

use super::command::{Command, CommandList};
use super::error::TmuxError;
use super::format::{Query, Row, nonce};
use super::id::PaneId;
use super::server::{Server, names_missing_pane};

/// Which rows are read. Rows are counted from the top of the screen, from 0; those of the history are negative. What lies
/// beyond the first or the last row means that one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// The first row; without it the top of the screen.
    pub start: Option<i64>,
    /// The last row; without it the bottom of the screen.
    pub end: Option<i64>,
}

/// A pane at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The rows of the screen, without the empty ones at its end.
    pub screen: Vec<String>,
    /// Column of the cursor, from 0.
    pub cursor_x: u32,
    /// Row of the cursor, from 0.
    pub cursor_y: u32,
    /// How many rows stand above the screen.
    pub history_size: u32,
    /// Whether a mode lies over the pane.
    pub in_mode: bool,
    /// The name of the topmost mode.
    pub mode: Option<String>,
    /// How many rows the mode has scrolled up, if it is one that scrolls.
    pub scroll_position: Option<u32>,
    /// Whether a full-screen program draws on the alternate screen.
    pub alternate: bool,
    /// The pane itself.
    pub pane: super::PaneRow,
}

const SNAPSHOT: &[&str] =
    &["cursor_x", "cursor_y", "history_size", "pane_in_mode", "pane_mode", "scroll_position", "alternate_on"];

/// So many panes are read by one command list: a process takes a thousand words (from 3.7 on) and 16 KiB.
const PANES: usize = 50;

/// Reads rows of a pane as they are on its screen: rows that were wrapped stay apart, spaces at their end are gone, and so are
/// empty rows at the end of all.
///
/// # Errors
///
/// [`TmuxError::NoSuchPane`]; what a call to tmux can meet.
pub async fn capture(server: &Server, pane: PaneId, span: Span) -> Result<Vec<String>, TmuxError> {
    let output = server.run(&rows_of(pane, span).into()).await.map_err(|error| missing(error, pane))?;
    Ok(rows(&output))
}

/// Reads a pane's screen and its state, between which nothing happens.
///
/// # Errors
///
/// As for [`capture`].
pub async fn snapshot(server: &Server, pane: PaneId) -> Result<Snapshot, TmuxError> {
    let variables = [super::pane::VARIABLES, SNAPSHOT].concat();
    let query = Query::new(&variables);
    let end = nonce();
    let list = CommandList::from(rows_of(pane, Span::default())).then(say(&end));
    let list = list.then(Command::new("display-message").flag('p').target(pane).operand(query.template()));
    let output = server.run(&list).await.map_err(|error| missing(error, pane))?;
    let no_such_pane = || TmuxError::NoSuchPane { pane: pane.to_string() };
    let (screen, state) = split_at_line(&output, &end).ok_or_else(no_such_pane)?;
    let row = query.rows(state).ok().and_then(|rows| rows.into_iter().next()).ok_or_else(no_such_pane)?;
    // Where there is no such pane tmux may take another one.
    read(&row, rows(screen)).filter(|snapshot| snapshot.pane.id == pane).ok_or_else(no_such_pane)
}

/// Reads rows of many panes, with rows that were wrapped put together. A pane that is gone by then is left out.
///
/// # Errors
///
/// What a call to tmux can meet.
pub async fn capture_all(
    server: &Server,
    panes: &[PaneId],
    span: Span,
) -> Result<Vec<(PaneId, Vec<String>)>, TmuxError> {
    let mut captured = Vec::with_capacity(panes.len());
    for some in panes.chunks(PANES) {
        match together(server, some, span).await {
            Ok(mut found) => captured.append(&mut found),
            // One is gone, which ends the list, or they hold too much for one answer.
            Err(error) if is_missing(&error) || matches!(error, TmuxError::TooMuchOutput { .. }) => {
                for &pane in some {
                    match together(server, &[pane], span).await {
                        Ok(mut found) => captured.append(&mut found),
                        Err(error) if is_missing(&error) => {}
                        Err(error) => return Err(error),
                    }
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(captured)
}

async fn together(
    server: &Server,
    panes: &[PaneId],
    span: Span,
) -> Result<Vec<(PaneId, Vec<String>)>, TmuxError> {
    // Behind each pane stands a word that nobody could know, so that no pane's text can look like another's.
    let end = nonce();
    let list = panes
        .iter()
        .fold(CommandList::new(), |list, &pane| list.then(rows_of(pane, span).flag('J')).then(say(&end)));
    let output = server.run(&list).await?;
    let mut rest = output.as_slice();
    let mut captured = Vec::with_capacity(panes.len());
    for &pane in panes {
        let Some((text, after)) = split_at_line(rest, &end) else { break };
        captured.push((pane, rows(text)));
        rest = after;
    }
    Ok(captured)
}

fn rows_of(pane: PaneId, span: Span) -> Command {
    let mut command = Command::new("capture-pane").flag('p').target(pane);
    for (flag, row) in [('S', span.start), ('E', span.end)] {
        if let Some(row) = row {
            // tmux passes over a number that is too large for it.
            let row = row.clamp(i64::from(i32::MIN), i64::from(i16::MAX));
            command = command.value(flag, row.to_string());
        }
    }
    command
}

/// Prints a word.
pub(super) fn say(word: &str) -> Command {
    Command::new("display-message").flag('p').operand(word).anywhere()
}

fn read(row: &Row, screen: Vec<String>) -> Option<Snapshot> {
    let number = |variable| row.parsed(variable).unwrap_or(0);
    Some(Snapshot {
        screen,
        cursor_x: number("cursor_x"),
        cursor_y: number("cursor_y"),
        history_size: number("history_size"),
        in_mode: row.flag("pane_in_mode"),
        mode: row.some("pane_mode"),
        scroll_position: row.parsed("scroll_position"),
        alternate: row.flag("alternate_on"),
        pane: super::PaneRow::read(row)?,
    })
}

/// What stands before the line that is this word, and what after it.
pub(super) fn split_at_line<'a>(output: &'a [u8], word: &str) -> Option<(&'a [u8], &'a [u8])> {
    let at = output.windows(word.len()).position(|window| window == word.as_bytes())?;
    let after = &output[at + word.len()..];
    Some((&output[..at], after.strip_prefix(b"\n").unwrap_or(after)))
}

/// The rows of what `capture-pane -p` printed, without the empty ones at the end.
fn rows(output: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(output);
    let text = text.trim_end_matches('\n');
    if text.is_empty() { Vec::new() } else { text.split('\n').map(str::to_owned).collect() }
}

fn is_missing(error: &TmuxError) -> bool {
    match error {
        TmuxError::NoSessions | TmuxError::NoSuchPane { .. } => true,
        TmuxError::Refused { stderr, .. } => names_missing_pane(stderr),
        _ => false,
    }
}

/// The error, or that there is no such pane.
pub(super) fn missing(error: TmuxError, pane: PaneId) -> TmuxError {
    if is_missing(&error) { TmuxError::NoSuchPane { pane: pane.to_string() } } else { error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rows_without_the_empty_ones_at_the_end() {
        assert_eq!(rows(b"a\n\nb \n\n\n"), ["a", "", "b "]);
        assert_eq!(rows(b"\n\n"), Vec::<String>::new());
        assert_eq!(rows(b"\xff\r\xe2\x80\xa8x"), ["\u{fffd}\r\u{2028}x"]);
    }

    #[test]
    fn a_span_is_what_tmux_can_read() {
        let command = |start, end| CommandList::from(rows_of(PaneId(1), Span { start, end }));
        let line = |start, end| String::from_utf8(command(start, end).line().unwrap()).unwrap();
        assert_eq!(line(None, None), "capture-pane -p -t '%1'");
        assert_eq!(line(Some(-5), Some(i64::MAX)), "capture-pane -p -t '%1' -S -5 -E 32767");
    }

    proptest! {
        #[test]
        fn a_word_splits_once(before in "[a-c\n]{0,9}", after in "[a-c\nz]{0,9}") {
            let output = format!("{before}zq\n{after}");
            let (first, second) = split_at_line(output.as_bytes(), "zq").unwrap();
            prop_assert_eq!((first, second), (before.as_bytes(), after.as_bytes()));
        }

        #[test]
        fn any_output_is_rows(output in prop::collection::vec(any::<u8>(), 0..60)) {
            prop_assert!(rows(&output).last().is_none_or(|row| !row.is_empty()));
        }
    }
}
