//! `tests/differences.md` is complete: each difference says all it has to, and the tests that hold it exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use schemux_tests::cargo::workspace;

/// The names of all functions in tests.
fn functions() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for folder in ["tests", "server/tests", "server/src", "generated/runtime"] {
        collect(&workspace().join(folder), &mut found);
    }
    found
}

fn collect(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder of the workspace").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).expect("source text");
            let names = text.split("fn ").skip(1).filter_map(|rest| rest.split('(').next());
            found.extend(names.map(str::to_owned));
        }
    }
}

#[test]
fn every_difference_is_told_in_full_and_held_by_a_test() {
    let text = fs::read_to_string(workspace().join("tests/differences.md")).expect("the file");
    let functions = functions();
    let mut faults = Vec::new();
    let entries: Vec<&str> = text.split("\n## ").skip(1).collect();
    assert!(entries.len() > 40, "{}", entries.len());
    for entry in entries {
        let title = entry.lines().next().unwrap_or_default();
        for label in ["Upstream:", "Here:", "Why:", "Test:"] {
            if entry.lines().filter(|line| line.starts_with(label)).count() != 1 {
                faults.push(format!("{title}: no line `{label}`, or several"));
            }
        }
        let tests = entry.lines().find_map(|line| line.strip_prefix("Test:")).unwrap_or_default();
        let names: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        if names.is_empty() {
            faults.push(format!("{title}: no test"));
        }
        for name in names {
            let function = name.rsplit("::").next().unwrap_or_default();
            if !name.contains("::") || !functions.contains(function) {
                faults.push(format!("{title}: there is no test `{name}`"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
