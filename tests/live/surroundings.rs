//! The tools in the surroundings that people have: indices from 1, hooks that print, a terminal that somebody looks at, a C locale, a
//! shell that takes its time, titles that programs set, names that look like targets.

use schemux::{
    CapturePaneArgs, CreateSessionArgs, CreateWindowArgs, DisplayMessageArgs, GetPaneInfoArgs,
    GetSessionInfoArgs, KillSessionArgs, ListPanesArgs, ListSessionsArgs, ListWindowsArgs, MoveWindowArgs,
    RenameSessionArgs, RunCommandArgs, Scope, SendKeysArgs, SetOptionArgs, SnapshotPaneArgs, SplitWindowArgs,
};
use schemux_tests::{TmuxWorld, until};

use super::support::{client, connect, program};

fn run(pane: &str, command: &str) -> RunCommandArgs {
    RunCommandArgs::new(command).pane_id(pane).timeout(20.0)
}

#[tokio::test]
async fn names_that_look_like_targets() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for name in [
        "=x",
        "@0",
        "%0",
        "$0",
        "{last}",
        "{mouse}",
        "+",
        "-",
        "!",
        "~",
        "^",
        "*",
        "m*",
        "mai",
        "main2",
        "0",
        "7",
        "-t",
        "~",
        "[a]",
        "a;",
        "it's",
        "#{session_id}",
        " ",
        "日本 🎉",
    ] {
        let made = client.create_session(CreateSessionArgs::new().session_name(name)).await.unwrap();
        assert_eq!(made.session_name.as_deref(), Some(name));
        let id = made.session_id.clone();
        let got = client.get_session_info(GetSessionInfoArgs::new().session_name(name)).await.unwrap();
        assert_eq!(got.session_id, made.session_id, "{name:?}");
        let window = client.create_window(CreateWindowArgs::new().session_name(name)).await.unwrap();
        assert_eq!(window.session_id.as_ref(), Some(&made.session_id), "{name:?}");
        for window in client.list_windows(ListWindowsArgs::new().session_name(name)).await.unwrap() {
            assert_eq!(window.session_id.as_ref(), Some(&made.session_id), "{name:?}");
        }
        let message = DisplayMessageArgs::new("#{session_id}").session_name(name);
        assert_eq!(client.display_message(message).await.unwrap(), id, "{name:?}");
        let set = SetOptionArgs::new("@of", &id).scope(Scope::Session).target(name);
        client.set_option(set).await.unwrap();
        assert_eq!(world.tmux(["show-options", "-v", "-t", &id, "@of"]), id, "{name:?}");
        let renamed =
            client.rename_session(RenameSessionArgs::new("other").session_name(name)).await.unwrap();
        assert_eq!(renamed.session_id, made.session_id, "{name:?}");
        let renamed =
            client.rename_session(RenameSessionArgs::new(name).session_name("other")).await.unwrap();
        assert_eq!(renamed.session_name.as_deref(), Some(name));
        client.kill_session(KillSessionArgs::new().session_name(name)).await.unwrap();
        assert_eq!(world.tmux(["list-sessions", "-F", "#{session_name}"]), "main", "{name:?}");
    }
    client.close().await;
}

