//! `wait_for_text`, `wait_for_channel`, `signal_channel`: waits end at once when what they wait for comes, or cannot come.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use schemux::{
    Client, Connection, Cx, ProgressSink, SendKeysArgs, SignalChannelArgs, Tools as _, WaitForChannelArgs,
    WaitForTextArgs, WaitForTextOutcome, WaitForTextResult,
};
use schemux_tests::TmuxWorld;

use super::support::{bare, client, connect, in_process, refused};

const SHORT: Duration = Duration::from_millis(400);

fn patterns(patterns: &[&str]) -> Vec<String> {
    patterns.iter().map(|&pattern| pattern.to_owned()).collect()
}

fn args(pane: &str, wanted: &[&str]) -> WaitForTextArgs {
    WaitForTextArgs::new().pane_id(pane).patterns(patterns(wanted)).timeout(10.0)
}

/// Waits, and lets the pane's `cat` print a line meanwhile.
async fn printing(
    world: &TmuxWorld,
    client: &Client<Connection>,
    pane: &str,
    args: WaitForTextArgs,
    line: &str,
) -> WaitForTextResult {
    let print = async {
        tokio::time::sleep(SHORT).await;
        // By somebody else, so that it is no echo of what this server typed.
        world.tmux(["send-keys", "-t", pane, "-l", line]);
        world.tmux(["send-keys", "-t", pane, "Enter"]);
    };
    let (result, ()) = tokio::join!(client.wait_for_text(args), print);
    result.unwrap()
}

/// A pane whose program prints what is typed into it, and no echo.
async fn cat(world: &TmuxWorld) -> String {
    let pane = world.pane("stty -echo; echo ready; exec cat");
    schemux_tests::until("it is ready", || world.tmux(["capture-pane", "-p", "-t", &pane]).contains("ready"))
        .await;
    pane
}

#[tokio::test]
async fn what_is_waited_for() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = cat(&world).await;
    let wait = |args: WaitForTextArgs, line: &'static str| printing(&world, &client, &pane, args, line);

    let found = wait(args(&pane, &["nothing", "READY"]), "all is ready now").await;
    assert_eq!(
        (found.outcome, found.found, found.matched_index),
        (WaitForTextOutcome::Matched, true, Some(1))
    );
    assert_eq!(found.matched_lines.unwrap(), ["all is ready now"]);
    assert!(found.saw_new_output && !found.matched_at_entry && !found.alternate_screen);
    assert_eq!((found.pane_id.as_str(), found.effective_timeout), (pane.as_str(), 10.0));
    assert!(found.elapsed_seconds < 8.0, "{}", found.elapsed_seconds);

    let found = wait(args(&pane, &["^x\\d+y$"]).regex(true), "x42y").await;
    assert_eq!(
        (found.outcome, found.matched_lines.unwrap()),
        (WaitForTextOutcome::Matched, vec!["x42y".to_owned()])
    );
    let stopped = wait(args(&pane, &["good"]).stop(patterns(&["never", "bad end"])), "the BAD END").await;
    assert_eq!(
        (stopped.outcome, stopped.found, stopped.matched_index),
        (WaitForTextOutcome::Stopped, false, Some(1))
    );
    assert_eq!(stopped.matched_lines.unwrap(), ["the BAD END"]);
    let missed = wait(args(&pane, &["LOWER"]).match_case(true).timeout(1.2), "lower").await;
    assert_eq!(
        (missed.outcome, missed.found, missed.saw_new_output),
        (WaitForTextOutcome::Timeout, false, true)
    );
    assert_eq!(missed.tail.unwrap(), ["lower"]);
    let any = wait(WaitForTextArgs::new().pane_id(&pane).timeout(10.0), "anything").await;
    assert_eq!((any.outcome, any.found, any.matched_index), (WaitForTextOutcome::AnyOutput, true, None));
    client.close().await;
}

#[tokio::test]
async fn what_was_there_and_what_was_typed_here_do_not_count() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = cat(&world).await;
    let begun = Instant::now();
    let there = client.wait_for_text(args(&pane, &["ready"]).timeout(0.4).interval(1e9)).await.unwrap();
    assert_eq!((there.outcome, there.matched_at_entry), (WaitForTextOutcome::Timeout, true));
    assert!(!there.saw_new_output && begun.elapsed() < Duration::from_secs(3));
    assert_eq!((there.matched_lines.unwrap(), there.tail.unwrap()), (vec![], vec!["ready".to_owned()]));

    let shell = world.pane("exec /bin/sh");
    client.send_keys(SendKeysArgs::new("sleep 1; echo DONE").pane_id(&shell)).await.unwrap();
    let begun = Instant::now();
    let done = client.wait_for_text(args(&shell, &["DONE"])).await.unwrap();
    assert!(done.found && begun.elapsed() >= Duration::from_millis(700), "{:?}", begun.elapsed());
    client.close().await;
}

