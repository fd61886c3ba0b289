//! The ids that tmux gives to sessions, windows and panes. An id is never used twice by one server.

use std::fmt;
use std::str::FromStr;

/// A text that is not an id of the wanted kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a tmux id of the form `{sigil}N`")]
pub struct NotAnId {
    text: String,
    sigil: char,
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $sigil:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($sigil, "{}"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;

            /// Reads the form that tmux prints, and no other: `%01` and `%+1` are not ids.
            fn from_str(text: &str) -> Result<Self, NotAnId> {
                text.strip_prefix($sigil)
                    .and_then(|digits| digits.parse().ok())
                    .map(Self)
                    .filter(|id| id.to_string() == text)
                    .ok_or_else(|| NotAnId { text: text.to_owned(), sigil: $sigil })
            }
        }
    };
}

id!(
    /// A session: `$0`.
    SessionId,
    '$'
);
id!(
    /// A window: `@0`. It can be linked into several sessions.
    WindowId,
    '@'
);
id!(
    /// A pane: `%0`. It keeps its id when it is respawned or moved.
    PaneId,
    '%'
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_printed_form_is_an_id() {
        assert_eq!("%7".parse(), Ok(PaneId(7)));
        assert_eq!(PaneId(7).to_string(), "%7");
        for text in ["", "%", "7", "%07", "%+7", "%-1", "% 7", "@7", "%7 ", "%4294967296"] {
            assert!(text.parse::<PaneId>().is_err(), "{text:?}");
        }
    }
}
