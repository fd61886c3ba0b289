//! A command that was started in a pane: what is known of it, and the task that learns it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::watch;

use super::marks::Marks;
use super::output::{Output, Tail};
use super::table::Runs;
use crate::tmux::id::PaneId;
use crate::tmux::stream::{PaneStream, Piece};

/// How a command stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The shell has not begun it yet: it starts up, or does something else.
    Waiting,
    /// It runs.
    Running,
    /// It ended with this status.
    Ended(i32),
    /// The pane closed, or the server ended, or the pane's output could no longer be followed: its status cannot be known, and
    /// the end of its output may be missing.
    Lost,
}

impl Progress {
    /// Whether nothing more will be known.
    pub fn is_final(self) -> bool {
        matches!(self, Progress::Ended(_) | Progress::Lost)
    }
}

/// One command.
#[derive(Debug)]
pub(super) struct Job {
    pub id: String,
    pub pane: PaneId,
    pub started: Instant,
    inner: Mutex<Inner>,
    progress: watch::Sender<Progress>,
}

#[derive(Debug)]
struct Inner {
    tail: Tail,
    gaps: bool,
}

impl Job {
    pub fn new(id: String, pane: PaneId, limit: usize) -> Self {
        Job {
            id,
            pane,
            started: Instant::now(),
            inner: Mutex::new(Inner { tail: Tail::new(limit), gaps: false }),
            progress: watch::Sender::new(Progress::Waiting),
        }
    }

    pub fn progress(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    pub fn output(&self) -> Output {
        let inner = self.inner();
        inner.tail.output(inner.gaps)
    }

    /// Follows the pane until the command has ended, however long that takes and whoever still waits for it.
    pub async fn follow(self: Arc<Self>, mut stream: PaneStream, runs: Runs) {
        let mut marks = Marks::new(&self.id);
        let mut output = Vec::new();
        let end = loop {
            match stream.next().await {
                Piece::Bytes(bytes) => {
                    let status = marks.feed(&bytes, &mut output);
                    if !output.is_empty() {
                        self.inner().tail.push(&output);
                        output.clear();
                    }
                    if let Some(status) = status {
                        break Progress::Ended(status);
                    }
                    if marks.begun() && *self.progress.borrow() == Progress::Waiting {
                        self.progress.send_replace(Progress::Running);
                    }
                }
                Piece::Missed { .. } => self.inner().gaps = true,
                Piece::Closed(_) => {
                    // tmux does not tell the last words of a pane that closes.
                    self.inner().gaps = true;
                    self.inner().tail.push(&marks.rest());
                    break Progress::Lost;
                }
            }
        };
        // The pane is free before anybody who waits knows: the next command may follow at once.
        runs.ended(&self);
        self.progress.send_replace(end);
    }

    /// A panic elsewhere leaves it as it was: every change of it is one statement.
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
