//! What a client waits for: tools over stdio, beside the server whose contract this is: `cargo bench -p schemux-server --bench calls`.
//!
//! `SCHEMUX_PEER` names that server's program (`pip install --pre libtmux-mcp==0.1.0a22` into a virtual environment); without it
//! there is only the column of this one. Both are asked in turn on one tmux server, so that what disturbs one disturbs the other.
//! Medians, and how many times as long the other takes. Beside them: how long one `tmux` process takes for next to nothing.
#![allow(clippy::disallowed_methods, reason = "tests and benches start the programs that they are about")]

use std::time::{Duration, Instant};

use schemux::{Caller, Client, Connection};
use schemux_tests::{TmuxWorld, unset};
use serde_json::{Value, json};
use tokio::process::Command;

const ROUNDS: usize = 60;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let world = TmuxWorld::start();
    world.tmux(["set-option", "-g", "history-limit", "20000"]);
    for _ in 1..20 {
        world.pane("exec env PS1='$ ' /bin/sh");
    }
    let panes = world.tmux(["list-panes", "-a", "-F", "#{pane_id}"]);
    let last = panes.lines().last().expect("a pane").to_owned();
    for pane in panes.lines() {
        world.tmux(["send-keys", "-t", pane, "seq 1 3000", "Enter"]);
    }
    let filled = || world.tmux(["capture-pane", "-p", "-t", &last]).contains("3000\n");
    world.until("the last pane is full", filled);
    let mut servers = vec![connect(&world, env!("CARGO_BIN_EXE_schemux").into()).await];
    if let Some(peer) = std::env::var_os("SCHEMUX_PEER") {
        servers.push(connect(&world, peer).await);
    }
    let pane = last.as_str();
    println!("tmux {}", world.tmux(["display-message", "-p", "#{version}"]));
    println!("{:<32} {:>12} {:>12} {:>7}", "20 panes", "schemux", "peer", "ratio");
    for (tool, arguments) in [
        ("list_panes", json!({})),
        ("list_windows", json!({})),
        ("list_sessions", json!({})),
        ("get_pane_info", json!({ "pane_id": pane })),
        ("capture_pane", json!({ "pane_id": pane })),
        ("capture_pane", json!({ "pane_id": pane, "start": -1000, "max_lines": 1000 })),
        ("snapshot_pane", json!({ "pane_id": pane })),
        ("display_message", json!({ "pane_id": pane, "format_string": "#{pane_width}" })),
        ("show_option", json!({ "option": "history-limit", "scope": "session", "global_": true })),
        ("set_environment", json!({ "name": "BENCH", "value": "1" })),
        ("exit_copy_mode", json!({ "pane_id": pane })),
        ("send_keys", json!({ "pane_id": pane, "keys": "x", "enter": false, "literal": true })),
        ("search_panes", json!({ "pattern": "2999" })),
    ] {
        row(&servers, tool, &arguments).await;
    }
    world.tmux(["send-keys", "-t", pane, "C-u"]);
    row(&servers, "run_command", &json!({ "pane_id": pane, "command": "true" })).await;
    let process = median((0..ROUNDS).map(|_| {
        let begun = Instant::now();
        world.tmux(["display-message", "-p", "x"]);
        begun.elapsed()
    }));
    println!("{:<32} {:>9.3} ms", "one tmux process", milliseconds(process));

    for window in 20..50 {
        world.tmux(["new-window", "-d", "-t", &format!("main:{window}"), "exec sleep 1000"]);
    }
    world.tmux(["resize-window", "-t", "main:0", "-x", "200", "-y", "100"]);
    for window in world.tmux(["list-windows", "-F", "#{window_id}"]).lines() {
        world.tmux(["resize-window", "-t", window, "-x", "200", "-y", "100"]);
        for _ in 0..9 {
            world.tmux(["split-window", "-d", "-t", window, "exec sleep 1000"]);
            world.tmux(["select-layout", "-t", window, "tiled"]);
        }
    }
    println!("{:<32} {:>12} {:>12} {:>7}", "500 panes in 50 windows", "schemux", "peer", "ratio");
    for tool in ["list_panes", "list_windows", "list_sessions"] {
        row(&servers, tool, &json!({})).await;
    }
    row(&servers, "get_pane_info", &json!({ "pane_id": pane })).await;
}

/// Starts an MCP server that knows this world's tmux server alone.
async fn connect(world: &TmuxWorld, program: std::ffi::OsString) -> Client<Connection> {
    // What it logs is not looked at, and would take time to be shown.
    let mut command = Command::from(unset("sh"));
    command.args(["-c", r#"exec "$0" 2>/dev/null"#]).arg(program);
    command.env("TMUX_TMPDIR", world.directory()).env("LIBTMUX_TMUX_BIN", world.program());
    command.kill_on_drop(true);
    Client::spawn(command).await.expect("the server starts and greets")
}

/// Calls a tool of each server in turn, and prints the medians.
async fn row(servers: &[Client<Connection>], tool: &'static str, arguments: &Value) {
    let mut times = vec![Vec::new(); servers.len()];
    for round in 0..=ROUNDS {
        for (server, times) in servers.iter().zip(&mut times) {
            let arguments = arguments.as_object().expect("arguments").clone();
            let begun = Instant::now();
            let reply = server.caller().call(tool, arguments).await.expect("an answer");
            let took = begun.elapsed();
            assert!(!reply.is_error, "{tool}: {}", reply.text);
            // The first call finds out what the others know.
            if round > 0 {
                times.push(took);
            }
        }
    }
    let medians: Vec<_> = times.into_iter().map(|times| milliseconds(median(times))).collect();
    let name = match arguments.get("max_lines") {
        Some(lines) => format!("{tool}, {lines} lines"),
        None => tool.to_owned(),
    };
    match medians[..] {
        [ours, peer] => println!("{name:<32} {ours:>9.3} ms {peer:>9.3} ms {:>6.1}x", peer / ours),
        _ => println!("{name:<32} {:>9.3} ms", medians[0]),
    }
}

fn median(times: impl IntoIterator<Item = Duration>) -> Duration {
    let mut times: Vec<_> = times.into_iter().collect();
    times.sort();
    times[times.len() / 2]
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
