//! Waiting on channels: a wait that was given up eats no signal.

use std::process::Stdio;
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
        let mut ended = None;
        for _ in 0..100 {
            ended = other.try_wait().unwrap();
            if ended.is_some() {
                break;
            }
            sleep(Duration::from_millis(20)).await;
        }
        if ended.is_none() {
            other.kill().unwrap();
            other.wait().unwrap();
            panic!("the signal of round {round} was lost");
        }
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
