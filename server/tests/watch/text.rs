//! Waiting for text, for any output, for silence: from the stream, and by looking.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use schemux_server::tmux::{
    Closed, Engine, Outcome, PaneId, Patterns, Server, Syntax, TmuxError, Typing, Watch, Watched, type_text,
    watch,
};
use schemux_tests::TmuxWorld;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::{pane, server, server_by, type_line};

const ENGINES: [Engine; 2] = [Engine::Auto, Engine::Process];

fn patterns(patterns: &[&str]) -> Patterns {
    Patterns::new(patterns, Syntax::default()).unwrap()
}

/// A wait for text.
fn text(text: &str) -> Watch {
    let limit = Duration::from_secs(10);
    Watch { patterns: patterns(&[text]), stop: Patterns::default(), any_output: false, idle: None, limit }
}

async fn wait(server: &Server, pane: PaneId, what: Watch) -> Watched {
    watch(server, pane, what, CancellationToken::new(), None).await.unwrap()
}

/// Begins to wait, and does something when the wait has surely begun.
async fn while_waiting(server: &Server, pane: PaneId, what: Watch, action: impl AsyncFnOnce()) -> Watched {
    let (watched, ()) = tokio::join!(wait(server, pane, what), async {
        sleep(Duration::from_millis(400)).await;
        action().await;
    });
    watched
}

fn matched(watched: &Watched) -> &[String] {
    match &watched.outcome {
        Outcome::Matched { index: 0, lines } => lines,
        other => panic!("{other:?} {watched:?}"),
    }
}

#[tokio::test]
async fn text_that_comes() {
    for engine in ENGINES {
        let world = TmuxWorld::start();
        let (server, pane) = (server_by(&world, engine), pane(&world, "read x; echo all NEEDLE here; cat"));
        let watched =
            while_waiting(&server, pane, text("needle"), async || type_line(&world, pane, "go")).await;
        assert_eq!(matched(&watched), ["all NEEDLE here"], "{engine:?}");
        assert!(!watched.at_entry && watched.saw_output && !watched.missed);
        // It is there now, and that is told, but nothing new.
        let short = Watch { limit: Duration::from_millis(300), ..text("needle") };
        let watched = wait(&server, pane, short).await;
        assert_eq!((watched.outcome, watched.at_entry, watched.saw_output), (Outcome::TimedOut, true, false));
        assert!(watched.elapsed < Duration::from_millis(600), "{:?}", watched.elapsed);
    }
}

#[tokio::test]
async fn a_burst_after_it_hides_nothing() {
    let world = TmuxWorld::start();
    let server = server(&world);
    for script in
        ["sleep 1; echo NEEDLE; seq 1 3000; cat", "sleep 1; echo NEEDLE; printf '\\033[H\\033[2J'; cat"]
    {
        let pane = pane(&world, script);
        let begun = Instant::now();
        let watched = wait(&server, pane, text("NEEDLE")).await;
        assert_eq!(matched(&watched), ["NEEDLE"]);
        assert!(begun.elapsed() < Duration::from_millis(1300), "{:?}", begun.elapsed());
    }
}

#[tokio::test]
async fn what_stops_any_output_and_silence() {
    for engine in ENGINES {
        let world = TmuxWorld::start();
        let server = server_by(&world, engine);
        let quiet = pane(&world, "cat");
        let stop = Watch { stop: patterns(&["no such", "error"]), ..text("done") };
        let watched =
            while_waiting(&server, quiet, stop, async || type_line(&world, quiet, "an error")).await;
        assert!(matches!(watched.outcome, Outcome::Stopped { index: 1, .. }), "{watched:?}");
        let any = Watch { patterns: Patterns::default(), any_output: true, ..text("x") };
        let watched =
            while_waiting(&server, quiet, any.clone(), async || type_line(&world, quiet, "word")).await;
        assert_eq!(watched.outcome, Outcome::AnyOutput);
        let idle = Watch { any_output: false, idle: Some(Duration::from_millis(600)), ..any };
        let watched = wait(&server, quiet, idle.clone()).await;
        assert_eq!(watched.outcome, Outcome::Idle);
        assert!((590..800).contains(&watched.elapsed.as_millis()), "{:?}", watched.elapsed);
        let busy = pane(&world, "for i in 1 2 3 4 5; do sleep 0.2; echo $i; done; cat");
        let watched = wait(&server, busy, idle).await;
        assert_eq!(watched.outcome, Outcome::Idle);
        assert!((1400..2200).contains(&watched.elapsed.as_millis()), "{:?}", watched.elapsed);
    }
}

