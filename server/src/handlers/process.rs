//! What runs in a pane.

use schemux::{PaneInfo, RespawnPaneArgs, ToolError};

use super::{guard, pane, start};
use crate::state::Tmux;
use crate::tmux::{Respawn, respawn};

/// Starts a pane's program anew, or another one in its place. Nothing is killed unless everything that was asked for can be
/// had.
pub async fn respawn_pane(tmux: &Tmux, args: RespawnPaneArgs) -> Result<PaneInfo, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let environment = start::variables(args.environment, args.suppress_persistent_history)?;
    let start_directory = start::directory(tmux, args.start_directory)?;
    server.recognize().await?;
    let id = server.pane(pane::id(&args.pane_id)?).await?.id;
    guard::pane(tmux, &server, id, "respawn")?;
    let what = Respawn { kill: args.kill, start_directory, environment, shell_command: args.shell };
    let row = respawn(&server, id, &what).await?;
    Ok(tmux.pane_info(&server, row))
}
