//! Asks tmux for the values of variables and reads the answer, whatever the values hold.
//!
//! A row is framed by marks that hold a nonce drawn for this one query, so that nothing that is stored in tmux can look
//! like a mark, and what hooks print between rows is skipped. Values are asked for as `#{q:…}`, which puts a backslash
//! before every backslash. That matters because tmux 3.4 to 3.5a print control and non-UTF-8 bytes as `\033`: with
//! the quotes that is told from a value which holds these four characters. Tried with tabs, newlines, backslashes,
//! U+241E, control bytes and bytes that are no UTF-8, on 3.3a, 3.5a, 3.7c and 3.8.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

/// A question for rows of values.
#[derive(Debug, Clone)]
pub struct Query {
    variables: Arc<[&'static str]>,
    nonce: String,
}

/// The values of one row, in the order of the question's variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    variables: Arc<[&'static str]>,
    values: Vec<Vec<u8>>,
}

/// A row that does not have as many values as were asked for, or has no end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a row holds {found} of {wanted} values")]
pub struct Malformed {
    found: usize,
    wanted: usize,
}

impl Query {
    /// Asks for these variables: names as in `#{name}`, without the braces.
    pub fn new(variables: &[&'static str]) -> Self {
        Self { variables: variables.into(), nonce: nonce() }
    }

    /// The format to give to tmux, for example with `-F`.
    pub fn template(&self) -> String {
        let values: Vec<_> = self.variables.iter().map(|name| value_format(name)).collect();
        format!("{}{}{}", self.mark('B'), values.join(&self.mark('S')), self.mark('E'))
    }

    /// The rows in what tmux printed. What stands between rows is ignored.
    pub fn rows(&self, output: &[u8]) -> Result<Vec<Row>, Malformed> {
        let (begin, separator, end) = (self.mark('B'), self.mark('S'), self.mark('E'));
        let mut rows = Vec::new();
        let mut rest = output;
        while let Some((_, after)) = split_once(rest, begin.as_bytes()) {
            let wanted = self.variables.len();
            let (row, after) = split_once(after, end.as_bytes()).ok_or(Malformed { found: 0, wanted })?;
            rest = after;
            rows.push(self.row(row, separator.as_bytes())?);
        }
        Ok(rows)
    }

    fn row(&self, mut text: &[u8], separator: &[u8]) -> Result<Row, Malformed> {
        let mut values = Vec::with_capacity(self.variables.len());
        while let Some((value, rest)) = split_once(text, separator) {
            values.push(unquote(value));
            text = rest;
        }
        values.push(unquote(text));
        match values.len() {
            found if found != self.variables.len() => Err(Malformed { found, wanted: self.variables.len() }),
            _ => Ok(Row { variables: self.variables.clone(), values }),
        }
    }

    fn mark(&self, kind: char) -> String {
        format!("{}{kind}", self.nonce)
    }
}

/// The format of one value. Numbers and ids need no quotes, which cost tmux a sixth of the time of a row.
fn value_format(variable: &'static str) -> String {
    match PLAIN.binary_search(&variable) {
        Ok(_) => format!("#{{{variable}}}"),
        Err(_) => format!("#{{q:{}}}", asked(variable)),
    }
}

/// Variables whose values hold digits and the mark of an id at most.
const PLAIN: &[&str] = &[
    "pane_active",
    "pane_at_bottom",
    "pane_at_right",
    "pane_at_top",
    "pane_dead",
    "pane_height",
    "pane_id",
    "pane_in_mode",
    "pane_index",
    "pane_left",
    "pane_pid",
    "pane_top",
    "pane_width",
    "session_created",
    "session_id",
    "session_windows",
    "window_active",
    "window_height",
    "window_id",
    "window_index",
    "window_panes",
    "window_width",
];

/// What is asked for a variable. Counts of clients are asked for as lists of their names, and counted in
/// [`Row::without_clients`].
fn asked(variable: &'static str) -> &'static str {
    match variable {
        "session_attached" | "session_many_attached" => "session_attached_list",
        "session_group_attached" | "session_group_many_attached" => "session_group_attached_list",
        "window_active_clients" => "window_active_clients_list",
        variable => variable,
    }
}

impl Row {
    /// The row as if these clients were not attached. Nothing if it is the row of one of them.
    pub(crate) fn without_clients(mut self, is_left_out: impl Fn(&str) -> bool) -> Option<Self> {
        for (index, variable) in self.variables.iter().enumerate() {
            let value = &mut self.values[index];
            let text = String::from_utf8_lossy(value);
            let others: Vec<_> =
                text.split(',').filter(|name| !name.is_empty() && !is_left_out(name)).collect();
            *value = match *variable {
                "client_name" if is_left_out(&text) => return None,
                "session_attached" | "session_group_attached" | "window_active_clients" => {
                    others.len().to_string().into_bytes()
                }
                "session_many_attached" | "session_group_many_attached" => {
                    u8::from(others.len() > 1).to_string().into_bytes()
                }
                "session_attached_list" | "session_group_attached_list" | "window_active_clients_list" => {
                    others.join(",").into_bytes()
                }
                _ => continue,
            };
        }
        Some(self)
    }

    /// The bytes of a value; empty for a variable that tmux does not know or that was not asked for.
    pub fn bytes(&self, variable: &str) -> &[u8] {
        let index = self.variables.iter().position(|name| *name == variable);
        debug_assert!(index.is_some(), "`{variable}` was not asked for");
        index.map_or(&[], |index| self.values[index].as_slice())
    }

    /// A value as text, with U+FFFD for what is no UTF-8.
    pub fn text(&self, variable: &str) -> String {
        String::from_utf8_lossy(self.bytes(variable)).into_owned()
    }

    /// A value as text, or nothing if it is empty.
    pub fn some(&self, variable: &str) -> Option<String> {
        Some(self.text(variable)).filter(|text| !text.is_empty())
    }

    /// A value as something that is read from text: a number, an id. Nothing if it is empty or something else.
    pub fn parsed<T: std::str::FromStr>(&self, variable: &str) -> Option<T> {
        std::str::from_utf8(self.bytes(variable)).ok()?.parse().ok()
    }

    /// Whether a value is a flag that is set: neither empty nor `0`.
    pub fn flag(&self, variable: &str) -> bool {
        !matches!(self.bytes(variable), b"" | b"0")
    }
}

/// Undoes `#{q:…}` and, for tmux 3.4 to 3.5a, `vis(3)` on top of it. Total.
pub(super) fn unquote(mut quoted: &[u8]) -> Vec<u8> {
    let mut value = Vec::with_capacity(quoted.len());
    while let Some((&byte, rest)) = quoted.split_first() {
        quoted = rest;
        value.push(if byte == b'\\' { escaped(&mut quoted) } else { byte });
    }
    value
}

/// The byte that is meant by what follows a backslash.
fn escaped(rest: &mut &[u8]) -> u8 {
    if let [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', after @ ..] = *rest {
        *rest = after;
        return (a - b'0') << 6 | (b - b'0') << 3 | (c - b'0');
    }
    // tmux prints no backslash at the very end; it would be kept.
    let Some((&letter, after)) = rest.split_first() else { return b'\\' };
    *rest = after;
    match letter {
        b'a' => 0x07,
        b'b' => 0x08,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 0x0b,
        b'f' => 0x0c,
        b'r' => b'\r',
        b's' => b' ',
        b'0' => 0,
        other => other,
    }
}

fn split_once<'a>(text: &'a [u8], mark: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = text.windows(mark.len()).position(|window| window == mark)?;
    Some((&text[..at], &text[at + mark.len()..]))
}

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

