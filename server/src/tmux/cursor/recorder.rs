//! The panes that are recorded, and what is read of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::lines::Reader;
use super::token::{Cursor, Place};
use super::{Delta, Missed};
use crate::tmux::command::{Command, CommandList};
use crate::tmux::error::TmuxError;
use crate::tmux::format::nonce;
use crate::tmux::id::PaneId;
use crate::tmux::server::Server;
use crate::tmux::stream::{Closed, Piece, Position, Recording};
use crate::tmux::watch::{capture, lines};

/// How long a recording goes on that nobody reads.
const UNREAD: Duration = Duration::from_secs(600);
/// So many panes are recorded at most. The one that was read longest ago is given up first.
const RECORDED: usize = 64;

/// The recordings of one server.
#[derive(Debug, Default, Clone)]
pub(crate) struct Recorders(Arc<Mutex<HashMap<PaneId, Arc<Recorder>>>>);

/// One pane that is recorded.
#[derive(Debug)]
struct Recorder {
    /// Nobody else can know it, so a cursor of another process of this program is not taken for one of this.
    name: String,
    recording: Recording,
    read: Mutex<Instant>,
}

pub(super) async fn read(
    server: &Server,
    pane: PaneId,
    cursor: Option<&Cursor>,
    identity: (i32, u64),
) -> Result<Delta, TmuxError> {
    if let Some(delta) = go_on(server, pane, cursor, identity).await? {
        return Ok(delta);
    }
    let recorder = server.recorders().begin(server, pane).await?;
    let list = CommandList::from(capture(pane));
    let screen = recorder.recording.screen(server, &list).await;
    if screen.is_err() && recorder.recording.closed() == Some(Closed::PaneDead) {
        // Nothing comes any more, but what it shows is still there.
        server.recorders().forget(pane, &recorder.name);
        return Err(TmuxError::NoStream { reason: "the pane is dead".to_owned() });
    }
    let (screen, position) = screen?;
    let place = Place::Recorded {
        recording: recorder.name.clone(),
        line: position.offset,
        read: position.offset,
        gaps: position.gaps,
        inside: true,
    };
    Ok(Delta {
        lines: lines(&screen),
        continues: false,
        screen: true,
        missed: cursor.map(|_| Missed::Unknown),
        truncated_lines: 0,
        truncated_bytes: 0,
        closed: recorder.recording.closed(),
        cursor: Cursor { server: identity, pane, process: recorder.process(), place },
    })
}

/// Reads on in a recording, if there is one and the cursor is of it.
async fn go_on(
    server: &Server,
    pane: PaneId,
    cursor: Option<&Cursor>,
    identity: (i32, u64),
) -> Result<Option<Delta>, TmuxError> {
    let Some(Cursor { place: Place::Recorded { recording, line, read, gaps, inside }, .. }) = cursor else {
        return Ok(None);
    };
    let Some(recorder) = server.recorders().get(pane, recording) else { return Ok(None) };
    // The answer comes after all that was written before. If there is none, what has come is still there.
    let _ =
        recorder.recording.run(server, &Command::new("display-message").flag('p').operand("").into()).await;
    let before = Position { offset: *read, gaps: *gaps };
    let (found, missed, position) = recorder.since(*line, before, *inside);
    let closed = recorder.recording.closed();
    let nothing_left = closed.is_some() && found.lines.is_empty() && missed.is_none();
    if nothing_left {
        // It may be a pane again, with another program.
        let row = server.pane(pane).await?;
        if !row.dead {
            server.recorders().forget(pane, &recorder.name);
            return Ok(None);
        }
    }
    let place = Place::Recorded {
        recording: recorder.name.clone(),
        line: found.line,
        read: position.offset,
        gaps: position.gaps,
        inside: found.inside,
    };
    Ok(Some(Delta {
        lines: found.lines,
        continues: found.continues,
        screen: false,
        // tmux does not tell the last words of a pane that closes.
        missed: missed.or(closed.filter(|_| !nothing_left).map(|_| Missed::Unknown)),
        truncated_lines: 0,
        truncated_bytes: 0,
        closed,
        cursor: Cursor { server: identity, pane, process: recorder.process(), place },
    }))
}

/// What was found after a place.
struct Found {
    lines: Vec<String>,
    continues: bool,
    line: u64,
    inside: bool,
}

impl Recorder {
    fn process(&self) -> i32 {
        self.recording.process().unwrap_or(0)
    }

