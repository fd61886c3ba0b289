//! One watch per pane, however many wait: who joins, who is the last to leave.
//!
//! Panes are armed once, so two waits on one pane cannot undo each other's settings. A wait that comes while the last watch is
//! putting things back waits for that, and begins a new one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::events::Listeners;
use super::watch::{Ended, watch};
use crate::tmux::error::TmuxError;
use crate::tmux::id::PaneId;
use crate::tmux::server::Server;

/// How long somebody who has stopped waiting is held until everything is put back. If tmux does not answer, the task goes
/// on with that on its own.
const LEAVE_LIMIT: Duration = Duration::from_secs(2);

type Outcome = Option<Result<Ended, TmuxError>>;

/// The watches of one server.
#[derive(Debug, Default, Clone)]
pub(crate) struct Waits {
    table: Arc<Mutex<Table>>,
    listeners: Listeners,
}

#[derive(Debug, Default)]
struct Table {
    watches: HashMap<PaneId, Entry>,
    started: u64,
}

#[derive(Debug)]
struct Entry {
    number: u64,
    interested: usize,
    quit: CancellationToken,
    outcome: watch::Receiver<Outcome>,
}

/// Somebody's interest in a watch. The watch ends when the last one is dropped.
pub(super) struct Interest {
    waits: Waits,
    pane: PaneId,
    number: u64,
    outcome: watch::Receiver<Outcome>,
    left: bool,
}

impl Waits {
    /// Joins the watch of this pane, or starts it.
    pub(super) async fn join(&self, server: &Server, pane: PaneId) -> Interest {
        loop {
            let mut leaving = match self.enter(server, pane) {
                Ok(interest) => return interest,
                Err(leaving) => leaving,
            };
            // An error means that its task is gone; either way its entry is.
            let _ = leaving.wait_for(Option::is_some).await;
        }
    }

    /// Those who are told of events.
    pub(super) fn listeners(&self) -> &Listeners {
        &self.listeners
    }

    /// Ends all watches, and returns when they have put everything back.
    pub(crate) async fn close(&self) {
        let all: Vec<_> =
            self.table().watches.values().map(|entry| (entry.quit.clone(), entry.outcome.clone())).collect();
        for (quit, _) in &all {
            quit.cancel();
        }
        let ended = async {
            for (_, mut outcome) in all {
                let _ = outcome.wait_for(Option::is_some).await;
            }
        };
        if tokio::time::timeout(LEAVE_LIMIT, ended).await.is_err() {
            tracing::warn!("tmux does not answer; some panes may keep remain-on-exit");
        }
    }

    /// Or the outcome of a watch that is just being ended.
    fn enter(&self, server: &Server, pane: PaneId) -> Result<Interest, watch::Receiver<Outcome>> {
        let mut table = self.table();
        if let Some(entry) = table.watches.get_mut(&pane) {
            if entry.quit.is_cancelled() {
                return Err(entry.outcome.clone());
            }
            entry.interested += 1;
            return Ok(self.interest(pane, entry));
        }
        table.started += 1;
        let (sender, outcome) = watch::channel(None);
        let quit = CancellationToken::new();
        let entry = Entry { number: table.started, interested: 1, quit: quit.clone(), outcome };
        let interest = self.interest(pane, &entry);
        let task = Task { waits: self.clone(), pane, number: entry.number, sender };
        table.watches.insert(pane, entry);
        drop(table);
        tokio::spawn(task.run(server.clone(), quit));
        Ok(interest)
    }

    fn interest(&self, pane: PaneId, entry: &Entry) -> Interest {
        Interest {
            waits: self.clone(),
            pane,
            number: entry.number,
            outcome: entry.outcome.clone(),
            left: false,
        }
    }

    /// A panic elsewhere leaves the table as it was: every change of it is one statement.
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The watch as a task. Its entry goes before its outcome is told, also if the runtime drops it.
struct Task {
    waits: Waits,
    pane: PaneId,
    number: u64,
    sender: watch::Sender<Outcome>,
}

impl Task {
    async fn run(self, server: Server, quit: CancellationToken) {
        let outcome = watch(&server, self.pane, &quit).await;
        self.forget();
        self.sender.send_replace(Some(outcome));
    }

    fn forget(&self) {
        let mut table = self.waits.table();
        if table.watches.get(&self.pane).is_some_and(|entry| entry.number == self.number) {
            table.watches.remove(&self.pane);
        }
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.forget();
    }
}

impl Interest {
    /// How the watch ended, when it has.
    pub async fn ended(&mut self) -> Result<Ended, TmuxError> {
        match self.outcome.wait_for(Option::is_some).await.map(|outcome| outcome.clone()) {
            Ok(Some(outcome)) => outcome,
            _ => Err(TmuxError::Abandoned { pane: self.pane }),
        }
    }

    /// Stops being interested. If nobody else is, returns when everything is put back, with what was seen last.
    pub async fn leave(mut self) -> Option<Result<Ended, TmuxError>> {
        if !self.release() {
            return None;
        }
        let last = tokio::time::timeout(LEAVE_LIMIT, self.outcome.wait_for(Option::is_some)).await;
        last.ok()?.ok()?.clone()
    }

    /// Whether this was the last one who was interested.
    fn release(&mut self) -> bool {
        let mut table = self.waits.table();
        let Some(entry) = table.watches.get_mut(&self.pane).filter(|entry| entry.number == self.number)
        else {
            return false;
        };
        if !std::mem::replace(&mut self.left, true) {
            entry.interested -= 1;
        }
        if entry.interested == 0 {
            entry.quit.cancel();
        }
        entry.interested == 0
    }
}

impl Drop for Interest {
    fn drop(&mut self) {
        self.release();
    }
}
