//! A copy of what the build needs of this workspace, to edit and to break. The server and the tests are left out; a small
//! package stands in for them, which turns `regen` on as they do.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use schemux_tests::cargo::{cargo, succeed, workspace, write};
use serde_json::Value;

/// One at a time: the copy is at the same place in every run, so that what is built of it stays good.
static ONE: Mutex<()> = Mutex::new(());

/// The copy, as the workspace is.
pub struct Sandbox {
    root: PathBuf,
    _one: MutexGuard<'static, ()>,
}

/// What a program of the copy does when the test has nothing of its own.
const NOTHING: &str =
    "fn main() {\n    for tool in schemux::TOOLS {\n        println!(\"{}\", tool.name);\n    }\n}\n";

impl Sandbox {
    /// Copies, or restores what the test before left behind.
    pub fn new() -> Sandbox {
        let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let root = outside().join("sandbox");
        let from = workspace();
        for folder in ["schemas", "generated", "codegen/src", "codegen/runtime"] {
            copy_folder(&from.join(folder), &root.join(folder));
        }
        for file in ["Cargo.lock", "build.rs", "README.md", "codegen/Cargo.toml", ".cargo/config.toml"] {
            copy(&from.join(file), &root.join(file));
        }
        write(&root.join("Cargo.toml"), &manifest());
        write(&root.join("driver/Cargo.toml"), DRIVER);
        write(&root.join("driver/src/main.rs"), NOTHING);
        Sandbox { root, _one: one }
    }

    /// A copy whose contract has these tools only, generated anew.
    pub fn of(tools: &[&str]) -> Sandbox {
        let sandbox = Sandbox::new();
        for path in files_below(&sandbox.path("schemas")) {
            let is_kept =
                path.file_stem().and_then(|name| name.to_str()).is_some_and(|name| tools.contains(&name));
            if path.extension().is_some_and(|end| end == "json") && !is_kept {
                fs::remove_file(path).expect("removed");
            }
        }
        let names = "[names]\n\"Serialized tmux pane.\" = \"PaneInfo\"\n";
        let rows = tools.iter().map(|tool| format!("\n[tools.{tool}]\ntoolset = \"inspect\"\n"));
        sandbox.write("schemas/contract.toml", &format!("{names}{}", rows.collect::<String>()));
        succeed(&mut sandbox.build());
        sandbox
    }

    pub fn path(&self, below: &str) -> PathBuf {
        self.root.join(below)
    }

    /// Cargo in the copy.
    pub fn cargo(&self, arguments: &[&str]) -> Command {
        cargo(&self.root, &outside(), arguments)
    }

    /// A build as in the workspace: what depends on the contract turns `regen` on.
    pub fn build(&self) -> Command {
        self.cargo(&["build", "-p", "driver"])
    }

    /// A build of the contract alone, without `regen`, as a user of the published package builds it.
    pub fn build_alone(&self) -> Command {
        self.cargo(&["build", "-p", "schemux", "--no-default-features"])
    }

    pub fn read(&self, below: &str) -> String {
        fs::read_to_string(self.path(below)).unwrap_or_else(|error| panic!("{below}: {error}"))
    }

    pub fn write(&self, below: &str, text: &str) {
        write(&self.path(below), text);
    }

    /// Changes the schema of a tool.
    pub fn edit(&self, tool: &str, change: impl FnOnce(&mut Value)) {
        let file = format!("schemas/{tool}.json");
        let mut entry: Value = serde_json::from_str(&self.read(&file)).expect("JSON");
        change(&mut entry);
        self.write(&file, &format!("{entry:#}\n"));
    }

    /// Every generated file with its text.
    pub fn generated(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        for path in files_below(&self.path("generated")) {
            let name = path.strip_prefix(&self.root).expect("below it").display().to_string();
            files.insert(name, fs::read_to_string(path).expect("text"));
        }
        files
    }
}

/// What is built outside of the workspace, kept beside what is built inside.
pub fn outside() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder").join("outside")
}

/// The workspace's manifest with other members.
fn manifest() -> String {
    let text = fs::read_to_string(workspace().join("Cargo.toml")).expect("the workspace's manifest");
    let mut replaced = 0;
    let lines = text.lines().map(|line| match line.split_once(" = ") {
        Some(("members", _)) => {
            replaced += 1;
            "members = [\"codegen\", \"driver\"]\n".to_owned()
        }
        Some(("default-members", _)) => {
            replaced += 1;
            "default-members = [\".\", \"codegen\", \"driver\"]\n".to_owned()
        }
        _ => format!("{line}\n"),
    });
    let text = lines.collect();
    assert_eq!(replaced, 2, "the members of the workspace stand on a line each");
    text
}

const DRIVER: &str = r#"[package]
name = "driver"
version = "0.0.0"
edition = "2024"
publish = false

[dependencies]
schemux = { path = "..", default-features = false, features = ["regen"] }
serde_json.workspace = true
"#;

/// Makes one folder like the other; files that are the same keep their time.
pub fn copy_folder(from: &Path, to: &Path) {
    let wanted: Vec<PathBuf> =
        files_below(from).iter().map(|path| path.strip_prefix(from).expect("below it").to_owned()).collect();
    for path in files_below(to) {
        if !wanted.contains(&path.strip_prefix(to).expect("below it").to_owned()) {
            fs::remove_file(path).expect("removed");
        }
    }
    for file in wanted {
        copy(&from.join(&file), &to.join(file));
    }
}

fn copy(from: &Path, to: &Path) {
    write(to, &fs::read_to_string(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())));
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
