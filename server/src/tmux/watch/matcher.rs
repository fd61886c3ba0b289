//! Has what was waited for come? Pure: bytes in, a verdict out.

use super::echo::{EDITOR_STARTS, Echo};
use super::patterns::Patterns;
use super::tail::Tail;
use super::text::{Line, Text};

/// What ends a wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    Matched { index: usize, lines: Vec<String> },
    Stopped { index: usize, lines: Vec<String> },
    AnyOutput,
}

/// Looks at a pane's output for one wait.
pub(super) struct Matcher {
    patterns: Patterns,
    stop: Patterns,
    any_output: bool,
    text: Text,
    pub echo: Echo,
    /// A growing line, of which the end was left out because it may be an echo.
    uncertain: Option<String>,
    /// The last bytes, in case they begin what turns bracketed paste on.
    before: Vec<u8>,
    pub tail: Tail,
    /// Something has come that is no echo.
    pub saw_output: bool,
}

impl Matcher {
    pub fn new(patterns: Patterns, stop: Patterns, any_output: bool) -> Self {
        Self {
            patterns,
            stop,
            any_output,
            text: Text::of_main_screen(),
            echo: Echo::default(),
            uncertain: None,
            before: Vec::new(),
            tail: Tail::default(),
            saw_output: false,
        }
    }

    /// Reads the next bytes.
    pub fn feed(&mut self, bytes: &[u8]) -> Option<Verdict> {
        let mut rest = bytes;
        let mut lines = Vec::new();
        while let Some(end) = self.editor_start(rest) {
            let (piece, after) = rest.split_at(end);
            rest = after;
            self.before.clear();
            lines.append(&mut self.read(piece));
            self.echo.editor_starts();
        }
        self.before.extend_from_slice(&rest[rest.len().saturating_sub(EDITOR_STARTS.len() - 1)..]);
        let excess = self.before.len().saturating_sub(EDITOR_STARTS.len() - 1);
        self.before.drain(..excess);
        lines.append(&mut self.read(rest));
        self.judge(&lines)
    }

    /// Reads lines that were read from the screen.
    pub fn lines(&mut self, lines: Vec<String>) -> Option<Verdict> {
        let lines: Vec<_> = lines
            .into_iter()
            .map(|text| {
                let line = Line { text, finished: true };
                self.tail.add(&line);
                self.echo.take_off(&line).text
            })
            .collect();
        self.judge(&lines)
    }

    /// The alternate screen is on. What is drawn there is never matched.
    pub fn begins_alternate(&mut self) {
        self.text.begins_alternate();
    }

    /// Whether the alternate screen was on at any time.
    pub fn alternated(&self) -> bool {
        self.text.alternated()
    }

    /// Whether [`Self::settle`] may find something.
    pub fn is_uncertain(&self) -> bool {
        self.uncertain.is_some()
    }

    /// Nothing has come for a moment, so the end of the last line is no echo.
    pub fn settle(&mut self) -> Option<Verdict> {
        let line = self.uncertain.take()?;
        self.judge(&[line])
    }

    /// Bytes are missing here: what was half read is not put together with what follows.
    pub fn gap(&mut self) {
        self.text.begin_anew();
        self.uncertain = None;
        self.before.clear();
    }

    /// Where the sequence ends that an editor starts with.
    fn editor_start(&self, bytes: &[u8]) -> Option<usize> {
        let cut = self.before.len();
        let joined;
        let looked = match cut {
            0 => bytes,
            _ => {
                let head = &bytes[..bytes.len().min(EDITOR_STARTS.len() - 1)];
                joined = [self.before.as_slice(), head].concat();
                match find(&joined) {
                    Some(end) if end > cut => return Some(end - cut),
                    _ => bytes,
                }
            }
        };
        find(looked)
    }

    /// The lines that these bytes finish or change, without echoes.
    fn read(&mut self, bytes: &[u8]) -> Vec<String> {
        let lines = self.text.feed(bytes);
        let mut rests = Vec::with_capacity(lines.len());
        for line in lines {
            self.tail.add(&line);
            let rest = self.echo.take_off(&line);
            self.uncertain = rest.uncertain.then_some(line.text);
            rests.push(rest.text);
        }
        rests
    }

