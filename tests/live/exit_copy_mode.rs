//! `exit_copy_mode`: whatever mode, whatever names the pane.

use schemux::ExitCopyModeArgs;
use schemux_tests::TmuxWorld;

use super::support::{client, refused};

fn mode(world: &TmuxWorld, pane: &str) -> String {
    world.tmux(["display-message", "-p", "-t", pane, "#{pane_mode}"])
}

#[tokio::test]
async fn every_mode_is_left() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for enter in [
        vec![],
        vec![vec!["copy-mode"]],
        vec![vec!["copy-mode"], vec!["send-keys", "-X", "begin-selection"]],
        vec![vec!["copy-mode"], vec!["copy-mode"]],
        vec![vec!["clock-mode"]],
        vec![vec!["choose-tree"]],
        vec![vec!["choose-tree"], vec!["send-keys", "f"]],
        vec![vec!["set-buffer", "text"], vec!["choose-buffer"]],
        vec![vec!["customize-mode"]],
        vec![vec!["copy-mode"], vec!["clock-mode"]],
        vec![vec!["choose-tree"], vec!["copy-mode"]],
    ] {
        let pane = world.pane("exec cat");
        let targeted = ["copy-mode", "clock-mode", "choose-tree", "choose-buffer", "customize-mode"];
        for step in &enter {
            let mut words = step.clone();
            if targeted.contains(&words[0]) || words[0] == "send-keys" {
                words.splice(1..1, ["-t", &pane]);
            }
            world.tmux(words);
        }
        let shown = client.exit_copy_mode(ExitCopyModeArgs::new().pane_id(&pane)).await.unwrap();
        assert_eq!(shown.pane_id, pane, "{enter:?}");
        assert_eq!(mode(&world, &pane), "", "{enter:?}");
        // Nothing was typed into the program: `cat` would show it.
        let screen = world.tmux(["capture-pane", "-p", "-t", &pane]);
        assert_eq!(screen.trim(), "", "{enter:?}");
    }
    client.close().await;
}

#[tokio::test]
async fn the_pane_is_found_as_documented() {
    let world = TmuxWorld::start();
    world.tmux(["new-session", "-d", "-s", "alpha", "exec cat"]);
    world.tmux(["split-window", "-t", "alpha:", "exec cat"]);
    let rows = world.tmux(["list-panes", "-s", "-t", "alpha", "-F", "#{session_id} #{window_id} #{pane_id}"]);
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split(' ').collect()).collect();
    let (session, window, first, second) = (rows[0][0], rows[0][1], rows[0][2], rows[1][2]);
    let client = client(&world).await;
    let get = async |args: ExitCopyModeArgs| client.exit_copy_mode(args).await.map(|pane| pane.pane_id);
    let new = ExitCopyModeArgs::new;

    // Nothing given: the first session by name, its first window, its first pane (not the active one).
    assert_eq!(get(new()).await.unwrap(), first);
    assert_eq!(get(new().session_name("alpha")).await.unwrap(), first);
    assert_eq!(get(new().session_id(session)).await.unwrap(), first);
    assert_eq!(get(new().window_id(window)).await.unwrap(), first);
    assert_eq!(get(new().pane_id(second)).await.unwrap(), second);
    // Ids win, also over names that are wrong.
    assert_eq!(get(new().session_id(session).session_name("nobody")).await.unwrap(), first);
    assert_eq!(get(new().window_id(window).session_name("nobody")).await.unwrap(), first);
    assert_eq!(get(new().pane_id(second).window_id("@999").session_id("$999")).await.unwrap(), second);
    // No prefixes, no patterns, no tmux targets; what is empty counts as given.
    for (args, kind) in [
        (new().session_name("alph"), "TmuxObjectDoesNotExist"),
        (new().session_name("a*"), "TmuxObjectDoesNotExist"),
        (new().session_name(""), "TmuxObjectDoesNotExist"),
        (new().session_id("alpha"), "TmuxObjectDoesNotExist"),
        (new().window_id("alpha:0"), "TmuxObjectDoesNotExist"),
        (new().pane_id("%999"), "PaneNotFound"),
        (new().pane_id(first.trim_start_matches('%')), "PaneNotFound"),
        (new().pane_id(""), "PaneNotFound"),
    ] {
        let error = refused(get(args.clone()).await);
        assert_eq!((&*error.error_type, error.expected), (kind, true), "{args:?}: {error}");
        assert!(error.suggestion.is_some(), "{args:?}");
    }
    client.close().await;
}

#[tokio::test]
async fn linked_windows_and_grouped_sessions_are_no_obstacle() {
    let world = TmuxWorld::start();
    world.tmux(["new-session", "-d", "-t", "main", "-s", "twin"]);
    world.tmux(["new-session", "-d", "-s", "other", "exec cat"]);
    world.tmux(["link-window", "-s", "other:", "-t", "main:7"]);
    let pane = world.tmux(["display-message", "-p", "-t", "other:", "#{pane_id}"]);
    let client = client(&world).await;
    let shown = client.exit_copy_mode(ExitCopyModeArgs::new().pane_id(&pane)).await.unwrap();
    assert_eq!(shown.pane_id, pane);
    let shown = client.exit_copy_mode(ExitCopyModeArgs::new().session_name("twin")).await.unwrap();
    assert_eq!(
        shown.session_id.unwrap(),
        world.tmux(["display-message", "-p", "-t", "twin:", "#{session_id}"])
    );
    client.close().await;
}

#[tokio::test]
async fn the_fields_are_those_of_tmux() {
    let world = TmuxWorld::start();
    world.tmux(["split-window", "-h", "-t", "main:", "-c", "/", "exec sleep 1000"]);
    let pane = world.tmux(["display-message", "-p", "-t", "main:", "#{pane_id}"]);
    let client = client(&world).await;
    world.until("tmux knows the program", || {
        world.tmux(["display-message", "-p", "-t", &pane, "#{pane_current_command}"]) == "sleep"
    });
    let shown = client.exit_copy_mode(ExitCopyModeArgs::new().pane_id(&pane)).await.unwrap();
    let shown = serde_json::to_value(shown).unwrap();
    for (field, value) in shown.as_object().unwrap().iter().filter(|(field, _)| *field != "is_caller") {
        let expected = world.tmux(["display-message", "-p", "-t", &pane, &format!("#{{{field}}}")]);
        let got = match value {
            serde_json::Value::Bool(flag) => u8::from(*flag).to_string(),
            serde_json::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        assert_eq!(got, expected, "{field}");
    }
    assert_eq!(shown["is_caller"], serde_json::Value::Null);
    client.close().await;
}
