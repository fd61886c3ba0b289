//! Options and hooks: what is set where, exactly.

use schemux::{Scope, SetOptionArgs, ShowHookArgs, ShowHooksArgs, ShowOptionArgs};
use schemux_tests::TmuxWorld;
use serde_json::{Value, json};

use super::support::{client, refused};

/// Texts that some reader on the way could take for something else.
const ODD: &[&str] = &[
    "",
    " ",
    "a b",
    "  a ",
    "a;",
    ";",
    "-x",
    "-u",
    "$HOME",
    "x$",
    "\\",
    "a\\b",
    "a\\nb",
    "~",
    "~x",
    "#",
    "##[x]",
    "\"",
    "'",
    "\"a",
    "'a'",
    "\"a\"",
    "a\nb",
    "a\tb c",
    "\x1b[0m\\033",
    "\x01\x02 \r\x7f",
    "é ü ␞ 日本",
    "{a}",
    "%d %%",
    "#(touch PROOF) #{pane_id}",
    "it's $x \\ \" `id`\n",
    "007",
    "-5",
    "1.5",
    "true",
    "a 'b' \"c\" \\\\",
];

#[tokio::test]
async fn values_are_exact() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for value in ODD {
        for option in ["@odd", "@odd name;", "status-left"] {
            let set = client.set_option(SetOptionArgs::new(option, *value).global(true)).await.unwrap();
            assert_eq!((&*set.option, &*set.value, &*set.status), (option, *value, "set"));
            let shown = client.show_option(ShowOptionArgs::new(option).global(true)).await.unwrap();
            assert_eq!((&*shown.option, &shown.value), (option, &json!(value)), "{option}");
        }
    }
    // Nothing was run.
    assert!(world.has_pane("%0"));
    assert_eq!(world.tmux(["list-windows", "-a"]).lines().count(), 1);
    client.close().await;
}

#[tokio::test]
async fn nothing_is_injected() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for (option, value) in [
        ("status;", "kill-server"),
        ("@a;", "new-window"),
        ("-u", "@a"),
        ("-g", "value"),
        ("#{x}", "value"),
        ("\\;", "value"),
    ] {
        // Names such as `@a;` can be set.
        let result = client.set_option(SetOptionArgs::new(option, value)).await;
        if option == "@a;" {
            result.unwrap();
        } else {
            let error = refused(result);
            assert!(error.expected && !error.message.contains(value), "{option}: {error}");
        }
    }
    assert_eq!(world.tmux(["list-windows", "-a"]).lines().count(), 1);
    assert_eq!(refused(client.set_option(SetOptionArgs::new("@a", "x\0")).await).error_type, "ValueError");
    client.close().await;
}

#[tokio::test]
async fn kinds_of_values() {
    let world = TmuxWorld::start();
    world.tmux(["set-option", "-g", "update-environment[50]", "5"]);
    world.tmux(["set-option", "-s", "user-keys[0]", "\\e[5;30012~"]);
    world.tmux(["set-option", "-sa", "terminal-overrides", ",x*:Tc:sitm=\\E[3m:colors=256"]);
    world.tmux(["set-option", "-sa", "terminal-features", ",bar*:RGB:title"]);
    world.tmux(["set-option", "-sa", "command-alias", ",zoom=resize-pane -Z"]);
    let client = client(&world).await;
    let show = async |option: &str| {
        client.show_option(ShowOptionArgs::new(option).global(true)).await.unwrap().value
    };
    for (option, value) in [
        ("history-limit", json!(2000)),
        ("history-l", json!(2000)),
        ("renumber-windows", json!(false)),
        ("status", json!(true)),
        ("default-command", json!("")),
        ("prefix", json!("C-b")),
        ("word-separators", json!(world.tmux(["show-options", "-gv", "word-separators"]))),
        ("update-environment[50]", json!(5)),
        ("update-environment[050]", json!(5)),
        ("update-environment[77]", Value::Null),
        ("status[1]", Value::Null),
        ("user-keys", json!({"0": "\\e[5;30012~"})),
    ] {
        assert_eq!(show(option).await, value, "{option}");
    }
    assert_eq!(show("update-environment").await["50"], "5");
    assert_eq!(show("status-format").await.as_object().unwrap().keys().next().unwrap(), "0");
    assert_eq!(show("terminal-overrides").await["x*"], json!({"Tc": null, "sitm": "\\E[3m", "colors": 256}));
    let features = show("terminal-features").await;
    assert_eq!(features["bar*"], json!(["RGB", "title"]));
    assert!(features["xterm*"].as_array().unwrap().contains(&json!("title")));
    assert_eq!(show("command-alias").await["zoom"], "resize-pane -Z");
    client.close().await;
}

