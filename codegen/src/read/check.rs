//! May code be made from this? Reports every fault, not the first; what passes here cannot make the next stages fail.

use serde_json::{Map, Value};

use super::load::{SETTINGS, Source, Sources};
use crate::fault::{Fault, Faults};
use crate::pointer;

/// The largest nesting of a schema that code is made from; deeper ones are refused, so that no stage overflows its stack.
pub const DEEPEST: usize = 64;

/// Checks the entries, their schemas and their rows in `contract.toml`.
///
/// # Errors
///
/// All that is wrong.
pub fn all(sources: &Sources) -> Result<(), Faults> {
    let mut faults = Faults::default();
    for source in &sources.tools {
        entry(source, &mut faults);
        for side in ["inputSchema", "outputSchema"] {
            if let Some(schema) = source.entry.get(side) {
                root(source, side, schema, &mut faults);
            }
        }
        if !sources.settings.tools.contains_key(source.name()) {
            faults.push(
                Fault::new(settings_file(sources), format!("[tools.{}]", source.name()), "the tool has no row")
                    .hint("add one with at least `toolset = \"…\"`"),
            );
        }
    }
    for (name, row) in &sources.settings.tools {
        let place = format!("[tools.{name}]");
        if !sources.tools.iter().any(|source| source.name() == name) {
            faults.push(
                Fault::new(settings_file(sources), place, format!("there is no schema `{name}.json`"))
                    .hint("remove the row or import the tool"),
            );
        } else if row.toolset.as_deref().is_none_or(str::is_empty) {
            faults.push(
                Fault::new(settings_file(sources), place, "the tool belongs to no toolset")
                    .hint("add `toolset = \"inspect\"`, `\"manage\"`, `\"execute\"` or `\"teardown\"`"),
            );
        }
    }
    faults.or(())
}

fn settings_file(sources: &Sources) -> String {
    let folder = sources.tools.first().and_then(|source| source.file.split_once('/')).map_or("schemas", |(f, _)| f);
    format!("{folder}/{SETTINGS}")
}

fn entry(source: &Source, faults: &mut Faults) {
    let fault = |place: &str, what: String| Fault::new(&source.file, place, what);
    match source.entry.get("name") {
        Some(Value::String(name)) if *name == source.stem => {}
        Some(Value::String(name)) => {
            faults.push(fault("/name", format!("the tool is called `{name}`")).hint(format!("rename the file to {name}.json")));
        }
        Some(_) => faults.push(fault("/name", "the name is no string".into())),
        None => faults.push(fault("", "the entry has no `name`".into()).hint("it must be the tool's entry from `tools/list`")),
    }
    if !source.stem.starts_with(|c: char| c.is_ascii_alphabetic())
        || !source.stem.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
    {
        faults.push(
            fault("/name", format!("`{}` cannot become a method", source.stem))
                .hint("a name starts with a letter and goes on with letters, digits, `_`, `-` and `.`"),
        );
    }
    if !source.entry.contains_key("inputSchema") {
        faults.push(fault("", "the entry has no `inputSchema`".into()));
    }
    if source.entry.get("description").is_some_and(|text| !text.is_string()) {
        faults.push(fault("/description", "the description is no string".into()));
    }
}

fn root(source: &Source, side: &str, schema: &Value, faults: &mut Faults) {
    let place = format!("/{side}");
    if depth(schema) > DEEPEST {
        faults.push(Fault::new(&source.file, place, format!("the schema is nested more than {DEEPEST} deep")));
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
    if let Err(error) = jsonschema::meta::validate(schema) {
        let pointer = format!("{place}{}", error.instance_path());
        faults.push(Fault::new(&source.file, pointer, "this is no valid JSON schema").hint(format!("{}", error.masked())));
        return;
    }
    let mut seen = Faults::default();
    walk(source, schema, schema, &place, &mut seen);
    let broken = !seen.0.is_empty();
    faults.0.append(&mut seen.0);
    if !broken && let Err(error) = jsonschema::validator_for(schema) {
        faults.push(Fault::new(&source.file, place, "no validator can be made from the schema").hint(error.to_string()));
    }
}

/// Visits every subschema: references must lead somewhere in the same document, patterns must compile, defaults must
/// obey their own schema.
fn walk(source: &Source, root: &Value, schema: &Value, place: &str, faults: &mut Faults) {
    let Value::Object(object) = schema else { return };
    if let Some(reference) = object.get("$ref").and_then(Value::as_str) {
        match reference.strip_prefix('#') {
            None => faults.push(
                Fault::new(&source.file, format!("{place}/$ref"), "the reference leads out of the document")
                    .hint("copy what it stands for under `$defs`"),
            ),
            Some(target) if pointer::find(root, target).is_none() => faults
                .push(Fault::new(&source.file, format!("{place}/$ref"), format!("there is nothing at `#{target}`"))),
            Some(_) => {}
        }
    }
    for (at, child) in children(object) {
        walk(source, root, child, &format!("{place}{at}"), faults);
    }
    default(source, root, object, place, faults);
}

/// The subschemas of a schema, each with its pointer from it.
pub fn children(object: &Map<String, Value>) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    for (keyword, value) in object {
        match (keyword.as_str(), value) {
            (
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas",
                Value::Object(map),
            ) => {
                found.extend(map.iter().map(|(name, child)| (format!("/{keyword}/{}", pointer::escape(name)), child)));
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems" | "items", Value::Array(list)) => {
                found.extend(list.iter().enumerate().map(|(index, child)| (format!("/{keyword}/{index}"), child)));
            }
            (
                "items" | "additionalProperties" | "additionalItems" | "not" | "if" | "then" | "else" | "contains"
                | "propertyNames" | "unevaluatedProperties" | "unevaluatedItems",
                child,
            ) => found.push((format!("/{keyword}"), child)),
            _ => {}
        }
    }
    found
}

fn default(source: &Source, root: &Value, object: &Map<String, Value>, place: &str, faults: &mut Faults) {
    let Some(default) = object.get("default") else { return };
    // A reference needs the document around it: the schema is checked with the root's definitions beside it.
    let mut alone = object.clone();
    for key in ["$schema", "$defs", "definitions"] {
        if let (false, Some(value)) = (alone.contains_key(key), root.get(key)) {
            alone.insert(key.to_owned(), value.clone());
        }
    }
    if let Ok(validator) = jsonschema::validator_for(&Value::Object(alone))
        && !validator.is_valid(default)
    {
        faults.push(
            Fault::new(&source.file, format!("{place}/default"), "the default does not obey its own schema")
                .hint("correct one of the two"),
        );
    }
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
