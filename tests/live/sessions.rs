//! Sessions: listed, made, named and ended.

use std::collections::BTreeMap;

use schemux::{
    CreateSessionArgs, ExitCopyModeArgs, GetSessionInfoArgs, KillSessionArgs, ListPanesArgs,
    ListSessionsArgs, MapOrJson, RenameSessionArgs,
};
use schemux_tests::TmuxWorld;

use super::support::{bare, client, connect, program, refused};

fn names(world: &TmuxWorld) -> Vec<String> {
    let names = world.tmux(["list-sessions", "-F", "#{session_name}"]);
    names.lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn the_fields_are_those_of_tmux() {
    let world = TmuxWorld::start();
    world.tmux(["new-window", "-t", "main:", "exec cat"]);
    world.tmux(["split-window", "-t", "main:", "exec cat"]);
    world.tmux(["new-session", "-d", "-s", "after é ␞ ##S", "exec cat"]);
    let client = client(&world).await;
    let listed = client.list_sessions(ListSessionsArgs::new()).await.unwrap();
    let expected = world.tmux([
        "list-sessions",
        "-F",
        "#{session_id}|#{session_name}|#{session_windows}|#{session_created}|#{pane_id}",
    ]);
    let shown: Vec<String> = listed
        .iter()
        .map(|session| {
            let name = session.session_name.as_deref().unwrap();
            let (created, pane) = (session.session_created.as_deref(), session.active_pane_id.as_deref());
            let (id, count) = (&session.session_id, session.window_count);
            // This program's own connection does not show.
            assert_eq!(session.session_attached.as_deref(), Some("0"));
            format!("{id}|{name}|{count}|{}|{}", created.unwrap(), pane.unwrap())
        })
        .collect();
    assert_eq!(shown.join("\n"), expected);
    for session in listed {
        let id = GetSessionInfoArgs::new().session_id(&session.session_id).session_name("nobody");
        assert_eq!(client.get_session_info(id).await.unwrap(), session);
    }
    let first = client.get_session_info(GetSessionInfoArgs::new()).await.unwrap();
    assert_eq!(first.session_name.as_deref(), Some("after é ␞ #S"));
    for name in ["mai", "=main", "main:", "", "$0"] {
        let error = refused(client.get_session_info(GetSessionInfoArgs::new().session_name(name)).await);
        assert_eq!((&*error.error_type, error.expected), ("TmuxObjectDoesNotExist", true), "{name}");
    }
    client.close().await;
}

#[tokio::test]
async fn without_a_server_there_are_none_and_one_is_started() {
    let sockets = tempfile::tempdir().unwrap();
    let world = TmuxWorld::start();
    let settings = sockets.path().join("tmux.conf");
    std::fs::write(&settings, "set -g @from-settings yes\nset -g default-shell /bin/sh\n").unwrap();
    let mut command = bare(sockets.path());
    command.arg("--tmux").arg(world.program()).arg("--tmux-config").arg(&settings);
    let client = connect(command).await;
    assert_eq!(client.list_sessions(ListSessionsArgs::new()).await.unwrap(), []);
    assert_eq!(client.list_panes(ListPanesArgs::new()).await.unwrap(), []);
    let error = refused(client.get_session_info(GetSessionInfoArgs::new()).await);
    assert_eq!(error.error_type, "TmuxObjectDoesNotExist");
    for round in ["first", "second"] {
        let made = client.create_session(CreateSessionArgs::new().session_name(round)).await.unwrap();
        assert_eq!((made.session_name.as_deref(), made.window_count), (Some(round), 1));
        let pane = made.active_pane_id.unwrap();
        let shown = client.exit_copy_mode(ExitCopyModeArgs::new().pane_id(&pane)).await.unwrap();
        assert_eq!(shown.session_id.as_deref(), Some(&*made.session_id));
        let option = std::process::Command::new(world.program())
            .env("TMUX_TMPDIR", sockets.path())
            .env_remove("TMUX")
            .args(["show-options", "-gv", "@from-settings"])
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&option.stdout).trim(), "yes");
        // The last session takes the server with it, and the next one starts another.
        client.kill_session(KillSessionArgs::new().session_id(&made.session_id)).await.unwrap();
        assert_eq!(client.list_sessions(ListSessionsArgs::new()).await.unwrap(), []);
    }
    client.close().await;
}

