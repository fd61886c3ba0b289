//! A command that was started in a pane: what is known of it, and the task that learns it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, watch};
use tokio::time::sleep;

use super::foreground::{Doing, Seat};
use super::marks::Marks;
use super::output::{Output, Tail};
use super::table::Runs;
use crate::tmux::command::Command;
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
    /// It was broken off, as by `C-c`: the shell reads its next line, and there is no status.
    BrokenOff,
    /// The pane closed or was respawned, or the server ended, or the pane's output could no longer be followed: its status cannot
    /// be known, and the end of its output may be missing.
    Lost,
}

impl Progress {
    /// Whether nothing more will be known.
    pub fn is_final(self) -> bool {
        matches!(self, Progress::Ended(_) | Progress::BrokenOff | Progress::Lost)
    }
}

/// How often it is looked whether the shell is at its prompt although the command has not ended: nothing tells that.
const LOOKED: Duration = Duration::from_secs(1);
/// How long that must go on. In between, the shell itself tells the end.
const STAYS: Duration = Duration::from_millis(100);

/// How long what was broken off may take to go.
const LEAVING: Duration = Duration::from_millis(200);

/// One command.
#[derive(Debug)]
pub(super) struct Job {
    pub id: String,
    pub pane: PaneId,
    pub started: Instant,
    /// Where its shell sits, if that is known.
    pub seat: Option<Seat>,
    /// Another process was seen in its place.
    replaced: AtomicBool,
    /// Somebody else wants the pane, and it was not looked yet whether this is over.
    wanted: AtomicBool,
    /// Told when that comes to be so.
    asked: Notify,
    inner: Mutex<Inner>,
    progress: watch::Sender<Progress>,
}

#[derive(Debug)]
struct Inner {
    tail: Tail,
    gaps: bool,
}

impl Job {
    pub fn new(id: String, pane: PaneId, limit: usize, seat: Option<Seat>) -> Self {
        Job {
            id,
            pane,
            started: Instant::now(),
            seat,
            replaced: AtomicBool::new(false),
            wanted: AtomicBool::new(false),
            asked: Notify::new(),
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

    /// Somebody else wants the pane, in which another shell may sit by now. Returns when this command has turned out to be over,
    /// or looks as if it were not.
    pub async fn make_room(&self, other: Option<Seat>) {
        let Some(seat) = self.seat else { return };
        if other.is_some_and(|other| !other.is_of_same_process(seat)) {
            self.replaced.store(true, Ordering::Release);
        }
        let until = Instant::now() + LEAVING;
        while self.doing(seat) == Doing::Something {
            if Instant::now() >= until {
                return;
            }
            sleep(LEAVING / 10).await;
        }
        let mut progress = self.progress();
        self.wanted.store(true, Ordering::Release);
        self.asked.notify_one();
        // Where it is still being typed nobody looks.
        let over = progress.wait_for(|progress| progress.is_final());
        let _ = tokio::time::timeout(LOOKED, over).await;
    }

    /// What goes on where it was typed.
    fn doing(&self, seat: Seat) -> Doing {
        if self.replaced.load(Ordering::Acquire) { Doing::Gone } else { seat.doing() }
    }

    /// Follows the pane until the command has ended, however long that takes and whoever still waits for it.
    pub async fn follow(self: Arc<Self>, mut stream: PaneStream, runs: Runs) {
        let mut marks = Marks::new(&self.id);
        let end = loop {
            let end = tokio::select! {
                biased;
                piece = stream.next() => self.heard(piece, &mut marks),
                over = self.is_over(&marks) => self.conclude(over, &mut stream, &mut marks).await,
            };
            if let Some(end) = end {
                break end;
            }
        };
        self.inner().tail.push(&marks.rest());
        // The pane is free before anybody who waits knows: the next command may follow at once.
        runs.ended(&self);
        self.progress.send_replace(end);
    }

    /// What the pane has written. How the command has ended, if it has.
    fn heard(&self, piece: Piece, marks: &mut Marks) -> Option<Progress> {
        match piece {
            Piece::Bytes(bytes) => {
                let mut output = Vec::new();
                let status = marks.feed(&bytes, &mut output);
                self.inner().tail.push(&output);
                if marks.begun() && *self.progress.borrow() == Progress::Waiting {
                    self.progress.send_replace(Progress::Running);
                }
                status.map(Progress::Ended)
            }
            Piece::Missed { .. } => {
                self.inner().gaps = true;
                None
            }
            Piece::Closed(_) => {
                // tmux does not tell the last words of a pane that closes.
                self.inner().gaps = true;
                Some(Progress::Lost)
            }
        }
    }

    /// Returns when the command seems to be over although its end was not told, and how. Whatever the pane writes begins this anew.
    async fn is_over(&self, marks: &Marks) -> Progress {
        let Some(seat) = self.seat else { return std::future::pending().await };
        loop {
            if !self.wanted.load(Ordering::Acquire) {
                let _ = tokio::time::timeout(LOOKED, self.asked.notified()).await;
            }
            // Nothing more comes from a process that has made room for another.
            if self.replaced.load(Ordering::Acquire) {
                return Progress::Lost;
            }
            let wanted = self.wanted.load(Ordering::Acquire);
            let over = || match seat.doing() {
                Doing::Gone => Some(Progress::Lost),
                Doing::Nothing if wanted || marks.begun() && seat.tells() => Some(Progress::BrokenOff),
                Doing::Nothing | Doing::Something => None,
            };
            let first = over();
            if first.is_some() {
                sleep(STAYS).await;
                if let (true, Some(over)) = (first == over(), first) {
                    return over;
                }
            }
            // Whoever wants it asks again.
            self.wanted.store(false, Ordering::Release);
        }
    }

    /// Reads all that was written before now: the end may be in it.
    async fn conclude(&self, over: Progress, stream: &mut PaneStream, marks: &mut Marks) -> Option<Progress> {
        // The answer comes after what was written before. Without one, what has come is all there is.
        let _ = stream.screen(Command::new("display-message").flag('p').operand("").anywhere()).await;
        while let Some(piece) = stream.try_next() {
            if let Some(end) = self.heard(piece, marks) {
                return Some(end);
            }
        }
        Some(over)
    }

    /// A panic elsewhere leaves it as it was: every change of it is one statement.
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
