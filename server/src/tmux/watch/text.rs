//! What does a stream of terminal bytes say, as lines of text? Pure: bytes in, lines out.
//!
//! A line ends where the cursor leaves it: at a line feed, at a carriage return (what follows overwrites it), and at every
//! sequence that moves the cursor. Colours and other attributes leave it whole, and a row that is full does not end it: a line
//! is as long as the program wrote it. What an OSC or another string sequence carries is no text.

use vte::{Params, Parser, Perform};

/// The longest line that is kept, in bytes. A longer one is cut, and its second part begins with the end of the first, so that
/// what stands at the cut is still found.
pub(super) const LONGEST_LINE: usize = 16 << 10;

/// How much of a line that was cut is repeated, in bytes.
const OVERLAP: usize = 1 << 10;

/// Reads terminal output, however it is cut into pieces.
pub(in crate::tmux) struct Text {
    parser: Parser,
    lines: Lines,
    /// The first bytes of a character that is still incomplete.
    held: Vec<u8>,
}

/// A line of text, finished or still growing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tmux) struct Line {
    /// The text, without what only moves or colours.
    pub text: String,
    /// Whether nothing can be added to it any more.
    pub finished: bool,
}

#[derive(Default)]
struct Lines {
    current: String,
    finished: Vec<String>,
    /// Empty lines are lines, too.
    blanks: bool,
    /// Nothing has come since a line feed: another one ends an empty line.
    fresh: bool,
    /// What is drawn on the alternate screen is left out.
    main_only: bool,
    /// The alternate screen is on.
    alternate: bool,
    /// It is, or was meanwhile.
    alternated: bool,
    /// The last thing was a carriage return: a line feed after it ends the same line.
    returned: bool,
}

impl Text {
    /// Begins with an empty line.
    pub fn new() -> Self {
        Text { parser: Parser::new(), lines: Lines::default(), held: Vec::new() }
    }

    /// Begins likewise, and leaves out what is drawn on the alternate screen.
    pub fn of_main_screen() -> Self {
        Text { lines: Lines { main_only: true, ..Lines::default() }, ..Text::new() }
    }

    /// Begins likewise, and gives empty lines as well: those between one line feed and the next.
    pub fn with_blanks() -> Self {
        Text { lines: Lines { blanks: true, ..Lines::default() }, ..Text::new() }
    }

    /// The alternate screen was on to begin with.
    pub fn begins_alternate(&mut self) {
        (self.lines.alternate, self.lines.alternated) = (true, true);
    }

    /// Whether the alternate screen was on at any time.
    pub fn alternated(&self) -> bool {
        self.lines.alternated
    }

    /// Whether nothing has come since a line feed but what shows nothing.
    pub fn is_fresh(&self) -> bool {
        self.lines.fresh
    }

    /// Begins anew with an empty line, on the screen that was on last.
    pub fn begin_anew(&mut self) {
        let Lines { blanks, main_only, alternate, alternated, .. } = self.lines;
        let lines = Lines { blanks, main_only, alternate, alternated, ..Lines::default() };
        *self = Text { lines, ..Text::new() };
    }

    /// Reads the next piece, and gives the lines that it has finished or changed: the last one may still grow.
    pub fn feed(&mut self, piece: &[u8]) -> Vec<Line> {
        let before = self.lines.current.len();
        // The parser loses what follows a character that was cut in two (vte 0.15), so it gets whole ones only.
        self.held.extend_from_slice(piece);
        let rest = self.held.split_off(self.held.len() - incomplete(&self.held));
        self.parser.advance(&mut self.lines, &self.held);
        self.held = rest;
        let mut lines: Vec<Line> =
            self.lines.finished.drain(..).map(|text| Line { text, finished: true }).collect();
        if !self.lines.current.is_empty() && (!lines.is_empty() || self.lines.current.len() != before) {
            lines.push(Line { text: self.lines.current.clone(), finished: false });
        }
        lines
    }
}

/// How many bytes at the end are the beginning of a character.
fn incomplete(bytes: &[u8]) -> usize {
    let tail = &bytes[bytes.len().saturating_sub(3)..];
    let Some(start) = tail.iter().rposition(|byte| byte & 0xc0 != 0x80) else { return 0 };
    let length = match tail[start] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return 0,
    };
    let there = tail.len() - start;
    if there < length { there } else { 0 }
}

impl Lines {
    /// A program switches to the alternate screen or back.
    fn switch(&mut self, alternate: bool) {
        self.returned = false;
        self.end();
        self.alternate = alternate;
        self.alternated |= alternate;
    }

    fn end(&mut self) {
        if !self.current.is_empty() {
            self.finished.push(std::mem::take(&mut self.current));
        }
        self.fresh = false;
    }

    fn feed(&mut self) {
        if self.blanks && self.fresh && self.current.is_empty() {
            self.finished.push(String::new());
        }
        self.end();
        self.fresh = true;
    }
}

