//! How long a client of this program stays.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use schemux_server::tmux::{self, Options};
use schemux_tests::TmuxWorld;

use super::{attached, list_panes, options, server, text, until, with};

#[tokio::test]
async fn it_leaves_when_nobody_uses_it_and_comes_back() {
    let world = TmuxWorld::start();
    let server = with(&world, Options { idle: Duration::from_millis(300), ..options(&world) });
    for _ in 0..2 {
        assert_eq!(text(server.run(&list_panes()).await.unwrap()), "%0\n");
        assert_eq!(attached(&world), 1);
        until("it has left", || attached(&world) == 0).await;
        until("no client runs", || world.clients().is_empty()).await;
    }
}

#[tokio::test]
async fn it_leaves_with_the_last_handle() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let clone = server.clone();
    server.panes().await.unwrap();
    drop(server);
    clone.panes().await.unwrap();
    assert_eq!(attached(&world), 1);
    drop(clone);
    until("it has left", || attached(&world) == 0 && world.clients().is_empty()).await;
}

#[test]
fn it_leaves_with_the_runtime() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let first = runtime();
    first.block_on(server.panes()).unwrap();
    assert_eq!(attached(&world), 1);
    drop(first);
    world.until("it has left", || attached(&world) == 0);
    // The handle is still good.
    let second = runtime();
    second.block_on(server.panes()).unwrap();
    assert_eq!(attached(&world), 1);
}

#[tokio::test]
async fn it_survives_the_end_of_its_session() {
    let world = TmuxWorld::start();
    for detach in ["on", "off"] {
        world.tmux(["set-option", "-g", "detach-on-destroy", detach]);
        world.tmux(["new-session", "-d", "-s", "other"]);
        let server = server(&world);
        server.panes().await.unwrap();
        let session = world.tmux(["list-clients", "-F", "#{session_id}"]);
        let kill = tmux::Command::new("kill-session").target(&session).into();
        let list = list_panes();
        let (killed, listed) = tokio::join!(server.run(&kill), server.run(&list));
        killed.unwrap();
        assert_eq!(text(listed.unwrap()).lines().count(), 1);
        for _ in 0..5 {
            assert_eq!(text(server.run(&list_panes()).await.unwrap()).lines().count(), 1);
        }
        server.close().await;
    }
}

#[tokio::test]
async fn another_server_on_the_socket_is_another_server() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let first = server.identity().await.unwrap();
    world.tmux(["kill-server"]);
    until("it has ended", || !world.try_tmux(["list-sessions"]).status.success()).await;
    let gone = server.panes().await.unwrap_err();
    assert!(gone.is_no_server(), "{gone}");
    world.tmux(["-f", "/dev/null", "new-session", "-d", "-s", "again"]);
    let second = server.identity().await.unwrap();
    assert_ne!(first, second);
    world.tmux(["kill-server"]);
}

/// The program, serving, after one answered call.
fn serving(world: &TmuxWorld) -> (Child, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_schemux"));
    program
        .env_remove("TMUX")
        .env_remove("TMUX_PANE")
        .env("TMUX_TMPDIR", world.directory())
        .env("LC_ALL", "C");
    program.arg("--tmux").arg(world.program()).args(["--engine", "auto"]);
    let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let calls = concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"exit_copy_mode","arguments":{"pane_id":"%0"}}}"#,
        "\n"
    );
    child.stdin.as_mut().unwrap().write_all(calls.as_bytes()).unwrap();
    let lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    let answer = lines.map_while(Result::ok).find(|line| line.contains(r#""id":2"#));
    (child, answer.expect("an answer"))
}

#[test]
fn it_leaves_with_the_program_however_that_ends() {
    let world = TmuxWorld::start();
    world.tmux(["select-pane", "-t", "%0", "-T", "é ␞ title"]);
    for end in [None, Some(Signal::TERM), Some(Signal::KILL)] {
        let (mut child, answer) = serving(&world);
        assert_eq!(attached(&world), 1);
        // Also with a locale that has no such characters.
        assert!(answer.contains("é ␞ title"), "{answer}");
        match end {
            None => drop(child.stdin.take()),
            Some(signal) => kill_process(Pid::from_child(&child), signal).unwrap(),
        }
        child.wait().unwrap();
        world.until("no client is attached", || attached(&world) == 0);
        world.until("no client runs", || !world.clients().iter().any(|line| line.contains("attach-session")));
    }
}
