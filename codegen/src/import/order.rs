//! In which order do the names in an entry stand? As they stood before; what is new follows.
//!
//! To JSON the order of names means nothing. To a reader it does: results are written in the order of their schemas, and pages
//! sort what servers declare in an order of sense.

use serde_json::{Map, Value};

/// Gives `after` the order of `before`, as deep as the two are alike.
pub fn keep(before: &Value, after: Value) -> Value {
    match (before, after) {
        (Value::Object(before), Value::Object(mut after)) => {
            let mut kept = Map::new();
            for (name, before) in before {
                // What follows keeps its place among the others.
                if let Some(after) = after.shift_remove(name) {
                    kept.insert(name.clone(), keep(before, after));
                }
            }
            kept.extend(after);
            Value::Object(kept)
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            Value::Array(before.iter().zip(after).map(|(before, after)| keep(before, after)).collect())
        }
        (_, after) => after,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_keeps_its_place() {
        let text = |json: &str| serde_json::from_str::<Value>(json).unwrap();
        let before = text(r#"{"z": 1, "gone": 2, "m": {"b": 1, "a": 2}, "list": [{"y": 1, "x": 2}]}"#);
        let after =
            text(r#"{"a": 1, "list": [{"x": 2, "y": 3}], "m": {"a": 2, "aa": 0, "b": 1}, "n": 4, "z": 1}"#);
        let kept = keep(&before, after.clone());
        assert_eq!(kept, after);
        assert_eq!(
            kept.to_string(),
            r#"{"z":1,"m":{"b":1,"a":2,"aa":0},"list":[{"y":3,"x":2}],"a":1,"n":4}"#
        );
        assert_eq!(keep(&text("[1]"), text(r#"{"b": 1, "a": 2}"#)).to_string(), r#"{"b":1,"a":2}"#);
    }
}
