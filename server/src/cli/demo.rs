//! Shows the tools at work: a tmux server of its own, this program as its MCP server over stdio, and the typed client.

use std::error::Error;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use schemux::{
    Caller as _, Client, Connection, ExitCopyModeArgs, RespawnPaneArgs, RunCommandArgs, WaitForExitArgs,
};

use super::fail;
use crate::config::Config;
use crate::tmux::{Command, Endpoint, Environment, Options, PaneId, Query, Server};

/// Nothing of the user's: the demo's tmux has its own directory, its own socket and no configuration.
struct Stage {
    directory: tempfile::TempDir,
    socket: PathBuf,
    server: Server,
    options: Options,
}

pub async fn run(config: Config) -> ExitCode {
    let stage = match Stage::build(config) {
        Ok(stage) => stage,
        Err(error) => return fail(&format!("the demo cannot start: {error}"), 1),
    };
    let result = tokio::select! {
        result = stage.play() => result,
        _ = tokio::signal::ctrl_c() => Err("interrupted".into()),
    };
    // A server that never started cannot be ended; everything else is gone after this.
    let _ = stage.server.run(&Command::new("kill-server").into()).await;
    match result {
        Ok(()) => {
            say("done; the demo's tmux server and its files are gone");
            ExitCode::SUCCESS
        }
        Err(error) => fail(&format!("the demo failed: {error}"), 1),
    }
}

impl Stage {
    fn build(config: Config) -> Result<Self, Box<dyn Error>> {
        let directory = tempfile::Builder::new().prefix("schemux-demo-").tempdir()?;
        let socket = directory.path().join("socket");
        let options = Options { config: Some("/dev/null".into()), ..config.options };
        let server = Server::new(options.clone(), Environment::default(), Endpoint::Path(socket.clone()));
        Ok(Stage { directory, socket, server, options })
    }

    async fn play(&self) -> Result<(), Box<dyn Error>> {
        let version = self.server.program_version().await?;
        let (first, second) = self.two_panes().await?;
        say(&format!("started tmux {version} on a socket of its own, with the panes {first} and {second}"));

        let client = self.client().await?;
        let tools = client.caller().list().await?;
        say(&format!("started `schemux serve`; it offers {} tools", tools.len()));

        run_a_command(&client, first).await?;
        respawn_and_wait(&client, second).await?;
        self.leave_copy_mode(&client, first).await?;

        let refused = client.respawn_pane(RespawnPaneArgs::new("%404")).await;
        say(&format!(
            "respawn_pane %404 is refused: {}",
            refused.err().map_or_else(String::new, |e| e.to_string().replace('\n', " "))
        ));
        client.close().await;
        Ok(())
    }

    async fn two_panes(&self) -> Result<(PaneId, PaneId), Box<dyn Error>> {
        let shell = "exec /bin/sh";
        let session = Command::new("new-session")
            .flag('d')
            .value('x', "80")
            .value('y', "24")
            .value('s', "demo")
            .operand(shell);
        self.server.run(&session.into()).await?;
        self.server
            .run(&Command::new("split-window").flag('d').value('t', "demo").operand(shell).into())
            .await?;
        let panes = self.server.panes().await?;
        match panes.as_slice() {
            [first, second] => Ok((first.id, second.id)),
            other => Err(format!("two panes were made, {} are there", other.len()).into()),
        }
    }

    async fn client(&self) -> Result<Client<Connection>, Box<dyn Error>> {
        let program = std::env::current_exe()?;
        #[allow(
            clippy::disallowed_methods,
            reason = "this is the client's side: it starts an MCP server, not tmux"
        )]
        let mut command = tokio::process::Command::new(program);
        command.args([
            OsStr::new("--socket-path"),
            self.socket.as_os_str(),
            OsStr::new("--tmux"),
            self.options.tmux.as_os_str(),
        ]);
        command.arg("serve").current_dir(self.directory.path());
        for variable in ["TMUX", "TMUX_PANE", "LIBTMUX_TOOLSETS", "LIBTMUX_TOOLS", "LIBTMUX_EXCLUDE_TOOLS"] {
            command.env_remove(variable);
        }
        Ok(Client::spawn(command).await?)
    }

    async fn leave_copy_mode(&self, client: &Client<Connection>, pane: PaneId) -> Result<(), Box<dyn Error>> {
        self.server.run(&Command::new("copy-mode").target(pane).into()).await?;
        let before = self.mode(pane).await?;
        let shown = client.exit_copy_mode(ExitCopyModeArgs::new().pane_id(pane.to_string())).await?;
        let after = self.mode(pane).await?;
        say(&format!("put {pane} into {before}; exit_copy_mode {}: now it is in {after}", shown.pane_id));
        Ok(())
    }

    async fn mode(&self, pane: PaneId) -> Result<String, Box<dyn Error>> {
        let query = Query::new(&["pane_mode"]);
        let ask = Command::new("display-message").flag('p').target(pane).operand(query.template());
        let rows = self.server.rows(&query, ask.into()).await?;
        Ok(rows.first().and_then(|row| row.some("pane_mode")).unwrap_or_else(|| "no mode".to_owned()))
    }
}

async fn run_a_command(client: &Client<Connection>, pane: PaneId) -> Result<(), Box<dyn Error>> {
    let command = "seq 1 3; (exit 7)";
    let ran = client.run_command(RunCommandArgs::new(command).pane_id(pane.to_string())).await?;
    let (output, status) = (ran.output.unwrap_or_default().join(" "), ran.exit_status.unwrap_or(-1));
    say(&format!("run_command {pane} `{command}`: it wrote {output:?} and ended with status {status}"));
    Ok(())
}

async fn respawn_and_wait(client: &Client<Connection>, pane: PaneId) -> Result<(), Box<dyn Error>> {
    let command = "echo working; sleep 0.5; exit 3";
    let pane = client.respawn_pane(RespawnPaneArgs::new(pane.to_string()).shell(command)).await?;
    let process = pane.pane_pid.unwrap_or_default();
    say(&format!("respawn_pane {} with `{command}`: process {process}", pane.pane_id));
    let started = Instant::now();
    let end = client.wait_for_exit(WaitForExitArgs::new(&pane.pane_id).timeout_ms(10_000)).await?;
    let status = end.exit_status.map_or_else(|| end.signal.unwrap_or_default(), |status| status.to_string());
    let took = Duration::from_millis(u64::try_from(started.elapsed().as_millis())?);
    say(&format!("wait_for_exit {}: {} after {took:?} with status {status}", pane.pane_id, end.outcome));
    Ok(())
}

fn say(what: &str) {
    println!("{what}");
}
