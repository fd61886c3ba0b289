//! Panes that cannot be typed into are told apart, and nothing is typed.

use std::future::Future;
use std::pin::Pin;

use schemux_server::tmux::{Modes, PaneId, Policy, Server, TmuxError, Typed, Typing, send_keys, type_text};
use schemux_tests::TmuxWorld;

use super::reader::Reader;
use super::{assert_no_buffers, server};

type Ways<'a> = Vec<(&'static str, Pin<Box<dyn Future<Output = Result<Typed, TmuxError>> + 'a>>)>;

/// All ways to type.
fn ways<'a>(server: &'a Server, pane: PaneId, policy: Policy) -> Ways<'a> {
    let typing = Typing { policy, ..Typing::default() };
    let text =
        move |text: String, typing: Typing| async move { type_text(server, pane, text, &typing).await };
    vec![
        ("keys", Box::pin(async move { send_keys(server, pane, &["a", "C-b", "F5"], &policy).await })),
        ("a short text", Box::pin(text("text".into(), typing))),
        ("a long text", Box::pin(text("text".repeat(2000), typing))),
        ("a marked text", Box::pin(text("text".into(), Typing { bracketed: true, ..typing }))),
        ("Enter", Box::pin(text(String::new(), Typing { enter: true, ..typing }))),
    ]
}

async fn all_fail(world: &TmuxWorld, pane: PaneId, error: TmuxError) {
    let server = server(world);
    for modes in [Modes::Refuse, Modes::LeaveFirst] {
        if modes == Modes::LeaveFirst && matches!(error, TmuxError::PaneInMode { .. }) {
            continue;
        }
        for (what, way) in ways(&server, pane, Policy { modes, ..Policy::default() }) {
            assert_eq!(way.await, Err(error.clone()), "{what}, {modes:?}");
        }
    }
    assert_eq!(server.facts().await.unwrap().pid, world.pid(), "the server lives");
    assert_no_buffers(world);
}

#[tokio::test]
async fn a_pane_that_is_not_there() {
    let world = TmuxWorld::start();
    let (live, gone) = (Reader::start(&world), PaneId(99));
    all_fail(&world, gone, TmuxError::NoSuchPane { pane: gone.to_string() }).await;
    live.expect_nothing(&world, "texts for another pane");
    let world_without_sessions = TmuxWorld::start();
    world_without_sessions.tmux(["set-option", "-s", "exit-empty", "off"]);
    world_without_sessions.tmux(["kill-session", "-t", "main"]);
    let server = server(&world_without_sessions);
    for (what, way) in ways(&server, PaneId(0), Policy::default()) {
        assert_eq!(way.await, Err(TmuxError::NoSuchPane { pane: "%0".to_owned() }), "{what}");
    }
    assert_no_buffers(&world_without_sessions);
}

#[tokio::test]
async fn a_pane_whose_program_has_ended() {
    let world = TmuxWorld::start();
    world.tmux(["set-option", "-g", "remain-on-exit", "on"]);
    let pane = world.pane("exit 3");
    world.until("it is dead", || world.tmux(["display-message", "-p", "-t", &pane, "#{pane_dead}"]) == "1");
    let pane = pane.parse().unwrap();
    all_fail(&world, pane, TmuxError::PaneDead { pane }).await;
}

#[tokio::test]
async fn a_pane_without_a_program() {
    let world = TmuxWorld::start();
    let pane =
        world.tmux(["split-window", "-d", "-P", "-F", "#{pane_id}", "-t", "main:", ""]).parse().unwrap();
    all_fail(&world, pane, TmuxError::PaneDead { pane }).await;
}

/// Between the end of a program and tmux's notice of it.
#[tokio::test]
async fn programs_that_end_while_they_are_typed_to() {
    let world = TmuxWorld::start();
    world.tmux(["set-option", "-g", "remain-on-exit", "on"]);
    let server = server(&world);
    for round in 0..10 {
        let pane = world.pane("stty raw -echo; dd bs=1 count=1 >/dev/null 2>&1").parse().unwrap();
        for _ in 0..3 {
            for (what, way) in ways(&server, pane, Policy::default()) {
                let typed = way.await;
                let fine = match &typed {
                    Ok(typed) => typed.panes == [pane],
                    Err(error) => *error == TmuxError::PaneDead { pane },
                };
                assert!(fine, "{what} in round {round}: {typed:?}");
            }
        }
    }
    assert_eq!(server.facts().await.unwrap().pid, world.pid(), "the server lives");
    world.until("buffers are gone", || world.tmux(["list-buffers"]).is_empty());
}

#[tokio::test]
async fn a_pane_whose_input_is_off() {
    let world = TmuxWorld::start();
    let reader = Reader::start(&world);
    let pane = reader.pane;
    world.tmux(["select-pane", "-d", "-t", &pane.to_string()]);
    all_fail(&world, pane, TmuxError::PaneInputOff { pane }).await;
    world.tmux(["select-pane", "-e", "-t", &pane.to_string()]);
    reader.expect_nothing(&world, "texts while it was off");
}

#[tokio::test]
async fn a_pane_in_a_mode() {
    let world = TmuxWorld::start();
    let (server, reader) = (server(&world), Reader::start(&world));
    let (pane, target) = (reader.pane, reader.pane.to_string());
    for (command, mode) in
        [("copy-mode", "copy-mode"), ("clock-mode", "clock-mode"), ("choose-tree", "tree-mode")]
    {
        world.tmux([command, "-t", &target]);
        all_fail(&world, pane, TmuxError::PaneInMode { pane, mode: mode.to_owned() }).await;
        let leave = Policy { modes: Modes::LeaveFirst, ..Policy::default() };
        for (what, way) in ways(&server, pane, leave) {
            world.tmux([command, "-t", &target]);
            assert_eq!(way.await, Ok(Typed { panes: vec![pane] }), "{what}");
            assert_eq!(world.tmux(["display-message", "-p", "-t", &target, "#{pane_in_mode}"]), "0");
        }
        let expected = ["a\x02\x1b[15~text", &"text".repeat(2000), "text\r"].concat();
        reader.expect(expected.as_bytes(), mode);
    }
    // A mode that covers a pane whose input is off stays.
    world.tmux(["copy-mode", "-t", &target]);
    world.tmux(["select-pane", "-d", "-t", &target]);
    all_fail(&world, pane, TmuxError::PaneInputOff { pane }).await;
    assert_eq!(world.tmux(["display-message", "-p", "-t", &target, "#{pane_in_mode}"]), "1");
}

/// The text ends the program, so that there is nobody left for the Enter.
#[tokio::test]
async fn an_enter_that_nobody_can_get_is_told() {
    let world = TmuxWorld::start();
    let server = server(&world);
    world.tmux(["set-hook", "-g", "after-send-keys", "copy-mode -t %0"]);
    let typed = type_text(&server, PaneId(0), "x", &Typing { enter: true, ..Typing::default() }).await;
    let source = Box::new(TmuxError::PaneInMode { pane: PaneId(0), mode: "copy-mode".to_owned() });
    assert_eq!(typed, Err(TmuxError::EnterNotTyped { pane: PaneId(0), source }));
}
