//! `capture_pane`, `snapshot_pane`, `capture_since`, `display_message`: what a pane shows, and nothing else.

use schemux::{CapturePaneArgs, CaptureSinceArgs, DisplayMessageArgs, SendKeysArgs, SnapshotPaneArgs};
use schemux_tests::{TmuxWorld, until};

use super::support::{client, refused};

/// A pane that has printed this with `printf`, and stays.
async fn showing(world: &TmuxWorld, text: &str) -> String {
    let pane = world.pane(&format!("printf '{text}'; printf 'THE END\\n'; exec sleep 1000"));
    until("it is printed", || world.tmux(["capture-pane", "-p", "-t", &pane]).contains("THE END")).await;
    pane
}

#[tokio::test]
async fn rows_of_the_screen_and_of_the_history() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = world.pane("seq 1 100; exec sleep 1000");
    until("it is printed", || world.tmux(["capture-pane", "-p", "-t", &pane]).contains("100")).await;
    let args = || CapturePaneArgs::new().pane_id(&pane);
    let rows = |from: u32, to: u32| (from..=to).map(|row| row.to_string()).collect::<Vec<_>>().join("\n");
    for (args, expected) in [
        (args(), rows(78, 100)),
        (args().start(0), rows(78, 100)),
        (args().start(-10), rows(68, 100)),
        (args().start(i64::MIN), rows(1, 100)),
        (args().start(-5).end(-1), rows(73, 77)),
        (args().start(5).end(2), rows(80, 83)),
        (args().end(0), rows(78, 78)),
        (args().start(i64::MAX), String::new()),
        (args().max_lines(2), format!("[... truncated 21 lines ...]\n{}", rows(99, 100))),
        (args().start(-1000).max_lines(1), "[... truncated 99 lines ...]\n100".to_owned()),
    ] {
        assert_eq!(client.capture_pane(args.clone()).await.unwrap(), expected, "{args:?}");
    }
    for bad in [0, -1] {
        let error = refused(client.capture_pane(args().max_lines(bad)).await);
        assert!(error.expected && error.message.contains("max_lines"), "{error}");
        let error =
            refused(client.snapshot_pane(SnapshotPaneArgs::new().pane_id(&pane).max_lines(bad)).await);
        assert!(error.expected && error.message.contains("max_lines"), "{error}");
    }
    for pane in ["%999", "", "0"] {
        let error = refused(client.capture_pane(CapturePaneArgs::new().pane_id(pane)).await);
        assert_eq!(error.error_type, "PaneNotFound");
        let error = refused(client.snapshot_pane(SnapshotPaneArgs::new().pane_id(pane)).await);
        assert_eq!(error.error_type, "PaneNotFound");
    }
    client.close().await;
}

#[tokio::test]
async fn odd_text_is_shown_as_it_is() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let wide = "w".repeat(100);
    let text = format!(
        "\\033[31mred\\033[0m é漢 %%end 1 2 1\\n{wide}\\ntrail   \\n\\n#S \\u2028 -x;\\n%%begin 3 4 1\\n%%end 3 4 1\\n"
    )
    .replace("\\u2028", "\u{2028}");
    let pane = showing(&world, &text).await;
    let shown = client.capture_pane(CapturePaneArgs::new().pane_id(&pane)).await.unwrap();
    let lines: Vec<&str> = shown.split('\n').collect();
    let expected = [
        "red é漢 %end 1 2 1",
        &wide[..80],
        &wide[80..],
        "trail",
        "",
        "#S \u{2028} -x;",
        "%begin 3 4 1",
        "%end 3 4 1",
        "THE END",
    ];
    // What has no width may be left out by tmux.
    let plain = |lines: &[&str]| lines.join("\n").replace('\u{2028}', "");
    assert_eq!(plain(&lines), plain(&expected));
    let empty = world.pane("exec sleep 1000");
    assert_eq!(client.capture_pane(CapturePaneArgs::new().pane_id(&empty)).await.unwrap(), "");
    client.close().await;
}

#[tokio::test]
async fn more_than_a_megabyte_is_a_result() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    world.tmux(["set-option", "-g", "history-limit", "50000"]);
    let pane = world.pane("seq -f 'line number %07g of so many that there are' 1 40000; exec sleep 1000");
    until("it is printed", || world.tmux(["capture-pane", "-p", "-t", &pane]).contains("0040000")).await;
    let arguments = serde_json::json!({"pane_id": pane, "start": -50000, "max_lines": null});
    let arguments = arguments.as_object().unwrap().clone();
    let reply = schemux::Caller::call(client.caller(), "capture_pane", arguments).await.unwrap();
    assert!(!reply.is_error && reply.text.len() > 1_700_000, "{} bytes", reply.text.len());
    assert_eq!(reply.text.lines().count(), 40_000);
    client.close().await;
}

