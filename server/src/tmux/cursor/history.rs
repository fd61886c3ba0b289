//! What is read of tmux's own history, where a pane cannot be recorded.

use super::token::{Cursor, Place};
use super::{Delta, Missed};
use crate::tmux::command::{Command, CommandList};
use crate::tmux::error::TmuxError;
use crate::tmux::format::Query;
use crate::tmux::id::PaneId;
use crate::tmux::server::Server;
use crate::tmux::stream::Closed;

/// So many rows tell whether a place is the same as before.
const ABOVE: usize = 16;
/// Fewer rows than these are not looked for elsewhere.
const LEAST: usize = 4;

const VARIABLES: &[&str] = &["pane_id", "pane_pid", "pane_dead", "history_size", "cursor_y"];

/// The rows of a pane from some row on, and its state at that moment.
struct Rows {
    process: i32,
    dead: bool,
    /// The row of the terminal's cursor, counted from the first one of the history.
    cursor: u64,
    /// The first row of the screen, counted likewise.
    screen: u64,
    /// The number of the first of these rows.
    first: u64,
    rows: Vec<String>,
}

pub(super) async fn read(
    server: &Server,
    pane: PaneId,
    cursor: Option<&Cursor>,
    identity: (i32, u64),
) -> Result<Delta, TmuxError> {
    let known = cursor.and_then(|cursor| match &cursor.place {
        Place::History { row, above, length } => Some((cursor.process, *row, above, *length)),
        Place::Recorded { .. } => None,
    });
    let mut rows = look(server, pane, known.map_or(0, |(_, row, ..)| row)).await?;
    let mut place = known.and_then(|(process, row, above, length)| {
        (process == rows.process).then(|| rows.find(row, above, length))?
    });
    if let (None, Some((process, _, above, length))) = (place, known)
        && process == rows.process
        && above.len() >= LEAST
    {
        // The oldest rows may have been dropped, so that all others have another number.
        rows = look(server, pane, 0).await?;
        place = rows.search(above, length);
    }
    let cursor = rows.cursor_at(pane, identity);
    let (lines, continues) = match (place, known) {
        (Some(row), Some((.., length))) => rows.after(row, length),
        _ => (rows.from(rows.screen), false),
    };
    Ok(Delta {
        lines,
        continues,
        screen: place.is_none(),
        missed: (known.is_some() && place.is_none()).then_some(Missed::Unknown),
        truncated_lines: 0,
        truncated_bytes: 0,
        closed: rows.dead.then_some(Closed::PaneDead),
        cursor,
    })
}

/// Reads all rows around `row` and below.
async fn look(server: &Server, pane: PaneId, row: u64) -> Result<Rows, TmuxError> {
    let no_such_pane = || TmuxError::NoSuchPane { pane: pane.to_string() };
    let first = row.saturating_sub(ABOVE as u64);
    let mut start = None;
    loop {
        let query = Query::new(VARIABLES);
        let state = Command::new("display-message").flag('p').target(pane).operand(query.template());
        let mut list = CommandList::from(state);
        if let Some(start) = start {
            let capture =
                Command::new("capture-pane").flag('p').target(pane).value('S', i64::to_string(&start));
            list = list.then(capture);
        }
        let output = server.run(&list).await.map_err(|error| match error {
            TmuxError::Refused { stderr, .. } if stderr.starts_with("can't find pane") => no_such_pane(),
            TmuxError::NoSessions => no_such_pane(),
            error => error,
        })?;
        let state =
            query.rows(&output).ok().and_then(|rows| rows.into_iter().next()).ok_or_else(no_such_pane)?;
        if state.text("pane_id") != pane.to_string() {
            return Err(no_such_pane());
        }
        let history: u64 = state.parsed("history_size").unwrap_or(0);
        let Some(begun) =
            start.replace(i64::try_from(first).unwrap_or(i64::MAX).saturating_sub_unsigned(history))
        else {
            continue;
        };
        let text = output.splitn(2, |&byte| byte == b'\n').nth(1).unwrap_or_default();
        return Ok(Rows {
            process: state.parsed("pane_pid").unwrap_or(0),
            dead: state.flag("pane_dead"),
            cursor: history + state.parsed::<u64>("cursor_y").unwrap_or(0),
            screen: history,
            // tmux begins with the first row there is if it is asked for one before.
            first: history.saturating_add_signed(begun),
            rows: String::from_utf8_lossy(text).lines().map(|row| row.trim_end().to_owned()).collect(),
        });
    }
}

impl Rows {
    fn row(&self, number: u64) -> Option<&str> {
        let index = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.rows.get(index).map(String::as_str)
    }

    /// The rows from this one to the last that is not empty.
    fn from(&self, number: u64) -> Vec<String> {
        let index = usize::try_from(number.saturating_sub(self.first)).unwrap_or(usize::MAX);
        let mut rows = self.rows.get(index..).unwrap_or_default().to_vec();
        while rows.last().is_some_and(String::is_empty) {
            rows.pop();
        }
        rows
    }

    /// What comes after the first `length` bytes of this row.
    fn after(&self, number: u64, length: usize) -> (Vec<String>, bool) {
        let mut rows = self.from(number);
        // Those that the cursor has left behind were written, also if they are empty.
        let left = usize::try_from(self.cursor.saturating_sub(number)).unwrap_or_default();
        if rows.len() < left {
            rows.resize(left, String::new());
        }
        let rest = rows.first().and_then(|row| row.get(length..)).unwrap_or_default().to_owned();
        match (rows.is_empty(), rest.is_empty()) {
            (true, _) => (rows, false),
            (false, true) if length > 0 => (rows.split_off(1), false),
            (false, true) => (rows, false),
            (false, false) => {
                rows[0] = rest;
                // Where nothing stood nothing goes on.
                (rows, length > 0)
            }
        }
    }

    /// The row if it and those above it are what they were.
    fn find(&self, number: u64, above: &[u64], length: usize) -> Option<u64> {
        let same = |(back, &print): (usize, &u64)| {
            let row = number.checked_sub(back as u64).and_then(|number| self.row(number))?;
            let row = if back == 0 { row.get(..length)? } else { row };
            (fingerprint(row) == print).then_some(())
        };
        above.iter().enumerate().map(same).collect::<Option<Vec<()>>>().map(|_| number)
    }

    /// The only row of which that holds.
    fn search(&self, above: &[u64], length: usize) -> Option<u64> {
        let numbers = self.first..self.first + self.rows.len() as u64;
        let mut found = numbers.filter(|&number| self.find(number, above, length).is_some());
        let only = found.next();
        only.filter(|_| found.next().is_none())
    }

    fn cursor_at(&self, pane: PaneId, server: (i32, u64)) -> Cursor {
        let number = self.cursor;
        let above = (0..ABOVE as u64).map_while(|back| self.row(number.checked_sub(back)?)).map(fingerprint);
        let length = self.row(number).map_or(0, str::len);
        let place = Place::History { row: number, above: above.collect(), length };
        Cursor { server, pane, process: self.process, place }
    }
}

/// FNV-1a: the same in every process of this program.
fn fingerprint(row: &str) -> u64 {
    row.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
