//! `pipe_pane`: into exactly that file, or an error.

use schemux::PipePaneArgs;
use schemux_tests::TmuxWorld;

use super::support::{client, refused};

/// A pane that repeats what is typed.
fn talking(world: &TmuxWorld) -> String {
    world.pane("stty -echo; exec cat")
}

fn say(world: &TmuxWorld, pane: &str, text: &str) {
    world.tmux(["send-keys", "-t", pane, "-l", text]);
    world.tmux(["send-keys", "-t", pane, "Enter"]);
}

#[tokio::test]
async fn whatever_the_name() {
    let world = TmuxWorld::start();
    let root = world.directory().canonicalize().unwrap();
    let client = client(&world).await;
    for name in [
        "plain.log",
        "two words",
        "100%d %H.log",
        "#{pane_id} #S #(touch PROOF) ##",
        "it's $HOME `id` $(id).log",
        "nl\nx;",
        "-x",
        "#[fg=red]",
        "~",
    ] {
        let pane = talking(&world);
        let file = root.join(name);
        let path = file.to_str().unwrap();
        let said = client.pipe_pane(PipePaneArgs::new().pane_id(&pane).output_path(path)).await.unwrap();
        assert!(said.contains(&pane) && said.contains(path), "{said}");
        say(&world, &pane, "first");
        world.until(name, || std::fs::read_to_string(&file).is_ok_and(|text| text.contains("first")));
    }
    assert!(!root.join("PROOF").exists());
    client.close().await;
}

#[tokio::test]
async fn appended_replaced_stopped() {
    let world = TmuxWorld::start();
    let file = world.directory().join("log");
    let path = file.to_str().unwrap();
    let pane = talking(&world);
    let client = client(&world).await;
    let written = || std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, "before\n").unwrap();
    let to = PipePaneArgs::new().pane_id(&pane).output_path(path);
    client.pipe_pane(to.clone()).await.unwrap();
    say(&world, &pane, "one");
    world.until("it is appended", || written().contains("one"));
    assert!(written().starts_with("before\n"));
    client.pipe_pane(to.append(false)).await.unwrap();
    say(&world, &pane, "two");
    world.until("it is written", || written().contains("two"));
    assert!(!written().contains("one"));
    let stop = async || client.pipe_pane(PipePaneArgs::new().pane_id(&pane)).await.unwrap();
    assert!(stop().await.contains("no longer"));
    assert_eq!(world.tmux(["display-message", "-p", "-t", &pane, "#{pane_pipe}"]), "0");
    assert!(stop().await.contains("nothing to stop"));
    client.close().await;
}

#[tokio::test]
async fn what_cannot_be_written_is_told() {
    let world = TmuxWorld::start();
    let root = world.directory().to_str().unwrap().to_owned();
    let pane = talking(&world);
    let client = client(&world).await;
    let pipe = async |path: &str| {
        refused(client.pipe_pane(PipePaneArgs::new().pane_id(&pane).output_path(path)).await)
    };
    for (path, reason) in [
        ("", "blank"),
        ("  ", "blank"),
        (&*format!("{root}/no/such/log"), "does not exist"),
        (&root, "directory"),
        ("no/such/relative", "does not exist"),
        (&"x".repeat(5000), "too long"),
        // What only tmux finds out: a name that no system has.
        (&format!("{root}/{}", "y".repeat(300)), "did not make"),
    ] {
        let error = pipe(path).await;
        assert!(error.expected && error.message.contains(reason), "{path}: {error}");
    }
    assert_eq!(pipe("a\0b").await.error_type, "ValueError");
    assert_eq!(world.tmux(["display-message", "-p", "-t", &pane, "#{pane_pipe}"]), "0");
    for args in [PipePaneArgs::new().pane_id("%99"), PipePaneArgs::new().pane_id("%99").output_path("/tmp/x")]
    {
        assert_eq!(refused(client.pipe_pane(args).await).error_type, "PaneNotFound");
    }
    client.close().await;
}
