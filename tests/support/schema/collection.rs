//! Lists and objects: as few and as many parts as the schema takes, and names that it does not list.

use serde_json::{Map, Value, json};

use super::instance::{DEEPEST, Instance, Schema, leads_on};
use super::merge::merged;
use super::scalar::{below, once_in, text};

impl Instance<'_> {
    pub(super) fn array(&mut self, schema: &Schema, depth: usize) -> Value {
        let length =
            |name: &str| schema.get(name).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
        let (first, rest) = match (schema.get("prefixItems"), schema.get("items")) {
            (Some(Value::Array(first)), rest) => (first.clone(), rest.cloned()),
            (_, Some(Value::Array(first))) => (first.clone(), schema.get("additionalItems").cloned()),
            (_, rest) => (Vec::new(), rest.cloned()),
        };
        let rest = rest.unwrap_or(Value::Bool(true));
        let wanted = schema.get("contains").map_or(0, |_| length("minContains").unwrap_or(1));
        let least = length("minItems").unwrap_or(0).max(wanted);
        let mut most = length("maxItems").unwrap_or(least + 3).min(least + 50);
        if rest == Value::Bool(false) {
            most = most.min(first.len());
        }
        if depth >= DEEPEST && leads_on(&rest) {
            most = least;
        }
        let count = match below(self.runner, 4) {
            0 => least,
            1 => most,
            _ => least + below(self.runner, most.saturating_sub(least) + 1),
        };
        let mut items: Vec<Value> = Vec::new();
        for number in 0..count {
            let schema = match schema.get("contains") {
                Some(Value::Object(needed)) if number < wanted => match &rest {
                    Value::Object(rest) => Value::Object(merged(rest, needed)),
                    _ => Value::Object(needed.clone()),
                },
                _ => first.get(number).unwrap_or(&rest).clone(),
            };
            items.push(self.value(&schema, depth));
        }
        if schema.get("uniqueItems") == Some(&Value::Bool(true)) {
            let mut unique: Vec<Value> = Vec::new();
            items.into_iter().for_each(|item| {
                if !unique.contains(&item) {
                    unique.push(item)
                }
            });
            items = unique;
        }
        Value::Array(items)
    }

    pub(super) fn object(&mut self, schema: &Schema, depth: usize) -> Value {
        let empty = Map::new();
        let map_of = |name: &str| schema.get(name).and_then(Value::as_object).unwrap_or(&empty);
        let length =
            |name: &str| schema.get(name).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
        let properties = map_of("properties");
        let required: Vec<&str> = schema
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let most = length("maxProperties").unwrap_or(usize::MAX).max(required.len());
        // Few, some or all of what is optional.
        let share = 1 + below(self.runner, 4);
        let mut object = Map::new();
        for (name, property) in properties {
            let needed = required.contains(&name.as_str());
            let possible = *property != Value::Bool(false) && !(depth >= DEEPEST && leads_on(property));
            let room = object.len() + required.len() < most || needed;
            if needed || (possible && room && once_in(self.runner, share)) {
                object.insert(name.clone(), self.value(property, depth));
            }
        }
        for name in required.iter().filter(|name| !properties.contains_key(**name)) {
            let values = schema.get("additionalProperties").cloned().unwrap_or(Value::Bool(true));
            object.insert((*name).to_owned(), self.value(&values, depth));
        }
        for (name, needed) in map_of("dependentRequired") {
            for other in needed.as_array().into_iter().flatten().filter_map(Value::as_str) {
                if object.contains_key(name) && !object.contains_key(other) {
                    let property = properties.get(other).cloned().unwrap_or(Value::Bool(true));
                    object.insert(other.to_owned(), self.value(&property, depth));
                }
            }
        }
        self.more(schema, length("minProperties").unwrap_or(0), most, &mut object, depth);
        Value::Object(object)
    }

    /// Names that the schema does not list, where it takes some.
    fn more(
        &mut self,
        schema: &Schema,
        least: usize,
        most: usize,
        object: &mut Map<String, Value>,
        depth: usize,
    ) {
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        let values = schema.get("additionalProperties").cloned().unwrap_or(Value::Bool(true));
        let closed =
            schema.get("unevaluatedProperties") == Some(&Value::Bool(false)) || values == Value::Bool(false);
        let is_map = !schema.contains_key("properties") || values.is_object();
        let wish = if is_map { below(self.runner, 4) } else { usize::from(once_in(self.runner, 3)) };
        for _ in 0..20 {
            let enough = object.len() >= least && (wish == 0 || object.len() >= least + wish);
            if enough || object.len() >= most || (depth >= DEEPEST && leads_on(&values)) {
                break;
            }
            let (name, schema) = match patterns.and_then(|patterns| patterns.iter().next()) {
                Some((pattern, schema)) => {
                    let like = json!({"pattern": pattern});
                    (text(self.runner, like.as_object().unwrap_or(&Map::new())), schema.clone())
                }
                None if closed => break,
                None => {
                    let names = schema
                        .get("propertyNames")
                        .cloned()
                        .unwrap_or(json!({"maxLength": 8, "minLength": 1}));
                    let name = self.of_kind("string", names.as_object().unwrap_or(&Map::new()), depth);
                    (name.as_str().unwrap_or_default().to_owned(), values.clone())
                }
            };
            let listed = schema.get("properties").is_some_and(|listed| listed.get(&name).is_some());
            if !listed && !object.contains_key(&name) {
                let value = self.value(&schema, depth);
                object.insert(name, value);
            }
        }
    }
}
