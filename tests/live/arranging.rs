//! Panes among others: found, split, selected, swapped, resized, titled, cleared and killed.

use std::collections::BTreeMap;

use schemux::{
    ClearPaneArgs, Corner, EnterCopyModeArgs, FindPaneByPositionArgs, GetPaneInfoArgs, KillPaneArgs,
    PaneDirection, ResizePaneArgs, SelectPaneArgs, SetPaneTitleArgs, SplitDirection, SplitSize,
    SplitWindowArgs, SwapPaneArgs,
};
use schemux_tests::TmuxWorld;

use super::support::{client, client_of_all, connect, program, refused};

fn ask(world: &TmuxWorld, target: &str, format: &str) -> String {
    world.tmux(["display-message", "-p", "-t", target, format])
}

fn share(text: &str) -> SplitSize {
    SplitSize::String(text.to_owned())
}

/// A window of four panes in `main`: left, and three one below the other at its right. Their ids.
fn four(world: &TmuxWorld) -> Vec<String> {
    let window = world.tmux(["new-window", "-d", "-P", "-F", "#{window_id}", "-t", "main:", "exec cat"]);
    world.tmux(["split-window", "-d", "-h", "-t", &window, "exec cat"]);
    world.tmux(["split-window", "-d", "-t", &format!("{window}.1"), "exec cat"]);
    world.tmux(["split-window", "-d", "-t", &format!("{window}.2"), "exec cat"]);
    world.tmux(["list-panes", "-t", &window, "-F", "#{pane_id}"]).lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn a_pane_as_each_session_shows_it() {
    let world = TmuxWorld::start();
    world.tmux(["new-session", "-d", "-t", "main", "-s", "twin"]);
    let client = client(&world).await;
    let get = async |args| client.get_pane_info(args).await.unwrap();
    let twin = ask(&world, "=twin:", "#{session_id}");
    let main = ask(&world, "=main:", "#{session_id}");
    let shown = get(GetPaneInfoArgs::new().pane_id("%0")).await;
    assert_eq!((&*shown.pane_id, shown.session_id.unwrap()), ("%0", main));
    assert_eq!(get(GetPaneInfoArgs::new().session_name("twin")).await.session_id.unwrap(), twin);
    // Odd texts are told as they are.
    world.tmux(["select-pane", "-t", "%0", "-T", "a ␞ ##S b"]);
    assert_eq!(get(GetPaneInfoArgs::new().pane_id("%0")).await.pane_title.unwrap(), "a ␞ #S b");
    client.close().await;
}

#[tokio::test]
async fn corners() {
    let world = TmuxWorld::start();
    let panes = four(&world);
    let window = ask(&world, &panes[0], "#{window_id}");
    let client = client(&world).await;
    let find = async |corner| {
        client
            .find_pane_by_position(FindPaneByPositionArgs::new(corner).window_id(&window))
            .await
            .unwrap()
            .pane_id
    };
    assert_eq!(find(Corner::TopLeft).await, panes[0]);
    assert_eq!(find(Corner::BottomLeft).await, panes[0]);
    assert_eq!(find(Corner::TopRight).await, panes[1]);
    assert_eq!(find(Corner::BottomRight).await, panes[3]);
    let args = FindPaneByPositionArgs::new(Corner::TopLeft).session_name("main").window_index("1");
    assert_eq!(client.find_pane_by_position(args).await.unwrap().pane_id, panes[0]);
    let none = FindPaneByPositionArgs::new(Corner::TopLeft).window_id("@99");
    assert_eq!(refused(client.find_pane_by_position(none).await).error_type, "TmuxObjectDoesNotExist");
    client.close().await;
}

#[tokio::test]
async fn splits() {
    let world = TmuxWorld::start();
    let root = world.directory().canonicalize().unwrap();
    let client = client(&world).await;
    let split = async |args| client.split_window(args).await.unwrap();
    let new = SplitWindowArgs::new;
    // Below the active pane of the window, which stays active.
    world.tmux(["split-window", "-h", "-t", "main:0", "exec cat"]);
    let active = ask(&world, "main:0", "#{pane_id}");
    let below = split(new()).await;
    assert_eq!(below.pane_left, ask(&world, &active, "#{pane_left}").parse().ok());
    assert!(below.pane_top.unwrap() > 0 && below.pane_at_bottom.unwrap());
    assert_eq!(ask(&world, "main:0", "#{pane_id}"), active);
    assert_eq!(below.pane_active.as_deref(), Some("0"));

    let right = split(new().pane_id("%0").direction(SplitDirection::Right).size(9).shell("exec cat")).await;
    assert_eq!(
        (right.pane_width.as_deref(), right.pane_current_command.as_deref()),
        (Some("9"), Some("cat"))
    );
    let above = split(new().pane_id("%0").direction(SplitDirection::Above).size(share("5"))).await;
    assert_eq!((above.pane_height.as_deref(), above.pane_top), (Some("5"), Some(0)));
    let left = split(new().pane_id("%0").direction(SplitDirection::Left).size(share("20%")).shell("")).await;
    assert_eq!(left.pane_left, Some(0));

    let odd = root.join("dir #{pane_id} #(touch PROOF);");
    std::fs::create_dir(&odd).unwrap();
    let file = root.join("written");
    let shell = format!("printf '%s' \"$V\" >{0}; exec sleep 1000", file.display());
    let value = "a b=c;#{pane_id} $HOME \\;".to_owned();
    let args = new().window_id("@0").shell(shell).start_directory(odd.to_str().unwrap());
    let shown = split(args.environment(BTreeMap::from([("V".to_owned(), value.clone())]))).await;
    world.until("it has written", || std::fs::read_to_string(&file).is_ok_and(|text| text == value));
    assert_eq!(ask(&world, &shown.pane_id, "#{pane_current_path}"), odd.to_str().unwrap());
    client.close().await;
}

#[tokio::test]
async fn splits_that_cannot_be() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let split = async |args| refused(client.split_window(args).await);
    let new = || SplitWindowArgs::new().pane_id("%0");
    let before = world.tmux(["list-panes", "-a"]);
    for size in ["", "abc", "-5", "30%%", "#(touch PROOF)", "5;"] {
        let error = split(new().size(share(size))).await;
        assert!(error.expected && error.message.contains("size"), "{size}: {error}");
    }
    assert!(split(new().size(-5)).await.message.contains("size"));
    assert!(split(new().start_directory("/no/such")).await.message.contains("start_directory"));
    assert_eq!(split(SplitWindowArgs::new().pane_id("%99")).await.error_type, "PaneNotFound");
    assert_eq!(split(SplitWindowArgs::new().window_id("@99")).await.error_type, "TmuxObjectDoesNotExist");
    // A flag is no command.
    assert!(split(new().shell("-h")).await.message.contains("ended at once"));
    for ended in ["true", "exec /no/such/program"] {
        let error = split(new().shell(ended)).await;
        assert!(error.message.contains("ended at once"), "{error}");
    }
    assert_eq!(world.tmux(["list-panes", "-a"]).lines().count(), before.lines().count());
    let mut error = None;
    for _ in 0..12 {
        if let Err(refusal) = client.split_window(new()).await {
            error = Some(refused::<()>(Err(refusal)));
        }
    }
    let error = error.expect("there is an end to it");
    assert!(error.message.contains("no space") && error.message.len() < 200, "{error}");
    client.close().await;
}

