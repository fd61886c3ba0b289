//! Reading a pane through a pipe, where no client is to be attached.

use std::time::{Duration, Instant};

use schemux_server::tmux::{Closed, Engine, PaneId, Piece, Progress, ShellCommand, TmuxError, run_in_shell};
use schemux_tests::TmuxWorld;
use tokio::time::sleep;

use super::{pane, read_to_end, read_until, server, server_by, type_line, until};

/// Whether the pane has a pipe.
fn is_piped(world: &TmuxWorld, pane: PaneId) -> bool {
    world.tmux(["display-message", "-p", "-t", &pane.to_string(), "#{pane_pipe}"]) == "1"
}

#[tokio::test]
async fn one_pipe_for_all_readers_that_goes_with_the_last() {
    let world = TmuxWorld::start();
    let (server, pane) = (server_by(&world, Engine::Process), pane(&world, "stty raw -echo; cat"));
    let mut streams = Vec::new();
    for _ in 0..20 {
        streams.push(server.stream(pane).await.unwrap());
    }
    let numbers: Vec<String> = (1..=255u8).map(|byte| format!("{byte:02x}")).collect();
    let pane_id = pane.to_string();
    let mut send = vec!["send-keys", "-t", &pane_id, "-H"];
    send.extend(numbers.iter().map(String::as_str));
    sleep(Duration::from_millis(300)).await;
    world.tmux(send);
    for stream in &mut streams {
        let mut bytes = Vec::new();
        while bytes.len() < 255 {
            let Piece::Bytes(piece) = stream.next().await else { panic!("a piece") };
            bytes.extend(piece);
        }
        assert_eq!(bytes, (1..=255u8).collect::<Vec<_>>());
    }
    assert!(is_piped(&world, pane));
    assert_eq!(world.clients(), [""; 0]);
    drop(streams);
    let since = Instant::now();
    until("the pipe is gone", || !is_piped(&world, pane)).await;
    assert!(since.elapsed() > Duration::from_secs(2), "{:?}", since.elapsed());
    // With the handle it goes at once, however that goes.
    for closed in [true, false] {
        let server = server_by(&world, Engine::Process);
        let stream = server.stream(pane).await.unwrap();
        assert!(is_piped(&world, pane));
        match closed {
            true => server.close().await,
            false => drop((server, stream)),
        }
        until("the pipe is gone", || !is_piped(&world, pane)).await;
    }
}

#[tokio::test]
async fn a_pipe_of_somebody_else_is_left_alone() {
    let world = TmuxWorld::start();
    let (server, first) = (server_by(&world, Engine::Process), pane(&world, "exec sh"));
    let log = world.directory().join("log");
    let theirs = |pane: PaneId| {
        world.tmux(["pipe-pane", "-t", &pane.to_string(), &format!("cat >>{}", log.display())]);
    };
    theirs(first);
    let command = ShellCommand::new("echo x");
    let error = run_in_shell(&server, first, &command, Default::default()).await.unwrap_err();
    assert!(matches!(&error, TmuxError::NoStream { reason } if reason.contains("somebody else")), "{error}");
    type_line(&world, first, "echo still there");
    until("their pipe works", || std::fs::read_to_string(&log).unwrap_or_default().contains("still there"))
        .await;
    // Ours is replaced by theirs, which stays.
    let second = pane(&world, "cat");
    let mut stream = server.stream(second).await.unwrap();
    theirs(second);
    assert_eq!(read_to_end(&mut stream).await.0, Closed::ConnectionLost);
    drop(stream);
    server.close().await;
    assert!(is_piped(&world, second));
}

#[tokio::test]
async fn the_last_words_and_the_end() {
    let world = TmuxWorld::start();
    let server = server_by(&world, Engine::Process);
    for remain in ["off", "on"] {
        for _ in 0..5 {
            let pane = pane(&world, "read x; printf LAST; exit 3");
            world.tmux(["set-option", "-p", "-t", &pane.to_string(), "remain-on-exit", remain]);
            let mut stream = server.stream(pane).await.unwrap();
            type_line(&world, pane, "");
            let begun = Instant::now();
            let (why, text) = read_to_end(&mut stream).await;
            let expected = if remain == "on" { Closed::PaneDead } else { Closed::PaneGone };
            assert_eq!((why, text.trim()), (expected, "LAST"));
            assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
        }
    }
    let mut stream = server.stream(PaneId(0)).await.unwrap();
    world.tmux(["kill-server"]);
    assert_eq!(read_to_end(&mut stream).await.0, Closed::ServerGone);
}

#[tokio::test]
async fn a_burst_comes_whole_by_a_pipe() {
    let world = TmuxWorld::start();
    let server = server_by(&world, Engine::Process);
    let pane = pane(&world, "read x; seq 1 30000; echo THE''END; cat");
    let mut stream = server.stream(pane).await.unwrap();
    type_line(&world, pane, "go");
    let (text, missed) = read_until(&mut stream, "THEEND").await;
    let expected: String = (1..=30000).map(|number| format!("{number}\r\n")).collect();
    assert!(missed == 0 && text.contains(&expected), "{missed} {}", text.len());
}

/// Where a client's leaving would end something, commands run all the same.
#[tokio::test]
async fn a_command_where_no_client_may_be_attached() {
    let world = TmuxWorld::start();
    let (server, pane) = (server(&world), pane(&world, "exec sh"));
    // As long as somebody is attached the session stays.
    let mut user = world.command();
    let mut user = user
        .args(["-C", "attach", "-t", "main"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    until("somebody is attached", || !world.tmux(["list-clients"]).is_empty()).await;
    world.tmux(["set-option", "-t", "main", "destroy-unattached", "on"]);
    let command = ShellCommand::new("echo here; exit 3");
    let ran = run_in_shell(&server, pane, &command, Default::default()).await.unwrap();
    assert_eq!((ran.progress, ran.output.text().as_str()), (Progress::Ended(3), "here\n"));
    assert!(is_piped(&world, pane));
    assert_eq!(world.tmux(["list-clients", "-F", "x"]), "x");
    world.tmux(["set-option", "-t", "main", "destroy-unattached", "off"]);
    drop(user.stdin.take());
    user.wait().unwrap();
}
