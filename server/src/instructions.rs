//! What a model is told about this server as a whole, built from what is offered.

use crate::surface::Surface;

/// The longest that the text may be, in bytes: some clients cut it off there.
pub const LONGEST: usize = 2048;

/// The text for the handshake.
pub fn text(surface: &Surface) -> String {
    let mut parts = vec![
        "Works on the panes, windows and sessions of a tmux server. Use it when the user speaks of tmux, of a pane, or of a \
         program that runs in a terminal; not for browser tabs, editor panes or windows of a desktop."
            .to_owned(),
        "Name a pane by its id (`%1`): ids stay as they are while names and positions change. `socket_name` chooses \
         another tmux server; leave it out for the usual one."
            .to_owned(),
    ];
    let offered = |name: &str| surface.tool(name).is_some();
    if offered("wait_for_exit") {
        parts.push(
            "To learn how a program in a pane ended, call wait_for_exit instead of looking again and again: it answers at \
             the moment of the exit. After `timed_out` the program still runs, and calling again goes on waiting."
                .to_owned(),
        );
    }
    if offered("respawn_pane") {
        parts.push("For a shell or program that hangs, respawn_pane starts anew in the same pane, which keeps its id.".to_owned());
    }
    if offered("exit_copy_mode") {
        parts.push(
            "A pane in a mode (copy mode, a chooser, the clock) takes no typing: exit_copy_mode first."
                .to_owned(),
        );
    }
    let toolsets: Vec<&str> = surface.toolsets().collect();
    let toolsets = if toolsets.is_empty() { "(none)".to_owned() } else { toolsets.join(", ") };
    parts.push(format!(
        "Toolsets on: {toolsets} (of inspect, manage, execute, teardown; LIBTMUX_TOOLSETS chooses)."
    ));
    parts.join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_enough_and_about_what_is_offered() {
        let all = text(&Surface::default());
        assert!(all.len() <= LONGEST, "{} bytes", all.len());
        assert!(all.contains("wait_for_exit"));
        let none = text(&Surface::new(Some(""), None, None).unwrap());
        assert!(!none.contains("wait_for_exit") && none.contains("(none)"), "{none}");
    }
}
