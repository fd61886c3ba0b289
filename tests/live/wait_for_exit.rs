//! `wait_for_exit`: right answers, in time, and nothing left behind.

use std::time::{Duration, Instant};

use schemux::{Client, Connection, WaitForExitArgs, WaitForExitOutcome, WaitForExitResult};
use schemux_tests::TmuxWorld;

use super::support::{client, clients, connect, program, refused};

async fn wait(client: &Client<Connection>, pane: &str, milliseconds: u64) -> WaitForExitResult {
    client.wait_for_exit(WaitForExitArgs::new(pane).timeout_ms(milliseconds)).await.unwrap()
}

#[track_caller]
fn completed(end: &WaitForExitResult, status: Option<i64>, signal: Option<&str>) {
    let got = (end.outcome, end.exit_status, end.signal.as_deref());
    assert_eq!(got, (WaitForExitOutcome::Completed, status, signal));
}

/// No option, no hook, no client of a wait is left in the world.
fn clean(world: &TmuxWorld) {
    world.until("no client is left", || clients(world).is_empty());
    for pane in world.tmux(["list-panes", "-a", "-F", "#{pane_id}"]).lines() {
        assert_eq!(world.pane_options(pane), "", "{pane}");
    }
}

#[tokio::test]
async fn statuses_and_signals() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for status in 0..5 {
        let pane = world.pane(&format!("sleep 0.2; exit {status}"));
        completed(&wait(&client, &pane, 10_000).await, Some(status), None);
        world.until("the pane has closed", || !world.has_pane(&pane));
    }
    for signal in ["TERM", "KILL", "HUP", "USR1"] {
        let pane = world.pane(&format!("sleep 0.2; kill -{signal} $$"));
        completed(&wait(&client, &pane, 10_000).await, None, Some(&format!("SIG{signal}")));
        world.until("the pane has closed", || !world.has_pane(&pane));
    }
    clean(&world);
    client.close().await;
}

#[tokio::test]
async fn a_program_that_goes_on() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = world.pane("exec sleep 1000");
    let started = Instant::now();
    let end = wait(&client, &pane, 300).await;
    assert_eq!((end.outcome, end.effective_timeout_ms), (WaitForExitOutcome::TimedOut, 300));
    assert_eq!((end.exit_status, end.signal), (None, None));
    assert!(started.elapsed() >= Duration::from_millis(300));
    assert!(world.has_pane(&pane));
    clean(&world);
    client.close().await;
}

#[tokio::test]
async fn the_ceiling_is_reported() {
    let world = TmuxWorld::start();
    let mut command = program(&world);
    command.env("LIBTMUX_MCP_WAIT_MAX_SECONDS", "1");
    let client = connect(command).await;
    let pane = world.pane("exec sleep 1000");
    let end = wait(&client, &pane, 60_000).await;
    assert_eq!((end.outcome, end.effective_timeout_ms), (WaitForExitOutcome::TimedOut, 1000));
    let end = client.wait_for_exit(WaitForExitArgs::new(&pane)).await.unwrap();
    assert_eq!(end.effective_timeout_ms, 1000);
    client.close().await;
}

#[tokio::test]
async fn a_pane_killed_from_outside_is_gone() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for how in ["kill-pane", "kill-window"] {
        let pane = world.pane("exec sleep 1000");
        let killer = async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            world.tmux([how, "-t", &pane]);
            Instant::now()
        };
        let (end, killed) = tokio::join!(wait(&client, &pane, 20_000), killer);
        assert_eq!(end.outcome, WaitForExitOutcome::Gone, "{how}");
        assert!(killed.elapsed() < Duration::from_millis(2500), "{how}: {:?}", killed.elapsed());
        let error = refused(client.wait_for_exit(WaitForExitArgs::new(&pane)).await);
        assert_eq!(error.error_type, "PaneNotFound");
    }
    clean(&world);
    client.close().await;
}

#[tokio::test]
async fn the_server_goes() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = world.pane("exec sleep 1000");
    let killer = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        world.tmux(["kill-server"]);
    };
    let (end, ()) = tokio::join!(wait(&client, &pane, 20_000), killer);
    assert_eq!(end.outcome, WaitForExitOutcome::Gone);
    world.until("no client is left", || clients(&world).is_empty());
    client.close().await;
}

#[tokio::test]
async fn the_last_pane_of_the_last_session() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = world.tmux(["list-panes", "-a", "-F", "#{pane_id}"]);
    world.tmux(["respawn-pane", "-k", "-t", &pane, "sleep 0.5; exit 4"]);
    completed(&wait(&client, &pane, 10_000).await, Some(4), None);
    world.until("the server has ended", || !world.try_tmux(["list-sessions"]).status.success());
    client.close().await;
}

