//! `call_read_tools_batch`: calls like any other, in order, of tools that read and do not wait.

use schemux::{CallReadToolsBatchArgs, Client, Connection, OnError, ToolCallBatchResult, ToolCallOperation};
use schemux_tests::{TmuxWorld, until};
use serde_json::{Value, json};

use super::support::{client, connect, program, refused};

fn call(tool: &str, arguments: Value) -> ToolCallOperation {
    let arguments = arguments.as_object().cloned();
    ToolCallOperation { arguments, ..ToolCallOperation::new(tool) }
}

async fn run(
    client: &Client<Connection>,
    operations: Vec<ToolCallOperation>,
    on_error: OnError,
) -> ToolCallBatchResult {
    client.call_read_tools_batch(CallReadToolsBatchArgs::new(operations).on_error(on_error)).await.unwrap()
}

#[tokio::test]
async fn each_row_is_what_the_call_alone_would_give() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = world.pane("echo shown; exec sleep 1000");
    until("it is printed", || world.tmux(["capture-pane", "-p", "-t", &pane]).contains("shown")).await;
    let operations = vec![
        call("capture_pane", json!({"pane_id": pane})),
        call("snapshot_pane", json!({"pane_id": pane, "max_lines": "1"})),
        call("capture_pane", json!({"pane_id": "%999"})),
        call("capture_pane", json!({"bogus": 1})),
        call("send_keys", json!({"keys": "x"})),
        call("wait_for_text", json!({})),
        call("wait_for_exit", json!({"paneId": pane})),
        call("run_command", json!({"command": "true"})),
        call("call_read_tools_batch", json!({"operations": []})),
        call("nope", json!({})),
        ToolCallOperation::new("capture_pane"),
    ];
    let all = run(&client, operations.clone(), OnError::Continue).await;
    let rows = all.results.as_deref().unwrap();
    assert_eq!((all.succeeded, all.failed, all.stopped_at, rows.len()), (3, 8, None, 11));
    assert!(!all.response_truncated && all.response_truncated_bytes == 0);
    let first = &rows[0];
    assert_eq!(first.content.as_deref().unwrap()[0]["text"], "shown");
    assert_eq!(first.structured_content.as_ref().unwrap()["result"], "shown");
    assert_eq!(first.meta.as_ref().unwrap()["fastmcp"]["wrap_result"], true);
    assert_eq!(rows[1].structured_content.as_ref().unwrap()["pane_id"], json!(pane));
    assert_eq!(rows[1].meta, None);
    let missing = &rows[2];
    assert_eq!(missing.meta.as_ref().unwrap()["error_type"], "PaneNotFound");
    assert_eq!(missing.content.as_deref().unwrap()[0]["text"], json!(missing.error));
    assert_eq!(rows[3].meta.as_ref().unwrap()["error_type"], "ValidationError");
    for row in &rows[4..10] {
        assert!(!row.success && row.error.is_some() && row.meta.is_none(), "{row:?}");
        assert_eq!(row.content.as_deref(), Some(&[][..]));
    }
    assert!(rows[10].success);
    for (index, row) in (0..).zip(rows) {
        assert_eq!((row.index, &row.tool), (index, &operations[index as usize].tool));
    }
    let stopped = run(&client, operations, OnError::Stop).await;
    assert_eq!((stopped.succeeded, stopped.failed, stopped.stopped_at), (2, 1, Some(2)));
    assert!(!world.tmux(["capture-pane", "-p", "-t", "main:0"]).contains("x"));
    client.close().await;
}

#[tokio::test]
async fn how_many_and_how_much() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for count in [0, 1001] {
        let operations = vec![call("nope", json!({})); count];
        let error = refused(client.call_read_tools_batch(CallReadToolsBatchArgs::new(operations)).await);
        assert_eq!((error.error_type.as_ref(), error.expected), ("ExpectedToolError", true));
    }
    let many = run(&client, vec![call("nope", json!({})); 1000], OnError::Continue).await;
    assert_eq!((many.succeeded, many.failed), (0, 1000));

    world.tmux(["set-option", "-g", "history-limit", "50000"]);
    let pane = world.pane("seq -f 'line %07g of so many' 1 9000; exec sleep 1000");
    until("it is printed", || world.tmux(["capture-pane", "-p", "-t", &pane]).contains("0009000")).await;
    let large = call("capture_pane", json!({"pane_id": pane, "start": -50000, "max_lines": null}));
    let result = run(&client, vec![large; 3], OnError::Stop).await;
    assert!(result.response_truncated && result.response_truncated_bytes > 300_000, "{result:?}");
    let rows = result.results.unwrap();
    let text = |index: usize| rows[index].content.as_ref().unwrap()[0]["text"].as_str().unwrap().to_owned();
    assert_eq!(text(0), "[... batch truncated nested content ...]");
    assert_eq!(rows[0].structured_content, None);
    assert!(rows[0].success && text(2).ends_with("0009000 of so many"));
    client.close().await;
}

#[tokio::test]
async fn what_is_excluded_by_name_is_not_to_be_had() {
    let world = TmuxWorld::start();
    let mut command = program(&world);
    command.args(["--toolsets", "", "--tools", "call_read_tools_batch", "--exclude-tools", "snapshot_pane"]);
    let client = connect(command).await;
    let operations = vec![call("capture_pane", json!({})), call("snapshot_pane", json!({}))];
    let result = run(&client, operations, OnError::Continue).await;
    let rows = result.results.unwrap();
    assert!(rows[0].success, "{:?}", rows[0].error);
    assert!(rows[1].error.as_ref().is_some_and(|error| error.contains("unknown tool")), "{:?}", rows[1]);
    client.close().await;
}

#[tokio::test]
async fn every_call_in_it_is_noted() {
    let world = TmuxWorld::start();
    let operations = json!({"operations": [{"tool": "capture_pane"}, {"tool": "display_message", "arguments": {"format_string": "x"}}]});
    let mut command = program(&world);
    command.env("SCHEMUX_LOG", "info").args(["call", "call_read_tools_batch", &operations.to_string()]);
    let output = command.output().await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let noted = String::from_utf8_lossy(&output.stderr).into_owned();
    for tool in ["capture_pane", "display_message", "call_read_tools_batch"] {
        let lines = noted.lines().filter(|line| line.contains(&format!("tool=\"{tool}\"")));
        assert_eq!(lines.count(), 1, "{tool}: {noted}");
    }
}