impl Perform for Lines {
    fn print(&mut self, c: char) {
        if self.returned {
            self.returned = false;
            self.end();
        }
        if self.main_only && self.alternate {
            return;
        }
        self.fresh = false;
        self.current.push(c);
        if self.current.len() >= LONGEST_LINE {
            let mut cut = self.current.len() - OVERLAP;
            while !self.current.is_char_boundary(cut) {
                cut += 1;
            }
            let rest = self.current[cut..].to_owned();
            self.end();
            self.current = rest;
        }
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\n' | 0x0b | 0x0c => {
                self.returned = false;
                self.feed();
            }
            b'\r' => self.returned = true,
            b'\t' => self.print('\t'),
            0x08 => {
                // What a line editor does to correct itself.
                self.current.pop();
            }
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], _: bool, action: char) {
        if (intermediates, action) == (b"?", 'h') || (intermediates, action) == (b"?", 'l') {
            if params.iter().any(|param| matches!(param, [47 | 1047 | 1049])) {
                self.switch(action == 'h');
            }
            return;
        }
        // Attributes, modes and reports leave the cursor where it is; so do edits of the row, but they change what it says.
        let stays = !intermediates.is_empty()
            || matches!(action, 'm' | 'h' | 'l' | 'n' | 'c' | 'q' | 'u' | 't' | 'K');
        if !stays {
            self.returned = false;
            self.end();
        }
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], _: bool, byte: u8) {
        // Index, reverse index, next line, restore cursor, full reset.
        if intermediates.is_empty() && matches!(byte, b'D' | b'M' | b'E' | b'8' | b'c') {
            self.returned = false;
            self.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The finished lines and the one that still grows.
    fn read(pieces: &[&[u8]]) -> (Vec<String>, String) {
        let mut text = Text::new();
        let mut finished = Vec::new();
        for piece in pieces {
            finished.extend(text.feed(piece).into_iter().filter(|line| line.finished).map(|line| line.text));
        }
        (finished, text.lines.current.clone())
    }

    #[track_caller]
    fn check(bytes: &str, finished: &[&str], current: &str) {
        let (lines, rest) = read(&[bytes.as_bytes()]);
        assert_eq!(
            (lines.iter().map(String::as_str).collect::<Vec<_>>(), rest.as_str()),
            (finished.to_vec(), current)
        );
    }

    #[test]
    fn lines_of_text() {
        check("one\r\ntwo\nthree", &["one", "two"], "three");
        check("\x1b[1;31mred\x1b[0m and \x1b[Kplain\r\n", &["red and plain"], "");
        check("10%\r50%\r100%\r\n", &["10%", "50%", "100%"], "");
        check("a\x1b[5;1Hb\x1b[Hc\x1b[2Jd", &["a", "b", "c"], "d");
        check("\x1b]0;a title\x07$ \x1b]5379;Sx\x07x", &[], "$ x");
        check("\x1bPstring\x1b\\x\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", &[], "xlink");
        check("abc\x08\x08\x08xyz\x1b[?25l!", &[], "xyz!");
        check("é漢\u{1f600}\t|\r\n", &["é漢\u{1f600}\t|"], "");
    }

    #[test]
    fn empty_lines_can_be_told() {
        for (bytes, expected) in [
            ("a\r\n\r\n\nb\r\n", vec!["a", "", "", "b"]),
            // What stood there before is not known.
            ("\r\na\n", vec!["a"]),
            ("a\n\x1b[0m\r\x1b[K\nb\n", vec!["a", "", "b"]),
            ("a\n\x1b[5;1H\nb\n", vec!["a", "b"]),
            ("a\nx\x08\nb\n", vec!["a", "b"]),
        ] {
            let lines: Vec<_> =
                Text::with_blanks().feed(bytes.as_bytes()).into_iter().map(|line| line.text).collect();
            assert_eq!(lines, expected, "{bytes:?}");
        }
    }

    #[test]
    fn the_alternate_screen_can_be_left_out() {
        let bytes = b"a\x1b[?1049h\x1b[Hb\r\nb\x1b[?25l\x1b[?1;1049lc";
        let mut text = Text::of_main_screen();
        let lines: Vec<_> = text.feed(bytes).into_iter().map(|line| line.text).collect();
        assert_eq!((lines, text.alternated()), (vec!["a".to_owned(), "c".to_owned()], true));
        check("a\x1b[?1049h\x1b[Hb\x1b[?1049lc", &["a", "b"], "c");
        let mut text = Text::of_main_screen();
        text.begins_alternate();
        text.begin_anew();
        assert!(text.feed(b"a\r\n").is_empty());
        assert!(text.feed(b"\x1b[?47lb\r\n").into_iter().any(|line| line.text == "b"));
    }

    #[test]
    fn a_long_line_is_cut_and_nothing_at_the_cut_is_lost() {
        let mut long = "x".repeat(LONGEST_LINE - 3);
        long.push_str("NEEDLE");
        long.push_str(&"y".repeat(100));
        let (finished, current) = read(&[long.as_bytes()]);
        assert!(finished.iter().chain([&current]).any(|line| line.contains("NEEDLE")));
        assert!(finished.iter().all(|line| line.len() <= LONGEST_LINE));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        // Of whole sequences: what the parser makes of an escape before a byte that is no ASCII depends on the cut.
        #[test]
        fn however_it_is_cut(
            parts in proptest::collection::vec("(\x1b\\[[0-9;]{0,3}[mKHJ]|\x1b\\][0-9];x\x07|\r|\n|\r\n|[a-zé漢]{1,4})", 0..20),
            cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..6),
        ) {
            let bytes = parts.concat().into_bytes();
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(read(&pieces), read(&[&bytes]));
        }

        #[test]
        fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = read(&[&bytes]);
        }
    }
}
