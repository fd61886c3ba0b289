//! Which types are in use, which of them results carry, and which lead back to themselves.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Api, Body, Definition, Shape};

/// The names (or keys) of all types that the tools' arguments and results need.
pub fn in_use(api: &Api) -> BTreeSet<String> {
    reached(
        api,
        api.tools
            .iter()
            .flat_map(|tool| tool.output.names().into_iter().chain([tool.args.clone()]))
            .collect(),
    )
}

/// Marks the types that results carry.
pub fn mark_outputs(api: &mut Api) {
    let reached = reached(api, api.tools.iter().flat_map(|tool| tool.output.names()).collect());
    for definition in &mut api.types {
        definition.in_output = reached.contains(&definition.name);
    }
}

fn reached(api: &Api, mut open: Vec<String>) -> BTreeSet<String> {
    let types: BTreeMap<&str, &Definition> = api.types.iter().map(|one| (one.name.as_str(), one)).collect();
    let mut reached = BTreeSet::new();
    while let Some(name) = open.pop() {
        if let (Some(definition), true) = (types.get(name.as_str()), reached.insert(name)) {
            open.extend(definition.body.names());
        }
    }
    reached
}

/// Marks the fields that must be behind a pointer: those whose type holds, without a list or a map between, the one that
/// the field stands in.
pub fn mark_boxes(api: &mut Api) {
    let held: BTreeMap<String, Vec<String>> =
        api.types.iter().map(|definition| (definition.name.clone(), held(&definition.body))).collect();
    for definition in &mut api.types {
        let Body::Struct { fields, .. } = &mut definition.body else { continue };
        for field in fields {
            field.boxed = directly(&field.shape).is_some_and(|name| leads_to(&held, name, &definition.name));
        }
    }
}

fn held(body: &Body) -> Vec<String> {
    let shapes: Vec<&Shape> = match body {
        Body::Struct { fields, .. } => fields.iter().map(|field| &field.shape).collect(),
        Body::Union { arms } => arms.iter().collect(),
        Body::Enum { .. } => Vec::new(),
    };
    shapes.into_iter().filter_map(directly).map(str::to_owned).collect()
}

fn directly(shape: &Shape) -> Option<&str> {
    match shape {
        Shape::Named(name) => Some(name),
        Shape::Nullable(inner) => directly(inner),
        _ => None,
    }
}

fn leads_to(held: &BTreeMap<String, Vec<String>>, from: &str, goal: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(name) = open.pop() {
        if name == goal {
            return true;
        }
        if seen.insert(name) {
            open.extend(held.get(name).into_iter().flatten().map(String::as_str));
        }
    }
    false
}
