//! Waiting for the end of a program: right answers, in time, and nothing left behind.

use std::future::Future;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use schemux_server::tmux::{
    Endpoint, Exit, Options, PaneId, Server, Since, Status, TmuxError, wait_for_exit,
};
use schemux_tests::TmuxWorld;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::{clients, environment, id, options, server};

const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(300);

fn code(code: i32) -> Exit {
    Exit::Completed(Status::Code(code))
}

fn signal(exit: &Exit) -> &str {
    match exit {
        Exit::Completed(Status::Signal(signal)) => &signal.name,
        other => panic!("{other:?}"),
    }
}

async fn wait(server: &Server, pane: &str, limit: Duration) -> Exit {
    wait_for_exit(server, id(pane), limit, CancellationToken::new()).await.unwrap()
}

/// A wait that goes on beside the test.
fn begin(server: &Server, pane: &str) -> tokio::task::JoinHandle<Exit> {
    let (server, pane) = (server.clone(), pane.to_owned());
    tokio::spawn(async move { wait(&server, &pane, LONG).await })
}

/// Until a wait has set up what it needs.
async fn set_up(world: &TmuxWorld, server: &Server, pane: &str) {
    if server.facts().await.unwrap().version.has(Since::WAIT_FOR_EVENT) {
        sleep(SHORT).await;
    } else {
        until("the pane is armed", || world.pane_options(pane).contains("remain-on-exit on")).await;
    }
}

/// Unlike the world's own, lets the tasks of this runtime run.
async fn until(what: &str, condition: impl Fn() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < LONG, "waited in vain until {what}");
        sleep(Duration::from_millis(10)).await;
    }
}

/// Nothing of a wait is left: no client, no option or hook of a pane, no dead pane but the ones named.
fn clean(world: &TmuxWorld, dead: &[&str]) {
    assert_eq!(clients(world), Vec::<String>::new());
    let panes = world.tmux(["list-panes", "-a", "-F", "#{pane_id} #{pane_dead}"]);
    for (pane, is_dead) in panes.lines().filter_map(|line| line.split_once(' ')) {
        assert_eq!(is_dead == "1", dead.contains(&pane), "{pane} {is_dead}");
        assert_eq!(world.pane_options(pane), "", "{pane}");
    }
}

#[tokio::test]
async fn statuses_and_signals() {
    let world = TmuxWorld::start();
    let server = server(&world);
    for status in 0..5 {
        let pane = world.pane(&format!("sleep 0.1; exit {status}"));
        assert_eq!(wait(&server, &pane, LONG).await, code(status));
        assert!(!world.has_pane(&pane));
    }
    for name in ["TERM", "KILL", "HUP", "USR1"] {
        let pane = world.pane(&format!("sleep 0.1; kill -{name} $$"));
        assert_eq!(signal(&wait(&server, &pane, LONG).await), format!("SIG{name}"));
        assert!(!world.has_pane(&pane));
    }
    clean(&world, &[]);
}

#[tokio::test]
async fn a_program_killed_from_outside() {
    let world = TmuxWorld::start();
    let server = server(&world);
    for (sent, name) in [(Signal::TERM, "SIGTERM"), (Signal::KILL, "SIGKILL")] {
        let pane = world.pane("exec sleep 100");
        let waiting = begin(&server, &pane);
        set_up(&world, &server, &pane).await;
        let pid = server.pane(id(&pane)).await.unwrap().pid.and_then(Pid::from_raw).unwrap();
        kill_process(pid, sent).unwrap();
        assert_eq!(signal(&waiting.await.unwrap()), name);
    }
    clean(&world, &[]);
}

#[tokio::test]
async fn a_wait_that_times_out_leaves_the_program_alone() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let pane = world.pane("sleep 1.2; exit 6");
    let begun = Instant::now();
    assert_eq!(wait(&server, &pane, SHORT).await, Exit::TimedOut);
    assert!((SHORT..SHORT * 3).contains(&begun.elapsed()), "{:?}", begun.elapsed());
    clean(&world, &[]);
    assert_eq!(wait(&server, &pane, LONG).await, code(6));
    assert!(!world.has_pane(&pane));
    clean(&world, &[]);
}