    /// What comes after `before`, of which the growing line begins at `line`.
    fn since(&self, line: u64, before: Position, inside: bool) -> (Found, Option<Missed>, Position) {
        *self.read.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        let mut position = before;
        let mut reader = Reader::new(before.offset);
        let mut known = String::new();
        let mut inside = inside;
        // The beginning of the line, if it is still there, so that what goes on with it is read as it should.
        if line < before.offset {
            let mut at = Position { offset: line, ..before };
            let mut again = Reader::new(line);
            let mut whole = true;
            while whole && at.offset < before.offset {
                let from = at.offset;
                match self.recording.peek(&mut at) {
                    Some(Piece::Bytes(bytes)) => {
                        let wanted = (before.offset - from).min(bytes.len() as u64) as usize;
                        again.feed(&bytes[..wanted]);
                    }
                    _ => whole = false,
                }
            }
            if whole {
                known = again.known();
                reader = again;
            } else {
                inside = true;
            }
        }
        let mut missed = None;
        let mut first = None;
        while let Some(piece) = self.recording.peek(&mut position) {
            match piece {
                Piece::Bytes(bytes) => {
                    first = first.or(bytes.first().copied());
                    reader.feed(&bytes);
                }
                Piece::Missed { bytes } => {
                    missed = match (missed, bytes) {
                        (None, Some(bytes)) => Some(Missed::Bytes(bytes)),
                        _ => Some(Missed::Unknown),
                    };
                    reader.jump(position.offset);
                }
                Piece::Closed(_) => break,
            }
        }
        let (mut lines, line, cut) = reader.end();
        let mut continues = inside && first.is_some_and(|byte| !byte.is_ascii_control()) && missed.is_none();
        if !known.is_empty()
            && let Some(rest) = lines.first().and_then(|line| line.strip_prefix(&known)).map(str::to_owned)
        {
            continues = !rest.is_empty() && missed.is_none();
            match rest.is_empty() {
                true => drop(lines.remove(0)),
                false => lines[0] = rest,
            }
        }
        // Nothing has come: it is still inside of that line.
        let inside = cut || inside && first.is_none() && missed.is_none();
        (Found { lines, continues, line, inside }, missed, position)
    }
}

impl Recorders {
    fn get(&self, pane: PaneId, name: &str) -> Option<Arc<Recorder>> {
        self.table().get(&pane).filter(|recorder| recorder.name == name).cloned()
    }

    /// The recording of a pane, which is begun if there is none.
    async fn begin(&self, server: &Server, pane: PaneId) -> Result<Arc<Recorder>, TmuxError> {
        if let Some(recorder) =
            self.table().get(&pane).filter(|recorder| recorder.recording.closed().is_none())
        {
            return Ok(recorder.clone());
        }
        let recording = server.record(pane).await?;
        let recorder =
            Arc::new(Recorder { name: nonce_without_r(), recording, read: Mutex::new(Instant::now()) });
        let mut table = self.table();
        // Somebody else may have been as quick.
        if let Some(other) = table.get(&pane).filter(|other| other.recording.closed().is_none()) {
            return Ok(other.clone());
        }
        table.insert(pane, recorder.clone());
        let oldest = table.iter().min_by_key(|(_, recorder)| recorder.last_read()).map(|(&pane, _)| pane);
        let given_up = oldest.filter(|_| table.len() > RECORDED).and_then(|oldest| table.remove(&oldest));
        drop(table);
        drop(given_up);
        tokio::spawn(self.clone().give_up_unread(pane, recorder.name.clone()));
        Ok(recorder)
    }

    async fn give_up_unread(self, pane: PaneId, name: String) {
        while let Some(recorder) = self.get(pane, &name) {
            let read = recorder.last_read();
            drop(recorder);
            if read.elapsed() >= UNREAD {
                return self.forget(pane, &name);
            }
            tokio::time::sleep_until((read + UNREAD).into()).await;
        }
    }

    fn forget(&self, pane: PaneId, name: &str) {
        let mut table = self.table();
        let recorder = table.get(&pane).filter(|recorder| recorder.name == name).cloned();
        if recorder.is_some() {
            table.remove(&pane);
        }
        // Not under the lock: what it holds is given back when it is dropped.
        drop(table);
    }

    pub(crate) fn close(&self) {
        let all = std::mem::take(&mut *self.table());
        drop(all);
    }

    /// A panic elsewhere leaves the table as it was: every change of it is one statement.
    fn table(&self) -> MutexGuard<'_, HashMap<PaneId, Arc<Recorder>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recorder {
    fn last_read(&self) -> Instant {
        *self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A name that can stand between two `r`.
fn nonce_without_r() -> String {
    nonce().replace('r', "q")
}