#[tokio::test]
async fn the_alternate_screen_is_told_and_not_matched() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = world.pane("sleep 1; printf '\\033[?1049h\\033[HNEEDLE'; exec sleep 1000");
    let result = client.wait_for_text(args(&pane, &["NEEDLE"]).timeout(2.0)).await.unwrap();
    assert_eq!((result.outcome, result.alternate_screen), (WaitForTextOutcome::AlternateScreen, true));
    let result = client.wait_for_text(args(&pane, &["NEEDLE"]).timeout(0.3)).await.unwrap();
    assert_eq!((result.outcome, result.matched_at_entry), (WaitForTextOutcome::AlternateScreen, true));
    let pane = world
        .pane("printf '\\033[?1049h'; sleep 1; printf '\\033[?1049l'; sleep 1; echo BACK; exec sleep 1000");
    let result = client.wait_for_text(args(&pane, &["BACK"])).await.unwrap();
    assert_eq!(result.outcome, WaitForTextOutcome::Matched);
    client.close().await;
}

#[tokio::test]
async fn a_pane_that_ends_ends_the_wait() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for (program, keep) in [("echo last words; sleep 1", false), ("echo last words; sleep 1", true)] {
        world.tmux(["set-option", "-g", "remain-on-exit", if keep { "on" } else { "off" }]);
        let pane = world.pane(program);
        let begun = Instant::now();
        let error = refused(client.wait_for_text(args(&pane, &["NEVER"])).await);
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}, kept: {keep}", begun.elapsed());
        let kind = if keep { "ExpectedToolError" } else { "PaneNotFound" };
        assert_eq!((error.error_type.as_ref(), error.expected), (kind, true), "{error}");
        assert!(error.message.contains("ended during the wait"), "{error}");
    }
    let error = refused(client.wait_for_text(args("%999", &["x"])).await);
    assert_eq!(error.error_type, "PaneNotFound");
    client.close().await;
}

#[tokio::test]
async fn what_cannot_be_waited_for() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = world.pane("exec cat");
    for (args, kind) in [
        (args(&pane, &[]), "ExpectedToolError"),
        (args(&pane, &["a", ""]), "ExpectedToolError"),
        (args(&pane, &["a"]).stop(patterns(&[""])), "ExpectedToolError"),
        (args(&pane, &["("]).regex(true), "error"),
        (args(&pane, &["a"]).regex(true).stop(patterns(&["("])), "error"),
        (args(&pane, &["a"]).timeout(0.0), "ExpectedToolError"),
        (args(&pane, &["a"]).timeout(-1.0), "ExpectedToolError"),
        (args(&pane, &["a"]).interval(0.001), "ExpectedToolError"),
        (args(&pane, &["a"]).interval(-1.0), "ExpectedToolError"),
    ] {
        let error = refused(client.wait_for_text(args.clone()).await);
        assert_eq!((error.error_type.as_ref(), error.expected), (kind, true), "{args:?}");
    }
    let literal = client.wait_for_text(args(&pane, &["("]).stop(vec![]).timeout(0.2)).await.unwrap();
    assert_eq!(literal.outcome, WaitForTextOutcome::Timeout);
    client.close().await;
}

