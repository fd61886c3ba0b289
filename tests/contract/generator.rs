//! Are the other tests' values what they are taken for? Nearly all that is made as valid is, and of the edited ones both
//! kinds occur: otherwise a property over them proves nothing.

use std::collections::BTreeSet;

use schemux_codegen::fault::Faults;
use schemux_tests::schema::{mutations, sample, strategy};
use serde_json::{Value, json};

use super::support::faces;

/// The share of valid ones among values made for a schema, and how many of the edited ones are valid and are not.
struct Score {
    made: usize,
    valid: usize,
    different: usize,
    edits_valid: usize,
    edits_invalid: usize,
}

fn score(schema: &Value, count: usize) -> Score {
    let validator = jsonschema::validator_for(schema).expect("a schema");
    let values = sample(&strategy(schema), count);
    let different = values.iter().map(Value::to_string).collect::<BTreeSet<_>>().len();
    let mut score = Score { made: 0, valid: 0, different, edits_valid: 0, edits_invalid: 0 };
    for value in values {
        score.made += 1;
        score.valid += usize::from(validator.is_valid(&value));
        for edited in mutations(&value) {
            if validator.is_valid(&edited) {
                score.edits_valid += 1;
            } else {
                score.edits_invalid += 1;
            }
        }
    }
    score
}

#[track_caller]
fn check(name: &str, schema: &Value) {
    let Score { made, valid, different, edits_valid, edits_invalid } = score(schema, 200);
    assert_eq!(made, 200, "{name}");
    assert!(valid * 100 >= made * 95, "{name}: only {valid} of {made} are valid");
    // Where there is but one value, no edit of it is valid.
    assert!(edits_valid > 0 || different == 1, "{name}: no edit is valid");
    assert!(edits_invalid > 0, "{name}: every edit is valid");
}

#[test]
fn values_for_every_tool() {
    for face in faces() {
        check(&format!("{} {:?}", face.tool.name, face.side), &face.schema);
    }
}

#[test]
fn values_for_hostile_schemas() {
    let text = include_str!("../../codegen/tests/hostile.json");
    let all: Value = serde_json::from_str(text).expect("JSON");
    let tools = all["tools"].as_array().expect("a list");
    assert!(tools.len() >= 30, "{}", tools.len());
    let mut accepted = 0;
    for tool in tools {
        if render(tool).is_err() {
            continue;
        }
        accepted += 1;
        check(tool["name"].as_str().expect("a name"), &tool["inputSchema"]);
    }
    assert!(accepted >= 25, "only {accepted} were accepted");
}

fn render(tool: &Value) -> Result<(), Faults> {
    let folder = tempfile::tempdir().expect("a folder");
    let name = tool["name"].as_str().expect("a name");
    std::fs::write(folder.path().join(format!("{name}.json")), tool.to_string()).expect("written");
    std::fs::write(folder.path().join("contract.toml"), format!("[tools.{name}]\ntoolset = \"x\"\n"))
        .expect("written");
    schemux_codegen::render(folder.path(), "..").map(|_| ())
}

#[test]
fn edits_cover_every_kind_of_value() {
    let value = json!({"a": 1, "b": [true, null], "c": "text", "d": {"e": 0.5}});
    let edited = mutations(&value);
    for expected in [
        json!({"b": [true, null], "c": "text", "d": {"e": 0.5}}),
        json!({"a": 1.0, "b": [true, null], "c": "text", "d": {"e": 0.5}}),
        json!({"a": u64::MAX, "b": [true, null], "c": "text", "d": {"e": 0.5}}),
        json!({"a": 1, "b": [true], "c": "text", "d": {"e": 0.5}}),
        json!({"a": 1, "b": [true, null], "c": "text\n", "d": {"e": 0.5}}),
        json!({"a": 1, "b": [true, null], "c": "text", "d": {"e": -0.5}}),
        json!({"a": 1, "b": [true, null], "c": "text", "d": {"e": 0.5}, "no_such_name": 1}),
    ] {
        assert!(edited.contains(&expected), "{expected}");
    }
    assert!(!edited.contains(&value), "an edit changes something");
}
