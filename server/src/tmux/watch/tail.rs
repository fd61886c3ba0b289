//! The last lines of a pane's output, within bounds. Pure.

use std::collections::VecDeque;

use super::text::Line;

/// So many lines are kept.
const LINES: usize = 20;
/// So many bytes are kept. A longer line loses its beginning.
const BYTES: usize = 2000;

/// The last lines that came.
#[derive(Debug, Default)]
pub(super) struct Tail {
    finished: VecDeque<String>,
    bytes: usize,
    current: String,
}

impl Tail {
    /// Takes a line, or the next state of one that grows.
    pub fn add(&mut self, line: &Line) {
        let text = end(&line.text);
        if !line.finished {
            text.clone_into(&mut self.current);
            return;
        }
        self.current.clear();
        self.bytes += text.len();
        self.finished.push_back(text.to_owned());
        while self.finished.len() > LINES || self.bytes > BYTES {
            let Some(first) = self.finished.pop_front() else { break };
            self.bytes -= first.len();
        }
    }

    /// The lines, the oldest first.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<_> = self.finished.iter().cloned().collect();
        if !self.current.is_empty() {
            lines.push(self.current.clone());
        }
        let mut bytes = lines.iter().map(String::len).sum::<usize>();
        while lines.len() > LINES || bytes > BYTES {
            bytes -= lines.remove(0).len();
        }
        lines
    }
}

fn end(text: &str) -> &str {
    let mut from = text.len().saturating_sub(BYTES);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_last_lines_within_bounds(lines in prop::collection::vec(("[aé]{0,900}", any::<bool>()), 0..40)) {
            let mut tail = Tail::default();
            for (text, finished) in &lines {
                tail.add(&Line { text: text.clone(), finished: *finished });
            }
            let kept = tail.lines();
            prop_assert!(kept.len() <= LINES && kept.iter().map(String::len).sum::<usize>() <= BYTES);
            if let Some((last, _)) = lines.last().filter(|(text, _)| !text.is_empty()) {
                prop_assert_eq!(kept.last(), Some(last));
            }
        }
    }
}