#[tokio::test]
async fn the_echo_of_what_is_typed_here_does_not_count() {
    for (program, typed, output) in [
        ("sh", "echo NEE'D'LE; sleep 0.3; echo NEED''LE-OUT", "NEEDLE-OUT"),
        ("bash --norc", "sleep 0.3; : NEEDLE-OUT; echo NEED''LE-OUT", "NEEDLE-OUT"),
        // Longer than the window is wide.
        (
            "bash --norc",
            "sleep 0.3; : aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa NEEDLE-OUT; echo NEED''LE-OUT",
            "NEEDLE-OUT",
        ),
        ("cat", "NEEDLE-OUT", "NEEDLE-OUT"),
        // Nobody reads yet: the terminal echoes, and the editor once more.
        ("sleep 0.8; exec bash --norc", "sleep 0.3; : NEEDLE-OUT; echo NEED''LE-OUT", "NEEDLE-OUT"),
    ] {
        let world = TmuxWorld::start();
        let (server, pane) = (server(&world), pane(&world, program));
        sleep(Duration::from_millis(300)).await;
        let typing = Typing { enter: true, ..Typing::default() };
        let watched = while_waiting(&server, pane, text("NEEDLE-OUT"), async || {
            type_text(&server, pane, typed, &typing).await.unwrap();
        })
        .await;
        assert_eq!(matched(&watched), [output], "{program}: {watched:?}");
        if program != "cat" {
            assert!(watched.elapsed > Duration::from_millis(650), "{program}: {watched:?}");
        }
    }
}

#[tokio::test]
async fn the_end_of_the_pane_ends_the_wait() {
    for engine in ENGINES {
        let world = TmuxWorld::start();
        let server = server_by(&world, engine);
        let gone = pane(&world, "cat");
        let watched = while_waiting(&server, gone, text("x"), async || {
            world.tmux(["kill-pane", "-t", &gone.to_string()]);
        })
        .await;
        assert_eq!(watched.outcome, Outcome::Closed(Closed::PaneGone), "{engine:?}");
        assert!(watched.missed);
        assert!(watched.elapsed < Duration::from_millis(700), "{:?}", watched.elapsed);
        let error = watch(&server, gone, text("x"), CancellationToken::new(), None).await.unwrap_err();
        assert!(matches!(error, TmuxError::NoSuchPane { .. }), "{error:?}");
        // The last words of a pane that stays.
        for _ in 0..5 {
            let dead = pane(&world, "read x; printf NEEDLE; exit 3");
            world.tmux(["set-option", "-p", "-t", &dead.to_string(), "remain-on-exit", "on"]);
            let watched =
                while_waiting(&server, dead, text("NEEDLE"), async || type_line(&world, dead, "")).await;
            if watched.outcome == Outcome::Closed(Closed::PaneDead) {
                // tmux itself has lost them: then nobody can see them.
                let screen = world.tmux(["capture-pane", "-p", "-S", "-50", "-t", &dead.to_string()]);
                assert!(!screen.contains("NEEDLE"), "{watched:?}");
            } else {
                matched(&watched);
            }
            let watched = wait(&server, dead, text("other")).await;
            assert_eq!(watched.outcome, Outcome::Closed(Closed::PaneDead));
        }
        let watched = while_waiting(&server, PaneId(0), text("x"), async || {
            world.tmux(["kill-server"]);
        })
        .await;
        assert_eq!(watched.outcome, Outcome::Closed(Closed::ServerGone));
    }
}

#[tokio::test]
async fn progress_is_told_now_and_then_and_cancelling_is_quick() {
    for engine in ENGINES {
        let world = TmuxWorld::start();
        let (server, pane) = (server_by(&world, engine), pane(&world, "yes"));
        let told = AtomicUsize::new(0);
        let tell = |_| {
            told.fetch_add(1, Ordering::Relaxed);
        };
        let cancel = CancellationToken::new();
        let stopping = async {
            sleep(Duration::from_millis(4500)).await;
            cancel.cancel();
            Instant::now()
        };
        let (watched, at) =
            tokio::join!(watch(&server, pane, text("x"), cancel.clone(), Some(&tell)), stopping);
        let bound = Duration::from_millis(if cfg!(debug_assertions) { 300 } else { 50 });
        assert!(at.elapsed() < bound, "{:?}", at.elapsed());
        assert_eq!(watched.unwrap().outcome, Outcome::Cancelled);
        assert_eq!(told.load(Ordering::Relaxed), 2);
    }
}

#[tokio::test]
async fn a_thousand_waits_are_one_client_and_slow_nothing() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let panes: Vec<_> = (0..20).map(|_| pane(&world, "cat")).collect();
    server.panes().await.unwrap();
    let waits: Vec<_> = (0..1000)
        .map(|number| {
            let (server, pane) = (server.clone(), panes[number % panes.len()]);
            tokio::spawn(async move { wait(&server, pane, text("NEEDLE")).await })
        })
        .collect();
    super::until("all wait", || world.clients().len() == 2).await;
    sleep(Duration::from_secs(1)).await;
    let mut times = Vec::new();
    for _ in 0..50 {
        let begun = Instant::now();
        server.panes().await.unwrap();
        times.push(begun.elapsed());
    }
    times.sort();
    println!("a listing while 1,000 wait: median {:?}", times[25]);
    assert!(times[25] < Duration::from_millis(20), "{times:?}");
    assert_eq!(world.clients().len(), 2);
    let begun = Instant::now();
    for pane in &panes {
        type_line(&world, *pane, "NEEDLE");
    }
    for wait in waits {
        matched(&wait.await.unwrap());
    }
    println!("all of them matched after {:?}", begun.elapsed());
}
