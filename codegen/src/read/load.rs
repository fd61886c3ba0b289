//! Which files are there and what do they hold? Every file that cannot be read is a fault of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::fault::{Fault, Faults};

/// All that `schemas/` holds.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// The tools, sorted by name, whatever the order of the files on disk.
    pub tools: Vec<Source>,
    /// What `contract.toml` says.
    pub settings: Settings,
}

/// One tool's file.
#[derive(Debug, Clone)]
pub struct Source {
    /// The file, relative to the project, with `/` between the folders: `schemas/exit_copy_mode.json`.
    pub file: String,
    /// The file's name without `.json`.
    pub stem: String,
    /// The tool's `tools/list` entry.
    pub entry: Map<String, Value>,
}

impl Source {
    /// The tool's name; the file's where the entry has none (then the check has said so).
    pub fn name(&self) -> &str {
        self.entry.get("name").and_then(Value::as_str).unwrap_or(&self.stem)
    }
}

/// `contract.toml`.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Settings {
    /// Names for types: by the schema's description, or by `tool#/json/pointer`.
    #[serde(default)]
    pub names: BTreeMap<String, String>,
    /// One row per tool.
    #[serde(default)]
    pub tools: BTreeMap<String, Row>,
}

/// What is known of a tool beside its entry. Other keys tell where it came from; codegen does not need them.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Row {
    /// The set of tools that it belongs to.
    #[serde(default)]
    pub toolset: Option<String>,
}

/// The settings' file in `schemas/`.
pub const SETTINGS: &str = "contract.toml";

/// Reads all files of the folder `schemas`. Files that are neither `*.json` nor `contract.toml` are left alone.
///
/// # Errors
///
/// One fault for each file that cannot be read or parsed.
pub fn schemas(schemas: &Path) -> Result<Sources, Faults> {
    let folder =
        schemas.file_name().map_or_else(|| "schemas".into(), |name| name.to_string_lossy().into_owned());
    let mut faults = Faults::default();
    let mut sources = Sources::default();
    let entries = fs::read_dir(schemas).map_err(|error| {
        Fault::new(schemas.display().to_string(), "", format!("cannot read the folder: {error}"))
            .hint("name the folder that holds one <tool>.json per tool")
    })?;
    for entry in entries {
        let path = match entry {
            Ok(entry) => entry.path(),
            Err(error) => {
                faults.push(Fault::new(folder.clone(), "", format!("cannot list the folder: {error}")));
                continue;
            }
        };
        let Some(name) = path.file_name().and_then(|name| name.to_str()).map(str::to_owned) else { continue };
        if name.starts_with('.') {
            continue;
        }
        let file = format!("{folder}/{name}");
        if let Some(stem) = name.strip_suffix(".json") {
            match tool(&path, file, stem) {
                Ok(source) => sources.tools.push(source),
                Err(fault) => faults.push(fault),
            }
        } else if name == SETTINGS {
            match settings(&path, file) {
                Ok(settings) => sources.settings = settings,
                Err(fault) => faults.push(fault),
            }
        }
    }
    sources.tools.sort_by(|a, b| a.stem.cmp(&b.stem));
    faults.or(sources)
}

fn tool(path: &Path, file: String, stem: &str) -> Result<Source, Fault> {
    let text = fs::read_to_string(path)
        .map_err(|error| Fault::new(&file, "", format!("cannot read it: {error}")))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| {
        Fault::new(&file, format!("line {}", error.line()), format!("this is no JSON: {error}"))
    })?;
    match value {
        Value::Object(entry) => Ok(Source { file, stem: stem.to_owned(), entry }),
        _ => {
            Err(Fault::new(file, "", "this is no object")
                .hint("it must be the tool's entry from `tools/list`"))
        }
    }
}

fn settings(path: &Path, file: String) -> Result<Settings, Fault> {
    let text = fs::read_to_string(path)
        .map_err(|error| Fault::new(&file, "", format!("cannot read it: {error}")))?;
    toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
        Fault::new(&file, format!("line {line}"), error.message().to_owned())
    })
}
