//! From the JSON schemas that MCP tools advertise to Rust types, a dispatch trait and a typed client.
//!
//! The way of the data: [`import`] brings a contract into `schemas/`; [`read`] loads and checks it; it is lowered to the
//! [model](mod@model), in which equal types are one and every type has its name; typify writes the types and a pass over its output
//! adds what it cannot know; the emitters write one file each.

mod emit;
pub mod fault;
pub mod import;
mod lower;
pub mod model;
mod pointer;
pub mod read;
mod rust;
pub mod stamp;
mod write;

use std::path::Path;

pub use emit::Files;
pub use fault::{Fault, Faults};

/// The files of a contract, by their path below the output folder. `from_output` is the relative path from there to the
/// schemas, for `include_str!`.
///
/// # Errors
///
/// All that is wrong with the schemas; then there are no files at all.
pub fn render(schemas: &Path, from_output: &str) -> Result<Files, Faults> {
    emit::files(&model(schemas)?, from_output)
}

/// The contract as the emitters see it.
///
/// # Errors
///
/// All that is wrong with the schemas.
pub fn model(schemas: &Path) -> Result<model::Api, Faults> {
    let sources = read::load::schemas(schemas)?;
    read::check::all(&sources)?;
    lower::api(&sources)
}

/// Brings the folder `generated` in step with `schemas`, its neighbour, and says which files have changed.
///
/// # Errors
///
/// All that is wrong with the schemas, or a folder that cannot be written; a file is then either old or new, never half.
pub fn generate(schemas: &Path, generated: &Path) -> Result<Vec<String>, Faults> {
    write::files(&render(schemas, &from_output(schemas))?, schemas, generated, false)
}

/// Which files [`generate`] would change; none when all is in step. Writes nothing.
///
/// # Errors
///
/// All that is wrong with the schemas.
pub fn outdated(schemas: &Path, generated: &Path) -> Result<Vec<String>, Faults> {
    write::files(&render(schemas, &from_output(schemas))?, schemas, generated, true)
}

fn from_output(schemas: &Path) -> String {
    let name = schemas.file_name().map_or_else(|| "schemas".into(), |name| name.to_string_lossy());
    format!("../{name}")
}
