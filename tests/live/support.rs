//! What the live tests share: a client of the program, in a world of its own.

use std::path::Path;

use schemux::{CallError, Client, Connection, ToolError};
use schemux_server::surface::TOOLSETS;
use schemux_tests::{TmuxWorld, unset};
use tokio::process::Command;

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_schemux");

/// How the program reaches tmux: each of the two test programs that these files are tries one way.
pub const ENGINE: &str = if is_by_process() { "process" } else { "auto" };

const fn is_by_process() -> bool {
    // `live` or `live_by_process`.
    env!("CARGO_CRATE_NAME").len() > "live".len()
}

/// The program with nothing of this machine in its environment that could steer it, and `world`'s tmux.
pub fn program(world: &TmuxWorld) -> Command {
    let mut command = bare(world.directory());
    command.arg("--tmux").arg(world.program()).args(["--engine", ENGINE]);
    command
}

/// The program in a directory for sockets where no tmux server runs yet, with every tool.
pub fn bare(sockets: &Path) -> Command {
    let mut command = Command::from(unset(PROGRAM));
    command.env("TMUX_TMPDIR", sockets).env("LIBTMUX_TOOLSETS", TOOLSETS.join(",")).kill_on_drop(true);
    command
}

/// A client of the program on `world`.
pub async fn client(world: &TmuxWorld) -> Client<Connection> {
    connect(program(world)).await
}

/// A client of the program on `world`, which offers every tool.
pub async fn client_of_all(world: &TmuxWorld) -> Client<Connection> {
    let mut command = program(world);
    command.args(["--toolsets", "inspect,manage,execute,teardown"]);
    connect(command).await
}

/// A client of this command.
pub async fn connect(command: Command) -> Client<Connection> {
    Client::spawn(command).await.expect("the server starts and greets")
}

/// The tool's own error.
#[track_caller]
pub fn refused<T: std::fmt::Debug>(result: Result<T, CallError>) -> ToolError {
    match result {
        Err(CallError::Tool(error)) => error,
        other => panic!("a tool error was expected, not {other:?}"),
    }
}

/// The tmux clients that run in `world`; the program under test is none.
pub fn clients(world: &TmuxWorld) -> Vec<String> {
    let mut clients = world.clients();
    // Nor is its connection, which stays for a while.
    clients.retain(|line| !line.starts_with(PROGRAM) && !line.contains("attach-session"));
    clients
}

fn engine() -> schemux_server::tmux::Engine {
    use schemux_server::tmux::Engine;
    if is_by_process() { Engine::Process } else { Engine::Auto }
}

/// The tools themselves on `world`, without a wire between.
pub fn in_process(world: &TmuxWorld) -> schemux_server::state::Tmux {
    use schemux_server::config::Config;
    use schemux_server::tmux::{Endpoint, Environment, Options};

    let tmux_tmpdir = Some(world.directory().as_os_str().to_owned());
    schemux_server::state::Tmux::new(Config {
        endpoint: Endpoint::Default,
        options: Options { tmux: world.program(), engine: engine(), ..Options::default() },
        environment: Environment { tmux_tmpdir, ..Environment::default() },
        surface: schemux_server::surface::Surface::default(),
        schemas: schemux_server::view::Schemas::Exact,
        annotations: schemux_server::hints::Hints::Documented,
        wait_max: std::time::Duration::from_secs(30),
        suppress_history: true,
        shown: schemux_server::secrets::Shown::default(),
        log: tracing::level_filters::LevelFilter::OFF,
        home: None,
        directory: "/".into(),
    })
}
