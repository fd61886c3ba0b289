//! What is in an object: its fields in the order of the schema, and what else it may hold.

use serde_json::{Map, Value};

use super::condition;
use super::ident;
use super::shape::{Lowering, Place, docs};
use crate::model::{Body, Extra, Field, Shape};
use crate::pointer;

impl Lowering<'_> {
    /// The body and the documentation of an object with known names.
    pub(super) fn object(&mut self, schema: &Map<String, Value>, place: &Place) -> (Body, String) {
        self.note_root_combinations(schema, place);
        let empty = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
        let required: Vec<&str> = schema
            .get("required")
            .and_then(Value::as_array)
            .map(|list| list.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        let mut fields: Vec<Field> = Vec::new();
        let conditional = condition::on_names(schema);
        for (wire, property) in properties {
            let at = place.at(&format!("/properties/{}", pointer::escape(wire)));
            let shape = self.shape(property, &at);
            let shape = self.exact_if(condition::looks_into(schema, wire), shape, &at);
            let is_required = required.contains(&wire.as_str());
            let null = self.takes_null(property, place);
            // Under a condition `null` is not the same as nothing, and nothing not the same as the default.
            if conditional && !is_required && null {
                self.note(&at, "a condition may tell `null` from nothing: it stands among the other names");
                continue;
            }
            let default = property.get("default").filter(|_| !conditional).cloned();
            let name = ident::unique(ident::snake(wire), |name| {
                name == EXTRA || fields.iter().any(|field| field.name == name)
            });
            if !is_required && default.is_none() && null && !place.in_output() {
                self.note(&at, "absent and `null` are one and the same");
            }
            let docs = property.as_object().map(docs).unwrap_or_default();
            let wire = wire.clone();
            fields.push(Field {
                wire,
                name,
                docs,
                shape,
                required: is_required,
                default,
                null,
                boxed: false,
            });
        }
        let undeclared = required.iter().any(|name| !properties.contains_key(*name));
        let extra = match self.extra(schema, place, undeclared) {
            Extra::Kept(_) if fields.len() < properties.len() => Extra::Kept(Shape::Any),
            extra => extra,
        };
        (Body::Struct { fields, extra }, docs(schema))
    }

    fn extra(&mut self, schema: &Map<String, Value>, place: &Place, undeclared: bool) -> Extra {
        match schema.get("additionalProperties") {
            Some(Value::Bool(false) | Value::Object(_)) if schema.contains_key("patternProperties") => {
                self.note(place, "names that follow a pattern: kept, and checked at the boundary only");
                Extra::Kept(Shape::Any)
            }
            Some(Value::Bool(false)) if !condition::on_names(schema) => Extra::Closed,
            Some(values @ Value::Object(map)) if !map.is_empty() => {
                let at = place.at("/additionalProperties");
                let values = self.shape(values, &at);
                Extra::Kept(self.exact_if(condition::on_names(schema), values, &at))
            }
            _ if undeclared || condition::on_names(schema) => {
                self.note(place, "names that the schema does not list are kept");
                Extra::Kept(Shape::Any)
            }
            _ => Extra::Ignored,
        }
    }

    fn takes_null(&self, property: &Value, place: &Place) -> bool {
        let side = if place.in_output() { "outputSchema" } else { "inputSchema" };
        self.source.entry.get(side).is_some_and(|root| condition::takes_null(root, property))
    }

    /// Combinations at an object that the type leaves out; below a root they have been noted or lowered already.
    fn note_root_combinations(&mut self, schema: &Map<String, Value>, place: &Place) {
        let keywords = [
            "$ref",
            "anyOf",
            "oneOf",
            "allOf",
            "if",
            "not",
            "dependentRequired",
            "dependentSchemas",
            "dependencies",
            "unevaluatedProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
        ];
        for keyword in keywords {
            if schema.contains_key(keyword) {
                self.note(place, format!("`{keyword}`: checked at the boundary only"));
            }
        }
    }
}

/// The field that keeps the names that a schema does not list.
pub const EXTRA: &str = "extra";
