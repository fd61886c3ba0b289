//! What lies over a pane: copy mode and its kin.

use schemux::{ExitCopyModeArgs, PaneInfo, ToolError};

use super::pane;
use crate::tmux::{PaneRow, Target, leave_modes};
use crate::tools::Tmux;

/// Leaves every mode of a pane; a pane in no mode is left as it is.
pub async fn exit_copy_mode(tmux: &Tmux, args: ExitCopyModeArgs) -> Result<PaneInfo, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let target = Target {
        window_id: args.window_id.as_deref(),
        session_id: args.session_id.as_deref(),
        session_name: args.session_name.as_deref(),
        ..Target::default()
    };
    // An id needs no look at the other panes.
    let row = match args.pane_id.as_deref() {
        Some(id) => leave_modes(&server, pane::id(id)?).await?,
        None => {
            let meant = target.pane(&server.panes().await?)?.clone();
            // A pane that several sessions show is answered as the one that was named shows it.
            PaneRow { session_id: meant.session_id, ..leave_modes(&server, meant.id).await? }
        }
    };
    let is_caller = tmux.is_caller(&server, row.id);
    Ok(pane::info(row, is_caller))
}
