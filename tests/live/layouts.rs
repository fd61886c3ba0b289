//! `select_layout`: every layout, and none that tmux would end of.

use schemux::{ListPanesArgs, SelectLayoutArgs};
use schemux_server::tmux::{Since, Version};
use schemux_tests::TmuxWorld;

use super::support::{client, refused};

fn layout(world: &TmuxWorld) -> String {
    world.tmux(["display-message", "-p", "-t", "main:", "#{window_layout}"])
}

fn version(world: &TmuxWorld) -> Version {
    Version::parse(&world.tmux(["display-message", "-p", "#{version}"]))
}

#[tokio::test]
async fn names_prefixes_and_what_there_was_before() {
    let world = TmuxWorld::start();
    world.tmux(["split-window", "-t", "main:", "exec cat"]);
    world.tmux(["split-window", "-t", "main:", "exec cat"]);
    let client = client(&world).await;
    let select = async |layout: &str| {
        let args = SelectLayoutArgs::new(layout).session_name("main");
        client.select_layout(args).await.map(|window| window.window_layout.unwrap())
    };
    let first = layout(&world);
    let mut names = vec!["even-horizontal", "even-vertical", "main-horizontal", "main-vertical", "tiled"];
    names.extend(["even-h", "even-v", "t"]);
    let newer = ["main-horizontal-mirrored", "main-vertical-mirrored"];
    if version(&world).has(Since::MIRRORED_LAYOUTS) {
        names.extend(newer);
    } else {
        names.extend(["main-h", "main-v"]);
        for name in newer {
            let error = refused(select(name).await);
            assert!(error.expected && error.message.contains("3.5"), "{error}");
        }
    }
    let mut before = first.clone();
    for name in names {
        let shown = select(name).await.unwrap();
        assert_eq!(shown, layout(&world), "{name}: the reply is of now");
        // `t` is `tiled` once more.
        assert!(shown != before || name.len() <= 6, "{name}");
        before = shown;
    }
    // Nothing is the last named one again, and a layout that tmux gave can be given back.
    assert_eq!(select("").await.unwrap(), before);
    if !first.starts_with('{') || version(&world).has(Since::JSON_LAYOUTS) {
        select(&first).await.unwrap();
        assert_eq!(layout(&world).len(), first.len());
    }
    let old = "c195,80x24,0,0[80x12,0,0,0,80x11,0,13,1]";
    let error = refused(select(old).await);
    assert!(error.expected && error.message.contains("have 3 panes but need 2"), "{error}");
    client.close().await;
}

#[tokio::test]
async fn nothing_ends_the_server() {
    let world = TmuxWorld::start();
    world.tmux(["split-window", "-t", "main:", "exec cat"]);
    let client = client(&world).await;
    let before = layout(&world);
    for bad in [
        "nope",
        "main",
        "e",
        "-E",
        "-o",
        "zzzz,80x24,0,0,0",
        "b25d",
        "b25d,",
        "x",
        "0",
        ",",
        "\u{e9}",
        "{",
        "{}",
        "b25e,80x24,0,0,0",
        "b25d,80x24,0,0,0",
        "{\"V\":2}",
        " tiled",
        "tiled;",
        "0000,",
        "ffff,80x24,0,0[",
        "a\0b",
    ] {
        let error = refused(client.select_layout(SelectLayoutArgs::new(bad)).await);
        assert!(error.expected, "{bad:?}: {error}");
        assert_eq!(layout(&world), before, "{bad:?}");
    }
    assert_eq!(client.list_panes(ListPanesArgs::new()).await.unwrap().len(), 2);
    let error = refused(client.select_layout(SelectLayoutArgs::new("tiled").window_id("@99")).await);
    assert_eq!(error.error_type, "TmuxObjectDoesNotExist");
    client.close().await;
}
