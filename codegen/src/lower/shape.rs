//! Which type does a schema stand for? One function per kind of schema; what a type cannot say becomes a note.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::condition;
use super::intern::{Interner, Sighting, index, key};
use crate::model::{Note, Shape};
use crate::read::Source;

/// Where a schema stands.
#[derive(Debug, Clone)]
pub struct Place {
    /// The JSON pointer in the tool's entry.
    pub pointer: String,
    /// The pointers of the references that are being followed.
    following: Vec<String>,
    /// How many schemas it is in, those of the references too.
    depth: usize,
}

impl Place {
    /// A place to start from.
    pub fn new(pointer: &str) -> Self {
        Place { pointer: pointer.to_owned(), following: Vec::new(), depth: 0 }
    }

    /// The place below this one.
    pub fn at(&self, below: &str) -> Self {
        Place {
            pointer: format!("{}{below}", self.pointer),
            following: self.following.clone(),
            depth: self.depth + 1,
        }
    }

    /// Whether the reference to this target is being followed already.
    pub fn is_within(&self, pointer: &str) -> bool {
        self.following.iter().any(|other| other == pointer)
    }

    /// The target of a reference that stands here.
    pub fn followed_to(&self, pointer: String) -> Self {
        let mut following = self.following.clone();
        following.push(pointer.clone());
        Place { pointer, following, depth: self.depth + 1 }
    }

    /// Whether it stands in the tool's result.
    pub fn in_output(&self) -> bool {
        self.pointer.starts_with("/outputSchema")
    }
}

/// Lowers one tool's schemas.
pub struct Lowering<'a> {
    pub(super) source: &'a Source,
    pub(super) interner: &'a mut Interner,
    notes: &'a mut Vec<Note>,
    /// Types that a reference has led to, by side and pointer; so that recursion ends.
    pub(super) referenced: BTreeMap<String, Shape>,
    /// How many more schemas are looked at: references can multiply without end.
    steps: usize,
}

/// How many schemas deep a type may go, references followed.
const DEEPEST: usize = 2 * crate::read::schema::DEEPEST;

/// How many schemas of one tool are looked at, references followed; the largest tool known has 400.
const MOST: usize = 10_000;

/// Keywords that restrict a value further than the type does.
const BOUNDS: [&str; 21] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "dependentRequired",
    "contentEncoding",
    "contentMediaType",
];

/// Keywords under which a value's type depends on more than its place.
const CONDITIONS: [&str; 8] = [
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
    "unevaluatedItems",
];

impl<'a> Lowering<'a> {
    /// Starts with one tool.
    pub fn new(source: &'a Source, interner: &'a mut Interner, notes: &'a mut Vec<Note>) -> Self {
        Lowering { source, interner, notes, referenced: BTreeMap::new(), steps: MOST }
    }

    /// The key of the type of a whole schema, which is an object.
    pub fn root(&mut self, side: &str) -> String {
        let place = Place::new(&format!("/{side}"));
        let empty = Map::new();
        let schema = self.source.entry.get(side).and_then(Value::as_object).unwrap_or(&empty).clone();
        let (body, mut docs) = self.object(&schema, &place);
        if docs.is_empty() {
            let what = if side == "inputSchema" { "arguments" } else { "result" };
            docs = format!("The {what} of `{}`.", self.source.name());
        }
        // Arguments stay each tool's own: a tool may get one more without changing its neighbours.
        let index = if side == "inputSchema" {
            let index = self.interner.reserve();
            self.interner.fill(index, body, docs);
            index
        } else {
            self.interner.add(body, docs)
        };
        self.seen(index, &place, &schema);
        key(index)
    }

