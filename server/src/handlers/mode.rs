//! What lies over a pane: copy mode and its kin.

use schemux::{EnterCopyModeArgs, ExitCopyModeArgs, PaneInfo, ToolError};

use super::target::{self, Found, pane_target};
use crate::state::Tmux;
use crate::tmux::{self, leave_modes};

/// Leaves every mode of a pane; a pane in no mode is left as it is.
pub async fn exit_copy_mode(tmux: &Tmux, args: ExitCopyModeArgs) -> Result<PaneInfo, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let row = target::pane_after(&server, pane_target!(args), leave_modes).await?;
    Ok(tmux.pane_info(&server, row))
}

/// Puts a pane into copy mode, and scrolls its view up. Less than one row is none.
pub async fn enter_copy_mode(tmux: &Tmux, args: EnterCopyModeArgs) -> Result<PaneInfo, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let up = args.scroll_up.and_then(|rows| u64::try_from(rows).ok()).unwrap_or(0);
    let found = Found::pane(&server, pane_target!(args)).await?;
    let row = tmux::enter_copy_mode(&server, found.pane, up).await?;
    Ok(tmux.pane_info(&server, found.seen(row)))
}
