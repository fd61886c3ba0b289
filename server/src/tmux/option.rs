//! The options of tmux: what is set where, exactly.
//!
//! `show-options` without `-v` prints a line for each value, quoted as tmux's own parser reads it: a value can hold anything
//! and still end with its line. (With `-v` nothing tells two lines from two values, and tmux 3.4 to 3.5a print control characters as
//! `\033`.) Tried on 3.3a, 3.5a, 3.7c and 3.8.

use super::command::{Command, CommandList, literal};
use super::error::TmuxError;
use super::format::unquote;
use super::id::{PaneId, SessionId};
use super::server::Server;

/// Where options and hooks are set. tmux knows where an option of its own belongs, whatever is asked; only options of the user
/// (`@name`) can be set anywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionScope {
    /// The server.
    Server,
    /// The server; for an option of sessions or windows, what holds for all of them.
    Everything,
    /// What holds for all sessions that say nothing else.
    AllSessions,
    /// What holds for all windows and panes that say nothing else.
    AllWindows,
    /// One session.
    Session(SessionId),
    /// One window, as a target such as `$1:@2`.
    Window(String),
    /// One pane.
    Pane(PaneId),
    /// Wherever options of that name belong, as a pane sees it. The target is such as `$1:@2.%3`; without one only options of
    /// the server can be had.
    Own(Option<String>),
}

impl OptionScope {
    pub(super) fn of(&self, command: Command) -> Command {
        match self {
            Self::Server => command.flag('s'),
            Self::Everything => command.flag('s').flag('g'),
            Self::AllSessions => command.flag('g'),
            Self::AllWindows => command.flag('g').flag('w'),
            Self::Session(session) => command.target(session),
            Self::Window(window) => command.flag('w').target(window),
            Self::Pane(pane) => command.flag('p').target(pane),
            Self::Own(Some(pane)) => command.target(pane),
            Self::Own(None) => command,
        }
    }
}

/// What is set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionValue {
    /// Nothing, there.
    Unset,
    /// One value. Lossy where it is no UTF-8.
    One(String),
    /// A list of values, by their indices, in tmux's order.
    List(Vec<(String, String)>),
}

/// Reads an option: by its name, the start of one that fits no other, or a name with an index (`update-environment[2]`). Returns
/// its whole name as well, where anything is set.
///
/// # Errors
///
/// [`TmuxError::NoSuchOption`], also for one of the user that is not set there; [`TmuxError::AmbiguousOption`];
/// [`TmuxError::BadIndex`].
pub async fn show_option(
    server: &Server,
    scope: &OptionScope,
    name: &str,
) -> Result<(Option<String>, OptionValue), TmuxError> {
    check_index(name)?;
    // Asked for by its index, a value that is not set could not be told from an empty one.
    let (base, index) = split_index(name);
    let show = scope.of(Command::new("show-options")).operand(literal(base));
    let output = server.run(&show.into()).await.map_err(|error| refused(error, name))?;
    let lines = lines(&output, base);
    let full = lines.first().map(|line| line.name.clone());
    Ok((full, value(lines, index)))
}

/// Sets an option to exactly this value.
///
/// # Errors
///
/// As for [`show_option`]; [`TmuxError::BadOptionValue`]; [`TmuxError::Nul`].
pub async fn set_option(
    server: &Server,
    scope: &OptionScope,
    name: &str,
    value: &str,
) -> Result<(), TmuxError> {
    check_index(name)?;
    let set = scope.of(Command::new("set-option")).operand(literal(name)).operand(value);
    server.run(&CommandList::from(set)).await.map_err(|error| refused(error, name))?;
    Ok(())
}

/// The kind of error behind what tmux says of an option. The value, which it repeats, is left out.
pub(super) fn refused(error: TmuxError, name: &str) -> TmuxError {
    let TmuxError::Refused { command, stderr } = error else { return error };
    let option = name.to_owned();
    if stderr.starts_with("invalid option") || stderr.starts_with("unknown option") {
        TmuxError::NoSuchOption { option }
    } else if stderr.starts_with("ambiguous option") {
        TmuxError::AmbiguousOption { option }
    } else if stderr.starts_with("no such ")
        || stderr.starts_with("no current ")
        || stderr.starts_with("can't find")
    {
        TmuxError::Refused { command, stderr }
    } else {
        let reason = stderr.split_once(": ").map_or(stderr.as_str(), |(reason, _)| reason);
        TmuxError::BadOptionValue { option, reason: reason.to_owned() }
    }
}

/// One line of what tmux prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub name: String,
    pub index: Option<String>,
    /// Nothing for a list that is empty.
    pub value: Option<String>,
}

/// The lines about options whose name begins with `name`. What hooks print is passed over.
pub(super) fn lines(output: &[u8], name: &str) -> Vec<Line> {
    output.split(|&byte| byte == b'\n').filter_map(|text| line(text, name)).collect()
}

