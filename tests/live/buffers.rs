//! Buffers: kept byte for byte, pasted, and nobody else's.

use schemux::{DeleteBufferArgs, LoadBufferArgs, PasteBufferArgs, ShowBufferArgs};
use schemux_tests::TmuxWorld;

use super::support::{client, client_of_all, refused};

#[tokio::test]
async fn a_text_comes_back_as_it_was() {
    let world = TmuxWorld::start();
    let client = client_of_all(&world).await;
    let long = "x".repeat(300_000);
    for (number, content) in [
        "hello\nworld\n",
        "l\r\nq\x0b\x0c\u{2028}日本\0end",
        "#S $HOME ; \\;",
        ";",
        "-x",
        "\x1b[0m\\033",
        "\n\n",
        &long,
    ]
    .into_iter()
    .enumerate()
    {
        let label = format!("n{number}");
        let made = client.load_buffer(LoadBufferArgs::new(content).logical_name(&label)).await.unwrap();
        assert!(made.buffer_name.starts_with("libtmux_mcp_") && made.buffer_name.ends_with(&label));
        assert_eq!(made.logical_name.as_deref(), Some(&*label));
        let shown = client.show_buffer(ShowBufferArgs::new(&made.buffer_name)).await.unwrap();
        assert!(shown.content == content, "{label}: {:?}", shown.content.get(..40));
        assert_eq!((shown.content_truncated, shown.content_truncated_lines), (false, 0));
        client.delete_buffer(DeleteBufferArgs::new(&made.buffer_name)).await.unwrap();
    }
    assert_eq!(world.tmux(["list-buffers"]), "");
    client.close().await;
}

#[tokio::test]
async fn labels() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let load = async |label: &str| client.load_buffer(LoadBufferArgs::new("x").logical_name(label)).await;
    let made = load("").await.unwrap();
    assert!(made.buffer_name.ends_with("_buf"));
    assert_eq!(made.logical_name.as_deref(), Some(""));
    assert_eq!(client.load_buffer(LoadBufferArgs::new("x")).await.unwrap().logical_name, None);
    assert!(load(&"y".repeat(64)).await.is_ok());
    for bad in ["a b", "a\n", "é", "a;", &"y".repeat(65)] {
        let error = refused(load(bad).await);
        assert_eq!((&*error.error_type, error.expected), ("ExpectedToolError", true), "{bad}");
    }
    // tmux keeps no empty buffer, so nothing is said to have been kept.
    let error = refused(client.load_buffer(LoadBufferArgs::new("")).await);
    assert!(error.expected && error.message.contains("empty"), "{error}");
    client.close().await;
}

#[tokio::test]
async fn the_last_lines() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let text: String = (0..900).map(|number| format!("{number}\n")).collect();
    let made = client.load_buffer(LoadBufferArgs::new(&text)).await.unwrap().buffer_name;
    let shown = client.show_buffer(ShowBufferArgs::new(&made)).await.unwrap();
    assert!(shown.content.starts_with("400\n401\n") && shown.content.ends_with("\n899"));
    assert_eq!((shown.content_truncated, shown.content_truncated_lines), (true, 400));
    let shown = client.show_buffer(ShowBufferArgs::new(&made).max_lines(1)).await.unwrap();
    assert_eq!((&*shown.content, shown.content_truncated_lines), ("899", 899));
    let mut all = ShowBufferArgs::new(&made);
    all.max_lines = None;
    assert_eq!(client.show_buffer(all).await.unwrap().content, text);
    for bad in [0, -1, i64::MIN] {
        let error = refused(client.show_buffer(ShowBufferArgs::new(&made).max_lines(bad)).await);
        assert_eq!(error.error_type, "ValidationError");
        assert!(error.message.contains("max_lines"), "{error}");
    }
    client.close().await;
}

