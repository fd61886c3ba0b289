//! A subscription to what a pane writes: everything comes, or it is said what is missing.

use std::time::{Duration, Instant};

use schemux_server::tmux::{Closed, PaneId, Piece, TmuxError};
use schemux_tests::TmuxWorld;
use tokio::time::sleep;

use super::{pane, read_to_end, read_until, server, type_line, until};

#[tokio::test]
async fn every_byte_comes_to_all_readers_through_one_client() {
    let world = TmuxWorld::start();
    let (server, pane) = (server(&world), pane(&world, "stty raw -echo; cat"));
    let mut streams = Vec::new();
    for _ in 0..20 {
        streams.push(server.stream(pane).await.unwrap());
    }
    assert_eq!(world.clients().len(), 1 + 1, "the shared connection and one for the session");
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
        assert_eq!(stream.offset(), 255);
    }
    // The client leaves some seconds after the last reader.
    drop(streams);
    let since = Instant::now();
    until("the client has left", || world.clients().len() == 1).await;
    assert!(since.elapsed() > Duration::from_secs(2), "{:?}", since.elapsed());
    server.close().await;
    assert_eq!(world.clients(), [""; 0]);
}

#[tokio::test]
async fn a_burst_comes_whole() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let pane = pane(&world, "read x; echo NEEDLE; seq 1 30000; echo THE''END; cat");
    let mut stream = server.stream(pane).await.unwrap();
    type_line(&world, pane, "go");
    let (text, missed) = read_until(&mut stream, "THEEND").await;
    let expected: String = (1..=30000).map(|number| format!("{number}\r\n")).collect();
    assert_eq!(missed, 0);
    assert!(text.ends_with(&format!("NEEDLE\r\n{expected}THEEND\r\n")) || text.contains(&expected));
}