#[tokio::test]
async fn a_program_that_ends_at_once_in_a_pane_that_is_kept() {
    let world = TmuxWorld::start();
    world.tmux(["set-option", "-g", "remain-on-exit", "on"]);
    let client = client(&world).await;
    let shown = client.split_window(SplitWindowArgs::new().shell("exit 3")).await.unwrap();
    assert_eq!(ask(&world, &shown.pane_id, "#{pane_dead}"), "1");
    client.close().await;
}

#[tokio::test]
async fn selecting() {
    let world = TmuxWorld::start();
    let panes = four(&world);
    let window = ask(&world, &panes[0], "#{window_id}");
    let client = client(&world).await;
    let select = async |args: SelectPaneArgs| client.select_pane(args).await.map(|pane| pane.pane_id);
    let toward = |direction| SelectPaneArgs::new().window_id(&window).direction(direction);
    assert_eq!(select(SelectPaneArgs::new().pane_id(&panes[1])).await.unwrap(), panes[1]);
    for (direction, pane) in [
        (PaneDirection::Down, 2),
        (PaneDirection::Up, 1),
        (PaneDirection::Up, 3),
        (PaneDirection::Left, 0),
        (PaneDirection::Right, 3),
        (PaneDirection::Last, 0),
        (PaneDirection::Next, 1),
        (PaneDirection::Previous, 0),
        (PaneDirection::Previous, 3),
        (PaneDirection::Next, 0),
    ] {
        assert_eq!(select(toward(direction)).await.unwrap(), panes[pane], "{direction}");
        assert_eq!(ask(&world, &window, "#{pane_id}"), panes[pane]);
    }
    // An id wins over a direction.
    let both = SelectPaneArgs::new().pane_id(&panes[2]).direction(PaneDirection::Next);
    assert_eq!(select(both).await.unwrap(), panes[2]);
    assert!(refused(select(SelectPaneArgs::new()).await).message.contains("direction"));
    assert_eq!(refused(select(SelectPaneArgs::new().pane_id("%99")).await).error_type, "PaneNotFound");
    let alone = SelectPaneArgs::new().window_id("@0").direction(PaneDirection::Last);
    assert!(refused(select(alone.clone()).await).message.contains("no last pane"));
    assert_eq!(select(alone.direction(PaneDirection::Up)).await.unwrap(), "%0");
    client.close().await;
}

