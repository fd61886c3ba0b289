//! Servers: found, looked at and ended.

use std::os::unix::net::UnixListener;
use std::time::{Duration, Instant};

use schemux::{
    CreateSessionArgs, GetServerInfoArgs, KillServerArgs, ListPanesArgs, ListServersArgs, ListSessionsArgs,
    ServerInfo,
};
use schemux_tests::TmuxWorld;

use super::support::{bare, client, clients, connect, program, refused};

fn usual(world: &TmuxWorld) -> std::path::PathBuf {
    world.tmux(["display-message", "-p", "#{socket_path}"]).into()
}

#[tokio::test]
async fn what_listens_is_found() {
    let world = TmuxWorld::start();
    let socket = usual(&world);
    let directory = socket.parent().unwrap();
    // Another server, one that ended, a file, and what is no tmux server and never answers.
    world.tmux(["-L", "b é", "-f", "/dev/null", "new-session", "-d", "exec cat"]);
    drop(UnixListener::bind(directory.join("dead")).unwrap());
    std::fs::write(directory.join("file"), "").unwrap();
    let elsewhere = TmuxWorld::start();
    let elsewhere_socket = usual(&elsewhere).to_str().unwrap().to_owned();
    let version = world.tmux(["display-message", "-p", "#{version}"]);

    let client = client(&world).await;
    let paths = [&*elsewhere_socket, "/missing", "", "a\0b", "/etc/passwd"].map(str::to_owned);
    let found = client.list_servers(ListServersArgs::new().extra_socket_paths(paths.to_vec())).await.unwrap();
    let alive = |name: Option<&str>, path: Option<&str>| ServerInfo {
        is_alive: true,
        session_count: 1,
        socket_name: name.map(str::to_owned),
        socket_path: path.map(str::to_owned),
        version: Some(version.clone()),
    };
    let expected =
        [alive(Some("b é"), None), alive(Some("default"), None), alive(None, Some(&elsewhere_socket))];
    assert_eq!(found, expected);
    // A look leaves nothing behind.
    assert_eq!(world.tmux(["-L", "b é", "list-clients"]), "");
    assert_eq!(elsewhere.tmux(["list-clients"]), "");
    assert_eq!(clients(&world), Vec::<String>::new());
    world.tmux(["-L", "b é", "kill-server"]);
    client.close().await;
}

#[tokio::test]
async fn one_that_hangs_holds_up_nothing_for_long() {
    let world = TmuxWorld::start();
    let socket = usual(&world);
    let _silent = UnixListener::bind(socket.with_file_name("silent")).unwrap();
    let client = client(&world).await;
    let begun = Instant::now();
    let found = client.list_servers(ListServersArgs::new()).await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(20));
    let states: Vec<_> = found.iter().map(|info| (info.socket_name.as_deref(), info.is_alive)).collect();
    assert_eq!(states, [(Some("default"), true), (Some("silent"), false)]);
    client.close().await;
}

#[tokio::test]
async fn a_look_never_fails() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let get =
        async |name: &str| client.get_server_info(GetServerInfoArgs::new().socket_name(name)).await.unwrap();
    let version = world.tmux(["display-message", "-p", "#{version}"]);
    for name in ["", "default"] {
        let info = get(name).await;
        assert_eq!((info.is_alive, info.session_count), (true, 1), "{name:?}");
        assert_eq!(info.version.as_ref(), Some(&version));
        assert_eq!(info.socket_path, None);
    }
    for name in ["none", "../x", "a\0b", "/etc/passwd", &"x".repeat(300)] {
        let info = get(name).await;
        assert_eq!((info.is_alive, info.session_count, info.version), (false, 0, None), "{name:?}");
        assert_eq!(info.socket_name.as_deref(), Some(name));
    }
    // A server without a session is one.
    world.tmux(["set-option", "-s", "exit-empty", "off"]);
    world.tmux(["kill-session", "-t", "main"]);
    let info = get("").await;
    assert_eq!((info.is_alive, info.session_count), (true, 0));
    assert_eq!(info.version.as_ref(), Some(&version));
    assert_eq!(client.list_sessions(ListSessionsArgs::new()).await.unwrap(), []);
    assert_eq!(client.list_panes(ListPanesArgs::new()).await.unwrap(), []);
    client.close().await;

    let mut command = bare(world.directory());
    command.args(["--tmux", "/no/such/tmux"]);
    let client = connect(command).await;
    assert!(!client.get_server_info(GetServerInfoArgs::new()).await.unwrap().is_alive);
    let error = refused(client.list_servers(ListServersArgs::new()).await);
    assert_eq!(error.error_type, "TmuxCommandNotFound");
    client.close().await;
}

#[tokio::test]
async fn killed_and_started_again() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    client.list_panes(ListPanesArgs::new()).await.unwrap();
    for round in 0..3 {
        let text = client.kill_server(KillServerArgs::new()).await.unwrap();
        assert!(text.contains("killed"), "{text}");
        let again = client.kill_server(KillServerArgs::new()).await.unwrap();
        assert!(again.contains("no tmux server runs"), "{again}");
        assert!(!client.get_server_info(GetServerInfoArgs::new()).await.unwrap().is_alive);
        assert_eq!(client.list_sessions(ListSessionsArgs::new()).await.unwrap(), []);
        let made = client.create_session(CreateSessionArgs::new().session_name("again")).await.unwrap();
        let panes = client.list_panes(ListPanesArgs::new().session_id(&made.session_id)).await.unwrap();
        assert_eq!(panes.len(), 1, "{round}");
        assert_eq!(Some(&panes[0].pane_id), made.active_pane_id.as_ref());
    }
    client.kill_server(KillServerArgs::new()).await.unwrap();
    client.close().await;
}

#[tokio::test]
async fn its_own_server_is_spared() {
    let world = TmuxWorld::start();
    let socket = usual(&world);
    world.tmux(["-L", "other", "-f", "/dev/null", "new-session", "-d", "exec cat"]);
    let mut command = program(&world);
    command.env("TMUX", format!("{},{},0", socket.display(), world.pid())).env("TMUX_PANE", "%0");
    let client = connect(command).await;
    for args in [KillServerArgs::new(), KillServerArgs::new().socket_name("default")] {
        let error = refused(client.kill_server(args).await);
        assert!(error.expected && error.message.contains("MCP server runs in"), "{error}");
    }
    assert!(world.has_pane("%0"));
    client.kill_server(KillServerArgs::new().socket_name("other")).await.unwrap();
    client.close().await;
}
