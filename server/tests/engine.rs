//! Both ways to tmux, over a connection and by a process for each call, on a real tmux: the system's, or what `SCHEMUX_TEST_TMUX`
//! says (see `tests/fetch-tmux`).
#![allow(clippy::disallowed_methods, reason = "tests and benches start the programs that they are about")]

#[path = "engine/crowd.rs"]
mod crowd;
#[path = "engine/faults.rs"]
mod faults;
#[path = "engine/hiding.rs"]
mod hiding;
#[path = "engine/restarts.rs"]
mod restarts;
#[path = "engine/sameness.rs"]
mod sameness;
#[path = "engine/staying.rs"]
mod staying;
#[path = "engine/waits.rs"]
mod waits;

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use schemux_server::tmux::{Command, CommandList, Endpoint, Engine, Environment, Options, Query, Server};
use schemux_tests::{TmuxWorld, until};

fn options(world: &TmuxWorld) -> Options {
    Options { tmux: world.program(), ..Options::default() }
}

fn with(world: &TmuxWorld, options: Options) -> Server {
    let environment = Environment { tmux_tmpdir: Some(world.directory().into()), ..Environment::default() };
    Server::new(options, environment, Endpoint::Default)
}

fn server(world: &TmuxWorld) -> Server {
    with(world, options(world))
}

fn by_process(world: &TmuxWorld) -> Server {
    with(world, Options { engine: Engine::Process, ..options(world) })
}

/// A tmux program that writes a line for every process that is started.
struct Counted {
    program: PathBuf,
    log: PathBuf,
}

impl Counted {
    fn new(world: &TmuxWorld) -> Self {
        let (program, log) = (world.directory().join("counted-tmux"), world.directory().join("started"));
        let script = format!(
            "#!/bin/sh\necho \"$*\" >>'{}'\nexec '{}' \"$@\"\n",
            log.display(),
            which(world.program()).display()
        );
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        Self { program, log }
    }

    fn server(&self, world: &TmuxWorld) -> Server {
        with(world, Options { tmux: self.program.clone(), ..Options::default() })
    }

    fn started(&self) -> usize {
        std::fs::read_to_string(&self.log).unwrap_or_default().lines().count()
    }
}

fn which(program: PathBuf) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&path).map(|directory| directory.join(&program));
    places.find(|path| path.exists()).unwrap_or(program)
}

/// The control clients that are attached, as somebody else sees them.
fn attached(world: &TmuxWorld) -> usize {
    let output = world.try_tmux(["list-clients", "-F", "#{client_control_mode}"]);
    String::from_utf8_lossy(&output.stdout).lines().filter(|line| *line == "1").count()
}

fn list_panes() -> CommandList {
    Command::new("list-panes").flag('a').value('F', "#{pane_id}").into()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

async fn value(server: &Server, variable: &'static [&'static str], target: &str) -> String {
    let query = Query::new(variable);
    let ask = Command::new("display-message").flag('p').target(target).operand(query.template());
    let rows = server.rows(&query, ask.into()).await.unwrap();
    variable.iter().map(|name| rows[0].text(name)).collect::<Vec<_>>().join(" ")
}
