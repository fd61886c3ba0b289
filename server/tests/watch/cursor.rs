//! Reading bit by bit: every line once, or it is said what is missing.

use std::time::Duration;

use schemux_server::tmux::{
    Closed, Cursor, Delta, Engine, Missed, Most, PaneId, Server, TmuxError, read_since,
};
use schemux_tests::TmuxWorld;
use tokio::time::sleep;

use super::{pane, server, server_by, type_line};

async fn read(server: &Server, pane: PaneId, cursor: Option<&Cursor>) -> Delta {
    read_since(server, pane, cursor, Most { lines: 2000, ..Most::default() }).await.unwrap()
}

/// Reads on until the text has come.
async fn read_until(server: &Server, pane: PaneId, cursor: &Cursor, text: &str) -> (Vec<String>, Delta) {
    let mut lines: Vec<String> = Vec::new();
    let mut cursor = cursor.clone();
    for _ in 0..200 {
        let delta = read(server, pane, Some(&cursor)).await;
        let mut new = delta.lines.clone().into_iter();
        if delta.continues && !lines.is_empty() {
            let rest = new.next().unwrap_or_default();
            lines.last_mut().unwrap().push_str(&rest);
        }
        lines.extend(new);
        cursor = delta.cursor.clone();
        if lines.iter().any(|line| line.contains(text)) || delta.closed.is_some() {
            return (lines, delta);
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("{text} did not come: {lines:?}");
}

#[tokio::test]
async fn every_line_once() {
    for engine in [Engine::Auto, Engine::Process] {
        let world = TmuxWorld::start();
        let server = server_by(&world, engine);
        let pane = pane(&world, "stty -echo; echo before; while read x; do seq 1 $x; echo END-$x; done");
        sleep(Duration::from_millis(400)).await;
        let first = read(&server, pane, None).await;
        assert_eq!((first.lines.join(" ").as_str(), first.screen, first.missed), ("before", true, None));
        let none = read(&server, pane, Some(&first.cursor)).await;
        assert_eq!((none.lines.len(), none.screen, none.missed), (0, false, None), "{engine:?} {none:?}");
        let mut cursor = none.cursor;
        for count in [1, 5, 100, 700] {
            type_line(&world, pane, &count.to_string());
            let (lines, delta) = read_until(&server, pane, &cursor, &format!("END-{count}")).await;
            let expected: Vec<_> =
                (1..=count).map(|n| n.to_string()).chain([format!("END-{count}")]).collect();
            let lines: Vec<_> = lines.into_iter().filter(|line| !line.is_empty()).collect();
            assert_eq!(lines, expected, "{engine:?}");
            assert_eq!((delta.screen, delta.missed), (false, None));
            // The text of a cursor is as good as the cursor.
            cursor = delta.cursor.to_string().parse().unwrap();
        }
        let short = read_since(&server, pane, None, Most { lines: 2, bytes: 1000 }).await.unwrap();
        assert_eq!((short.lines.len(), short.truncated_lines > 10), (2, true));
    }
}

#[tokio::test]
async fn a_line_that_grows_is_given_bit_by_bit() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let pane =
        pane(&world, "stty -echo; printf 'ask: '; read x; printf 'one'; read x; printf 'two\\nthree'; cat");
    sleep(Duration::from_millis(300)).await;
    let first = read(&server, pane, None).await;
    assert_eq!(first.lines, ["ask:"]);
    type_line(&world, pane, "");
    sleep(Duration::from_millis(200)).await;
    let second = read(&server, pane, Some(&first.cursor)).await;
    assert_eq!(second.lines.concat(), "one");
    type_line(&world, pane, "");
    sleep(Duration::from_millis(200)).await;
    let third = read(&server, pane, Some(&second.cursor)).await;
    assert_eq!(third.lines, ["two", "three"]);
    assert!(third.continues, "{third:?}");
}

#[tokio::test]
async fn what_is_missed_is_counted() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let pane = pane(&world, "stty -echo; read x; seq 1000001 1500000; echo THE''END; cat");
    sleep(Duration::from_millis(300)).await;
    let first = read(&server, pane, None).await;
    type_line(&world, pane, "");
    for _ in 0..500 {
        sleep(Duration::from_millis(20)).await;
        if world.tmux(["capture-pane", "-p", "-t", &pane.to_string()]).contains("THEEND") {
            break;
        }
    }
    let delta = read_since(&server, pane, Some(&first.cursor), Most { lines: usize::MAX, bytes: usize::MAX })
        .await
        .unwrap();
    let Some(Missed::Bytes(missed)) = delta.missed else { panic!("{:?}", delta.missed) };
    // 500,000 lines of 7 digits and two bytes, and the end.
    let given: u64 = delta.lines.iter().map(|line| line.len() as u64 + 2).sum();
    // What was kept may begin between the two.
    let written = 500_000 * 9 + 8;
    assert!((written - 1..=written).contains(&(missed + given)), "{missed} {given}");
    assert!(given >= 1 << 20, "{given}");
    assert_eq!(delta.lines.last().map(String::as_str), Some("THEEND"));
}

