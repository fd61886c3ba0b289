//! Asks tmux for the values of variables and reads the answer, whatever the values hold.
//!
//! A row begins with a nonce drawn for this one query, so that nothing that is stored in tmux can look like its beginning, and
//! what hooks print between rows is skipped. Values are asked for as `#{q:…}`, which puts a backslash before every backslash and
//! every `|`; so a bare `|` is the end of a value, and nothing in a value can look like that. The quotes matter also because
//! tmux 3.4 to 3.5a print control and non-UTF-8 bytes as `\033`: with them that is told from a value which holds these four
//! characters. Tried with tabs, newlines, backslashes, bars, U+241E, control bytes and bytes that are no UTF-8, on 3.3a,
//! 3.5a, 3.7c and 3.8.
//!
//! Marks are short because tmux copies a format byte by byte: a nonce before every value would cost a fifth of a listing.

mod quote;
mod row;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

use memchr::memmem::find;

pub(super) use quote::unquote;
pub use row::Row;

/// A question for rows of values.
#[derive(Debug, Clone)]
pub struct Query {
    variables: Arc<[&'static str]>,
    /// So many of the variables are asked for of a window, and the others of each of its panes.
    shared: Option<usize>,
    nonce: String,
}

/// A row that does not have as many values as were asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a row holds {found} of {wanted} values")]
pub struct Malformed {
    found: usize,
    wanted: usize,
}

/// Before the values of each pane of a window.
const PANE: u8 = b'+';
/// Behind those of the last one.
const LAST: u8 = b'.';

impl Query {
    /// Asks for these variables: names as in `#{name}`, without the braces.
    pub fn new(variables: &[&'static str]) -> Self {
        Self { variables: variables.into(), shared: None, nonce: nonce() }
    }

    /// Asks windows for these variables, of which `pane_index` is one, of each of their panes: a row for each pane, in the order of
    /// `list-panes`. What is of the session or the window is asked for once. That takes tmux a fifth less time than `list-panes` does.
    pub(super) fn of_panes(variables: &[&'static str]) -> Self {
        let is_shared = |variable: &&str| variable.starts_with("session_") || variable.starts_with("window_");
        let (mut all, own): (Vec<_>, Vec<_>) = variables.iter().copied().partition(is_shared);
        let shared = Some(all.len());
        all.extend(own);
        Self { variables: all.into(), shared, nonce: nonce() }
    }

    /// The format to give to tmux, for example with `-F`.
    pub fn template(&self) -> String {
        let values =
            |variables: &[&'static str]| variables.iter().copied().map(value_format).collect::<String>();
        let (pane, last) = (char::from(PANE), char::from(LAST));
        match self.shared {
            None => format!("{}{}", self.nonce, values(&self.variables)),
            Some(shared) => {
                let (window, panes) = self.variables.split_at(shared);
                format!("{}{}#{{P:{pane}{}}}{last}", self.nonce, values(window), values(panes))
            }
        }
    }

    /// The rows in what tmux printed. What stands between rows is ignored.
    pub fn rows(&self, output: &[u8]) -> Result<Vec<Row>, Malformed> {
        let mut rows = Vec::new();
        let mut rest = output;
        while let Some(at) = find(rest, self.nonce.as_bytes()) {
            rest = self.read(&rest[at + self.nonce.len()..], &mut rows)?;
        }
        Ok(rows)
    }

    /// Reads what stands behind the nonce, and returns what follows that.
    fn read<'a>(&self, text: &'a [u8], rows: &mut Vec<Row>) -> Result<&'a [u8], Malformed> {
        let mut row = Row::new(&self.variables);
        let mut rest = self.values(text, &mut row, self.shared.unwrap_or(self.variables.len()))?;
        if self.shared.is_none() {
            rows.push(row);
            return Ok(rest);
        }
        let first = rows.len();
        loop {
            match rest.split_first() {
                Some((&PANE, values)) => {
                    let mut pane = row.clone();
                    rest = self.values(values, &mut pane, self.variables.len())?;
                    rows.push(pane);
                }
                Some((&LAST, rest)) => {
                    // tmux 3.7 has them by age.
                    rows[first..].sort_by_cached_key(|pane| pane.parsed::<u32>("pane_index"));
                    return Ok(rest);
                }
                _ => return Err(self.malformed(row.len())),
            }
        }
    }

    /// Reads values until the row has so many.
    fn values<'a>(&self, mut text: &'a [u8], row: &mut Row, wanted: usize) -> Result<&'a [u8], Malformed> {
        while row.len() < wanted {
            text = match row.add(|bytes| quote::value(text, bytes)) {
                Some(rest) => rest,
                // The one that was begun is none.
                None => return Err(self.malformed(row.len() - 1)),
            };
        }
        Ok(text)
    }

    fn malformed(&self, found: usize) -> Malformed {
        Malformed { found, wanted: self.variables.len() }
    }
}

/// The format of one value. What cannot need quotes goes without them: they cost tmux a sixth of the time of a row.
fn value_format(variable: &'static str) -> String {
    let end = char::from(quote::END);
    match PLAIN.binary_search(&variable) {
        Ok(_) => format!("#{{{variable}}}{end}"),
        Err(_) => format!("#{{q:{}}}{end}", row::asked(variable)),
    }
}

