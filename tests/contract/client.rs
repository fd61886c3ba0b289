//! The typed client over a connection in this process: results, errors, and servers that do not keep the contract.

use schemux::{
    CallError, Caller, Client, ExitCopyModeArgs, Reply, RespawnPaneArgs, TOOLS, ToolError, WaitForExitArgs,
    WaitForExitOutcome,
};
use serde_json::{Map, Value, json};

use super::stub::Stub;
use super::support::block_on;

/// A server that answers what the test wants, whatever it was asked.
#[derive(Debug, Default)]
struct Liar {
    reply: Reply,
    tools: Vec<Value>,
}

impl Liar {
    fn saying(structured: Value) -> Client<Self> {
        let reply = Reply { structured: Some(structured), ..Reply::default() };
        Client::new(Liar { reply, ..Liar::default() })
    }

    fn offering(tools: Vec<Value>) -> Client<Self> {
        Client::new(Liar { tools, ..Liar::default() })
    }
}

impl Caller for Liar {
    async fn call(&self, _: &'static str, _: Map<String, Value>) -> Result<Reply, CallError> {
        Ok(self.reply.clone())
    }

    async fn list(&self) -> Result<Vec<Value>, CallError> {
        Ok(self.tools.clone())
    }
}

fn exited() -> Value {
    json!({"effectiveTimeoutMs": 30_000, "exitStatus": 3, "outcome": "completed", "signal": null})
}

#[test]
fn a_typed_result() {
    let client = Client::new(Stub::answering(exited()));
    let end = block_on(client.wait_for_exit(WaitForExitArgs::new("%1").timeout_ms(500))).expect("a result");
    assert_eq!(end.outcome, WaitForExitOutcome::Completed);
    assert_eq!((end.exit_status, end.signal, end.effective_timeout_ms), (Some(3), None, 30_000));
    assert_eq!(client.caller().calls(), 1);
}

#[test]
fn a_pane() {
    let client = Client::new(Stub::answering(json!({"pane_id": "%7", "pane_width": "80"})));
    let pane = block_on(client.exit_copy_mode(ExitCopyModeArgs::new().pane_id("%7"))).expect("a pane");
    assert_eq!((pane.pane_id.as_str(), pane.pane_width.as_deref(), pane.pane_left), ("%7", Some("80"), None));
}

