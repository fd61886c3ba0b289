//! What was sent and is not answered yet. No input or output here.

use std::collections::VecDeque;
use std::time::Instant;

use tokio::sync::oneshot;

use crate::tmux::control::Reply;

/// How a call on a connection came to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gone {
    /// It was never sent.
    Unsent,
    /// The connection ended after it was sent: it may have had its effect.
    Lost,
    /// tmux did not answer in time: it may have its effect.
    Late,
}

/// Where an answer goes.
pub(super) type Answer = oneshot::Sender<Result<Reply, Gone>>;

/// The calls that were sent, in the order in which tmux answers them.
#[derive(Debug, Default)]
pub(super) struct Pending(VecDeque<(Instant, Answer)>);

impl Pending {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A call is about to be sent.
    pub fn sent(&mut self, now: Instant, answer: Answer) {
        self.0.push_back((now, answer));
    }

    /// The answer to the call that was sent first. Whoever asked may have gone: then nobody is told.
    pub fn answered(&mut self, reply: Reply) {
        if let Some((_, answer)) = self.0.pop_front() {
            let _ = answer.send(Ok(reply));
        }
    }

    /// When the call that waits longest was sent, or when tmux was last heard to answer if that is later.
    pub fn waiting_since(&self, heard: Instant) -> Option<Instant> {
        self.0.front().map(|(sent, _)| heard.max(*sent))
    }

    /// Tells everybody that no answer will come.
    pub fn give_up(&mut self, gone: Gone) {
        for (_, answer) in self.0.drain(..) {
            let _ = answer.send(Err(gone));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn answers_come_in_order() {
        let (mut pending, start) = (Pending::default(), Instant::now());
        let mut calls: Vec<_> = (0..3)
            .map(|second| {
                let (answer, call) = oneshot::channel();
                pending.sent(start + Duration::from_secs(second), answer);
                call
            })
            .collect();
        assert_eq!(pending.waiting_since(start), Some(start));
        drop(calls.remove(1));
        pending.answered(Reply { output: b"a".to_vec(), ..Reply::default() });
        assert_eq!(calls[0].try_recv().unwrap().unwrap().output, b"a");
        assert_eq!(pending.waiting_since(start), Some(start + Duration::from_secs(1)));
        pending.answered(Reply::default());
        pending.give_up(Gone::Lost);
        assert_eq!(calls[1].try_recv().unwrap(), Err(Gone::Lost));
        assert!(pending.is_empty() && pending.waiting_since(start).is_none());
        // More answers than questions are no harm.
        pending.answered(Reply::default());
    }
}
