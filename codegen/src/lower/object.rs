//! What is in an object: its fields in the order of the schema, and what else it may hold.

use serde_json::{Map, Value};

use super::ident;
use super::shape::{Lowering, Place, docs};
use crate::model::{Body, Extra, Field, Shape};
use crate::pointer;

/// Keywords with which an open object's other names matter to its validity: they are kept.
const NAMES_MATTER: [&str; 8] = [
    "patternProperties", "dependentRequired", "dependentSchemas", "minProperties", "if", "not", "anyOf", "oneOf",
];

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
        for (wire, property) in properties {
            let at = place.at(&format!("/properties/{}", pointer::escape(wire)));
            let shape = self.shape(property, &at);
            let name = ident::unique(ident::snake(wire), |name| {
                name == EXTRA || fields.iter().any(|field| field.name == name)
            });
            let default = property.get("default").cloned();
            let is_required = required.contains(&wire.as_str());
            if !is_required && default.is_none() && matches!(shape, Shape::Nullable(_)) && !place.in_output() {
                self.note(&at, "absent and `null` are one and the same");
            }
            let docs = property.as_object().map(docs).unwrap_or_default();
            fields.push(Field { wire: wire.clone(), name, docs, shape, required: is_required, default });
        }
        let undeclared = required.iter().any(|name| !properties.contains_key(*name));
        let extra = self.extra(schema, place, undeclared);
        (Body::Struct { fields, extra }, docs(schema))
    }

    fn extra(&mut self, schema: &Map<String, Value>, place: &Place, undeclared: bool) -> Extra {
        match schema.get("additionalProperties") {
            Some(Value::Bool(false)) if schema.contains_key("patternProperties") => {
                self.note(place, "names that follow a pattern: kept, and checked at the boundary only");
                Extra::Kept(Shape::Any)
            }
            Some(Value::Bool(false)) => Extra::Closed,
            Some(values @ Value::Object(map)) if !map.is_empty() => {
                Extra::Kept(self.shape(values, &place.at("/additionalProperties")))
            }
            _ if undeclared || NAMES_MATTER.iter().any(|keyword| schema.contains_key(*keyword)) => {
                self.note(place, "names that the schema does not list are kept");
                Extra::Kept(Shape::Any)
            }
            _ => Extra::Ignored,
        }
    }

    /// Combinations at an object that the type leaves out; below a root they have been noted or lowered already.
    fn note_root_combinations(&mut self, schema: &Map<String, Value>, place: &Place) {
        for keyword in ["anyOf", "oneOf", "allOf", "if", "not", "dependentRequired", "unevaluatedProperties", "propertyNames"] {
            if schema.contains_key(keyword) {
                self.note(place, format!("`{keyword}`: checked at the boundary only"));
            }
        }
    }
}

/// The field that keeps the names that a schema does not list.
pub const EXTRA: &str = "extra";
