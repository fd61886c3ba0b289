//! A tool's failure, the same on both sides of the wire.

use std::borrow::Cow;
use std::fmt;

use serde_json::{Map, Value, json};

/// Why a tool did not do what it was asked for.
///
/// On the wire it is a result with `isError: true`: the message and the suggestion as one text block, the rest in `_meta`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolError {
    /// The kind of failure, for programs.
    pub error_type: Cow<'static, str>,
    /// Whether the caller can mend it: a wrong argument can be mended, a missing program cannot.
    pub expected: bool,
    /// What to do instead.
    pub suggestion: Option<String>,
    /// What failed, for people.
    pub message: String,
}

impl ToolError {
    /// A failure that the caller can mend.
    pub fn expected(error_type: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        ToolError { error_type: error_type.into(), expected: true, suggestion: None, message: message.into() }
    }

    /// A failure that the caller cannot mend.
    pub fn unexpected(error_type: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        ToolError { expected: false, ..Self::expected(error_type, message) }
    }

    /// The same failure, with what to do instead.
    #[must_use]
    pub fn suggest(mut self, suggestion: impl Into<String>) -> Self {
        self.suggestion = Some(suggestion.into());
        self
    }

    /// The text of the result: the message, and the suggestion on a line of its own.
    pub fn text(&self) -> String {
        match &self.suggestion {
            Some(suggestion) => format!("{}\n{suggestion}", self.message),
            None => self.message.clone(),
        }
    }

    /// The result's `_meta`.
    pub fn meta(&self) -> Map<String, Value> {
        let mut meta = Map::new();
        meta.insert("error_type".to_owned(), json!(self.error_type));
        meta.insert("expected".to_owned(), json!(self.expected));
        if let Some(suggestion) = &self.suggestion {
            meta.insert("suggestion".to_owned(), json!(suggestion));
        }
        meta
    }

    /// The failure that an error result stands for. A server that sends no `_meta` gives the kind `ToolError`.
    pub fn from_wire(text: &str, meta: Option<&Map<String, Value>>) -> Self {
        let field = |name: &str| meta.and_then(|meta| meta.get(name));
        let suggestion = field("suggestion").and_then(Value::as_str).map(str::to_owned);
        let message = suggestion
            .as_deref()
            .and_then(|suggestion| text.strip_suffix(suggestion))
            .map_or(text, |message| message.strip_suffix('\n').unwrap_or(message));
        ToolError {
            error_type: field("error_type").and_then(Value::as_str).unwrap_or("ToolError").to_owned().into(),
            expected: field("expected").and_then(Value::as_bool).unwrap_or(true),
            message: message.to_owned(),
            suggestion,
        }
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl std::error::Error for ToolError {}
