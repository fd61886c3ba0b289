//! How the contract is shown: word for word, or in what every model's function calling takes.
//!
//! The portable view is made from the same schemas, and the calls are the same: what a client may send is checked against the contract
//! itself. It holds one `type` per value, and none of the keywords that make Gemini's API refuse the whole request ("Unknown name",
//! "Proto field is not repeating") or VS Code's Copilot the tool ("array type must have items").

use schemux::ToolInfo;
use serde_json::{Map, Value, json};

use crate::hints::{self, Hints};

/// Which view of the schemas is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Schemas {
    /// Word for word.
    #[default]
    Exact,
    /// In what every model's function calling takes.
    Portable,
}

/// A tool's entry in `tools/list`.
pub fn entry(tool: &ToolInfo, schemas: Schemas, hints: Hints) -> Map<String, Value> {
    let mut entry = tool.entry().clone();
    if let (Hints::Precise, Some(hints)) = (hints, hints::of(tool.name)) {
        entry.insert("annotations".to_owned(), hints.annotations());
    }
    if schemas == Schemas::Portable {
        if let Some(input) = entry.get("inputSchema") {
            entry.insert("inputSchema".to_owned(), portable(input));
        }
        if let Some(Value::Object(output)) = entry.get_mut("outputSchema") {
            output.remove("$schema");
        }
    }
    entry
}

/// What is kept as it is.
const KEPT: [&str; 4] = ["type", "description", "enum", "required"];

/// A schema in the portable words: a type, its description, its parts.
fn portable(schema: &Value) -> Value {
    let Some(schema) = schema.as_object() else { return json!({"type": "string"}) };
    let chosen = arm(schema);
    let mut shown: Map<String, Value> =
        KEPT.iter().filter_map(|key| Some(((*key).to_owned(), chosen.get(*key)?.clone()))).collect();
    if let Some(description) = description(schema, &chosen) {
        shown.insert("description".to_owned(), Value::String(description));
    }
    if let Some(parts) = chosen.get("properties").and_then(Value::as_object) {
        let parts: Map<_, _> = parts.iter().map(|(name, part)| (name.clone(), portable(part))).collect();
        shown.insert("properties".to_owned(), Value::Object(parts));
    }
    match shown.get("type").and_then(Value::as_str) {
        Some("array") => {
            shown.insert("items".to_owned(), portable(chosen.get("items").unwrap_or(&json!({}))));
        }
        // Gemini refuses an object without properties; the same as JSON text is taken just as well.
        Some("object") if !shown.contains_key("properties") => {
            shown.insert("type".to_owned(), json!("string"));
        }
        None => {
            shown.insert("type".to_owned(), json!("string"));
        }
        Some(_) => {}
    }
    Value::Object(shown)
}

/// The alternative that is shown: text if it is one, for text can say the others, else the first that is not null.
fn arm(schema: &Map<String, Value>) -> Map<String, Value> {
    let is = |arm: &Map<String, Value>, kind: &str| arm.get("type").is_some_and(|found| found == kind);
    let Some(arms) = schema.get("anyOf").and_then(Value::as_array) else { return schema.clone() };
    let arms: Vec<_> = arms.iter().filter_map(Value::as_object).filter(|arm| !is(arm, "null")).collect();
    let chosen = arms.iter().find(|arm| is(arm, "string")).or(arms.first());
    chosen.map_or_else(Map::new, |arm| (*arm).clone())
}

/// The description, with the default where there is one: the keyword is not known everywhere.
fn description(schema: &Map<String, Value>, chosen: &Map<String, Value>) -> Option<String> {
    let said = schema.get("description").or(chosen.get("description")).and_then(Value::as_str);
    let default = schema.get("default").filter(|default| !default.is_null() && **default != json!(""));
    let default = default.filter(|default| **default != json!(false)).map(|default| match default {
        Value::String(text) => format!("Default {text}."),
        other => format!("Default {other}."),
    });
    match (said, default) {
        (Some(said), Some(default)) => Some(format!("{said} {default}")),
        (said, default) => default.or(said.map(str::to_owned)),
    }
}

#[cfg(test)]
mod tests {
    use schemux::TOOLS;

    use super::*;
    use crate::surface::Surface;

    fn visible(schemas: Schemas) -> usize {
        let size = |tool: &ToolInfo| {
            let mut entry = entry(tool, schemas, Hints::Documented);
            entry.retain(|key, _| matches!(key.as_str(), "name" | "description" | "inputSchema"));
            Value::Object(entry).to_string().len()
        };
        Surface::default().tools().map(size).sum()
    }

    #[test]
    fn they_fill_little_of_a_context() {
        assert!(visible(Schemas::Exact) <= 40_000, "{} bytes", visible(Schemas::Exact));
        assert!(visible(Schemas::Portable) <= 26_000, "{} bytes", visible(Schemas::Portable));
    }

    #[test]
    fn portable_schemas_hold_only_what_is_known_everywhere() {
        fn check(schema: &Value, tool: &str) {
            let schema = schema.as_object().expect("a schema is an object");
            for key in schema.keys() {
                assert!(
                    ["type", "description", "enum", "required", "properties", "items"]
                        .contains(&key.as_str()),
                    "{tool}: {key}"
                );
            }
            match schema.get("type").and_then(Value::as_str) {
                Some("object") => {
                    let properties = schema["properties"].as_object().expect("an object has properties");
                    assert!(!properties.is_empty() || tool == "no arguments", "{tool}");
                    properties.values().for_each(|part| check(part, tool));
                    for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
                        assert!(properties.contains_key(name.as_str().unwrap()), "{tool}: {name}");
                    }
                }
                Some("array") => check(&schema["items"], tool),
                Some("string" | "integer" | "number" | "boolean") => {}
                other => panic!("{tool}: {other:?}"),
            }
            assert!(
                !schema.get("enum").is_some_and(|words| words.as_array().unwrap().contains(&Value::Null))
            );
        }
        for tool in TOOLS {
            check(&entry(tool, Schemas::Portable, Hints::Documented)["inputSchema"], tool.name);
        }
    }

    #[test]
    fn the_exact_view_is_word_for_word() {
        for tool in TOOLS {
            assert_eq!(&entry(tool, Schemas::Exact, Hints::Documented), tool.entry());
        }
    }

    #[test]
    fn the_portable_view_says_what_the_keywords_said() {
        let show = |schema: Value| portable(&schema);
        assert_eq!(
            show(
                json!({"anyOf": [{"type": "integer"}, {"type": "null"}], "default": 500, "description": "Rows."})
            ),
            json!({"type": "integer", "description": "Rows. Default 500."})
        );
        assert_eq!(
            show(
                json!({"anyOf": [{"type": "object", "additionalProperties": {"type": "string"}}, {"type": "string"}]})
            ),
            json!({"type": "string"})
        );
        assert_eq!(show(json!({"type": "object", "additionalProperties": true})), json!({"type": "string"}));
        assert_eq!(show(json!({"type": "array"})), json!({"type": "array", "items": {"type": "string"}}));
    }
}
