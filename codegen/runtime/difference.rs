//! Does a server still offer what this was compiled from?

use serde_json::Value;

use super::contract::ToolInfo;

/// Words of a schema that say nothing about which values it accepts.
const WORDS: [&str; 5] = ["description", "title", "examples", "$comment", "$schema"];

impl ToolInfo {
    /// What is different in what a server offers, one line for each place; empty when calls mean the same.
    pub fn differences(&self, offered: &[Value]) -> Vec<String> {
        let Some(other) =
            offered.iter().find(|entry| entry.get("name").and_then(Value::as_str) == Some(self.name))
        else {
            return vec![format!("{}: the server does not offer it", self.name)];
        };
        let mut found = Vec::new();
        for side in ["inputSchema", "outputSchema"] {
            let place = format!("{}#/{side}", self.name);
            match (self.entry().get(side), other.get(side)) {
                (Some(ours), Some(theirs)) => compare(&place, ours, theirs, &mut found),
                (Some(_), None) => found.push(format!("{place}: the server no longer has it")),
                (None, Some(_)) => found.push(format!("{place}: the server has added it")),
                (None, None) => {}
            }
        }
        found
    }
}

fn compare(place: &str, ours: &Value, theirs: &Value, found: &mut Vec<String>) {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let names_are_free = place.ends_with("/properties")
                || place.ends_with("/$defs")
                || place.ends_with("/definitions");
            let counts = |name: &String| names_are_free || !WORDS.contains(&name.as_str());
            for (name, value) in ours.iter().filter(|(name, _)| counts(name)) {
                let place = format!("{place}/{name}");
                match theirs.get(name) {
                    Some(other) => compare(&place, value, other, found),
                    None => found.push(format!("{place}: the server no longer has it")),
                }
            }
            for name in theirs.keys().filter(|name| counts(name) && !ours.contains_key(*name)) {
                found.push(format!("{place}/{name}: the server has added it"));
            }
        }
        (Value::Array(ours), Value::Array(theirs))
            if place.ends_with("/required") || place.ends_with("/enum") =>
        {
            for word in ours.iter().filter(|word| !theirs.contains(word)) {
                found.push(format!("{place}: the server no longer has {word}"));
            }
            for word in theirs.iter().filter(|word| !ours.contains(word)) {
                found.push(format!("{place}: the server has added {word}"));
            }
        }
        (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => {
            for (number, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                compare(&format!("{place}/{number}"), ours, theirs, found);
            }
        }
        _ if ours == theirs => {}
        _ => found.push(format!("{place}: here {ours}, at the server {theirs}")),
    }
}