#[tokio::test]
async fn a_snapshot_is_of_one_moment() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = world.pane("seq 1 100; printf '\\033]2;a ␞ title\\007\\033[5;3H'; exec sleep 1000");
    until("it is printed", || world.tmux(["display-message", "-p", "-t", &pane, "#{cursor_x}"]) == "2").await;
    let args = || SnapshotPaneArgs::new().pane_id(&pane);
    let shown = client.snapshot_pane(args().max_lines(3)).await.unwrap();
    assert_eq!(
        (shown.content.as_str(), shown.content_truncated, shown.content_truncated_lines),
        ("98\n99\n100", true, 20)
    );
    assert_eq!((shown.cursor_x, shown.cursor_y, shown.history_size), (2, 4, 77));
    assert_eq!((shown.pane_width, shown.pane_height, shown.pane_id.as_str()), (80, 24, pane.as_str()));
    assert_eq!((shown.pane_in_mode, shown.pane_mode, shown.scroll_position), (false, None, None));
    assert_eq!((shown.alternate_on, shown.pane_dead, shown.is_caller), (Some(false), Some(false), None));
    assert_eq!(shown.title.as_deref(), Some("a ␞ title"));
    assert_eq!(
        (shown.pane_left, shown.pane_right, shown.pane_top, shown.pane_bottom),
        (Some(0), Some(79), Some(0), Some(23))
    );
    world.tmux(["copy-mode", "-t", &pane]);
    world.tmux(["send-keys", "-t", &pane, "-X", "-N", "7", "scroll-up"]);
    let shown = client.snapshot_pane(args()).await.unwrap();
    assert_eq!(
        (shown.pane_in_mode, shown.pane_mode.as_deref(), shown.scroll_position),
        (true, Some("copy-mode"), Some(7))
    );
    assert_eq!((shown.content.lines().count(), shown.content_truncated), (23, false));

    let pane = showing(&world, "\\033[?1049h\\033[HALT\\n").await;
    let shown = client.snapshot_pane(SnapshotPaneArgs::new().pane_id(&pane)).await.unwrap();
    assert_eq!((shown.alternate_on, shown.content.as_str()), (Some(true), "ALT\nTHE END"));
    assert_eq!(client.capture_pane(CapturePaneArgs::new().pane_id(&pane)).await.unwrap(), "ALT\nTHE END");
    world.tmux(["new-session", "-d", "-t", "main", "-s", "grouped"]);
    assert_eq!(client.snapshot_pane(SnapshotPaneArgs::new().pane_id(&pane)).await.unwrap().pane_id, pane);
    client.close().await;
}

#[tokio::test]
async fn only_what_is_new_is_read() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = world.pane("stty -echo; echo first; exec cat");
    until("it is printed", || world.tmux(["capture-pane", "-p", "-t", &pane]).contains("first")).await;
    let mut now = client.capture_since(CaptureSinceArgs::new().pane_id(&pane)).await.unwrap();
    assert_eq!(now.lines.as_deref(), Some(&["first".to_owned()][..]));
    assert!(!now.lines_missed && now.pane_id == pane && now.cursor.starts_with("capture-since-v1:"));
    let lines: Vec<String> = (1..=300).map(|number| format!("line {number}")).collect();
    let some = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
    for text in
        [some(&["one"]), vec![], some(&["two é", "", "three"]), some(&["", "", "four"]), lines.clone()]
    {
        if !text.is_empty() {
            client.send_keys(SendKeysArgs::new(text.join("\n")).pane_id(&pane)).await.unwrap();
            let last = text.last().unwrap().clone();
            until("it is printed", || world.tmux(["capture-pane", "-p", "-t", &pane]).contains(&last)).await;
        }
        now = client.capture_since(CaptureSinceArgs::new().cursor(&now.cursor)).await.unwrap();
        assert_eq!((now.lines, now.lines_missed, now.truncated), (Some(text), false, false));
    }
    let before = now.cursor;
    client.send_keys(SendKeysArgs::new(lines.join("\n")).pane_id(&pane)).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    let args = || CaptureSinceArgs::new().cursor(&before).pane_id(&pane);
    let some = client.capture_since(args().max_lines(2)).await.unwrap();
    assert_eq!(
        (some.lines.unwrap(), some.truncated, some.truncated_lines),
        (lines[298..].to_vec(), true, 298)
    );
    let some = client.capture_since(args().max_bytes(9)).await.unwrap();
    assert_eq!((some.lines.unwrap(), some.truncated), (lines[299..].to_vec(), true));
    assert!(some.truncated_bytes > 2000, "{}", some.truncated_bytes);

    for bad in ["", "garbage", "capture-since-v1:eyJ2ZXJzaW9uIjoxfQ"] {
        let error = refused(client.capture_since(CaptureSinceArgs::new().cursor(bad)).await);
        assert!(error.expected && error.message.starts_with("invalid capture_since cursor"), "{error}");
    }
    let other = world.pane("exec cat");
    let error = refused(client.capture_since(args().pane_id(&other)).await);
    assert!(error.expected && error.message.contains(&other), "{error}");
    for args in [args().max_lines(0), args().max_bytes(-1)] {
        let error = refused(client.capture_since(args).await);
        assert!(error.expected && error.message.contains("max_"), "{error}");
    }
    world.tmux(["kill-pane", "-t", &pane]);
    // What it had written may still be there to be read; then that it is gone is told when nothing is left.
    let mut from = before;
    let error = loop {
        match client.capture_since(CaptureSinceArgs::new().cursor(&from)).await {
            Ok(rest) => {
                assert!(!rest.lines.unwrap().is_empty(), "neither lines nor an end");
                from = rest.cursor;
            }
            error => break refused(error),
        }
    };
    assert_eq!(error.error_type, "PaneNotFound");
    let error = refused(client.capture_since(CaptureSinceArgs::new().pane_id("%999")).await);
    assert_eq!(error.error_type, "PaneNotFound");
    client.close().await;
}

