//! The program from the shell.

use std::process::Output;

use schemux_tests::TmuxWorld;
use serde_json::Value;

use super::support::{bare, program};

#[allow(dead_code, reason = "its `main` reads the command line")]
#[path = "../../server/examples/restart_and_wait.rs"]
mod restart_and_wait;

async fn run(mut command: tokio::process::Command, words: &[&str]) -> Output {
    command.args(words).stdin(std::process::Stdio::null()).output().await.expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[tokio::test]
async fn the_demo_shows_all_and_cleans_up() {
    let world = TmuxWorld::start();
    let temporary = tempfile::tempdir().unwrap();
    let mut command = program(&world);
    command.env("TMPDIR", temporary.path());
    let output = run(command, &["demo"]).await;
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    for expected in [
        "it offers 49 tools",
        "it wrote \"1 2 3\" and ended with status 7",
        "completed after",
        "with status 3",
        "now it is in no mode",
        "respawn_pane %404 is refused: no pane `%404`",
        "done;",
    ] {
        assert!(out.contains(expected), "{expected} in {out}");
    }
    assert_eq!(std::fs::read_dir(temporary.path()).unwrap().count(), 0, "its files are gone");
    assert_eq!(
        world.tmux(["list-sessions", "-F", "#{session_name}"]),
        "main",
        "the usual server is left alone"
    );
}

#[tokio::test]
async fn the_list_of_tools() {
    let sockets = tempfile::tempdir().unwrap();
    let table = text(&run(bare(sockets.path()), &["tools"]).await.stdout);
    insta::with_settings!({prepend_module_to_snapshot => false}, { insta::assert_snapshot!("tools", table) });
    let json: Value =
        serde_json::from_slice(&run(bare(sockets.path()), &["tools", "--json"]).await.stdout).unwrap();
    for (entry, tool) in json.as_array().unwrap().iter().zip(schemux::TOOLS) {
        assert_eq!(entry, &Value::Object(tool.entry().clone()));
    }
    let none = run(bare(sockets.path()), &["--toolsets", "", "tools"]).await;
    assert!(text(&none.stdout).contains("no tools are offered"));
}

#[tokio::test]
async fn a_call_from_the_shell() {
    let world = TmuxWorld::start();
    let pane = world.pane("sleep 0.3; exit 7");
    let output =
        run(program(&world), &["call", "wait_for_exit", &format!("paneId={pane}"), "timeoutMs=5000"]).await;
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((result["outcome"].as_str(), result["exitStatus"].as_i64()), (Some("completed"), Some(7)));

    let output = run(program(&world), &["call", "exit_copy_mode", r#"{"pane_id": "%999"}"#]).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no pane `%999`") && output.stdout.is_empty());

    let output = run(program(&world), &["call", "no_such_tool"]).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("unknown tool"));
    let output = run(program(&world), &["call", "wait_for_exit", "%1"]).await;
    assert_eq!(output.status.code(), Some(2));
}

#[tokio::test]
async fn settings_that_cannot_be_used() {
    let sockets = tempfile::tempdir().unwrap();
    for (name, value, expected) in [
        ("LIBTMUX_TOOLSETS", "inspekt", "LIBTMUX_TOOLSETS: no such toolset: `inspekt`"),
        ("LIBTMUX_TOOLS", "nope", "LIBTMUX_TOOLS: no such tool: `nope`"),
        ("LIBTMUX_SAFETY", "", "LIBTMUX_SAFETY is retired"),
    ] {
        let mut command = bare(sockets.path());
        command.env(name, value);
        let output = run(command, &[]).await;
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
        assert!(output.stdout.is_empty());
    }
}

#[tokio::test]
async fn help_and_version() {
    let sockets = tempfile::tempdir().unwrap();
    let version = text(&run(bare(sockets.path()), &["--version"]).await.stdout);
    assert_eq!(version, format!("schemux {}\n", env!("CARGO_PKG_VERSION")));
    let mut command = bare(sockets.path());
    command.env("COLUMNS", "100");
    let help = text(&run(command, &["--help"]).await.stdout);
    insta::with_settings!({prepend_module_to_snapshot => false}, { insta::assert_snapshot!("help", help) });
}

#[tokio::test]
async fn the_example_runs() {
    let world = TmuxWorld::start();
    let client = super::support::client(&world).await;
    let pane = world.pane("exec sleep 1000");
    let shown = restart_and_wait::run(&client, &pane, "sleep 0.3; exit 5").await.unwrap();
    assert_eq!(shown, format!("{pane} ended with status 5"));
    let pane = world.pane("exec sleep 1000");
    let shown = restart_and_wait::run(&client, &pane, "sleep 0.3; kill -TERM $$").await.unwrap();
    assert_eq!(shown, format!("{pane} was ended by SIGTERM"));
    let shown = restart_and_wait::run(&client, "%404", "true").await.unwrap();
    assert!(shown.starts_with("refused (PaneNotFound): "), "{shown}");
    client.close().await;
}