#[tokio::test]
async fn scopes_and_targets() {
    let world = TmuxWorld::start();
    let other = world.tmux(["new-session", "-d", "-P", "-F", "#{session_id}", "-s", "other", "exec cat"]);
    world.tmux(["split-window", "-t", "main:", "exec cat"]);
    let client = client(&world).await;
    let set = async |args: SetOptionArgs| client.set_option(args).await.unwrap();
    let show = async |args: ShowOptionArgs| client.show_option(args).await.unwrap().value;
    let at =
        |option: &str, scope: Scope, target: &str| ShowOptionArgs::new(option).scope(scope).target(target);

    set(SetOptionArgs::new("@o", "session").scope(Scope::Session).target("other")).await;
    assert_eq!(show(at("@o", Scope::Session, "other")).await, "session");
    assert_eq!(show(at("@o", Scope::Session, &other)).await, "session");
    let unset = client.show_option(at("@o", Scope::Session, "main")).await;
    assert_eq!(refused(unset).error_type, "InvalidOption");
    set(SetOptionArgs::new("mode-keys", "vi").scope(Scope::Window).target("@0")).await;
    assert_eq!(show(at("mode-keys", Scope::Window, "@0")).await, "vi");
    assert_eq!(show(at("mode-keys", Scope::Window, "@1")).await, Value::Null);
    set(SetOptionArgs::new("remain-on-exit", "on").scope(Scope::Pane).target("%0")).await;
    assert_eq!(show(at("remain-on-exit", Scope::Pane, "%0")).await, true);
    assert_eq!(show(at("remain-on-exit", Scope::Pane, "%1")).await, Value::Null);
    set(SetOptionArgs::new("escape-time", "7").scope(Scope::Server)).await;
    assert_eq!(show(at("escape-time", Scope::Server, "ignored")).await, 7);
    assert_eq!(show(ShowOptionArgs::new("escape-time")).await, 7);
    // Server and global together: what holds for all, whatever kind of option it is.
    for (option, value) in
        [("history-limit", json!(2000)), ("mode-keys", json!("emacs")), ("escape-time", json!(7))]
    {
        assert_eq!(show(ShowOptionArgs::new(option).scope(Scope::Server).global(true)).await, value);
    }
    // Panes have no defaults of their own: those of windows hold for them, and no pane is changed instead.
    set(SetOptionArgs::new("remain-on-exit", "failed").scope(Scope::Pane).global(true)).await;
    assert_eq!(world.tmux(["show-options", "-gwv", "remain-on-exit"]), "failed");
    assert_eq!(show(ShowOptionArgs::new("remain-on-exit").scope(Scope::Pane).global(true)).await, "failed");
    assert_eq!(show(at("remain-on-exit", Scope::Pane, "%0")).await, true);
    // Nothing said: the first session, whichever was used last.
    world.tmux(["send-keys", "-t", "other:", "x"]);
    set(SetOptionArgs::new("status", "off")).await;
    assert_eq!(world.tmux(["show-options", "-v", "-t", "main", "status"]), "off");
    assert_eq!(show(ShowOptionArgs::new("status")).await, false);
    assert_eq!(show(at("status", Scope::Session, "other")).await, Value::Null);
    set(SetOptionArgs::new("@p", "pane").scope(Scope::Pane)).await;
    assert_eq!(world.tmux(["show-options", "-pv", "-t", "%0", "@p"]), "pane");
    client.close().await;
}

