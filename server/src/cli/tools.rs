//! Lists the tools that are offered.

use std::fmt::Write as _;

use clap::Args;
use schemux::ToolInfo;
use serde_json::Value;

use crate::surface::Surface;

#[derive(Args)]
pub struct Options {
    /// Print what `tools/list` answers: every entry with its schemas.
    #[arg(long)]
    json: bool,
}

pub fn text(surface: &Surface, options: &Options) -> String {
    let tools: Vec<&ToolInfo> = surface.tools().collect();
    if options.json {
        let entries: Vec<Value> = tools.iter().map(|tool| Value::Object(tool.entry().clone())).collect();
        return format!("{:#}\n", Value::Array(entries));
    }
    if tools.is_empty() {
        return "no tools are offered; LIBTMUX_TOOLSETS and --toolsets choose them\n".to_owned();
    }
    let rows: Vec<[String; 3]> =
        tools.iter().map(|tool| [tool.name.to_owned(), tool.toolset.to_owned(), arguments(tool)]).collect();
    let header = ["TOOL", "TOOLSET", "ARGUMENTS (* required)"].map(str::to_owned);
    let width =
        |column: usize| std::iter::once(&header).chain(&rows).map(|row| row[column].len()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    let mut out = String::new();
    for [name, toolset, arguments] in std::iter::once(&header).chain(&rows) {
        let _ = writeln!(out, "{name:first$}  {toolset:second$}  {arguments}");
    }
    out
}

fn arguments(tool: &ToolInfo) -> String {
    let Some(schema) = tool.input_schema() else { return String::new() };
    let required = |name: &str| {
        schema
            .get("required")
            .and_then(Value::as_array)
            .is_some_and(|names| names.iter().any(|other| other == name))
    };
    let names = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(|map| map.keys());
    let mut names: Vec<&String> = names.collect();
    names.sort_by_key(|name| !required(name));
    names
        .iter()
        .map(|name| if required(name) { format!("{name}*") } else { (*name).clone() })
        .collect::<Vec<_>>()
        .join(" ")
}