    fn fixed() -> Query {
        Query { variables: TWO.into(), nonce: "zN".to_owned() }
    }

    fn values(rows: &[Row]) -> Vec<Vec<&[u8]>> {
        rows.iter().map(|row| row.values.iter().map(Vec::as_slice).collect()).collect()
    }

    #[test]
    fn the_template_frames_every_value() {
        assert_eq!(fixed().template(), "zNB#{q:pane_title}zNS#{q:pane_current_path}zNE");
        assert_ne!(Query::new(TWO).nonce, Query::new(TWO).nonce);
    }

    #[test]
    fn plain_values_are_not_quoted() {
        assert!(PLAIN.is_sorted());
        let query = Query { variables: ["pane_id", "pane_title"].into(), nonce: "zN".to_owned() };
        assert_eq!(query.template(), "zNB#{pane_id}zNS#{q:pane_title}zNE");
    }

    #[test]
    fn values_hold_anything() {
        let rows = fixed().rows(b"zNBa\tb\nzNS\\\\033\\033\\ \\\n\xffzNE\nzNBzNSzNE\n").unwrap();
        assert_eq!(values(&rows), [vec![b"a\tb\n".as_slice(), b"\\033\x1b \n\xff"], vec![b"", b""]]);
        assert_eq!(rows[0].text("pane_current_path"), "\\033\x1b \n\u{fffd}");
        assert_eq!(rows[1].some("pane_title"), None);
    }