#[tokio::test]
async fn linked_windows() {
    let world = TmuxWorld::start();
    world.tmux(["new-session", "-d", "-t", "main", "-s", "twin"]);
    let client = client(&world).await;
    let args = SetOptionArgs::new("synchronize-panes", "on").scope(Scope::Window).target("@0");
    client.set_option(args).await.unwrap();
    let shown = ShowOptionArgs::new("synchronize-panes").scope(Scope::Window).target("@0");
    assert_eq!(client.show_option(shown).await.unwrap().value, true);
    client.close().await;
}

#[tokio::test]
async fn refusals() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let show = async |args: ShowOptionArgs| refused(client.show_option(args).await);
    for (option, kind) in [("nope", "InvalidOption"), ("stat", "AmbiguousOption"), ("@u", "InvalidOption")] {
        for global in [true, false] {
            let error = show(ShowOptionArgs::new(option).global(global)).await;
            assert_eq!((&*error.error_type, error.expected), (kind, true), "{option}: {error}");
            assert!(error.message.contains(option), "{error}");
        }
    }
    assert!(matches!(&*show(ShowOptionArgs::new("")).await.error_type, "InvalidOption" | "AmbiguousOption"));
    let error = show(ShowOptionArgs::new("status").target("main")).await;
    assert!(error.expected && error.message.contains("scope"), "{error}");
    for (scope, target, kind) in [
        (Scope::Session, "nope", "TmuxObjectDoesNotExist"),
        (Scope::Session, "mai", "TmuxObjectDoesNotExist"),
        (Scope::Session, "$99", "TmuxObjectDoesNotExist"),
        (Scope::Window, "main", "TmuxObjectDoesNotExist"),
        (Scope::Window, "@99", "TmuxObjectDoesNotExist"),
        (Scope::Pane, "%99", "PaneNotFound"),
    ] {
        assert_eq!(show(ShowOptionArgs::new("status").scope(scope).target(target)).await.error_type, kind);
        let global = ShowOptionArgs::new("status").scope(scope).target(target).global(true);
        assert_eq!(show(global).await.error_type, kind);
    }
    let set = async |option: &str, value: &str| {
        refused(client.set_option(SetOptionArgs::new(option, value).global(true)).await)
    };
    for (option, value) in [
        ("status", "hunter2"),
        ("history-limit", "hunter2"),
        ("history-limit", "-5"),
        ("mode-keys", "hunter2"),
    ] {
        let error = set(option, value).await;
        assert_eq!((&*error.error_type, error.expected), ("OptionError", true), "{error}");
        assert!(error.message.contains(option) && !error.message.contains("hunter2"), "{error}");
    }
    assert_eq!(set("nope", "1").await.error_type, "InvalidOption");
    assert_eq!(set("stat", "1").await.error_type, "AmbiguousOption");
    // tmux counts in 32 bits: it would set another entry.
    let before = world.tmux(["show-options", "-g", "status-format"]);
    for index in ["4294967296", "99999999999", "2147483648", "-1", "x", "", "0]["] {
        let option = format!("status-format[{index}]");
        for error in [set(&option, "x").await, show(ShowOptionArgs::new(&option).global(true)).await] {
            assert_eq!((&*error.error_type, error.expected), ("InvalidOption", true), "{error}");
            assert!(error.message.contains("whole number"), "{error}");
        }
    }
    assert_eq!(world.tmux(["show-options", "-g", "status-format"]), before);
    client.close().await;
}

fn entries(result: schemux::HookListResult) -> Vec<(String, Option<i64>, String)> {
    result.entries.unwrap().into_iter().map(|entry| (entry.hook_name, entry.index, entry.command)).collect()
}

fn entry(name: &str, index: i64, command: &str) -> (String, Option<i64>, String) {
    (name.to_owned(), Some(index), command.to_owned())
}

/// A world with hooks in all scopes.
fn hooked() -> TmuxWorld {
    let world = TmuxWorld::start();
    world.tmux(["split-window", "-d", "-t", "main:", "exec cat"]);
    for words in [
        &["-g", "session-renamed", "display-message \"hi\nthere  \\\\ #{y}\""] as &[&str],
        &["-ga", "session-renamed", "run-shell true ; display-message b"],
        &["-t", "main", "session-window-changed", "display-message s"],
        &["-w", "-t", "@0", "window-resized", "display-message w"],
        &["-p", "-t", "%0", "pane-exited", "display-message p"],
        &["-g", "pane-focus-in[3]", "display-message z"],
        &["-g", "@mine", "display-message 'c d'"],
    ] {
        world.tmux([&["set-hook"], words].concat());
    }
    world
}

