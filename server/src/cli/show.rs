//! A result for people and for programs.

use std::fmt::Write as _;

use schemux::Answer;
use serde_json::Value;

/// The result as JSON, unwrapped, indented.
pub fn json(answer: &Answer) -> String {
    format!("{:#}\n", result(answer))
}

/// The result as a person reads it: text as it is, an object as one line per field, a list as one block per item.
pub fn readable(answer: &Answer) -> String {
    match result(answer) {
        Value::String(text) if text.ends_with('\n') => text.clone(),
        Value::String(text) => format!("{text}\n"),
        Value::Array(list) => list.iter().map(block).collect::<Vec<_>>().join("\n"),
        other => block(other),
    }
}

fn result(answer: &Answer) -> &Value {
    answer.structured.get("result").filter(|_| answer.wrapped).unwrap_or(&answer.structured)
}

fn block(value: &Value) -> String {
    let Value::Object(fields) = value else { return format!("{}\n", line(value)) };
    let width = fields.keys().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for (name, value) in fields {
        let _ = writeln!(out, "{name:width$}  {}", line(value));
    }
    out
}

/// A value on one line. What could move the cursor or hide text is written as an escape.
fn line(value: &Value) -> String {
    match value {
        Value::String(text) => text
            .chars()
            .map(|c| if c.is_control() { c.escape_default().to_string() } else { c.into() })
            .collect(),
        Value::Null => "-".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn for_people() {
        let object = Answer {
            structured: json!({"a": 1, "long": null, "t": "x\u{1b}[2J"}),
            text: None,
            wrapped: false,
        };
        assert_eq!(readable(&object), "a     1\nlong  -\nt     x\\u{1b}[2J\n");
        let text = Answer { structured: json!({"result": "done"}), text: None, wrapped: true };
        assert_eq!(readable(&text), "done\n");
        assert_eq!(json(&text), "\"done\"\n");
        let list = Answer { structured: json!({"result": [{"a": 1}, {"a": 2}]}), text: None, wrapped: true };
        assert_eq!(readable(&list), "a  1\n\na  2\n");
    }
}