#[tokio::test]
async fn pasted_more_than_once() {
    let world = TmuxWorld::start();
    let pane = world.pane("exec cat -v");
    let screen = || world.tmux(["capture-pane", "-p", "-t", &pane]);
    let client = client(&world).await;
    let made = client.load_buffer(LoadBufferArgs::new("one \x01\n#S;\n")).await.unwrap().buffer_name;
    let paste = PasteBufferArgs::new(&made).pane_id(&pane);
    let said = client.paste_buffer(paste.clone()).await.unwrap();
    assert!(said.contains(&made) && said.contains(&pane), "{said}");
    client.paste_buffer(paste.clone().bracket(false)).await.unwrap();
    let lines = |text: &str| screen().lines().filter(|line| *line == text).count();
    // Each is there twice: the echo, and what `cat` makes of it.
    world.until("all of it is there", || lines("one ^A") == 4 && lines("#S;") == 4);

    // Marked only for a program that asks for it.
    let asking = world.pane("printf '\\033[?2004h'; exec cat -v");
    let text = || world.tmux(["capture-pane", "-p", "-t", &asking]);
    world.until("it has asked", || {
        world.tmux(["list-panes", "-a", "-F", "#{pane_id} #{cursor_x}"]).contains(&asking)
    });
    std::thread::sleep(std::time::Duration::from_millis(100));
    client.paste_buffer(PasteBufferArgs::new(&made).pane_id(&asking)).await.unwrap();
    world.until("it is marked", || text().contains("^[[200~one") && text().contains("^[[201~"));

    // A mode would swallow it.
    world.tmux(["copy-mode", "-t", &pane]);
    let error = refused(client.paste_buffer(paste).await);
    assert!(error.expected && error.message.contains("copy-mode"), "{error}");
    let gone = client.paste_buffer(PasteBufferArgs::new(&made).pane_id("%99")).await;
    assert_eq!(refused(gone).error_type, "PaneNotFound");
    client.close().await;
}

#[tokio::test]
async fn a_dead_pane_takes_nothing() {
    let world = TmuxWorld::start();
    world.tmux(["set-option", "-g", "remain-on-exit", "on"]);
    let pane = world.pane("exit 0");
    world.until("it is dead", || world.tmux(["display-message", "-p", "-t", &pane, "#{pane_dead}"]) == "1");
    let client = client(&world).await;
    let made = client.load_buffer(LoadBufferArgs::new("x")).await.unwrap().buffer_name;
    let error = refused(client.paste_buffer(PasteBufferArgs::new(&made).pane_id(&pane)).await);
    assert!(error.message.contains("no program runs"), "{error}");
    assert!(world.has_pane(&pane), "the server lives on");
    client.close().await;
}

#[tokio::test]
async fn other_buffers_are_out_of_reach() {
    let world = TmuxWorld::start();
    world.tmux(["set-buffer", "-b", "private", "hunter2"]);
    let client = client_of_all(&world).await;
    let unknown = format!("libtmux_mcp_{}_x", "0".repeat(32));
    for (name, kind, paste_kind) in [
        ("private", "ExpectedToolError", "ExpectedToolError"),
        ("", "ExpectedToolError", "ExpectedToolError"),
        ("-x", "ExpectedToolError", "ExpectedToolError"),
        (&unknown, "CalledProcessError", "LibTmuxException"),
    ] {
        let shown = refused(client.show_buffer(ShowBufferArgs::new(name)).await);
        assert_eq!((&*shown.error_type, shown.expected), (kind, true), "{name}: {shown}");
        let deleted = refused(client.delete_buffer(DeleteBufferArgs::new(name)).await);
        assert_eq!(deleted.error_type, kind, "{name}");
        let pasted = refused(client.paste_buffer(PasteBufferArgs::new(name).pane_id("%0")).await);
        assert_eq!(pasted.error_type, paste_kind, "{name}");
    }
    assert_eq!(world.tmux(["show-buffer", "-b", "private"]), "hunter2");
    client.close().await;
}