#[tokio::test]
async fn a_wait_can_be_cancelled() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let cancel = CancellationToken::new();
    let waiting = wait_for_exit(&server, PaneId(0), LONG, cancel.clone());
    let (exit, asked) = tokio::join!(waiting, async {
        set_up(&world, &server, "%0").await;
        cancel.cancel();
        Instant::now()
    });
    assert_eq!(exit, Ok(Exit::Cancelled));
    assert!(asked.elapsed() < SHORT, "{:?}", asked.elapsed());
    clean(&world, &[]);
    // Before anything has begun.
    assert_eq!(wait_for_exit(&server, PaneId(0), LONG, cancel).await, Ok(Exit::Cancelled));
    until("no client is left", || clients(&world).is_empty()).await;
    clean(&world, &[]);
}

#[tokio::test]
async fn a_wait_can_be_dropped_at_any_time() {
    let world = TmuxWorld::start();
    let server = server(&world);
    for milliseconds in [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50, 100] {
        let waiting = wait_for_exit(&server, PaneId(0), LONG, CancellationToken::new());
        assert!(timeout(Duration::from_millis(milliseconds), waiting).await.is_err());
    }
    sleep(SHORT).await;
    clean(&world, &[]);
    // The same handle still works.
    world.tmux(["respawn-pane", "-k", "-t", "%0", "sleep 0.3; exit 2"]);
    world.pane("exec sleep 100");
    assert_eq!(wait(&server, "%0", LONG).await, code(2));
}

#[tokio::test]
async fn a_handle_that_is_closed_ends_its_waits() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let other = world.pane("exec sleep 100");
    let waiting = [begin(&server, "%0"), begin(&server, &other)];
    set_up(&world, &server, "%0").await;
    set_up(&world, &server, &other).await;
    server.close().await;
    clean(&world, &[]);
    for wait in waiting {
        assert_eq!(wait.await.unwrap(), Exit::Cancelled);
    }
}

#[tokio::test]
async fn a_pane_that_is_kept_stays_as_it_was() {
    let world = TmuxWorld::start();
    let server = server(&world);
    world.tmux(["set-option", "-g", "remain-on-exit", "on"]);
    let pane = world.pane("sleep 0.2; exit 4");
    assert_eq!(wait(&server, &pane, LONG).await, code(4));
    clean(&world, &[&pane]);
    // Dead already: answered at once, as often as one likes.
    let begun = Instant::now();
    assert_eq!(wait(&server, &pane, LONG).await, code(4));
    assert!(begun.elapsed() < SHORT, "{:?}", begun.elapsed());
    clean(&world, &[&pane]);
}

#[tokio::test]
async fn a_pane_that_is_kept_when_it_fails() {
    let world = TmuxWorld::start();
    let server = server(&world);
    world.tmux(["set-option", "-g", "remain-on-exit", "failed"]);
    let good = world.pane("sleep 0.2; exit 0");
    let bad = world.pane("sleep 0.2; exit 1");
    let (good_exit, bad_exit) = tokio::join!(wait(&server, &good, LONG), wait(&server, &bad, LONG));
    assert_eq!((good_exit, bad_exit), (code(0), code(1)));
    assert!(!world.has_pane(&good));
    clean(&world, &[&bad]);
}

