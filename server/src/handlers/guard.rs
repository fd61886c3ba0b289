//! What would end this program itself is refused.

use schemux::ToolError;

use super::errors::refused;
use crate::state::Tmux;
use crate::tmux::{PaneId, Place, Server};

/// Refuses to end the server if this program may run in it.
pub fn server(tmux: &Tmux, server: &Server) -> Result<(), ToolError> {
    refuse_if(tmux.guards_server(server), "the tmux server")
}

/// Refuses to end what holds these panes if this program may run in one of them.
pub fn places<'a>(
    tmux: &Tmux,
    server: &Server,
    mut places: impl Iterator<Item = &'a Place>,
    what: &str,
) -> Result<(), ToolError> {
    refuse_if(places.any(|place| tmux.guards(server, place.pane_id)), what)
}

/// Refuses to do to a pane what would end this program if it runs there; `what` says it as a verb.
pub fn pane(tmux: &Tmux, server: &Server, pane: PaneId, what: &str) -> Result<(), ToolError> {
    if !tmux.guards(server, pane) {
        return Ok(());
    }
    Err(by_hand(format!(
        "pane {pane} runs this MCP server; to {what} it would end the server, so it is refused"
    )))
}

fn refuse_if(guarded: bool, what: &str) -> Result<(), ToolError> {
    if !guarded {
        return Ok(());
    }
    Err(by_hand(format!(
        "this MCP server runs in {what}; to kill that would end it as well, so it is refused"
    )))
}

fn by_hand(message: String) -> ToolError {
    refused(message).suggest("Do it by hand in tmux if it is meant.")
}
