//! The parser against a model of what tmux writes, and against what a pane can make it write.

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::tmux::id::{PaneId, SessionId, WindowId};

const MARK: &str = "zmark0";
const LIMIT: usize = 1 << 20;

fn guard(number: u64, flags: u32) -> Guard {
    Guard { time: 1_796_065_649, number, flags }
}

fn block(guard: Guard, text: &str, error: bool) -> String {
    let Guard { time, number, flags } = guard;
    let end = if error { "error" } else { "end" };
    format!("%begin {time} {number} {flags}\n{text}%{end} {time} {number} {flags}\n")
}

fn mark(number: u64, mark: &str) -> String {
    block(guard(number, 1), &format!("parse error: unknown command: {mark}\n"), true)
}

fn read(marks: &[&str], text: &[u8], pieces: &[usize]) -> Vec<Event> {
    let mut parser = Parser::new(LIMIT);
    marks.iter().for_each(|mark| parser.expect((*mark).to_owned()));
    let mut events = Vec::new();
    let mut rest = text;
    for &piece in pieces {
        let (now, later) = rest.split_at(piece.min(rest.len()));
        parser.feed(now, &mut |event| events.push(event));
        rest = later;
    }
    parser.feed(rest, &mut |event| events.push(event));
    events
}

fn reply(text: &str) -> Reply {
    let events = read(&[MARK], text.as_bytes(), &[]);
    let replies: Vec<_> = events
        .into_iter()
        .filter_map(|event| match event {
            Event::Reply(reply) => Some(reply),
            _ => None,
        })
        .collect();
    let [reply] = replies.as_slice() else { panic!("{replies:?}") };
    reply.clone()
}

fn output(text: &str) -> Reply {
    Reply { output: text.into(), ..Reply::default() }
}

fn refused(text: &str) -> Reply {
    Reply { refused: Some(text.into()), ..Reply::default() }
}

#[test]
fn a_list_is_the_sum_of_its_blocks() {
    let list =
        [block(guard(5, 1), "a\n", false), block(guard(6, 1), "", false), block(guard(7, 1), "b\n", false)];
    assert_eq!(reply(&(list.concat() + &mark(8, MARK))), output("a\nb\n"));
    let failed = [block(guard(5, 1), "a\n", false), block(guard(6, 1), "can't find pane: %99\n", true)];
    let expected = Reply { output: b"a\n".to_vec(), ..refused("can't find pane: %99\n") };
    assert_eq!(reply(&(failed.concat() + &mark(8, MARK))), expected);
    let unknown = block(guard(5, 1), "parse error: unknown command: x\n", true);
    assert_eq!(reply(&(unknown + &mark(8, MARK))), refused("unknown command: x\n"));
}

#[test]
fn what_hooks_print_is_no_answer() {
    let text = [
        block(guard(4, 0), "of the call before\n", false),
        block(guard(5, 1), "a\n", false),
        block(guard(6, 0), "hooked\n", false),
        "%sessions-changed\n".to_owned(),
        mark(8, MARK),
    ];
    let events = read(&[MARK], text.concat().as_bytes(), &[]);
    let hook =
        |number, text: &str| Event::Block { guard: guard(number, 0), output: text.into(), error: false };
    let expected = [
        hook(4, "of the call before\n"),
        hook(6, "hooked\n"),
        Event::Notification(Notification::SessionsChanged),
        Event::Reply(output("a\n")),
    ];
    assert_eq!(events, expected);
    let failed = block(guard(5, 1), "no\n", true) + &block(guard(6, 0), "x\n", true) + &mark(8, MARK);
    assert_eq!(reply(&failed), refused("no\n"));
}

#[test]
fn nothing_asked_nothing_kept_back() {
    let text = block(guard(1, 0), "", false) + "%session-changed $0 a b\nbare\n%exit\n%exit server exited\n";
    let exit =
        |reason: Option<&str>| Event::Notification(Notification::Exit { reason: reason.map(str::to_owned) });
    let expected = [
        Event::Block { guard: guard(1, 0), output: Vec::new(), error: false },
        Event::Notification(Notification::SessionChanged { session: SessionId(0), name: "a b".to_owned() }),
        Event::Line(b"bare".to_vec()),
        exit(None),
        exit(Some("server exited")),
    ];
    assert_eq!(read(&[], text.as_bytes(), &[]), expected);
}