#[tokio::test]
async fn settings_of_the_pane_are_put_back() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let cases: &[(&[&str], bool)] = &[
        (&["set-option", "-p", "-t", "PANE", "remain-on-exit", "off"], false),
        (&["set-option", "-p", "-t", "PANE", "remain-on-exit", "on"], true),
        (&["set-option", "-p", "-t", "PANE", "remain-on-exit", "failed"], true),
        (&["set-hook", "-p", "-t", "PANE", "pane-died", "display-message mine"], false),
        (&["set-option", "-w", "-t", "PANE", "remain-on-exit", "on"], true),
        (&["set-option", "-p", "-t", "PANE", "@own", "value"], false),
    ];
    for (command, kept) in cases {
        let pane = world.pane("sleep 0.8; exit 3");
        world.tmux(command.iter().map(|word| word.replace("PANE", &pane)));
        let before = world.pane_options(&pane);
        assert_eq!(wait(&server, &pane, SHORT).await, Exit::TimedOut);
        assert_eq!(world.pane_options(&pane), before, "{command:?}");
        assert_eq!(wait(&server, &pane, LONG).await, code(3), "{command:?}");
        assert_eq!(world.has_pane(&pane), *kept, "{command:?}");
        if *kept {
            assert_eq!(world.pane_options(&pane), before, "{command:?}");
        }
    }
}

#[tokio::test]
async fn a_pane_that_is_removed_is_gone() {
    let world = TmuxWorld::start();
    let server = server(&world);
    // The second one survives the end of its terminal.
    for program in ["exec sleep 100", "trap '' HUP; while :; do sleep 0.1; done"] {
        for command in ["kill-pane", "kill-window"] {
            let pane = world.pane(program);
            let waiting = begin(&server, &pane);
            set_up(&world, &server, &pane).await;
            let pid = server.pane(id(&pane)).await.unwrap().pid.and_then(Pid::from_raw).unwrap();
            world.tmux([command, "-t", &pane]);
            let begun = Instant::now();
            assert_eq!(waiting.await.unwrap(), Exit::Gone, "{program}");
            assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
            let _ = kill_process(pid, Signal::KILL);
        }
    }
    clean(&world, &[]);
}

#[tokio::test]
async fn a_pane_that_is_respawned_has_lost_its_program() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let pane = world.pane("exec sleep 100");
    let waiting = begin(&server, &pane);
    set_up(&world, &server, &pane).await;
    world.tmux(["respawn-pane", "-k", "-t", &pane, "sleep 1; exit 5"]);
    assert_eq!(waiting.await.unwrap(), Exit::Gone);
    clean(&world, &[]);
    assert_eq!(wait(&server, &pane, LONG).await, code(5));
    assert!(!world.has_pane(&pane));
}

#[tokio::test]
async fn unknown_panes_and_servers_are_errors() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let unknown = wait_for_exit(&server, PaneId(99), LONG, CancellationToken::new()).await;
    assert_eq!(unknown, Err(TmuxError::NoSuchPane { pane: "%99".to_owned() }));
    world.tmux(["kill-server"]);
    until("it is gone", || !world.has_pane("%0")).await;
    let nobody = wait_for_exit(&server, PaneId(0), LONG, CancellationToken::new()).await.unwrap_err();
    assert!(nobody.is_no_server(), "{nobody}");
}

#[tokio::test]
async fn the_last_pane_of_the_server_tells_its_status() {
    for status in [0, 7] {
        let world = TmuxWorld::start();
        let server = server(&world);
        world.tmux(["respawn-pane", "-k", "-t", "%0", &format!("sleep 0.3; exit {status}")]);
        assert_eq!(wait(&server, "%0", LONG).await, code(status));
        until("the server has ended", || !world.has_pane("%0")).await;
    }
}

#[tokio::test]
async fn a_server_that_ends_takes_its_panes_along() {
    for graceful in [true, false] {
        let world = TmuxWorld::start();
        let server = server(&world);
        let waiting = begin(&server, "%0");
        set_up(&world, &server, "%0").await;
        let begun = Instant::now();
        match graceful {
            true => drop(world.tmux(["kill-server"])),
            false => kill_process(Pid::from_raw(world.pid()).unwrap(), Signal::KILL).unwrap(),
        }
        assert_eq!(waiting.await.unwrap(), Exit::Gone);
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    }
}

