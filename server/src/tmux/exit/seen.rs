//! What one look at a pane says about the end of its program.

use super::status::Status;
use crate::tmux::command::{Command, CommandList};
use crate::tmux::format::{Query, Row};
use crate::tmux::id::PaneId;
use crate::tmux::pane::PaneRow;
use crate::tmux::version::Version;

/// The pane option that says how to put things back, while anybody waits: see [`super::arming`].
pub(super) const WAS: &str = "@schemux_exit_was";
/// The pane option that lists who waits.
pub(super) const WAITS: &str = "@schemux_exit_waits";

const VARIABLES: &[&str] = &[
    "pane_id",
    "pane_pid",
    "pane_dead",
    "pane_dead_status",
    "pane_dead_signal",
    "remain-on-exit",
    WAS,
    WAITS,
    "pid",
    "version",
];

/// A pane at one moment.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    /// The process that tmux started in the pane.
    pub process: Option<i32>,
    /// The terminal is closed. Up to 3.6 this comes before the status is known.
    pub dead: bool,
    /// How the program ended, once tmux knows.
    pub status: Option<Status>,
    /// The value of `remain-on-exit` that is in force.
    pub remain: String,
    /// The value of [`WAS`].
    pub was: String,
    /// The value of [`WAITS`].
    pub waits: String,
    /// The process of the tmux server.
    pub server: Option<i32>,
    /// The version of the tmux server.
    pub version: Version,
}

/// What a look means for somebody who waits for the end of one process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Meaning {
    /// It runs, as far as tmux knows.
    Running,
    /// It has ended, and tmux does not know how yet.
    Dying,
    /// It has ended.
    Ended(Status),
    /// The pane is gone, or runs another program: how this one ended cannot be known any more.
    Gone,
}

pub(super) fn query() -> Query {
    Query::new(VARIABLES)
}

/// Prints the row of one pane, or nothing.
pub(super) fn look(query: &Query, pane: PaneId) -> Command {
    PaneRow::list_one(query, pane)
}

pub(super) fn read(rows: &[Row]) -> Option<Seen> {
    // A pane in several sessions has several rows, equal in all of this.
    let row = rows.first()?;
    let dead = row.flag("pane_dead");
    let status = Status::read(&row.text("pane_dead_status"), &row.text("pane_dead_signal"));
    Some(Seen {
        process: row.parsed("pane_pid").filter(|&pid| pid > 0),
        dead,
        status: status.filter(|_| dead),
        remain: row.text("remain-on-exit"),
        was: row.text(WAS),
        waits: row.text(WAITS),
        server: row.parsed("pid").filter(|&pid| pid > 0),
        version: Version::parse(&row.text("version")),
    })
}

pub(super) fn meaning(seen: Option<&Seen>, process: Option<i32>) -> Meaning {
    match seen {
        // From 3.8 on a pane whose program has ended has no process, also for the moment before it is dead.
        Some(seen) if seen.process == process || seen.process.is_none() => match (&seen.status, seen.dead) {
            (Some(status), _) => Meaning::Ended(status.clone()),
            (None, true) => Meaning::Dying,
            (None, false) if seen.process != process => Meaning::Dying,
            (None, false) => Meaning::Running,
        },
        _ => Meaning::Gone,
    }
}

/// What the pane itself has set, apart from what it inherits. Formats cannot tell the two apart; `show-options` can.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Own {
    /// The pane's own value of `remain-on-exit`.
    pub remain: Option<String>,
    /// Whether the pane has `pane-died` hooks of its own.
    pub hooks: bool,
}

/// A look that also tells what the pane itself has set.
pub(super) struct Survey(Query);

impl Survey {
    pub fn new() -> Self {
        Self(query())
    }

    /// Fails if there is no such pane.
    pub fn list(&self, pane: PaneId) -> CommandList {
        // -A: an inherited value is printed too, with a star. Without a value that is always there, a line that a hook
        // prints could be taken for one.
        let show = |option| Command::new("show-options").flag('p').flag('A').target(pane).operand(option);
        CommandList::from(look(&self.0, pane)).then(show("remain-on-exit")).then(show("pane-died"))
    }

    pub fn read(&self, output: &[u8]) -> Option<(Seen, Own)> {
        let seen = read(&self.0.rows(output).ok()?)?;
        Some((seen, own(&String::from_utf8_lossy(output))))
    }
}

/// Reads `remain-on-exit* off` (inherited), `remain-on-exit off`, `pane-died[0]* command`, `pane-died[0] command`.
fn own(output: &str) -> Own {
    let is_value = |value: &&str| value.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let mut remain = output.lines().filter_map(|line| {
        let (star, value) = line.strip_prefix("remain-on-exit")?.split_once(' ')?;
        is_value(&value).then(|| star.is_empty().then(|| value.to_owned()))
    });
    let hooks = output.lines().any(|line| {
        line.strip_prefix("pane-died[")
            .and_then(|rest| rest.split_once("] "))
            .is_some_and(|(index, _)| index.parse::<u32>().is_ok())
    });
    Own { remain: remain.next().flatten(), hooks }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(process: &str, dead: &str, code: &str, signal: &str) -> Option<Seen> {
        let query = query();
        let filled = ["%1", process, dead, code, signal, "off", "", "", "77", "3.3a"]
            .iter()
            .zip(VARIABLES)
            .fold(query.template().replace("#{q:", "#{"), |text, (value, name)| {
                text.replace(&format!("#{{{name}}}"), value)
            });
        read(&query.rows(filled.as_bytes()).unwrap())
    }

    fn of(process: &str, dead: &str, code: &str, signal: &str) -> Meaning {
        meaning(seen(process, dead, code, signal).as_ref(), Some(5))
    }

    #[test]
    fn a_look_means_one_of_four_things() {
        assert_eq!(of("5", "0", "", ""), Meaning::Running);
        assert_eq!(of("5", "1", "", ""), Meaning::Dying);
        assert_eq!(of("5", "1", "0", ""), Meaning::Ended(Status::Code(0)));
        assert!(
            matches!(of("5", "1", "", "15"), Meaning::Ended(Status::Signal(signal)) if signal.number == 15)
        );
        assert_eq!(of("", "1", "0", ""), Meaning::Ended(Status::Code(0)));
        assert_eq!(of("6", "1", "0", ""), Meaning::Gone);
        assert_eq!(of("", "0", "", ""), Meaning::Dying);
        assert_eq!(meaning(None, Some(5)), Meaning::Gone);
    }

    #[test]
    fn a_survey_tells_own_settings_from_inherited_ones() {
        let of = |text: &str| own(&format!("zNB…zNE\nprinted by a hook\n{text}\nprinted by a hook\n"));
        assert_eq!(of("remain-on-exit* failed\npane-died"), Own::default());
        assert_eq!(of("remain-on-exit* off\npane-died[0]* display-message x"), Own::default());
        let hooked = Own { remain: Some("failed".to_owned()), hooks: true };
        assert_eq!(of("remain-on-exit failed\npane-died[3] display-message y"), hooked);
        assert_eq!(own("remain-on-exit of all things\npane-died[x] y"), Own::default());
        assert!(Survey::new().read(b"").is_none());
    }
}
