//! What waiting for the end of programs costs: one client, however many wait.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use schemux_server::tmux::{Exit, Options, PaneId, Server, Since, Status, wait_for_exit};
use schemux_tests::TmuxWorld;
use tokio::task::JoinHandle;

use super::{Counted, attached, options, server, until, with};

const LONG: Duration = Duration::from_secs(30);

fn begin(server: &Server, pane: &str) -> JoinHandle<Exit> {
    let (server, pane): (_, PaneId) = (server.clone(), pane.parse().unwrap());
    tokio::spawn(async move { wait_for_exit(&server, pane, LONG, Default::default()).await.unwrap() })
}

async fn has_events(server: &Server) -> bool {
    server.facts().await.unwrap().version.has(Since::WAIT_FOR_EVENT)
}

/// Until all these panes are waited for.
async fn set_up(world: &TmuxWorld, server: &Server, panes: &[String]) {
    if has_events(server).await {
        until("a client waits", || world.clients().iter().filter(|line| line.contains(" -C ")).count() == 2)
            .await;
        return tokio::time::sleep(Duration::from_millis(300)).await;
    }
    for pane in panes {
        until("the pane is armed", || world.pane_options(pane).contains("remain-on-exit on")).await;
    }
}

#[tokio::test]
async fn a_thousand_waits_start_no_process_each() {
    let world = TmuxWorld::start();
    let counted = Counted::new(&world);
    let server = counted.server(&world);

    let panes: Vec<_> = (0..40).map(|number| world.pane(&format!("read x; exit {}", number % 7))).collect();
    let waits: Vec<_> = (0..1000).map(|number| begin(&server, &panes[number % panes.len()])).collect();
    set_up(&world, &server, &panes).await;
    // The question before attaching, the connection, and on 3.8 the client that waits.
    let most = if has_events(&server).await { 3 } else { 2 };
    assert_eq!(counted.started(), most);
    for pane in &panes {
        world.tmux(["send-keys", "-t", pane, "Enter"]);
    }
    for (number, wait) in waits.into_iter().enumerate() {
        let status = Status::Code((number % panes.len() % 7) as i32);
        assert_eq!(wait.await.unwrap(), Exit::Completed(status), "{number}");
    }
    if has_events(&server).await {
        assert_eq!(counted.started(), most);
        // Nor does the next one.
        let pane = world.pane("sleep 0.3; exit 5");
        assert_eq!(begin(&server, &pane).await.unwrap(), Exit::Completed(Status::Code(5)));
        assert_eq!(counted.started(), most);
    }
    server.close().await;
    until("no client is left", || world.clients().is_empty()).await;
}

#[tokio::test]
async fn waits_outlive_their_clients() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let panes = [world.pane("read x; exit 3"), world.pane("read x; exit 4")];
    let waits = panes.each_ref().map(|pane| begin(&server, pane));
    set_up(&world, &server, &panes).await;
    for client in world.tmux(["list-clients", "-F", "#{client_pid}"]).lines() {
        kill_process(Pid::from_raw(client.parse().unwrap()).unwrap(), Signal::KILL).unwrap();
    }
    // Each looks once a second, and finds that it has to listen anew.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    set_up(&world, &server, &panes).await;
    for (pane, (wait, status)) in panes.iter().zip(waits.into_iter().zip([3, 4])) {
        world.tmux(["send-keys", "-t", pane, "Enter"]);
        assert_eq!(wait.await.unwrap(), Exit::Completed(Status::Code(status)));
    }
}

#[tokio::test]
async fn the_client_that_waits_leaves_when_it_is_not_needed() {
    let world = TmuxWorld::start();
    let server = with(&world, Options { idle: Duration::from_millis(300), ..options(&world) });
    for status in [1, 2] {
        let pane = world.pane(&format!("sleep 0.5; exit {status}"));
        assert_eq!(begin(&server, &pane).await.unwrap(), Exit::Completed(Status::Code(status)));
        until("nobody is attached", || attached(&world) == 0).await;
    }
    // It leaves with the handle as well.
    let pane = world.pane("exec sleep 100");
    let wait = begin(&server, &pane);
    set_up(&world, &server, &[pane]).await;
    wait.abort();
    let _ = wait.await;
    drop(server);
    until("nobody is attached", || attached(&world) == 0).await;
}
