//! Windows: listed, made, named, chosen, sized, moved and ended.

use std::collections::BTreeMap;

use schemux::{
    CreateWindowArgs, GetWindowInfoArgs, KillWindowArgs, ListPanesArgs, ListSessionsArgs, ListWindowsArgs,
    MapOrJson, MoveWindowArgs, RenameWindowArgs, ResizeWindowArgs, SelectWindowArgs, WindowDirection,
    WindowInfo, WindowPlacement,
};
use schemux_tests::TmuxWorld;

use super::support::{client, connect, program, refused};

const FIELDS: [&str; 10] = [
    "window_id",
    "window_name",
    "window_index",
    "session_id",
    "session_name",
    "window_layout",
    "window_active",
    "window_width",
    "window_height",
    "pane_id",
];

/// A window as tmux shows it in a session.
fn truth(world: &TmuxWorld, target: &str) -> Vec<String> {
    FIELDS.map(|field| world.tmux(["display-message", "-p", "-t", target, &format!("#{{{field}}}")])).to_vec()
}

fn shown(window: &WindowInfo) -> Vec<String> {
    [
        Some(&window.window_id),
        window.window_name.as_ref(),
        window.window_index.as_ref(),
        window.session_id.as_ref(),
        window.session_name.as_ref(),
        window.window_layout.as_ref(),
        window.window_active.as_ref(),
        window.window_width.as_ref(),
        window.window_height.as_ref(),
        window.active_pane_id.as_ref(),
    ]
    .map(|field| field.cloned().unwrap_or_default())
    .to_vec()
}

fn window(world: &TmuxWorld, target: &str) -> String {
    world.tmux(["display-message", "-p", "-t", target, "#{window_id}"])
}

#[tokio::test]
async fn the_fields_are_those_of_tmux() {
    let world = TmuxWorld::start();
    world.tmux(["set-option", "-g", "automatic-rename", "off"]);
    world.tmux(["new-window", "-d", "-n", "w ␞ #[x \\033", "-t", "main:4", "exec cat"]);
    world.tmux(["split-window", "-h", "-t", "main:4", "exec cat"]);
    world.tmux(["new-session", "-d", "-s", "a", "exec cat"]);
    world.tmux(["link-window", "-s", "main:4", "-t", "a:9"]);
    let client = client(&world).await;
    let all = client.list_windows(ListWindowsArgs::new()).await.unwrap();
    let targets = ["a:0", "a:9", "main:0", "main:4"];
    assert_eq!(
        all.iter().map(shown).collect::<Vec<_>>(),
        targets.map(|target| truth(&world, target)).to_vec()
    );
    assert_eq!(all.iter().map(|window| window.pane_count).collect::<Vec<_>>(), [1, 2, 1, 2]);
    let main = client.list_windows(ListWindowsArgs::new().session_name("main")).await.unwrap();
    assert_eq!(main, all[2..]);
    let by_id = ListWindowsArgs::new().session_id(main[0].session_id.as_deref().unwrap()).session_name("x");
    assert_eq!(client.list_windows(by_id).await.unwrap(), main);

    let get = async |args: GetWindowInfoArgs| client.get_window_info(args).await.map(|window| shown(&window));
    let new = GetWindowInfoArgs::new;
    assert_eq!(get(new()).await.unwrap(), truth(&world, "a:0"));
    assert_eq!(get(new().session_name("main").window_index("4")).await.unwrap(), truth(&world, "main:4"));
    // A window of several sessions is one window: as the named session shows it, else as the oldest.
    let linked = &all[3].window_id;
    assert_eq!(get(new().window_id(linked)).await.unwrap(), truth(&world, "main:4"));
    assert_eq!(get(new().window_id(linked).session_name("a")).await.unwrap(), truth(&world, "a:9"));
    for args in
        [new().window_id("@99"), new().window_id("4"), new().window_index("04"), new().session_id("$9")]
    {
        assert_eq!(refused(get(args).await).error_type, "TmuxObjectDoesNotExist");
    }
    for args in [ListWindowsArgs::new().session_name("mai"), ListWindowsArgs::new().session_id("$9")] {
        assert_eq!(refused(client.list_windows(args).await).error_type, "TmuxObjectDoesNotExist");
    }

    let panes = async |args: ListPanesArgs| {
        let panes = client.list_panes(args).await.unwrap();
        panes.into_iter().map(|pane| pane.pane_id).collect::<Vec<_>>().join(" ")
    };
    let new = ListPanesArgs::new;
    let listed = |scope: &[&str]| {
        let mut words = vec!["list-panes", "-F", "#{pane_id}"];
        words.extend(scope);
        world.tmux(words).replace('\n', " ")
    };
    assert_eq!(panes(new()).await, listed(&["-a"]));
    assert_eq!(panes(new().session_name("a")).await, listed(&["-s", "-t", "a:"]));
    assert_eq!(panes(new().session_name("main").window_index("4")).await, listed(&["-t", "main:4"]));
    assert_eq!(panes(new().window_id(linked)).await, listed(&["-t", "main:4"]));
    assert_eq!(refused(client.list_panes(new().window_id("@99")).await).error_type, "TmuxObjectDoesNotExist");
    client.close().await;
}

