//! Which tmux is this, and what can it do? The only place that compares versions.

use std::cmp::Ordering;
use std::fmt;

/// A version of tmux as it names itself, in release order.
///
/// Builds between releases call themselves `next-3.8` (or `3.8-rc`) and count as older than `3.8`: a `next-3.8` of
/// August 2026 reported exit status 0 for everything. A build without a number (`master`, `openbsd-7.4`) is trusted
/// with what the oldest supported release can do, and nothing more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    text: String,
    rank: Rank,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    major: u16,
    minor: u16,
    released: bool,
    /// 0 for none, 1 for `a`.
    letter: u8,
}

/// The version from which on tmux can do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Since(Rank);

impl Since {
    /// The oldest tmux that this engine drives.
    pub const MINIMUM: Self = Self::release(3, 2, 1);
    /// `#{pane_dead_signal}`; before it, a signal is only named in the text that is drawn into the dead pane.
    pub const PANE_DEAD_SIGNAL: Self = Self::release(3, 3, 0);
    /// The layouts `main-horizontal-mirrored` and `main-vertical-mirrored`.
    pub const MIRRORED_LAYOUTS: Self = Self::release(3, 5, 0);
    /// Keys that only an extended keyboard can say (`S-Enter`) are sent in some form; before, tmux types their names as text.
    pub const MODIFIED_KEYS: Self = Self::release(3, 5, 0);
    /// `paste-buffer` writes control bytes as `^A`, unless it is given `-S`, which did not exist before.
    pub const PASTE_SANITIZES: Self = Self::release(3, 7, 0);
    /// `#{window_layout}` is written as JSON, and read as that or as before.
    pub const JSON_LAYOUTS: Self = Self::release(3, 8, 0);
    /// `wait-for -E`: waiting for an event, with what it carries.
    pub const WAIT_FOR_EVENT: Self = Self::release(3, 8, 0);

    const fn release(major: u16, minor: u16, letter: u8) -> Self {
        Self(Rank { major, minor, released: true, letter })
    }
}

impl Version {
    /// Reads what `tmux -V` prints or what `#{version}` holds. Total: every text is some version.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        let text = text.strip_prefix("tmux ").unwrap_or(text);
        Self { text: text.to_owned(), rank: rank(text).unwrap_or(Since::MINIMUM.0) }
    }

    /// Whether this tmux can do what came with `since`.
    pub fn has(&self, since: Since) -> bool {
        self.rank >= since.0
    }
}

fn rank(text: &str) -> Option<Rank> {
    let (number, next) = match text.strip_prefix("next-") {
        Some(number) => (number, true),
        None => (text, false),
    };
    let (major, rest) = number.split_once('.')?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (minor, rest) = rest.split_at(digits);
    let (letter, rest) = match rest.as_bytes().first() {
        Some(letter @ b'a'..=b'z') => (letter - b'a' + 1, &rest[1..]),
        _ => (0, rest),
    };
    let released = match rest {
        "" => !next,
        _ if rest.starts_with("-rc") => false,
        _ => return None,
    };
    Some(Rank { major: major.parse().ok()?, minor: minor.parse().ok()?, released, letter })
}

impl From<Since> for Version {
    fn from(Since(rank): Since) -> Self {
        let letter = match rank.letter {
            0 => String::new(),
            letter => char::from(b'a' + letter - 1).to_string(),
        };
        Self { text: format!("{}.{}{letter}", rank.major, rank.minor), rank }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank.cmp(&other.rank).then_with(|| self.text.cmp(&other.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn releases_are_in_order() {
        let released = [
            "1.8", "2.9a", "3.0", "3.1c", "next-3.2", "3.2-rc4", "3.2", "3.2a", "3.3", "3.3a", "3.5a",
            "next-3.8", "3.8", "3.8a", "next-3.9", "3.9", "3.10", "4.0",
        ];
        for pair in released.windows(2) {
            let [older, newer] = pair else { unreachable!("windows of two") };
            let (older, newer) = (Version::parse(older), Version::parse(newer));
            assert!(
                older.rank < newer.rank || (!older.rank.released && !newer.rank.released),
                "{older} {newer}"
            );
        }
    }

    #[test]
    fn features_come_with_their_release() {
        let has = |text: &str, since| Version::parse(text).has(since);
        assert!(has("tmux 3.2a\n", Since::MINIMUM));
        assert!(!has("tmux 3.2", Since::MINIMUM));
        assert!(has("3.3a", Since::PANE_DEAD_SIGNAL));
        assert!(!has("3.2a", Since::PANE_DEAD_SIGNAL));
        assert!(has("3.8", Since::WAIT_FOR_EVENT));
        assert!(has("next-3.9", Since::WAIT_FOR_EVENT));
        assert!(!has("next-3.8", Since::WAIT_FOR_EVENT));
        assert!(!has("3.8-rc1", Since::WAIT_FOR_EVENT));
        assert!(!has("3.7c", Since::WAIT_FOR_EVENT));
    }

    #[test]
    fn a_build_without_a_number_gets_the_minimum() {
        for text in ["master", "openbsd-7.4", "", "x.y", "3.", "3.8 (patched)"] {
            let version = Version::parse(text);
            assert!(version.has(Since::MINIMUM), "{text}");
            assert!(!version.has(Since::WAIT_FOR_EVENT), "{text}");
            assert_eq!(version.to_string(), text);
        }
    }

    #[test]
    fn a_feature_names_its_release() {
        assert_eq!(Version::from(Since::MINIMUM).to_string(), "3.2a");
        assert_eq!(Version::from(Since::WAIT_FOR_EVENT).to_string(), "3.8");
    }

    proptest! {
        #[test]
        fn any_text_is_a_version(text in ".*") {
            let _ = Version::parse(&text).has(Since::WAIT_FOR_EVENT);
        }
    }
}