#[tokio::test]
async fn a_child_that_keeps_the_terminal_does_not_hide_the_end() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let pane = world.pane("trap '' HUP; sleep 3 & sleep 0.2; exit 6");
    let begun = Instant::now();
    assert_eq!(wait(&server, &pane, LONG).await, code(6));
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_pane_in_a_group_of_sessions() {
    let world = TmuxWorld::start();
    let server = server(&world);
    world.tmux(["new-session", "-d", "-t", "main", "-s", "again"]);
    let pane = world.pane("sleep 0.2; exit 3");
    assert_eq!(wait(&server, &pane, LONG).await, code(3));
    clean(&world, &[]);
}

#[tokio::test]
async fn hooks_that_print_do_not_disturb() {
    let world = TmuxWorld::start();
    let server = server(&world);
    for hook in ["after-list-panes", "after-show-options", "after-set-option", "pane-exited"] {
        world.tmux(["set-hook", "-g", hook, "display-message -p 'pane-died[0] remain-on-exit on'"]);
    }
    let pane = world.pane("sleep 0.5; exit 3");
    assert_eq!(wait(&server, &pane, SHORT).await, Exit::TimedOut);
    assert_eq!(wait(&server, &pane, LONG).await, code(3));
    assert!(!world.has_pane(&pane));
}

/// Several at once: `of` makes the handle of each.
async fn together(world: &TmuxWorld, of: impl Fn() -> Server) {
    for status in [0, 3] {
        let pane = world.pane(&format!("sleep 1; exit {status}"));
        let waits: Vec<_> = (0..6).map(|_| begin(&of(), &pane)).collect();
        for wait in waits {
            assert_eq!(wait.await.unwrap(), code(status));
        }
        assert!(!world.has_pane(&pane));
        clean(world, &[]);
    }
    // Some leave early, in any order.
    let pane = world.pane("sleep 2; exit 4");
    let servers: Vec<_> = (0..6).map(|_| of()).collect();
    let waits = servers.iter().enumerate().map(|(index, server)| {
        let limit = if index % 2 == 0 { LONG } else { Duration::from_millis(50 * index as u64) };
        (limit, server, pane.as_str())
    });
    let exits =
        join_all(waits.map(|(limit, server, pane)| async move { (limit, wait(server, pane, limit).await) }))
            .await;
    for (limit, exit) in exits {
        assert_eq!(exit, if limit == LONG { code(4) } else { Exit::TimedOut });
    }
    assert!(!world.has_pane(&pane));
    clean(world, &[]);
    // All leave early, and the pane still closes by itself.
    let pane = world.pane("sleep 2; exit 4");
    let exits = join_all(servers.iter().map(|server| wait(server, &pane, SHORT))).await;
    assert!(exits.iter().all(|exit| *exit == Exit::TimedOut), "{exits:?}");
    clean(world, &[]);
    until("the pane has closed", || !world.has_pane(&pane)).await;
}

async fn join_all<T>(futures: impl IntoIterator<Item = impl Future<Output = T>>) -> Vec<T> {
    let mut futures: Vec<_> = futures.into_iter().map(|future| (Box::pin(future), None)).collect();
    std::future::poll_fn(|context| {
        let mut pending = false;
        for (future, value) in futures.iter_mut().filter(|(_, value)| value.is_none()) {
            match future.as_mut().poll(context) {
                std::task::Poll::Ready(ready) => *value = Some(ready),
                std::task::Poll::Pending => pending = true,
            }
        }
        if pending { std::task::Poll::Pending } else { std::task::Poll::Ready(()) }
    })
    .await;
    futures.into_iter().filter_map(|(_, value)| value).collect()
}

#[tokio::test]
async fn several_waits_share_a_pane() {
    let world = TmuxWorld::start();
    let shared = server(&world);
    together(&world, || shared.clone()).await;
}

/// Handles that know nothing of each other, as in several programs.
#[tokio::test]
async fn several_programs_share_a_pane() {
    let world = TmuxWorld::start();
    together(&world, || Server::new(options(&world), environment(&world), Endpoint::Default)).await;
}

