//! The last bytes of a stream, numbered from its beginning, with the places where some are missing. Pure.

use std::collections::VecDeque;

/// Bytes that were written and may still be read.
#[derive(Debug, Default)]
pub(super) struct Ring {
    bytes: VecDeque<u8>,
    /// The number of the first byte that is kept.
    start: u64,
    /// Before which bytes an unknown number is missing, in order.
    gaps: VecDeque<u64>,
    /// How many such places were forgotten with the bytes around them.
    forgotten: u64,
}

/// How far somebody has read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Position {
    /// The number of the next byte.
    pub offset: u64,
    /// How many gaps lie before it.
    pub gaps: u64,
}

/// What comes next at some position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Next {
    Bytes(Vec<u8>),
    /// So many bytes cannot be read any more, or an unknown number of them.
    Missed(Option<u64>),
}

impl Ring {
    /// The position after all that was written.
    pub fn end(&self) -> Position {
        Position {
            offset: self.start + self.bytes.len() as u64,
            gaps: self.forgotten + self.gaps.len() as u64,
        }
    }

    /// How many bytes are kept.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
    }

    /// Says that an unknown number of bytes is missing here.
    pub fn gap(&mut self) {
        let end = self.end().offset;
        // Two in one place tell no more than one.
        if self.gaps.back() != Some(&end) {
            self.gaps.push_back(end);
        }
    }

    /// Keeps what comes from `offset` on, and no more than `most` bytes.
    pub fn trim(&mut self, offset: u64, most: usize) {
        let end = self.end().offset;
        let start = offset.min(end).max(end.saturating_sub(most as u64)).max(self.start);
        self.bytes.drain(..(start - self.start) as usize);
        self.start = start;
        while self.gaps.front().is_some_and(|&gap| gap < start) {
            self.gaps.pop_front();
            self.forgotten += 1;
        }
        if self.bytes.is_empty() {
            // What a flood needed is not kept for a pane that is quiet.
            self.bytes.shrink_to(64 << 10);
        }
    }

    /// Reads up to `most` bytes and moves the position behind them.
    pub fn read(&self, position: &mut Position, most: usize) -> Option<Next> {
        if position.offset < self.start {
            let missed = self.start - position.offset;
            position.offset = self.start;
            let unknown = position.gaps < self.forgotten;
            position.gaps = position.gaps.max(self.forgotten);
            return Some(Next::Missed((!unknown).then_some(missed)));
        }
        let passed = position.gaps.saturating_sub(self.forgotten) as usize;
        let gap = self.gaps.get(passed).copied();
        if gap == Some(position.offset) {
            position.gaps += 1;
            return Some(Next::Missed(None));
        }
        let from = (position.offset - self.start) as usize;
        let until = gap.map_or(self.bytes.len(), |gap| (gap - self.start) as usize).min(from + most);
        if from >= until {
            return None;
        }
        position.offset = self.start + until as u64;
        let (first, second) = self.bytes.as_slices();
        let middle = first.len();
        let part = |slice: &[u8], at: usize| {
            let bounds = from.max(at).min(at + slice.len()) - at..until.max(at).min(at + slice.len()) - at;
            slice[bounds].to_vec()
        };
        let mut bytes = part(first, 0);
        bytes.extend_from_slice(&part(second, middle));
        Some(Next::Bytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_lost_is_told() {
        let mut ring = Ring::default();
        let mut position = ring.end();
        ring.push(b"abc");
        ring.gap();
        ring.gap();
        ring.push(b"def");
        assert_eq!(ring.read(&mut position, 2), Some(Next::Bytes(b"ab".to_vec())));
        let mut late = position;
        assert_eq!(ring.read(&mut position, 9), Some(Next::Bytes(b"c".to_vec())));
        assert_eq!(ring.read(&mut position, 9), Some(Next::Missed(None)));
        assert_eq!(ring.read(&mut position, 9), Some(Next::Bytes(b"def".to_vec())));
        assert_eq!(ring.read(&mut position, 9), None);
        assert_eq!(position, ring.end());
        ring.trim(0, 2);
        assert_eq!(ring.read(&mut late, 9), Some(Next::Missed(None)));
        assert_eq!(ring.read(&mut late, 9), Some(Next::Bytes(b"ef".to_vec())));
        let mut late = Position { offset: 3, gaps: 1 };
        assert_eq!(ring.read(&mut late, 9), Some(Next::Missed(Some(1))));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        // Every byte is read, or counted as missed.
        #[test]
        fn nothing_is_lost_silently(
            steps in prop::collection::vec((prop::collection::vec(any::<u8>(), 0..9), 0u8..4, 1usize..9), 0..60),
        ) {
            let mut ring = Ring::default();
            let mut all = Vec::new();
            let mut position = Position::default();
            let mut at = 0u64;
            for (bytes, action, most) in steps {
                match action {
                    0 => {
                        ring.push(&bytes);
                        all.extend_from_slice(&bytes);
                    }
                    1 => ring.trim(position.offset, most),
                    2 => ring.trim(u64::MAX, most),
                    _ => match ring.read(&mut position, most) {
                        Some(Next::Bytes(bytes)) => {
                            let from = at as usize;
                            prop_assert_eq!(&all[from..from + bytes.len()], &bytes[..]);
                            at += bytes.len() as u64;
                        }
                        Some(Next::Missed(missed)) => at += missed.unwrap(),
                        None => prop_assert_eq!(at, all.len() as u64),
                    },
                }
                prop_assert_eq!(position.offset, at);
                prop_assert_eq!(ring.end().offset, all.len() as u64);
            }
        }
    }
}
