//! `filters` of the three listings.

use std::collections::BTreeMap;

use schemux::{ListPanesArgs, ListSessionsArgs, ListWindowsArgs, MapOrJson};
use schemux_tests::TmuxWorld;

use super::support::{bare, client, connect, refused};

fn map(pairs: &[(&str, &str)]) -> MapOrJson {
    MapOrJson::from(
        pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect::<BTreeMap<_, _>>(),
    )
}

fn json(text: &str) -> MapOrJson {
    MapOrJson::String(text.to_owned())
}

#[tokio::test]
async fn any_variable_with_any_operator() {
    let world = TmuxWorld::start();
    world.tmux(["set-option", "-g", "automatic-rename", "off"]);
    world.tmux(["rename-window", "-t", "main:0", "Edit"]);
    world.tmux(["new-window", "-d", "-n", "logs", "-t", "main:1", "exec cat"]);
    world.tmux(["split-window", "-d", "-t", "main:1", "exec sleep 1000"]);
    world.tmux(["new-session", "-d", "-s", "other", "-n", "w0", "exec cat"]);
    let client = client(&world).await;
    let windows = async |filters: MapOrJson| {
        let found = client.list_windows(ListWindowsArgs::new().filters(filters)).await.unwrap();
        found.into_iter().filter_map(|window| window.window_name).collect::<Vec<_>>().join(" ")
    };
    for (filters, names) in [
        (map(&[]), "Edit logs w0"),
        (json(""), "Edit logs w0"),
        (json("{}"), "Edit logs w0"),
        (map(&[("window_name", "Edit")]), "Edit"),
        (map(&[("window_name__iexact", "edit")]), "Edit"),
        (map(&[("name__contains", "o")]), "logs"),
        (map(&[("window_name__regex", "^[a-z]+$")]), "logs"),
        (map(&[("window_panes", "2"), ("session_name__in", "xmain")]), ""),
        (map(&[("window_panes", "2"), ("session_name__in", "mai")]), "logs"),
        (map(&[("session__session_name", "other")]), "refused"),
        (map(&[("session__session_name__eq", "other")]), "w0"),
        (json(r#"{"window_name__in": ["Edit", "w0"]}"#), "Edit w0"),
        (json(r#"{"window_name__nin": ["Edit", "w0"]}"#), "logs"),
        (json(r#"{"window_index": 1}"#), "logs"),
        // Of its active pane, of its session, of the server, and what none has.
        (map(&[("pane_at_bottom", "1")]), "Edit w0"),
        (map(&[("session_windows", "1")]), "w0"),
        (map(&[("pid", &world.pid().to_string())]), "Edit logs w0"),
        (map(&[("no_such_field__nin", "x")]), ""),
        (map(&[("pane_mode__nin", "x")]), ""),
        (map(&[("status", "on")]), ""),
    ] {
        if names == "refused" {
            let error = refused(client.list_windows(ListWindowsArgs::new().filters(filters)).await);
            assert_eq!(error.error_type, "ExpectedToolError");
            continue;
        }
        let asked = format!("{filters:?}");
        assert_eq!(windows(filters).await, names, "{asked}");
    }
    let panes = async |filters: MapOrJson| {
        client.list_panes(ListPanesArgs::new().session_name("main").filters(filters)).await.unwrap().len()
    };
    assert_eq!(panes(map(&[("window_name", "logs")])).await, 2);
    assert_eq!(panes(map(&[("window_name", "logs"), ("pane_active", "1")])).await, 1);
    assert_eq!(panes(map(&[("pane_at_left", "1"), ("index__startswith", "1")])).await, 1);
    // This program's own connection does not count.
    let sessions = async |filters: MapOrJson| {
        client.list_sessions(ListSessionsArgs::new().filters(filters)).await.unwrap().len()
    };
    assert_eq!(sessions(map(&[("session_attached", "0")])).await, 2);
    assert_eq!(sessions(map(&[("name__endswith", "r"), ("window_name", "w0")])).await, 1);
    client.close().await;
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_also_where_nothing_is_listed() {
    let sockets = tempfile::tempdir().unwrap();
    let world = TmuxWorld::start();
    let mut command = bare(sockets.path());
    command.arg("--tmux").arg(world.program());
    let client = connect(command).await;
    for (filters, kind, part) in [
        (
            map(&[("session_name__bogus", "x")]),
            "ExpectedToolError",
            "contains, endswith, eq, exact, icontains",
        ),
        (json("x"), "JSONDecodeError", "filters"),
        (json("[1]"), "ExpectedToolError", "object"),
        (map(&[("session_name__regex", "(")]), "error", "regular expression"),
    ] {
        let sessions = refused(client.list_sessions(ListSessionsArgs::new().filters(filters.clone())).await);
        let windows = refused(client.list_windows(ListWindowsArgs::new().filters(filters.clone())).await);
        let panes = refused(client.list_panes(ListPanesArgs::new().filters(filters)).await);
        for error in [sessions, windows, panes] {
            assert_eq!((&*error.error_type, error.expected), (kind, true), "{error}");
            assert!(error.message.contains(part), "{error}");
        }
    }
    assert_eq!(client.list_windows(ListWindowsArgs::new().filters(map(&[("x", "")]))).await.unwrap(), []);
    client.close().await;
}
