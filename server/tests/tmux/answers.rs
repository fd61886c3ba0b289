//! Rows survive whatever is stored in tmux, and failures have kinds.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use schemux_server::tmux::{
    Command, Endpoint, Options, PaneId, Server, Since, Target, TmuxError, Version, leave_modes,
};
use schemux_tests::TmuxWorld;

use super::{clients, environment, id, options, server};

#[tokio::test]
async fn facts_tell_the_server() {
    let world = TmuxWorld::start();
    let facts = server(&world).facts().await.unwrap();
    assert_eq!(facts.pid, world.pid());
    assert_eq!(facts.version, server(&world).program_version().await.unwrap());
    assert!(facts.version.has(Since::MINIMUM));
    assert_eq!(facts.socket_path, Endpoint::Default.socket_path(&environment(&world)));
    assert!(facts.started > 1_700_000_000);
}

#[tokio::test]
async fn a_pane_is_read() {
    let world = TmuxWorld::start();
    world.tmux(["split-window", "-d", "-t", "main:", "/bin/sh"]);
    let rows = server(&world).panes().await.unwrap();
    let [top, bottom] = rows.as_slice() else { panic!("{rows:?}") };
    assert_eq!((top.left, top.top, top.right, top.width), (0, 0, 79, 80));
    assert_eq!((bottom.top, bottom.bottom - bottom.top + 1), (top.bottom + 2, bottom.height));
    assert!(top.active && top.at_top && top.at_left && top.at_right && !top.at_bottom);
    assert!(!bottom.active && !bottom.at_top && bottom.at_bottom);
    assert!(top.tty.as_deref().is_some_and(|tty| tty.starts_with("/dev/")));
    assert!(top.pid.is_some() && !top.dead);
}

#[tokio::test]
async fn names_hold_anything() {
    let world = TmuxWorld::start();
    let hostile = "x ␞ #S #{pane_id} \\033 \\ 'q\" é zB | %d";
    world.tmux(["set-option", "-g", "@name", hostile]);
    let directory = world.directory().join(OsStr::from_bytes(b"a\tb\nc\\033\xff\xe2\x90\x9e #{x} ;"));
    std::fs::create_dir(&directory).unwrap();
    let pane = world.pane("exec sleep 100");
    // Titles, session and window names as the pane's own program can set them.
    world.tmux(["rename-window", "-t", &pane, "w ␞ \\033 #[x"]);
    world.tmux(["select-pane", "-t", &pane, "-T", "t ␞ \\t #[x"]);
    let command = OsStr::from_bytes(b"cd a*; exec sleep 100");
    let mut respawn = world.command();
    respawn.args(["respawn-pane", "-k", "-t", &pane, "-c"]).arg(world.directory()).arg(command);
    assert!(respawn.status().unwrap().success());
    let server = server(&world);
    let path = directory.to_string_lossy();
    let mut row = server.pane(id(&pane)).await.unwrap();
    for _ in 0..100 {
        if row.current_path.as_deref() == Some(&path) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
        row = server.pane(id(&pane)).await.unwrap();
    }
    assert_eq!(row.current_path.as_deref(), Some(&*path));
    // From 3.7 on tmux doubles the backslash when it stores a title; what it stores is what is read.
    let stored = world.tmux(["display-message", "-p", "-t", &pane, "#{pane_title}"]);
    assert!(stored.starts_with("t ␞ \\") && stored.ends_with("t #[x"), "{stored}");
    assert_eq!(row.title, Some(stored));
    assert_eq!(server.panes().await.unwrap().len(), 2);
}

#[tokio::test]
async fn hooks_that_print_do_not_disturb() {
    let world = TmuxWorld::start();
    for hook in ["after-list-panes", "after-list-windows"] {
        world.tmux(["set-hook", "-g", hook, "display-message -p 'forged %0 row'"]);
    }
    world.tmux(["set-hook", "-ga", "after-display-message", "list-sessions"]);
    world.tmux(["set-hook", "-g", "after-copy-mode", "list-windows -a"]);
    let server = server(&world);
    assert_eq!(server.panes().await.unwrap().len(), 1);
    assert_eq!(server.facts().await.unwrap().pid, world.pid());
    let left = server.pane_after(leave_modes(PaneId(0)), PaneId(0)).await.unwrap();
    assert_eq!(left.id, PaneId(0));
}

#[tokio::test]
async fn a_pane_in_a_group_is_one_pane() {
    let world = TmuxWorld::start();
    world.tmux(["new-session", "-d", "-t", "main", "-s", "again"]);
    let server = server(&world);
    let rows = server.places().await.unwrap();
    assert_eq!(rows.iter().filter(|place| place.pane_id == PaneId(0)).count(), 2);
    let of = |session| {
        let target = Target { pane_id: Some("%0"), session_name: session, ..Target::default() };
        target.pane(&rows).unwrap().session_name.as_str()
    };
    assert_eq!(of(None), "main");
    assert_eq!(of(Some("again")), "again");
    let main = rows.iter().find(|place| place.session_name == "main").unwrap();
    assert_eq!(server.pane(PaneId(0)).await.unwrap().session_id, main.session_id);
}

