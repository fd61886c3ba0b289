//! What is each type called? `contract.toml` first, then the title, then a property that several tools share, then the
//! tool and the path. Decided here alone, so that no two types ever meet under one name.

use std::collections::{BTreeMap, BTreeSet};

use super::ident;
use super::intern::{Sighting, index};
use super::reach;
use crate::fault::{Fault, Faults};
use crate::model::{Api, Body, Definition, Extra, Shape, Tool};

/// Names that generated code uses for something else, that the crate exports beside the types, or that would hide
/// something of Rust's prelude.
const TAKEN: [&str; 64] = [
    "Option",
    "Result",
    "Vec",
    "String",
    "Box",
    "Some",
    "None",
    "Ok",
    "Err",
    "Self",
    "Value",
    "Map",
    "Item",
    "Error",
    "Default",
    "Clone",
    "Copy",
    "Debug",
    "Send",
    "Sync",
    "Sized",
    "Unpin",
    "Drop",
    "From",
    "Into",
    "TryFrom",
    "TryInto",
    "Iterator",
    "IntoIterator",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "Extend",
    "FromIterator",
    "ToString",
    "ToOwned",
    "AsRef",
    "AsMut",
    "Eq",
    "PartialEq",
    "Ord",
    "PartialOrd",
    "Hash",
    "Fn",
    "FnMut",
    "FnOnce",
    "AsyncFn",
    "AsyncFnMut",
    "AsyncFnOnce",
    "Future",
    "Cx",
    "Tools",
    "ToolInfo",
    "ToolError",
    "Client",
    "Caller",
    "CallError",
    "Reply",
    "Answer",
    "Peer",
    "ProgressSink",
    "Violation",
    "Violations",
    "Connection",
    "SpawnError",
];

/// Gives every type its name and its owner, and sorts the types by name.
///
/// # Errors
///
/// Two tools whose names become the same Rust name; a name in `contract.toml` that is no type's name.
pub fn give(
    mut api: Api,
    sightings: &BTreeMap<usize, Vec<Sighting>>,
    settings: &BTreeMap<String, String>,
) -> Result<Api, Faults> {
    let mut faults = Faults::default();
    tools(&api.tools, &mut faults);
    for name in settings.values() {
        if ident::pascal(name) != *name || TAKEN.contains(&name.as_str()) {
            faults.push(
                Fault::new("schemas/contract.toml", "[names]", format!("`{name}` cannot be a type's name"))
                    .hint("use CamelCase, and none of Rust's own names"),
            );
        }
    }
    let mut api = faults.or(()).map(|()| {
        let used = reach::in_use(&api);
        let names = choose(&api, &used, sightings, settings);
        for (number, definition) in api.types.iter_mut().enumerate() {
            let Some(name) = names.get(&number) else { continue };
            rename(definition, &names);
            definition.name.clone_from(name);
            definition.owner = owner(sightings.get(&number).map_or(&[], Vec::as_slice));
        }
        api.types.retain(|definition| index(&definition.name).is_none());
        for tool in &mut api.tools {
            tool.args = name_of(&tool.args, &names);
            rename_shape(&mut tool.output, &names);
        }
        api
    })?;
    reach::mark_outputs(&mut api);
    reach::mark_boxes(&mut api);
    api.types.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(api)
}

fn tools(tools: &[Tool], faults: &mut Faults) {
    let mut methods: BTreeMap<String, &Tool> = BTreeMap::new();
    for tool in tools {
        let method = ident::method(&tool.name);
        if let Some(other) = methods.insert(method.clone(), tool) {
            faults.push(
                Fault::new(
                    &tool.file,
                    "/name",
                    format!("`{}` and `{}` are both the method `{method}`", other.name, tool.name),
                )
                .hint("rename one of the two tools"),
            );
        }
    }
}

fn choose(
    api: &Api,
    in_use: &BTreeSet<String>,
    sightings: &BTreeMap<usize, Vec<Sighting>>,
    settings: &BTreeMap<String, String>,
) -> BTreeMap<usize, String> {
    let mut names: BTreeMap<usize, String> = BTreeMap::new();
    let mut used: BTreeSet<String> = TAKEN.iter().map(|name| (*name).to_owned()).collect();
    // Arguments first: their names follow from the tool alone.
    for tool in &api.tools {
        if let Some(number) = index(&tool.args) {
            let name =
                ident::unique_type(format!("{}Args", ident::pascal(&tool.name)), |name| used.contains(name));
            used.insert(name.clone());
            names.insert(number, name);
        }
    }
    for (number, definition) in api.types.iter().enumerate() {
        // What a union's arm stood for before the union became any value is not needed.
        if names.contains_key(&number) || !in_use.contains(&definition.name) {
            continue;
        }
        let seen = sightings.get(&number).map_or(&[][..], Vec::as_slice);
        let name = candidates(definition, seen, settings)
            .into_iter()
            .find(|name| !name.is_empty() && !used.contains(name))
            .unwrap_or_else(|| ident::unique_type(fallback(seen), |name| used.contains(name)));
        used.insert(name.clone());
        names.insert(number, name);
    }
    names
}

