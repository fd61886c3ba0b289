//! Lines of text from recorded bytes, and where to read on. Pure.

use crate::tmux::watch::Text;

/// A line that still grows is read again from its beginning, unless it is longer than this, in bytes.
const LONGEST: usize = 4 << 10;

/// Reads bytes as lines and keeps in mind where the one that still grows begins.
pub(super) struct Reader {
    text: Text,
    /// The number of the next byte.
    at: u64,
    /// Where the growing line begins.
    line: u64,
    current: String,
    finished: Vec<String>,
}

impl Reader {
    /// Begins at the byte with this number.
    pub fn new(at: u64) -> Self {
        Self { text: Text::with_blanks(), at, line: at, current: String::new(), finished: Vec::new() }
    }

    pub fn feed(&mut self, bytes: &[u8]) {
        // A line ends at a control byte or at a sequence that begins with one, so it is known up to there where it ended.
        for piece in bytes.chunk_by(|_, next| !next.is_ascii_control()) {
            for part in piece.chunks(LONGEST) {
                self.part(part);
            }
        }
    }

    fn part(&mut self, part: &[u8]) {
        let begin = self.at;
        self.at += part.len() as u64;
        let mut ended = false;
        let mut grows = None;
        for line in self.text.feed(part) {
            match line.finished {
                true => {
                    self.finished.push(line.text);
                    ended = true;
                }
                false => grows = Some(line.text),
            }
        }
        let feeds = matches!(part.first(), Some(b'\n' | 0x0b | 0x0c));
        if feeds || ended || self.current.is_empty() && grows.is_none() && !self.text.is_fresh() {
            // With the byte that ended the one before: it tells whether a line feed that comes next ends an empty line.
            self.line = begin;
            self.current.clear();
        }
        if let Some(grows) = grows {
            self.current = grows;
        }
    }

    /// Bytes are missing before the one with this number.
    pub fn jump(&mut self, at: u64) {
        let current = std::mem::take(&mut self.current);
        if !current.is_empty() {
            self.finished.push(current);
        }
        self.text = Text::with_blanks();
        (self.at, self.line) = (at, at);
    }

    /// What was read so far is known to the caller. The line that still grows.
    pub fn known(&mut self) -> String {
        self.finished.clear();
        self.current.clone()
    }

    /// The lines, the last of which may still grow; where that one begins, and whether it was cut there.
    pub fn end(self) -> (Vec<String>, u64, bool) {
        let mut lines = self.finished;
        let long = self.current.len() > LONGEST;
        if !self.current.is_empty() {
            lines.push(self.current);
        }
        (lines, if long { self.at } else { self.line }, long)
    }
}

/// The end of the lines that fits, how many lines were left out, and how many bytes (with one for the end of each line).
pub(super) fn newest(mut lines: Vec<String>, most: usize, bytes: usize) -> (Vec<String>, u64, u64) {
    let whole: usize = lines.iter().map(|line| line.len() + 1).sum();
    let mut room = bytes;
    let mut kept = 0;
    let mut cut = None;
    for line in lines.iter().rev().take(most) {
        if line.len() >= room {
            // One line that is too long for itself is cut at its beginning.
            if kept == 0 && room > 0 {
                let mut from = line.len() - (room - 1).min(line.len());
                while !line.is_char_boundary(from) {
                    from += 1;
                }
                cut = Some(line[from..].to_owned());
                kept = 1;
            }
            break;
        }
        room -= line.len() + 1;
        kept += 1;
    }
    let left = lines.len() - kept;
    lines.drain(..left);
    if let (Some(cut), Some(line)) = (cut, lines.first_mut()) {
        *line = cut;
    }
    let rest: usize = lines.iter().map(|line| line.len() + 1).sum();
    (lines, left as u64, (whole - rest) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_newest_lines_fit() {
        let lines = || ["one", "two", "three"].map(str::to_owned).to_vec();
        assert_eq!(newest(lines(), 9, 99), (lines(), 0, 0));
        assert_eq!(newest(lines(), 1, 99), (vec!["three".into()], 2, 8));
        assert_eq!(newest(lines(), 9, 10), (vec!["two".into(), "three".into()], 1, 4));
        assert_eq!(newest(lines(), 9, 4), (vec!["ree".into()], 2, 10));
        assert_eq!(newest(lines(), 0, 0).0, [""; 0]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        // Reading on from any place gives what reading at once gives.
        #[test]
        fn reading_on(
            parts in prop::collection::vec("(\x1b\\[[0-9]{0,2}[mKH]|\r|\n|\r\n|[a-zé]{1,4})", 0..20),
            cut in any::<prop::sample::Index>(),
        ) {
            let bytes = parts.concat().into_bytes();
            let cut = cut.index(bytes.len() + 1);
            let mut once = Reader::new(0);
            once.feed(&bytes);
            let (all, ..) = once.end();

            let mut first = Reader::new(0);
            first.feed(&bytes[..cut]);
            let (mut lines, line, _) = first.end();
            let mut second = Reader::new(line);
            second.feed(&bytes[line as usize..cut]);
            let known = second.known();
            if !known.is_empty() {
                prop_assert_eq!(lines.pop(), Some(known));
            }
            second.feed(&bytes[cut..]);
            lines.extend(second.end().0);
            prop_assert_eq!(lines, all);
        }
    }
}
