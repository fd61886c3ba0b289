//! What a schema says beside its type: words that change nothing, bounds that only restrict one value, and conditions under
//! which a type that drops or adds a name would make a valid value invalid.

use serde_json::{Map, Value};

use crate::model::{Body, Shape};

/// Keywords that say nothing about which values are valid.
const WORDS: [&str; 14] = [
    "description",
    "title",
    "default",
    "examples",
    "$comment",
    "$schema",
    "$id",
    "$defs",
    "definitions",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$anchor",
    "nullable",
];

/// Keywords that restrict text and numbers, which a type keeps as they are.
const OF_SCALARS: [&str; 11] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "contentEncoding",
    "contentMediaType",
];

/// Keywords with which it matters which names an object has, or what is in them.
const OF_NAMES: [&str; 17] = [
    "$ref",
    "enum",
    "const",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "patternProperties",
];

/// Keywords with which it matters what exactly is in a list.
const OF_ITEMS: [&str; 8] =
    ["uniqueItems", "contains", "unevaluatedItems", "allOf", "anyOf", "oneOf", "not", "if"];

/// Whether a keyword leaves every type as it is.
fn is_harmless(keyword: &str) -> bool {
    WORDS.contains(&keyword) || OF_SCALARS.contains(&keyword) || keyword.starts_with("x-")
}

/// Whether all that stands beside `keywords` leaves the types that they give as they are.
pub fn only(schema: &Map<String, Value>, keywords: &[&str]) -> bool {
    schema.keys().all(|keyword| keywords.contains(&keyword.as_str()) || is_harmless(keyword))
}

/// Whether an object's validity depends on which names it has, beyond `required` and `additionalProperties`.
pub fn on_names(object: &Map<String, Value>) -> bool {
    OF_NAMES.iter().any(|keyword| object.contains_key(*keyword))
}

/// Whether a map's validity depends on more than its names, which all come out as they went in, and each value's own.
pub fn on_values(map: &Map<String, Value>) -> bool {
    let names = ["propertyNames", "minProperties", "maxProperties", "dependentRequired"];
    OF_NAMES.iter().any(|keyword| !names.contains(keyword) && map.contains_key(*keyword))
}

/// Whether a list's validity depends on more than each item's own.
pub fn on_items(list: &Map<String, Value>) -> bool {
    OF_ITEMS.iter().any(|keyword| list.get(*keyword).is_some_and(|value| *value != Value::Bool(false)))
}

/// Whether a condition of an object looks into the property of this name.
pub fn looks_into(object: &Map<String, Value>, name: &str) -> bool {
    let conditions = OF_NAMES.iter().filter_map(|keyword| Some((*keyword, object.get(*keyword)?)));
    conditions.into_iter().any(|(keyword, condition)| {
        matches!(keyword, "enum" | "const" | "patternProperties") || mentions(condition, name)
    })
}

fn mentions(condition: &Value, name: &str) -> bool {
    match condition {
        Value::Object(map) => map.iter().any(|(keyword, value)| match keyword.as_str() {
            "$ref" | "patternProperties" | "additionalProperties" | "unevaluatedProperties" => true,
            "properties" if value.get(name).is_some() => true,
            _ => mentions(value, name),
        }),
        Value::Array(list) => list.iter().any(|value| mentions(value, name)),
        _ => false,
    }
}

/// Whether a value of this type comes out as it went in: no names are dropped from it and none are added.
pub fn is_exact(shape: &Shape, body: impl Fn(&str) -> Option<Body>) -> bool {
    match shape {
        Shape::Array(inner) | Shape::Map(inner) | Shape::Nullable(inner) => is_exact(inner, body),
        Shape::Named(name) => matches!(body(name), Some(Body::Enum { .. })),
        _ => true,
    }
}

/// Whether a schema accepts `null`.
pub fn takes_null(root: &Value, schema: &Value) -> bool {
    null(root, schema, &mut 1000)
}

/// `steps` are how many more schemas are looked at: references can lead in circles.
fn null(root: &Value, schema: &Value, steps: &mut usize) -> bool {
    let Value::Object(schema) = schema else { return *schema == Value::Bool(true) };
    if *steps == 0 {
        return false;
    }
    *steps -= 1;
    let says = |keyword: &str| schema.get(keyword);
    let list = |keyword: &str| says(keyword).and_then(Value::as_array);
    let of_type = says("type").is_none_or(|kinds| match kinds {
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "null"),
        kind => kind == "null",
    });
    if !of_type
        || list("enum").is_some_and(|words| !words.contains(&Value::Null))
        || says("const").is_some_and(|word| !word.is_null())
    {
        return false;
    }
    if let Some(reference) = says("$ref").and_then(Value::as_str) {
        let target = crate::pointer::find(root, reference.trim_start_matches('#'));
        if !target.is_some_and(|target| null(root, target, steps)) {
            return false;
        }
    }
    let condition = says("if").map(|condition| null(root, condition, steps));
    let branch = condition.and_then(|holds| says(if holds { "then" } else { "else" }));
    list("allOf").is_none_or(|parts| parts.iter().all(|part| null(root, part, steps)))
        && list("anyOf").is_none_or(|arms| arms.iter().any(|arm| null(root, arm, steps)))
        && list("oneOf").is_none_or(|arms| arms.iter().filter(|arm| null(root, arm, steps)).count() == 1)
        && says("not").is_none_or(|schema| !null(root, schema, steps))
        && branch.is_none_or(|schema| null(root, schema, steps))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn null_is_told_as_the_validator_tells_it() {
        let root =
            json!({"$defs": {"Maybe": {"type": ["string", "null"]}, "Round": {"$ref": "#/$defs/Round"}}});
        for schema in [
            json!(true),
            json!(false),
            json!({}),
            json!({"type": "null"}),
            json!({"type": ["string", "null"]}),
            json!({"type": ["string", "null"], "enum": ["a"]}),
            json!({"type": "string", "enum": ["a", null]}),
            json!({"enum": ["a", null]}),
            json!({"const": null}),
            json!({"const": 1}),
            json!({"$ref": "#/$defs/Maybe"}),
            json!({"$ref": "#/$defs/Maybe", "type": "string"}),
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            json!({"oneOf": [{"type": "null"}, {}]}),
            json!({"allOf": [{}, {"type": "string"}]}),
            json!({"not": {"type": "string"}}),
            json!({"not": {}}),
            json!({"minimum": 3, "pattern": "^x"}),
            json!({"if": {"type": "null"}, "then": false}),
            json!({"if": {"type": "string"}, "then": false}),
        ] {
            let mut whole = schema.clone();
            if let (Some(whole), Some(root)) = (whole.as_object_mut(), root.as_object()) {
                whole.extend(root.clone());
            }
            assert_eq!(takes_null(&root, &schema), jsonschema::is_valid(&whole, &Value::Null), "{schema}");
        }
        assert!(!takes_null(&root, &json!({"$ref": "#/$defs/Round"})));
    }
}
