//! What a model is told about this server as a whole, built from what is offered.

use crate::surface::Surface;
use crate::tmux::Caller;

/// The longest that the text may be, in bytes: some clients cut it off there.
pub const LONGEST: usize = 2048;

/// A paragraph, and the tools of which at least one must be offered for it to make sense. None: always.
const PARAGRAPHS: &[(&[&str], &str)] = &[
    (
        &[],
        "Panes, windows and sessions of a tmux server. Use it when the user speaks of tmux, a pane, or a program in a terminal; not for \
         browser tabs, editor panes or desktop windows. If that is unclear, ask once.",
    ),
    (
        &[],
        "Targets: give ids (pane %1, window @1, session $1); they stay while names and indexes change, and end with the tmux server. \
         session_name matches whole names only. With nothing given the first session by name, its first window, its first pane is \
         meant. socket_name chooses another tmux server (list_servers).",
    ),
    (
        &["run_command"],
        "Run, don't type: run_command gives the exact output and exit status of a shell command. send_keys is for programs that wait \
         for keys (C-c, a REPL, a TUI), paste_text for long text.",
    ),
    (
        &["wait_for_text", "wait_for_exit", "wait_for_channel"],
        "Wait, don't poll: wait_for_text for output of what runs already, wait_for_exit for the end of a pane's program, \
         wait_for_channel for `tmux wait-for -S`. Waits are cut to this server's ceiling and say so; call again to go on.",
    ),
    (
        &["capture_pane", "search_panes", "snapshot_pane", "capture_since"],
        "Read: snapshot_pane for screen and state at once, capture_since for only what is new, search_panes to find which pane shows \
         a text. list_* know names, sizes, programs and paths, not what is on screen.",
    ),
    (
        &["exit_copy_mode"],
        "A pane in a mode (copy mode, chooser, clock) takes no typing: exit_copy_mode first.",
    ),
    (
        &["respawn_pane"],
        "For a shell or program that hangs: C-c, then respawn_pane, which keeps the pane's id.",
    ),
    (
        &["load_buffer"],
        "Buffers: load_buffer answers a name that only this server's buffer tools take; keep it, there is no list. Hooks can be read, \
         not set.",
    ),
];

/// The text for the handshake. `caller` is where this program itself runs.
pub fn text(surface: &Surface, caller: Option<&Caller>) -> String {
    let offered = |tools: &[&str]| tools.is_empty() || tools.iter().any(|tool| surface.tool(tool).is_some());
    let mut parts: Vec<String> =
        PARAGRAPHS.iter().filter(|(tools, _)| offered(tools)).map(|(_, text)| (*text).to_owned()).collect();
    let toolsets: Vec<&str> = surface.toolsets().collect();
    let toolsets = if toolsets.is_empty() { "(none)".to_owned() } else { toolsets.join(", ") };
    parts.push(format!(
        "Toolsets on: {toolsets} (of inspect, manage, execute, teardown; LIBTMUX_TOOLSETS chooses)."
    ));
    if let Some(own) = caller.and_then(here) {
        parts.push(own);
    }
    while parts.iter().map(|part| part.len() + 2).sum::<usize>() > LONGEST + 2 {
        parts.pop();
    }
    parts.join("\n\n")
}

/// The pane that this program runs in.
fn here(caller: &Caller) -> Option<String> {
    let pane = caller.pane.as_deref()?;
    let socket = caller.socket.as_deref().and_then(|socket| socket.file_name());
    let of =
        socket.map(|name| format!(" of the tmux server {:?}", name.to_string_lossy())).unwrap_or_default();
    Some(format!("You run in pane {pane}{of} (is_caller is true there): do not type into it or close it."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller() -> Caller {
        Caller {
            socket: Some("/tmp/tmux-1000/work".into()),
            server_pid: Some(1),
            pane: Some("%12".to_owned()),
        }
    }

    #[test]
    fn short_enough_and_about_what_is_offered() {
        let most = Surface::new(Some("inspect,manage,execute,teardown"), None, None).unwrap();
        let all = text(&most, Some(&caller()));
        assert!(all.len() <= LONGEST, "{} bytes", all.len());
        assert!(
            all.contains("wait_for_exit") && all.contains("pane %12 of the tmux server \"work\""),
            "{all}"
        );
        let none = text(&Surface::new(Some(""), None, None).unwrap(), None);
        assert!(
            !none.contains("wait_for_exit") && none.contains("(none)") && !none.contains("You run"),
            "{none}"
        );
    }

    #[test]
    fn a_long_name_costs_the_last_paragraph_only() {
        let long = Caller { socket: Some(format!("/tmp/{}", "x".repeat(2000)).into()), ..caller() };
        let text = text(&Surface::default(), Some(&long));
        assert!(text.len() <= LONGEST && text.contains("Toolsets on"), "{text}");
    }

    #[test]
    fn every_tool_that_is_named_exists() {
        for (tools, _) in PARAGRAPHS {
            for tool in *tools {
                assert!(schemux::TOOLS.iter().any(|known| known.name == *tool), "{tool}");
            }
        }
    }
}
