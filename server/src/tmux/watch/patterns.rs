//! Which of several patterns does a line match? Linear in the line, whatever the pattern.

use regex::{Regex, RegexBuilder};

/// The largest program that one pattern may become, in bytes. What needs more is refused, not run.
const LARGEST: usize = 1 << 20;

/// How patterns are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Syntax {
    /// Regular expressions instead of literal text. (Those of the `regex` crate: no look-around, no back references.)
    pub regex: bool,
    /// Capital letters and small ones are different.
    pub match_case: bool,
}

/// A pattern that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("pattern {number} cannot be used: {reason}")]
pub struct BadPattern {
    /// Its place in the list, from 1.
    pub number: usize,
    /// Why, on one line.
    pub reason: String,
}

/// Patterns in the order in which they win.
#[derive(Debug, Clone, Default)]
pub struct Patterns(Vec<Regex>);

impl Patterns {
    /// Reads the patterns.
    ///
    /// # Errors
    ///
    /// An empty pattern, which would match everything; one that is no regular expression, or too large a one.
    pub fn new<S: AsRef<str>>(patterns: &[S], syntax: Syntax) -> Result<Self, BadPattern> {
        let read = |(index, pattern): (usize, &S)| {
            let bad = |reason: String| BadPattern { number: index + 1, reason };
            let pattern = pattern.as_ref();
            if pattern.is_empty() {
                return Err(bad("it is empty".to_owned()));
            }
            let source = if syntax.regex { pattern.to_owned() } else { regex::escape(pattern) };
            RegexBuilder::new(&source)
                .case_insensitive(!syntax.match_case)
                .size_limit(LARGEST)
                .dfa_size_limit(LARGEST)
                .build()
                .map_err(|error| bad(last_line(&error.to_string())))
        };
        patterns.iter().enumerate().map(read).collect::<Result<_, _>>().map(Patterns)
    }

    /// The place of the first pattern that the line matches, from 0.
    pub fn first_match(&self, line: &str) -> Option<usize> {
        self.0.iter().position(|pattern| pattern.is_match(line))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The last line of an error of the `regex` crate is its sentence; the lines before draw the pattern.
fn last_line(text: &str) -> String {
    text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_text_and_expressions() {
        let literal = Patterns::new(&["a.c", "Done"], Syntax::default()).unwrap();
        assert_eq!(literal.first_match("abc"), None);
        assert_eq!(literal.first_match("all DONE, a.c"), Some(0));
        assert_eq!(literal.first_match("all DONE"), Some(1));
        let exact = Patterns::new(&["a.c"], Syntax { regex: true, match_case: true }).unwrap();
        assert_eq!((exact.first_match("abc"), exact.first_match("ABC")), (Some(0), None));
        assert!(Patterns::default().is_empty());
    }

    #[test]
    fn what_cannot_be_used() {
        let regex = Syntax { regex: true, match_case: false };
        for (pattern, reason) in [
            ("", "empty"),
            ("(", "unclosed group"),
            ("(?=a)", "look-around"),
            ("(a)\\1", "backreferences"),
            ("(a{1000}){1000}", "size"),
        ] {
            let error = Patterns::new(&["fine", pattern], regex).unwrap_err();
            assert_eq!(error.number, 2);
            assert!(error.reason.contains(reason), "{pattern}: {error}");
        }
    }

    #[test]
    fn no_pattern_stalls() {
        // The classic of engines that go back.
        let patterns = Patterns::new(&["(a+)+$"], Syntax { regex: true, match_case: true }).unwrap();
        assert_eq!(patterns.first_match(&format!("{}!", "a".repeat(super::super::text::LONGEST_LINE))), None);
    }
}
