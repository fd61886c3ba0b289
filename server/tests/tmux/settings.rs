//! Options, hooks and environments, without a tool in between.

use schemux_server::tmux::{
    Hook, OptionScope, OptionValue, PaneId, SessionId, TmuxError, Variable, hook, hooks, set_option,
    show_option,
};
use schemux_tests::TmuxWorld;

use super::server;

#[tokio::test]
async fn options_are_exact_and_unset_is_told_from_empty() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let session = OptionScope::Session(SessionId(0));
    let value = "a;\n\t'\"\\ $x #{y} \x1b\\033;";
    set_option(&server, &session, "@o", value).await.unwrap();
    let shown = show_option(&server, &session, "@o").await.unwrap();
    assert_eq!(shown, (Some("@o".to_owned()), OptionValue::One(value.to_owned())));
    assert_eq!(show_option(&server, &session, "status-left").await.unwrap().1, OptionValue::Unset);
    set_option(&server, &session, "status-left", "").await.unwrap();
    assert_eq!(
        show_option(&server, &session, "status-left").await.unwrap().1,
        OptionValue::One(String::new())
    );
    let list = OptionValue::List(vec![("2".to_owned(), "x".to_owned())]);
    set_option(&server, &OptionScope::Server, "user-keys[2]", "x").await.unwrap();
    assert_eq!(show_option(&server, &OptionScope::Own(None), "user-keys").await.unwrap().1, list);
    let missing = show_option(&server, &OptionScope::Pane(PaneId(0)), "@o").await;
    assert_eq!(missing, Err(TmuxError::NoSuchOption { option: "@o".to_owned() }));
    let ambiguous = show_option(&server, &OptionScope::AllSessions, "status-").await;
    assert_eq!(ambiguous, Err(TmuxError::AmbiguousOption { option: "status-".to_owned() }));
    let bad = set_option(&server, &OptionScope::AllSessions, "history-limit", "secret").await.unwrap_err();
    assert!(matches!(bad, TmuxError::BadOptionValue { .. }) && !bad.to_string().contains("secret"), "{bad}");
}

#[tokio::test]
async fn hooks_and_what_is_none() {
    let world = TmuxWorld::start();
    let server = server(&world);
    world.tmux(["set-hook", "-p", "-t", "%0", "pane-exited", "run-shell 'true #{x}'"]);
    let pane = [OptionScope::Pane(PaneId(0))];
    let set = Hook {
        name: "pane-exited".to_owned(),
        index: Some("0".to_owned()),
        command: "run-shell \"true #{x}\"".to_owned(),
    };
    assert_eq!(hooks(&server, &pane).await.unwrap(), std::slice::from_ref(&set));
    assert_eq!(hook(&server, &pane, "pane-exited").await.unwrap(), [set]);
    assert_eq!(hook(&server, &pane, "pane-died").await.unwrap(), []);
    for no_hook in ["status", "nothing"] {
        let found = hook(&server, &pane, no_hook).await;
        assert_eq!(found, Err(TmuxError::NoSuchHook { hook: no_hook.to_owned() }));
    }
}

#[tokio::test]
async fn variables_cannot_be_forged() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let (session, value) = (Some(SessionId(0)), "x\"; export A;\nFORGED=\"y\\");
    server.set_variable(session, "A", value).await.unwrap();
    let variables = server.variables(session).await.unwrap();
    assert!(variables.contains(&("A".to_owned(), Variable::Set(value.to_owned()))));
    assert!(!variables.iter().any(|(name, _)| name == "FORGED"));
    let gone = server.variables(Some(SessionId(9))).await;
    assert_eq!(gone, Err(TmuxError::NoSuchSession { session: "$9".to_owned() }));
    let bad = server.set_variable(None, "A=", "x").await;
    assert_eq!(bad, Err(TmuxError::BadVariable { name: "A=".to_owned() }));
}
