//! `respawn_pane`: every argument, and nothing killed in vain.

use std::collections::BTreeMap;

use schemux::{MapOrJson, RespawnPaneArgs};
use schemux_tests::TmuxWorld;

use super::support::{client, connect, program, refused};

fn pid(world: &TmuxWorld, pane: &str) -> String {
    world.tmux(["display-message", "-p", "-t", pane, "#{pane_pid}"])
}

/// What a command in the pane wrote into `file`.
fn written(world: &TmuxWorld, file: &std::path::Path) -> String {
    world.until("the program has written", || {
        std::fs::read_to_string(file).is_ok_and(|text| text.ends_with("END\n"))
    });
    std::fs::read_to_string(file).unwrap().trim_end_matches("END\n").to_owned()
}

#[tokio::test]
async fn the_same_command_or_another() {
    let world = TmuxWorld::start();
    let pane = world.pane("exec sleep 1000");
    let client = client(&world).await;
    let before = pid(&world, &pane);
    for args in [RespawnPaneArgs::new(&pane), RespawnPaneArgs::new(&pane).shell("")] {
        let shown = client.respawn_pane(args).await.unwrap();
        assert_eq!(shown.pane_id, pane);
        assert_eq!(shown.pane_current_command.as_deref(), Some("sleep"));
        assert_ne!(shown.pane_pid.unwrap(), before);
    }
    let shown = client
        .respawn_pane(RespawnPaneArgs::new(&pane).shell("exec cat -- '#{pane_id};' /dev/tty;"))
        .await
        .unwrap();
    assert_eq!(shown.pane_current_command.as_deref(), Some("cat"));
    let start = world.tmux(["display-message", "-p", "-t", &pane, "#{pane_start_command}"]);
    assert!(start.contains("'#{pane_id};' /dev/tty;"), "{start}");
    client.close().await;
}

#[tokio::test]
async fn a_live_pane_is_spared_on_request_and_a_dead_one_revived() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let live = world.pane("exec sleep 1000");
    let before = pid(&world, &live);
    let error = refused(client.respawn_pane(RespawnPaneArgs::new(&live).kill(false)).await);
    assert!(error.expected && error.message.contains("still runs"), "{error}");
    assert_eq!(pid(&world, &live), before);

    let dead = world.pane("exec sleep 1000");
    world.tmux(["set-option", "-p", "-t", &dead, "remain-on-exit", "on"]);
    client.respawn_pane(RespawnPaneArgs::new(&dead).shell("exit 3")).await.unwrap();
    world.until("it is dead", || world.tmux(["display-message", "-p", "-t", &dead, "#{pane_dead}"]) == "1");
    let shown =
        client.respawn_pane(RespawnPaneArgs::new(&dead).kill(false).shell("exec sleep 1000")).await.unwrap();
    assert_eq!(shown.pane_current_command.as_deref(), Some("sleep"));
    client.close().await;
}

#[tokio::test]
async fn environment_as_a_map_and_as_text() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let value = "a b=c;#{pane_id} $HOME 'é' \"q\" \\;";
    let map = BTreeMap::from([("ONE".to_owned(), value.to_owned()), ("TWO".to_owned(), String::new())]);
    let text = serde_json::to_string(&map).unwrap();
    for (number, environment) in [MapOrJson::from(map), MapOrJson::String(text)].into_iter().enumerate() {
        let pane = world.pane("exec sleep 1000");
        let file = world.directory().join(format!("environment{number}"));
        let command = format!(
            "printf '%s|%s' \"$ONE\" \"${{TWO-unset}}\" >{0}; echo END >>{0}; exec sleep 1000",
            file.display()
        );
        client
            .respawn_pane(RespawnPaneArgs::new(&pane).environment(environment).shell(command))
            .await
            .unwrap();
        assert_eq!(written(&world, &file), format!("{value}|"));
    }
    let pane = world.pane("exec sleep 1000");
    let before = pid(&world, &pane);
    for bad in ["{", "[]", "null", r#"{"A": 1}"#, r#"{"A=B": "x"}"#, r#"{"": "x"}"#] {
        let environment = MapOrJson::String(bad.to_owned());
        let error = refused(client.respawn_pane(RespawnPaneArgs::new(&pane).environment(environment)).await);
        assert!(error.expected && error.message.contains("environment"), "{bad}: {error}");
    }
    assert_eq!(pid(&world, &pane), before, "nothing is killed for arguments that cannot be had");
    client.close().await;
}