#[test]
fn guards_on_a_screen_are_text() {
    let own = "%end 1796065649 5 1\n";
    for screen in [
        own.to_owned(),
        format!("{own}{own}"),
        "%error 1796065649 5 1\n".to_owned(),
        "%begin 1796065649 6 1\nx\n%end 1796065649 6 1\n".to_owned(),
        format!("{own}%begin 1796065649 6 1\n"),
        format!(
            "{own}%output %1 x\n%begin 1796065649 6 1\nparse error: unknown command: zmark\n%error 1796065649 6 1\n"
        ),
        "%exit\n%begin 1 2 1\n".to_owned(),
        format!("%begin 1796065649 5 1\n{own}"),
    ] {
        let text = block(guard(5, 1), &screen, false) + &mark(6, MARK);
        assert_eq!(reply(&text), output(&screen), "{screen}");
        assert_eq!(read(&[MARK], text.as_bytes(), &[]).len(), 1, "{screen}");
    }
}

#[test]
fn a_list_with_guards_on_a_screen_loses_nothing() {
    // In the second of two blocks, the guards of the first; in the first, those of the second.
    let second = "x\n%error 1796065649 5 1\n%end 1796065649 5 1\ny\n";
    let first = "%end 1796065649 5 1\n%begin 1796065649 6 1\n%error 1796065649 6 1\nz\n";
    for (a, b) in [("", second), (first, ""), (first, second)] {
        let text = block(guard(5, 1), a, false) + &block(guard(6, 1), b, false) + &mark(7, MARK);
        let reply = reply(&text);
        assert_eq!(reply.refused, None, "{text}");
        let output = String::from_utf8(reply.output).unwrap();
        let is_there = |line: &&str| output.contains(*line);
        assert_eq!(["x", "y"].iter().all(is_there), !b.is_empty(), "{text}");
        assert_eq!(output.contains('z'), !a.is_empty(), "{text}");
    }
}

#[test]
fn a_guard_between_blocks_puts_nothing_out_of_step() {
    // A message with newlines in it, shown to this client.
    let text = "%message he\n%begin 9 9 1\n".to_owned() + &block(guard(5, 1), "a\n", false) + &mark(6, MARK);
    let next = block(guard(7, 1), "b\n", false) + &mark(8, "zmark1") + "%sessions-changed\n";
    let events = read(&[MARK, "zmark1"], (text + &next).as_bytes(), &[]);
    assert!(events.contains(&Event::Reply(output("a\n"))));
    assert_eq!(events[events.len() - 2], Event::Reply(output("b\n")));
    assert_eq!(events[events.len() - 1], Event::Notification(Notification::SessionsChanged));
}

#[test]
fn what_is_too_long_is_cut_and_said() {
    let mut parser = Parser::new(100);
    parser.expect(MARK.to_owned());
    let mut events = Vec::new();
    let long = "x".repeat(150) + "\n";
    let texts = [
        block(guard(5, 1), &"line\n".repeat(1000), false) + &mark(6, MARK),
        block(guard(7, 0), &"line\n".repeat(1000), false),
        format!("%output %1 {long}"),
        "%sessions-changed\n".to_owned(),
    ];
    for text in texts {
        parser.feed(text.as_bytes(), &mut |event| events.push(event));
        assert!(parser.held() <= 300, "{}", parser.held());
    }
    let Some(Event::Reply(reply)) = events.get(1) else { panic!("{events:?}") };
    assert!(reply.cut && !reply.missing && reply.output.len() <= 100);
    assert_eq!(events.first(), Some(&Event::Lost));
    assert_eq!(events.last(), Some(&Event::Notification(Notification::SessionsChanged)));
    assert_eq!(events.iter().filter(|event| **event == Event::Lost).count(), 3);
    parser.expect("zmark1".to_owned());
    let mut events = Vec::new();
    let failed = block(guard(8, 1), &long, true) + &mark(9, "zmark1");
    parser.feed(failed.as_bytes(), &mut |event| events.push(event));
    assert!(matches!(&events[1], Event::Reply(Reply { refused: Some(_), cut: true, .. })), "{events:?}");
}

