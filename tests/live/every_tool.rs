//! Every tool of the contract is called, live.

use schemux::{ExitCopyModeArgs, RespawnPaneArgs, TOOLS, WaitForExitArgs, WaitForExitOutcome};
use schemux_tests::TmuxWorld;

use super::support::client;

#[tokio::test]
async fn every_tool_answers() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for tool in TOOLS {
        let pane = world.pane("exec sleep 1000");
        match tool.name {
            "exit_copy_mode" => {
                let shown = client.exit_copy_mode(ExitCopyModeArgs::new().pane_id(&pane)).await.unwrap();
                assert_eq!(shown.pane_id, pane);
            }
            "respawn_pane" => {
                let shown = client.respawn_pane(RespawnPaneArgs::new(&pane)).await.unwrap();
                assert_eq!(shown.pane_current_command.as_deref(), Some("sleep"));
            }
            "wait_for_exit" => {
                let end = client.wait_for_exit(WaitForExitArgs::new(&pane).timeout_ms(50)).await.unwrap();
                assert_eq!(end.outcome, WaitForExitOutcome::TimedOut);
            }
            other => panic!("no live test calls {other}: add one here"),
        }
    }
    client.close().await;
}
