//! Which way may a command list go, and may it be run twice? Pure.
//!
//! On a control connection a command has a client that is attached, and a process has one that is not. Only commands for
//! which that makes no difference go there; everything else, and everything that is not known, is run by a process:
//!
//! - what waits (`wait-for`, `run-shell`, `if-shell` without `-F`) would hold up everybody behind it;
//! - what acts on "the current client" or shows it something (`detach-client`, `display-message` without `-p`, `choose-tree`);
//! - what reads or writes files or standard input (`load-buffer -`, `source-file`);
//! - what starts programs (`new-window`, `respawn-pane`): tmux gives those the `PATH` and the directory of a client
//!   that is not attached;
//! - what leaves open which session or pane is meant, since that would be the client's own.

use super::{Command, CommandList};

/// What must be said about the session, window or pane for the client to make no difference.
#[derive(Clone, Copy)]
enum Scope {
    /// Nothing.
    None,
    /// A target (`-t`).
    Target,
    /// A target, or one of these flags, which mean the whole server.
    TargetOr(&'static [&'static str]),
    /// A target and a source (`-s`).
    Both,
}

use Scope::{Both, None as Nothing, Target, TargetOr};

/// The commands that may go over a connection, and whether they only read.
const KNOWN: &[(&str, Scope, bool)] = &[
    ("break-pane", Both, false),
    ("capture-pane", Target, false),
    ("clear-history", Target, false),
    ("clock-mode", Target, false),
    ("copy-mode", Target, false),
    ("delete-buffer", Nothing, false),
    ("display-message", Target, true),
    ("has-session", Target, true),
    ("if-shell", Target, false),
    ("join-pane", Both, false),
    ("kill-pane", Target, false),
    ("kill-session", Target, false),
    ("kill-window", Target, false),
    ("last-pane", Target, false),
    ("last-window", Target, false),
    ("link-window", Both, false),
    ("list-buffers", Nothing, true),
    ("list-clients", Nothing, true),
    ("list-commands", Nothing, true),
    ("list-keys", Nothing, true),
    ("list-panes", TargetOr(&["-a"]), true),
    ("list-sessions", Nothing, true),
    ("list-windows", TargetOr(&["-a"]), true),
    ("move-pane", Both, false),
    ("move-window", Both, false),
    ("next-layout", Target, false),
    ("next-window", Target, false),
    ("paste-buffer", Target, false),
    ("previous-layout", Target, false),
    ("previous-window", Target, false),
    ("rename-session", Target, false),
    ("rename-window", Target, false),
    ("resize-pane", Target, false),
    ("resize-window", Target, false),
    ("rotate-window", Target, false),
    ("select-layout", Target, false),
    ("select-pane", Target, false),
    ("select-window", Target, false),
    ("send-keys", Target, false),
    ("set-buffer", Nothing, false),
    ("set-environment", TargetOr(&["-g"]), false),
    ("set-hook", TargetOr(&["-g"]), false),
    ("set-option", TargetOr(&["-g", "-s"]), false),
    ("set-window-option", TargetOr(&["-g"]), false),
    ("show-environment", TargetOr(&["-g"]), true),
    ("show-hooks", TargetOr(&["-g"]), true),
    ("show-options", TargetOr(&["-g", "-s"]), true),
    ("show-window-options", TargetOr(&["-g"]), true),
    ("swap-pane", Both, false),
    ("swap-window", Both, false),
    ("unlink-window", Target, false),
    ("wait-for", Nothing, false),
];

impl CommandList {
    /// Whether the list does the same over a connection as by a process.
    pub(crate) fn suits_connection(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(Command::suits_connection)
    }

    /// Whether the list changes nothing, so that it may be run again if its answer is lost.
    pub(crate) fn only_reads(&self) -> bool {
        self.0.iter().all(Command::only_reads)
    }

    /// Whether the list ends the server.
    pub(crate) fn kills_server(&self) -> bool {
        self.0.iter().any(|command| command.name == "kill-server")
    }
}

impl Command {
    /// Says that the command means the same whatever session, window or pane tmux takes for the current one: a format that
    /// holds only variables of the server, for example.
    pub fn anywhere(mut self) -> Self {
        self.anywhere = true;
        self
    }

    fn suits_connection(&self) -> bool {
        let Some((_, scope, _)) = self.known() else { return false };
        let said = match scope {
            Nothing => true,
            Target => self.target_is_absolute('t'),
            TargetOr(flags) => flags.iter().any(|flag| self.has(flag)) || self.target_is_absolute('t'),
            Both => self.target_is_absolute('t') && self.target_is_absolute('s'),
        };
        let fits = match self.name {
            "display-message" => self.has("-p") && !self.asks_for_client(),
            // All operands but the condition.
            "if-shell" => {
                self.has("-F") && self.inner_suiting + 1 == self.operands.len() && !self.asks_for_client()
            }
            // -K gives keys to a client, -c names one.
            "send-keys" => !self.has("-K") && !self.has("-c"),
            "wait-for" => self.has("-S"),
            _ => true,
        };
        (said || self.anywhere) && fits
    }

