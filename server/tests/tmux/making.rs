//! Sessions and windows are made, found where they are, and ended.

use schemux_server::tmux::{
    Command, CommandList, Endpoint, NewSession, NewWindow, Position, Scope, TmuxError, kill_server,
    kill_session, listens, new_session, new_window, rename_session, socket_names,
};
use schemux_tests::TmuxWorld;

use super::{environment, server};

fn named(name: &str) -> NewSession {
    NewSession { name: Some(name.to_owned()), ..NewSession::default() }
}

#[tokio::test]
async fn what_is_made_is_what_is_listed() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let what = NewSession { width: Some(90), height: Some(20), ..named("a #S;") };
    let made = new_session(&server, &what).await.unwrap();
    assert_eq!(made, server.session_after(CommandList::new(), made.id).await.unwrap());
    let what =
        NewWindow { name: Some("w #S;".to_owned()), position: Position::Before, ..NewWindow::default() };
    let window = new_window(&server, made.id, &what).await.unwrap();
    assert_eq!((window.name.as_str(), window.index, window.active, window.width), ("w #S;", 0, false, 90));
    let read = server.window_after(CommandList::new(), made.id, window.id).await.unwrap();
    assert_eq!(read, window);
    let renamed = rename_session(&server, made.id, "b").await.unwrap();
    assert_eq!((renamed.id, renamed.name.as_str(), renamed.windows), (made.id, "b", 2));

    let taken = TmuxError::SessionExists { name: "main".to_owned() };
    assert_eq!(new_session(&server, &named("main")).await, Err(taken.clone()));
    assert_eq!(rename_session(&server, made.id, "main").await, Err(taken));
    for name in ["", "a.b", "a:b"] {
        assert!(matches!(new_session(&server, &named(name)).await, Err(TmuxError::BadSessionName { .. })));
    }
    let bad = NewSession { environment: vec![("A=B".to_owned(), String::new())], ..NewSession::default() };
    assert!(matches!(new_session(&server, &bad).await, Err(TmuxError::BadVariable { .. })));
    server.run(&Command::new("kill-session").target(made.id).into()).await.unwrap();
    let gone = new_window(&server, made.id, &NewWindow::default()).await;
    assert_eq!(gone, Err(TmuxError::NoSuchSession { session: made.id.to_string() }));
}

#[tokio::test]
async fn windows_are_read_where_they_are() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let session = new_session(&server, &named("other")).await.unwrap().id;
    let second = new_window(&server, session, &NewWindow::default()).await.unwrap();
    let next = Command::new("next-window").target(session);
    let current = server.current_window_after(next.into(), session).await.unwrap();
    assert_eq!((current.id, current.active), (second.id, true));
    let link = Command::new("link-window").value('s', second.id.to_string()).target("main:7");
    let linked = server.window_in_after(link.into(), "main:", second.id).await.unwrap();
    assert_eq!((linked.session_name.as_str(), linked.index), ("main", 7));
    let elsewhere =
        server.window_in_after(CommandList::new(), "main:", schemux_server::tmux::WindowId(99)).await;
    assert_eq!(elsewhere, Err(TmuxError::NoSuchWindow { window: "@99".to_owned() }));
    assert_eq!(server.window_rows(Scope::Server, &["pane_index"]).await.unwrap().len(), 4);
}

#[tokio::test]
async fn a_server_is_seen_in_passing_and_gone_when_it_is_killed() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let environment = environment(&world);
    assert_eq!(socket_names(&environment), ["default"]);
    let socket = Endpoint::Default.socket_path(&environment);
    for _ in 0..3 {
        let glance = server.glance().await.unwrap();
        assert_eq!((glance.sessions, glance.version), (1, server.facts().await.unwrap().version));
        assert!(listens(&socket).await);
        assert!(kill_server(&server).await.unwrap());
        assert!(!listens(&socket).await);
        assert!(!kill_server(&server).await.unwrap());
        assert!(server.glance().await.unwrap_err().is_no_server());
        // At once, on the same socket.
        assert_eq!(new_session(&server, &named("again")).await.unwrap().name, "again");
    }
    kill_server(&server).await.unwrap();
    assert!(!listens(std::path::Path::new("/no/such/socket")).await);
}

#[tokio::test]
async fn a_session_can_follow_the_last_one_at_once() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let mut last = server.places().await.unwrap()[0].session_id;
    for _ in 0..10 {
        // The server ends with it, and may still be about to.
        kill_session(&server, last).await.unwrap();
        last = new_session(&server, &named("next")).await.unwrap().id;
    }
    kill_server(&server).await.unwrap();
}
