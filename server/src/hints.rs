//! What each tool really does to tmux, as MCP's hints. One table; the live tests hold it to what they see change.

use serde_json::{Value, json};

/// Which hints are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hints {
    /// As the contract has them: the same careful ones for every tool.
    #[default]
    Documented,
    /// As each tool really is, so that clients ask for approval only where there is something to approve.
    Precise,
}

/// The four hints of MCP's tool annotations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Precise {
    /// Changes nothing.
    pub read_only: bool,
    /// May end or overwrite something that cannot be had back.
    pub destructive: bool,
    /// A second call with the same arguments changes nothing more.
    pub idempotent: bool,
    /// May run programs or commands that the caller chooses, which can reach anything.
    pub open_world: bool,
}

impl Precise {
    /// As MCP's `annotations`.
    pub fn annotations(self) -> Value {
        json!({
            "destructiveHint": self.destructive,
            "idempotentHint": self.idempotent,
            "openWorldHint": self.open_world,
            "readOnlyHint": self.read_only,
        })
    }
}

const READS: Precise = Precise { read_only: true, destructive: false, idempotent: true, open_world: false };
const SETS: Precise = Precise { read_only: false, destructive: false, idempotent: true, open_world: false };
const MOVES: Precise = Precise { idempotent: false, ..SETS };
const OVERWRITES: Precise = Precise { destructive: true, ..SETS };
const ENDS: Precise = Precise { idempotent: false, ..OVERWRITES };
const RUNS: Precise = Precise { open_world: true, ..ENDS };
const STARTS: Precise = Precise { destructive: false, ..RUNS };

/// Sorted by name.
const TABLE: &[(&str, Precise)] = &[
    ("call_read_tools_batch", READS),
    ("capture_pane", READS),
    ("capture_since", READS),
    // A second time there is nothing left to clear.
    ("clear_pane", OVERWRITES),
    ("create_session", MOVES),
    ("create_window", MOVES),
    ("delete_buffer", ENDS),
    ("display_message", READS),
    // With scroll_up it scrolls on.
    ("enter_copy_mode", MOVES),
    ("exit_copy_mode", SETS),
    ("find_pane_by_position", READS),
    ("get_pane_info", READS),
    ("get_server_info", READS),
    ("get_session_info", READS),
    ("get_window_info", READS),
    ("kill_pane", ENDS),
    ("kill_server", ENDS),
    ("kill_session", ENDS),
    ("kill_window", ENDS),
    ("list_panes", READS),
    ("list_servers", READS),
    ("list_sessions", READS),
    ("list_windows", READS),
    ("load_buffer", MOVES),
    ("move_window", MOVES),
    ("paste_buffer", RUNS),
    ("paste_text", RUNS),
    // It writes files.
    ("pipe_pane", RUNS),
    ("rename_session", SETS),
    ("rename_window", SETS),
    ("resize_pane", SETS),
    ("resize_window", SETS),
    ("respawn_pane", RUNS),
    ("run_command", RUNS),
    ("search_panes", READS),
    ("select_layout", SETS),
    // `next` goes on each time.
    ("select_pane", MOVES),
    ("select_window", MOVES),
    ("send_keys", RUNS),
    ("send_keys_batch", RUNS),
    ("set_environment", OVERWRITES),
    // An option can hold a command.
    ("set_option", Precise { open_world: true, ..OVERWRITES }),
    ("set_pane_title", SETS),
    ("show_buffer", READS),
    ("show_environment", READS),
    ("show_hook", READS),
    ("show_hooks", READS),
    ("show_option", READS),
    // A signal that nobody waits for stays, and a second one takes it back.
    ("signal_channel", MOVES),
    ("snapshot_pane", READS),
    ("split_window", STARTS),
    ("swap_pane", MOVES),
    // It takes a stored signal away.
    ("wait_for_channel", MOVES),
    // Below tmux 3.8 it sets options of the pane, and puts them back.
    ("wait_for_exit", READS),
    ("wait_for_text", READS),
];

/// The hints of the tool of this name.
pub fn of(tool: &str) -> Option<Precise> {
    TABLE.binary_search_by_key(&tool, |(name, _)| name).ok().map(|at| TABLE[at].1)
}

#[cfg(test)]
mod tests {
    use schemux::TOOLS;

    use super::*;

    #[test]
    fn every_tool_has_its_line() {
        assert!(TABLE.is_sorted_by_key(|(name, _)| *name));
        let named: Vec<_> = TABLE.iter().map(|(name, _)| *name).collect();
        assert_eq!(named, TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>());
    }

    #[test]
    fn what_only_reads_destroys_nothing() {
        for (name, hints) in TABLE {
            assert!(!hints.read_only || (!hints.destructive && hints.idempotent), "{name}");
        }
        for tool in TOOLS.iter().filter(|tool| tool.toolset == "teardown") {
            assert!(of(tool.name).unwrap().destructive, "{}", tool.name);
        }
    }
}