#[tokio::test]
async fn swapping() {
    let world = TmuxWorld::start();
    let panes = four(&world);
    let client = client(&world).await;
    let swap = async |a: &str, b: &str| client.swap_pane(SwapPaneArgs::new(a, b)).await;
    assert_eq!(swap(&panes[0], &panes[3]).await.unwrap().pane_index.as_deref(), Some("3"));
    assert_eq!(swap(&panes[0], &panes[0]).await.unwrap().pane_id, panes[0]);
    // Into another window.
    assert_eq!(swap(&panes[0], "%0").await.unwrap().window_id.as_deref(), Some("@0"));
    for (a, b) in [("%99", "%0"), ("%0", "%99")] {
        let error = refused(swap(a, b).await);
        assert_eq!(error.error_type, "PaneNotFound");
        assert!(error.message.contains("%99"), "{error}");
    }
    client.close().await;
}

#[tokio::test]
async fn sizes_and_zoom() {
    let world = TmuxWorld::start();
    let panes = four(&world);
    let window = ask(&world, &panes[0], "#{window_id}");
    let client = client(&world).await;
    let resize = async |args| client.resize_pane(args).await.unwrap();
    let new = |pane: usize| ResizePaneArgs::new().pane_id(&panes[pane]);
    assert_eq!(resize(new(0).width(30)).await.pane_width.as_deref(), Some("30"));
    assert_eq!(resize(new(3).height(4)).await.pane_height.as_deref(), Some("4"));
    assert_eq!(resize(new(3).height(0).width(0)).await.pane_height.as_deref(), Some("4"));
    resize(new(3)).await;
    let zoomed = || {
        let rows = world.tmux([
            "list-panes",
            "-t",
            &window,
            "-F",
            "#{window_zoomed_flag} #{pane_active} #{pane_id}",
        ]);
        rows.lines().find_map(|row| row.strip_prefix("1 1 ").map(str::to_owned))
    };
    // Again is the same, another one takes its place, and to unzoom that one leaves this one alone.
    for pane in [0, 0, 2] {
        assert_eq!(resize(new(pane).zoom(true)).await.pane_width.as_deref(), Some("80"));
        assert_eq!(zoomed().as_ref(), Some(&panes[pane]));
    }
    resize(new(0).zoom(false)).await;
    assert_eq!(zoomed().as_ref(), Some(&panes[2]));
    for _ in 0..2 {
        resize(new(2).zoom(false)).await;
        assert_eq!(zoomed(), None);
    }
    let error = refused(client.resize_pane(new(0).zoom(true).height(3)).await);
    assert!(error.message.contains("zoom"), "{error}");
    assert!(refused(client.resize_pane(new(0).height(-1)).await).expected);
    let gone = ResizePaneArgs::new().pane_id("%99").zoom(true);
    assert_eq!(refused(client.resize_pane(gone).await).error_type, "PaneNotFound");
    client.close().await;
}

