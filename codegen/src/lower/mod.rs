//! From schemas to the model: every object, string enum and union becomes a type of its own, equal ones become one,
//! and each gets a name that is decided here and nowhere else.

mod condition;
mod ident;
mod intern;
mod names;
mod object;
mod reach;
mod reference;
mod shape;
mod union;
mod words;

use serde_json::Value;

use crate::fault::Faults;
use crate::model::{Api, Shape, Tool};
use crate::read::{Source, Sources};
pub use ident::{method, snake};
use intern::Interner;
pub use object::EXTRA;
use shape::{Lowering, Place};

/// The marker of a server whose framework wraps a result that is no object: `{"result": …}`.
const WRAPPED: &str = "x-fastmcp-wrap-result";

/// Lowers checked sources.
///
/// # Errors
///
/// Two tools whose names become the same Rust name.
pub fn api(sources: &Sources) -> Result<Api, Faults> {
    let mut interner = Interner::default();
    let mut tools = Vec::new();
    let mut notes = Vec::new();
    for source in &sources.tools {
        let mut lowering = Lowering::new(source, &mut interner, &mut notes);
        let args = lowering.root("inputSchema");
        let (output, wrapped) = output(source, &mut lowering);
        tools.push(Tool {
            name: source.name().to_owned(),
            file: source.file.clone(),
            docs: source.entry.get("description").and_then(Value::as_str).unwrap_or_default().to_owned(),
            toolset: toolset(sources, source),
            args,
            output,
            wrapped,
        });
    }
    notes.sort();
    notes.dedup();
    let Interner { definitions, sightings, .. } = interner;
    names::give(Api { tools, types: definitions, notes }, &sightings, &sources.settings.names)
}

fn output(source: &Source, lowering: &mut Lowering<'_>) -> (Shape, bool) {
    let Some(schema) = source.entry.get("outputSchema") else { return (Shape::Any, false) };
    // Only what is nothing but the wrapping can be unwrapped.
    let alone =
        schema.get("properties").and_then(Value::as_object).is_some_and(|properties| properties.len() == 1)
            && schema.get("required").and_then(Value::as_array).is_some_and(|names| names == &["result"])
            && schema.as_object().is_some_and(|schema| !condition::on_names(schema));
    let wrapped = alone && schema.get(WRAPPED).and_then(Value::as_bool).unwrap_or(false);
    match schema.pointer("/properties/result") {
        Some(result) if wrapped => {
            (lowering.shape(result, &Place::new("/outputSchema/properties/result")), true)
        }
        _ => (Shape::Named(lowering.root("outputSchema")), false),
    }
}

fn toolset(sources: &Sources, source: &Source) -> String {
    sources.settings.tools.get(source.name()).and_then(|row| row.toolset.clone()).unwrap_or_default()
}
