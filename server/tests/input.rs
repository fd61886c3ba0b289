//! Typing into panes of a real tmux: the system's, or what `SCHEMUX_TEST_TMUX` says (see `tests/fetch-tmux`).
#![allow(clippy::disallowed_methods, reason = "tests and benches start the programs that they are about")]

#[path = "input/keys.rs"]
mod keys;
#[path = "input/reader.rs"]
mod reader;
#[path = "input/states.rs"]
mod states;
#[path = "input/synchronized.rs"]
mod synchronized;
#[path = "input/text.rs"]
mod text;
#[path = "input/turns.rs"]
mod turns;

use schemux_server::tmux::{Endpoint, Environment, Options, Server};
use schemux_tests::TmuxWorld;

/// The engine's handle on a world's server.
fn server(world: &TmuxWorld) -> Server {
    let options = Options { tmux: world.program(), ..Options::default() };
    let environment = Environment { tmux_tmpdir: Some(world.directory().into()), ..Environment::default() };
    Server::new(options, environment, Endpoint::Default)
}

fn assert_no_buffers(world: &TmuxWorld) {
    assert_eq!(world.tmux(["list-buffers"]), "");
}
