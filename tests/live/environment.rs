//! The environment for new programs: exact, and without what looks secret.

use schemux::{
    DisplayMessageArgs, EnvironmentValue, SetEnvironmentArgs, ShowEnvironmentArgs, ShowHooksArgs,
    ShowOptionArgs,
};
use schemux_tests::TmuxWorld;

use super::support::{bare, client, connect, program, refused};

fn text(value: &str) -> EnvironmentValue {
    EnvironmentValue::String(value.to_owned())
}

#[tokio::test]
async fn values_are_exact() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for value in [
        "",
        "x y=z",
        "l1\nl2=3",
        "a\nB=\"x\"; export B;\nunset C;\n",
        "$HOME `id` \\ \" '",
        "v;",
        ";",
        "-x",
        "\\033\x1b\t\r",
        "zażółć ␞",
        "#{pane_id} %H",
    ] {
        let set =
            client.set_environment(SetEnvironmentArgs::new("ODD", value).session_name("main")).await.unwrap();
        assert_eq!((&*set.name, &*set.value, &*set.status), ("ODD", value, "set"));
        client.set_environment(SetEnvironmentArgs::new("ODD_G", value)).await.unwrap();
        let shown = client.show_environment(ShowEnvironmentArgs::new().session_name("main")).await.unwrap();
        assert_eq!(shown.variables["ODD"], text(value));
        assert!(!shown.variables.contains_key("l2") && !shown.variables.contains_key("B"));
        let shown = client.show_environment(ShowEnvironmentArgs::new()).await.unwrap();
        assert_eq!(shown.variables["ODD_G"], text(value));
        assert!(!shown.variables.contains_key("ODD"));
    }
    client.close().await;
}

#[tokio::test]
async fn sessions_removed_and_hidden_ones() {
    let world = TmuxWorld::start();
    let other = world.tmux(["new-session", "-d", "-P", "-F", "#{session_id}", "-s", "other", "exec cat"]);
    world.tmux(["set-environment", "-t", "main", "-r", "GONE"]);
    world.tmux(["set-environment", "-t", "main", "-h", "HIDDEN", "x"]);
    let client = client(&world).await;
    client.set_environment(SetEnvironmentArgs::new("V", "of other").session_id(&other)).await.unwrap();
    let of_main =
        client.show_environment(ShowEnvironmentArgs::new().session_name("main")).await.unwrap().variables;
    assert_eq!(of_main["-GONE"], EnvironmentValue::Boolean(true));
    assert!(!of_main.contains_key("HIDDEN") && !of_main.contains_key("V"));
    let of_other =
        client.show_environment(ShowEnvironmentArgs::new().session_id(&other)).await.unwrap().variables;
    assert_eq!(of_other["V"], text("of other"));
    for args in
        [ShowEnvironmentArgs::new().session_name("nope"), ShowEnvironmentArgs::new().session_id("$99")]
    {
        assert_eq!(refused(client.show_environment(args).await).error_type, "TmuxObjectDoesNotExist");
    }
    let nowhere = SetEnvironmentArgs::new("V", "x").session_name("nope");
    assert_eq!(refused(client.set_environment(nowhere).await).error_type, "TmuxObjectDoesNotExist");
    client.close().await;
}

#[tokio::test]
async fn names_that_cannot_be() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for name in ["", "A=B", "A\nB", "A\0"] {
        let error = refused(client.set_environment(SetEnvironmentArgs::new(name, "hunter2")).await);
        assert_eq!((&*error.error_type, error.expected), ("ValueError", true), "{name:?}: {error}");
        assert!(!error.message.contains("hunter2"), "{error}");
    }
    assert_eq!(
        refused(client.set_environment(SetEnvironmentArgs::new("A", "b\0")).await).error_type,
        "ValueError"
    );
    // What looks like a flag or the end of a command is a name.
    for name in ["-u", "A;", "-"] {
        client.set_environment(SetEnvironmentArgs::new(name, "v")).await.unwrap();
        let shown = client.show_environment(ShowEnvironmentArgs::new()).await.unwrap();
        assert_eq!(shown.variables[name], text("v"), "{name}");
    }
    client.close().await;
}

#[tokio::test]
async fn secrets_are_withheld() {
    let world = TmuxWorld::start();
    let secrets = [
        ("SECRET_TOKEN", "hunter2"),
        ("DB_PASSWORD", "hunter2\nPLAIN=hunter2"),
        ("DATABASE_URL", "postgres://me:hunter2@host/db"),
    ];
    for (name, value) in secrets {
        world.tmux(["set-environment", "-t", "main", name, value]);
    }
    world.tmux(["set-environment", "-t", "main", "EDITOR", "vi"]);
    world.tmux(["set-environment", "-gh", "GLOBAL_KEY", "hunter2"]);
    world.tmux(["set-environment", "-t", "main", "-r", "GONE_TOKEN"]);
    let of_main = || ShowEnvironmentArgs::new().session_name("main");
    let one = client(&world).await;
    let shown = one.show_environment(of_main()).await.unwrap().variables;
    for (name, _) in secrets {
        assert_eq!(shown[name], text("[withheld]"));
    }
    assert_eq!((&shown["EDITOR"], &shown["-GONE_TOKEN"]), (&text("vi"), &EnvironmentValue::Boolean(true)));
    assert!(!format!("{shown:?}").contains("hunter2"));
    // tmux gives variables of the environment where those of its own are asked for.
    let message = |text: &str| DisplayMessageArgs::new(text).session_name("main");
    for (text, expected) in [
        ("<#{SECRET_TOKEN}#{DATABASE_URL}> #{EDITOR}", "<[withheld][withheld]> vi"),
        ("#{GLOBAL_KEY} #{NO_SUCH_TOKEN}#{mode-keys} #{key-table}", "[withheld] emacs root"),
    ] {
        assert_eq!(one.display_message(message(text)).await.unwrap(), expected);
    }
    one.close().await;

    let mut some = program(&world);
    some.args(["--show-secrets", "SECRET_TOKEN"]);
    let mut all = program(&world);
    all.env("SCHEMUX_SHOW_ENVIRONMENT", "*");
    for (command, database) in [(some, "[withheld]"), (all, secrets[2].1)] {
        let client = connect(command).await;
        let shown = client.show_environment(of_main()).await.unwrap().variables;
        assert_eq!((&shown["SECRET_TOKEN"], &shown["DATABASE_URL"]), (&text("hunter2"), &text(database)));
        let said = client.display_message(message("#{SECRET_TOKEN} #{DATABASE_URL}")).await.unwrap();
        assert_eq!(said, format!("hunter2 {database}"));
        client.close().await;
    }
}

#[tokio::test]
async fn without_a_server_nothing_is_empty() {
    let sockets = tempfile::tempdir().unwrap();
    let client = connect(bare(sockets.path())).await;
    for error in [
        refused(client.show_environment(ShowEnvironmentArgs::new()).await),
        refused(client.set_environment(SetEnvironmentArgs::new("A", "b")).await),
        refused(client.show_hooks(ShowHooksArgs::new()).await),
        refused(client.show_hooks(ShowHooksArgs::new().global(true)).await),
        refused(client.show_option(ShowOptionArgs::new("status")).await),
        refused(client.show_option(ShowOptionArgs::new("status").global(true)).await),
    ] {
        assert_eq!((&*error.error_type, error.expected), ("TmuxObjectDoesNotExist", true), "{error}");
        assert!(error.message.contains("no tmux server"), "{error}");
    }
    client.close().await;
}
