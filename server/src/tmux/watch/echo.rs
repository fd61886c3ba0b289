//! Which part of a line is only the echo of what this program has typed? Pure.
//!
//! The plain case is exact: a terminal or a line editor shows each typed line once, and that one occurrence does not count. What
//! is shown again counts, because it is what a program made of it; but a line editor that starts (it turns bracketed paste
//! on) shows once more what the terminal had echoed while nobody read. White space is not compared, since editors put it where a
//! line wraps; and an echo that is cut in two by a wrap is put together again.
//!
//! What cannot be told from outside: a program that does not echo, and prints exactly a line that was typed into it within
//! the last ten seconds, is taken for an echo the first time.

use std::collections::VecDeque;

use super::text::Line;

/// What turns bracketed paste on: a line editor starts to read.
pub(super) const EDITOR_STARTS: &[u8] = b"\x1b[?2004h";
/// An echo that is cut by the end of a line has at least so many characters before the cut.
const LEAST: usize = 4;

/// The echoes that are still to come, and those that may come again.
#[derive(Debug, Default)]
pub(super) struct Echo {
    expected: VecDeque<Expected>,
}

#[derive(Debug)]
struct Expected {
    /// Without white space.
    text: Vec<char>,
    /// How much of it has been seen, on lines before this one.
    seen: usize,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Awaited,
    Shown,
    /// Shown, and a line editor has started since.
    Again,
}

/// A line without its echo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rest {
    pub text: String,
    /// What was cut off at the end may turn out to be no echo, when the line goes on or when nothing more comes.
    pub uncertain: bool,
}

impl Echo {
    /// A line is typed now.
    pub fn expect(&mut self, text: &str) {
        let text: Vec<char> = text.chars().filter(is_ink).collect();
        if !text.is_empty() {
            self.expected.push_back(Expected { text, seen: 0, state: State::Awaited });
        }
        while self.expected.len() > 64 {
            self.expected.pop_front();
        }
    }

    /// A line editor has started to read.
    pub fn editor_starts(&mut self) {
        for expected in self.expected.iter_mut().filter(|expected| expected.state == State::Shown) {
            expected.state = State::Again;
        }
    }

    /// What was on the screen before: echoes in it will not come any more.
    pub fn on_screen(&mut self, screen: &str) {
        let ink: Vec<char> = screen.chars().filter(is_ink).collect();
        for expected in &mut self.expected {
            if find(&ink, &expected.text).is_some() {
                expected.state = State::Shown;
            }
        }
    }

    /// The line without any text that was typed, whether it was seen before or not.
    pub fn without_typed(&self, line: &str) -> String {
        let mut text = line.to_owned();
        for expected in &self.expected {
            let ink = ink(&text);
            if let Some(at) = find(&chars(&ink), &expected.text) {
                text = without(&text, &ink[at..at + expected.text.len()]);
            }
        }
        text
    }

    /// Takes the echo off a line. What a finished line tells is kept in mind; one that still grows will come again.
    pub fn take_off(&mut self, line: &Line) -> Rest {
        let certain = Rest { text: line.text.clone(), uncertain: false };
        let ink = ink(&line.text);
        if ink.is_empty() {
            return certain;
        }
        let shown = chars(&ink);
        for expected in self.expected.iter_mut().filter(|expected| expected.state != State::Shown) {
            let Some((from, to, seen)) = expected.find(&shown) else {
                if line.finished {
                    expected.seen = 0;
                }
                continue;
            };
            let whole = seen == expected.text.len();
            let text = without(&line.text, &ink[from..to]);
            if line.finished {
                expected.seen = if whole { 0 } else { seen };
                if whole {
                    expected.state = State::Shown;
                } else if to - from < LEAST {
                    // Too little to be sure, but it may go on.
                    continue;
                }
            }
            return Rest { text, uncertain: !whole && !line.finished };
        }
        certain
    }
}

impl Expected {
    /// Where it stands in the line: from which character to which, and how much of it was seen then.
    fn find(&self, shown: &[char]) -> Option<(usize, usize, usize)> {
        if self.seen > 0 {
            // Some editors write the first character of the next row twice.
            for seen in [self.seen, self.seen - 1] {
                let rest = &self.text[seen..];
                let same = rest.iter().zip(shown).take_while(|(a, b)| a == b).count();
                if same > 0 && (same == rest.len() || same == shown.len()) {
                    return Some((0, same, seen + same));
                }
            }
        }
        if let Some(at) = find(shown, &self.text) {
            return Some((at, at + self.text.len(), self.text.len()));
        }
        let longest = shown.len().min(self.text.len() - 1);
        let cut = (1..=longest).rev().find(|&length| shown.ends_with(&self.text[..length]))?;
        Some((shown.len() - cut, shown.len(), cut))
    }
}

