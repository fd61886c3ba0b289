//! The tmux engine on a real tmux: the system's, or what `SCHEMUX_TEST_TMUX` says (see `tests/fetch-tmux`).

#[path = "tmux/answers.rs"]
mod answers;
#[path = "tmux/exit.rs"]
mod exit;
#[path = "tmux/respawning.rs"]
mod respawning;
#[path = "tmux/words.rs"]
mod words;

use schemux_server::tmux::{Endpoint, Environment, Options, PaneId, Server};
use schemux_tests::TmuxWorld;

/// The engine's handle on a world's server.
fn server(world: &TmuxWorld) -> Server {
    let options = Options { tmux: world.program(), ..Options::default() };
    Server::new(options, environment(world), Endpoint::Default)
}

fn environment(world: &TmuxWorld) -> Environment {
    Environment { tmux_tmpdir: Some(world.directory().into()), ..Environment::default() }
}

/// The tmux processes of a world that are there for a while, apart from the engine's one connection.
fn clients(world: &TmuxWorld) -> Vec<String> {
    world.clients().into_iter().filter(|line| !line.contains("attach-session")).collect()
}

fn id(pane: &str) -> PaneId {
    pane.parse().expect("a pane id")
}