#[tokio::test]
async fn the_last_words_of_a_dead_pane_are_read_once() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    world.tmux(["set-option", "-g", "remain-on-exit", "on"]);
    let is_dead = |pane: &str| world.tmux(["display-message", "-p", "-t", pane, "#{pane_dead}"]) == "1";
    // One that was dead before anybody read it, and one that ended under the reader.
    // (Below the first rows: where tmux says that the pane is dead it may scroll by one.)
    let before = world.pane("printf '\\n\\n\\nwords\\n'");
    until("it is dead", || is_dead(&before)).await;
    let first = client.capture_since(CaptureSinceArgs::new().pane_id(&before)).await.unwrap();
    assert!(first.lines.as_ref().unwrap().contains(&"words".to_owned()), "{first:?}");
    let under = world.pane("read -r line; exec true");
    let second = client.capture_since(CaptureSinceArgs::new().pane_id(&under)).await.unwrap();
    world.tmux(["send-keys", "-t", &under, "Enter"]);
    until("it is dead", || is_dead(&under)).await;
    for (pane, cursor) in [(&before, first.cursor), (&under, second.cursor)] {
        let mut from = cursor;
        let error = loop {
            match client.capture_since(CaptureSinceArgs::new().cursor(&from)).await {
                Ok(rest) => {
                    // That the last words may be missing is told once.
                    assert!(!rest.lines.unwrap().is_empty() || rest.cursor != from, "no end of {pane}");
                    from = rest.cursor;
                }
                error => break refused(error),
            }
        };
        assert!(error.expected && error.message.contains("has ended"), "{error}");
    }
    client.close().await;
}

#[tokio::test]
async fn variables_and_nothing_else_are_expanded() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    world.tmux(["set-option", "-p", "-t", "main:", "@mine", "a;#(touch x)b"]);
    let pane = world.tmux(["display-message", "-p", "-t", "main:", "#{pane_id}"]);
    let message = |text: &str| DisplayMessageArgs::new(text).pane_id(&pane);
    for (text, expected) in [
        ("#{pane_id}", pane.as_str()),
        ("#{session_name}:#{window_index}", "main:0"),
        ("", ""),
        ("-a", "-a"),
        ("--", "--"),
        ("-p #{window_panes};", "-p 1;"),
        (";", ";"),
        ("#{no_such}", ""),
        ("#{@mine}", "a;#(touch x)b"),
        ("#{session_attached} #{session_many_attached}[#{session_attached_list}]", "0 0[]"),
        ("'$HOME' \"~\" \\", "'$HOME' \"~\" \\"),
        ("é漢\na\tb", "é漢\na\tb"),
    ] {
        assert_eq!(client.display_message(message(text)).await.unwrap(), expected, "{text}");
    }
    let year = client.display_message(message("%Y")).await.unwrap();
    assert!(year.parse::<u32>().is_ok_and(|year| year > 2000), "{year}");
    for text in
        ["#", "##", "#S", "#(touch x)", "#{E:status-left}", "#{?pane_active,a,b}", "#{pane_id", "#[fg=red]"]
    {
        let error = refused(client.display_message(message(text)).await);
        assert_eq!((error.error_type.as_ref(), error.expected), ("ExpectedToolError", true), "{text}");
    }
    let error = refused(client.display_message(message("x").pane_id("%999")).await);
    assert_eq!(error.error_type, "PaneNotFound");
    let error = refused(client.display_message(DisplayMessageArgs::new("x").session_id("$999")).await);
    assert_eq!(error.error_type, "TmuxObjectDoesNotExist");
    client.close().await;
}
