//! Whose turn is it to type into a pane? First come, first served, for each pane of one server.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OwnedMutexGuard;

use crate::tmux::id::PaneId;

/// The panes that somebody types into or waits to.
#[derive(Debug, Default, Clone)]
pub(crate) struct Orders(Arc<Mutex<HashMap<PaneId, Entry>>>);

#[derive(Debug, Default)]
struct Entry {
    lock: Arc<tokio::sync::Mutex<()>>,
    /// Who has the turn and who waits for it.
    users: usize,
}

/// The right to type into a pane. The next one's turn comes when this is dropped.
#[derive(Debug)]
pub struct Turn {
    // In this order: the lock is free before the place is given up.
    _lock: OwnedMutexGuard<()>,
    place: Place,
}

/// A place in the queue of a pane.
#[derive(Debug)]
struct Place {
    orders: Orders,
    pane: PaneId,
}

impl Orders {
    /// Waits for the turn on this pane.
    pub async fn turn(&self, pane: PaneId) -> Turn {
        let (place, lock) = self.enter(pane);
        Turn { _lock: lock.lock_owned().await, place }
    }

    fn enter(&self, pane: PaneId) -> (Place, Arc<tokio::sync::Mutex<()>>) {
        let mut table = self.table();
        let entry = table.entry(pane).or_default();
        entry.users += 1;
        (Place { orders: self.clone(), pane }, Arc::clone(&entry.lock))
    }

    /// A panic elsewhere leaves the table as it was: every change of it is one statement.
    fn table(&self) -> MutexGuard<'_, HashMap<PaneId, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// The pane that this is about.
    pub fn pane(&self) -> PaneId {
        self.place.pane
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut table = self.orders.table();
        if let Some(entry) = table.get_mut(&self.pane) {
            entry.users -= 1;
            if entry.users == 0 {
                table.remove(&self.pane);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn turns_come_in_order_and_leave_nothing() {
        let orders = Orders::default();
        let log = Arc::new(Mutex::new(Vec::new()));
        let first = orders.turn(PaneId(1)).await;
        let mut waiting = Vec::new();
        for number in 0..20 {
            let (orders, log) = (orders.clone(), log.clone());
            waiting.push(tokio::spawn(async move {
                let turn = orders.turn(PaneId(1)).await;
                tokio::task::yield_now().await;
                log.lock().unwrap().push(number);
                drop(turn);
            }));
            tokio::task::yield_now().await;
        }
        // Another pane is free, and somebody who gives up leaves the queue.
        drop(orders.turn(PaneId(2)).await);
        waiting[7].abort();
        assert_eq!(orders.table().len(), 1);
        drop(first);
        for task in waiting {
            let _ = task.await;
        }
        let expected: Vec<_> = (0..20).filter(|&number| number != 7).collect();
        assert_eq!(*log.lock().unwrap(), expected);
        assert!(orders.table().is_empty());
    }
}
