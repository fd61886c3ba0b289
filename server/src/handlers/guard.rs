//! What would end this program itself is refused.

use schemux::ToolError;

use crate::state::Tmux;
use crate::tmux::{Place, Server};

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

fn refuse_if(guarded: bool, what: &str) -> Result<(), ToolError> {
    if !guarded {
        return Ok(());
    }
    let message =
        format!("this MCP server runs in {what}; to kill that would end it as well, so it is refused");
    Err(ToolError::expected("ExpectedToolError", message).suggest("Do it by hand in tmux if it is meant."))
}