/// Variables whose values are digits and the mark of an id, or the path of a terminal.
const PLAIN: &[&str] = &[
    "alternate_on",
    "cursor_x",
    "cursor_y",
    "history_limit",
    "history_size",
    "pane_active",
    "pane_at_bottom",
    "pane_at_right",
    "pane_at_top",
    "pane_dead",
    "pane_height",
    "pane_id",
    "pane_in_mode",
    "pane_index",
    "pane_input_off",
    "pane_left",
    "pane_pid",
    "pane_pipe",
    "pane_synchronized",
    "pane_top",
    "pane_tty",
    "pane_width",
    "pid",
    "scroll_position",
    "session_created",
    "session_id",
    "session_windows",
    "start_time",
    "window_active",
    "window_height",
    "window_id",
    "window_index",
    "window_linked",
    "window_linked_sessions",
    "window_panes",
    "window_width",
    "window_zoomed_flag",
];

/// A condition as `-f` takes it: the variable has this value, which holds nothing that a format could mistake.
pub(crate) fn is(variable: &str, id: impl std::fmt::Display) -> String {
    format!("#{{==:#{{{variable}}},{id}}}")
}

/// Eleven characters that nobody outside can know beforehand: a keyed hash whose key is the process's own.
pub(crate) fn nonce() -> String {
    let number = RandomState::new().build_hasher().finish();
    let digits = b"0123456789abcdefghijklmnopqrstuvwxyz";
    // The first is a letter, so that the nonce can also be a part of a name.
    let mut text = String::from("z");
    let mut rest = number;
    for _ in 0..10 {
        text.push(char::from(digits[(rest % 36) as usize]));
        rest /= 36;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TWO: &[&str] = &["pane_title", "pane_current_path"];
    const SHARED: &[&str] = &["pane_title", "window_name", "pane_index"];

    fn fixed() -> Query {
        Query { nonce: "zN".to_owned(), ..Query::new(TWO) }
    }

    fn of_panes() -> Query {
        Query { nonce: "zN".to_owned(), ..Query::of_panes(SHARED) }
    }

    fn values<'a>(rows: &'a [Row], variables: &[&str]) -> Vec<Vec<&'a [u8]>> {
        rows.iter().map(|row| variables.iter().map(|name| row.bytes(name)).collect()).collect()
    }

    #[test]
    fn the_template_frames_every_value() {
        assert_eq!(fixed().template(), "zN#{q:pane_title}|#{q:pane_current_path}|");
        assert_eq!(of_panes().template(), "zN#{q:window_name}|#{P:+#{q:pane_title}|#{pane_index}|}.");
        assert_ne!(Query::new(TWO).nonce, Query::new(TWO).nonce);
    }

    #[test]
    fn plain_values_are_not_quoted() {
        assert!(PLAIN.is_sorted());
        let query = Query { nonce: "zN".to_owned(), ..Query::new(&["pane_id", "pane_title"]) };
        assert_eq!(query.template(), "zN#{pane_id}|#{q:pane_title}|");
    }

    #[test]
    fn counts_of_clients_are_asked_for_as_their_names() {
        for variable in ["session_group_attached", "session_group_many_attached"] {
            assert_eq!(value_format(variable), "#{q:session_group_attached_list}|");
        }
    }

    #[test]
    fn values_hold_anything() {
        let rows = fixed().rows(b"zNa\tb\n|\\\\033\\033\\ \\|\\\n\xff|\nzN||\n").unwrap();
        assert_eq!(values(&rows, TWO), [vec![b"a\tb\n".as_slice(), b"\\033\x1b |\n\xff"], vec![b"", b""]]);
        assert_eq!(rows[0].text("pane_current_path"), "\\033\x1b |\n\u{fffd}");
        assert_eq!(rows[1].some("pane_title"), None);
    }

    #[test]
    fn panes_share_what_is_of_their_window() {
        let rows = of_panes().rows(b"zNw|++|10|+a.|9|.\nzNv|.\nzNu|+|0|.\n").unwrap();
        let wanted: [Vec<&[u8]>; 3] =
            [vec![b"a.", b"w", b"9"], vec![b"+", b"w", b"10"], vec![b"", b"u", b"0"]];
        assert_eq!(values(&rows, SHARED), wanted);
    }

    #[test]
    fn what_hooks_print_is_skipped() {
        let rows = fixed().rows(b"hello|\nzNa|b|\nzM|| zS\nzNc|d|\nbye").unwrap();
        assert_eq!(values(&rows, TWO), [[b"a", b"b"], [b"c", b"d"]]);
    }

    #[test]
    fn a_row_that_is_not_whole_is_an_error() {
        assert_eq!(fixed().rows(b"zNa|b"), Err(Malformed { found: 1, wanted: 2 }));
        assert_eq!(fixed().rows(b"zN"), Err(Malformed { found: 0, wanted: 2 }));
        for (output, found) in [("zNw|+a|", 2), ("zNw|+a|1|", 1), ("zNw|", 1), ("zNw|x", 1), ("zNw", 0)] {
            assert_eq!(of_panes().rows(output.as_bytes()), Err(Malformed { found, wanted: 3 }), "{output}");
        }
    }

    proptest! {
        #[test]
        fn reading_is_total(output in prop::collection::vec(prop_oneof![
            Just(b"zN".to_vec()), Just(b"|".to_vec()), Just(b"+".to_vec()), prop::collection::vec(any::<u8>(), 0..4),
        ], 0..20)) {
            let output = output.concat();
            for query in [fixed(), of_panes()] {
                let _ = query.rows(&output);
            }
        }
    }
}
