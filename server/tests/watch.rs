//! Following what panes write, on a real tmux: the system's, or what `SCHEMUX_TEST_TMUX` says (see `tests/fetch-tmux`).
#![allow(clippy::disallowed_methods, reason = "tests and benches start the programs that they are about")]

#[path = "watch/channels.rs"]
mod channels;
#[path = "watch/cursor.rs"]
mod cursor;
#[path = "watch/faults.rs"]
mod faults;
#[path = "watch/pipe.rs"]
mod pipe;
#[path = "watch/stream.rs"]
mod stream;
#[path = "watch/text.rs"]
mod text;

use std::time::Duration;

use schemux_server::tmux::{
    Closed, Endpoint, Engine, Environment, Options, PaneId, PaneStream, Piece, Server,
};
use schemux_tests::{TmuxWorld, until};

/// The engine's handle on a world's server.
fn server(world: &TmuxWorld) -> Server {
    server_by(world, Engine::Auto)
}

fn server_by(world: &TmuxWorld, engine: Engine) -> Server {
    let options = Options { tmux: world.program(), engine, ..Options::default() };
    let environment = Environment { tmux_tmpdir: Some(world.directory().into()), ..Environment::default() };
    Server::new(options, environment, Endpoint::Default)
}

/// A pane whose program is a shell script, in a window of its own.
fn pane(world: &TmuxWorld, script: &str) -> PaneId {
    world.pane(script).parse().expect("a pane id")
}

/// Types a line, as somebody at the keyboard does.
fn type_line(world: &TmuxWorld, pane: PaneId, line: &str) {
    world.tmux(["send-keys", "-t", &pane.to_string(), "-l", line]);
    world.tmux(["send-keys", "-t", &pane.to_string(), "Enter"]);
}

/// What comes until the text has come, and how often something was missed.
async fn read_until(stream: &mut PaneStream, text: &str) -> (String, usize) {
    let mut bytes = Vec::new();
    let mut missed = 0;
    let reading = async {
        loop {
            match stream.next().await {
                Piece::Bytes(piece) => bytes.extend_from_slice(&piece),
                Piece::Missed { .. } => missed += 1,
                Piece::Closed(why) => panic!("closed: {why:?}"),
            }
            if String::from_utf8_lossy(&bytes).contains(text) {
                return;
            }
        }
    };
    let ended = tokio::time::timeout(Duration::from_secs(10), reading).await;
    let bytes = String::from_utf8_lossy(&bytes).into_owned();
    assert!(ended.is_ok(), "{text:?} did not come: {bytes:?}");
    (bytes, missed)
}

/// Why the stream ends, and what came before.
async fn read_to_end(stream: &mut PaneStream) -> (Closed, String) {
    let mut bytes = Vec::new();
    let reading = async {
        loop {
            match stream.next().await {
                Piece::Bytes(piece) => bytes.extend_from_slice(&piece),
                Piece::Missed { .. } => bytes.extend_from_slice(b"[missed]"),
                Piece::Closed(why) => return why,
            }
        }
    };
    let why = tokio::time::timeout(Duration::from_secs(10), reading).await.expect("the stream ends");
    (why, String::from_utf8_lossy(&bytes).into_owned())
}