#[tokio::test]
async fn it_is_made_as_asked() {
    let world = TmuxWorld::start();
    let root = world.directory().canonicalize().unwrap();
    let odd = root.join("dir #{pane_id} #S;");
    std::fs::create_dir(&odd).unwrap();
    let client = client(&world).await;
    let new = CreateWindowArgs::new;
    let free = client.create_window(new().session_name("main").window_name("-x #S;")).await.unwrap();
    assert_eq!(
        (free.window_name.as_deref(), free.window_index.as_deref(), free.window_active.as_deref()),
        (Some("-x #S;"), Some("1"), Some("0"))
    );
    assert_eq!(shown(&free), truth(&world, "main:1"));
    let before =
        client.create_window(new().direction(WindowPlacement::Before).window_name("b")).await.unwrap();
    assert_eq!(before.window_index.as_deref(), Some("0"));
    let after = client
        .create_window(new().direction(WindowPlacement::After).attach(true).window_name("a"))
        .await
        .unwrap();
    assert_eq!((after.window_index.as_deref(), after.window_active.as_deref()), (Some("2"), Some("1")));
    let order = world.tmux(["list-windows", "-t", "main:", "-F", "#{window_name}"]);
    let order: Vec<_> = order.lines().filter(|name| ["b", "a", "-x #S;"].contains(name)).collect();
    assert_eq!(order, ["b", "a", "-x #S;"]);

    let environment = BTreeMap::from([("ONE".to_owned(), "a b;'é'".to_owned())]);
    let args = new()
        .start_directory(odd.to_str().unwrap())
        .environment(MapOrJson::from(environment))
        .suppress_persistent_history(true)
        .window_name("");
    let made = client.create_window(args).await.unwrap();
    assert_eq!(made.window_name, None);
    let pane = made.active_pane_id.unwrap();
    assert_eq!(
        world.tmux(["display-message", "-p", "-t", &pane, "#{pane_start_path}"]),
        odd.to_str().unwrap()
    );
    let file = root.join("said");
    let say =
        format!("printf '%s|%s' \"$ONE\" \"${{HISTFILE-unset}}\" >{0}.part; mv {0}.part {0}", file.display());
    world.tmux(["send-keys", "-t", &pane, "-l", &say]);
    world.tmux(["send-keys", "-t", &pane, "Enter"]);
    world.until("the shell has answered", || file.exists());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "a b;'é'|");

    let count = || world.tmux(["list-windows", "-a"]).lines().count();
    let before = count();
    for (args, kind) in [
        (new().session_name("nope"), "TmuxObjectDoesNotExist"),
        (new().session_id("$9"), "TmuxObjectDoesNotExist"),
        (new().start_directory("/missing"), "ExpectedToolError"),
        (new().environment(MapOrJson::String("{".to_owned())), "JSONDecodeError"),
    ] {
        assert_eq!(refused(client.create_window(args).await).error_type, kind);
    }
    assert_eq!(count(), before);
    client.close().await;
}

#[tokio::test]
async fn odd_names_stay_and_break_nothing() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for name in ["-x", "#S", "semi;", ";", "a.b:c", "it's \"q\"", "日本 ␞", "{curly}"] {
        let shown = client.rename_window(RenameWindowArgs::new(name)).await.unwrap();
        assert_eq!(shown.window_name.as_deref(), Some(name));
        assert_eq!(world.tmux(["display-message", "-p", "-t", "main:0", "#{window_name}"]), name);
    }
    let none = client.rename_window(RenameWindowArgs::new("").window_index("0")).await.unwrap();
    assert_eq!(none.window_name, None);
    // With a line break: tmux keeps it in some form or refuses it, and everything is listed as before.
    let _ = client.create_window(CreateWindowArgs::new().window_name("a\nb")).await;
    let count = world.tmux(["list-windows", "-a", "-F", "x#{window_id}"]).matches("x@").count();
    assert_eq!(client.list_windows(ListWindowsArgs::new()).await.unwrap().len(), count);
    let error = refused(client.rename_window(RenameWindowArgs::new("x").window_id("@99")).await);
    assert_eq!(error.error_type, "TmuxObjectDoesNotExist");
    client.close().await;
}

