//! That this program is attached shows nowhere, and changes nothing.

use std::process::Stdio;

use schemux_server::tmux::{Command, Query};
use schemux_tests::TmuxWorld;

use super::{attached, by_process, server, until, value};

#[tokio::test]
async fn own_clients_do_not_count() {
    let world = TmuxWorld::start();
    let (line, process) = (server(&world), by_process(&world));
    let counts =
        &["session_attached", "session_many_attached", "session_attached_list", "window_active_clients"];
    assert_eq!(value(&line, counts, "main:").await, "0 0  0");
    assert_eq!(attached(&world), 1);
    assert_eq!(value(&process, counts, "main:").await, "0 0  0");
    let query = Query::new(&["client_name", "client_pid"]);
    let clients = || Command::new("list-clients").value('F', query.template()).into();
    assert_eq!(line.rows(&query, clients()).await.unwrap(), []);
    assert_eq!(process.rows(&query, clients()).await.unwrap(), []);
    // Somebody else's client does count.
    let mut other = world.command();
    let other =
        other.args(["-C", "attach-session", "-t", "main"]).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut other = other.spawn().unwrap();
    until("it is attached", || attached(&world) == 2).await;
    let name = format!("client-{}", other.id());
    assert_eq!(value(&line, counts, "main:").await, format!("1 0 {name} 1"));
    assert_eq!(value(&process, counts, "main:").await, format!("1 0 {name} 1"));
    assert_eq!(line.rows(&query, clients()).await.unwrap().len(), 1);
    drop(other.stdin.take());
    other.wait().unwrap();
}

#[tokio::test]
async fn nothing_changes() {
    let world = TmuxWorld::start();
    world.tmux(["set-option", "-g", "update-environment", "SCHEMUX_PROBE"]);
    world.tmux(["set-environment", "-t", "main", "SCHEMUX_PROBE", "kept"]);
    world.tmux(["new-session", "-d", "-s", "later", "-x", "120", "-y", "40"]);
    let state = || {
        let sizes = world.tmux(["list-windows", "-a", "-F", "#{window_id} #{window_width}x#{window_height}"]);
        let current = world.tmux(["display-message", "-p", "#{session_name}"]);
        let environment = world.tmux(["show-environment", "-t", "main", "SCHEMUX_PROBE"]);
        (sizes, current, environment)
    };
    for current in ["main", "later"] {
        // The session that was used last is the one that tmux takes for current.
        std::thread::sleep(std::time::Duration::from_millis(1100));
        let mut client = world.command();
        let mut client = client
            .args(["-C", "attach-session", "-f", "ignore-size", "-E", "-t", current])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        until("it is attached", || attached(&world) == 1).await;
        drop(client.stdin.take());
        client.wait().unwrap();
        let before = state();
        assert_eq!(before.1, current);
        let server = server(&world);
        server.panes().await.unwrap();
        assert_eq!(attached(&world), 1);
        assert_eq!(state(), before);
        server.close().await;
        assert_eq!(state(), before);
    }
}

#[tokio::test]
async fn a_server_that_ends_without_clients_is_left_alone() {
    let world = TmuxWorld::start();
    // With the option on and nobody attached the server would end before it could be asked: so somebody is.
    let mut user = world.command();
    let mut user =
        user.args(["-C", "attach-session"]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    until("the user is attached", || attached(&world) == 1).await;
    world.tmux(["set-option", "-s", "exit-unattached", "on"]);
    let line = server(&world);
    for _ in 0..3 {
        line.panes().await.unwrap();
        assert_eq!(attached(&world), 1);
    }
    // Turned on while this program is attached: it leaves when the user does.
    world.tmux(["set-option", "-s", "exit-unattached", "off"]);
    until("it attaches again", || {
        std::thread::sleep(std::time::Duration::from_millis(200));
        futures_free(&line);
        attached(&world) == 2
    })
    .await;
    world.tmux(["set-option", "-s", "exit-unattached", "on"]);
    drop(user.stdin.take());
    user.wait().unwrap();
    until("the server has ended", || !world.try_tmux(["list-sessions"]).status.success()).await;
}

/// A call from inside of a condition.
fn futures_free(server: &schemux_server::tmux::Server) {
    let server = server.clone();
    tokio::spawn(async move { server.panes().await });
}

#[tokio::test]
async fn a_session_that_ends_without_clients_is_left_alone() {
    let world = TmuxWorld::start();
    world.tmux(["new-session", "-d", "-s", "other"]);
    let line = server(&world);
    line.panes().await.unwrap();
    assert_eq!(attached(&world), 1);
    let session = world.tmux(["list-clients", "-F", "#{session_name}"]);
    world.tmux(["set-option", "-t", &session, "destroy-unattached", "on"]);
    // Noticed by use, at most a second later.
    until("it has left", || {
        futures_free(&line);
        attached(&world) == 0 || !world.tmux(["list-sessions", "-F", "#{session_name}"]).contains(&session)
    })
    .await;
    until("the session is gone", || {
        !world.tmux(["list-sessions", "-F", "#{session_name}"]).lines().any(|name| name == session)
    })
    .await;
    assert_eq!(line.panes().await.unwrap().len(), 1);
}
