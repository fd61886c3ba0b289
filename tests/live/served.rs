//! The handshake, the list of tools and the end.

use std::time::{Duration, Instant};

use schemux::{Caller, Client, TOOLS};
use schemux_tests::TmuxWorld;
use serde_json::Value;

use super::support::{bare, client, clients, connect, program};

/// What a documentation page says under a label: the JSON after its last appearance.
fn documented(page: &str, label: &str) -> Value {
    let at = page.rfind(label).unwrap_or_else(|| panic!("the page has no {label}"));
    let json = &page[at + page[at..].find('{').expect("JSON after the label")..];
    serde_json::Deserializer::from_str(json).into_iter().next().expect("a value").expect("JSON")
}

#[tokio::test]
async fn the_tools_are_advertised_as_documented() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let served = client.caller().list().await.unwrap();
    assert_eq!(served.len(), TOOLS.len());
    for (name, page) in [
        ("exit_copy_mode", include_str!("../pages/exit_copy_mode.md")),
        ("respawn_pane", include_str!("../pages/respawn_pane.txt")),
        ("wait_for_exit", include_str!("../pages/wait_for_exit.txt")),
    ] {
        let entry = served.iter().find(|entry| entry["name"] == name).unwrap();
        assert_eq!(entry["inputSchema"], documented(page, "Input schema"), "{name}");
        assert_eq!(entry["outputSchema"], documented(page, "Output schema"), "{name}");
        for hint in ["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint"] {
            let at = page.rfind(hint).unwrap();
            let stated = page[at..]
                .split(|c: char| !c.is_ascii_alphabetic())
                .find(|word| matches!(*word, "true" | "false"));
            assert_eq!(entry["annotations"][hint].to_string(), stated.unwrap(), "{name} {hint}");
        }
    }
    // And nothing beside it: the entries are those of `schemas/`.
    for tool in TOOLS {
        let entry = served.iter().find(|entry| entry["name"] == tool.name).unwrap();
        assert_eq!(entry, &Value::Object(tool.entry().clone()), "{}", tool.name);
    }
    assert_eq!(client.verify_contract(TOOLS).await.unwrap(), Vec::<String>::new());
    client.close().await;
}

#[tokio::test]
async fn what_ends_things_for_good_is_offered_on_request_only() {
    let world = TmuxWorld::start();
    let mut command = program(&world);
    command.env_remove("LIBTMUX_TOOLSETS");
    let client = connect(command).await;
    assert_eq!(client.caller().list().await.unwrap().len(), 48 + 1);
    let missing = client.verify_contract(TOOLS).await.unwrap();
    assert_eq!(missing.len(), 6, "{missing:?}");
    client.close().await;
}

#[tokio::test]
async fn toolsets_choose_what_is_offered() {
    let world = TmuxWorld::start();
    let mut command = program(&world);
    command.env("LIBTMUX_TOOLSETS", "inspect");
    let client = connect(command).await;
    let names: Vec<Value> =
        client.caller().list().await.unwrap().iter().map(|entry| entry["name"].clone()).collect();
    assert!(names.len() > 20 && !names.contains(&"respawn_pane".into()), "{names:?}");
    // A hidden tool answers as one that does not exist.
    let hidden = client.caller().call("respawn_pane", Default::default()).await.unwrap();
    let unknown = client.caller().call("no_such_tool", Default::default()).await.unwrap();
    assert!(hidden.is_error && unknown.is_error);
    assert_eq!(hidden.text.replace("respawn_pane", "no_such_tool"), unknown.text);
    assert_eq!(hidden.meta, unknown.meta);
    assert_eq!(unknown.meta.unwrap()["error_type"], "NotFoundError");
    let missing = client.verify_contract(TOOLS).await.unwrap();
    assert!(missing.iter().any(|line| line == "respawn_pane: the server does not offer it"), "{missing:?}");
    client.close().await;
}

#[tokio::test]
async fn the_handshake_names_the_program() {
    let sockets = tempfile::tempdir().unwrap();
    let client = connect(bare(sockets.path())).await;
    let info = client.caller().server().expect("the server named itself");
    assert_eq!(info.name, "schemux");
    assert_eq!(info.version, env!("CARGO_PKG_VERSION"));
    client.close().await;
}

#[tokio::test]
async fn it_ends_with_its_input_also_during_a_wait() {
    let world = TmuxWorld::start();
    let pane = world.pane("exec sleep 1000");
    let mut command = program(&world);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let call = format!(
        "{}\n{}\n{}\n",
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        format!(r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"wait_for_exit","arguments":{{"paneId":"{pane}"}}}}}}"#).as_str()
    );
    tokio::io::AsyncWriteExt::write_all(&mut input, call.as_bytes()).await.unwrap();
    // Below 3.8 the pane is armed; from 3.8 on a client waits for the event, beside the connection if there is one.
    let connected = || world.clients().iter().filter(|line| line.contains("attach-session")).count();
    world.until("the wait has begun", || {
        !world.pane_options(&pane).is_empty() || !clients(&world).is_empty() || connected() > 1
    });
    let started = Instant::now();
    drop(input);
    let status = tokio::time::timeout(Duration::from_secs(5), child.wait()).await.expect("it ends").unwrap();
    assert!(status.success(), "{status}");
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    assert_eq!(world.pane_options(&pane), "");
    world.until("no client is left", || clients(&world).is_empty());
    assert!(world.has_pane(&pane));
}

#[test]
fn a_client_needs_no_process() {
    // `Client` takes anything that can call a tool by name; this one is never there.
    struct Nobody;
    impl Caller for Nobody {
        async fn call(
            &self,
            _: &'static str,
            _: serde_json::Map<String, Value>,
        ) -> Result<schemux::Reply, schemux::CallError> {
            Err(schemux::CallError::Transport("nobody".into()))
        }
        async fn list(&self) -> Result<Vec<Value>, schemux::CallError> {
            Err(schemux::CallError::Transport("nobody".into()))
        }
    }
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let error = runtime.block_on(Client::new(Nobody).verify_contract(TOOLS)).unwrap_err();
    assert_eq!(error.to_string(), "no answer from the server: nobody");
}
