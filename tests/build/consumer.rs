//! A package outside the workspace that depends on the published contract: it builds, offline, and without codegen or any of
//! what codegen needs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use schemux_tests::cargo::{cargo, dependencies, run, stderr, succeed, workspace, write};

use super::sandbox::{Sandbox, copy_folder, outside};
use super::server::{SERVER, TOOLS};

/// What only codegen needs.
const OF_CODEGEN: [&str; 7] =
    ["schemux-codegen", "typify", "prettyplease", "schemars", "clap", "toml", "regress"];

/// The package as cargo would publish it, unpacked. Codegen is packed with it, because cargo wants to know what the optional
/// dependency of the build script is; no consumer needs it.
fn published(sandbox: &Sandbox) -> PathBuf {
    let arguments = ["package", "-p", "schemux", "-p", "schemux-codegen", "--no-verify", "--allow-dirty"];
    succeed(&mut sandbox.cargo(&arguments));
    let (name, folder) = (format!("schemux-{}", env!("CARGO_PKG_VERSION")), outside().join("consumer"));
    let _ = fs::remove_dir_all(folder.join("fresh"));
    fs::create_dir_all(folder.join("fresh")).expect("a folder");
    let archive = outside().join("package").join(format!("{name}.crate"));
    succeed(Command::new("tar").arg("xzf").arg(archive).arg("-C").arg(folder.join("fresh")));
    copy_folder(&folder.join("fresh").join(&name), &folder.join("schemux"));
    folder
}

/// A package that depends on it and nothing else of this workspace.
fn consumer(folder: &Path, name: &str, features: &str) -> PathBuf {
    let package = folder.join(name);
    let manifest = format!(
        "[package]\nname = \"consumer\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         schemux = {{ path = \"../schemux\"{features} }}\n{}",
        dependencies(&["serde_json"]),
    );
    write(&package.join("Cargo.toml"), &manifest);
    write(&package.join("src/main.rs"), SERVER);
    fs::copy(workspace().join("Cargo.lock"), package.join("Cargo.lock")).expect("the workspace's versions");
    package
}

#[test]
fn a_consumer_builds_without_codegen() {
    let sandbox = Sandbox::of(TOOLS);
    let folder = published(&sandbox);
    let package = consumer(&folder, "types-only", ", default-features = false");
    let build = run(&mut cargo(&package, &outside(), &["build", "--verbose"]));
    assert!(build.status.success(), "{}", stderr(&build));
    for name in ["typify", "prettyplease", "schemux_codegen", "schemars"] {
        assert!(!stderr(&build).contains(&format!("--crate-name {name}")), "{name} was compiled");
    }
    let said = succeed(&mut cargo(&package, &outside(), &["run", "-q"]));
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].contains(r#""pane_id":"%3""#) && lines[0].contains(r#""pane_width":null"#), "{said}");
    assert_eq!(lines[1], "PaneNotFound: no pane was named");
    assert_eq!(lines[2], r#"{"effectiveTimeoutMs":5,"exitStatus":0,"outcome":"completed","signal":null}"#);
    assert!(lines[3].starts_with("ValidationError: 1 validation error for call[wait_for_exit]"), "{said}");

    for package in [package, consumer(&folder, "with-client", "")] {
        let tree =
            succeed(&mut cargo(&package, &outside(), &["tree", "-e", "normal,build", "--prefix", "none"]));
        assert!(tree.contains("jsonschema v"), "{tree}");
        for name in OF_CODEGEN {
            assert!(!tree.lines().any(|line| line.starts_with(name)), "{name} is in\n{tree}");
        }
    }
}

/// What is published is what is built: nothing of the workspace beside it.
#[test]
fn the_package_holds_the_contract_and_nothing_else() {
    let sandbox = Sandbox::of(TOOLS);
    let listed = succeed(&mut sandbox.cargo(&["package", "-p", "schemux", "--list", "--allow-dirty"]));
    for file in [
        "build.rs",
        "generated/lib.rs",
        "generated/STAMP",
        "schemas/contract.toml",
        "schemas/wait_for_exit.json",
    ] {
        assert!(listed.lines().any(|line| line == file), "{file} is not in\n{listed}");
    }
    let ours = [
        "build.rs",
        "generated/",
        "schemas/",
        "README.md",
        "ARCHITECTURE.md",
        "LICENSE-",
        "Cargo.",
        ".cargo_vcs_info.json",
    ];
    for line in listed.lines() {
        assert!(ours.iter().any(|start| line.starts_with(start)), "{line} does not belong in it");
    }
}
