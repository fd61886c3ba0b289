//! Panes among others, buffers and pipes, without a tool in between.

use std::path::Path;

use schemux_server::tmux::{
    PaneId, Side, Size, Split, TmuxError, Toward, delete_buffer, enter_copy_mode, kill_pane, load_buffer,
    pipe_to, select_toward, set_pane_title, show_buffer, split_pane, stop_pipe, swap_panes, zoom_pane,
};
use schemux_tests::TmuxWorld;

use super::server;

#[tokio::test]
async fn split_select_swap_zoom_kill() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let beside = Split { side: Side::Right, size: Some(Size::Cells(20)), ..Split::default() };
    let right = split_pane(&server, "%0", &beside).await.unwrap();
    assert_eq!((right.width, right.active, right.dead), (20, false, false));
    let window = server.places().await.unwrap().remove(0);
    assert_eq!(select_toward(&server, &window, Toward::Next).await.unwrap().id, right.id);
    assert_eq!(select_toward(&server, &window, Toward::Last).await.unwrap().id, PaneId(0));
    assert_eq!(swap_panes(&server, PaneId(0), right.id).await.unwrap().index, 1);
    let zoomed = server.pane_after(zoom_pane(right.id, true).unwrap(), right.id).await.unwrap();
    assert_eq!((zoomed.width, zoomed.active), (80, true));
    assert_eq!(enter_copy_mode(&server, right.id, u64::MAX).await.unwrap().id, right.id);
    kill_pane(&server, right.id).await.unwrap();
    let gone = Err(TmuxError::NoSuchPane { pane: right.id.to_string() });
    assert_eq!(kill_pane(&server, right.id).await, gone);
    assert_eq!(split_pane(&server, &right.id.to_string(), &beside).await.map(drop), gone);
    assert_eq!(swap_panes(&server, PaneId(0), right.id).await.map(drop), gone);
}

#[tokio::test]
async fn a_title_that_tmux_passes_over_is_no_success() {
    let world = TmuxWorld::start();
    let server = server(&world);
    assert_eq!(set_pane_title(&server, PaneId(0), "t").await.unwrap().title.as_deref(), Some("t"));
    let passed_over = set_pane_title(&server, PaneId(0), "a\tb").await;
    assert_eq!(passed_over, Err(TmuxError::TitleNotTaken { pane: PaneId(0) }));
}

#[tokio::test]
async fn buffers_hold_every_byte() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let bytes: Vec<u8> = (0..=255).chain([0, 255]).collect();
    load_buffer(&server, "b", &bytes).await.unwrap();
    assert_eq!(show_buffer(&server, "b").await.unwrap(), bytes);
    delete_buffer(&server, "b").await.unwrap();
    let gone = TmuxError::NoSuchBuffer { buffer: "b".to_owned() };
    assert_eq!(show_buffer(&server, "b").await, Err(gone.clone()));
    assert_eq!(delete_buffer(&server, "b").await, Err(gone));
    assert_eq!(load_buffer(&server, "b", b"").await, Err(TmuxError::EmptyBuffer));
}

#[tokio::test]
async fn pipes_start_and_stop() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let file = world.directory().join("it's 100% #S");
    pipe_to(&server, PaneId(0), &file, true).await.unwrap();
    world.until("the file is there", || file.exists());
    assert!(stop_pipe(&server, PaneId(0)).await.unwrap());
    assert!(!stop_pipe(&server, PaneId(0)).await.unwrap());
    let gone = Err(TmuxError::NoSuchPane { pane: "%9".to_owned() });
    assert_eq!(pipe_to(&server, PaneId(9), Path::new("x"), true).await, gone);
    assert_eq!(stop_pipe(&server, PaneId(9)).await.map(drop), gone);
}