#[tokio::test]
async fn current_is_what_was_selected() {
    let world = TmuxWorld::start();
    for index in ["main:1", "main:2"] {
        world.tmux(["new-window", "-d", "-t", index, "exec cat"]);
    }
    world.tmux(["new-session", "-d", "-s", "twin", "-t", "main"]);
    let client = client(&world).await;
    let current = |session: &str| world.tmux(["display-message", "-p", "-t", session, "#{window_index}"]);
    let select = async |args: SelectWindowArgs| {
        let window = client.select_window(args.session_name("main")).await?;
        assert_eq!(window.window_active.as_deref(), Some("1"));
        assert_eq!(window.session_name.as_deref(), Some("main"));
        Ok(window.window_index.unwrap())
    };
    let new = SelectWindowArgs::new;
    for (args, index) in [
        (new().window_index("1"), "1"),
        (new().direction(WindowDirection::Next), "2"),
        (new().direction(WindowDirection::Next), "0"),
        (new().direction(WindowDirection::Last), "2"),
        (new().direction(WindowDirection::Previous), "1"),
        (new().window_id(window(&world, "main:0")).direction(WindowDirection::Next), "0"),
    ] {
        assert_eq!(select(args).await.unwrap(), index);
        assert_eq!(current("main:"), index);
    }
    // Another session of the group keeps its own.
    assert_eq!(current("twin:"), "0");
    assert_eq!(refused(select(new()).await).error_type, "ExpectedToolError");
    assert_eq!(refused(select(new().window_index("9")).await).error_type, "TmuxObjectDoesNotExist");
    world.tmux(["new-session", "-d", "-s", "alone", "exec cat"]);
    for direction in [WindowDirection::Last, WindowDirection::Next] {
        let args = new().session_name("alone").direction(direction);
        let error = refused(client.select_window(args).await);
        assert!(error.expected && error.message.contains("window"), "{error}");
    }
    client.close().await;
}

#[tokio::test]
async fn sizes() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let new = ResizeWindowArgs::new;
    let size = async |args: ResizeWindowArgs| {
        let window = client.resize_window(args).await?;
        Ok((window.window_width.unwrap(), window.window_height.unwrap()))
    };
    let is = |width: &str, height: &str| (width.to_owned(), height.to_owned());
    assert_eq!(size(new()).await.unwrap(), is("80", "24"));
    let own = world.tmux(["show-options", "-w", "-t", "main:", "window-size"]);
    assert_eq!(own, "", "nothing was asked for, so nothing was done");
    assert_eq!(size(new().width(100)).await.unwrap(), is("100", "24"));
    assert_eq!(size(new().width(0).height(30)).await.unwrap(), is("100", "30"));
    assert_eq!(size(new().width(90).height(20)).await.unwrap(), is("90", "20"));
    assert_eq!(world.tmux(["display-message", "-p", "-t", "main:", "#{window_width}"]), "90");
    for args in [new().width(-1), new().height(100_000)] {
        assert_eq!(refused(size(args).await).error_type, "LibTmuxException");
    }
    client.close().await;
}

