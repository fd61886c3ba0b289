//! Ids of a tmux server that has ended mean nothing on the next one.

use std::time::Duration;

use schemux_server::tmux::{Engine, Options, TmuxError};
use schemux_tests::TmuxWorld;

use super::{options, until, with};

#[tokio::test]
async fn ids_count_on_the_server_that_told_them() {
    for engine in [Engine::Auto, Engine::Process] {
        let world = TmuxWorld::start();
        let server = with(&world, Options { engine, ..options(&world) });
        // Who comes with an id that nobody told here learned it elsewhere, of the server that runs now.
        server.recognize().await.unwrap();
        server.introduce().await.unwrap();
        server.recognize().await.unwrap();
        world.tmux(["kill-server"]);
        until("it has gone", || !world.try_tmux(["list-sessions"]).status.success()).await;
        // The connection hears of it in its own time.
        let error = loop {
            match server.recognize().await {
                Ok(()) => tokio::time::sleep(Duration::from_millis(5)).await,
                Err(error) => break error,
            }
        };
        assert!(error.is_no_server(), "{error}");
        world.tmux(["-f", "/dev/null", "new-session", "-d", "-s", "main", "exec sleep 1000"]);
        assert_eq!(server.recognize().await, Err(TmuxError::Restarted));
        // Who was told so may go on.
        server.recognize().await.unwrap();
        world.tmux(["kill-server"]);
        until("it has gone", || !world.try_tmux(["list-sessions"]).status.success()).await;
        world.tmux(["-f", "/dev/null", "new-session", "-d", "-s", "main", "exec sleep 1000"]);
        // One look, and the new ids are known.
        server.to_look().recognize().await.unwrap();
        server.recognize().await.unwrap();
        server.close().await;
    }
}