#[tokio::test]
async fn a_slow_reader_is_told_what_it_missed_and_holds_up_nobody() {
    let world = TmuxWorld::start();
    let (server, pane) = (server(&world), pane(&world, "read x; seq 1 2000000; echo THE''END; cat"));
    let mut slow = server.stream(pane).await.unwrap();
    let mut quick = server.stream(pane).await.unwrap();
    type_line(&world, pane, "go");
    let mut tail = Vec::new();
    let mut counted = 0;
    while !String::from_utf8_lossy(&tail).contains("THEEND") {
        match quick.next().await {
            Piece::Bytes(piece) => {
                counted += piece.len() as u64;
                tail = [&tail[tail.len().saturating_sub(10)..], &piece].concat();
            }
            other => panic!("{other:?}"),
        }
    }
    let mut missed = 0;
    let mut read = 0;
    while slow.offset() < counted {
        match slow.next().await {
            Piece::Bytes(piece) => read += piece.len() as u64,
            Piece::Missed { bytes } => missed += bytes.expect("the number is known"),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(read + missed, counted);
    assert!(missed > 0 && read >= 3 << 20, "{read} {missed}");
}

#[tokio::test]
async fn a_flood_slows_no_call() {
    let world = TmuxWorld::start();
    let (server, pane) = (server(&world), pane(&world, "read x; yes"));
    let mut stream = server.stream(pane).await.unwrap();
    server.panes().await.unwrap();
    type_line(&world, pane, "go");
    read_until(&mut stream, "y\r\ny\r\n").await;
    let mut times = Vec::new();
    for _ in 0..50 {
        let begun = Instant::now();
        server.panes().await.unwrap();
        times.push(begun.elapsed());
        sleep(Duration::from_millis(10)).await;
    }
    times.sort();
    assert!(times[25] < Duration::from_millis(50), "{times:?}");
    println!("median of a listing under a flood: {:?}; read {} MB", times[25], stream.offset() / 1_000_000);
}

#[tokio::test]
async fn the_end_of_a_pane_is_told_at_once() {
    let world = TmuxWorld::start();
    let server = server(&world);
    world.tmux(["new-session", "-d", "-s", "spare", "-x", "80", "-y", "24", "cat"]);
    let split = world.tmux(["split-window", "-d", "-P", "-F", "#{pane_id}", "-t", "spare:", "cat"]);
    world.tmux(["new-session", "-d", "-s", "third", "-x", "80", "-y", "24", "cat"]);
    let third = world.tmux(["list-panes", "-t", "third:", "-F", "#{pane_id}"]);
    let dead = pane(&world, "read x; printf LAST; exit 3");
    world.tmux(["set-option", "-p", "-t", &dead.to_string(), "remain-on-exit", "on"]);
    let kill = ["kill-pane", "-t", "%0"].map(str::to_owned).to_vec();
    let kill = |pane: &str| [&kill[..2], &[pane.to_owned()]].concat();
    let closing = pane(&world, "read x");
    let window = pane(&world, "cat");
    let cases = [
        (split.parse().unwrap(), kill(&split), Closed::PaneGone),
        (window, kill(&window.to_string()), Closed::PaneGone),
        (
            third.parse().unwrap(),
            ["kill-session", "-t", "third"].map(str::to_owned).to_vec(),
            Closed::PaneGone,
        ),
        (
            closing,
            ["send-keys", "-t", &closing.to_string(), "Enter"].map(str::to_owned).to_vec(),
            Closed::PaneGone,
        ),
        (dead, ["send-keys", "-t", &dead.to_string(), "Enter"].map(str::to_owned).to_vec(), Closed::PaneDead),
        (PaneId(0), vec!["kill-server".to_owned()], Closed::ServerGone),
    ];
    for (pane, command, expected) in cases {
        let mut stream = server.stream(pane).await.unwrap();
        sleep(Duration::from_millis(50)).await;
        let begun = Instant::now();
        world.try_tmux(command);
        let (why, text) = read_to_end(&mut stream).await;
        assert_eq!(why, expected);
        assert!(begun.elapsed() < Duration::from_millis(500), "{expected:?}: {:?}", begun.elapsed());
        if why == Closed::PaneDead {
            assert!(text.is_empty() || "\r\nLAST".starts_with(&text), "{text:?}");
            // Who comes later is told the same.
            assert_eq!(read_to_end(&mut server.stream(pane).await.unwrap()).await.0, why);
        }
        assert_eq!(stream.next().await, Piece::Closed(why));
    }
}

#[tokio::test]
async fn a_pane_is_followed_to_another_session() {
    let world = TmuxWorld::start();
    let server = server(&world);
    world.tmux(["new-session", "-d", "-s", "other", "-x", "80", "-y", "24", "cat"]);
    let pane = pane(&world, "cat");
    let mut stream = server.stream(pane).await.unwrap();
    type_line(&world, pane, "one");
    read_until(&mut stream, "one\r\none\r\n").await;
    world.tmux(["join-pane", "-d", "-s", &pane.to_string(), "-t", "other:"]);
    sleep(Duration::from_millis(300)).await;
    type_line(&world, pane, "two");
    let (text, missed) = read_until(&mut stream, "two\r\ntwo\r\n").await;
    assert!(missed > 0, "{text:?}");
    // The whole session goes, and with it the pane.
    world.tmux(["kill-session", "-t", "other"]);
    assert_eq!(read_to_end(&mut stream).await.0, Closed::PaneGone);
}

#[tokio::test]
async fn a_client_that_is_thrown_out_comes_back_and_says_so() {
    let world = TmuxWorld::start();
    let (server, pane) = (server(&world), pane(&world, "cat"));
    let mut stream = server.stream(pane).await.unwrap();
    sleep(Duration::from_millis(600)).await;
    for client in world.tmux(["list-clients", "-F", "#{client_name}"]).lines() {
        world.try_tmux(["detach-client", "-t", client]);
    }
    until("a client is there again", || !world.tmux(["list-clients", "-F", "#{client_name}"]).is_empty())
        .await;
    sleep(Duration::from_millis(200)).await;
    type_line(&world, pane, "two");
    let (_, missed) = read_until(&mut stream, "two\r\ntwo\r\n").await;
    assert!(missed > 0);
}

#[tokio::test]
async fn where_there_is_no_stream() {
    let world = TmuxWorld::start();
    let server = super::server(&world);
    assert!(matches!(server.stream(PaneId(99)).await, Err(TmuxError::NoSuchPane { .. })));
    let mut stream = server.stream(PaneId(0)).await.unwrap();
    // Somebody else's client leaves, and now ours would be the last one.
    let mut other = world
        .command()
        .args(["-C", "attach", "-t", "main"])
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    until("the other client is there", || world.clients().len() == 3).await;
    world.tmux(["set-option", "-t", "main", "destroy-unattached", "on"]);
    drop(other.stdin.take());
    other.wait().unwrap();
    let (why, _) = read_to_end(&mut stream).await;
    assert!(matches!(why, Closed::Unattachable | Closed::ServerGone), "{why:?}");
    // It was to end with its last client, and did.
    until("the session has ended", || !world.try_tmux(["has-session", "-t", "main"]).status.success()).await;
}

#[tokio::test]
async fn the_screen_and_what_comes_after_it() {
    let world = TmuxWorld::start();
    let (server, pane) =
        (server(&world), pane(&world, "i=0; while sleep 0.01; do i=$((i+1)); echo $i; done"));
    let mut stream = server.stream(pane).await.unwrap();
    sleep(Duration::from_millis(200)).await;
    let capture = schemux_server::tmux::Command::new("capture-pane").flag('p').target(pane);
    let screen = stream.screen(capture).await.unwrap();
    assert!(screen.exact);
    let shown = String::from_utf8(screen.output).unwrap();
    let last: u64 = shown.trim_end().lines().last().unwrap().parse().unwrap();
    while stream.offset() < screen.offset {
        stream.next().await;
    }
    let (text, _) = read_until(&mut stream, &format!("{}\r\n", last + 3)).await;
    assert!(text.contains(&format!("{}\r\n{}\r\n", last + 1, last + 2)), "{last} {text:?}");
}
