//! Which commands run in which panes, and which have ended lately: one at a time in a pane.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::job::Job;
use crate::tmux::error::TmuxError;
use crate::tmux::id::PaneId;

/// How many commands that have ended are kept, for somebody who comes back for their output.
const KEPT: usize = 16;

/// The commands of one server.
#[derive(Debug, Default, Clone)]
pub(crate) struct Runs(Arc<Mutex<Table>>);

#[derive(Debug, Default)]
struct Table {
    busy: HashMap<PaneId, String>,
    jobs: HashMap<String, Arc<Job>>,
    ended: VecDeque<String>,
}

/// A pane that is taken for a command which has not been typed yet. Dropping it frees the pane.
pub(super) struct Reservation {
    runs: Runs,
    job: Option<Arc<Job>>,
}

impl Runs {
    /// Takes the job's pane. A command that was started there before and is over makes room.
    ///
    /// # Errors
    ///
    /// [`TmuxError::ShellBusy`] if a command of this program runs there.
    pub(super) async fn reserve(&self, job: Arc<Job>) -> Result<Reservation, TmuxError> {
        let before = self.busy(job.pane);
        if let Some(before) = before {
            before.make_room(job.seat).await;
        }
        let mut table = self.table();
        if let Some(run) = table.busy.get(&job.pane) {
            return Err(TmuxError::ShellBusy { pane: job.pane, run: run.clone() });
        }
        table.busy.insert(job.pane, job.id.clone());
        table.jobs.insert(job.id.clone(), job.clone());
        drop(table);
        Ok(Reservation { runs: self.clone(), job: Some(job) })
    }

    fn busy(&self, pane: PaneId) -> Option<Arc<Job>> {
        let table = self.table();
        table.jobs.get(table.busy.get(&pane)?).cloned()
    }

    /// The command with this id, running or ended lately.
    pub(super) fn job(&self, id: &str) -> Option<Arc<Job>> {
        self.table().jobs.get(id).cloned()
    }

    /// Frees the pane of a command that has ended, and forgets the oldest that ended.
    pub(super) fn ended(&self, job: &Job) {
        let mut table = self.table();
        table.free(job);
        table.ended.push_back(job.id.clone());
        while table.ended.len() > KEPT {
            if let Some(oldest) = table.ended.pop_front() {
                table.jobs.remove(&oldest);
            }
        }
    }

    /// A panic elsewhere leaves the table as it was: every change of it is one statement.
    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn free(&mut self, job: &Job) {
        if self.busy.get(&job.pane) == Some(&job.id) {
            self.busy.remove(&job.pane);
        }
    }
}

impl Reservation {
    /// The command was typed: from now on the job itself frees the pane.
    pub fn keep(mut self) {
        self.job = None;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if let Some(job) = self.job.take() {
            let mut table = self.runs.table();
            table.free(&job);
            table.jobs.remove(&job.id);
        }
    }
}