#[tokio::test]
async fn where_it_starts() {
    let world = TmuxWorld::start();
    let root = world.directory().canonicalize().unwrap();
    let odd = root.join("dir #{pane_id} #S;");
    std::fs::create_dir_all(&odd).unwrap();
    std::fs::create_dir_all(root.join("home/inside")).unwrap();
    std::fs::write(root.join("file"), "").unwrap();
    let mut command = program(&world);
    command.env("HOME", root.join("home")).current_dir(&root);
    let client = connect(command).await;
    let pane = world.pane("exec sleep 1000");
    for (given, expected) in [
        ("~", root.join("home")),
        ("~/inside", root.join("home/inside")),
        ("home/inside", root.join("home/inside")),
        ("", root.clone()),
        (odd.to_str().unwrap(), odd.clone()),
    ] {
        let file = root.join("where");
        let _ = std::fs::remove_file(&file);
        let command = format!("pwd -P >{0}; echo END >>{0}; exec sleep 1000", file.display());
        client.respawn_pane(RespawnPaneArgs::new(&pane).start_directory(given).shell(command)).await.unwrap();
        assert_eq!(written(&world, &file).trim_end(), expected.to_str().unwrap(), "{given:?}");
    }
    let before = pid(&world, &pane);
    for missing in ["missing", "/no/such/place", "file", "~nobody-here"] {
        let error = refused(client.respawn_pane(RespawnPaneArgs::new(&pane).start_directory(missing)).await);
        assert!(
            error.expected && error.message.contains("start_directory is not an existing directory"),
            "{error}"
        );
    }
    assert_eq!(pid(&world, &pane), before);
    client.close().await;
}

#[tokio::test]
async fn history_is_suppressed_on_request_only() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let show = "printf '%s|%s|%s|%s' \"${HISTFILE-unset}\" \"${fish_history-unset}\" \"${fish_private_mode-unset}\" \"${HISTCONTROL-unset}\"";
    for (suppress, expected) in [(true, "||1|x:ignorespace"), (false, "unset|unset|unset|x")] {
        let pane = world.pane("exec sleep 1000");
        let file = world.directory().join(format!("history{suppress}"));
        let args = RespawnPaneArgs::new(&pane)
            .environment(BTreeMap::from([("HISTCONTROL".to_owned(), "x".to_owned())]))
            .suppress_persistent_history(suppress)
            .shell(format!("{show} >{0}; echo END >>{0}; exec sleep 1000", file.display()));
        client.respawn_pane(args).await.unwrap();
        assert_eq!(written(&world, &file), expected);
    }
    let pane = world.pane("exec sleep 1000");
    let args = RespawnPaneArgs::new(&pane)
        .environment(BTreeMap::from([("HISTFILE".to_owned(), "/secret/place".to_owned())]))
        .suppress_persistent_history(true);
    let error = refused(client.respawn_pane(args).await);
    assert!(error.message.contains("HISTFILE") && !error.text().contains("secret"), "{error}");
    client.close().await;
}

#[tokio::test]
async fn its_own_pane_is_refused() {
    let world = TmuxWorld::start();
    let (own, other) = (world.pane("exec sleep 1000"), world.pane("exec sleep 1000"));
    let before = pid(&world, &own);
    let socket = world.tmux(["display-message", "-p", "#{socket_path}"]);
    let mut command = program(&world);
    command.env("TMUX", format!("{socket},{},0", world.pid())).env("TMUX_PANE", &own);
    let client = connect(command).await;
    let error = refused(client.respawn_pane(RespawnPaneArgs::new(&own)).await);
    assert!(error.expected && error.message.contains("this MCP server"), "{error}");
    assert_eq!(pid(&world, &own), before);
    let shown = client.respawn_pane(RespawnPaneArgs::new(&other)).await.unwrap();
    assert_eq!(shown.is_caller, Some(false));
    let shown = client.exit_copy_mode(schemux::ExitCopyModeArgs::new().pane_id(&own)).await.unwrap();
    assert_eq!(shown.is_caller, Some(true));
    client.close().await;
}

#[tokio::test]
async fn a_command_that_ends_at_once() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = world.pane("exec sleep 1000");
    let error = refused(client.respawn_pane(RespawnPaneArgs::new(&pane).shell("true")).await);
    assert!(error.expected && error.message.contains("ended at once"), "{error}");
    assert_eq!(error.error_type, "TmuxObjectDoesNotExist");
    let error = refused(client.respawn_pane(RespawnPaneArgs::new(&pane)).await);
    assert_eq!(error.error_type, "PaneNotFound");
    client.close().await;
}
