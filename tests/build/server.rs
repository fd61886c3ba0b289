//! A server that implements the contract: when the contract changes, the compiler names the place.

use schemux_tests::cargo::{fail, succeed};
use serde_json::{Value, json};

use super::sandbox::Sandbox;

/// The tools that [`SERVER`] has.
pub const TOOLS: &[&str] = &["exit_copy_mode", "respawn_pane", "wait_for_exit"];

/// A server that answers every call with what it is made of; written out, as a server is.
pub const SERVER: &str = r#"use schemux::{
    Cx, ExitCopyModeArgs, PaneInfo, RespawnPaneArgs, ToolError, Tools, WaitForExitArgs, WaitForExitOutcome,
    WaitForExitResult, dispatch,
};

struct Stub;

impl Tools for Stub {
    async fn exit_copy_mode(&self, _: &Cx, args: ExitCopyModeArgs) -> Result<PaneInfo, ToolError> {
        match args.pane_id {
            Some(pane_id) => Ok(PaneInfo::new(pane_id)),
            None => Err(ToolError::expected("PaneNotFound", "no pane was named")),
        }
    }

    async fn respawn_pane(&self, _: &Cx, args: RespawnPaneArgs) -> Result<PaneInfo, ToolError> {
        Ok(PaneInfo::new(args.pane_id))
    }

    async fn wait_for_exit(&self, _: &Cx, args: WaitForExitArgs) -> Result<WaitForExitResult, ToolError> {
        Ok(WaitForExitResult {
            effective_timeout_ms: args.timeout_ms.map_or(30_000, |timeout| timeout as i64),
            exit_status: Some(0),
            outcome: WaitForExitOutcome::Completed,
            signal: None,
        })
    }
}

fn main() {
    let cx = Cx::new();
    for (tool, arguments) in [
        ("exit_copy_mode", serde_json::json!({"pane_id": "%3"})),
        ("exit_copy_mode", serde_json::json!({})),
        ("wait_for_exit", serde_json::json!({"paneId": "%1", "timeoutMs": 5})),
        ("wait_for_exit", serde_json::json!({"paneId": "one"})),
    ] {
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        let mut call = std::pin::pin!(dispatch(&Stub, tool, arguments, &cx));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        match call.as_mut().poll(&mut context) {
            std::task::Poll::Ready(Ok(answer)) => println!("{}", answer.structured),
            std::task::Poll::Ready(Err(error)) => println!("{}: {error}", error.error_type),
            std::task::Poll::Pending => println!("pending"),
        }
    }
}
"#;

/// Where in the server this stands.
fn line_of(text: &str) -> usize {
    SERVER.lines().position(|line| line.contains(text)).expect("it is in it") + 1
}

#[test]
fn what_the_contract_loses_is_an_error_at_the_handler() {
    let sandbox = Sandbox::of(TOOLS);
    sandbox.write("driver/src/main.rs", SERVER);
    succeed(&mut sandbox.build());
    sandbox.edit("wait_for_exit", |entry| {
        let schema = &mut entry["outputSchema"];
        schema["properties"].as_object_mut().expect("an object").remove("signal");
        schema["required"].as_array_mut().expect("a list").retain(|name| *name != json!("signal"));
    });
    let said = fail(&mut sandbox.build());
    assert!(said.contains("`WaitForExitResult` has no field named `signal`"), "{said}");
    assert!(said.contains(&format!("driver/src/main.rs:{}:", line_of("signal: None"))), "{said}");
    drop(sandbox);

    let sandbox = Sandbox::of(TOOLS);
    sandbox.write("driver/src/main.rs", SERVER);
    succeed(&mut sandbox.build());
}

#[test]
fn what_the_contract_gains_is_an_error_at_the_handler() {
    let sandbox = Sandbox::of(TOOLS);
    sandbox.write("driver/src/main.rs", SERVER);
    sandbox.edit("wait_for_exit", |entry| {
        entry["outputSchema"]["properties"]["seen"] = json!({"type": "boolean"});
        let required = entry["outputSchema"]["required"].as_array_mut().expect("a list");
        required.push(Value::from("seen"));
    });
    let said = fail(&mut sandbox.build());
    assert!(said.contains("missing field `seen` in initializer of `WaitForExitResult`"), "{said}");
    assert!(said.contains(&format!("driver/src/main.rs:{}:", line_of("Ok(WaitForExitResult {"))), "{said}");
}

#[test]
fn a_tool_that_the_server_does_not_have_is_an_error() {
    let sandbox = Sandbox::of(TOOLS);
    sandbox.write("driver/src/main.rs", SERVER);
    let rows = sandbox.read("schemas/contract.toml");
    let entry = json!({"name": "ping", "inputSchema": {"type": "object"}});
    sandbox.write("schemas/ping.json", &entry.to_string());
    sandbox.write("schemas/contract.toml", &format!("{rows}\n[tools.ping]\ntoolset = \"inspect\"\n"));
    let said = fail(&mut sandbox.build());
    assert!(said.contains("not all trait items implemented, missing: `ping`"), "{said}");
    assert!(said.contains(&format!("driver/src/main.rs:{}:", line_of("impl Tools for Stub"))), "{said}");
}