#[tokio::test]
async fn moved_windows_are_shown_in_their_new_place() {
    let world = TmuxWorld::start();
    for index in ["main:1", "main:2"] {
        world.tmux(["new-window", "-d", "-t", index, "exec cat"]);
    }
    world.tmux(["new-session", "-d", "-s", "other", "exec cat"]);
    let client = client(&world).await;
    let one = window(&world, "main:1");
    let new = || MoveWindowArgs::new().window_id(&one);
    let place = async |args: MoveWindowArgs| {
        let window = client.move_window(args).await?;
        assert_eq!(window.window_id, one);
        let place =
            format!("{}:{}", window.session_name.clone().unwrap(), window.window_index.clone().unwrap());
        assert_eq!(shown(&window), truth(&world, &place));
        Ok(place)
    };
    assert_eq!(place(new().destination_index("7")).await.unwrap(), "main:7");
    assert_eq!(place(new().destination_index("")).await.unwrap(), "main:1");
    assert_eq!(place(new().destination_session("other")).await.unwrap(), "other:1");
    assert_eq!(place(new().destination_session("mai").destination_index("5")).await.unwrap(), "main:5");
    let id = world.tmux(["display-message", "-p", "-t", "other:", "#{session_id}"]);
    assert_eq!(place(new().destination_session(&id).destination_index("+4")).await.unwrap(), "other:4");
    world.tmux(["select-window", "-t", "main:0"]);
    assert_eq!(place(new().destination_session("main").destination_index("+3")).await.unwrap(), "main:3");
    for (args, part) in [
        (new().destination_index("0"), "in use"),
        (new().destination_index("3"), ""),
        (new().destination_session("nope"), "nope"),
        (new().destination_index("abc"), "abc"),
    ] {
        let error = refused(place(args).await);
        assert!(error.expected && error.message.contains(part), "{error}");
    }
    // The last window takes its session with it.
    let last = MoveWindowArgs::new().session_name("other").window_index("0").destination_session("main");
    let moved = client.move_window(last).await.unwrap();
    assert_eq!(moved.session_name.as_deref(), Some("main"));
    assert_eq!(world.tmux(["list-sessions", "-F", "#{session_name}"]), "main");
    // A linked window stays where else it is shown.
    world.tmux(["new-session", "-d", "-s", "aside", "exec cat"]);
    world.tmux(["link-window", "-s", &format!("main:{one}"), "-t", "aside:8"]);
    let args = MoveWindowArgs::new().session_name("aside").window_index("8").destination_index("6");
    let moved = client.move_window(args).await.unwrap();
    assert_eq!((moved.session_name.as_deref(), moved.window_index.as_deref()), (Some("aside"), Some("6")));
    client.close().await;
}

#[tokio::test]
async fn the_session_of_the_own_connection_goes_as_any_other() {
    for detach in ["on", "off"] {
        let world = TmuxWorld::start();
        world.tmux(["set-option", "-g", "detach-on-destroy", detach]);
        let client = client(&world).await;
        // One session is there, so that is where the connection is attached.
        client.list_windows(ListWindowsArgs::new()).await.unwrap();
        world.tmux(["new-session", "-d", "-s", "other", "exec cat"]);
        let args = MoveWindowArgs::new().session_name("main").window_index("0").destination_session("other");
        let moved = client.move_window(args).await.unwrap();
        assert_eq!(moved.session_name.as_deref(), Some("other"));
        let sessions = client.list_sessions(ListSessionsArgs::new()).await.unwrap();
        assert_eq!(sessions.len(), 1);
        for left in [1, 0] {
            let windows = client.list_windows(ListWindowsArgs::new()).await.unwrap();
            let text = client.kill_window(KillWindowArgs::new(&windows[0].window_id)).await.unwrap();
            assert!(text.contains(&windows[0].window_id), "{text}");
            assert_eq!(client.list_windows(ListWindowsArgs::new()).await.unwrap().len(), left);
        }
        client.close().await;
    }
}

#[tokio::test]
async fn only_what_is_named_is_killed_and_not_the_own_window() {
    let world = TmuxWorld::start();
    let other = window(&world, &world.pane("exec cat"));
    world.tmux(["new-session", "-d", "-s", "aside", "exec cat"]);
    world.tmux(["link-window", "-s", &other, "-t", "aside:8"]);
    let socket = world.tmux(["display-message", "-p", "#{socket_path}"]);
    let mut command = program(&world);
    command.env("TMUX", format!("{socket},{},0", world.pid())).env("TMUX_PANE", "%0");
    let client = connect(command).await;
    let own = window(&world, "%0");
    let error = refused(client.kill_window(KillWindowArgs::new(&own)).await);
    assert_eq!(error.error_type, "ExpectedToolError");
    assert!(error.message.contains(&own), "{error}");
    for id in ["@99", "", "0", "main:1"] {
        let error = refused(client.kill_window(KillWindowArgs::new(id)).await);
        assert_eq!(error.error_type, "TmuxObjectDoesNotExist", "{id}");
    }
    client.kill_window(KillWindowArgs::new(&other)).await.unwrap();
    let left = world.tmux(["list-windows", "-a", "-F", "#{window_id}"]);
    assert!(left.lines().any(|id| id == own) && !left.lines().any(|id| id == other), "{left}");
    client.close().await;
}
