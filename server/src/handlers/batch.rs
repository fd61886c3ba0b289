//! Several reading calls in one.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

use schemux::{
    Answer, CallReadToolsBatchArgs, Cx, OnError, ToolCallBatchResult, ToolCallOperation,
    ToolCallOperationResult, ToolError, ToolInfo, unknown_tool,
};
use serde_json::{Map, Value, json};

use super::errors::refused;
use super::limits::seconds;
use crate::call;
use crate::state::Tmux;

/// So many calls at most.
const MOST: usize = 1000;

/// The largest result, in bytes of JSON.
const LARGEST: usize = 1_000_000;

/// What stands in the place of content that was left out.
const LEFT_OUT: &str = "[... batch truncated nested content ...]";

/// Tools that wait. In a batch their ceilings would add up.
const WAITS: [&str; 2] = ["wait_for_exit", "wait_for_text"];

/// Calls tools that only read, one after the other.
pub async fn call_read_tools_batch(
    tmux: &Tmux,
    cx: &Cx,
    args: CallReadToolsBatchArgs,
) -> Result<ToolCallBatchResult, ToolError> {
    match args.operations.len() {
        0 => return Err(refused("operations must hold at least one call")),
        1..=MOST => {}
        _ => return Err(refused(format!("operations must hold at most {MOST} calls"))),
    }
    let mut rows = Vec::with_capacity(args.operations.len());
    let mut stopped_at = None;
    for (index, operation) in (0..).zip(args.operations) {
        let row = tokio::select! {
            biased;
            () = cx.cancelled().cancelled() => break,
            row = one(tmux, cx, index, operation) => row,
        };
        let failed = !row.success;
        rows.push(row);
        if failed && args.on_error == OnError::Stop {
            stopped_at = Some(index);
            break;
        }
    }
    let failed = rows.iter().filter(|row| !row.success).count();
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let mut result = ToolCallBatchResult {
        stopped_at,
        ..ToolCallBatchResult::new(count(rows.len() - failed), count(failed))
    };
    result.results = Some(rows);
    shorten(&mut result, LARGEST);
    Ok(result)
}

async fn one(tmux: &Tmux, cx: &Cx, index: i64, operation: ToolCallOperation) -> ToolCallOperationResult {
    let begun = Instant::now();
    let ToolCallOperation { tool: name, arguments } = operation;
    let result = match readable(tmux, &name) {
        Err(refusal) => {
            return ToolCallOperationResult {
                error: Some(refusal.text()),
                content: Some(Vec::new()),
                ..row(index, name, begun.elapsed(), false)
            };
        }
        Ok(tool) => nested(tmux, tool, arguments.unwrap_or_default(), cx).await,
    };
    let took = begun.elapsed();
    match result {
        Ok(answer) => ToolCallOperationResult {
            meta: answer.meta(),
            content: Some(answer.text.into_iter().map(block).collect()),
            structured_content: Some(object(answer.structured)),
            ..row(index, name, took, true)
        },
        Err(error) => ToolCallOperationResult {
            content: Some(vec![block(error.text())]),
            meta: Some(error.meta()),
            error: Some(error.text()),
            ..row(index, name, took, false)
        },
    }
}

/// The tool, if it may be called from here: it reads and does not wait. Whether its set is offered does not matter; a tool that
/// was excluded by name is none.
fn readable(tmux: &Tmux, name: &str) -> Result<&'static ToolInfo, ToolError> {
    let tool = tmux.config().surface.not_excluded(name).ok_or_else(|| unknown_tool(name))?;
    match tool.name {
        "call_read_tools_batch" => Err(refused("a batch cannot call a batch")),
        name if WAITS.contains(&name) => {
            Err(refused(format!("{name} waits, which a batch does not: call it by itself")))
        }
        name if tool.toolset != "inspect" => {
            Err(refused(format!("{name} does more than read, which a batch does not: call it by itself")))
        }
        _ => Ok(tool),
    }
}

/// A call like any other. It has a size of its own, because it is called from within one.
fn nested<'a>(
    tmux: &'a Tmux,
    tool: &'static ToolInfo,
    arguments: Map<String, Value>,
    cx: &'a Cx,
) -> Pin<Box<dyn Future<Output = Result<Answer, ToolError>> + Send + 'a>> {
    Box::pin(call::run(tmux, Some(tool), tool.name, arguments, cx))
}

fn row(index: i64, tool: String, took: Duration, success: bool) -> ToolCallOperationResult {
    ToolCallOperationResult::new(index, tool, success, seconds(took))
}

fn block(text: String) -> Map<String, Value> {
    object(json!({"type": "text", "text": text}))
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// Leaves out contents, those of the first calls first, until the result is no larger than `most` bytes.
fn shorten(result: &mut ToolCallBatchResult, most: usize) {
    let whole = size(result);
    let mut now = whole;
    let mut rows = result.results.take().unwrap_or_default();
    for row in &mut rows {
        if now <= most {
            break;
        }
        let before = size(row);
        row.content = Some(vec![block(LEFT_OUT.to_owned())]);
        row.structured_content = None;
        now = now.saturating_sub(before).saturating_add(size(row));
    }
    result.results = Some(rows);
    result.response_truncated = whole > most;
    result.response_truncated_bytes = i64::try_from(whole.saturating_sub(now)).unwrap_or(i64::MAX);
}

/// How large a value is as JSON, in bytes.
fn size(value: &impl serde::Serialize) -> usize {
    serde_json::to_vec(value).map_or(0, |json| json.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_wait_are_known() {
        let waits = |tool: &&&ToolInfo| {
            let arguments = tool.input_schema().and_then(|schema| schema["properties"].as_object());
            arguments.is_some_and(|arguments| arguments.keys().any(|name| name.starts_with("timeout")))
        };
        let reading = schemux::TOOLS.iter().filter(|tool| tool.toolset == "inspect");
        assert_eq!(reading.filter(waits).map(|tool| tool.name).collect::<Vec<_>>(), WAITS);
    }

    #[test]
    fn the_first_contents_are_left_out_until_it_fits() {
        let long = |index| ToolCallOperationResult {
            content: Some(vec![block("x".repeat(1000))]),
            structured_content: Some(object(json!({"result": "x".repeat(1000)}))),
            ..row(index, "capture_pane".to_owned(), Duration::ZERO, true)
        };
        let mut result = ToolCallBatchResult::new(3, 0);
        result.results = Some((0..3).map(long).collect());
        let whole = result.clone();
        shorten(&mut result, size(&whole));
        assert_eq!(result, whole);
        shorten(&mut result, 3000);
        let rows = result.results.as_deref().unwrap();
        let text = |row: &ToolCallOperationResult| row.content.as_ref().unwrap()[0]["text"].clone();
        assert_eq!((text(&rows[0]), &rows[0].structured_content), (LEFT_OUT.into(), &None));
        assert_eq!((text(&rows[1]), text(&rows[2])), (LEFT_OUT.into(), "x".repeat(1000).into()));
        assert!(result.response_truncated && size(&result) <= 3010);
        let lost = size(&whole) - size(&result);
        assert!(lost.abs_diff(result.response_truncated_bytes as usize) < 10, "{lost}");
    }
}
