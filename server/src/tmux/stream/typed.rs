//! What this program has typed lately, so that its echo is not taken for output.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::tmux::id::PaneId;

/// How long an echo may take: a shell that is still starting shows what was typed when it is there.
const KEPT: Duration = Duration::from_secs(10);
/// So many lines are kept for a pane.
const LINES: usize = 64;
/// The longest line that is kept, in bytes. Of a longer one the beginning is.
const LONGEST: usize = 8 << 10;

/// The lines that were typed, for each pane.
#[derive(Debug, Default)]
pub(crate) struct Log(Mutex<Lines>);

#[derive(Debug, Default)]
struct Lines {
    panes: HashMap<PaneId, VecDeque<Typed>>,
    count: u64,
}

/// One line that was typed.
#[derive(Debug, Clone)]
pub(crate) struct Typed {
    /// Grows with every line.
    pub number: u64,
    pub when: Instant,
    /// Without its end.
    pub text: String,
}

impl Log {
    pub fn add(&self, pane: PaneId, text: &[u8]) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        lines.forget(now);
        for line in text.split(|byte| matches!(byte, b'\n' | b'\r')) {
            let text = String::from_utf8_lossy(&line[..line.len().min(LONGEST)]).into_owned();
            if text.trim().is_empty() {
                continue;
            }
            lines.count += 1;
            let typed = Typed { number: lines.count, when: now, text };
            let of_pane = lines.panes.entry(pane).or_default();
            of_pane.push_back(typed);
            if of_pane.len() > LINES {
                of_pane.pop_front();
            }
        }
    }

    /// The lines typed into a pane after the one with this number, oldest first.
    pub fn after(&self, pane: PaneId, number: u64) -> Vec<Typed> {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(of_pane) = lines.panes.get(&pane) else { return Vec::new() };
        of_pane.iter().filter(|typed| typed.number > number && typed.when.elapsed() < KEPT).cloned().collect()
    }
}

impl Lines {
    fn forget(&mut self, now: Instant) {
        self.panes.retain(|_, lines| {
            while lines.front().is_some_and(|typed| now.duration_since(typed.when) >= KEPT) {
                lines.pop_front();
            }
            !lines.is_empty()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_kept_in_order() {
        let log = Log::default();
        log.add(PaneId(1), b"one\r\n\n  \ntwo");
        log.add(PaneId(2), b"three");
        let texts = |pane, number| {
            log.after(PaneId(pane), number).into_iter().map(|typed| typed.text).collect::<Vec<_>>()
        };
        assert_eq!(texts(1, 0), ["one", "two"]);
        assert_eq!(texts(1, 1), ["two"]);
        assert_eq!(texts(2, 0), ["three"]);
        for _ in 0..2 * LINES {
            log.add(PaneId(1), b"more");
        }
        assert_eq!(texts(1, 0).len(), LINES);
    }
}
