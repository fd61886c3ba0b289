//! Makes a pane keep its exit status (before tmux 3.8), and puts everything back: command lists, pure.
//!
//! A pane that closes takes its status along. So while somebody waits, the pane gets `remain-on-exit on`, and whoever
//! waits closes it afterwards if it would have closed. Several programs may wait for one pane and know nothing of each other;
//! they meet in two options of the pane:
//!
//! - [`WAITS`]: a token for each waiting program. The last to leave puts things back and closes the pane.
//! - [`WAS`]: what to put back: the pane's own value of `remain-on-exit` before, or `unset`, and `closer` if the hook is there.
//!
//! Every change is one command list with its condition inside, because tmux runs a list without looking at anything else
//! in between: no program can end, and nobody else can change the options, between the condition and the change.
//!
//! If the waiting programs are killed, a hook of the pane closes it two seconds after its program has ended (where tmux
//! loses the end of programs, see [`super::nudge`], once another one ends). Hooks of the
//! pane hide the user's global ones, so it is set only where `pane-died` could not have run anyway: where the pane would have
//! closed, and has no such hook of its own.

use super::seen::{self, Own, Seen, WAITS, WAS};
use crate::tmux::command::{Command, CommandList, NulInWord, literal};
use crate::tmux::format::Query;
use crate::tmux::id::PaneId;

/// How long a dead pane is left for the waiting programs to read, in seconds.
const CLOSER_DELAY: &str = "2";

/// One program's part in keeping a pane's status.
#[derive(Debug, Clone)]
pub(super) struct Arming {
    pane: PaneId,
    token: String,
    was: Was,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Was {
    remain: Option<String>,
    closer: bool,
}

impl Was {
    fn from_own(own: &Own, remain: &str) -> Self {
        Self { remain: own.remain.clone(), closer: remain == "off" && !own.hooks }
    }

    fn from_ledger(text: &str) -> Self {
        let (remain, closer) = match text.strip_suffix(" closer") {
            Some(remain) => (remain, true),
            None => (text, false),
        };
        Self { remain: Some(remain.to_owned()).filter(|value| value != "unset"), closer }
    }

    fn to_ledger(&self) -> String {
        let closer = if self.closer { " closer" } else { "" };
        format!("{}{closer}", self.remain.as_deref().unwrap_or("unset"))
    }
}

/// Whether the pane would close, or might, when its program ends: it has to be armed.
///
/// `on` keeps it; so does `key`, until a person presses one.
pub(super) fn is_needed(seen: &Seen) -> bool {
    !matches!(seen.remain.as_str(), "on" | "key") || !seen.waits.is_empty()
}

/// Whether the pane is armed for the program with this token.
pub(super) fn is_armed(seen: &Seen, token: &str) -> bool {
    seen.waits.split(' ').any(|waiting| waiting == token)
}

impl Arming {
    /// What this program will do to the pane that was seen like this.
    pub fn new(pane: PaneId, token: String, seen: &Seen, own: &Own) -> Self {
        let was = match seen.was.as_str() {
            "" => Was::from_own(own, &seen.remain),
            ledger => Was::from_ledger(ledger),
        };
        Self { pane, token, was }
    }

    /// Arms the pane unless it has changed since it was seen, and looks at it. Whoever comes first sets everything; others add
    /// themselves, which cannot fail because of each other.
    pub fn arm(&self, query: &Query, seen: &Seen) -> Result<CommandList, NulInWord> {
        let is_first = seen.was.is_empty();
        let mut unchanged = vec![
            "#{?pane_dead,0,1}".to_owned(),
            equal("#{pane_pid}", &seen.process.unwrap_or(0).to_string()),
            equal(&format!("#{{{WAS}}}"), &seen.was),
        ];
        if is_first {
            unchanged.push(equal("#{remain-on-exit}", &seen.remain));
        }
        let enter = self.set(WAITS, &format!("#{{{WAITS}}}{} ", self.token));
        let list = if is_first { self.first(enter)? } else { enter.into() };
        let arm = self.only_if(&all(&unchanged), &list)?;
        Ok(CommandList::from(arm).then(seen::look(query, self.pane)))
    }

