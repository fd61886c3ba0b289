//! Starts a command in a pane, waits for its end and prints how it ended, through the typed client.
//!
//! ```console
//! cargo run --example restart_and_wait -- schemux %1 'make test'
//! ```

use std::error::Error;

use schemux::{CallError, Client, Connection, RespawnPaneArgs, TOOLS, WaitForExitArgs, WaitForExitOutcome};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let [server, pane, command] = std::env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "usage: restart_and_wait SERVER PANE COMMAND")?;

    #[allow(clippy::disallowed_methods, reason = "a client starts the server that it talks to")]
    let client = Client::spawn(tokio::process::Command::new(server)).await?;

    println!("{}", run(&client, &pane, &command).await?);
    client.close().await;
    Ok(())
}

/// Starts `command` in `pane` and says how it ended.
pub async fn run(client: &Client<Connection>, pane: &str, command: &str) -> Result<String, Box<dyn Error>> {
    // Does this server still offer what this program was compiled from?
    let used = ["respawn_pane", "wait_for_exit"];
    let used: Vec<_> = TOOLS.iter().copied().filter(|tool| used.contains(&tool.name)).collect();
    let differences = client.verify_contract(&used).await?;
    if !differences.is_empty() {
        return Err(differences.join("\n").into());
    }

    let pane = match client.respawn_pane(RespawnPaneArgs::new(pane).shell(command)).await {
        Ok(pane) => pane,
        Err(CallError::Tool(error)) if error.expected => {
            return Ok(format!("refused ({}): {}", error.error_type, error.message));
        }
        Err(error) => return Err(error.into()),
    };
    let end = client.wait_for_exit(WaitForExitArgs::new(&pane.pane_id).timeout_ms(20_000)).await?;
    Ok(match end.outcome {
        WaitForExitOutcome::Completed => match (end.exit_status, end.signal) {
            (Some(status), _) => format!("{} ended with status {status}", pane.pane_id),
            (None, signal) => format!("{} was ended by {}", pane.pane_id, signal.unwrap_or_default()),
        },
        other => format!("{}: {other} after {} ms", pane.pane_id, end.effective_timeout_ms),
    })
}
