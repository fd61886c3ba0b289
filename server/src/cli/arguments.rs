//! Arguments from the command line: `NAME=VALUE` words, each read as the tool's schema wants it, or one JSON object.

use serde_json::{Map, Value};

/// The arguments of a call.
///
/// # Errors
///
/// A word without `=`, a name twice, or JSON that is no object, as a sentence.
pub fn parse(schema: Option<&Map<String, Value>>, words: &[String]) -> Result<Map<String, Value>, String> {
    if let [only] = words
        && only.trim_start().starts_with('{')
    {
        return match serde_json::from_str(only) {
            Ok(Value::Object(map)) => Ok(map),
            Ok(_) => Err("the arguments are no JSON object".to_owned()),
            Err(error) => Err(format!("the arguments are no JSON: {error}")),
        };
    }
    let mut arguments = Map::new();
    for word in words {
        let Some((name, text)) = word.split_once('=') else {
            return Err(format!(
                "`{word}` is no argument; write NAME=VALUE, or all arguments as one JSON object"
            ));
        };
        let kinds = schema.map(|schema| kinds_of(schema, name)).unwrap_or_default();
        if arguments.insert(name.to_owned(), value(&kinds, text)).is_some() {
            return Err(format!("`{name}` is given twice"));
        }
    }
    Ok(arguments)
}

/// The text as what is wanted; as text where that is wanted too, or nothing else fits (then the check says what is wrong).
fn value(kinds: &[&str], text: &str) -> Value {
    let kind = |value: &Value| match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fits = |value: &Value| {
        let kind = kind(value);
        kinds.contains(&kind) || (kind == "integer" && kinds.contains(&"number"))
    };
    let takes_text = kinds.is_empty() || kinds.contains(&"string");
    match serde_json::from_str::<Value>(text) {
        // `5` stays text where text is wanted; a map or a list is not what anybody means as text.
        Ok(value) if fits(&value) && (!takes_text || value.is_object() || value.is_array()) => value,
        _ => Value::String(text.to_owned()),
    }
}

fn kinds_of<'a>(schema: &'a Map<String, Value>, name: &str) -> Vec<&'a str> {
    let property = schema.get("properties").and_then(|properties| properties.get(name));
    let Some(property) = property else { return Vec::new() };
    let arms = ["anyOf", "oneOf"].iter().filter_map(|keyword| property.get(*keyword)?.as_array()).flatten();
    std::iter::once(property)
        .chain(arms)
        .flat_map(|arm| match arm.get("type") {
            Some(Value::String(kind)) => vec![kind.as_str()],
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(tool: &str, words: &[&str]) -> Result<Value, String> {
        let tool = schemux::TOOLS.iter().find(|known| known.name == tool).unwrap();
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        parse(tool.input_schema(), &words).map(Value::Object)
    }

    #[test]
    fn typed_by_the_schema() {
        assert_eq!(
            call("respawn_pane", &["pane_id=%1", "kill=false", "shell=5", r#"environment={"A": "b=c"}"#])
                .unwrap(),
            json!({"pane_id": "%1", "kill": false, "shell": "5", "environment": {"A": "b=c"}})
        );
        assert_eq!(
            call("wait_for_exit", &["paneId=%1", "timeoutMs=500"]).unwrap(),
            json!({"paneId": "%1", "timeoutMs": 500})
        );
        assert_eq!(
            call("wait_for_exit", &["timeoutMs=soon", "other=1"]).unwrap(),
            json!({"timeoutMs": "soon", "other": "1"})
        );
        assert_eq!(call("wait_for_exit", &[r#"{"paneId": "%1"}"#]).unwrap(), json!({"paneId": "%1"}));
        assert_eq!(call("wait_for_exit", &[]).unwrap(), json!({}));
    }

    #[test]
    fn mistakes() {
        assert!(call("wait_for_exit", &["%1"]).unwrap_err().contains("`%1` is no argument"));
        assert!(call("wait_for_exit", &["paneId=%1", "paneId=%2"]).unwrap_err().contains("given twice"));
        assert!(call("wait_for_exit", &["{"]).unwrap_err().contains("no JSON"));
    }
}
