//! From what went wrong with tmux to what the caller is told: the kinds are those of the server that this contract is from.

use schemux::{TOOLS, ToolError};

use crate::tmux::TmuxError;

impl From<TmuxError> for ToolError {
    fn from(error: TmuxError) -> Self {
        let text = error.to_string();
        match error {
            TmuxError::BinaryMissing { .. } | TmuxError::CannotRun { .. } => {
                ToolError::unexpected("TmuxCommandNotFound", text)
                    .suggest("Install tmux, or set LIBTMUX_TMUX_BIN to where it is.")
            }
            TmuxError::TooOld { .. } => ToolError::unexpected("VersionTooLow", text),
            TmuxError::NoSuchPane { .. } => ToolError::expected("PaneNotFound", text).suggest(listing(
                "list_panes",
                "list-panes -a",
                "pane",
            )),
            TmuxError::NoSuchWindow { .. } => ToolError::expected("TmuxObjectDoesNotExist", text)
                .suggest(listing("list_windows", "list-windows -a", "window")),
            TmuxError::NoSuchSession { .. } => ToolError::expected("TmuxObjectDoesNotExist", text)
                .suggest(listing("list_sessions", "list-sessions", "session")),
            TmuxError::NoServer { .. } | TmuxError::DeadSocket { .. } | TmuxError::NoSessions => {
                ToolError::expected("TmuxObjectDoesNotExist", text)
                    .suggest("Start a tmux session, or choose another server with socket_name.")
            }
            TmuxError::SessionExists { .. } => ToolError::expected("TmuxSessionExists", text),
            TmuxError::BadSessionName { .. } => ToolError::expected("BadSessionName", text),
            // Refusals before anything was done: the pane's state is in the way.
            TmuxError::PaneDead { .. } => {
                ToolError::expected("ExpectedToolError", text).suggest("Call respawn_pane to start its program again.")
            }
            TmuxError::NotAShell { .. } => ToolError::expected("ExpectedToolError", text)
                .suggest("Type into a program with send_keys; wait for its output with wait_for_text."),
            // The id of the command that runs means nothing outside.
            TmuxError::ShellBusy { pane, .. } => ToolError::expected(
                "ExpectedToolError",
                format!("pane {pane} is busy: a command that run_command started there still runs; nothing was typed"),
            )
            .suggest("Wait for its end, interrupt it with send_keys C-c, or run this in another pane."),
            TmuxError::PaneInMode { .. }
            | TmuxError::PaneInputOff { .. }
            | TmuxError::PaneSynchronized { .. }
            | TmuxError::TooMuchText { .. }
            | TmuxError::KeyNeedsNewer { .. }
            | TmuxError::BadCursor { .. } => ToolError::expected("ExpectedToolError", text),
            TmuxError::EndedAtOnce { .. } => ToolError::expected("TmuxObjectDoesNotExist", text),
            TmuxError::NoSuchOption { .. } | TmuxError::BadIndex { .. } => ToolError::expected("InvalidOption", text),
            TmuxError::AmbiguousOption { .. } => ToolError::expected("AmbiguousOption", text),
            TmuxError::BadOptionValue { .. } => ToolError::expected("OptionError", text),
            TmuxError::NoSuchHook { .. } => ToolError::expected("InvalidOption", text)
                .suggest("Call show_hooks for the hooks that are set, or show_option for an option."),
            TmuxError::EmptyBuffer => ToolError::expected("ExpectedToolError", text),
            TmuxError::Nul(_) | TmuxError::BadVariable { .. } => ToolError::expected("ValueError", text),
            _ => ToolError::expected("LibTmuxException", text),
        }
    }
}

/// A refusal that the caller can mend.
pub fn refused(what: impl Into<String>) -> ToolError {
    ToolError::expected("ExpectedToolError", what.into())
}

/// How to find out which objects there are: by a tool where the contract has it, by hand until then.
fn listing(tool: &str, command: &str, what: &str) -> String {
    if TOOLS.iter().any(|known| known.name == tool) {
        format!("Call {tool} to discover valid {what} ids.")
    } else {
        format!("Run `tmux {command}` to discover valid {what} ids.")
    }
}