/// A program that is killed while it waits cannot put anything back: its runtime is gone from one moment to the next.
#[test]
fn a_pane_closes_although_the_waiting_program_was_killed() {
    let world = TmuxWorld::start();
    let pane = world.pane("sleep 1.5; exit 3");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (server, observer) = (server(&world), server(&world));
    runtime.block_on(async {
        begin(&server, &pane);
        set_up(&world, &observer, &pane).await;
    });
    drop(runtime);
    world.until("the pane has closed", || {
        // Where tmux loses the end of a program, the hook runs with the end of another one.
        let _ = kill_process(Pid::from_raw(world.pid()).unwrap(), Signal::CHILD);
        !world.has_pane(&pane)
    });
    world.until("no client is left", || clients(&world).is_empty());
}

#[tokio::test]
async fn a_stopped_server_holds_nobody() {
    let world = TmuxWorld::start();
    let options = Options { deadline: Duration::from_secs(1), ..options(&world) };
    let server = Server::new(options, environment(&world), Endpoint::Default);
    let waiting = begin(&server, "%0");
    set_up(&world, &server, "%0").await;
    let stopped = Pid::from_raw(world.pid()).unwrap();
    kill_process(stopped, Signal::STOP).unwrap();
    let begun = Instant::now();
    assert_eq!(wait(&server, "%0", SHORT).await, Exit::TimedOut);
    waiting.abort();
    assert!(waiting.await.is_err());
    let other = wait_for_exit(&server, PaneId(1), SHORT, CancellationToken::new()).await;
    // Whether that pane exists was not found out.
    assert!(matches!(other, Ok(Exit::TimedOut) | Err(TmuxError::Timeout { .. })), "{other:?}");
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    kill_process(stopped, Signal::CONT).unwrap();
    until("everything is put back", || world.pane_options("%0").is_empty() && clients(&world).is_empty())
        .await;
}

/// `cargo test -p schemux-server --test tmux -- --ignored --nocapture many`
#[tokio::test]
#[ignore = "takes half a minute; measures"]
async fn many_waits_are_all_right() {
    let rounds = 100;
    let world = TmuxWorld::start();
    let server = server(&world);
    let mut latencies = Vec::new();
    for round in 0..rounds {
        let (end, expected) = match round % 7 {
            5 => ("kill -TERM $$".to_owned(), "SIGTERM".to_owned()),
            6 => ("kill -KILL $$".to_owned(), "SIGKILL".to_owned()),
            status => (format!("exit {status}"), format!("status {status}")),
        };
        let pane = world.pane(&format!("sleep 0.2; {end}"));
        let begun = Instant::now();
        match wait(&server, &pane, LONG).await {
            Exit::Completed(status) => assert_eq!(status.to_string(), expected, "round {round}"),
            other => panic!("round {round}: {other:?}"),
        }
        latencies.push(begun.elapsed().saturating_sub(Duration::from_millis(200)));
        assert!(!world.has_pane(&pane));
        clean(&world, &[]);
    }
    latencies.sort();
    println!(
        "{rounds} right; after the end: median {:?}, worst {:?}",
        latencies[rounds / 2],
        latencies[rounds - 1]
    );
}

#[tokio::test]
async fn a_pane_that_is_kept_no_more_still_tells_its_status() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let pane = world.pane("exec sleep 100");
    world.tmux(["set-option", "-p", "-t", &pane, "remain-on-exit", "on"]);
    let waiting = begin(&server, &pane);
    sleep(SHORT).await;
    world.tmux(["set-option", "-p", "-t", &pane, "remain-on-exit", "off"]);
    // Noticed with the next look.
    sleep(Duration::from_millis(1200)).await;
    let pid = server.pane(id(&pane)).await.unwrap().pid.and_then(Pid::from_raw).unwrap();
    kill_process(pid, Signal::TERM).unwrap();
    assert_eq!(signal(&waiting.await.unwrap()), "SIGTERM");
    assert!(!world.has_pane(&pane));
}