#[tokio::test]
async fn indices_begin_where_the_user_says() {
    let world = TmuxWorld::start();
    for option in ["base-index", "pane-base-index"] {
        world.tmux(["set-option", "-g", option, "1"]);
    }
    world.tmux(["set-option", "-g", "renumber-windows", "on"]);
    world.tmux(["set-option", "-g", "pane-border-status", "top"]);
    let client = client(&world).await;
    client.create_session(CreateSessionArgs::new().session_name("work")).await.unwrap();
    let second = client.create_window(CreateWindowArgs::new().session_name("work")).await.unwrap();
    assert_eq!(second.window_index.as_deref(), Some("2"));
    let split = SplitWindowArgs::new().session_name("work").window_index("1");
    assert_eq!(client.split_window(split).await.unwrap().pane_index.as_deref(), Some("2"));
    let panes = ListPanesArgs::new().session_name("work").window_index("1");
    let panes = client.list_panes(panes).await.unwrap();
    assert_eq!(panes.iter().map(|pane| pane.pane_index.as_deref().unwrap()).collect::<Vec<_>>(), ["1", "2"]);
    let moved = MoveWindowArgs::new().window_id(second.window_id.as_str()).destination_index("5");
    let moved = client.move_window(moved).await.unwrap();
    let index = world.tmux(["display-message", "-p", "-t", &second.window_id, "#{window_index}"]);
    assert_eq!(moved.window_index, Some(index));
    // Whoever names nothing gets the first window and pane there are.
    let first = client.get_pane_info(GetPaneInfoArgs::new().session_name("work")).await.unwrap();
    assert_eq!(first.pane_id, panes[0].pane_id);
    client.close().await;
}

#[tokio::test]
async fn hooks_that_print_and_aliases_change_no_answer() {
    let world = TmuxWorld::start();
    for hook in [
        "after-list-panes",
        "after-list-windows",
        "after-new-window",
        "after-split-window",
        "after-send-keys",
    ] {
        world.tmux(["set-hook", "-g", hook, "display-message -p HOOKED"]);
    }
    let alias = "new-window=new-window -e ALIASED=yes";
    world.tmux(["set-option", "-s", "command-alias[90]", alias]);
    world.tmux(["set-option", "-g", "status-left", "#(echo HOOKED)"]);
    world.tmux(["set-option", "-g", "allow-rename", "on"]);
    let client = client(&world).await;
    let made = client
        .create_window(CreateWindowArgs::new().session_name("main").window_name("second"))
        .await
        .unwrap();
    assert_eq!(made.window_name.as_deref(), Some("second"));
    let split = client.split_window(SplitWindowArgs::new().window_id(&made.window_id)).await.unwrap();
    assert_eq!(split.window_id.as_ref(), Some(&made.window_id));
    assert_eq!(client.list_sessions(ListSessionsArgs::new()).await.unwrap().len(), 1);
    assert_eq!(client.list_windows(ListWindowsArgs::new()).await.unwrap().len(), 2);
    assert_eq!(client.list_panes(ListPanesArgs::new()).await.unwrap().len(), 3);
    let ran = client.run_command(run(&split.pane_id, "echo ran")).await.unwrap();
    assert_eq!((ran.output.unwrap(), ran.exit_status), (vec!["ran".to_owned()], Some(0)));
    let shown = client.capture_pane(CapturePaneArgs::new().pane_id(&split.pane_id)).await.unwrap();
    assert!(shown.contains("\nran\n") && !shown.contains("HOOKED"), "{shown}");
    client.close().await;
}

#[tokio::test]
async fn somebody_looks_on() {
    let world = TmuxWorld::start();
    // A terminal on the session: a pane of another tmux.
    let desk = TmuxWorld::start();
    let tmux = world.program();
    let attach = format!(
        "TMUX= TMUX_TMPDIR={} {} attach-session -t main",
        world.directory().display(),
        tmux.display()
    );
    let terminal = desk.pane(&attach);
    until("it is attached", || !world.tmux(["list-clients"]).is_empty()).await;
    let pane = world.tmux(["display-message", "-p", "-t", "main:", "#{pane_id}"]);
    let client = client(&world).await;
    let ran = client.run_command(run(&pane, "echo ran-out")).await.unwrap();
    assert_eq!((ran.output.unwrap(), ran.exit_status), (vec!["ran-out".to_owned()], Some(0)));
    client.send_keys(SendKeysArgs::new("echo sent-out").pane_id(&pane)).await.unwrap();
    until("it is seen there", || {
        desk.tmux(["capture-pane", "-p", "-t", &terminal]).lines().any(|line| line == "sent-out")
    })
    .await;
    let seen = client.list_sessions(ListSessionsArgs::new()).await.unwrap();
    assert_eq!(seen[0].session_attached.as_deref(), Some("1"));
    let size = world.tmux(["display-message", "-p", "-t", "main:", "#{window_width}"]);
    assert_eq!(size, "80", "the size of the window is the terminal's");
    client.close().await;
}

