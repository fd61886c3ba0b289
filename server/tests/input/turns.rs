//! Calls on one pane take turns, and one that is given up leaves nothing.

use std::time::Duration;

use schemux_server::tmux::{Typing, send_keys, type_text};
use schemux_tests::TmuxWorld;

use super::reader::Reader;
use super::{assert_no_buffers, server};

const ENTER: Typing = Typing {
    policy: schemux_server::tmux::Policy {
        modes: schemux_server::tmux::Modes::Refuse,
        synchronized: schemux_server::tmux::Synchronized::Follow,
    },
    bracketed: false,
    enter: true,
};

#[tokio::test]
async fn texts_and_enters_of_different_callers_never_mix() {
    let world = TmuxWorld::start();
    let (server, reader) = (server(&world), Reader::start(&world));
    let mut calls = Vec::new();
    let mut expected = Vec::new();
    for number in 0..30_usize {
        // Some are long, so that the ways differ and one takes longer.
        let text = format!("{number}:").repeat(if number % 7 == 3 { 3000 } else { 5 });
        let (server, pane) = (server.clone(), reader.pane);
        if number % 5 == 4 {
            expected.extend_from_slice(b"\x03\x1b[A");
            calls.push(tokio::spawn(async move {
                send_keys(&server, pane, &["C-c", "Up"], &ENTER.policy).await.unwrap();
            }));
        } else {
            expected.extend_from_slice(format!("{text}\r").as_bytes());
            calls.push(tokio::spawn(async move {
                type_text(&server, pane, text, &ENTER).await.unwrap();
            }));
        }
    }
    for call in calls {
        call.await.unwrap();
    }
    // On one thread the calls begin in the order of their making.
    reader.expect(&expected, "thirty calls at once");
    assert_no_buffers(&world);
}

#[tokio::test]
async fn panes_do_not_wait_for_each_other() {
    let world = TmuxWorld::start();
    let (server, one, two) = (server(&world), Reader::start(&world), Reader::start(&world));
    let long = vec![b'x'; 8 << 20];
    let typing = Typing::default();
    let call = type_text(&server, one.pane, &long, &typing);
    let other = async {
        type_text(&server, two.pane, "quick", &Typing::default()).await.unwrap();
    };
    tokio::select! {
        biased;
        _ = call => panic!("8 MiB were faster than 5 bytes"),
        () = other => (),
    }
    two.expect(b"quick", "another pane");
}

#[tokio::test]
async fn a_call_that_is_given_up_types_all_or_nothing_and_leaves_no_buffer() {
    let world = TmuxWorld::start();
    let (server, reader) = (server(&world), Reader::start(&world));
    let text = [vec![b'<'; 300_000], vec![b'>'; 300_000]].concat();
    for millis in (0..40).chain([0; 5]) {
        let call = type_text(&server, reader.pane, &text, &ENTER);
        let _ = tokio::time::timeout(Duration::from_millis(millis), call).await;
    }
    type_text(&server, reader.pane, "end", &Typing::default()).await.unwrap();
    world.until("all is read", || std::fs::read(reader.file()).unwrap().ends_with(b"end"));
    let all = std::fs::read(reader.file()).unwrap();
    let mut rest = all.as_slice();
    while rest != b"end" {
        rest = rest.strip_prefix(text.as_slice()).expect("a text as a whole");
        rest = rest.strip_prefix(b"\r").unwrap_or(rest);
    }
    world.until("buffers are gone", || world.tmux(["list-buffers"]).is_empty());
    // But for the connection, which stays for a while.
    world
        .until("clients are gone", || world.clients().iter().all(|client| client.contains("attach-session")));
}