#[tokio::test]
async fn titles() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let set = async |title: &str| client.set_pane_title(SetPaneTitleArgs::new(title).pane_id("%0")).await;
    for title in [
        "plain",
        "",
        "x;",
        ";",
        "-l",
        "#S #{pane_id} #(touch PROOF) #[fg=red]y ##",
        "ż ␞ 日本",
        "$HOME 'q' \"d\"",
    ] {
        let shown = set(title).await.unwrap();
        assert_eq!(shown.pane_title.unwrap_or_default(), title);
        assert_eq!(ask(&world, "%0", "#{pane_title}"), title);
    }
    // Some versions write a backslash twice: what is answered is what tmux has.
    assert_eq!(set("a\\b").await.unwrap().pane_title.unwrap(), ask(&world, "%0", "#{pane_title}"));
    set("kept").await.unwrap();
    for title in ["a\tb", "two\nlines", "\x1b[31mred", "\x7f"] {
        let error = refused(set(title).await);
        assert!(error.expected && error.message.contains("control"), "{error}");
        assert_eq!(ask(&world, "%0", "#{pane_title}"), "kept");
    }
    assert_eq!(refused(set("a\0b").await).error_type, "ExpectedToolError");
    client.close().await;
}

#[tokio::test]
async fn killing() {
    let world = TmuxWorld::start();
    let pane = world.pane("exec cat");
    let client = client_of_all(&world).await;
    let kill = async |pane: &str| client.kill_pane(KillPaneArgs::new(pane)).await;
    assert!(kill(&pane).await.unwrap().contains(&pane));
    assert!(!world.has_pane(&pane));
    assert_eq!(refused(kill(&pane).await).error_type, "PaneNotFound");
    assert_eq!(refused(kill("0").await).error_type, "PaneNotFound");
    // The last one takes the server with it.
    assert!(kill("%0").await.unwrap().contains("%0"));
    world.until("it has ended", || !world.try_tmux(["list-sessions"]).status.success());
    assert!(refused(kill("%0").await).message.contains("no tmux server"));
    client.close().await;
}

#[tokio::test]
async fn the_own_pane_is_not_killed() {
    let world = TmuxWorld::start();
    let pane = world.pane("exec cat");
    let mut command = program(&world);
    let socket = ask(&world, &pane, "#{socket_path},#{pid},0");
    command.env("TMUX", socket).env("TMUX_PANE", &pane).args(["--toolsets", "teardown"]);
    let client = connect(command).await;
    let error = refused(client.kill_pane(KillPaneArgs::new(&pane)).await);
    assert!(error.expected && error.message.contains("this MCP server"), "{error}");
    assert!(world.has_pane(&pane));
    client.kill_pane(KillPaneArgs::new("%0")).await.unwrap();
    client.close().await;
}

#[tokio::test]
async fn clearing() {
    let world = TmuxWorld::start();
    let pane = world.pane("seq 200; exec cat");
    world.until("it has written", || ask(&world, &pane, "#{history_size}").parse::<u32>().unwrap() > 100);
    let client = client_of_all(&world).await;
    assert!(client.clear_pane(ClearPaneArgs::new().pane_id(&pane)).await.unwrap().contains(&pane));
    assert_eq!(ask(&world, &pane, "#{history_size}"), "0");
    assert_eq!(world.tmux(["capture-pane", "-p", "-t", &pane]).trim(), "");
    assert_eq!(ask(&world, &pane, "#{pane_current_command}"), "cat");
    let gone = client.clear_pane(ClearPaneArgs::new().pane_id("%99")).await;
    assert_eq!(refused(gone).error_type, "PaneNotFound");
    client.close().await;
}

#[tokio::test]
async fn copy_mode() {
    let world = TmuxWorld::start();
    let pane = world.pane("seq 200; exec cat");
    world.until("it has written", || ask(&world, &pane, "#{history_size}").parse::<u32>().unwrap() > 100);
    let client = client(&world).await;
    let enter = async |rows: Option<i64>| {
        let args = EnterCopyModeArgs::new().pane_id(&pane);
        let args = match rows {
            Some(rows) => args.scroll_up(rows),
            None => args,
        };
        assert_eq!(client.enter_copy_mode(args).await.unwrap().pane_id, pane);
        assert_eq!(ask(&world, &pane, "#{pane_mode}"), "copy-mode");
        ask(&world, &pane, "#{scroll_position}")
    };
    assert_eq!(enter(None).await, "0");
    assert_eq!(enter(Some(3)).await, "3");
    assert_eq!(enter(Some(4)).await, "7");
    assert_eq!(enter(Some(-3)).await, "7");
    assert_eq!(enter(Some(1_000_000_000_000)).await, ask(&world, &pane, "#{history_size}"));
    let gone = EnterCopyModeArgs::new().pane_id("%99").scroll_up(3);
    assert_eq!(refused(client.enter_copy_mode(gone).await).error_type, "PaneNotFound");
    client.close().await;
}
