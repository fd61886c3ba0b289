//! What the contract looks like, for a reviewer: every tool with its arguments and its result.

use std::fmt::Write as _;

use schemux::{TOOLS, ToolInfo};
use serde_json::{Map, Value};

#[test]
fn all_tools() {
    let mut table = String::new();
    for tool in TOOLS {
        let _ = writeln!(
            table,
            "{} ({}{})",
            tool.name,
            tool.toolset,
            if tool.wrapped { ", wrapped" } else { "" }
        );
        fields(&mut table, "takes", tool.input_schema());
        fields(&mut table, "gives", tool.output_schema());
    }
    insta::assert_snapshot!(table);
}

fn fields(table: &mut String, verb: &str, schema: Option<&Map<String, Value>>) {
    let Some(schema) = schema else {
        let _ = writeln!(table, "  {verb} anything");
        return;
    };
    let closed =
        if schema.get("additionalProperties") == Some(&Value::Bool(false)) { "closed" } else { "open" };
    let _ = writeln!(table, "  {verb} ({closed})");
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let mark = if required.contains(&name.as_str()) { "" } else { "?" };
        let default = property.get("default").map(|default| format!(" = {default}")).unwrap_or_default();
        let _ = writeln!(table, "    {name}{mark}: {}{default}", kind(property));
    }
}

fn kind(schema: &Value) -> String {
    if let Some(words) = schema["enum"].as_array() {
        return words.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    if let Some(arms) = schema["anyOf"].as_array() {
        return arms.iter().map(kind).collect::<Vec<_>>().join(" | ");
    }
    match &schema["type"] {
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" | "),
        _ => "any".to_owned(),
    }
}

#[test]
fn sorted_and_each_once() {
    let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(names, sorted);
}

#[test]
fn every_tool_says_what_it_is() {
    let silent = |tool: &&&ToolInfo| tool.description().is_empty() || tool.toolset.is_empty();
    let silent: Vec<&str> = TOOLS.iter().filter(silent).map(|tool| tool.name).collect();
    assert_eq!(silent, [""; 0]);
}
