//! A package with the code of some tools, and a program in it that sends values through their types.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use schemux_codegen::{Faults, Files};
use schemux_tests::cargo::{cargo, dependencies, succeed, workspace, write};
use serde_json::Value;

/// The built program.
pub struct Package {
    program: PathBuf,
}

impl Package {
    /// Makes and builds the package. It is kept beside what else is built, so that the next run is short.
    pub fn build(name: &str, tools: &[Value]) -> Package {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
        let (folder, target) = (target.join("oracle").join(name), target.join("outside"));
        let files = render(tools).unwrap_or_else(|faults| panic!("each alone was accepted: {faults}"));
        let _ = fs::remove_dir_all(folder.join("schemas"));
        write_schemas(&folder.join("schemas"), tools);
        remove_others(&folder.join("src/types"), &files);
        for (path, text) in &files {
            write(&folder.join("src").join(path), text);
        }
        write(&folder.join("src/lib.rs"), LIB);
        write(&folder.join("src/main.rs"), MAIN);
        let dependencies = dependencies(&["jsonschema", "serde", "serde_json", "thiserror", "tokio-util"]);
        write(&folder.join("Cargo.toml"), &format!("{MANIFEST}{dependencies}"));
        fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock"))
            .expect("the workspace's versions");
        succeed(&mut cargo(&folder, &target, &["build"]));
        Package { program: target.join("debug/oracle") }
    }

    /// Asks the program, line by line.
    #[expect(clippy::disallowed_methods, reason = "the program that was built is what is tested")]
    pub fn ask(&self, questions: impl Iterator<Item = Value>) -> Vec<Value> {
        let mut input = tempfile::tempfile().expect("a file");
        for question in questions {
            writeln!(input, "{question}").expect("written");
        }
        std::io::Seek::rewind(&mut input).expect("rewound");
        let output = succeed(Command::new(&self.program).stdin(input));
        output.lines().map(|line| serde_json::from_str(line).expect("an answer")).collect()
    }
}

/// The code for these tools.
pub fn render(tools: &[Value]) -> Result<Files, Faults> {
    let root = tempfile::tempdir().expect("a folder");
    let schemas = root.path().join("schemas");
    write_schemas(&schemas, tools);
    schemux_codegen::render(&schemas, "../schemas")
}

fn write_schemas(folder: &Path, tools: &[Value]) {
    let mut rows = String::new();
    for tool in tools {
        let name = tool["name"].as_str().expect("a name");
        write(&folder.join(format!("{name}.json")), &tool.to_string());
        rows.push_str(&format!("[tools.{name:?}]\ntoolset = \"test\"\n"));
    }
    write(&folder.join("contract.toml"), &rows);
}

/// Files of an earlier run that are not among these.
fn remove_others(folder: &Path, files: &Files) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = format!("types/{}", entry.file_name().to_string_lossy());
        if !files.contains_key(&name) {
            fs::remove_file(entry.path()).expect("removed");
        }
    }
}

const MANIFEST: &str = r#"[package]
name = "oracle"
version = "0.0.0"
edition = "2024"

[workspace]

[features]
client = []

[dependencies]
"#;

/// The door of generated code, as in `generated/lib.rs`; a warning of the compiler is a failure.
const LIB: &str = r"#![deny(warnings)]

mod catalogue;
mod client;
mod dispatch;
mod recode;
mod runtime;
mod tools;
pub mod types;

pub use catalogue::TOOLS;
pub use dispatch::dispatch;
pub use recode::{recode_arguments, recode_result};
pub use runtime::*;
pub use tools::Tools;
pub use types::*;
";

const MAIN: &str = r#"use std::io::{BufRead, Write};

use serde_json::{Value, json};

fn main() {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        writeln!(out, "{}", answer(&question)).expect("written");
    }
}

fn answer(question: &Value) -> Value {
    let name = question["tool"].as_str().expect("a name");
    let tool = oracle::TOOLS.iter().find(|tool| tool.name == name).expect("a tool");
    let value = question["value"].clone();
    let recoded = match (question["side"].as_str(), tool.wrapped) {
        (Some("inputSchema"), _) => oracle::recode_arguments(name, value),
        (_, true) => oracle::recode_result(name, value["result"].clone()).map(|inner| Ok(json!({"result": inner?}))),
        _ => oracle::recode_result(name, value),
    };
    match recoded.expect("a tool") {
        Ok(value) => json!({ "ok": value }),
        Err(error) => json!({ "error": error.to_string() }),
    }
}
"#;