#[tokio::test]
async fn a_pane_that_is_kept_when_its_program_ends() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = world.pane("exec sleep 1000");
    world.tmux(["set-option", "-p", "-t", &pane, "remain-on-exit", "on"]);
    let options = world.pane_options(&pane);
    world.tmux(["respawn-pane", "-k", "-t", &pane, "sleep 0.3; exit 3"]);
    completed(&wait(&client, &pane, 10_000).await, Some(3), None);
    assert!(world.has_pane(&pane), "it stays, as its owner wanted");
    assert_eq!(world.pane_options(&pane), options);
    // And again, now that it is dead already.
    let started = Instant::now();
    completed(&wait(&client, &pane, 10_000).await, Some(3), None);
    assert!(started.elapsed() < Duration::from_secs(2));
    assert_eq!(world.pane_options(&pane), options);
    client.close().await;
}

#[tokio::test]
async fn respawned_meanwhile() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = world.pane("exec sleep 1000");
    let other = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        world.tmux(["respawn-pane", "-k", "-t", &pane, "exec sleep 2000"]);
    };
    let (end, ()) = tokio::join!(wait(&client, &pane, 20_000), other);
    assert_eq!(end.outcome, WaitForExitOutcome::Gone);
    assert!(world.has_pane(&pane));
    clean(&world);
    client.close().await;
}

#[tokio::test]
async fn many_waits_at_once_and_on_one_pane() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let panes: Vec<String> = (0..8).map(|status| world.pane(&format!("sleep 1; exit {status}"))).collect();
    let mut waits = tokio::task::JoinSet::new();
    let client = std::sync::Arc::new(client);
    for (status, pane) in panes.iter().enumerate() {
        for _ in 0..2 {
            let (client, pane) = (client.clone(), pane.clone());
            waits.spawn(async move { (status, wait(&client, &pane, 10_000).await) });
        }
    }
    while let Some(done) = waits.join_next().await {
        let (status, end) = done.unwrap();
        completed(&end, i64::try_from(status).ok(), None);
    }
    clean(&world);
}

#[tokio::test]
async fn giving_up_cleans_up() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = world.pane("exec sleep 1000");
    {
        let call = client.wait_for_exit(WaitForExitArgs::new(&pane));
        let early = tokio::time::timeout(Duration::from_millis(500), call).await;
        assert!(early.is_err(), "it waits");
    }
    // Dropping the call tells the server, which puts the pane back.
    tokio::time::sleep(Duration::from_millis(50)).await;
    world.until("the pane is as before", || world.pane_options(&pane).is_empty());
    clean(&world);
    assert!(world.has_pane(&pane));
    // The server goes on.
    assert_eq!(wait(&client, &pane, 100).await.outcome, WaitForExitOutcome::TimedOut);
    client.close().await;
}

#[tokio::test]
async fn a_caller_that_stays_is_told_of_the_cancellation() {
    use schemux::{Cx, Tools};

    let world = TmuxWorld::start();
    let tools = super::support::in_process(&world);
    let pane = world.pane("exec sleep 1000");
    let cancelled = tokio_util::sync::CancellationToken::new();
    let cx = Cx::new().with_cancellation(cancelled.clone());
    let canceller = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        cancelled.cancel();
        Instant::now()
    };
    let (end, since) = tokio::join!(tools.wait_for_exit(&cx, WaitForExitArgs::new(&pane)), canceller);
    let end = end.unwrap();
    assert_eq!((end.outcome, end.exit_status, end.signal), (WaitForExitOutcome::Cancelled, None, None));
    assert!(since.elapsed() < Duration::from_millis(500), "{:?}", since.elapsed());
    assert!(world.has_pane(&pane));
    clean(&world);
}

#[tokio::test]
async fn killed_by_somebody_else() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for (signal, name) in [("TERM", "SIGTERM"), ("KILL", "SIGKILL")] {
        let pane = world.pane("exec sleep 1000");
        let process = world.tmux(["display-message", "-p", "-t", &pane, "#{pane_pid}"]);
        let killer = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            std::process::Command::new("kill").args(["-s", signal, &process]).status().unwrap();
        };
        let (end, ()) = tokio::join!(wait(&client, &pane, 10_000), killer);
        completed(&end, None, Some(name));
    }
    clean(&world);
    client.close().await;
}
