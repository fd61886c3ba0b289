//! What a cursor holds, and its form as an opaque text. Pure.

use std::fmt;
use std::str::FromStr;

use crate::tmux::id::PaneId;

/// A place in a pane's output, to be handed back to [`super::read_since`]. An opaque text of letters and digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// Process and start of the tmux server.
    pub(super) server: (i32, u64),
    pub(super) pane: PaneId,
    /// The process that ran in the pane.
    pub(super) process: i32,
    pub(super) place: Place,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// In what this program has recorded.
    Recorded {
        /// Which recording, of which process of this program.
        recording: String,
        /// Where the line begins that was still growing.
        line: u64,
        /// Up to where it was read.
        read: u64,
        gaps: u64,
        /// The line began before the recording did.
        inside: bool,
    },
    /// In tmux's history: the row of the terminal's cursor, counted from the first line of the history.
    History {
        row: u64,
        /// Fingerprints of that row and of those above it, the last one first.
        above: Vec<u64>,
        /// How many bytes that row had.
        length: usize,
    },
}

impl Cursor {
    /// The pane that it is a place in.
    pub fn pane(&self) -> PaneId {
        self.pane
    }
}

/// A text that is no cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is no cursor that an earlier read has given; read without a cursor to get one")]
pub struct NotACursor;

/// What every cursor begins with. Another form gets another one.
const FORM: &str = "c1";

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { server: (pid, started), pane: PaneId(pane), process, place } = self;
        write!(f, "{FORM}x{pid:x}x{started:x}x{pane:x}x{process:x}")?;
        match place {
            Place::Recorded { recording, line, read, gaps, inside } => {
                write!(f, "r{recording}r{line:x}x{read:x}x{gaps:x}x{:x}", u8::from(*inside))
            }
            Place::History { row, above, length } => {
                write!(f, "h{row:x}x{length:x}")?;
                above.iter().try_for_each(|line| write!(f, "x{line:x}"))
            }
        }
    }
}

impl FromStr for Cursor {
    type Err = NotACursor;

    fn from_str(text: &str) -> Result<Self, NotACursor> {
        read(text).filter(|cursor| cursor.to_string() == text).ok_or(NotACursor)
    }
}

fn read(text: &str) -> Option<Cursor> {
    let rest = text.strip_prefix(FORM)?.strip_prefix('x')?;
    let kind = rest.find(['r', 'h'])?;
    let (head, rest) = rest.split_at(kind);
    let [pid, started, pane, process] = <[&str; 4]>::try_from(head.split('x').collect::<Vec<_>>()).ok()?;
    let place = match rest.strip_prefix('r') {
        Some(rest) => {
            let (recording, rest) = rest.split_once('r')?;
            let numbers = numbers(rest)?;
            let [line, read, gaps, inside @ (0 | 1)] = <[u64; 4]>::try_from(numbers).ok()? else {
                return None;
            };
            Place::Recorded { recording: recording.to_owned(), line, read, gaps, inside: inside == 1 }
        }
        None => {
            let numbers = numbers(&rest[1..])?;
            let [row, length, above @ ..] = numbers.as_slice() else { return None };
            Place::History { row: *row, above: above.to_vec(), length: usize::try_from(*length).ok()? }
        }
    };
    Some(Cursor {
        server: (i32::from_str_radix(pid, 16).ok()?, number(started)?),
        pane: PaneId(u32::from_str_radix(pane, 16).ok()?),
        process: i32::from_str_radix(process, 16).ok()?,
        place,
    })
}

fn numbers(text: &str) -> Option<Vec<u64>> {
    text.split('x').map(number).collect()
}

fn number(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn place() -> impl Strategy<Value = Place> {
        let recorded = ("[a-q0-9]{1,9}", any::<u64>(), any::<u64>(), any::<u64>(), any::<bool>()).prop_map(
            |(recording, line, read, gaps, inside)| Place::Recorded { recording, line, read, gaps, inside },
        );
        let history = (any::<u64>(), prop::collection::vec(any::<u64>(), 0..9), 0usize..9999)
            .prop_map(|(row, above, length)| Place::History { row, above, length });
        prop_oneof![recorded, history]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn there_and_back(pid in 1i32.., started: u64, pane: u32, process in 0i32.., place in place()) {
            let cursor = Cursor { server: (pid, started), pane: PaneId(pane), process, place };
            let text = cursor.to_string();
            prop_assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric()));
            prop_assert_eq!(text.parse(), Ok(cursor));
        }

        #[test]
        fn any_text(text in "(c1x)?[0-9a-frhx%é]{0,40}") {
            if let Ok(cursor) = text.parse::<Cursor>() {
                prop_assert_eq!(cursor.to_string(), text);
            }
        }
    }
}
