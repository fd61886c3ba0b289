//! What clients send although the schema says otherwise, and what they mean by it: numbers and truth values as text.

use serde_json::{Map, Number, Value};

/// Changes arguments to what they unambiguously mean: where the schema wants a number or a truth value and takes no text,
/// text that is exactly one becomes one (`"5"`, `"5.0"`, `"1.5"`, `"yes"`), `true` counts as 1 and 0 as `false`, as in the
/// server that this contract comes from. Where it wants an object or a list and takes no text, text that is one as JSON becomes it:
/// some clients can only send it so. Everything else is left as it is, for the check to judge; text is never made from
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
    if let Some(arms) = arms(schema, schema, 0) {
        soften(schema, &arms, value);
    }
}

/// Changes a value that one of the arms may take. What some arm takes as it is stays as it is: `"5"` is text where both
/// text and a number are welcome.
fn soften(root: &Map<String, Value>, arms: &[&Map<String, Value>], value: &mut Value) {
    match value {
        Value::Object(map) => {
            for (name, value) in map.iter_mut() {
                soften_below(root, arms, value, |arm| property(arm, name));
            }
        }
        Value::Array(list) => {
            for value in list.iter_mut() {
                soften_below(root, arms, value, items);
            }
        }
        _ => {
            // An arm that states no kind takes the value as it is.
            if let Some(kinds) = arms.iter().map(|arm| kinds(arm)).collect::<Option<Vec<_>>>()
                && let Some(meant) = meant(&kinds.concat(), value)
            {
                *value = meant;
                if value.is_object() || value.is_array() {
                    soften(root, arms, value);
                }
            }
        }
    }
}

/// What an arm says of a part of a value.
enum Part<'a> {
    /// It takes no such part.
    Refused,
    /// It takes any.
    Anything,
    /// It takes what this schema takes.
    Schema(&'a Value),
}

fn soften_below<'a>(
    root: &'a Map<String, Value>,
    above: &[&'a Map<String, Value>],
    value: &mut Value,
    part: impl Fn(&'a Map<String, Value>) -> Part<'a>,
) {
    let mut below = Vec::new();
    for arm in above {
        match part(arm) {
            Part::Refused => {}
            Part::Schema(Value::Object(schema)) => match arms(root, schema, 0) {
                Some(found) => below.extend(found),
                None => return,
            },
            Part::Schema(_) | Part::Anything => return,
        }
    }
    soften(root, &below, value);
}

fn property<'a>(arm: &'a Map<String, Value>, name: &str) -> Part<'a> {
    if kinds(arm).is_some_and(|kinds| !kinds.contains(&"object")) {
        return Part::Refused;
    }
    if let Some(schema) = arm.get("properties").and_then(|listed| listed.get(name)) {
        return Part::Schema(schema);
    }
    match arm.get("additionalProperties") {
        _ if arm.contains_key("patternProperties") => Part::Anything,
        Some(Value::Bool(false)) => Part::Refused,
        Some(schema @ Value::Object(_)) => Part::Schema(schema),
        _ => Part::Anything,
    }
}

fn items(arm: &Map<String, Value>) -> Part<'_> {
    if kinds(arm).is_some_and(|kinds| !kinds.contains(&"array")) {
        return Part::Refused;
    }
    match arm.get("items") {
        Some(schema @ Value::Object(_)) if !arm.contains_key("prefixItems") => Part::Schema(schema),
        _ => Part::Anything,
    }
}

/// The schemas of which a value must obey one, references followed; `None` when one of them takes anything.
fn arms<'a>(
    root: &'a Map<String, Value>,
    schema: &'a Map<String, Value>,
    followed: usize,
) -> Option<Vec<&'a Map<String, Value>>> {
    // More references than any contract needs: one that leads to itself.
    const MOST: usize = 16;
    let below = |schema: &'a Value| {
        if followed < MOST { arms(root, schema.as_object()?, followed + 1) } else { None }
    };
    if schema.contains_key("type") {
        return Some(vec![schema]);
    }
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let mut names =
            reference.strip_prefix("#/")?.split('/').map(|name| name.replace("~1", "/").replace("~0", "~"));
        let first = root.get(&names.next()?)?;
        return below(names.try_fold(first, |at, name| at.get(name))?);
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(parts) = schema.get(keyword).and_then(Value::as_array) {
            return parts.iter().map(below).collect::<Option<Vec<_>>>().map(|parts| parts.concat());
        }
    }
    if let Some(parts) = schema.get("allOf").and_then(Value::as_array) {
        return parts.iter().find_map(below); // all must hold: one that says which kind is enough
    }
    let says = ["enum", "const", "properties", "items"].iter().any(|keyword| schema.contains_key(*keyword));
    says.then(|| vec![schema])
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
        Value::String(text) if takes("object") || takes("array") => {
            let parsed = serde_json::from_str::<Value>(text).ok()?;
            ((parsed.is_object() && takes("object")) || (parsed.is_array() && takes("array"))).then_some(parsed)
        }
        Value::Bool(truth) if takes("integer") || takes("number") => Some(Value::from(u8::from(*truth))),
        Value::Number(number) if takes("boolean") && !takes("integer") && !takes("number") => {
            match number.as_f64() {
                Some(0.0) => Some(Value::Bool(false)),
                Some(1.0) => Some(Value::Bool(true)),
                _ => None,
            }
        }
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

/// The JSON kinds that a schema takes; `None` where it does not say.
fn kinds(schema: &Map<String, Value>) -> Option<Vec<&str>> {
    let kind = |value: &Value| match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    match (schema.get("type"), schema.get("enum"), schema.get("const")) {
        (Some(Value::String(kind)), ..) => Some(vec![kind]),
        (Some(Value::Array(kinds)), ..) => Some(kinds.iter().filter_map(Value::as_str).collect()),
        (_, Some(Value::Array(words)), _) => Some(words.iter().map(kind).collect()),
        (_, _, Some(word)) => Some(vec![kind(word)]),
        _ => None,
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
    fn objects_and_lists_as_json() {
        let list = json!({"type": "array", "items": {"type": "object", "properties": {"on": {"type": "boolean"}}}});
        check(list.clone(), json!("[{\"on\": \"yes\"}]"), json!([{"on": true}]));
        check(list.clone(), json!(["{\"on\": true}", "5"]), json!([{"on": true}, "5"]));
        check(list, json!("{}"), json!("{}"));
        let text_too = json!({"anyOf": [{"type": "object"}, {"type": "string"}]});
        check(text_too, json!("{}"), json!("{}"));
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