    fn only_reads(&self) -> bool {
        match self.name {
            "capture-pane" => self.has("-p"),
            name => self.known().is_some_and(|(known, _, reads)| *known == name && *reads),
        }
    }

    fn known(&self) -> Option<&'static (&'static str, Scope, bool)> {
        KNOWN.iter().find(|(name, ..)| *name == self.name)
    }

    fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|word| word == flag.as_bytes())
    }

    /// Whether the target names its session, window or pane by id, or at least the session by name.
    fn target_is_absolute(&self, flag: char) -> bool {
        let flag = format!("-{flag}");
        let at = self.flags.iter().position(|word| word == flag.as_bytes());
        let Some(target) = at.and_then(|at| self.flags.get(at + 1)) else { return false };
        match target.as_slice() {
            [b'%' | b'@' | b'$', b'0'..=b'9', ..] => true,
            [b'=', rest @ ..] | rest => {
                rest.first().is_some_and(u8::is_ascii_alphanumeric) && rest.contains(&b':')
            }
        }
    }

    fn asks_for_client(&self) -> bool {
        let words = self.flags.iter().chain(&self.operands);
        words.into_iter().any(|word| word.windows(7).any(|seven| seven == b"client_"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suits(command: Command) -> bool {
        CommandList::from(command).suits_connection()
    }

    #[test]
    fn the_table_is_in_order() {
        assert!(KNOWN.is_sorted_by_key(|(name, ..)| *name));
    }

    #[test]
    fn only_what_is_the_same_for_every_client_goes_over_a_connection() {
        let new = Command::new;
        assert!(suits(new("list-panes").flag('a').value('F', "x")));
        assert!(!suits(new("list-panes").value('F', "x")));
        assert!(suits(new("capture-pane").flag('p').target("%1")));
        assert!(suits(new("display-message").flag('p').operand("#{pid}").anywhere()));
        assert!(!suits(new("display-message").flag('p').operand("#{pid}")));
        assert!(!suits(new("display-message").target("%1").operand("to the client")));
        assert!(!suits(new("display-message").flag('p').target("%1").operand("#{client_name}")));
        assert!(!suits(new("respawn-pane").target("%1")));
        assert!(!suits(new("wait-for").operand("x")));
        assert!(suits(new("wait-for").flag('S').operand("x")));
        assert!(!suits(new("no-such-command")));
        assert!(!CommandList::new().suits_connection());
        let both = CommandList::from(new("list-sessions")).then(new("run-shell").operand("true"));
        assert!(!both.suits_connection());
    }

    #[test]
    fn targets_that_depend_on_the_client_do_not() {
        let to = |target: &str| suits(Command::new("kill-pane").target(target));
        for target in ["%1", "@2", "$3", "$3:1.2", "main:", "=main:1.0", "0:1"] {
            assert!(to(target), "{target}");
        }
        for target in ["main", ":1", ".0", "=", "!", "{last}", "{last}:", "+1", "~", "", "%", ":"] {
            assert!(!to(target), "{target}");
        }
    }

    #[test]
    fn a_list_inside_counts() {
        let inside = |list: CommandList| {
            suits(Command::new("if-shell").flag('F').target("%1").operand("1").commands(&list).unwrap())
        };
        assert!(inside(Command::new("kill-pane").target("%1").into()));
        assert!(!inside(Command::new("run-shell").operand("true").into()));
        let hook = Command::new("set-hook").flag('p').target("%1").operand("pane-died");
        // What a hook runs later has no client.
        assert!(inside(hook.commands(&Command::new("run-shell").operand("true").into()).unwrap().into()));
        assert!(!suits(Command::new("if-shell").target("%1").operand("true").operand("kill-server")));
        assert!(!suits(Command::new("if-shell").flag('F').target("%1").operand("1").operand("kill-server")));
    }

    #[test]
    fn only_reading_may_be_repeated() {
        let reads = |command: Command| CommandList::from(command).only_reads();
        assert!(reads(Command::new("list-panes").flag('a')));
        assert!(reads(Command::new("capture-pane").flag('p').target("%1")));
        assert!(!reads(Command::new("capture-pane").target("%1")));
        assert!(!reads(Command::new("send-keys").target("%1").operand("x")));
        let if_shell = Command::new("if-shell").flag('F').target("%1").operand("1");
        assert!(!reads(if_shell.commands(&Command::new("list-sessions").into()).unwrap()));
        assert!(!reads(Command::new("no-such-command")));
    }
}