    /// The type of a schema.
    pub fn shape(&mut self, schema: &Value, place: &Place) -> Shape {
        if place.depth > DEEPEST || self.steps == 0 {
            self.note(place, "the references go too far: any value");
            return Shape::Any;
        }
        self.steps -= 1;
        let Value::Object(schema) = schema else {
            if schema == &Value::Bool(false) {
                self.note(place, "no value is allowed here");
            }
            return Shape::Any;
        };
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            return self.reference(schema, reference, place);
        }
        self.note_keywords(schema, place, &CONDITIONS);
        if let Some(words) = schema.get("enum").and_then(Value::as_array) {
            return self.words(words, schema, place);
        }
        if let Some(word) = schema.get("const") {
            return self.words(std::slice::from_ref(word), schema, place);
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(arms) = schema.get(keyword).and_then(Value::as_array) {
                return self.union(schema, keyword, arms, place);
            }
        }
        if let Some(parts) = schema.get("allOf").and_then(Value::as_array) {
            return self.intersection(schema, parts, place);
        }
        match schema.get("type") {
            Some(Value::String(kind)) => self.kind(kind, schema, place),
            Some(Value::Array(kinds)) => self.kinds(kinds, schema, place),
            _ => {
                if schema
                    .keys()
                    .any(|key| key == "properties" || key == "items" || BOUNDS.contains(&key.as_str()))
                {
                    self.note(place, "the schema states no type: any value");
                }
                Shape::Any
            }
        }
    }

    /// The type of a schema of one JSON type.
    pub(super) fn kind(&mut self, kind: &str, schema: &Map<String, Value>, place: &Place) -> Shape {
        self.note_keywords(schema, place, &BOUNDS);
        match kind {
            "null" => Shape::Null,
            "boolean" => Shape::Boolean,
            "integer" => Shape::Integer { unsigned: not_negative(schema) },
            "number" => Shape::Number,
            "string" => Shape::String,
            "array" => self.array(schema, place),
            _ => self.object_shape(schema, place),
        }
    }

    fn array(&mut self, schema: &Map<String, Value>, place: &Place) -> Shape {
        if schema.contains_key("prefixItems") || schema.get("items").is_some_and(Value::is_array) {
            self.note(place, "a list whose items differ by place: a list of any values");
            return Shape::Array(Box::new(Shape::Any));
        }
        let items = schema.get("items").cloned().unwrap_or(Value::Bool(true));
        let items = self.shape(&items, &place.at("/items"));
        Shape::Array(Box::new(self.exact_if(condition::on_items(schema), items, place)))
    }

    /// The type, or any value where it must come out exactly as it went in and might not.
    pub(super) fn exact_if(&mut self, must_be: bool, shape: Shape, place: &Place) -> Shape {
        let body = |name: &str| index(name).map(|index| self.interner.definitions[index].body.clone());
        if !must_be || condition::is_exact(&shape, body) {
            return shape;
        }
        self.note(place, "a condition looks into what is in it: any values");
        Shape::Any
    }

    /// An object that is not a root: with known names a type of its own, otherwise a map.
    fn object_shape(&mut self, schema: &Map<String, Value>, place: &Place) -> Shape {
        let named = schema.get("properties").and_then(Value::as_object).is_some_and(|map| !map.is_empty())
            || schema.get("required").and_then(Value::as_array).is_some_and(|list| !list.is_empty())
            || schema.get("additionalProperties") == Some(&Value::Bool(false));
        if !named {
            if schema.contains_key("patternProperties") {
                self.note(place, "the names' patterns are checked at the boundary only");
                return Shape::Map(Box::new(Shape::Any));
            }
            let values = schema.get("additionalProperties").cloned().unwrap_or(Value::Bool(true));
            let values = self.shape(&values, &place.at("/additionalProperties"));
            return Shape::Map(Box::new(self.exact_if(condition::on_values(schema), values, place)));
        }
        let (body, docs) = self.object(schema, place);
        let index = self.interner.add(body, docs);
        self.seen(index, place, schema);
        Shape::Named(key(index))
    }

    /// Notes where a type was met.
    pub(super) fn seen(&mut self, index: usize, place: &Place, schema: &Map<String, Value>) {
        let sighting = Sighting {
            tool: self.source.name().to_owned(),
            pointer: place.pointer.clone(),
            title: schema.get("title").and_then(Value::as_str).map(str::to_owned),
        };
        self.interner.saw(index, sighting);
    }

    /// Notes something that the type does not say.
    pub(super) fn note(&mut self, place: &Place, what: impl Into<String>) {
        self.notes.push(Note {
            file: self.source.file.clone(),
            pointer: place.pointer.clone(),
            what: what.into(),
        });
    }

    fn note_keywords(&mut self, schema: &Map<String, Value>, place: &Place, keywords: &[&str]) {
        let found: Vec<String> = keywords
            .iter()
            .filter(|word| schema.contains_key(**word))
            .map(|word| format!("`{word}`"))
            .collect();
        if !found.is_empty() {
            self.note(place, format!("{}: checked at the boundary only", found.join(", ")));
        }
    }
}

/// A schema's description, as documentation.
pub fn docs(schema: &Map<String, Value>) -> String {
    schema.get("description").and_then(Value::as_str).unwrap_or_default().trim().to_owned()
}

fn not_negative(schema: &Map<String, Value>) -> bool {
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    bound("minimum").is_some_and(|least| least >= 0.0)
        || bound("exclusiveMinimum").is_some_and(|below| below >= -1.0)
}
