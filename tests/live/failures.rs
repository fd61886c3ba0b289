//! When there is no tmux to speak of: the handshake and the list work, a call says what is wrong and what to do.

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;

use schemux::{CallError, Caller as _, ExitCopyModeArgs, RespawnPaneArgs, TOOLS, ToolError, WaitForExitArgs};
use schemux_tests::TmuxWorld;
use serde_json::json;
use tokio::process::Command;

use super::support::{bare, client, connect, refused};

/// Calls every tool on a pane and gives their errors.
async fn errors(command: Command) -> Vec<ToolError> {
    let client = connect(command).await;
    assert_eq!(client.caller().list().await.unwrap().len(), TOOLS.len());
    let found = vec![
        refused(client.exit_copy_mode(ExitCopyModeArgs::new()).await),
        refused(client.exit_copy_mode(ExitCopyModeArgs::new().pane_id("%0")).await),
        refused(client.respawn_pane(RespawnPaneArgs::new("%0")).await),
        refused(client.wait_for_exit(WaitForExitArgs::new("%0")).await),
    ];
    client.close().await;
    found
}

#[tokio::test]
async fn no_tmux() {
    let sockets = tempfile::tempdir().unwrap();
    let mut command = bare(sockets.path());
    command.args(["--tmux", "/no/such/tmux"]);
    for error in errors(command).await {
        assert!(!error.expected, "{error}");
        assert_eq!(error.error_type, "TmuxCommandNotFound");
        assert!(error.message.contains("/no/such/tmux") && error.text().contains("Install tmux"), "{error}");
    }
}

#[tokio::test]
async fn a_tmux_that_is_too_old() {
    let world = TmuxWorld::start();
    // A real server that says of itself what an old one would.
    let old = world.directory().join("old-tmux");
    let script = format!(
        "#!/bin/sh\nfor word; do case $word in -V) echo 'tmux 2.9a'; exit;; esac; done\n{} \"$@\" | sed -u 's/{}/2.9a/'\n",
        which(&world.program()),
        world.tmux(["display-message", "-p", "#{version}"])
    );
    std::fs::write(&old, script).unwrap();
    std::fs::set_permissions(&old, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = bare(world.directory());
    command.arg("--tmux").arg(&old);
    for error in errors(command).await {
        assert_eq!(error.error_type, "VersionTooLow", "{error}");
        assert!(error.message.contains("2.9a") && error.message.contains("3.2a"), "{error}");
    }
}

fn which(program: &std::path::Path) -> String {
    let output = std::process::Command::new("/bin/sh")
        .args(["-c", "command -v \"$0\""])
        .arg(program)
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[tokio::test]
async fn no_server() {
    let sockets = tempfile::tempdir().unwrap();
    for error in errors(bare(sockets.path())).await {
        assert_eq!((&*error.error_type, error.expected), ("TmuxObjectDoesNotExist", true), "{error}");
        assert!(error.message.contains("no tmux server"), "{error}");
    }
    // Nothing was started to find that out.
    assert_eq!(
        std::fs::read_dir(sockets.path())
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().path().is_file())
            .count(),
        0
    );
}

#[tokio::test]
async fn a_dead_socket() {
    let sockets = tempfile::tempdir().unwrap();
    let socket = sockets.path().join("socket");
    drop(UnixListener::bind(&socket).unwrap());
    let mut command = bare(sockets.path());
    command.arg("-S").arg(&socket);
    for error in errors(command).await {
        assert!(error.expected && error.message.contains("no tmux server"), "{error}");
    }
    assert!(socket.exists(), "it is not ours to remove");
}

#[tokio::test]
async fn another_server_by_name() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let error = refused(client.exit_copy_mode(ExitCopyModeArgs::new().socket_name("nobody")).await);
    assert!(error.message.contains("nobody"), "{error}");
    client.exit_copy_mode(ExitCopyModeArgs::new().socket_name("default")).await.unwrap();
    client.exit_copy_mode(ExitCopyModeArgs::new().socket_name("")).await.unwrap();
    client.close().await;
}

#[tokio::test]
async fn a_vanished_pane() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = world.pane("exec sleep 1000");
    world.tmux(["kill-pane", "-t", &pane]);
    for error in [
        refused(client.exit_copy_mode(ExitCopyModeArgs::new().pane_id(&pane)).await),
        refused(client.respawn_pane(RespawnPaneArgs::new(&pane)).await),
        refused(client.wait_for_exit(WaitForExitArgs::new(&pane)).await),
    ] {
        assert_eq!(error.error_type, "PaneNotFound", "{error}");
        assert!(error.message.contains(&pane) && error.suggestion.is_some(), "{error}");
    }
    client.close().await;
}

#[tokio::test]
async fn arguments_that_do_not_fit() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    // The typed client stops them before they are sent.
    match client.wait_for_exit(WaitForExitArgs::new("1")).await {
        Err(CallError::Arguments { tool: "wait_for_exit", violations }) => {
            assert_eq!(violations.0[0].kind, "string_pattern_mismatch");
        }
        other => panic!("{other:?}"),
    }
    // Sent as they are, the server says what is wrong and repeats no value.
    for (tool, arguments, expected) in [
        (
            "respawn_pane",
            json!({}),
            "1 validation error for call[respawn_pane]\npane_id\n  this is required and missing [type=missing_argument]",
        ),
        (
            "respawn_pane",
            json!({"pane_id": "%0", "pane": "hunter2"}),
            "pane\n  there is no such argument [type=unexpected_keyword_argument]\nRemove or correct the unrecognized argument(s): pane.",
        ),
        (
            "respawn_pane",
            json!({"pane_id": "%0", "kill": "hunter2"}),
            "kill\n  this must be true or false [type=bool_type]",
        ),
        ("respawn_pane", json!({"pane_id": 0}), "pane_id\n  this must be a string [type=string_type]"),
        ("wait_for_exit", json!({"paneId": "%0", "timeoutMs": 0}), "timeoutMs\n  this must be more than 0"),
        ("wait_for_exit", json!({"paneId": "hunter2"}), "paneId\n  this text must match `^%\\d+$`"),
    ] {
        let serde_json::Value::Object(sent) = arguments.clone() else { unreachable!() };
        let reply = client.caller().call(tool, sent).await.unwrap();
        assert!(reply.is_error && reply.structured.is_none(), "{tool} {arguments}");
        assert!(reply.text.contains(expected), "{tool} {arguments}: {}", reply.text);
        assert!(!reply.text.contains("hunter2"), "{}", reply.text);
        let meta = reply.meta.unwrap();
        assert_eq!((&meta["error_type"], &meta["expected"]), (&json!("ValidationError"), &json!(true)));
    }
    // Numbers and truth values as text are understood.
    let serde_json::Value::Object(sent) = json!({"paneId": "%0", "timeoutMs": "100"}) else { unreachable!() };
    let reply = client.caller().call("wait_for_exit", sent).await.unwrap();
    assert_eq!(reply.structured.unwrap()["effectiveTimeoutMs"], 100);
    client.close().await;
}