    #[test]
    fn what_hooks_print_is_skipped() {
        let rows = fixed().rows(b"hello\nzNBazNSbzNE\nzNE zNS\nzNBczNSdzNE\nbye").unwrap();
        assert_eq!(values(&rows), [[b"a", b"b"], [b"c", b"d"]]);
    }

    #[test]
    fn a_row_that_is_not_whole_is_an_error() {
        assert_eq!(fixed().rows(b"zNBazNSb"), Err(Malformed { found: 0, wanted: 2 }));
        assert_eq!(fixed().rows(b"zNBazNE"), Err(Malformed { found: 1, wanted: 2 }));
        assert_eq!(fixed().rows(b"zNBazNSbzNSczNE"), Err(Malformed { found: 3, wanted: 2 }));
    }

    #[test]
    fn clients_can_be_left_out() {
        const CLIENTS: &[&str] =
            &["session_attached", "session_many_attached", "session_attached_list", "pane_id"];
        for variable in ["session_group_attached", "session_group_many_attached"] {
            assert_eq!(asked(variable), "session_group_attached_list");
        }
        let query = Query { variables: CLIENTS.into(), nonce: "zN".to_owned() };
        let asked = query.template().matches("#{q:session_attached_list}").count();
        assert_eq!(asked, 3);
        let row = |list: &str, own: &str| {
            let output = format!("zNB{list}zNS{list}zNS{list}zNSa,bzNE");
            let row = query.rows(output.as_bytes()).unwrap().remove(0);
            let row = row.without_clients(|name| name == own).unwrap();
            CLIENTS.iter().map(|name| row.text(name)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(row("/dev/pts/1,client-5,client-55", "client-5"), "2 1 /dev/pts/1,client-55 a,b");
        assert_eq!(row("client-5", "client-5"), "0 0  a,b");
        assert_eq!(row("", "client-5"), "0 0  a,b");
        let query = Query { variables: ["client_name"].into(), nonce: "zN".to_owned() };
        let row = || query.rows(b"zNBclient-5zNE").unwrap().remove(0);
        assert!(row().without_clients(|name| name == "client-5").is_none());
        assert!(row().without_clients(|name| name == "client-6").is_some());
    }

    #[test]
    fn values_are_read_as_what_they_are() {
        let rows = fixed().rows(b"zNB12zNS0zNE").unwrap();
        assert_eq!(rows[0].parsed("pane_title"), Some(12u32));
        assert_eq!(rows[0].parsed::<super::super::PaneId>("pane_title"), None);
        assert!(rows[0].flag("pane_title"));
        assert!(!rows[0].flag("pane_current_path"));
    }

    /// What tmux prints for a value: quoted, then (3.4 to 3.5a) with octal for what is not plain text.
    fn printed(value: &[u8], vis: bool) -> Vec<u8> {
        let mut out = Vec::new();
        for &byte in value {
            if b"|&;<>()$`\\\"'*?[# =%".contains(&byte) {
                out.push(b'\\');
            }
            match byte {
                0x80.. | 0..=8 | 11..=31 | 127 if vis => out.extend(format!("\\{byte:03o}").into_bytes()),
                byte => out.push(byte),
            }
        }
        out
    }

    proptest! {
        #[test]
        fn reading_is_total(output in prop::collection::vec(prop_oneof![
            Just(b"zNB".to_vec()), Just(b"zNS".to_vec()), Just(b"zNE".to_vec()), prop::collection::vec(any::<u8>(), 0..4),
        ], 0..20)) {
            let _ = fixed().rows(&output.concat());
        }

        #[test]
        fn what_tmux_quotes_is_unquoted(value in prop::collection::vec(any::<u8>(), 0..24), vis: bool) {
            prop_assert_eq!(unquote(&printed(&value, vis)), value);
        }
    }
}