#[tokio::test]
async fn a_signal_is_never_lost() {
    let world = TmuxWorld::start();
    let client = Arc::new(client(&world).await);
    let wait = |channel: &str, timeout: f64| {
        client.wait_for_channel(WaitForChannelArgs::new(channel).timeout(timeout))
    };
    let signal = |channel: &str| client.signal_channel(SignalChannelArgs::new(channel));
    let said = signal("early").await.unwrap();
    assert!(said.contains("early"), "{said}");
    let said = wait("early", 5.0).await.unwrap();
    assert!(said.contains("early"), "{said}");

    let error = refused(wait("late", 0.5).await);
    assert_eq!((error.error_type.as_ref(), error.expected), ("TimeoutError", true));
    assert!(error.message.contains("late") && error.message.contains("0.5"), "{error}");
    signal("late").await.unwrap();
    wait("late", 5.0).await.unwrap();

    let (first, second, ()) = tokio::join!(wait("two", 8.0), wait("two", 8.0), async {
        tokio::time::sleep(SHORT).await;
        world.tmux(["wait-for", "-S", "two"]);
    });
    assert!(first.is_ok() && second.is_ok());

    for timeout in [0.0, -1.0] {
        let begun = Instant::now();
        let error = refused(wait("never", timeout).await);
        assert_eq!(error.error_type, "TimeoutError");
        assert!(begun.elapsed() < Duration::from_secs(2));
    }
    for name in ["", " ", "a b", "a;b", "é", "$HOME", "a\nb", "a/b"]
        .map(str::to_owned)
        .into_iter()
        .chain(["x".repeat(129)])
    {
        for error in [refused(wait(&name, 0.2).await), refused(signal(&name).await)] {
            assert!(error.expected && error.message.contains("channel must be"), "{error}");
        }
    }
    for name in ["-S".to_owned(), "--".to_owned(), "a:b.c-d_e".to_owned(), "x".repeat(128)] {
        signal(&name).await.unwrap();
        wait(&name, 5.0).await.unwrap();
    }
}

#[tokio::test]
async fn a_server_that_ends_or_is_not_there() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let (ended, ()) =
        tokio::join!(client.wait_for_channel(WaitForChannelArgs::new("c").timeout(10.0)), async {
            tokio::time::sleep(SHORT).await;
            world.tmux(["kill-server"]);
        });
    let error = refused(ended);
    assert!(error.expected && error.message.contains("server ended"), "{error}");
    client.close().await;
    let sockets = tempfile::tempdir().unwrap();
    let client = connect(bare(sockets.path())).await;
    let error = refused(client.wait_for_channel(WaitForChannelArgs::new("c").timeout(1.0)).await);
    assert_eq!(error.error_type, "TmuxObjectDoesNotExist");
    let error = refused(client.signal_channel(SignalChannelArgs::new("c")).await);
    assert_eq!(error.error_type, "TmuxObjectDoesNotExist");
    let error = refused(client.wait_for_text(WaitForTextArgs::new().timeout(1.0)).await);
    assert_eq!(error.error_type, "TmuxObjectDoesNotExist");
    client.close().await;
}

/// Keeps what it is told.
#[derive(Default)]
struct Told(Mutex<Vec<(f64, Option<f64>, String)>>);

impl ProgressSink for Told {
    fn report<'a>(
        &'a self,
        progress: f64,
        total: Option<f64>,
        message: Option<String>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        self.0.lock().unwrap().push((progress, total, message.unwrap_or_default()));
        Box::pin(std::future::ready(()))
    }
}

#[tokio::test]
async fn a_long_wait_says_that_it_goes_on_and_can_be_cancelled() {
    let world = TmuxWorld::start();
    let tools = in_process(&world);
    let pane = world.pane("exec cat");
    let told = Arc::new(Told::default());
    let cancelled = tokio_util::sync::CancellationToken::new();
    let cx = Cx::new().with_progress(told.clone()).with_cancellation(cancelled.clone());
    let begun = Instant::now();
    let (_, ()) = tokio::join!(tools.wait_for_text(&cx, args(&pane, &["NEVER"]).timeout(20.0)), async {
        tokio::time::sleep(Duration::from_millis(4_500)).await;
        cancelled.cancel();
    });
    assert!(begun.elapsed() < Duration::from_secs(9), "{:?}", begun.elapsed());
    let told = told.0.lock().unwrap().clone();
    assert!((1..=3).contains(&told.len()), "{told:?}");
    assert!(told.is_sorted_by(|a, b| a.0 < b.0), "{told:?}");
    assert!(told.iter().all(|(_, total, text)| *total == Some(20.0) && text.contains(&pane)), "{told:?}");
    for wait in ["channel", "text"] {
        let cx = Cx::new().with_cancellation(cancelled.clone());
        let begun = Instant::now();
        match wait {
            "channel" => drop(tools.wait_for_channel(&cx, WaitForChannelArgs::new("c").timeout(20.0)).await),
            _ => drop(tools.wait_for_text(&cx, args(&pane, &["x"]).timeout(20.0)).await),
        }
        assert!(begun.elapsed() < Duration::from_secs(5), "{wait}: {:?}", begun.elapsed());
    }
    tools.close().await;
}
