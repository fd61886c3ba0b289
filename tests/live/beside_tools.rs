//! What is served beside tools: resources, completions and prompts; and how the contract can be shown.

use rmcp::ServiceExt;
use rmcp::model::{
    ArgumentInfo, CompleteRequestParams, CompletionContext, GetPromptRequestParams,
    ReadResourceRequestParams, Reference,
};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::TokioChildProcess;
use schemux::{Caller, MapOrJson, RespawnPaneArgs};
use schemux_server::hints;
use schemux_tests::TmuxWorld;
use serde_json::{Map, Value, json};

use super::support::{connect, program};

type Rmcp = RunningService<RoleClient, ()>;

async fn session(world: &TmuxWorld) -> Rmcp {
    ().serve(TokioChildProcess::new(program(world)).unwrap()).await.unwrap()
}

/// The body and its MIME type, or the error's code.
async fn read(session: &Rmcp, uri: &str) -> Result<(String, String), i32> {
    match session.read_resource(ReadResourceRequestParams::new(uri)).await {
        Ok(result) => {
            let contents = serde_json::to_value(&result.contents).unwrap();
            assert_eq!(contents[0]["uri"], uri);
            let text = |key: &str| contents[0][key].as_str().unwrap().to_owned();
            Ok((text("text"), text("mimeType")))
        }
        Err(rmcp::ServiceError::McpError(error)) => Err(error.code.0),
        Err(error) => panic!("{uri}: {error}"),
    }
}

async fn json_of(session: &Rmcp, uri: &str) -> Value {
    let (text, mime) = read(session, uri).await.unwrap_or_else(|code| panic!("{uri}: {code}"));
    assert_eq!(mime, "application/json");
    serde_json::from_str(&text).unwrap()
}

#[tokio::test]
async fn resources_are_what_the_tools_answer() {
    let world = TmuxWorld::start();
    world.tmux(["new-session", "-d", "-s", "my dév", "exec sleep 1000"]);
    // The window that is looked at belongs to two sessions.
    world.tmux(["new-session", "-d", "-t", "my dév", "-s", "again"]);
    let pane = world.tmux(["list-panes", "-t", "my dév", "-F", "#{pane_id}"]).trim().to_owned();
    let session = session(&world).await;
    assert_eq!(session.list_all_resource_templates().await.unwrap().len(), 6);
    assert_eq!(session.list_all_resources().await.unwrap().len(), 0);

    let all = json_of(&session, "tmux://sessions").await;
    let names: Vec<_> = all.as_array().unwrap().iter().map(|session| &session["session_name"]).collect();
    assert_eq!(names, ["again", "main", "my dév"]);
    for uri in ["tmux://sessions/my%20d%C3%A9v", "tmux://sessions/my dév"] {
        let one = json_of(&session, uri).await;
        assert_eq!((&one["session_name"], one["windows"].as_array().unwrap().len()), (&json!("my dév"), 1));
    }
    let windows = json_of(&session, "tmux://sessions/again/windows").await;
    assert_eq!(windows[0]["session_name"], "again");
    let window = json_of(&session, "tmux://sessions/again/windows/0?socket_name=").await;
    assert_eq!(window["panes"][0]["pane_id"], pane.as_str());
    let encoded = format!("tmux://panes/{}", pane.replace('%', "%25"));
    for uri in [encoded.clone(), format!("tmux://panes/{pane}")] {
        assert_eq!(json_of(&session, &uri).await["pane_id"], pane.as_str());
    }
    let (text, _) = read(&session, "tmux://sessions").await.unwrap();
    assert!(text.starts_with("[\n  {\n    \"") && text.is_ascii() && text.contains("my d\\u00e9v"), "{text}");
    session.cancel().await.unwrap();
}

#[tokio::test]
async fn a_panes_content_is_its_screen() {
    let world = TmuxWorld::start();
    let pane = world.pane("printf 'one\\n  two\\n'; exec sleep 1000");
    world.until("it shows", || world.tmux(["capture-pane", "-p", "-t", &pane]).contains("two"));
    let session = session(&world).await;
    let content = read(&session, &format!("tmux://panes/{pane}/content")).await;
    assert_eq!(content, Ok(("one\n  two".to_owned(), "text/plain".to_owned())));
    session.cancel().await.unwrap();
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    const NOT_FOUND: i32 = -32002;
    let world = TmuxWorld::start();
    let session = session(&world).await;
    for uri in [
        "tmux://sessions/nope",
        "tmux://sessions/nope/windows",
        "tmux://sessions/main/windows/99",
        "tmux://panes/%2599",
        "tmux://panes/%99/content",
        "tmux://nope",
        "tmux://sessions/../x",
        "http://x",
        "",
    ] {
        assert_eq!(read(&session, uri).await, Err(NOT_FOUND), "{uri}");
    }
    assert_eq!(json_of(&session, "tmux://sessions?socket_name=nobody").await, json!([]));
    session.cancel().await.unwrap();
    // What is not offered as a tool is no resource either.
    let mut command = program(&world);
    command.env("LIBTMUX_TOOLSETS", "manage");
    let session: Rmcp = ().serve(TokioChildProcess::new(command).unwrap()).await.unwrap();
    assert_eq!(session.list_all_resource_templates().await.unwrap().len(), 0);
    assert_eq!(read(&session, "tmux://sessions").await, Err(NOT_FOUND));
    session.cancel().await.unwrap();
}

