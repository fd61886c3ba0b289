//! One tool of the contract: what it advertises, and the checks that follow from it.

use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::{Map, Value};

use super::violation::{Violations, violations};

/// One tool, as it is advertised. Nothing is parsed or compiled before it is asked for.
pub struct ToolInfo {
    /// The tool's name.
    pub name: &'static str,
    /// The set of tools that it belongs to.
    pub toolset: &'static str,
    /// Whether a result stands in `{"result": …}` on the wire.
    pub wrapped: bool,
    text: &'static str,
    entry: OnceLock<Map<String, Value>>,
    arguments: OnceLock<Option<Validator>>,
    result: OnceLock<Option<Validator>>,
}

impl ToolInfo {
    /// A tool from its `tools/list` entry as JSON text. Codegen has parsed the text and compiled its schemas.
    pub const fn new(name: &'static str, toolset: &'static str, wrapped: bool, text: &'static str) -> Self {
        ToolInfo {
            name,
            toolset,
            wrapped,
            text,
            entry: OnceLock::new(),
            arguments: OnceLock::new(),
            result: OnceLock::new(),
        }
    }

    /// The tool's entry in `tools/list`, word for word.
    pub fn entry(&self) -> &Map<String, Value> {
        self.entry.get_or_init(|| serde_json::from_str(self.text).unwrap_or_default())
    }

    /// The schema of the arguments.
    pub fn input_schema(&self) -> Option<&Map<String, Value>> {
        self.entry().get("inputSchema")?.as_object()
    }

    /// The schema of the result, where the contract states one.
    pub fn output_schema(&self) -> Option<&Map<String, Value>> {
        self.entry().get("outputSchema")?.as_object()
    }

    /// What the tool says of itself.
    pub fn description(&self) -> &str {
        self.entry().get("description").and_then(Value::as_str).unwrap_or_default()
    }

    /// Checks arguments against the advertised schema.
    ///
    /// # Errors
    ///
    /// Everything that the schema refuses; no value is repeated in it.
    pub fn check_arguments(&self, arguments: &Value) -> Result<(), Violations> {
        violations(self.arguments.get_or_init(|| self.compile("inputSchema")).as_ref(), arguments)
    }

    /// Checks a result, as it is on the wire, against the advertised schema; anything goes where there is none.
    ///
    /// # Errors
    ///
    /// Everything that the schema refuses; no value is repeated in it.
    pub fn check_result(&self, result: &Value) -> Result<(), Violations> {
        violations(self.result.get_or_init(|| self.compile("outputSchema")).as_ref(), result)
    }

    fn compile(&self, side: &str) -> Option<Validator> {
        jsonschema::validator_for(self.entry().get(side)?).ok()
    }
}

impl std::fmt::Debug for ToolInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolInfo").field("name", &self.name).field("toolset", &self.toolset).finish_non_exhaustive()
    }
}
