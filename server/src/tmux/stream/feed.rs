//! What one pane writes, for everybody who wants it. Whoever reads slowly loses bytes, and is told how many; nobody is held up.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::ring::{Next, Position, Ring};
use super::{Closed, Piece};
use crate::tmux::id::{PaneId, WindowId};

/// As much is kept for those who have not read it yet, in bytes.
const KEPT: usize = 4 << 20;
/// As much is kept for a recorder, whether it was read or not, in bytes.
const RECORDED: usize = 1 << 20;
/// Up to so many bytes more are kept than are needed, so that not every piece has to look for the slowest reader.
const SLACK: usize = 256 << 10;
/// The longest piece that is handed out.
const PIECE: usize = 16 << 10;

/// A pane's output as it comes.
#[derive(Debug)]
pub(super) struct Feed {
    pub pane: PaneId,
    /// It comes through a pipe, so what comes is in no order with the answers of tmux.
    pub piped: bool,
    state: Mutex<State>,
    changed: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct State {
    ring: Ring,
    /// Whose output counts: the number of the client or pipe.
    home: Option<u64>,
    /// It was seen that the client's session shows the pane, so whatever the pane writes from now on comes.
    ready: bool,
    window: Option<WindowId>,
    process: Option<i32>,
    closed: Option<Closed>,
    readers: HashMap<u64, u64>,
    recorders: usize,
    started: u64,
}

/// The number of a reader.
pub(super) type Reader = u64;

impl Feed {
    /// Of a pane whose output comes from this client or pipe.
    pub fn new(pane: PaneId, home: u64, piped: bool) -> Self {
        let state = State { home: Some(home), ..State::default() };
        Self { pane, piped, state: Mutex::new(state), changed: watch::channel(()).0 }
    }

    /// What `client` says that the pane has written.
    pub fn push(&self, client: u64, bytes: &[u8]) {
        let mut state = self.state();
        if state.home != Some(client) || state.closed.is_some() {
            return;
        }
        state.ring.push(bytes);
        state.trim();
        drop(state);
        self.changed.send_replace(());
    }

    /// What `client` has not told is lost, and nobody knows how much it is.
    pub fn gap(&self, client: u64) {
        let mut state = self.state();
        if state.home == Some(client) {
            state.ring.gap();
            drop(state);
            self.changed.send_replace(());
        }
    }

    /// The output comes from this client from now on; what was written between is lost.
    pub fn moved(&self, client: u64) {
        let mut state = self.state();
        state.ring.gap();
        state.home = Some(client);
    }

    /// Nothing comes any more. What came before can still be read.
    pub fn close(&self, why: Closed) {
        let mut state = self.state();
        state.closed.get_or_insert(why);
        state.home = None;
        drop(state);
        self.changed.send_replace(());
    }

    /// The pane was seen in a session of its client.
    pub fn seen(&self, window: WindowId, process: Option<i32>) {
        let mut state = self.state();
        state.ready = true;
        state.window = Some(window);
        state.process = process;
    }

    /// Whether it is of no use to those who come now.
    pub fn is_closed(&self) -> bool {
        self.state().closed.is_some()
    }

    pub fn is_ready(&self) -> bool {
        self.state().ready
    }

    pub fn home(&self) -> Option<u64> {
        self.state().home
    }

    /// The process that was seen last in the pane.
    pub fn process(&self) -> Option<i32> {
        self.state().process
    }

    pub fn window(&self) -> Option<WindowId> {
        self.state().window
    }

    /// Begins to read what comes from now on.
    pub fn read_on(&self) -> (Reader, Position, watch::Receiver<()>) {
        let changed = self.changed.subscribe();
        let mut state = self.state();
        state.started += 1;
        let (reader, position) = (state.started, state.ring.end());
        state.readers.insert(reader, position.offset);
        (reader, position, changed)
    }

    /// What comes next for this reader, if there is anything.
    pub fn next(&self, reader: Reader, position: &mut Position) -> Option<Piece> {
        let mut state = self.state();
        let Some(next) = state.ring.read(position, PIECE) else { return state.closed.map(Piece::Closed) };
        state.readers.insert(reader, position.offset);
        Some(next.into())
    }

    /// What lies between `position` and the end, without being a reader.
    pub fn peek(&self, position: &mut Position) -> Option<Piece> {
        self.state().ring.read(position, PIECE).map(Piece::from)
    }

    pub fn end(&self) -> Position {
        self.state().ring.end()
    }

    pub fn closed(&self) -> Option<Closed> {
        self.state().closed
    }

    pub fn leave(&self, reader: Reader) {
        let mut state = self.state();
        state.readers.remove(&reader);
        state.trim();
    }

    /// Somebody records the pane: the last bytes are kept even if nobody reads.
    pub fn record(&self) {
        self.state().recorders += 1;
    }

    pub fn stop_recording(&self) {
        let mut state = self.state();
        state.recorders -= 1;
        state.trim();
    }

    pub fn is_wanted(&self) -> bool {
        let state = self.state();
        state.recorders > 0 || !state.readers.is_empty()
    }

    /// A panic elsewhere leaves the state usable: every change of it is whole.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Forgets what everybody has read.
    fn trim(&mut self) {
        let recorded = if self.recorders > 0 { RECORDED } else { 0 };
        if self.ring.len() < recorded + SLACK {
            return;
        }
        let end = self.ring.end().offset;
        let slowest = self.readers.values().copied().min().unwrap_or(end);
        self.ring.trim(slowest.min(end.saturating_sub(recorded as u64)), KEPT);
    }
}

impl From<Next> for Piece {
    fn from(next: Next) -> Self {
        match next {
            Next::Bytes(bytes) => Self::Bytes(bytes),
            Next::Missed(bytes) => Self::Missed { bytes },
        }
    }
}
