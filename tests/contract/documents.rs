//! What is served, what stands in `schemas/` and what the documents say are one and the same.

use std::fs;
use std::path::{Path, PathBuf};

use schemux::TOOLS;
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn names(folder: &str, extension: &[&str]) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).expect("the folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| extension.iter().any(|wanted| end == *wanted)))
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn served_is_what_stands_in_schemas() {
    let served: Vec<String> = TOOLS.iter().map(|tool| tool.name.to_owned()).collect();
    assert_eq!(served, names("schemas", &["json"]));
    for tool in TOOLS {
        let file = json(&root().join("schemas").join(format!("{}.json", tool.name)));
        assert_eq!(Value::Object(tool.entry().clone()), file, "{}", tool.name);
        assert_eq!(tool.entry().get("name"), Some(&Value::from(tool.name)));
    }
}

/// The documents as they were read off the site. Independent of the import: the last line that is the label, and then
/// one JSON value, as far as it goes.
#[test]
fn the_schemas_are_the_documents() {
    let pages = names("tests/pages", &["md", "txt"]);
    assert!(pages.len() >= 3, "{pages:?}");
    for name in pages {
        let tool = TOOLS.iter().find(|tool| tool.name == name);
        let tool = tool.unwrap_or_else(|| panic!("the page {name} is of no tool"));
        let page = ["md", "txt"]
            .iter()
            .find_map(|end| fs::read_to_string(root().join(format!("tests/pages/{name}.{end}"))).ok())
            .expect("the page");
        for (label, key) in [("Input schema", "inputSchema"), ("Output schema", "outputSchema")] {
            let documented = after_label(&page, label).unwrap_or_else(|| panic!("{name}: no {label}"));
            assert_eq!(tool.entry().get(key), Some(&documented), "{name}: {label}");
        }
    }
}

fn after_label(page: &str, label: &str) -> Option<Value> {
    let mut at = 0;
    let mut found = None;
    for line in page.split_inclusive('\n') {
        at += line.len();
        if line.trim() == label {
            found = Some(at);
        }
    }
    let rest = &page[found?..];
    let json = &rest[rest.find('{')?..];
    serde_json::Deserializer::from_str(json).into_iter().next()?.ok()
}

#[test]
fn the_generated_code_is_in_step() {
    let root = root();
    let outdated =
        schemux_codegen::outdated(&root.join("schemas"), &root.join("generated")).expect("sound schemas");
    assert_eq!(outdated, Vec::<String>::new(), "run `cargo codegen generate`");
}
