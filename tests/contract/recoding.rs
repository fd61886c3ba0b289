//! The types hold what the schemas accept: no valid value is refused, none is changed into an invalid one, and what a
//! result may leave as `null` is there.

use proptest::prelude::*;
use schemux_tests::schema::{holds_a_huge_number, mutants, strategy};
use serde_json::{Map, Value};

use super::support::{Face, faces, results};

const CASES: u32 = 300;

#[test]
fn what_is_valid_decodes_and_stays_valid() {
    for face in faces() {
        let validator = face.validator();
        let property = |value: Value| {
            if !validator.is_valid(&value) {
                return Ok(());
            }
            prop_assert!(face.check(&value).is_ok(), "refused at the boundary");
            let recoded = match face.recode(&value) {
                Ok(recoded) => recoded,
                // The one thing that no type here holds.
                Err(_) if holds_a_huge_number(&value) => return Ok(()),
                Err(error) => return Err(TestCaseError::fail(error.to_string())),
            };
            prop_assert!(validator.is_valid(&recoded), "became invalid: {recoded:#}");
            let again = face.recode(&recoded).map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!(&again, &recoded, "the second time it came out different");
            prop_assert!(keeps(&value, &recoded), "something was lost: {:#}", recoded);
            Ok(())
        };
        face.for_all(&strategy(&face.schema), CASES, property);
        face.for_all(&mutants(&face.schema), CASES, property);
    }
}

/// Whether every listed property that was given is as it was given, but for `null`, which may be left out, and for how a
/// number is written. Names that an open object does not list may be dropped.
fn keeps(given: &Value, recoded: &Value) -> bool {
    match (given, recoded) {
        (Value::Object(given), Value::Object(recoded)) => {
            given.iter().all(|(name, value)| match recoded.get(name) {
                Some(other) => keeps(value, other),
                None => value.is_null() || !recoded.contains_key(name),
            })
        }
        (Value::Array(given), Value::Array(recoded)) => {
            given.len() == recoded.len()
                && given.iter().zip(recoded).all(|(given, recoded)| keeps(given, recoded))
        }
        (Value::Number(given), Value::Number(recoded)) => given.as_f64() == recoded.as_f64(),
        _ => given == recoded,
    }
}

#[test]
fn what_is_invalid_is_stopped() {
    for face in faces() {
        let validator = face.validator();
        face.for_all(&mutants(&face.schema), 2 * CASES, |value| {
            let valid = validator.is_valid(&value);
            prop_assert_eq!(face.check(&value).is_ok(), valid, "the boundary says otherwise");
            Ok(())
        });
    }
}

#[test]
fn results_carry_their_nulls() {
    for face in results() {
        let validator = face.validator();
        face.for_all(&strategy(&face.schema), CASES, |value| {
            if !validator.is_valid(&value) {
                return Ok(());
            }
            let recoded = face.recode(&value).map_err(|error| TestCaseError::fail(error.to_string()))?;
            for name in nullable(&face, &recoded, &validator) {
                prop_assert!(recoded.get(&name).is_some(), "{name} is missing in {recoded:#}");
            }
            Ok(())
        });
    }
}

/// The listed properties that may be `null` in this value.
fn nullable(face: &Face, value: &Value, validator: &jsonschema::Validator) -> Vec<String> {
    let none = Map::new();
    let listed = face.schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    listed
        .keys()
        .filter(|name| {
            let mut value = value.clone();
            value[name.as_str()] = Value::Null;
            validator.is_valid(&value)
        })
        .cloned()
        .collect()
}

#[test]
fn every_pane_has_all_its_fields() {
    let recoded =
        schemux::recode_result("exit_copy_mode", serde_json::json!({"pane_id": "%1"})).expect("a tool");
    let recoded = recoded.expect("it decodes");
    let names: Vec<&String> = recoded.as_object().expect("an object").keys().collect();
    let schema = results()
        .into_iter()
        .find(|face| face.tool.name == "exit_copy_mode")
        .expect("it has a result")
        .schema;
    let listed: Vec<&String> = schema["properties"].as_object().expect("properties").keys().collect();
    assert_eq!(names, listed);
}
