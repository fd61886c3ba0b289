//! What is one of several? A union becomes an enum only where the JSON kind of a value tells the arms apart; anything
//! else is any value, checked at the boundary.

use serde_json::{Map, Value};

use super::condition;
use super::intern::{index, key};
use super::shape::{Lowering, Place, docs};
use crate::model::{Body, Shape};

impl Lowering<'_> {
    /// `anyOf` and `oneOf`.
    pub(super) fn union(
        &mut self,
        schema: &Map<String, Value>,
        keyword: &str,
        arms: &[Value],
        place: &Place,
    ) -> Shape {
        // `{"type": "object", "properties": …, "anyOf": [{"required": …}, …]}`: the arms only restrict what is said already.
        if let Some(kind) = schema.get("type").and_then(Value::as_str) {
            self.note(place, format!("`{keyword}`: checked at the boundary only"));
            return self.kind(kind, schema, place);
        }
        if !condition::only(schema, &[keyword, "type"]) {
            self.note(place, format!("what stands beside `{keyword}` is not in a type: any value"));
            return Shape::Any;
        }
        let mut shapes = Vec::new();
        for (number, arm) in arms.iter().enumerate() {
            shapes.push(self.shape(arm, &place.at(&format!("/{keyword}/{number}"))));
        }
        self.one_of(shapes, schema, place)
    }

    /// `type: [..]`.
    pub(super) fn kinds(&mut self, kinds: &[Value], schema: &Map<String, Value>, place: &Place) -> Shape {
        let mut shapes = Vec::new();
        for kind in kinds.iter().filter_map(Value::as_str) {
            shapes.push(self.kind(kind, schema, place));
        }
        self.one_of(shapes, schema, place)
    }

    /// `allOf`: one part says the type, the others may only restrict it.
    pub(super) fn intersection(
        &mut self,
        schema: &Map<String, Value>,
        parts: &[Value],
        place: &Place,
    ) -> Shape {
        let kind = schema.get("type").and_then(Value::as_str);
        let alone = condition::only(schema, &["allOf", "type"]);
        let says: Vec<(usize, &Value)> = parts
            .iter()
            .enumerate()
            .filter(|(_, part)| match part {
                Value::Object(part) => !condition::only(part, &[]),
                other => **other != Value::Bool(true),
            })
            .collect();
        if let Some(kind) = kind.filter(|_| !alone || says.is_empty()) {
            self.note(place, "`allOf`: checked at the boundary only");
            return self.kind(kind, schema, place);
        }
        match says.as_slice() {
            [(number, part)] if alone => {
                if parts.len() > 1 {
                    self.note(place, "`allOf`: what only restricts is checked at the boundary");
                }
                self.shape(part, &place.at(&format!("/allOf/{number}")))
            }
            _ => {
                self.note(place, "`allOf` of several types: any value, checked at the boundary only");
                Shape::Any
            }
        }
    }

    fn one_of(&mut self, shapes: Vec<Shape>, schema: &Map<String, Value>, place: &Place) -> Shape {
        let mut nullable = false;
        let mut arms: Vec<Shape> = Vec::new();
        for shape in shapes {
            for shape in self.flat(shape) {
                match shape {
                    Shape::Null => nullable = true,
                    Shape::Nullable(inner) => {
                        nullable = true;
                        arms.push(*inner);
                    }
                    other => arms.push(other),
                }
            }
        }
        let mut distinct: Vec<Shape> = Vec::new();
        for arm in arms {
            if !distinct.contains(&arm) {
                distinct.push(arm);
            }
        }
        let shape = match distinct.as_slice() {
            [] => return if nullable { Shape::Null } else { Shape::Any },
            [only] => only.clone(),
            _ => match self.told_apart(distinct, schema, place) {
                Shape::Any => return Shape::Any,
                shape => shape,
            },
        };
        if nullable && shape != Shape::Any { Shape::Nullable(Box::new(shape)) } else { shape }
    }

    /// The arms of a union in a union.
    fn flat(&self, shape: Shape) -> Vec<Shape> {
        if let Shape::Named(name) = &shape
            && let Some(Body::Union { arms }) =
                index(name).map(|index| &self.interner.definitions[index].body)
            && !arms.is_empty()
        {
            return arms.clone();
        }
        vec![shape]
    }

    fn told_apart(&mut self, arms: Vec<Shape>, schema: &Map<String, Value>, place: &Place) -> Shape {
        let mut arms = arms;
        // The first arm that takes a value gets it. Lists first and words last: a struct would take a list for its fields in
        // their order, and a word an object with the word as its name.
        arms.sort_by_key(|arm| match self.json_kind(arm) {
            "array" => 0,
            "object" => 1,
            _ => 2,
        });
        let kinds: Vec<&str> = arms.iter().map(|arm| self.json_kind(arm)).collect();
        if kinds.iter().all(|kind| *kind == "string") {
            self.note(place, "several kinds of text: text");
            return Shape::String;
        }
        if kinds.iter().all(|kind| *kind == "number") {
            self.note(place, "several kinds of number: a number");
            return Shape::Number;
        }
        let mut sorted = kinds.clone();
        sorted.sort_unstable();
        if kinds.contains(&"any") || sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            self.note(place, "a union whose arms the kind of JSON value does not tell apart: any value");
            return Shape::Any;
        }
        let added = self.interner.add(Body::Union { arms }, docs(schema));
        self.seen(added, place, schema);
        Shape::Named(key(added))
    }

    fn json_kind(&self, shape: &Shape) -> &'static str {
        match shape {
            Shape::Any | Shape::Null | Shape::Nullable(_) => "any",
            Shape::Boolean => "boolean",
            Shape::Integer { .. } | Shape::Number => "number",
            Shape::String => "string",
            Shape::Array(_) => "array",
            Shape::Map(_) => "object",
            Shape::Named(name) => match index(name).map(|index| &self.interner.definitions[index].body) {
                Some(Body::Struct { .. }) => "object",
                Some(Body::Enum { .. }) => "string",
                // A reserved place whose body is still being lowered is always an object's.
                Some(Body::Union { arms }) if arms.is_empty() => "object",
                _ => "any",
            },
        }
    }
}
