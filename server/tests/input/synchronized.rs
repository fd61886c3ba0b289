//! Panes with `synchronize-panes`: who gets it, and what is told.

use schemux_server::tmux::{Policy, Synchronized, TmuxError, Typing, send_keys, type_text};
use schemux_tests::TmuxWorld;

use super::reader::Reader;
use super::{assert_no_buffers, server};

#[tokio::test]
async fn what_is_typed_reaches_them_and_that_is_told() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let a = Reader::start(&world);
    let (b, c) = (Reader::beside(&world, &a), Reader::beside(&world, &a));
    let alone = Reader::start(&world);
    let all = [&a, &b, &c];
    let on = |reader: &Reader, arguments: &[&str]| {
        let target = reader.pane.to_string();
        world.tmux([&[arguments[0], "-t", &target], &arguments[1..]].concat());
    };
    let long = "日;\n".repeat(3000);

    // Not synchronized: nobody else gets anything.
    type_text(&server, a.pane, &long, &Typing::default()).await.unwrap();
    a.expect(long.as_bytes(), "before");

    on(&a, &["set-option", "-w", "synchronize-panes", "on"]);
    let reach = async |what: &str, from: &Reader, expected: &[&Reader]| {
        let same = |mut panes: Vec<_>| {
            assert_eq!(panes[0], from.pane, "{what}");
            panes.sort();
            let mut wanted: Vec<_> = expected.iter().map(|reader| reader.pane).collect();
            wanted.sort();
            assert_eq!(panes, wanted, "{what}");
        };
        let enter = Typing { enter: true, ..Typing::default() };
        same(type_text(&server, from.pane, "short", &enter).await.unwrap().panes);
        same(type_text(&server, from.pane, &long, &enter).await.unwrap().panes);
        same(send_keys(&server, from.pane, &["C-c", "é"], &Policy::default()).await.unwrap().panes);
        let text = format!("short\r{long}\r\u{3}é");
        for reader in all {
            if expected.iter().any(|one| one.pane == reader.pane) {
                reader.expect(text.as_bytes(), what);
            } else {
                // `-H` from here would be copied to the others.
                assert_eq!(reader.next(0), b"", "{what}");
            }
        }
        alone.expect_nothing(&world, what);
    };
    reach("all", &b, &[&a, &b, &c]).await;
    on(&c, &["copy-mode"]);
    reach("one in a mode", &a, &[&a, &b]).await;
    on(&c, &["copy-mode", "-q"]);
    on(&c, &["select-pane", "-d"]);
    reach("one with its input off", &a, &[&a, &b]).await;
    on(&c, &["select-pane", "-e"]);
    on(&c, &["set-option", "-p", "synchronize-panes", "off"]);
    reach("one that is not", &a, &[&a, &b]).await;
    reach("from the one that is not", &c, &[&c]).await;
    on(&c, &["set-option", "-p", "-u", "synchronize-panes"]);
    on(&a, &["resize-pane", "-Z"]);
    reach("the zoomed one", &a, &[&a]).await;
    reach("a hidden one", &b, &[&a, &b]).await;
    assert_no_buffers(&world);
}

#[tokio::test]
async fn reaching_others_can_be_refused() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let a = Reader::start(&world);
    let b = Reader::beside(&world, &a);
    world.tmux(["set-option", "-w", "-t", &a.pane.to_string(), "synchronize-panes", "on"]);
    let policy = Policy { synchronized: Synchronized::Refuse, ..Policy::default() };
    let typing = Typing { policy, enter: true, ..Typing::default() };
    let refused = Err(TmuxError::PaneSynchronized { pane: a.pane, panes: vec![a.pane, b.pane] });
    assert_eq!(type_text(&server, a.pane, "short", &typing).await, refused);
    assert_eq!(type_text(&server, a.pane, "long".repeat(2000), &typing).await, refused);
    assert_eq!(send_keys(&server, a.pane, &["a"], &policy).await, refused);
    assert_eq!(a.next(0), b"");
    assert_eq!(b.next(0), b"");
    // Alone in its window it reaches nobody else.
    world.tmux(["kill-pane", "-t", &b.pane.to_string()]);
    assert_eq!(type_text(&server, a.pane, "short", &typing).await.unwrap().panes, [a.pane]);
    a.expect(b"short\r", "alone");
    assert_no_buffers(&world);
}
