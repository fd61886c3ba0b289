//! Clients that send a number as text are understood, and nobody else is misunderstood.

use proptest::prelude::*;
use schemux::lenient;
use schemux_tests::schema::{mutants, sample, strategy};
use serde_json::{Value, json};

use super::support::{Face, arguments, faces};

fn softened(face: &Face, value: &Value) -> Value {
    let mut softened = value.clone();
    lenient(face.schema.as_object().expect("an object"), &mut softened);
    softened
}

#[test]
fn valid_values_stay_as_they_are() {
    for face in faces() {
        let validator = face.validator();
        let property = |value: Value| {
            if validator.is_valid(&value) {
                prop_assert_eq!(softened(&face, &value), value);
            }
            Ok(())
        };
        face.for_all(&strategy(&face.schema), 300, property);
        face.for_all(&mutants(&face.schema), 300, property);
    }
}

#[test]
fn twice_is_once() {
    for face in arguments() {
        face.for_all(&mutants(&face.schema), 300, |value| {
            let once = softened(&face, &value);
            prop_assert_eq!(&softened(&face, &once), &once);
            Ok(())
        });
    }
}

#[test]
fn text_for_numbers_is_understood() {
    let mut understood = 0;
    for face in arguments() {
        let validator = face.validator();
        face.for_all(&strategy(&face.schema), 200, |value| {
            let text = as_text(&value);
            if text != value && validator.is_valid(&value) && !validator.is_valid(&text) {
                prop_assert!(validator.is_valid(&softened(&face, &text)), "{text}");
            }
            Ok(())
        });
        let sample = sample(&strategy(&face.schema), 200);
        understood += sample.iter().filter(|&value| as_text(value) != *value).count();
    }
    assert!(understood > 20, "only {understood} values held a number or a truth value");
}

/// Every number and truth value at the top as text.
fn as_text(value: &Value) -> Value {
    let Value::Object(map) = value else { return value.clone() };
    map.iter()
        .map(|(name, value)| match value {
            Value::Number(_) | Value::Bool(_) => (name.clone(), json!(value.to_string())),
            other => (name.clone(), other.clone()),
        })
        .collect()
}

#[test]
fn valid_values_of_hostile_schemas_stay_as_they_are() {
    let all: Value = serde_json::from_str(include_str!("../../codegen/tests/hostile.json")).expect("JSON");
    let mut checked = 0;
    for tool in all["tools"].as_array().expect("a list") {
        let schema = &tool["inputSchema"];
        let Ok(validator) = jsonschema::validator_for(schema) else { continue };
        let values = sample(&strategy(schema), 100).into_iter().chain(sample(&mutants(schema), 100));
        for value in values.filter(|value| validator.is_valid(value)) {
            let mut softened = value.clone();
            lenient(schema.as_object().expect("an object"), &mut softened);
            assert_eq!(softened, value, "{}", tool["name"]);
            checked += 1;
        }
    }
    assert!(checked > 3000, "only {checked} values were valid");
}

/// Schemas that the contract does not have yet: what one alternative takes as it is must not be changed for another.
#[test]
fn what_some_alternative_takes_is_left_alone() {
    for (schema, value) in [
        (json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}), json!("5")),
        (
            json!({"anyOf": [{"$ref": "#/$defs/Name"}, {"type": "integer"}], "$defs": {"Name": {"type": "string"}}}),
            json!("5"),
        ),
        (json!({"anyOf": [{"type": "integer"}, {"minLength": 1}]}), json!("5")),
        (
            json!({"anyOf": [{"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "integer"}]}),
            json!("5"),
        ),
        (json!({"anyOf": [{"type": "integer"}, {"enum": ["5", true]}]}), json!("5")),
        (json!({"anyOf": [{"type": "integer"}, {"const": true}]}), json!(true)),
        (json!({"type": ["integer", "boolean"]}), json!(true)),
        (json!({"type": ["boolean", "number"]}), json!(1)),
        (
            json!({"anyOf": [
                {"type": "object", "properties": {"v": {"type": "string"}}},
                {"type": "object", "properties": {"v": {"type": "integer"}}},
            ]}),
            json!({"v": "5"}),
        ),
        (
            json!({"anyOf": [{"type": "object"}, {"type": "object", "properties": {"v": {"type": "integer"}}}]}),
            json!({"v": "5"}),
        ),
        (
            json!({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "array", "items": {"type": "integer"}}]}),
            json!(["5"]),
        ),
        (json!({"properties": {"a": {"allOf": [{"type": "string"}, {"minLength": 1}]}}}), json!({"a": "5"})),
    ] {
        assert!(jsonschema::is_valid(&schema, &value), "the case itself: {schema} {value}");
        let mut softened = value.clone();
        lenient(schema.as_object().expect("an object"), &mut softened);
        assert_eq!(softened, value, "{schema}");
    }
}
