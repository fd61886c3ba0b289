//! Schemas in, code or faults out: one folder of `cases/` each, with a snapshot of what a reader would look at.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use schemux_codegen::{Faults, Files, outdated, render};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// The case's files in a folder of their own, written in this order, with a row for every tool where it brings none.
fn schemas(case: &str, mut order: impl FnMut(&mut Vec<PathBuf>)) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    let schemas = root.path().join("schemas");
    fs::create_dir(&schemas).expect("a folder");
    let entries = fs::read_dir(folder().join(case)).expect("the case's folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    order(&mut files);
    for file in &files {
        fs::copy(file, schemas.join(file.file_name().expect("a name"))).expect("copied");
    }
    if !schemas.join("contract.toml").exists() {
        let mut rows = String::new();
        for file in &files {
            let _ = writeln!(rows, "[tools.{:?}]\ntoolset = \"test\"\n", name_in(file));
        }
        fs::write(schemas.join("contract.toml"), rows).expect("written");
    }
    root
}

/// The tool's name as its file says it.
fn name_in(file: &Path) -> String {
    let entry: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(file).expect("text")).unwrap_or_default();
    let stem = file.file_stem().expect("a name").to_string_lossy().into_owned();
    entry["name"].as_str().map_or(stem, str::to_owned)
}

fn rendered(root: &Path) -> Result<Files, Faults> {
    render(&root.join("schemas"), "../schemas")
}

/// What is the case's own: not the runtime, and not what follows from the tools' names alone.
fn shown(result: Result<Files, Faults>) -> String {
    let files = match result {
        Ok(files) => files,
        Err(faults) => return faults.to_string(),
    };
    let mut text = String::new();
    for (name, content) in &files {
        if (name.starts_with("types/") && name != "types/mod.rs")
            || name == "tools.rs"
            || name == "fidelity.md"
        {
            let body = content.split_once("\n\n").map_or(content.as_str(), |(_, body)| body);
            let _ = writeln!(text, "──── {name}\n{body}");
        }
    }
    text
}

macro_rules! cases {
    ($($case:ident)*) => {
        $(#[test]
        fn $case() {
            let root = schemas(stringify!($case), |files| files.sort());
            insta::assert_snapshot!(stringify!($case), shown(rendered(root.path())));
        })*

        const CASES: &[&str] = &[$(stringify!($case)),*];
    };
}

cases! {
    any_value bad_default bad_pattern bad_schema broken documentation empty field_names file_name
    names names_from_contract nested_enum no_output_schema nullable_and_default one_rust_name open_and_closed
    recursive references roots rows shared_type shared_union three_faults title_collision too_deep tool_names unions
    wrapped_result
}

#[test]
fn every_folder_is_a_case() {
    let folders: BTreeSet<String> = fs::read_dir(folder())
        .expect("the cases")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(folders, CASES.iter().map(|case| (*case).to_owned()).collect());
}

#[test]
fn the_order_on_disk_and_the_run_do_not_matter() {
    for case in CASES {
        let forward = schemas(case, |files| files.sort());
        let backward = schemas(case, |files| {
            files.sort();
            files.reverse();
        });
        let once = rendered(forward.path());
        assert_eq!(once, rendered(forward.path()), "{case}: two runs");
        assert_eq!(once, rendered(backward.path()), "{case}: the order of the files");
    }
}

#[test]
fn what_is_written_is_in_step() {
    for case in ["shared_type", "recursive", "empty"] {
        let root = schemas(case, |_| ());
        let (schemas, generated) = (root.path().join("schemas"), root.path().join("generated"));
        let written = schemux_codegen::generate(&schemas, &generated).expect("sound schemas");
        assert!(written.iter().any(|name| name == "tools.rs"), "{written:?}");
        assert_eq!(outdated(&schemas, &generated).expect("sound schemas"), [""; 0]);
        assert_eq!(schemux_codegen::generate(&schemas, &generated).expect("sound schemas"), [""; 0]);
    }
}

/// A file that no schema needs any more goes; one that people wrote stays.
#[test]
fn what_is_left_over_goes() {
    let root = schemas("shared_type", |_| ());
    let (schemas, generated) = (root.path().join("schemas"), root.path().join("generated"));
    schemux_codegen::generate(&schemas, &generated).expect("sound schemas");
    fs::write(generated.join("lib.rs"), "// by hand").expect("written");
    fs::write(generated.join("types/old_tool.rs"), "// of a tool that is gone").expect("written");
    assert_eq!(outdated(&schemas, &generated).expect("sound schemas"), ["types/old_tool.rs"]);
    assert!(generated.join("types/old_tool.rs").exists(), "asking changes nothing");
    assert_eq!(
        schemux_codegen::generate(&schemas, &generated).expect("sound schemas"),
        ["types/old_tool.rs"]
    );
    assert!(!generated.join("types/old_tool.rs").exists());
    assert!(generated.join("lib.rs").exists());
}

#[test]
fn a_folder_that_is_not_there() {
    let faults = render(Path::new("no/such/schemas"), "../schemas").expect_err("there is nothing");
    assert!(faults.to_string().starts_with("no/such/schemas: cannot read the folder"), "{faults}");
}
