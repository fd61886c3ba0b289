//! Where does a reference lead? Each target is lowered once, one that leads to itself becomes a type that holds itself, and
//! what cannot is any value.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::condition;
use super::intern::key;
use super::shape::{Lowering, Place};
use crate::model::Shape;
use crate::pointer;

impl Lowering<'_> {
    /// The type of a schema with `$ref`.
    pub(super) fn reference(&mut self, schema: &Map<String, Value>, reference: &str, place: &Place) -> Shape {
        let side = if place.in_output() { "outputSchema" } else { "inputSchema" };
        let pointer = reference.trim_start_matches('#');
        let root = self.source.entry.get(side).cloned().unwrap_or_default();
        let Some(target) = pointer::find(&root, pointer).cloned() else {
            return Shape::Any; // the check has refused it
        };
        if !condition::only(schema, &["$ref"]) {
            self.note(place, "what stands beside the reference is not in a type: any value");
            return Shape::Any;
        }
        let at = format!("/{side}{pointer}");
        if let Some(known) = self.referenced.get(&at) {
            return known.clone();
        }
        if place.is_within(&at) {
            self.note(place, "a reference that leads to itself: any value");
            return Shape::Any;
        }
        let below = place.followed_to(at.clone());
        if !leads_to(&root, &target, reference) {
            let shape = self.shape(&target, &below);
            self.referenced.insert(at, shape.clone());
            return shape;
        }
        let is_object = target.get("type").and_then(Value::as_str) == Some("object")
            && target.get("properties").and_then(Value::as_object).is_some_and(|map| !map.is_empty());
        if is_object {
            let index = self.interner.reserve();
            self.referenced.insert(at, Shape::Named(key(index)));
            let object = target.as_object().cloned().unwrap_or_default();
            let (body, docs) = self.object(&object, &below);
            self.interner.fill(index, body, docs);
            self.seen(index, &below, &object);
            return Shape::Named(key(index));
        }
        self.shape(&target, &below)
    }
}

/// Whether following the references in `schema` leads to `goal`.
fn leads_to(root: &Value, schema: &Value, goal: &str) -> bool {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        match schema {
            Value::Object(map) => {
                let reference = map.get("$ref").and_then(Value::as_str);
                if reference == Some(goal) {
                    return true;
                }
                if let Some(reference) = reference.filter(|reference| seen.insert(reference)) {
                    open.extend(pointer::find(root, reference.trim_start_matches('#')));
                }
                open.extend(map.values());
            }
            Value::Array(list) => open.extend(list),
            _ => {}
        }
    }
    false
}
