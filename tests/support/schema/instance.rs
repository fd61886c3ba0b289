//! One value that a schema accepts, built from the top down.

use proptest::test_runner::TestRunner;
use serde_json::{Map, Value};

use super::merge::merged;
use super::scalar::{below, choose, integer, number, once_in, text};

pub(super) type Schema = Map<String, Value>;

/// How many references are followed before what is optional is left out.
pub(super) const DEEPEST: usize = 4;

/// How many values are in one before the same happens.
const LARGEST: usize = 60;

/// The work on one value.
pub struct Instance<'a> {
    root: &'a Value,
    pub(super) runner: &'a mut TestRunner,
    /// How many values are in it so far.
    size: usize,
    /// How many schemas the work is in.
    nested: usize,
}

impl<'a> Instance<'a> {
    pub fn new(root: &'a Value, runner: &'a mut TestRunner) -> Self {
        Instance { root, runner, size: 0, nested: 0 }
    }

    pub fn make(&mut self) -> Value {
        self.value(self.root, 0)
    }

    pub(super) fn value(&mut self, schema: &Value, depth: usize) -> Value {
        self.size += 1;
        let depth = if self.size > LARGEST { depth.max(DEEPEST) } else { depth };
        match schema {
            Value::Object(schema) => self.object_schema(schema.clone(), depth),
            _ => self.anything(depth),
        }
    }

    fn object_schema(&mut self, schema: Schema, depth: usize) -> Value {
        if self.nested > 60 {
            return Value::Null; // a reference that leads to itself
        }
        self.nested += 1;
        let value = self.resolved_value(schema, depth);
        self.nested -= 1;
        value
    }

    fn resolved_value(&mut self, mut schema: Schema, depth: usize) -> Value {
        if let Some(reference) = schema.remove("$ref") {
            // Nothing that is required can be left out: far down it may become invalid, not endless.
            let target = reference.as_str().and_then(|text| self.root.pointer(text.strip_prefix('#')?));
            let Some(Value::Object(target)) = target else { return Value::Null };
            return if depth > 2 * DEEPEST {
                Value::Null
            } else {
                self.object_schema(merged(target, &schema), depth + 1)
            };
        }
        if let Some(Value::Array(parts)) = schema.remove("allOf") {
            let whole = parts.iter().fold(schema, |whole, part| match part {
                Value::Object(part) => merged(&whole, &self.resolved(part)),
                _ => whole,
            });
            return self.object_schema(whole, depth);
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(arms)) = schema.remove(keyword) {
                let arm = self.arm(&arms, depth);
                return match arm {
                    Value::Object(arm) => self.object_schema(merged(&schema, &self.resolved(&arm)), depth),
                    _ => self.object_schema(schema, depth),
                };
            }
        }
        if let Some(Value::Object(condition)) = schema.remove("if") {
            let (then, otherwise) = (schema.remove("then"), schema.remove("else"));
            let holds = once_in(self.runner, 2);
            // What a condition speaks of must be there for it not to hold; its value is left to chance.
            let spoken =
                condition.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
            let spoken = Map::from_iter([("required".to_owned(), spoken.cloned().collect())]);
            let (with, extra) = if holds {
                (merged(&schema, &condition), then)
            } else {
                (merged(&schema, &spoken), otherwise)
            };
            return match extra {
                Some(Value::Object(extra)) => self.object_schema(merged(&with, &extra), depth),
                _ => self.object_schema(with, depth),
            };
        }
        if let Some(word) = schema.get("const") {
            return word.clone();
        }
        if let Some(Value::Array(words)) = schema.get("enum") {
            return choose(self.runner, words).cloned().unwrap_or(Value::Null);
        }
        let kind = self.kind(&schema, depth);
        self.of_kind(kind.as_str(), &schema, depth)
    }

    /// One arm of a union; far down one that leads no further.
    fn arm(&mut self, arms: &[Value], depth: usize) -> Value {
        let ends: Vec<Value> = arms.iter().filter(|arm| !leads_on(arm)).cloned().collect();
        let arms = if depth >= DEEPEST && !ends.is_empty() { &ends } else { arms };
        choose(self.runner, arms).cloned().unwrap_or(Value::Bool(true))
    }

    fn resolved(&self, schema: &Schema) -> Schema {
        let target = schema
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(|text| self.root.pointer(text.strip_prefix('#')?));
        match target {
            Some(Value::Object(target)) => {
                let mut rest = schema.clone();
                rest.remove("$ref");
                merged(target, &rest)
            }
            _ => schema.clone(),
        }
    }

    fn kind(&mut self, schema: &Schema, depth: usize) -> String {
        let has = |words: &[&str]| words.iter().any(|word| schema.contains_key(*word));
        let kind = match schema.get("type") {
            Some(Value::String(kind)) => Some(kind.as_str()),
            Some(Value::Array(kinds)) => {
                let short: Vec<&Value> = kinds.iter().filter(|kind| *kind == "null").collect();
                let kind = if depth > DEEPEST && !short.is_empty() {
                    short.first().copied()
                } else {
                    choose(self.runner, kinds)
                };
                kind.and_then(Value::as_str)
            }
            _ if has(&["properties", "required", "additionalProperties", "patternProperties"]) => {
                Some("object")
            }
            _ if has(&["items", "prefixItems", "minItems", "contains"]) => Some("array"),
            _ if has(&["pattern", "minLength", "maxLength"]) => Some("string"),
            _ if has(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]) => {
                Some("number")
            }
            _ => None,
        };
        kind.unwrap_or("anything").to_owned()
    }

    pub(super) fn of_kind(&mut self, kind: &str, schema: &Schema, depth: usize) -> Value {
        match kind {
            "null" => Value::Null,
            "boolean" => Value::Bool(once_in(self.runner, 2)),
            "integer" => integer(self.runner, schema),
            "number" => number(self.runner, schema),
            "string" => text(self.runner, schema).into(),
            "array" => self.array(schema, depth),
            "object" => self.object(schema, depth),
            _ => self.anything(depth),
        }
    }

    /// Any JSON, small.
    fn anything(&mut self, depth: usize) -> Value {
        let none = Map::new();
        match below(self.runner, if depth < 2 { 8 } else { 6 }) {
            0 => Value::Null,
            1 => Value::Bool(true),
            2 => integer(self.runner, &none),
            3 => number(self.runner, &none),
            4 | 5 => text(self.runner, &none).into(),
            6 => Value::Array((0..below(self.runner, 3)).map(|_| self.anything(depth + 1)).collect()),
            _ => (0..below(self.runner, 3)).map(|n| (format!("k{n}"), self.anything(depth + 1))).collect(),
        }
    }
}

/// Whether a reference stands somewhere in the schema.
pub(super) fn leads_on(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => map.iter().any(|(key, value)| key == "$ref" || leads_on(value)),
        Value::Array(list) => list.iter().any(leads_on),
        _ => false,
    }
}
