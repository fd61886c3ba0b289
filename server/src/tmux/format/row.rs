//! The values that tmux gave for one session, window, pane or client.

use std::sync::Arc;

/// The values of one row, by the names of the variables that were asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    variables: Arc<[&'static str]>,
    /// The values, one after the other.
    bytes: Vec<u8>,
    /// Where each of them ends.
    ends: Vec<usize>,
}

impl Row {
    /// A row for these variables, without values yet.
    pub(super) fn new(variables: &Arc<[&'static str]>) -> Self {
        Self { variables: variables.clone(), bytes: Vec::new(), ends: Vec::with_capacity(variables.len()) }
    }

    /// Adds the next value, as `read` puts it behind those that are there.
    pub(super) fn add<T>(&mut self, read: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        let read = read(&mut self.bytes);
        self.ends.push(self.bytes.len());
        read
    }

    /// How many values it has.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The row as if these clients were not attached. Nothing if it is the row of one of them.
    pub(crate) fn without_clients(self, is_left_out: impl Fn(&str) -> bool) -> Option<Self> {
        if !self.variables.iter().any(|variable| tells_of_clients(variable)) {
            return Some(self);
        }
        let mut row = Self::new(&self.variables);
        for (index, variable) in self.variables.iter().enumerate() {
            let value = self.value(index);
            if !tells_of_clients(variable) {
                row.add(|bytes| bytes.extend_from_slice(value));
                continue;
            }
            let text = String::from_utf8_lossy(value);
            let others: Vec<_> =
                text.split(',').filter(|name| !name.is_empty() && !is_left_out(name)).collect();
            let value = match *variable {
                "client_name" if is_left_out(&text) => return None,
                "client_name" => text.into_owned(),
                "session_attached" | "session_group_attached" | "window_active_clients" => {
                    others.len().to_string()
                }
                "session_many_attached" | "session_group_many_attached" => {
                    u8::from(others.len() > 1).to_string()
                }
                _ => others.join(","),
            };
            row.add(|bytes| bytes.extend_from_slice(value.as_bytes()));
        }
        Some(row)
    }

    /// The bytes of a value; empty for a variable that tmux does not know or that was not asked for.
    pub fn bytes(&self, variable: &str) -> &[u8] {
        let index = self.variables.iter().position(|name| *name == variable);
        debug_assert!(index.is_some(), "`{variable}` was not asked for");
        index.map_or(&[], |index| self.value(index))
    }

    fn value(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[index]]
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

/// What is asked for a variable. Counts of clients are asked for as lists of their names, and counted in
/// [`Row::without_clients`].
pub(super) fn asked(variable: &'static str) -> &'static str {
    match variable {
        "session_attached" | "session_many_attached" => "session_attached_list",
        "session_group_attached" | "session_group_many_attached" => "session_group_attached_list",
        "window_active_clients" => "window_active_clients_list",
        variable => variable,
    }
}

/// Whether a value says who is attached.
fn tells_of_clients(variable: &'static str) -> bool {
    asked(variable) != variable
        || matches!(
            variable,
            "client_name"
                | "session_attached_list"
                | "session_group_attached_list"
                | "window_active_clients_list"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(variables: &[&'static str], values: &[&str]) -> Row {
        let mut row = Row::new(&variables.into());
        for value in values {
            row.add(|bytes| bytes.extend_from_slice(value.as_bytes()));
        }
        row
    }

    #[test]
    fn clients_can_be_left_out() {
        const CLIENTS: &[&str] =
            &["session_attached", "session_many_attached", "session_attached_list", "pane_id"];
        let left = |list: &str, own: &str| {
            let row = row(CLIENTS, &[list, list, list, "a,b"]).without_clients(|name| name == own).unwrap();
            CLIENTS.iter().map(|name| row.text(name)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(left("/dev/pts/1,client-5,client-55", "client-5"), "2 1 /dev/pts/1,client-55 a,b");
        assert_eq!(left("client-5", "client-5"), "0 0  a,b");
        assert_eq!(left("", "client-5"), "0 0  a,b");
        let client = || row(&["client_name", "pane_id"], &["client-5", "%1"]);
        assert_eq!(client().without_clients(|name| name == "client-5"), None);
        assert_eq!(client().without_clients(|name| name == "client-6"), Some(client()));
    }

    #[test]
    fn values_are_read_as_what_they_are() {
        let row = row(&["pane_title", "pane_index", "pane_tty"], &["12", "0", ""]);
        assert_eq!(row.parsed("pane_title"), Some(12u32));
        assert_eq!(row.parsed::<crate::tmux::PaneId>("pane_title"), None);
        assert!(row.flag("pane_title"));
        assert!(!row.flag("pane_index") && !row.flag("pane_tty"));
        assert_eq!((row.some("pane_index"), row.some("pane_tty")), (Some("0".to_owned()), None));
    }
}
