//! Servers that end or stop, connections that are killed, panes that flood.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use schemux_server::tmux::{Command, Options, TmuxError};
use schemux_tests::TmuxWorld;

use super::{attached, list_panes, options, server, text, until, with};

fn signal(pid: i32, signal: Signal) {
    kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
}

fn client(world: &TmuxWorld) -> i32 {
    world.tmux(["list-clients", "-F", "#{client_pid}"]).parse().unwrap()
}

#[tokio::test]
async fn a_killed_connection_is_opened_again() {
    let world = TmuxWorld::start();
    let server = server(&world);
    server.panes().await.unwrap();
    for _ in 0..5 {
        let before = client(&world);
        signal(before, Signal::KILL);
        // tmux answers on the pipes of the dead client until it notices; then the next call opens a new connection.
        until("another client is attached", || {
            let server = server.clone();
            tokio::spawn(async move { assert_eq!(text(server.run(&list_panes()).await.unwrap()), "%0\n") });
            let clients = world.tmux(["list-clients", "-F", "#{client_pid}"]);
            !clients.is_empty() && clients != before.to_string()
        })
        .await;
    }
    until("one is attached", || attached(&world) == 1).await;
}

#[tokio::test]
async fn what_may_have_happened_is_not_done_twice() {
    let world = TmuxWorld::start();
    world.tmux(["set-option", "-g", "@n", ""]);
    let server = server(&world);
    server.panes().await.unwrap();
    let add = || Command::new("set-option").flag('g').flag('a').operand("@n").operand("x").into();
    let pid = client(&world);
    // The server holds still, so that the call is sent and not answered when the connection is killed.
    signal(world.pid(), Signal::STOP);
    let (list, addition) = (list_panes(), add());
    let (added, listed, ()) = tokio::join!(server.run(&addition), server.run(&list), async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        signal(pid, Signal::KILL);
        tokio::time::sleep(Duration::from_millis(100)).await;
        signal(world.pid(), Signal::CONT);
    });
    // tmux holds the pipes itself: it may have read what was sent before it noticed.
    match added {
        Ok(_) => assert_eq!(world.tmux(["show-options", "-gv", "@n"]), "x"),
        Err(error) => {
            assert!(matches!(error, TmuxError::ConnectionLost { .. }), "{error}");
            assert!(world.tmux(["show-options", "-gv", "@n"]).len() <= 1);
        }
    }
    assert_eq!(text(listed.unwrap()), "%0\n");
    server.run(&add()).await.unwrap();
}

#[tokio::test]
async fn a_server_that_is_killed_is_told() {
    let world = TmuxWorld::start();
    let server = server(&world);
    server.panes().await.unwrap();
    signal(world.pid(), Signal::STOP);
    let set = Command::new("set-option").flag('g').operand("@n").operand("x").into();
    let list = list_panes();
    let (changed, listed, ()) = tokio::join!(server.run(&set), server.run(&list), async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        signal(world.pid(), Signal::KILL);
    });
    assert!(matches!(changed, Err(TmuxError::ServerLost { .. })), "{changed:?}");
    assert!(listed.as_ref().is_err_and(TmuxError::is_no_server), "{listed:?}");
    assert!(server.panes().await.unwrap_err().is_no_server());
    world.until("no client runs", || world.clients().is_empty());
}

#[tokio::test]
async fn a_stopped_server_is_not_waited_for() {
    let world = TmuxWorld::start();
    let server = with(&world, Options { deadline: Duration::from_millis(300), ..options(&world) });
    server.panes().await.unwrap();
    signal(world.pid(), Signal::STOP);
    for _ in 0..3 {
        let begun = Instant::now();
        let late = server.panes().await.unwrap_err();
        assert!(
            matches!(late, TmuxError::Timeout { limit, .. } if limit == Duration::from_millis(300)),
            "{late}"
        );
        assert!(begun.elapsed() < Duration::from_secs(2));
    }
    signal(world.pid(), Signal::CONT);
    assert_eq!(server.panes().await.unwrap().len(), 1);
    until("it is attached again", || {
        let server = server.clone();
        tokio::spawn(async move { server.panes().await });
        attached(&world) == 1
    })
    .await;
}

#[tokio::test]
async fn a_short_limit_disturbs_nobody() {
    let world = TmuxWorld::start();
    let server = server(&world);
    server.panes().await.unwrap();
    let pid = client(&world);
    signal(world.pid(), Signal::STOP);
    let list = list_panes();
    let (late, listed, ()) =
        tokio::join!(server.run_within(&list, Duration::from_millis(50)), server.run(&list), async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            signal(world.pid(), Signal::CONT);
        });
    assert!(matches!(late, Err(TmuxError::Timeout { .. })), "{late:?}");
    assert_eq!(text(listed.unwrap()), "%0\n");
    assert_eq!(client(&world), pid);
}

#[tokio::test]
async fn a_flood_does_not_slow_calls() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let median = async || {
        let mut times = Vec::new();
        for _ in 0..200 {
            let begun = Instant::now();
            server.run(&list_panes()).await.unwrap();
            times.push(begun.elapsed());
        }
        times.sort();
        times[100]
    };
    server.panes().await.unwrap();
    let calm = median().await;
    world.pane("exec yes");
    let flooded = median().await;
    // tmux reads what the pane writes in between: some milliseconds, but no backlog.
    assert!(flooded < calm + Duration::from_millis(20), "{calm:?} {flooded:?}");
    assert_eq!(attached(&world), 1);
}
