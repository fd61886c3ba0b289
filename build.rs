//! Keeps `generated/` in step with `schemas/`: with the feature `regen` it writes what is missing, without it (or where
//! `CI` is set) code that is not in step is an error.

use std::env;
use std::path::Path;
use std::process::ExitCode;

// Written by codegen, and formatted by it.
#[rustfmt::skip]
#[path = "generated/stamp.rs"]
mod stamp;

#[allow(clippy::disallowed_methods, reason = "a build script has no settings but these")]
fn main() -> ExitCode {
    // Whole folders, so that a new file, a removed one and a hand edit are noticed.
    for watched in ["schemas", "generated", "build.rs"] {
        println!("cargo::rerun-if-changed={watched}");
    }
    println!("cargo::rerun-if-env-changed=CI");
    let (schemas, generated) = (Path::new("schemas"), Path::new("generated"));
    if cfg!(feature = "regen") && env::var_os("CI").is_none() {
        return regenerate(schemas, generated);
    }
    match check(schemas, generated) {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => fail(&what),
    }
}

#[cfg(feature = "regen")]
fn regenerate(schemas: &Path, generated: &Path) -> ExitCode {
    match schemux_codegen::generate(schemas, generated) {
        Ok(_) => ExitCode::SUCCESS,
        Err(faults) => {
            faults.0.iter().for_each(|fault| println!("cargo::error={}", one_line(&fault.to_string())));
            ExitCode::FAILURE
        }
    }
}

#[cfg(not(feature = "regen"))]
fn regenerate(_: &Path, _: &Path) -> ExitCode {
    unreachable!("asked for only with the feature `regen`")
}

/// The stamp first: it needs nothing. Where codegen is there, it has the last word, for a newer codegen may write other
/// code from the same schemas.
fn check(schemas: &Path, generated: &Path) -> Result<(), String> {
    if let Some(stale) =
        stamp::stale(schemas, generated).map_err(|error| format!("cannot read the schemas: {error}"))?
    {
        return Err(stale);
    }
    #[cfg(feature = "regen")]
    match schemux_codegen::outdated(schemas, generated) {
        Ok(files) if files.is_empty() => {}
        Ok(files) => return Err(format!("the generated code is older than codegen: {}", files.join(", "))),
        Err(faults) => return Err(faults.to_string()),
    }
    Ok(())
}

fn fail(what: &str) -> ExitCode {
    println!("cargo::error={}; run `cargo codegen generate` and commit what it writes", one_line(what));
    ExitCode::FAILURE
}

/// Cargo takes the first line only.
fn one_line(text: &str) -> String {
    text.replace('\n', " | ")
}