fn line(text: &[u8], name: &str) -> Option<Line> {
    let user =
        name.starts_with('@').then(|| text.strip_prefix(name.as_bytes())?.strip_prefix(b" ")).flatten();
    if let Some(value) = user {
        // The only names that can hold a space.
        return Some(Line { name: name.to_owned(), index: None, value: Some(plain(value)) });
    }
    let end = text.iter().position(|&byte| byte == b' ').unwrap_or(text.len());
    let head =
        std::str::from_utf8(&text[..end]).ok().filter(|head| !head.is_empty() && head.starts_with(name))?;
    let (name, index) = match head.strip_suffix(']').and_then(|head| head.split_once('[')) {
        Some((name, index)) => (name, Some(index.to_owned())),
        None => (head, None),
    };
    let value = text.get(end + 1..).map(plain);
    Some(Line { name: name.to_owned(), index, value })
}

/// The value behind its quotes. Total.
fn plain(text: &[u8]) -> String {
    let bytes = match text {
        [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] => unquote(inner),
        // A text with a space would stand in quotes: this is a command, which tmux prints as it is.
        text if text.contains(&b' ') => text.to_vec(),
        text => unquote(text),
    };
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Refuses an index that tmux would take for another one (it counts in 32 bits, and around), or for the end of a name.
fn check_index(name: &str) -> Result<(), TmuxError> {
    let Some((_, index)) = name.split_once('[').filter(|_| !name.starts_with('@')) else { return Ok(()) };
    let digits = index.strip_suffix(']').filter(|index| index.bytes().all(|byte| byte.is_ascii_digit()));
    match digits.and_then(|digits| digits.parse::<i32>().ok()) {
        Some(_) => Ok(()),
        None => Err(TmuxError::BadIndex { option: name.to_owned() }),
    }
}

/// `name[index]`, taken apart.
pub(super) fn split_index(name: &str) -> (&str, Option<&str>) {
    let parts = name.strip_suffix(']').and_then(|head| head.split_once('['));
    match parts.filter(|(_, index)| index.bytes().all(|byte| byte.is_ascii_digit()) && !index.is_empty()) {
        Some((base, index)) => (base, Some(index)),
        None => (name, None),
    }
}

fn value(lines: Vec<Line>, index: Option<&str>) -> OptionValue {
    let indexed = lines.iter().any(|line| line.index.is_some());
    let mut values = lines.into_iter().filter_map(|line| Some((line.index, line.value?)));
    match index {
        // tmux counts `[07]` as `[7]`.
        Some(wanted) => {
            let wanted: Option<u32> = wanted.parse().ok();
            let found = values.find(|(index, _)| {
                wanted.is_some() && index.as_deref().and_then(|index| index.parse().ok()) == wanted
            });
            found.map_or(OptionValue::Unset, |(_, value)| OptionValue::One(value))
        }
        None if indexed => {
            OptionValue::List(values.filter_map(|(index, value)| Some((index?, value))).collect())
        }
        None => values.next().map_or(OptionValue::Unset, |(_, value)| OptionValue::One(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn one(text: &str) -> OptionValue {
        OptionValue::One(text.to_owned())
    }

    fn read(output: &str, name: &str) -> OptionValue {
        let (base, index) = split_index(name);
        value(lines(output.as_bytes(), base), index)
    }

    #[test]
    fn quotes_are_undone() {
        for (printed, meant) in [
            ("''", ""),
            ("007", "007"),
            ("\\~x", "~x"),
            ("\\;", ";"),
            ("a\\nb", "a\nb"),
            ("\"a\\tb c\"", "a\tb c"),
            ("'a\"b'", "a\"b"),
            ("\"\\$HOME\"", "$HOME"),
            ("\\\\", "\\"),
            ("\"it's \\$x \\\\ \\\" `id`\\n\"", "it's $x \\ \" `id`\n"),
            ("é\\\\033\\033", "é\\033\x1b"),
            ("'", "'"),
            ("\\", "\\"),
            ("display-message \"a\\\\b\"", "display-message \"a\\\\b\""),
        ] {
            assert_eq!(read(&format!("@x {printed}\n"), "@x"), one(meant), "{printed}");
        }
    }

    #[test]
    fn names_and_indices() {
        assert_eq!(read("history-limit 2000\n", "history-l"), one("2000"));
        assert_eq!(read("@a b c\n", "@a b"), one("c"));
        assert_eq!(read("user-keys\n", "user-keys"), OptionValue::Unset);
        assert_eq!(read("", "status"), OptionValue::Unset);
        assert_eq!(read("said by a hook\nstatus on\n", "status"), one("on"));
        let list = "update-environment[0] A\nupdate-environment[12] ''\n";
        let values = vec![("0".to_owned(), "A".to_owned()), ("12".to_owned(), String::new())];
        assert_eq!(read(list, "update-environment"), OptionValue::List(values));
        assert_eq!(read(list, "update-environment[012]"), one(""));
        assert_eq!(read(list, "update-environment[7]"), OptionValue::Unset);
        assert_eq!(read("status on\n", "status[1]"), OptionValue::Unset);
    }

    proptest! {
        #[test]
        fn reading_is_total(output in prop::collection::vec(any::<u8>(), 0..60), name in ".{0,6}") {
            let (base, index) = split_index(&name);
            let _ = value(lines(&output, base), index);
        }
    }
}