fn is_ink(c: &char) -> bool {
    // Keys are not shown as themselves.
    !c.is_whitespace() && !c.is_control()
}

/// The characters that are no white space, and where they are.
fn ink(text: &str) -> Vec<(usize, char)> {
    text.char_indices().filter(|(_, c)| is_ink(c)).collect()
}

fn chars(ink: &[(usize, char)]) -> Vec<char> {
    ink.iter().map(|&(_, c)| c).collect()
}

/// The text without everything from the first to the last of these characters.
fn without(text: &str, part: &[(usize, char)]) -> String {
    let (Some(&(from, _)), Some(&(last, c))) = (part.first(), part.last()) else { return text.to_owned() };
    [&text[..from], &text[last + c.len_utf8()..]].concat()
}

fn find(text: &[char], part: &[char]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn finished(text: &str) -> Line {
        Line { text: text.to_owned(), finished: true }
    }

    #[test]
    fn one_occurrence_is_the_echo() {
        let mut echo = Echo::default();
        echo.expect("echo NEEDLE");
        assert_eq!(echo.take_off(&finished("before")).text, "before");
        assert_eq!(echo.take_off(&finished("$ echo NEEDLE")).text, "$ ");
        assert_eq!(echo.take_off(&finished("NEEDLE")).text, "NEEDLE");
        assert_eq!(echo.take_off(&finished("+ echo NEEDLE")).text, "+ echo NEEDLE");
        // An editor shows it again.
        echo.editor_starts();
        assert_eq!(echo.take_off(&finished("$ echo NEEDLE")).text, "$ ");
        assert_eq!(echo.take_off(&finished("$ echo NEEDLE")).text, "$ echo NEEDLE");
    }

    #[test]
    fn a_line_that_grows_is_uncertain() {
        let mut echo = Echo::default();
        echo.expect("echo NEEDLE");
        let grows = |text: &str| Line { text: text.to_owned(), finished: false };
        assert_eq!(echo.take_off(&grows("$ e")), Rest { text: "$ ".into(), uncertain: true });
        assert_eq!(echo.take_off(&grows("$ echo NEED")), Rest { text: "$ ".into(), uncertain: true });
        assert_eq!(echo.take_off(&grows("$ echo NEEDLE")), Rest { text: "$ ".into(), uncertain: false });
        assert_eq!(echo.take_off(&finished("free")).text, "free");
    }

    #[test]
    fn wrapped_and_out_of_order() {
        let mut echo = Echo::default();
        echo.expect("no echo of this");
        echo.expect("echo one two NEEDLE");
        assert_eq!(echo.take_off(&finished("$ echo one t ")).text, "$  ");
        assert_eq!(echo.take_off(&finished("two NEED ")).text, " ");
        assert_eq!(echo.take_off(&finished("LE")).text, "");
        assert_eq!(echo.take_off(&finished("NEEDLE")).text, "NEEDLE");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_lines(typed in prop::collection::vec("[ab é]{0,6}", 0..4), lines in prop::collection::vec(("[ab é$]{0,9}", any::<bool>()), 0..12)) {
            let mut echo = Echo::default();
            typed.iter().for_each(|text| echo.expect(text));
            for (text, finished) in lines {
                let rest = echo.take_off(&Line { text: text.clone(), finished });
                prop_assert!(rest.text.len() <= text.len());
                echo.without_typed(&text);
                if finished { echo.editor_starts(); }
            }
        }

        // Wherever a row ends, the echo is taken off and what follows is not.
        #[test]
        fn however_it_is_wrapped(text in "[a-z ]{5,40}NEEDLE", width in 5usize..30) {
            let mut echo = Echo::default();
            echo.expect(&text);
            let line = format!("$ {text}");
            let rows: Vec<String> = line.as_bytes().chunks(width.max(LEAST + 2)).map(|row| String::from_utf8_lossy(row).into_owned()).collect();
            for row in rows {
                let rest = echo.take_off(&finished(&row)).text;
                prop_assert!(!rest.contains("NEEDLE"), "{rest:?}");
            }
            prop_assert_eq!(echo.take_off(&finished("NEEDLE")).text, "NEEDLE");
        }
    }
}