const HI: &str = "display-message \"hi\\nthere  \\\\ #{y}\"";

#[tokio::test]
async fn hooks_of_every_scope() {
    let world = hooked();
    let client = client(&world).await;
    let show = async |args| entries(client.show_hooks(args).await.unwrap());
    let new = ShowHooksArgs::new;
    let global =
        [entry("session-renamed", 0, HI), entry("session-renamed", 1, "run-shell true ; display-message b")];
    let focus = entry("pane-focus-in", 3, "display-message z");
    assert_eq!(show(new().global(true)).await, global);
    assert_eq!(show(new().scope(Scope::Session).global(true)).await, global);
    assert_eq!(show(new().scope(Scope::Window).global(true)).await, std::slice::from_ref(&focus));
    assert_eq!(show(new().scope(Scope::Pane).global(true)).await, std::slice::from_ref(&focus));
    assert_eq!(show(new().scope(Scope::Server)).await, [&[focus], &global[..]].concat());
    let session = [entry("session-window-changed", 0, "display-message s")];
    assert_eq!(show(new()).await, session);
    assert_eq!(show(new().scope(Scope::Session).target("main")).await, session);
    assert_eq!(
        show(new().scope(Scope::Window).target("@0")).await,
        [entry("window-resized", 0, "display-message w")]
    );
    assert_eq!(
        show(new().scope(Scope::Pane).target("%0")).await,
        [entry("pane-exited", 0, "display-message p")]
    );
    assert_eq!(show(new().scope(Scope::Pane).target("%1")).await, []);
    let error = refused(client.show_hooks(new().target("main")).await);
    assert!(error.message.contains("scope"), "{error}");
    let error = refused(client.show_hooks(new().scope(Scope::Session).target("zz")).await);
    assert_eq!(error.error_type, "TmuxObjectDoesNotExist");
    client.close().await;
}

#[tokio::test]
async fn one_hook() {
    let world = hooked();
    let client = client(&world).await;
    let show = async |args| entries(client.show_hook(args).await.unwrap());
    let global = |name: &str| ShowHookArgs::new(name).global(true);
    let first = entry("session-renamed", 0, HI);
    let second = entry("session-renamed", 1, "run-shell true ; display-message b");
    assert_eq!(show(global("session-renamed")).await, [first.clone(), second.clone()]);
    assert_eq!(show(global("session-ren")).await, [first.clone(), second.clone()]);
    assert_eq!(
        show(ShowHookArgs::new("session-renamed").scope(Scope::Server)).await,
        [first, second.clone()]
    );
    assert_eq!(show(global("session-renamed[1]")).await, [second]);
    for unset in ["session-renamed[7]", "alert-bell", "pane-exited"] {
        assert_eq!(show(global(unset)).await, [], "{unset}");
    }
    assert_eq!(show(ShowHookArgs::new("session-renamed")).await, []);
    let focus = ShowHookArgs::new("pane-focus-in").scope(Scope::Server);
    assert_eq!(show(focus).await, [entry("pane-focus-in", 3, "display-message z")]);
    let exited = ShowHookArgs::new("pane-exited").scope(Scope::Pane).target("%0");
    assert_eq!(show(exited).await, [entry("pane-exited", 0, "display-message p")]);
    let resized = ShowHookArgs::new("window-resized").scope(Scope::Window).target("@0");
    assert_eq!(show(resized).await, [entry("window-resized", 0, "display-message w")]);
    assert_eq!(show(global("@mine")).await, [("@mine".to_owned(), None, "display-message 'c d'".to_owned())]);
    for (name, kind) in [
        ("bogus", "InvalidOption"),
        ("status", "InvalidOption"),
        ("update-environment", "InvalidOption"),
        ("session-", "AmbiguousOption"),
    ] {
        for args in [global(name), ShowHookArgs::new(name)] {
            let error = refused(client.show_hook(args).await);
            assert_eq!((&*error.error_type, error.expected), (kind, true), "{name}: {error}");
        }
    }
    client.close().await;
}
