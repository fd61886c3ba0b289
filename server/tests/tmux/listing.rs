//! Listings say what `list-panes` says, row for row, however windows look and whoever shows them.

use schemux_server::tmux::{PaneRow, Place, Scope, TmuxError};
use schemux_tests::TmuxWorld;

use super::{id, server};

/// Three windows of several panes: zoomed, with a line above each pane, with a line below; one is shown by two sessions, and two
/// sessions are a group.
fn odd() -> TmuxWorld {
    let world = TmuxWorld::start();
    world.tmux(["set-option", "-gw", "pane-base-index", "3"]);
    for (window, status) in [("zoomed", "off"), ("above", "top"), ("below", "bottom")] {
        world.tmux(["new-window", "-d", "-n", window, "/bin/sh"]);
        let target = format!("main:{window}");
        for split in ["-h", "-v", "-h"] {
            world.tmux(["split-window", split, "-t", &target, "/bin/sh"]);
        }
        world.tmux(["set-option", "-w", "-t", &target, "pane-border-status", status]);
    }
    world.tmux(["resize-pane", "-Z", "-t", "main:zoomed.4"]);
    world.tmux(["swap-pane", "-d", "-s", "main:above.3", "-t", "main:below.5"]);
    world.tmux(["rotate-window", "-t", "main:below"]);
    world.tmux(["new-session", "-d", "-s", "0 other", "/bin/sh"]);
    world.tmux(["link-window", "-d", "-s", "main:above", "-t", "0 other:7"]);
    world.tmux(["new-session", "-d", "-t", "main", "-s", "a group"]);
    world
}

const TOLD: &str = "#{session_id} #{window_id} #{pane_id} #{pane_index} #{pane_active} #{pane_width}x#{pane_height} \
                    #{pane_left},#{pane_top} #{pane_at_left}#{pane_at_top}#{pane_at_right}#{pane_at_bottom} #{pane_tty} #{pane_pid}";

fn told(pane: &PaneRow) -> String {
    let flag = u8::from;
    let PaneRow { session_id, window_id, id, index, width, height, left, top, .. } = pane;
    let (tty, pid) = (pane.tty.as_deref().unwrap_or_default(), pane.pid.unwrap_or_default());
    let edges =
        [pane.at_left, pane.at_top, pane.at_right, pane.at_bottom].map(|at| flag(at).to_string()).concat();
    let active = flag(pane.active);
    format!(
        "{session_id} {window_id} {id} {index} {active} {width}x{height} {left},{top} {edges} {tty} {pid}"
    )
}

#[tokio::test]
async fn a_listing_is_what_list_panes_says() {
    let world = odd();
    let server = server(&world);
    let says = |arguments: &[&str]| {
        let told = world.tmux([&["list-panes", "-F", TOLD], arguments].concat());
        told.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let lists = async |scope| {
        let rows = server.pane_rows(scope, &[]).await.unwrap();
        rows.iter().filter_map(PaneRow::read).map(|pane| told(&pane)).collect::<Vec<_>>()
    };
    let all = says(&["-a"]);
    assert_eq!(all.len(), 2 * 13 + 1 + 4);
    assert_eq!(lists(Scope::Server).await, all);
    let places = server.places().await.unwrap();
    let place = |at: &Place| {
        format!(
            "{} {} {} {} {} ",
            at.session_id,
            at.window_id,
            at.pane_id,
            at.pane_index,
            u8::from(at.pane_active)
        )
    };
    assert!(
        places.len() == all.len() && places.iter().zip(&all).all(|(at, row)| row.starts_with(&place(at)))
    );
    let other = places.iter().find(|at| at.session_name == "0 other" && at.window_index == 7).unwrap();
    let (session, window) = (other.session_id, other.window_id);
    assert_eq!(lists(Scope::Session(session)).await, says(&["-s", "-t", "0 other"]));
    assert_eq!(lists(Scope::Window(session, window)).await, says(&["-t", "0 other:7"]));
    world.tmux(["unlink-window", "-t", "0 other:7"]);
    let gone = server.pane_rows(Scope::Window(session, window), &[]).await.unwrap_err();
    assert_eq!(gone, TmuxError::NoSuchWindow { window: window.to_string() });
    world.tmux(["kill-session", "-t", "0 other"]);
    let gone = server.pane_rows(Scope::Session(session), &[]).await.unwrap_err();
    assert_eq!(gone, TmuxError::NoSuchSession { session: session.to_string() });
}

/// As the oldest of the sessions that show it.
#[tokio::test]
async fn one_pane_is_what_the_listing_says_of_it() {
    let world = odd();
    let server = server(&world);
    let mut panes = server.panes().await.unwrap();
    panes.sort_by_key(|pane| (pane.id, pane.session_id));
    panes.dedup_by_key(|pane| pane.id);
    assert_eq!(panes.len(), 14);
    for pane in panes {
        assert_eq!(told(&server.pane(pane.id).await.unwrap()), told(&pane));
    }
    let missing = server.pane(id("%4711")).await.unwrap_err();
    assert_eq!(missing, TmuxError::NoSuchPane { pane: "%4711".to_owned() });
}
