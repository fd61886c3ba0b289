//! May code be made from this? Reports every fault, not the first; what passes here cannot make the next stages fail.

use serde_json::Value;

use super::load::{SETTINGS, Source, Sources};
use super::schema;
use crate::fault::{Fault, Faults};

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
                schema::check(source, side, schema, &mut faults);
            }
        }
        if !sources.settings.tools.contains_key(source.name()) {
            faults.push(
                Fault::new(
                    settings_file(sources),
                    format!("[tools.{}]", source.name()),
                    "the tool has no row",
                )
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
    let folder =
        sources.tools.first().and_then(|source| source.file.split_once('/')).map_or("schemas", |(f, _)| f);
    format!("{folder}/{SETTINGS}")
}

fn entry(source: &Source, faults: &mut Faults) {
    let fault = |place: &str, what: String| Fault::new(&source.file, place, what);
    match source.entry.get("name") {
        Some(Value::String(name)) if *name == source.stem => {}
        Some(Value::String(name)) => {
            faults.push(
                fault("/name", format!("the tool is called `{name}`"))
                    .hint(format!("rename the file to {name}.json")),
            );
        }
        Some(_) => faults.push(fault("/name", "the name is no string".into())),
        None => faults.push(
            fault("", "the entry has no `name`".into()).hint("it must be the tool's entry from `tools/list`"),
        ),
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