#[test]
fn notifications_are_read() {
    let of = |line: &str| match read(&[], format!("{line}\n").as_bytes(), &[]).remove(0) {
        Event::Notification(notification) => notification,
        other => panic!("{other:?}"),
    };
    let output = |data: &[u8]| Notification::Output { pane: PaneId(1), data: data.to_vec() };
    assert_eq!(of("%output %1 a\\015\\012\\134 \\x é"), output("a\r\n\\ \\x é".as_bytes()));
    assert_eq!(of("%output %1 "), output(b""));
    let extended = Notification::ExtendedOutput {
        pane: PaneId(1),
        age: Duration::from_millis(20),
        data: b"a : b".to_vec(),
    };
    assert_eq!(of("%extended-output %1 20 : a : b"), extended);
    assert_eq!(of("%extended-output %1 20 new : a : b"), extended);
    assert_eq!(of("%pause %1"), Notification::Pause(PaneId(1)));
    assert_eq!(of("%continue %1"), Notification::Continue(PaneId(1)));
    assert_eq!(of("%window-close @3"), Notification::WindowClose(WindowId(3)));
    assert_eq!(of("%unlinked-window-close @3"), Notification::UnlinkedWindowClose(WindowId(3)));
    assert_eq!(
        of("%client-detached /dev/pts/1"),
        Notification::ClientDetached { client: "/dev/pts/1".to_owned() }
    );
    assert_eq!(
        of("%subscription-changed x $0 @0 0 %1 : a : b"),
        Notification::SubscriptionChanged {
            name: "x".to_owned(),
            pane: Some(PaneId(1)),
            value: "a : b".to_owned()
        }
    );
    let other = |name: &str, rest: &str| Notification::Other { name: name.to_owned(), rest: rest.into() };
    assert_eq!(of("%layout-change @0 b25d"), other("%layout-change", "@0 b25d"));
    assert_eq!(of("%output 1 x"), other("%output", "1 x"));
    assert_eq!(of("%end 1 2 1"), other("%end", "1 2 1"));
    assert_eq!(read(&[], b"%\n%0 x\n\n%Exit\n", &[]).len(), 4);
}

/// Lines that are special somewhere.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z%\\\\ ]{0,6}",
        (prop::sample::select(vec!["begin", "end", "error"]), 3u64..12, 0u32..2)
            .prop_map(|(kind, number, flags)| format!("%{kind} 1796065649 {number} {flags}")),
        Just("parse error: unknown command: zmark".to_owned()),
        Just("%output %1 x".to_owned()),
    ]
}

fn lines() -> impl Strategy<Value = String> {
    prop::collection::vec(line(), 0..6)
        .prop_map(|lines| lines.iter().map(|line| format!("{line}\n")).collect())
}

fn pieces() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0usize..9, 0..40)
}

proptest! {
    #[test]
    fn one_command_is_exact_whatever_it_prints(
        texts in prop::collection::vec((lines(), any::<bool>()), 1..5),
        pieces in pieces(),
    ) {
        let marks: Vec<_> = (0..texts.len()).map(|index| format!("zmark{index}")).collect();
        let mut input = String::new();
        let mut expected = Vec::new();
        for (index, (text, error)) in texts.iter().enumerate() {
            let number = 2 * index as u64 + 4;
            input += &block(guard(number, 1), text, *error);
            input += "%sessions-changed\n";
            input += &mark(number + 1, &marks[index]);
            expected.push(Event::Notification(Notification::SessionsChanged));
            expected.push(Event::Reply(match error {
                true => Reply {
                    refused: Some(text.strip_prefix("parse error: ").unwrap_or(text).into()),
                    ..Reply::default()
                },
                false => output(text),
            }));
        }
        let marks: Vec<_> = marks.iter().map(String::as_str).collect();
        prop_assert_eq!(read(&marks, input.as_bytes(), &pieces), expected);
    }

    #[test]
    fn pieces_do_not_matter(text in prop::collection::vec(line(), 0..30), marked: bool, pieces in pieces()) {
        let text = text.join("\n") + "\n" + &mark(20, MARK) + "%exit\n";
        let marks: &[&str] = if marked { &[MARK] } else { &[] };
        prop_assert_eq!(read(marks, text.as_bytes(), &pieces), read(marks, text.as_bytes(), &[]));
    }

    #[test]
    fn a_mark_ends_whatever_came_before(text in prop::collection::vec(line(), 0..30)) {
        let text = text.join("\n") + "\n" + &mark(20, MARK) + &block(guard(21, 1), "b\n", false) + &mark(22, "zmark1");
        let events = read(&[MARK, "zmark1"], text.as_bytes(), &[]);
        prop_assert_eq!(events.last(), Some(&Event::Reply(output("b\n"))));
        prop_assert_eq!(events.iter().filter(|event| matches!(event, Event::Reply(_))).count(), 2);
    }

    #[test]
    fn output_is_decoded(data in prop::collection::vec(any::<u8>(), 0..60)) {
        let mut encoded = Vec::new();
        for &byte in &data {
            match byte {
                0..=31 | b'\\' => encoded.extend(format!("\\{byte:03o}").into_bytes()),
                byte => encoded.push(byte),
            }
        }
        let text = [b"%output %7 ".as_slice(), &encoded, b"\n"].concat();
        let expected = Event::Notification(Notification::Output { pane: PaneId(7), data });
        prop_assert_eq!(read(&[], &text, &[]), [expected]);
    }

    #[test]
    fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..400), pieces in pieces()) {
        prop_assert_eq!(read(&[MARK], &bytes, &pieces), read(&[MARK], &bytes, &[]));
        fuzz(&bytes);
    }
}
