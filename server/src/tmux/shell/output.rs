//! What a command wrote, in bounded memory: the end of it, and how much was before.

use std::collections::VecDeque;

/// The end of an output, with the count of what is not kept.
#[derive(Debug)]
pub(super) struct Tail {
    kept: VecDeque<u8>,
    limit: usize,
    dropped_bytes: u64,
    dropped_lines: u64,
}

/// What a command wrote.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Output {
    /// Its bytes as the terminal got them, the last of them where it was more than could be kept.
    pub bytes: Vec<u8>,
    /// How many bytes before them are not kept.
    pub dropped_bytes: u64,
    /// How many lines began in what is not kept.
    pub dropped_lines: u64,
    /// Whether tmux did not pass on everything: there are gaps. The end may be missing where the pane closed under the command.
    pub gaps: bool,
}

impl Output {
    /// The text: what is no UTF-8 replaced, and lines ended as the program ended them (a terminal adds a carriage return).
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).replace("\r\n", "\n")
    }

    /// The same with no more than the last `lines` lines.
    #[must_use]
    pub fn last_lines(mut self, lines: usize) -> Self {
        let ended = self.bytes.last() == Some(&b'\n');
        let newlines = self.bytes.iter().filter(|&&byte| byte == b'\n').count();
        let there = newlines + usize::from(!ended && !self.bytes.is_empty());
        let Some(surplus) = there.checked_sub(lines).filter(|&surplus| surplus > 0) else { return self };
        let mut seen = 0;
        let cut = self.bytes.iter().position(|&byte| {
            seen += usize::from(byte == b'\n');
            seen == surplus
        });
        let cut = cut.map_or(self.bytes.len(), |at| at + 1);
        self.bytes.drain(..cut);
        self.dropped_bytes += cut as u64;
        self.dropped_lines += surplus as u64;
        self
    }
}

impl Tail {
    /// Keeps no more than `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Tail { kept: VecDeque::new(), limit, dropped_bytes: 0, dropped_lines: 0 }
    }

    /// Adds bytes at the end.
    pub fn push(&mut self, bytes: &[u8]) {
        // Of a piece that is larger than the limit only its end has to be looked at twice.
        let surplus = bytes.len().saturating_sub(self.limit);
        let (passed, kept) = bytes.split_at(surplus);
        let overflow = (self.kept.len() + kept.len()).saturating_sub(self.limit).min(self.kept.len());
        let newlines = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let (front, back) = self.kept.as_slices();
        let from_front = overflow.min(front.len());
        self.dropped_lines +=
            newlines(&front[..from_front]) + newlines(&back[..overflow - from_front]) + newlines(passed);
        self.dropped_bytes += (overflow + passed.len()) as u64;
        self.kept.drain(..overflow);
        self.kept.extend(kept);
    }

    /// What is kept now.
    pub fn output(&self, gaps: bool) -> Output {
        Output {
            bytes: self.kept.iter().copied().collect(),
            dropped_bytes: self.dropped_bytes,
            dropped_lines: self.dropped_lines,
            gaps,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn text_has_the_lines_of_the_program() {
        let output = Output { bytes: b"a\r\nb\rc\xff\r\n".to_vec(), ..Output::default() };
        assert_eq!(output.text(), "a\nb\rc\u{fffd}\n");
    }

    #[test]
    fn the_last_lines() {
        let output = Output {
            bytes: b"1\r\n2\r\n3".to_vec(),
            dropped_lines: 5,
            dropped_bytes: 50,
            ..Output::default()
        };
        let two = output.clone().last_lines(2);
        assert_eq!((two.text().as_str(), two.dropped_lines, two.dropped_bytes), ("2\n3", 6, 53));
        assert_eq!(output.clone().last_lines(3), output);
        assert_eq!(output.clone().last_lines(0).text(), "");
        assert_eq!(output.last_lines(0).dropped_lines, 8);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_end_is_kept_and_the_rest_counted(
            pieces in proptest::collection::vec("[a\n]{0,30}", 0..12),
            limit in 0usize..40,
        ) {
            let mut tail = Tail::new(limit);
            pieces.iter().for_each(|piece| tail.push(piece.as_bytes()));
            let all = pieces.concat();
            let cut = all.len().saturating_sub(limit);
            let output = tail.output(false);
            prop_assert_eq!(output.bytes, &all.as_bytes()[cut..]);
            prop_assert_eq!(output.dropped_bytes, cut as u64);
            prop_assert_eq!(output.dropped_lines, all[..cut].matches('\n').count() as u64);
        }
    }
}
