//! What clients send although the schema says otherwise, and what they mean by it: numbers and truth values as text.

use serde_json::{Map, Number, Value};

/// Changes arguments to what they unambiguously mean: where the schema wants a number or a truth value and takes no text,
/// text that is exactly one becomes one (`"5"`, `"5.0"`, `"1.5"`, `"yes"`), `true` counts as 1 and 0 as `false`, as in the
/// server that this contract comes from. Everything else is left as it is, for the check to judge; text is never made from
/// anything else.
///
/// ```
/// use schemux::{TOOLS, lenient};
/// let tool = TOOLS.iter().find(|tool| tool.name == "respawn_pane").unwrap();
/// let mut arguments = serde_json::json!({"pane_id": "%1", "kill": "no"});
/// lenient(tool.input_schema().unwrap(), &mut arguments);
/// assert_eq!(arguments["kill"], false);
/// ```
pub fn lenient(schema: &Map<String, Value>, value: &mut Value) {
    soften(schema, value);
}

fn soften(schema: &Map<String, Value>, value: &mut Value) {
    match value {
        Value::Object(map) => {
            for arm in arms(schema) {
                let Some(properties) = arm.get("properties").and_then(Value::as_object) else { continue };
                for (name, value) in map.iter_mut() {
                    if let Some(Value::Object(schema)) = properties.get(name) {
                        soften(schema, value);
                    }
                }
            }
        }
        Value::Array(list) => {
            for arm in arms(schema) {
                if let Some(Value::Object(items)) = arm.get("items") {
                    list.iter_mut().for_each(|value| soften(items, value));
                }
            }
        }
        _ => {
            let kinds: Vec<&str> = arms(schema).into_iter().flat_map(kinds).collect();
            if let Some(meant) = meant(&kinds, value) {
                *value = meant;
            }
        }
    }
}

/// The value that is meant, where it is another one.
fn meant(kinds: &[&str], value: &Value) -> Option<Value> {
    let takes = |kind: &str| kinds.contains(&kind);
    if takes("string") || (value.is_boolean() && takes("boolean")) {
        return None;
    }
    match value {
        Value::String(text) if takes("integer") => whole(text).map(Value::from),
        Value::String(text) if takes("number") => float(text).map(Value::from),
        Value::String(text) if takes("boolean") => truth(text).map(Value::from),
        Value::Bool(truth) if takes("integer") || takes("number") => Some(Value::from(u8::from(*truth))),
        Value::Number(number) if takes("boolean") && !takes("integer") && !takes("number") => match number.as_f64() {
            Some(0.0) => Some(Value::Bool(false)),
            Some(1.0) => Some(Value::Bool(true)),
            _ => None,
        },
        _ => None,
    }
}

fn whole(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = text.split_once('.').map_or(Some(text), |(digits, zeros)| {
        (!zeros.is_empty() && zeros.bytes().all(|zero| zero == b'0')).then_some(digits)
    })?;
    digits.parse().ok()
}

fn float(text: &str) -> Option<Number> {
    Number::from_f64(text.trim().parse().ok()?)
}

fn truth(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "t" | "yes" | "y" | "on" | "1" => Some(true),
        "false" | "f" | "no" | "n" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// The schema and the arms of its union.
fn arms(schema: &Map<String, Value>) -> Vec<&Map<String, Value>> {
    let mut found = vec![schema];
    for keyword in ["anyOf", "oneOf"] {
        let arms = schema.get(keyword).and_then(Value::as_array).into_iter().flatten();
        found.extend(arms.filter_map(Value::as_object));
    }
    found
}

fn kinds(schema: &Map<String, Value>) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ if schema.contains_key("enum") || schema.contains_key("const") => vec!["string"],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(schema: Value, value: Value, expected: Value) {
        let Value::Object(schema) = schema else { panic!("a schema is an object") };
        let mut value = value;
        lenient(&schema, &mut value);
        assert_eq!(value, expected);
    }

    #[test]
    fn numbers_and_truth_values_as_text() {
        let integer = json!({"anyOf": [{"type": "integer"}, {"type": "null"}]});
        for (given, meant) in [
            (json!("5"), json!(5)),
            (json!("5.0"), json!(5)),
            (json!("-3"), json!(-3)),
            (json!(true), json!(1)),
            (json!("5.5"), json!("5.5")),
            (json!("1e3"), json!("1e3")),
            (json!("five"), json!("five")),
            (json!(""), json!("")),
            (json!(null), json!(null)),
        ] {
            check(integer.clone(), given, meant);
        }
        check(json!({"type": "number"}), json!("1.5"), json!(1.5));
        check(json!({"type": "number"}), json!("nan"), json!("nan"));
        check(json!({"type": "number"}), json!("inf"), json!("inf"));
        check(json!({"type": "boolean"}), json!("off"), json!(false));
        check(json!({"type": "boolean"}), json!(1), json!(true));
        check(json!({"type": "boolean"}), json!(2), json!(2));
    }

    #[test]
    fn text_stays_text() {
        check(json!({"type": "string"}), json!(5), json!(5));
        check(json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}), json!("5"), json!("5"));
        check(json!({"enum": ["1", "2"]}), json!(1), json!(1));
    }

    #[test]
    fn inside_objects_and_lists() {
        check(
            json!({"properties": {"list": {"type": "array", "items": {"properties": {"on": {"type": "boolean"}}}}}}),
            json!({"list": [{"on": "yes"}, {"on": "maybe"}], "other": "1"}),
            json!({"list": [{"on": true}, {"on": "maybe"}], "other": "1"}),
        );
    }
}