    /// The line that comes first wins. On one line what stops the wait wins.
    fn judge(&mut self, lines: &[String]) -> Option<Verdict> {
        for (number, line) in lines.iter().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            self.saw_output = true;
            let rest = &lines[number..];
            if let Some(index) = self.stop.first_match(line) {
                return Some(Verdict::Stopped { index, lines: matching(&self.stop, index, rest) });
            }
            if let Some(index) = self.patterns.first_match(line) {
                return Some(Verdict::Matched { index, lines: matching(&self.patterns, index, rest) });
            }
        }
        (self.any_output && self.saw_output).then_some(Verdict::AnyOutput)
    }
}

/// The lines that match as the first one does.
fn matching(patterns: &Patterns, index: usize, lines: &[String]) -> Vec<String> {
    let mut found = Tail::default();
    for line in lines.iter().filter(|line| patterns.first_match(line) == Some(index)).take(20) {
        found.add(&Line { text: line.clone(), finished: true });
    }
    found.lines()
}

fn find(bytes: &[u8]) -> Option<usize> {
    let at = bytes.windows(EDITOR_STARTS.len()).position(|window| window == EDITOR_STARTS)?;
    Some(at + EDITOR_STARTS.len())
}

#[cfg(test)]
mod tests {
    use super::super::patterns::Syntax;
    use super::*;
    use proptest::prelude::*;

    fn matcher(patterns: &[&str], stop: &[&str]) -> Matcher {
        let read = |patterns: &[&str]| Patterns::new(patterns, Syntax::default()).unwrap();
        Matcher::new(read(patterns), read(stop), false)
    }

    #[test]
    fn the_first_line_wins_and_on_one_line_what_stops() {
        let mut both = matcher(&["done"], &["error"]);
        let verdict = both.feed(b"x\r\nall done\r\nerror\r\n");
        assert_eq!(verdict, Some(Verdict::Matched { index: 0, lines: vec!["all done".into()] }));
        let verdict = matcher(&["done"], &["error"]).feed(b"error\r\ndone\r\n");
        assert_eq!(verdict, Some(Verdict::Stopped { index: 0, lines: vec!["error".into()] }));
        let verdict = matcher(&["done"], &["error"]).feed(b"done with error");
        assert!(matches!(verdict, Some(Verdict::Stopped { .. })));
    }

    #[test]
    fn a_match_is_found_across_pieces_and_in_a_line_that_grows() {
        let mut matcher = matcher(&["NEEDLE"], &[]);
        assert_eq!(matcher.feed(b"$ NEE\x1b[1m"), None);
        assert!(matches!(matcher.feed(b"DLE"), Some(Verdict::Matched { .. })));
        assert_eq!(matcher.tail.lines(), ["$ NEEDLE"]);
    }

    #[test]
    fn an_echo_does_not_count_and_the_editors_neither() {
        let mut matcher = matcher(&["NEEDLE"], &[]);
        matcher.echo.expect("echo NEEDLE");
        assert_eq!(matcher.feed(b"echo NEEDLE\r\n"), None);
        assert_eq!(matcher.feed(b"\x1b[?20"), None);
        assert_eq!(matcher.feed(b"04h$ echo NEEDLE"), None);
        assert!(matcher.feed(b"\r\n\x1b[?2004l\r").is_none());
        assert!(matches!(matcher.feed(b"NEEDLE\r\n"), Some(Verdict::Matched { .. })));
    }

    #[test]
    fn what_only_looked_like_an_echo_counts_in_the_end() {
        let mut matcher = matcher(&["free"], &[]);
        matcher.echo.expect("echo");
        assert_eq!(matcher.feed(b"free"), None);
        assert!(matcher.is_uncertain());
        assert!(matches!(matcher.settle(), Some(Verdict::Matched { .. })));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        // Whatever is printed before and after, and however it is cut.
        #[test]
        fn what_was_printed_is_found(
            before in "([a-m ]{0,9}\r\n|\x1b\\[[0-9]m){0,5}",
            after in "\r\n([a-m ]{0,9}\r\n){0,5}",
            step in 1usize..20,
        ) {
            let mut matcher = matcher(&["NEEDLE"], &["no such text"]);
            let bytes = [before.as_str(), "NEEDLE", &after].concat();
            let found = bytes.as_bytes().chunks(step).find_map(|piece| matcher.feed(piece));
            prop_assert!(matches!(found, Some(Verdict::Matched { .. })), "{:?}", found);
        }
    }
}
