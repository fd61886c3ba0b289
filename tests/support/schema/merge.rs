//! One schema of two that both must hold, as far as that can be written down.

use serde_json::{Map, Value, json};

type Schema = Map<String, Value>;

/// A schema for what both accept.
pub fn merged(a: &Schema, b: &Schema) -> Schema {
    let mut both = a.clone();
    for (keyword, theirs) in b {
        let value = match both.get(keyword) {
            None => theirs.clone(),
            Some(ours) => one(keyword, ours, theirs),
        };
        both.insert(keyword.clone(), value);
    }
    both
}

fn one(keyword: &str, ours: &Value, theirs: &Value) -> Value {
    match (keyword, ours, theirs) {
        (
            "properties" | "$defs" | "definitions" | "patternProperties",
            Value::Object(ours),
            Value::Object(theirs),
        ) => {
            let mut all = ours.clone();
            for (name, schema) in theirs {
                let schema = match all.get(name) {
                    Some(other) if other != schema => json!({"allOf": [other, schema]}),
                    _ => schema.clone(),
                };
                all.insert(name.clone(), schema);
            }
            Value::Object(all)
        }
        ("required", Value::Array(ours), Value::Array(theirs)) => {
            let mut all = ours.clone();
            all.extend(theirs.iter().filter(|name| !ours.contains(name)).cloned());
            Value::Array(all)
        }
        ("type", _, _) => kinds(&listed(ours), &listed(theirs)),
        ("enum", Value::Array(ours), Value::Array(theirs)) => {
            ours.iter().filter(|word| theirs.contains(word)).cloned().collect()
        }
        ("allOf", Value::Array(ours), Value::Array(theirs)) => ours.iter().chain(theirs).cloned().collect(),
        ("minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties", _, _) => {
            if ours.as_f64() >= theirs.as_f64() { ours.clone() } else { theirs.clone() }
        }
        ("maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties", _, _) => {
            if ours.as_f64() <= theirs.as_f64() { ours.clone() } else { theirs.clone() }
        }
        ("additionalProperties" | "items", Value::Bool(true), _) => theirs.clone(),
        ("additionalProperties" | "items", _, Value::Bool(true)) => ours.clone(),
        ("additionalProperties", Value::Bool(false), _) => ours.clone(),
        ("items", Value::Object(_), Value::Object(_)) => json!({"allOf": [ours, theirs]}),
        _ => theirs.clone(),
    }
}

fn kinds(ours: &[Value], theirs: &[Value]) -> Value {
    let number = |kinds: &[Value]| kinds.contains(&json!("number"));
    let both = |kind: &&Value| theirs.contains(kind) || (**kind == "integer" && number(theirs));
    let mut found: Vec<Value> = ours.iter().filter(both).cloned().collect();
    if number(ours) && theirs.contains(&json!("integer")) && !found.contains(&json!("integer")) {
        found.push(json!("integer"));
    }
    Value::Array(found)
}

fn listed(kinds: &Value) -> Vec<Value> {
    kinds.as_array().cloned().unwrap_or_else(|| vec![kinds.clone()])
}