#[tokio::test]
async fn it_is_made_as_asked() {
    let world = TmuxWorld::start();
    let root = world.directory().canonicalize().unwrap();
    let odd = root.join("dir #{pane_id} #S;");
    std::fs::create_dir(&odd).unwrap();
    let client = client(&world).await;
    let environment = BTreeMap::from([("ONE".to_owned(), "a=b;#{pane_id} $HOME 'é'".to_owned())]);
    let args = CreateSessionArgs::new()
        .session_name("-x #{pane_id}; é")
        .window_name("w #S;")
        .start_directory(odd.to_str().unwrap())
        .environment(MapOrJson::from(environment))
        .suppress_persistent_history(true)
        .x(91)
        .y(17);
    let made = client.create_session(args).await.unwrap();
    assert_eq!(made.session_name.as_deref(), Some("-x #{pane_id}; é"));
    let id = made.session_id;
    let of = |format: &str| world.tmux(["display-message", "-p", "-t", &format!("{id}:"), format]);
    assert_eq!(of("#{window_width}x#{window_height} #{window_name}"), "91x17 w #S;");
    assert_eq!(of("#{session_path}"), odd.to_str().unwrap());
    assert_eq!(of("#{pane_id}"), made.active_pane_id.unwrap());
    let shown = world.tmux(["show-environment", "-t", &id]);
    for line in ["ONE=a=b;#{pane_id} $HOME 'é'", "HISTFILE=", "HISTCONTROL=ignorespace"] {
        assert!(shown.lines().any(|shown| shown == line), "{line}: {shown}");
    }
    let counted = client.create_session(CreateSessionArgs::new().window_name("")).await.unwrap();
    assert!(counted.session_name.unwrap().parse::<u32>().is_ok());
    client.close().await;
}