    /// Looks at the pane and takes this program out; if it is the last, puts things back, and closes the pane if it is dead
    /// and would have closed. May be run twice, and also if it is not known whether the pane was armed.
    pub fn leave(&self, query: &Query) -> Result<CommandList, NulInWord> {
        let out = self.set(WAITS, &format!("#{{s/{} //:{WAITS}}}", self.token));
        let is_last = all(&[format!("#{{!=:#{{{WAS}}},}}"), equal(&format!("#{{{WAITS}}}"), "")]);
        let in_ledger = format!("#{{m:*{}*,#{{{WAITS}}}}}", self.token);
        let mine = CommandList::from(out).then(self.only_if(&is_last, &self.last()?)?);
        Ok(CommandList::from(seen::look(query, self.pane)).then(self.only_if(&in_ledger, &mine)?))
    }

    fn first(&self, enter: Command) -> Result<CommandList, NulInWord> {
        let list = CommandList::new()
            .then(self.set(WAS, &self.was.to_ledger()))
            .then(enter)
            .then(self.set("remain-on-exit", "on"));
        if !self.was.closer {
            return Ok(list);
        }
        let close = self.only_if("#{pane_dead}", &self.kill().into())?;
        let line = CommandList::from(close).line()?;
        // run-shell expands its command when it is queued, so the condition is doubled to be left for later.
        let later = Command::new("run-shell")
            .flag('b')
            .value('d', CLOSER_DELAY)
            .flag('C')
            .operand(literal(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(&line)));
        Ok(list.then(
            Command::new("set-hook")
                .flag('p')
                .target(self.pane)
                .operand("pane-died")
                .commands(&later.into())?,
        ))
    }

    fn last(&self) -> Result<CommandList, NulInWord> {
        let restore = match &self.was.remain {
            None => self.unset("remain-on-exit"),
            Some(value) => self.set("remain-on-exit", value),
        };
        let mut list = CommandList::new().then(self.unset(WAITS)).then(self.unset(WAS));
        if self.was.closer {
            list = list
                .then(Command::new("set-hook").flag('p').flag('u').target(self.pane).operand("pane-died"));
        }
        // Somebody who has set it to something else meanwhile has the last word.
        let is_ours = equal("#{remain-on-exit}", "on");
        let would_have_closed = all(&[
            "#{pane_dead}".to_owned(),
            any(
                &equal("#{remain-on-exit}", "off"),
                &all(&[equal("#{remain-on-exit}", "failed"), equal("#{pane_dead_status}", "0")]),
            ),
        ]);
        Ok(list
            .then(self.only_if(&is_ours, &restore.into())?)
            .then(self.only_if(&would_have_closed, &self.kill().into())?))
    }

    fn only_if(&self, condition: &str, list: &CommandList) -> Result<Command, NulInWord> {
        Command::new("if-shell").flag('F').target(self.pane).operand(condition).commands(list)
    }

    fn set(&self, option: &str, format: &str) -> Command {
        Command::new("set-option").flag('p').flag('F').target(self.pane).operand(option).operand(format)
    }

    fn unset(&self, option: &str) -> Command {
        Command::new("set-option").flag('p').flag('u').target(self.pane).operand(option)
    }

    fn kill(&self) -> Command {
        Command::new("kill-pane").target(self.pane)
    }
}

fn equal(format: &str, value: &str) -> String {
    format!("#{{==:{format},{value}}}")
}

fn any(a: &str, b: &str) -> String {
    format!("#{{||:{a},{b}}}")
}

/// tmux 3.2a to 3.5a take two operands only.
fn all(conditions: &[String]) -> String {
    match conditions {
        [] => "1".to_owned(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("#{{&&:{first},{}}}", all(rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ledger_is_read_back() {
        for remain in [None, Some("off".to_owned()), Some("failed".to_owned())] {
            for closer in [false, true] {
                let was = Was { remain: remain.clone(), closer };
                assert_eq!(Was::from_ledger(&was.to_ledger()), was);
            }
        }
    }

    #[test]
    fn the_closer_is_set_only_where_it_hides_nothing() {
        let own = |hooks| Own { remain: None, hooks };
        assert!(Was::from_own(&own(false), "off").closer);
        assert!(!Was::from_own(&own(true), "off").closer);
        assert!(!Was::from_own(&own(false), "failed").closer);
    }
}
