//! Many programs on one server: clients attach and leave while others do, and the server lives on.
//!
//! Below 3.7 tmux crashes if it tells its clients something while one attaches, or if one is killed while it does. Without
//! taking turns a 3.3a was gone after some twenty of these rounds.

use std::time::{Duration, Instant};

use schemux_server::tmux::{Command, Options, Server};
use schemux_tests::TmuxWorld;

use super::{options, with};

const LONG: Duration = Duration::from_secs(3);

/// One of many programs: attaches and leaves, again and again, in the way that `leave` says.
async fn come_and_go(world: &TmuxWorld, until: Instant, leave: impl AsyncFn(Server)) -> usize {
    let mut rounds = 0;
    while Instant::now() < until {
        let server = with(world, Options { deadline: Duration::from_secs(20), ..options(world) });
        server.panes().await.unwrap();
        leave(server).await;
        rounds += 1;
    }
    rounds
}

#[tokio::test]
async fn clients_come_and_go_at_once() {
    let world = TmuxWorld::start();
    let until = Instant::now() + LONG;
    let pid = world.pid().to_string();
    let closing = || come_and_go(&world, until, async |server| server.close().await);
    let rounds = tokio::join!(
        closing(),
        closing(),
        // Leaves while the next one attaches.
        come_and_go(&world, until, async |server| drop(server)),
        // tmux tells all clients of names, and from 3.4 on of buffers.
        come_and_go(&world, until, async |server| {
            for name in ["one", "other"] {
                let rename = Command::new("rename-session").target("$0").operand(name);
                server.run(&rename.into()).await.unwrap();
                server.run(&Command::new("set-buffer").operand(name).into()).await.unwrap();
            }
        }),
    );
    assert_eq!(world.tmux(["display-message", "-p", "#{pid}"]), pid);
    println!("{rounds:?}");
}

/// A program that ends while its client attaches does not take the server with it.
#[test]
fn a_client_that_attaches_is_not_killed() {
    let world = TmuxWorld::start();
    let pid = world.pid().to_string();
    let until = Instant::now() + LONG;
    // About when the client attaches.
    let mut micros = 3_000;
    while Instant::now() < until {
        let server = with(&world, options(&world));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let _ = tokio::time::timeout(Duration::from_micros(micros), server.panes()).await;
        });
        drop(runtime);
        // It takes no turn to leave, so nobody may attach meanwhile.
        world.until("its client has ended", || world.clients().is_empty());
        micros = 3_000 + (micros + 170) % 6_000;
    }
    assert_eq!(world.tmux(["display-message", "-p", "#{pid}"]), pid);
}