#[tokio::test]
async fn no_locale() {
    let world = TmuxWorld::start();
    let mut command = program(&world);
    command.env("LC_ALL", "C").env_remove("LANG").env_remove("LC_CTYPE");
    let client = connect(command).await;
    let made = client.create_session(CreateSessionArgs::new().session_name("日本")).await.unwrap();
    assert_eq!(made.session_name.as_deref(), Some("日本"));
    let listed = client.list_panes(ListPanesArgs::new().session_name("日本")).await.unwrap();
    let pane = listed[0].pane_id.clone();
    let ran = client.run_command(run(&pane, "echo héllo 日本語 🎉 e\u{301}")).await.unwrap();
    assert_eq!(ran.output.unwrap(), ["héllo 日本語 🎉 e\u{301}"]);
    let shown = client.capture_pane(CapturePaneArgs::new().pane_id(&pane)).await.unwrap();
    assert!(shown.contains("\nhéllo 日本語 🎉 e\u{301}\n"), "{shown}");
    client.close().await;
}

#[tokio::test]
async fn a_shell_that_takes_its_time() {
    let world = TmuxWorld::start();
    let slow = world.directory().join("slow");
    std::fs::write(&slow, "sleep 1\nPS1='$ '\n").unwrap();
    let client = client(&world).await;
    let bash = format!("exec bash --noprofile --rcfile {} -i", slow.display());
    // Which gives what its profile runs the terminal, unlike the other.
    let sh = format!("exec env ENV={} sh -i", slow.display());
    for (name, shell) in [("bash", bash), ("sh", sh)] {
        world.tmux(["set-option", "-g", "default-command", &shell]);
        client.create_session(CreateSessionArgs::new().session_name(name)).await.unwrap();
        let hello = RunCommandArgs::new("echo hello").session_name(name).timeout(20.0);
        let ran = client.run_command(hello).await.unwrap();
        assert_eq!((ran.output.unwrap(), ran.exit_status), (vec!["hello".to_owned()], Some(0)), "{name}");
    }
    client.close().await;
}

#[tokio::test]
async fn titles_that_programs_set() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for title in
        [r"a\tb|c\nd", r"\342\220\236 ;", r"#{pane_id} #(id)", r"\303\351 \377", r"'\042\134", r"%%0 $0"]
    {
        let pane = world.pane(&format!(
            "printf '\\033]2;%s\\033\\134' \"$(printf '{}')\"; echo SET; exec sleep 1000",
            title.replace('\'', "")
        ));
        until("it is set", || world.tmux(["capture-pane", "-p", "-t", &pane]).contains("SET")).await;
        let listed = client.list_panes(ListPanesArgs::new()).await.unwrap();
        let count = world.tmux(["list-panes", "-a", "-F", "x#{pane_id}"]).matches("x%").count();
        assert_eq!(listed.len(), count, "{title}");
        let set = listed.into_iter().find(|row| row.pane_id == pane).unwrap().pane_title;
        assert_eq!(
            set.as_deref(),
            Some(&*world.tmux(["display-message", "-p", "-t", &pane, "#{pane_title}"]))
        );
        let info = client.get_pane_info(GetPaneInfoArgs::new().pane_id(&pane)).await.unwrap();
        let shown = client.snapshot_pane(SnapshotPaneArgs::new().pane_id(&pane)).await.unwrap();
        assert_eq!((&info.pane_title, &shown.title), (&set, &set), "{title}");
        assert_eq!((shown.pane_width, shown.content.as_str()), (80, "SET"), "{title}");
    }
    client.close().await;
}
