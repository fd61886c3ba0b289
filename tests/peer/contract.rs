//! The contract as both advertise it: the same structure, whatever the words.

use schemux::Caller;
use serde_json::{Map, Value};

use super::Side;

/// The tools that the other server lists without a result schema, and this project with one.
const ADDITIONS: [&str; 5] =
    ["capture_pane", "capture_since", "search_panes", "show_buffer", "snapshot_pane"];

/// A schema without what is only words, and with its keywords in one order. That of properties is kept: results are written in it.
fn structure(schema: &Value) -> Value {
    match schema {
        Value::Object(map) => Value::Object(bare(map)),
        Value::Array(list) => Value::Array(list.iter().map(structure).collect()),
        other => other.clone(),
    }
}

fn bare(map: &Map<String, Value>) -> Map<String, Value> {
    let mut kept = Map::new();
    let mut keys: Vec<_> = map.keys().collect();
    keys.sort();
    for key in keys {
        let value = &map[key];
        let value = match (key.as_str(), value) {
            ("description" | "title", Value::String(_)) => continue,
            // Names of properties are no keywords.
            ("properties", Value::Object(parts)) => {
                Value::Object(parts.iter().map(|(name, part)| (name.clone(), structure(part))).collect())
            }
            // Anything goes: the same as to say nothing.
            ("additionalProperties", Value::Bool(true)) => continue,
            (_, value) => structure(value),
        };
        kept.insert(key.clone(), value);
    }
    kept
}

#[tokio::test]
#[ignore = "needs SCHEMUX_PEER"]
async fn the_structure_is_the_other_servers() {
    let (ours, theirs) = (Side::ours().await, Side::theirs().await);
    let here = ours.client.caller().list().await.unwrap();
    let mut differences = Vec::new();
    let there = theirs.client.caller().list().await.unwrap();
    assert_eq!(there.len(), 54);
    for entry in there {
        let name = entry["name"].as_str().unwrap();
        let Some(own) = here.iter().find(|own| own["name"] == name) else {
            differences.push(format!("{name} is missing"));
            continue;
        };
        for part in ["inputSchema", "outputSchema", "annotations"] {
            let (theirs, own) = (structure(&entry[part]), structure(&own[part]));
            if part == "outputSchema" && ADDITIONS.contains(&name) {
                assert!(theirs.is_null() && own["x-schemux-addition"] == true, "{name}");
                continue;
            }
            // As text, because two objects are equal in whatever order their names stand.
            let (theirs, own) = (theirs.to_string(), own.to_string());
            if theirs != own {
                differences.push(format!("{name} {part}\n theirs {theirs}\n ours   {own}"));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
