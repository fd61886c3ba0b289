//! May code be made from this schema? It is one, it stands alone, and its patterns and defaults are sound.

use jsonschema::{Draft, Registry};
use serde_json::{Map, Value, json};

use super::load::Source;
use crate::fault::{Fault, Faults};
use crate::pointer;

/// The largest nesting of a schema that code is made from; deeper ones are refused, so that no stage overflows its stack.
pub const DEEPEST: usize = 64;

/// Checks the schema that stands under `side` in a tool's entry.
pub fn check(source: &Source, side: &str, schema: &Value, faults: &mut Faults) {
    let place = format!("/{side}");
    if depth(schema) > DEEPEST {
        faults.push(Fault::new(
            &source.file,
            place,
            format!("the schema is nested more than {DEEPEST} deep"),
        ));
        return;
    }
    let Value::Object(object) = schema else {
        faults.push(Fault::new(&source.file, place, "the schema is no object"));
        return;
    };
    if object.get("type").and_then(Value::as_str) != Some("object") {
        faults.push(
            Fault::new(&source.file, format!("{place}/type"), "the schema's root is not of type `object`")
                .hint("MCP wants an object at the root"),
        );
    }
    // The validator panics at a dialect that it does not know.
    if object.contains_key("$schema") && Draft::default().detect(schema) == Draft::Unknown {
        faults.push(
            Fault::new(&source.file, format!("{place}/$schema"), "this dialect of JSON schema is not known")
                .hint("leave `$schema` out for 2020-12"),
        );
        return;
    }
    if let Err(error) = jsonschema::meta::validate(schema) {
        let pointer = format!("{place}{}", error.instance_path());
        faults.push(
            Fault::new(&source.file, pointer, "this is no valid JSON schema")
                .hint(error.masked().to_string()),
        );
        return;
    }
    let mut walk =
        Walk { source, root: schema, side: &place, faults: Faults::default(), defaults: Vec::new() };
    walk.subschema(schema, "");
    let (mut found, defaults) = (walk.faults, walk.defaults);
    let broken = !found.0.is_empty();
    if let (false, Err(error)) = (broken, jsonschema::validator_for(schema)) {
        found.push(
            Fault::new(&source.file, &place, "no validator can be made from the schema")
                .hint(error.to_string()),
        );
    }
    check_defaults(source, &place, schema, &defaults, &mut found);
    faults.0.append(&mut found.0);
}

/// A visit of every subschema.
struct Walk<'a> {
    source: &'a Source,
    root: &'a Value,
    side: &'a str,
    faults: Faults,
    /// The defaults, by the pointer of their schema.
    defaults: Vec<(String, &'a Value)>,
}

impl<'a> Walk<'a> {
    fn fault(&mut self, at: &str, keyword: &str, what: impl Into<String>, hint: &str) {
        let place = format!("{}{at}/{}", self.side, pointer::escape(keyword));
        self.faults.push(Fault::new(&self.source.file, place, what).hint(hint));
    }

    fn subschema(&mut self, schema: &'a Value, at: &str) {
        let Value::Object(object) = schema else { return };
        self.reference(object, at);
        self.patterns(object, at);
        if let Some(default) = object.get("default") {
            self.defaults.push((at.to_owned(), default));
        }
        for (below, child) in children(object) {
            self.subschema(child, &format!("{at}{below}"));
        }
    }

    fn reference(&mut self, object: &Map<String, Value>, at: &str) {
        let copy = "copy what it stands for under `$defs`";
        match object
            .get("$ref")
            .and_then(Value::as_str)
            .map(|reference| reference.strip_prefix('#').ok_or(reference))
        {
            Some(Err(_)) => self.fault(at, "$ref", "the reference leads out of the document", copy),
            Some(Ok(target)) if pointer::find(self.root, target).is_none() => {
                self.fault(at, "$ref", format!("there is nothing at `#{target}`"), "");
            }
            _ => {}
        }
        for keyword in ["$dynamicRef", "$recursiveRef"] {
            if object.contains_key(keyword) {
                self.fault(at, keyword, "what this leads to depends on who asks", "use `$ref`");
            }
        }
        for keyword in ["$id", "id"] {
            if !at.is_empty() && object.get(keyword).is_some_and(Value::is_string) {
                self.fault(at, keyword, "references below this lead to a document of its own", "take it out");
            }
        }
    }

    fn patterns(&mut self, object: &Map<String, Value>, at: &str) {
        let bad = |pattern: &str| jsonschema::validator_for(&json!({"pattern": pattern})).is_err();
        let what = "this is no regular expression of JSON schema";
        if object.get("pattern").and_then(Value::as_str).is_some_and(bad) {
            self.fault(at, "pattern", what, "");
        }
        let names =
            object.get("patternProperties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
        for name in names.filter(|name| bad(name)) {
            self.fault(&format!("{at}/patternProperties"), name, what, "");
        }
    }
}

/// Each default must obey its own schema, with the document around it.
fn check_defaults(
    source: &Source,
    side: &str,
    root: &Value,
    defaults: &[(String, &Value)],
    faults: &mut Faults,
) {
    const ROOT: &str = "urn:contract";
    if defaults.is_empty() {
        return;
    }
    let Ok(registry) = Registry::new().add(ROOT, root.clone()).and_then(|registry| registry.prepare()) else {
        return;
    };
    for (at, default) in defaults {
        let reference = json!({"$ref": format!("{ROOT}#{}", pointer::fragment(at))});
        // Where no validator can be made, what is broken has been told.
        let validator = jsonschema::options().with_registry(&registry).build(&reference);
        if validator.is_ok_and(|validator| !validator.is_valid(default)) {
            faults.push(
                Fault::new(
                    &source.file,
                    format!("{side}{at}/default"),
                    "the default does not obey its own schema",
                )
                .hint("correct one of the two"),
            );
        }
    }
}

/// The subschemas of a schema, each with its pointer from it.
fn children(object: &Map<String, Value>) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    for (keyword, value) in object {
        match (keyword.as_str(), value) {
            (
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas"
                | "dependencies",
                Value::Object(map),
            ) => {
                found.extend(
                    map.iter().map(|(name, child)| (format!("/{keyword}/{}", pointer::escape(name)), child)),
                );
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems" | "items", Value::Array(list)) => {
                found.extend(
                    list.iter().enumerate().map(|(index, child)| (format!("/{keyword}/{index}"), child)),
                );
            }
            (
                "items"
                | "additionalProperties"
                | "additionalItems"
                | "not"
                | "if"
                | "then"
                | "else"
                | "contains"
                | "propertyNames"
                | "unevaluatedProperties"
                | "unevaluatedItems",
                child,
            ) => found.push((format!("/{keyword}"), child)),
            _ => {}
        }
    }
    found
}

fn depth(value: &Value) -> usize {
    // Without recursion: the value may be as deep as the JSON parser allows.
    let mut deepest = 0;
    let mut stack = vec![(value, 1)];
    while let Some((value, level)) = stack.pop() {
        deepest = deepest.max(level);
        match value {
            Value::Array(list) => stack.extend(list.iter().map(|child| (child, level + 1))),
            Value::Object(map) => stack.extend(map.values().map(|child| (child, level + 1))),
            _ => {}
        }
    }
    deepest
}