fn candidates(
    definition: &Definition,
    seen: &[Sighting],
    settings: &BTreeMap<String, String>,
) -> Vec<String> {
    let mut found = Vec::new();
    for sighting in seen {
        found.extend(settings.get(&format!("{}#{}", sighting.tool, sighting.pointer)).cloned());
    }
    found.extend(settings.get(&definition.docs).filter(|_| !definition.docs.is_empty()).cloned());
    found.extend(seen.iter().filter_map(|sighting| sighting.title.as_deref()).map(ident::pascal));
    let tools: BTreeSet<&str> = seen.iter().map(|sighting| sighting.tool.as_str()).collect();
    let properties: BTreeSet<&str> = seen.iter().map(|sighting| last_name(&sighting.pointer)).collect();
    if let (true, Some(property)) = (tools.len() > 1 && properties.len() == 1, properties.first()) {
        found.push(ident::pascal(property));
    }
    found.extend(seen.first().map(from_path));
    found
}

fn fallback(seen: &[Sighting]) -> String {
    match seen.first().map(from_path) {
        Some(name) if !name.is_empty() => name,
        _ => "Object".to_owned(),
    }
}

/// `wait_for_exit` and `/outputSchema/properties/outcome` give `WaitForExitOutcome`.
fn from_path(sighting: &Sighting) -> String {
    let mut name = ident::pascal(&sighting.tool);
    let mut parts = sighting.pointer.split('/').skip(1);
    let side = parts.next();
    let below: Vec<&str> = parts.collect();
    if below.is_empty() && side == Some("outputSchema") {
        name.push_str("Result");
    }
    for (number, part) in below.iter().enumerate() {
        let keyword = number.checked_sub(1).map(|before| below[before]);
        match (*part, keyword) {
            (name_of_one, Some("properties" | "$defs" | "definitions")) => {
                name.push_str(&ident::pascal(name_of_one))
            }
            ("items", _) => name.push_str("Item"),
            ("additionalProperties", _) => name.push_str("Value"),
            (number, Some("anyOf" | "oneOf" | "allOf")) => name.push_str(&format!("Arm{number}")),
            _ => {}
        }
    }
    name
}

fn last_name(pointer: &str) -> &str {
    let mut parts = pointer.rsplit('/');
    match (parts.next(), parts.next()) {
        (Some(name), Some("properties" | "$defs" | "definitions")) => name,
        _ => "",
    }
}

fn owner(seen: &[Sighting]) -> Option<String> {
    let first = seen.first()?;
    seen.iter().all(|sighting| sighting.tool == first.tool).then(|| first.tool.clone())
}

fn name_of(key: &str, names: &BTreeMap<usize, String>) -> String {
    index(key).and_then(|number| names.get(&number)).cloned().unwrap_or_else(|| key.to_owned())
}

fn rename(definition: &mut Definition, names: &BTreeMap<usize, String>) {
    match &mut definition.body {
        Body::Struct { fields, extra } => {
            fields.iter_mut().for_each(|field| rename_shape(&mut field.shape, names));
            if let Extra::Kept(shape) = extra {
                rename_shape(shape, names);
            }
        }
        Body::Union { arms } => arms.iter_mut().for_each(|arm| rename_shape(arm, names)),
        Body::Enum { .. } => {}
    }
}

fn rename_shape(shape: &mut Shape, names: &BTreeMap<usize, String>) {
    match shape {
        Shape::Named(key) => *key = name_of(key, names),
        Shape::Array(inner) | Shape::Map(inner) | Shape::Nullable(inner) => rename_shape(inner, names),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A type of the contract must not hide what the crate exports for itself.
    #[test]
    fn what_the_runtime_exports_is_taken() {
        let exports =
            include_str!("../../runtime/mod.rs").lines().filter(|line| line.starts_with("pub use "));
        let names: Vec<&str> = exports
            .flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric()))
            .filter(|name| name.starts_with(|c: char| c.is_ascii_uppercase()))
            .collect();
        assert!(names.len() > 10, "{names:?}");
        for name in names {
            assert!(TAKEN.contains(&name), "{name}");
        }
    }
}