#[tokio::test]
async fn what_cannot_be_had_makes_nothing() {
    let world = TmuxWorld::start();
    let mut command = program(&world);
    command.current_dir(world.directory());
    let client = connect(command).await;
    client.create_session(CreateSessionArgs::new().session_name("#1")).await.unwrap();
    let before = names(&world);
    let new = CreateSessionArgs::new;
    let text = |text: &str| MapOrJson::String(text.to_owned());
    for (args, kind) in [
        (new().session_name("main"), "TmuxSessionExists"),
        (new().session_name("#1"), "TmuxSessionExists"),
        (new().session_name("a.b"), "BadSessionName"),
        (new().session_name("a:b"), "BadSessionName"),
        (new().session_name(""), "BadSessionName"),
        (new().session_name("a\0b"), "ValueError"),
        (new().environment(text("{")), "JSONDecodeError"),
        (new().environment(text("[]")), "ExpectedToolError"),
        (
            new().suppress_persistent_history(true).environment(text(r#"{"HISTFILE":"x"}"#)),
            "ExpectedToolError",
        ),
        (new().start_directory("missing"), "ExpectedToolError"),
        (new().x(0), "LibTmuxException"),
        (new().y(-1), "LibTmuxException"),
    ] {
        let error = refused(client.create_session(args.clone()).await);
        assert_eq!((&*error.error_type, error.expected), (kind, true), "{args:?}: {error}");
    }
    assert_eq!(names(&world), before);
    // What stands where the socket would be: tmux would delete it.
    let precious = world.directory().join("precious");
    std::fs::write(&precious, "kept").unwrap();
    let error = refused(client.create_session(new().session_name("x").socket_name("../precious")).await);
    assert!(error.expected && error.message.contains("is no socket"), "{error}");
    let mut by_path = bare(world.directory());
    by_path.env("LIBTMUX_SOCKET_PATH", &precious).arg("--tmux").arg(world.program());
    let other = connect(by_path).await;
    let error = refused(other.create_session(new().session_name("x")).await);
    assert!(error.expected && error.message.contains("is no socket"), "{error}");
    other.close().await;
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "kept");
    // A socket that cannot be made: tmux itself ends there as if all were well.
    let error = refused(client.create_session(new().session_name("x").socket_name("no/such/place")).await);
    assert!(error.expected && error.message.contains("cannot be made"), "{error}");
    client.close().await;
}

#[tokio::test]
async fn names_are_taken_literally() {
    let world = TmuxWorld::start();
    world.tmux(["new-session", "-d", "-s", "taken", "exec cat"]);
    let id = world.tmux(["display-message", "-p", "-t", "main:", "#{session_id}"]);
    let client = client(&world).await;
    let rename = async |name: &str| client.rename_session(RenameSessionArgs::new(name).session_id(&id)).await;
    for name in ["one", "one", "-x", "#S", "semi;", ";", "it's \"q\"", "日本", "=x", " lead"] {
        let shown = rename(name).await.unwrap();
        assert_eq!(shown.session_name.as_deref(), Some(name));
        assert_eq!(shown.session_id, id);
        assert!(names(&world).iter().any(|known| known == name), "{name}");
    }
    for (name, kind) in [("taken", "TmuxSessionExists"), ("", "BadSessionName"), ("a.b", "BadSessionName")] {
        let error = refused(rename(name).await);
        assert_eq!((&*error.error_type, error.expected), (kind, true), "{name}: {error}");
    }
    let renamed = client.rename_session(RenameSessionArgs::new("b").session_name(" lead")).await.unwrap();
    assert_eq!(renamed.session_id, id);
    client.close().await;
}

#[tokio::test]
async fn only_what_is_named_is_killed() {
    let world = TmuxWorld::start();
    world.tmux(["new-session", "-d", "-s", "mainly", "exec cat"]);
    world.tmux(["new-session", "-d", "-t", "mainly", "-s", "twin"]);
    let client = client(&world).await;
    let kill = async |args: KillSessionArgs| client.kill_session(args).await;
    let error = refused(kill(KillSessionArgs::new()).await);
    assert_eq!(error.error_type, "ExpectedToolError");
    for args in [KillSessionArgs::new().session_name("mainl"), KillSessionArgs::new().session_id("$99")] {
        assert_eq!(refused(kill(args).await).error_type, "TmuxObjectDoesNotExist");
    }
    assert_eq!(names(&world), ["main", "mainly", "twin"]);
    let text = kill(KillSessionArgs::new().session_name("twin")).await.unwrap();
    assert!(text.contains("`twin`"), "{text}");
    assert_eq!(names(&world), ["main", "mainly"]);
    // Also the one that this program's connection is attached to.
    for left in [vec!["mainly"], vec![]] {
        let first = client.get_session_info(GetSessionInfoArgs::new()).await.unwrap();
        kill(KillSessionArgs::new().session_id(&first.session_id)).await.unwrap();
        let listed = client.list_sessions(ListSessionsArgs::new()).await.unwrap();
        assert_eq!(listed.into_iter().filter_map(|session| session.session_name).collect::<Vec<_>>(), left);
    }
    client.close().await;
}

#[tokio::test]
async fn its_own_session_is_spared() {
    let world = TmuxWorld::start();
    world.tmux(["new-session", "-d", "-s", "other", "exec cat"]);
    let socket = world.tmux(["display-message", "-p", "#{socket_path}"]);
    let mut command = program(&world);
    command.env("TMUX", format!("{socket},{},0", world.pid())).env("TMUX_PANE", "%0");
    let client = connect(command).await;
    let error = refused(client.kill_session(KillSessionArgs::new().session_name("main")).await);
    assert_eq!(error.error_type, "ExpectedToolError");
    assert!(error.message.contains("session $0"), "{error}");
    client.kill_session(KillSessionArgs::new().session_name("other")).await.unwrap();
    assert_eq!(names(&world), ["main"]);
    client.close().await;
}
