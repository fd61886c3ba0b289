//! Cargo on packages outside this workspace: offline, with the workspace's own versions, in a target folder that is kept.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The workspace's root.
pub fn workspace() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("`tests` stands in the workspace").to_owned()
}

/// `cargo <arguments>` in a folder. Nothing is fetched, and nothing of the run that this is part of shines through. All such
/// packages are built in one way, so that what they share is built once.
#[expect(clippy::disallowed_methods, reason = "tests of the build start cargo")]
pub fn cargo(folder: &Path, target: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(folder).args(arguments).arg("--offline");
    command.env("CARGO_TARGET_DIR", target).env("CARGO_TERM_COLOR", "never");
    command.env("CARGO_PROFILE_DEV_DEBUG", "false");
    for name in [
        "CI",
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_BUILD_TARGET",
        "RUSTC_WRAPPER",
        "RUST_BACKTRACE",
    ] {
        command.env_remove(name);
    }
    command
}

/// Runs it to the end. Cargo that cannot be started is a failure, never a reason to skip.
pub fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"))
}

/// Runs it and wants success; its standard output.
#[track_caller]
pub fn succeed(command: &mut Command) -> String {
    let output = run(command);
    assert!(output.status.success(), "{command:?}: {}\n{}", output.status, stderr(&output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs it and wants failure; its standard error.
#[track_caller]
pub fn fail(command: &mut Command) -> String {
    let output = run(command);
    assert!(!output.status.success(), "{command:?} succeeded:\n{}", stderr(&output));
    stderr(&output)
}

/// What a program said on its standard error.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The lines of `[workspace.dependencies]` for these packages, as they are for all members.
pub fn dependencies(names: &[&str]) -> String {
    let manifest = fs::read_to_string(workspace().join("Cargo.toml")).expect("the workspace's manifest");
    let line = |name: &&str| {
        let start = format!("{name} = ");
        let line = manifest.lines().find(|line| line.starts_with(&start));
        format!("{}\n", line.unwrap_or_else(|| panic!("the workspace has no dependency {name}")))
    };
    names.iter().map(line).collect()
}

/// Writes a file only when it differs, so that what was built of it stays good.
pub fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    let folder = path.parent().expect("a file in a folder");
    fs::create_dir_all(folder).and_then(|()| fs::write(path, text)).unwrap_or_else(|error| {
        panic!("{}: {error}", path.display());
    });
}
