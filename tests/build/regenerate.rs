//! Editing, adding or removing a schema and building is all there is to do; what is out of step is never built silently.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use schemux_tests::cargo::{fail, run, stderr, succeed};
use serde_json::json;

use super::sandbox::Sandbox;

/// What every error about stale code ends with.
const COMMAND: &str = "run `cargo codegen generate` and commit what it writes";

#[test]
fn an_edited_schema_is_built() {
    let sandbox = Sandbox::new();
    sandbox.edit("respawn_pane", |entry| {
        entry["inputSchema"]["properties"]["zone"] = json!({"type": "string", "description": "Where."});
    });
    sandbox.write(
        "driver/src/main.rs",
        "fn main() {\n    let _ = schemux::RespawnPaneArgs::new(\"%1\").zone(\"here\");\n}\n",
    );
    succeed(&mut sandbox.build());
    assert!(sandbox.read("generated/types/respawn_pane.rs").contains("pub zone: Option<String>"));
}

#[test]
fn an_added_and_a_removed_tool_are_built() {
    let sandbox = Sandbox::new();
    let before = succeed(&mut sandbox.cargo(&["run", "-q", "-p", "driver"]));
    assert!(before.contains("wait_for_exit"), "{before}");
    let files = sandbox.generated();

    let rows = sandbox.read("schemas/contract.toml");
    let entry = json!({"name": "ping", "description": "Answers.", "inputSchema": {"type": "object", "properties": {}}});
    sandbox.write("schemas/ping.json", &entry.to_string());
    sandbox.write("schemas/contract.toml", &format!("{rows}\n[tools.ping]\ntoolset = \"inspect\"\n"));
    let with_ping = succeed(&mut sandbox.cargo(&["run", "-q", "-p", "driver"]));
    assert!(with_ping.lines().any(|line| line == "ping"), "{with_ping}");
    assert!(sandbox.path("generated/types/ping.rs").exists());

    fs::remove_file(sandbox.path("schemas/ping.json")).expect("removed");
    sandbox.write("schemas/contract.toml", &rows);
    assert_eq!(succeed(&mut sandbox.cargo(&["run", "-q", "-p", "driver"])), before);
    assert_eq!(sandbox.generated(), files);
}

#[test]
fn what_is_in_step_is_built_once() {
    let sandbox = Sandbox::new();
    let files = sandbox.generated();
    succeed(&mut sandbox.build());
    succeed(&mut sandbox.build()); // after an edit cargo looks once more at what the build script has written
    let third = run(&mut sandbox.build());
    assert!(!stderr(&third).contains("Compiling"), "{}", stderr(&third));
    assert_eq!(sandbox.generated(), files);
}

#[test]
fn a_hand_edit_is_undone() {
    let sandbox = Sandbox::new();
    let files = sandbox.generated();
    sandbox.write("generated/tools.rs", &format!("{}// by hand\n", sandbox.read("generated/tools.rs")));
    succeed(&mut sandbox.build());
    assert_eq!(sandbox.generated(), files);
    fs::remove_file(sandbox.path("generated/recode.rs")).expect("removed");
    succeed(&mut sandbox.build());
    assert_eq!(sandbox.generated(), files);
}

#[test]
fn without_regen_a_hand_edit_is_an_error() {
    let sandbox = Sandbox::new();
    succeed(&mut sandbox.build_alone());
    let edited = format!("{}// by hand\n", sandbox.read("generated/tools.rs"));
    sandbox.write("generated/tools.rs", &edited);
    let said = fail(&mut sandbox.build_alone());
    assert!(said.contains(&format!("the generated code was edited by hand; {COMMAND}")), "{said}");
    assert_eq!(sandbox.read("generated/tools.rs"), edited, "nothing is written");
}

#[test]
fn without_regen_a_stale_tree_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.edit("wait_for_exit", |entry| entry["description"] = json!("Other words."));
    let files = sandbox.generated();
    let said = fail(&mut sandbox.build_alone());
    assert!(said.contains(&format!("the generated code is older than the schemas; {COMMAND}")), "{said}");
    assert_eq!(sandbox.generated(), files, "nothing is written");
}

#[test]
fn under_ci_a_stale_tree_is_an_error_and_the_command_it_names_mends_it() {
    let sandbox = Sandbox::new();
    let under_ci = |mut command: Command| {
        command.env("CI", "1");
        command
    };
    succeed(&mut under_ci(sandbox.build()));
    sandbox.edit("wait_for_exit", |entry| entry["description"] = json!("Other words."));
    let files = sandbox.generated();
    let said = fail(&mut under_ci(sandbox.build()));
    assert!(said.contains(COMMAND), "{said}");
    assert_eq!(sandbox.generated(), files, "nothing is written");

    // The alias is the project's own, in `.cargo/config.toml`.
    let mut alias = sandbox.cargo(&["codegen", "generate"]);
    succeed(without_offline(&mut alias));
    assert_ne!(sandbox.generated(), files);
    succeed(&mut under_ci(sandbox.build()));
}

/// `--offline` behind an alias would be the program's; cargo takes it from the environment too.
fn without_offline(command: &mut Command) -> &mut Command {
    let mut plain = Command::new(command.get_program());
    plain.args(command.get_args().filter(|argument| *argument != "--offline"));
    plain.current_dir(command.get_current_dir().expect("a folder")).env("CARGO_NET_OFFLINE", "true");
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => plain.env(name, value),
            None => plain.env_remove(name),
        };
    }
    *command = plain;
    command
}

#[test]
fn a_fault_in_a_schema_is_an_error_of_the_build() {
    let sandbox = Sandbox::new();
    let files = sandbox.generated();
    sandbox.edit("wait_for_exit", |entry| {
        entry["inputSchema"]["properties"]["paneId"]["pattern"] = json!("(");
        entry["outputSchema"]["properties"]["signal"]["$ref"] = json!("#/$defs/Signal");
    });
    let said = fail(&mut sandbox.build());
    assert!(said.contains("schemas/wait_for_exit.json#/inputSchema/properties/paneId/pattern: "), "{said}");
    assert!(said.contains("schemas/wait_for_exit.json#/outputSchema/properties/signal/$ref: "), "{said}");
    assert_eq!(sandbox.generated(), files, "nothing is written");
}

#[test]
fn a_folder_that_cannot_be_written_is_told() {
    let sandbox = Sandbox::new();
    succeed(&mut sandbox.build());
    let folder = sandbox.path("generated/types");
    let protect = |mode| fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).expect("it is ours");
    protect(0o555);
    let in_step = bound(|| run(&mut sandbox.build()));
    sandbox.edit("wait_for_exit", |entry| {
        entry["inputSchema"]["properties"]["paneId"]["description"] = json!("Which.")
    });
    let stale = bound(|| run(&mut sandbox.build()));
    protect(0o755);
    assert!(in_step.status.success(), "{}", stderr(&in_step));
    let said = stderr(&stale);
    assert!(!stale.status.success(), "{said}");
    assert!(
        said.contains("generated/types") && said.contains("cannot write it: Permission denied"),
        "{said}"
    );
    assert!(said.contains("make the folder writable"), "{said}");
    succeed(&mut sandbox.build());
}

/// Runs it as somebody whom permissions bind. Root is not one: processes started by this thread lose what lets root write
/// anywhere.
fn bound<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            if rustix::process::geteuid().is_root() {
                rustix::thread::remove_capability_from_bounding_set(
                    rustix::thread::CapabilitySet::DAC_OVERRIDE,
                )
                .expect("root may give up what lets it write anywhere");
            }
            run()
        });
        thread.join().expect("it ran")
    })
}
