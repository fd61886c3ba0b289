//! The server that this contract is from, beside ours: the same typed calls on two tmux servers with the same history must give the
//! same results. It also proves the typed client on a server that nobody here wrote.
//!
//! It needs that server: `pip install --pre libtmux-mcp==0.1.0a22` into a virtual environment, and `SCHEMUX_PEER` as the path of its
//! program `libtmux-mcp`.
#![allow(clippy::disallowed_methods, reason = "tests start the programs that they test")]

mod calls;
mod contract;

use std::path::PathBuf;

use schemux::{Client, Connection};
use schemux_tests::{TmuxWorld, unset};
use tokio::process::Command;

const TOOLSETS: &str = "inspect,manage,execute,teardown";

/// The other server's program.
fn peer() -> PathBuf {
    let path = std::env::var_os("SCHEMUX_PEER").expect(
        "SCHEMUX_PEER must be the path of libtmux-mcp 0.1.0a22: `pip install --pre libtmux-mcp==0.1.0a22` gives it",
    );
    PathBuf::from(path)
}

/// One of the two servers, on a tmux server of its own.
struct Side {
    world: TmuxWorld,
    client: Client<Connection>,
}

impl Side {
    async fn start(program: PathBuf) -> Self {
        let world = TmuxWorld::start();
        world.tmux(["set-option", "-g", "automatic-rename", "off"]);
        // Pane %1.
        let shell = world.pane("exec env PS1='$ ' /bin/sh");
        world.until("the prompt is there", || world.tmux(["capture-pane", "-p", "-t", &shell]).contains('$'));
        // tmux may have named the windows after what ran in them before it was told not to.
        world.tmux(["rename-window", "-t", "main:0", "first"]);
        world.tmux(["rename-window", "-t", "main:1", "shell"]);
        let mut command = Command::from(unset(program));
        command
            .env("TMUX_TMPDIR", world.directory())
            .env("LIBTMUX_TMUX_BIN", world.program())
            .env("LIBTMUX_TOOLSETS", TOOLSETS)
            .stderr(std::process::Stdio::null())
            .kill_on_drop(true);
        let client = Client::spawn(command).await.expect("the server starts and greets");
        Side { world, client }
    }

    async fn ours() -> Self {
        Self::start(PathBuf::from(env!("CARGO_BIN_EXE_schemux"))).await
    }

    async fn theirs() -> Self {
        Self::start(peer()).await
    }
}
