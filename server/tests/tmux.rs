//! The tmux engine on a real tmux: the system's, or what `SCHEMUX_TEST_TMUX` says (see `tests/fetch-tmux`). As `tmux` over one
//! connection, as `tmux_by_process` with a process for every command.
#![allow(clippy::disallowed_methods, reason = "tests and benches start the programs that they are about")]

#[path = "tmux/answers.rs"]
mod answers;
#[path = "tmux/arranging.rs"]
mod arranging;
#[path = "tmux/exit.rs"]
mod exit;
#[path = "tmux/listing.rs"]
mod listing;
#[path = "tmux/making.rs"]
mod making;
#[path = "tmux/respawning.rs"]
mod respawning;
#[path = "tmux/settings.rs"]
mod settings;
#[path = "tmux/words.rs"]
mod words;

use schemux_server::tmux::{Endpoint, Engine, Environment, Options, PaneId, Server};
use schemux_tests::TmuxWorld;

/// The engine's handle on a world's server.
fn server(world: &TmuxWorld) -> Server {
    Server::new(options(world), environment(world), Endpoint::Default)
}

fn options(world: &TmuxWorld) -> Options {
    let by_process = env!("CARGO_CRATE_NAME").ends_with("by_process");
    let engine = if by_process { Engine::Process } else { Engine::default() };
    Options { tmux: world.program(), engine, ..Options::default() }
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
