//! Waiting on channels: a wait that was given up eats no signal.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use schemux_server::tmux::{ChannelEnd, Engine, TmuxError, signal_channel, wait_channel};
use schemux_tests::TmuxWorld;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::{server, server_by, until};

const LONG: Duration = Duration::from_secs(10);
const SHORT: Duration = Duration::from_millis(300);

fn never() -> CancellationToken {
    CancellationToken::new()
}

#[tokio::test]
async fn a_signal_wakes_everybody_and_one_is_kept() {
    for engine in [Engine::Auto, Engine::Process] {
        let world = TmuxWorld::start();
        let server = server_by(&world, engine);
        let waits = async {
            tokio::join!(
                wait_channel(&server, "a b;", LONG, never()),
                wait_channel(&server, "a b;", LONG, never())
            )
        };
        let ((one, two), ()) = tokio::join!(waits, async {
            sleep(SHORT).await;
            signal_channel(&server, "a b;").await.unwrap();
        });
        assert_eq!((one, two), (Ok(ChannelEnd::Signalled), Ok(ChannelEnd::Signalled)));
        signal_channel(&server, "kept").await.unwrap();
        assert_eq!(wait_channel(&server, "kept", LONG, never()).await, Ok(ChannelEnd::Signalled));
        assert_eq!(wait_channel(&server, "kept", SHORT, never()).await, Ok(ChannelEnd::TimedOut));
    }
}

#[tokio::test]
async fn a_wait_that_was_given_up_eats_no_signal() {
    let world = TmuxWorld::start();
    let server = server(&world);
    for round in 0..3 {
        let (name, cancel) = (format!("channel-{round}"), CancellationToken::new());
        assert_eq!(wait_channel(&server, &name, SHORT, never()).await, Ok(ChannelEnd::TimedOut));
        let waiting = wait_channel(&server, &name, LONG, cancel.clone());
        let (end, at) = tokio::join!(waiting, async {
            sleep(SHORT).await;
            cancel.cancel();
            Instant::now()
        });
        assert_eq!(end, Ok(ChannelEnd::Cancelled));
        assert!(at.elapsed() < Duration::from_millis(50), "{:?}", at.elapsed());
        sleep(Duration::from_millis(100)).await;
        if round == 2 {
            world.tmux(["wait-for", "-S", &name]);
            assert_eq!(wait_channel(&server, &name, LONG, never()).await, Ok(ChannelEnd::Signalled));
            continue;
        }
        // Somebody else waits for it now, before the signal or after it.
        let mut other = world.command();
        other.args(["wait-for", &name]).stdout(Stdio::null());
        let mut other = if round == 0 {
            let other = other.spawn().unwrap();
            sleep(SHORT).await;
            world.tmux(["wait-for", "-S", &name]);
            other
        } else {
            world.tmux(["wait-for", "-S", &name]);
            sleep(SHORT).await;
            other.spawn().unwrap()
        };
        assert!(ends(&mut other).await, "the signal of round {round} was lost");
    }
    server.close().await;
    assert_eq!(world.clients(), [""; 0]);
}

/// Whether this client is woken within two seconds. It is gone then, in any case.
async fn ends(client: &mut Child) -> bool {
    for _ in 0..100 {
        if client.try_wait().unwrap().is_some() {
            return true;
        }
        sleep(Duration::from_millis(20)).await;
    }
    client.kill().unwrap();
    client.wait().unwrap();
    false
}

/// Those that wait inside tmux.
fn waiting(world: &TmuxWorld) -> Vec<String> {
    world.clients().into_iter().filter(|line| line.contains("wait-for")).collect()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_wait_that_was_given_up_leaves_no_client() {
    for engine in [Engine::Auto, Engine::Process] {
        let world = TmuxWorld::start();
        let server = server_by(&world, engine);
        let names: Vec<_> = (0..5).map(|number| format!("channel {number}")).collect();
        let mut waits = tokio::task::JoinSet::new();
        for name in &names {
            let (server, name) = (server.clone(), name.clone());
            waits.spawn(async move { wait_channel(&server, &name, SHORT, never()).await });
        }
        assert_eq!(waits.join_all().await, vec![Ok(ChannelEnd::TimedOut); names.len()]);
        until("no client waits", || waiting(&world).is_empty()).await;
        // Nothing is kept that nobody has sent, and what is sent is kept.
        assert_eq!(wait_channel(&server, &names[0], SHORT, never()).await, Ok(ChannelEnd::TimedOut));
        for name in &names {
            signal_channel(&server, name).await.unwrap();
            assert_eq!(wait_channel(&server, name, LONG, never()).await, Ok(ChannelEnd::Signalled));
        }
        server.close().await;
        assert_eq!(world.clients(), [""; 0]);
    }
}

#[tokio::test]
async fn a_wait_that_is_given_up_wakes_nobody_else() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let mut other = world.command().args(["wait-for", "shared"]).spawn().unwrap();
    until("the other waits", || waiting(&world).len() == 1).await;
    assert_eq!(wait_channel(&server, "shared", SHORT, never()).await, Ok(ChannelEnd::TimedOut));
    sleep(Duration::from_millis(700)).await;
    let early = other.try_wait().unwrap();
    world.tmux(["wait-for", "-S", "shared"]);
    assert!(ends(&mut other).await && early.is_none(), "{early:?}");
}

/// A signal, a new wait and the end of the earlier one's client fall together in many ways; none is lost or made up.
#[tokio::test]
async fn a_signal_at_the_last_moment_is_kept() {
    let world = TmuxWorld::start();
    let server = server(&world);
    for round in 0..60 {
        let name = format!("late {round}");
        assert_eq!(
            wait_channel(&server, &name, Duration::from_millis(20), never()).await,
            Ok(ChannelEnd::TimedOut)
        );
        sleep(Duration::from_micros(round * 150)).await;
        signal_channel(&server, &name).await.unwrap();
        assert_eq!(wait_channel(&server, &name, LONG, never()).await, Ok(ChannelEnd::Signalled), "{round}");
        assert_eq!(
            wait_channel(&server, &name, Duration::from_millis(50), never()).await,
            Ok(ChannelEnd::TimedOut),
            "{round}"
        );
    }
    server.close().await;
    assert_eq!(world.clients(), [""; 0]);
}

#[tokio::test]
async fn the_end_of_the_server_is_no_signal() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let (end, ()) = tokio::join!(wait_channel(&server, "a", LONG, never()), async {
        sleep(SHORT).await;
        world.tmux(["kill-server"]);
    });
    assert_eq!(end, Ok(ChannelEnd::ServerGone));
    let error = wait_channel(&server, "a", LONG, never()).await.unwrap_err();
    assert!(error.is_no_server(), "{error:?}");
    assert!(!matches!(error, TmuxError::ServerLost { .. }), "{error:?}");
    until("no client is left", || world.clients().is_empty()).await;
}