#[tokio::test]
async fn variables_are_completed_with_what_is_there() {
    let world = TmuxWorld::start();
    world.tmux(["new-session", "-d", "-s", "alpha", "exec sleep 1000"]);
    world.tmux(["new-window", "-d", "-t", "alpha:7", "exec sleep 1000"]);
    let session = session(&world).await;
    let complete = async |template: &str, variable: &str, typed: &str, known: &[(&str, &str)]| {
        let known = known.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let argument = ArgumentInfo::new(variable, typed);
        let request = CompleteRequestParams::new(Reference::for_resource(template), argument)
            .with_context(CompletionContext::with_arguments(known));
        session.complete(request).await.unwrap().completion.values
    };
    let one = "tmux://sessions/{session_name}{?socket_name}";
    let window = "tmux://sessions/{session_name}/windows/{window_index}{?socket_name}";
    assert_eq!(complete(one, "session_name", "", &[]).await, ["alpha", "main"]);
    assert_eq!(complete(one, "session_name", "al", &[]).await, ["alpha"]);
    assert_eq!(complete("tmux://sessions/x", "session_name", "m", &[]).await, ["main"]);
    assert_eq!(complete(window, "window_index", "", &[("session_name", "alpha")]).await, ["0", "7"]);
    assert_eq!(complete("tmux://panes/{pane_id}{?socket_name}", "pane_id", "%", &[]).await.len(), 3);
    assert_eq!(complete(one, "session_name", "", &[("socket_name", "nobody")]).await, Vec::<String>::new());
    assert_eq!(complete("x://y", "session_name", "", &[]).await, Vec::<String>::new());
    assert_eq!(complete(one, "socket_name", "", &[]).await, Vec::<String>::new());
    session.cancel().await.unwrap();
}

#[tokio::test]
async fn no_log_messages_are_offered() {
    let world = TmuxWorld::start();
    let session = session(&world).await;
    let offered = serde_json::to_value(&session.peer_info().unwrap().capabilities).unwrap();
    let mut names: Vec<_> = offered.as_object().unwrap().keys().cloned().collect();
    names.sort();
    assert_eq!(names, ["completions", "prompts", "resources", "tools"]);
    session.cancel().await.unwrap();
}

#[tokio::test]
async fn prompts_are_filled_in() {
    let world = TmuxWorld::start();
    let session = session(&world).await;
    let names: Vec<_> =
        session.list_all_prompts().await.unwrap().into_iter().map(|prompt| prompt.name).collect();
    assert_eq!(
        names,
        ["run_and_wait", "diagnose_failing_pane", "build_dev_workspace", "interrupt_gracefully"]
    );
    let mut request = GetPromptRequestParams::new("interrupt_gracefully");
    request.arguments = json!({"pane_id": "%7"}).as_object().cloned();
    let filled = serde_json::to_value(session.get_prompt(request).await.unwrap()).unwrap();
    assert_eq!(filled["messages"][0]["role"], "user");
    assert!(filled["messages"][0]["content"]["text"].as_str().unwrap().contains("send_keys(pane_id=\"%7\""));
    for request in [GetPromptRequestParams::new("interrupt_gracefully"), GetPromptRequestParams::new("nope")]
    {
        match session.get_prompt(request).await {
            Err(rmcp::ServiceError::McpError(error)) => assert_eq!(error.code.0, -32602),
            other => panic!("an error was expected, not {other:?}"),
        }
    }
    session.cancel().await.unwrap();
}

#[tokio::test]
async fn the_portable_view_takes_the_same_calls() {
    let world = TmuxWorld::start();
    let pane = world.pane("exec sleep 1000");
    let mut command = program(&world);
    command.env("SCHEMUX_SCHEMAS", "portable").env("SCHEMUX_ANNOTATIONS", "precise");
    let client = connect(command).await;
    let served = client.caller().list().await.unwrap();
    for entry in &served {
        let text = entry["inputSchema"].to_string();
        assert!(
            !["\"null\"", "anyOf", "$schema", "additionalProperties"].iter().any(|word| text.contains(word)),
            "{text}"
        );
        let hints = hints::of(entry["name"].as_str().unwrap()).unwrap();
        assert_eq!(entry["annotations"], hints.annotations());
    }
    let respawn = RespawnPaneArgs::new(&pane).environment(MapOrJson::String(r#"{"A": "1"}"#.to_owned()));
    assert_eq!(client.respawn_pane(respawn).await.unwrap().pane_id, pane);
    let mut arguments = Map::new();
    for (name, value) in [
        ("pane_id", json!(pane)),
        ("environment", Value::Null),
        ("shell", Value::Null),
        ("kill", json!("yes")),
    ] {
        arguments.insert(name.to_owned(), value);
    }
    let reply = client.caller().call("respawn_pane", arguments).await.unwrap();
    assert!(!reply.is_error, "{reply:?}");
    let operations = json!({"operations": "[{\"tool\": \"list_panes\", \"arguments\": \"{}\"}]"});
    let Value::Object(arguments) = operations else { unreachable!() };
    let reply = client.caller().call("call_read_tools_batch", arguments).await.unwrap();
    assert_eq!(reply.structured.unwrap()["succeeded"], 1);
    client.close().await;
}
