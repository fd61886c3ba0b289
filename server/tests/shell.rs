//! Running commands in the shells of panes of a real tmux: the system's, or what `SCHEMUX_TEST_TMUX` says. As `shell` over
//! connections, as `shell_by_process` with a process for every command and pipes.
#![allow(clippy::disallowed_methods, reason = "tests and benches start the programs that they are about")]

#[path = "shell/ends.rs"]
mod ends;
#[path = "shell/output.rs"]
mod output;
#[path = "shell/shells.rs"]
mod shells;

use std::time::Duration;

use schemux_server::tmux::{
    Endpoint, Engine, Environment, Options, PaneId, Progress, Ran, Server, ShellCommand, TmuxError,
    run_in_shell,
};
use schemux_tests::TmuxWorld;

/// The engine's handle on a world's server.
fn server(world: &TmuxWorld) -> Server {
    let by_process = env!("CARGO_CRATE_NAME").ends_with("by_process");
    let engine = if by_process { Engine::Process } else { Engine::default() };
    let options = Options { tmux: world.program(), engine, ..Options::default() };
    let environment = Environment { tmux_tmpdir: Some(world.directory().into()), ..Environment::default() };
    Server::new(options, environment, Endpoint::Default)
}

/// A pane that runs this shell, wide enough for a line editor to leave its lines alone.
fn shell(world: &TmuxWorld, program: &str) -> PaneId {
    let pane = world.pane(&format!("exec {program}"));
    // tmux's own child, the loader of a tmux that was unpacked, `env` on its way to the shell.
    let on_its_way =
        |program: &str| matches!(program, "" | "tmux" | "env") || program.starts_with("ld-linux");
    world.until("the program is there", || {
        !on_its_way(&world.tmux(["display-message", "-p", "-t", &pane, "#{pane_current_command}"]))
    });
    pane.parse().expect("a pane id")
}

async fn run(server: &Server, pane: PaneId, command: &str) -> Result<Ran, TmuxError> {
    let what = ShellCommand { limit: Duration::from_secs(20), ..ShellCommand::new(command) };
    run_in_shell(server, pane, &what, Default::default()).await
}

/// The output and the status of a command that ends.
#[track_caller]
fn done(ran: Result<Ran, TmuxError>) -> (String, i32) {
    let ran = ran.expect("the command is run");
    match ran.progress {
        Progress::Ended(status) => (ran.output.text(), status),
        other => panic!("{other:?} after {:?}, with {:?}", ran.elapsed, ran.output.text()),
    }
}

/// What stands on a pane's screen.
fn screen(world: &TmuxWorld, pane: PaneId) -> String {
    world.tmux(["capture-pane", "-p", "-t", &pane.to_string()])
}