#[tokio::test]
async fn modes_are_left_and_nothing_is_typed() {
    let world = TmuxWorld::start();
    world.tmux(["set-buffer", "text"]);
    let pane = world.pane("exec cat");
    let server = server(&world);
    let modes: &[&[&str]] = &[
        &[],
        &["copy-mode"],
        &["clock-mode"],
        &["choose-tree"],
        &["choose-buffer"],
        &["customize-mode"],
        &["copy-mode", "choose-tree", "clock-mode"],
    ];
    for stack in modes {
        for mode in *stack {
            world.tmux([mode, "-t", &pane]);
        }
        let modes = || world.tmux(["display-message", "-p", "-t", &pane, "#{pane_in_mode}#{pane_mode}"]);
        assert!(modes().starts_with(&stack.len().to_string()), "{stack:?}");
        assert_eq!(server.pane_after(leave_modes(id(&pane)), id(&pane)).await.unwrap().id, id(&pane));
        assert_eq!(modes(), "0", "{stack:?}");
    }
    assert_eq!(world.tmux(["capture-pane", "-p", "-t", &pane]).trim(), "");
    let gone = server.pane_after(leave_modes(PaneId(99)), PaneId(99)).await;
    assert_eq!(gone, Err(TmuxError::NoSuchPane { pane: "%99".to_owned() }));
}

#[tokio::test]
async fn failures_have_kinds() {
    let world = TmuxWorld::start();
    let running = server(&world);
    let refused = running.run(&Command::new("no-such-command").into()).await.unwrap_err();
    assert!(matches!(refused, TmuxError::Refused { .. }), "{refused}");
    let nul = running.run(&Command::new("set-buffer").operand("a\0b").into()).await.unwrap_err();
    assert!(matches!(nul, TmuxError::Nul(_)), "{nul}");

    let at = |endpoint| Server::new(options(&world), environment(&world), endpoint);
    let nobody = at(Endpoint::Name("nobody".into())).panes().await.unwrap_err();
    assert!(matches!(nobody, TmuxError::NoServer { .. }), "{nobody}");
    let dead = world.directory().join("dead");
    drop(std::os::unix::net::UnixListener::bind(&dead).unwrap());
    let dead = at(Endpoint::Path(dead)).panes().await.unwrap_err();
    assert!(matches!(dead, TmuxError::DeadSocket { .. }), "{dead}");

    let options = Options { tmux: world.directory().join("no-tmux"), ..Options::default() };
    let missing = Server::new(options, environment(&world), Endpoint::Default).panes().await.unwrap_err();
    assert!(matches!(missing, TmuxError::BinaryMissing { .. }), "{missing}");
    assert!(missing.to_string().contains("install tmux"));
}

#[tokio::test]
async fn a_server_without_sessions_has_no_panes() {
    let world = TmuxWorld::start();
    world.tmux(["set-option", "-g", "exit-empty", "off"]);
    world.tmux(["kill-session", "-t", "main"]);
    let server = server(&world);
    assert_eq!(server.panes().await, Ok(Vec::new()));
    assert_eq!(server.facts().await.unwrap().pid, world.pid());
    assert!(matches!(server.pane(PaneId(0)).await, Err(TmuxError::NoSuchPane { .. })));
}

#[tokio::test]
async fn a_server_that_ends_under_a_command_is_lost() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let waiting = Command::new("wait-for").operand("never").into();
    let (lost, ()) = tokio::join!(server.run(&waiting), async {
        world.until("the client runs", || !clients(&world).is_empty());
        // It has no way to tell that it has connected.
        tokio::time::sleep(Duration::from_millis(200)).await;
        kill_process(Pid::from_raw(world.pid()).unwrap(), Signal::KILL).unwrap();
    });
    assert!(matches!(lost, Err(TmuxError::ServerLost { .. })), "{lost:?}");
}

#[tokio::test]
async fn a_stopped_server_is_not_waited_for() {
    let world = TmuxWorld::start();
    let options = Options { deadline: Duration::from_secs(1), ..options(&world) };
    let server = Server::new(options, environment(&world), Endpoint::Default);
    let pid = Pid::from_raw(world.pid()).unwrap();
    kill_process(pid, Signal::STOP).unwrap();
    let begun = Instant::now();
    let late = server.panes().await.unwrap_err();
    assert!(matches!(late, TmuxError::Timeout { .. }), "{late}");
    assert!(begun.elapsed() < Duration::from_secs(3));
    world.until("its client is gone", || clients(&world).is_empty());
    kill_process(pid, Signal::CONT).unwrap();
    assert_eq!(server.panes().await.unwrap().len(), 1);
}

#[tokio::test]
async fn output_is_bounded() {
    let world = TmuxWorld::start();
    let options = Options { output_limit: 100, ..options(&world) };
    let server = Server::new(options, environment(&world), Endpoint::Default);
    let much = server.run(&Command::new("list-keys").into()).await.unwrap_err();
    assert!(matches!(much, TmuxError::TooMuchOutput { limit: 100, .. }), "{much}");
}

#[tokio::test]
async fn an_inherited_tmux_steers_only_the_default() {
    let (world, other) = (TmuxWorld::start(), TmuxWorld::start());
    let socket = Endpoint::Default.socket_path(&environment(&other));
    let mut environment = environment(&world);
    environment.tmux = Some(format!("{},1,0", socket.display()).into());
    environment.tmux_pane = Some("%77".into());
    let inherited = Server::new(options(&world), environment.clone(), Endpoint::Default);
    assert_eq!(inherited.facts().await.unwrap().pid, other.pid());
    let named = Server::new(options(&world), environment, Endpoint::Name("default".into()));
    assert_eq!(named.facts().await.unwrap().pid, world.pid());
}

#[test]
fn a_version_is_shown_as_tmux_said_it() {
    assert_eq!(Version::parse("tmux next-3.9\n").to_string(), "next-3.9");
}