#[test]
fn a_tools_error_comes_back_whole() {
    let error =
        ToolError::unexpected("PaneNotFound", "there is no pane %9\nat all").suggest("Call list_panes.");
    let client = Client::new(Stub::failing(error.clone()));
    let failed = block_on(client.respawn_pane(RespawnPaneArgs::new("%9"))).expect_err("it fails");
    assert_eq!(failed.tool_error(), Some(&error));
    insta::assert_snapshot!(failed, @r"
    there is no pane %9
    at all
    Call list_panes.
    ");
}

#[test]
fn bad_arguments_are_not_sent() {
    let client = Client::new(Stub::answering(exited()));
    let failed =
        block_on(client.wait_for_exit(WaitForExitArgs::new("pane").timeout_ms(0))).expect_err("refused");
    insta::assert_snapshot!(failed, @r"
    the arguments for wait_for_exit do not obey its schema, nothing was sent:
    paneId
      this text must match `^%\d+$` [type=string_pattern_mismatch]
    timeoutMs
      this must be more than 0 [type=greater_than]
    ");
    assert!(matches!(failed, CallError::Arguments { tool: "wait_for_exit", .. }));
    assert_eq!(client.caller().calls(), 0);
}

#[test]
fn a_server_that_lies() {
    let said = |structured: Value| {
        let client = Liar::saying(structured);
        let failed = block_on(client.wait_for_exit(WaitForExitArgs::new("%1"))).expect_err("a lie");
        assert!(matches!(failed, CallError::Contract { tool: "wait_for_exit", .. }), "{failed:?}");
        failed.to_string()
    };
    let mut missing = exited();
    missing.as_object_mut().expect("an object").remove("signal");
    insta::assert_snapshot!(said(missing), @r"
    the answer of wait_for_exit is not what its schema promises: 
    signal
      this is required and missing [type=missing_argument]
    ");
    let mut wrong = exited();
    wrong["exitStatus"] = json!("3");
    insta::assert_snapshot!(said(wrong), @r"
    the answer of wait_for_exit is not what its schema promises: 
    exitStatus
      this must be a whole number [type=int_type]
    ");
    let mut extra = exited();
    extra["note"] = json!("more");
    insta::assert_snapshot!(said(extra), @r"
    the answer of wait_for_exit is not what its schema promises: 
    note
      there is no such argument [type=unexpected_keyword_argument]
    ");
    insta::assert_snapshot!(said(json!([])), @r"
    the answer of wait_for_exit is not what its schema promises: 
      this must be an object [type=dict_type]
    ");
}

#[test]
fn a_server_that_says_nothing() {
    let client = Client::new(Liar::default());
    let failed = block_on(client.exit_copy_mode(ExitCopyModeArgs::new())).expect_err("no result");
    insta::assert_snapshot!(failed, @"the answer of exit_copy_mode is not what its schema promises: it has no structured content");
}

/// Names that the schema does not list may stand in an open result; a later server may send more.
#[test]
fn more_than_promised_is_fine_where_the_result_is_open() {
    let client = Liar::saying(json!({"pane_id": "%1", "pane_colour": "red"}));
    assert_eq!(block_on(client.respawn_pane(RespawnPaneArgs::new("%1"))).expect("a pane").pane_id, "%1");
}

#[test]
fn a_connection_that_failed() {
    let failed = CallError::Transport("the pipe is closed".into());
    insta::assert_snapshot!(failed, @"no answer from the server: the pipe is closed");
    assert!(failed.tool_error().is_none());
}

fn offered() -> Vec<Value> {
    TOOLS.iter().map(|tool| json!(tool.entry())).collect()
}

fn differences(change: impl FnOnce(&mut Vec<Value>)) -> String {
    let mut tools = offered();
    change(&mut tools);
    let client = Liar::offering(tools);
    block_on(client.verify_contract(TOOLS)).expect("a list").join("\n")
}

fn tool<'a>(tools: &'a mut [Value], name: &str) -> &'a mut Value {
    tools.iter_mut().find(|tool| tool["name"] == name).expect("the tool")
}

#[test]
fn the_same_contract_has_no_differences() {
    assert_eq!(block_on(Client::new(Stub::default()).verify_contract(TOOLS)).expect("a list"), [""; 0]);
    assert_eq!(
        differences(|tools| {
            tools.reverse();
            tool(tools, "wait_for_exit")["description"] = json!("Other words.");
            tool(tools, "wait_for_exit")["inputSchema"]["properties"]["paneId"]["description"] =
                json!("Other words.");
            tools.push(json!({"name": "one_more", "inputSchema": {"type": "object"}}));
        }),
        ""
    );
}

#[test]
fn a_changed_contract_is_told() {
    insta::assert_snapshot!(differences(|tools| tools.retain(|tool| tool["name"] != "respawn_pane")), @"respawn_pane: the server does not offer it");
    insta::assert_snapshot!(
        differences(|tools| {
            let schema = &mut tool(tools, "wait_for_exit")["inputSchema"];
            schema["required"] = json!(["paneId", "timeoutMs"]);
            schema["properties"]["timeoutMs"]["type"] = json!("string");
            schema["properties"]["extra"] = json!({"type": "string"});
        }),
        @r#"
    wait_for_exit#/inputSchema/properties/timeoutMs/type: here "integer", at the server "string"
    wait_for_exit#/inputSchema/properties/extra: the server has added it
    wait_for_exit#/inputSchema/required: the server has added "timeoutMs"
    "#
    );
    insta::assert_snapshot!(
        differences(|tools| {
            let schema = &mut tool(tools, "wait_for_exit")["outputSchema"];
            schema["properties"].as_object_mut().expect("an object").remove("signal");
            schema["properties"]["outcome"]["enum"] = json!(["completed", "gone", "cancelled", "lost"]);
        }),
        @r#"
    wait_for_exit#/outputSchema/properties/outcome/enum: the server no longer has "timed_out"
    wait_for_exit#/outputSchema/properties/outcome/enum: the server has added "lost"
    wait_for_exit#/outputSchema/properties/signal: the server no longer has it
    "#
    );
    insta::assert_snapshot!(
        differences(|tools| {
            tool(tools, "respawn_pane")["inputSchema"]["properties"]["kill"]["default"] = json!(false);
        }),
        @"respawn_pane#/inputSchema/properties/kill/default: here true, at the server false"
    );
    insta::assert_snapshot!(
        differences(|tools| {
            tool(tools, "exit_copy_mode").as_object_mut().expect("an object").remove("outputSchema");
        }),
        @"exit_copy_mode#/outputSchema: the server no longer has it"
    );
}
