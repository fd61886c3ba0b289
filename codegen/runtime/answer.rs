//! A tool's result as it is on the wire.

use serde_json::{Map, Value, json};

use super::contract::ToolInfo;

/// A result that its tool's schema accepts.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// `structuredContent`.
    pub structured: Value,
    /// The text block; `None` for an empty list, which has none.
    pub text: Option<String>,
    /// Whether the result was put into `{"result": …}`; `_meta` says so.
    pub wrapped: bool,
}

impl Answer {
    /// The answer for a tool's result. A text block holds the object or the list as compact JSON, and text as it is.
    pub fn new(tool: &ToolInfo, result: Value) -> Self {
        let text = match &result {
            Value::String(text) if tool.wrapped => Some(text.clone()),
            Value::Array(list) if tool.wrapped && list.is_empty() => None,
            other => Some(other.to_string()),
        };
        let structured = match tool.wrapped {
            // (`json!` would copy the result.)
            true => Value::Object(Map::from_iter([("result".to_owned(), result)])),
            false => result,
        };
        Answer { structured, text, wrapped: tool.wrapped }
    }

    /// `_meta`, where there is something to say.
    pub fn meta(&self) -> Option<Map<String, Value>> {
        let wrapped = ("fastmcp".to_owned(), json!({"wrap_result": true}));
        self.wrapped.then(|| Map::from_iter([wrapped]))
    }
}