#[tokio::test]
async fn clearing_loses_nothing_or_says_so() {
    for engine in [Engine::Auto, Engine::Process] {
        let world = TmuxWorld::start();
        let server = server_by(&world, engine);
        let pane =
            pane(&world, "stty -echo; seq 1 40; read x; printf '\\033[H\\033[2J\\033[3J'; echo after; cat");
        sleep(Duration::from_millis(400)).await;
        let first = read(&server, pane, None).await;
        type_line(&world, pane, "");
        sleep(Duration::from_millis(300)).await;
        let delta = read(&server, pane, Some(&first.cursor)).await;
        assert!(delta.lines.contains(&"after".to_owned()), "{delta:?}");
        match engine {
            Engine::Auto => assert_eq!(delta.missed, None),
            Engine::Process => assert_eq!((delta.missed, delta.screen), (Some(Missed::Unknown), true)),
        }
    }
}

#[tokio::test]
async fn a_cursor_fits_one_pane_of_one_server() {
    for engine in [Engine::Auto, Engine::Process] {
        let world = TmuxWorld::start();
        let server = server_by(&world, engine);
        let pane = pane(&world, "echo one; cat");
        sleep(Duration::from_millis(300)).await;
        let first = read(&server, pane, None).await;
        let error = read_since(&server, PaneId(0), Some(&first.cursor), Most::default()).await.unwrap_err();
        assert!(matches!(error, TmuxError::BadCursor { .. }), "{error:?}");
        assert!("nonsense".parse::<Cursor>().is_err());
        // Another process of this program has not recorded it; it can still read tmux's history.
        let other = read(&server_by(&world, engine), pane, Some(&first.cursor)).await;
        match engine {
            Engine::Auto => assert_eq!((other.screen, other.missed), (true, Some(Missed::Unknown))),
            Engine::Process => assert_eq!((other.screen, other.missed), (false, None)),
        }
        world.tmux(["respawn-pane", "-k", "-t", &pane.to_string(), "echo two; cat"]);
        sleep(Duration::from_millis(300)).await;
        let delta = read(&server, pane, Some(&first.cursor)).await;
        assert!(delta.lines.contains(&"two".to_owned()), "{delta:?}");
        match engine {
            Engine::Auto => assert_eq!(delta.missed, None),
            Engine::Process => assert_eq!(delta.missed, Some(Missed::Unknown)),
        }
        let second = TmuxWorld::start();
        let error =
            read_since(&server_by(&second, engine), PaneId(0), Some(&first.cursor), Most::default()).await;
        assert!(matches!(error, Err(TmuxError::BadCursor { .. })), "{error:?}");
    }
}

#[tokio::test]
async fn the_last_of_a_pane_can_be_read() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let pane = pane(&world, "stty -echo; read x; echo last; sleep 0.2");
    sleep(Duration::from_millis(300)).await;
    let first = read(&server, pane, None).await;
    type_line(&world, pane, "");
    sleep(Duration::from_millis(600)).await;
    let delta = read(&server, pane, Some(&first.cursor)).await;
    assert_eq!((delta.lines.concat().as_str(), delta.closed), ("last", Some(Closed::PaneGone)));
    assert_eq!(delta.missed, Some(Missed::Unknown));
    let error = read_since(&server, pane, Some(&delta.cursor), Most::default()).await.unwrap_err();
    assert!(matches!(error, TmuxError::NoSuchPane { .. }), "{error:?}");
    // Nothing stays attached but the shared connection.
    server.close().await;
    assert_eq!(world.clients(), [""; 0]);
}
