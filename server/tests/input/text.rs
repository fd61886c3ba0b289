//! Text arrives byte for byte.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRng, TestRunner};
use schemux_server::tmux::{MAX_TEXT, PaneId, Server, TmuxError, Typed, Typing, type_text};
use schemux_tests::TmuxWorld;

use super::reader::Reader;
use super::{assert_no_buffers, server};

const BRACKETED: Typing = Typing {
    policy: schemux_server::tmux::Policy {
        modes: schemux_server::tmux::Modes::Refuse,
        synchronized: schemux_server::tmux::Synchronized::Follow,
    },
    bracketed: true,
    enter: false,
};

async fn types(server: &Server, reader: &Reader, text: &[u8], typing: &Typing) {
    let typed = type_text(server, reader.pane, text, typing).await.unwrap();
    assert_eq!(typed.panes, [reader.pane]);
    reader.expect(text, &format!("{} bytes, {typing:?}", text.len()));
}

/// What is special to tmux, a shell, a terminal or a decoder somewhere.
const ODD: &[&str] = &[
    "-",
    "--",
    "-R",
    ";",
    "\\;",
    "\\",
    "'",
    "\"",
    "`",
    "$HOME",
    "$(id)",
    "~",
    "#",
    "##",
    "#{pane_id}",
    "#(id)",
    "#S",
    "#[fg=red]",
    "%1",
    "%H",
    "{",
    "}",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "\u{1b}",
    "\u{1b}[200~",
    "\u{1b}[201~",
    "\u{3}",
    "\u{4}",
    "\u{7f}",
    "\u{80}",
    "\u{85}",
    "\u{9b}",
    "\u{a0}",
    "\u{2028}",
    "\u{2029}",
    "\u{feff}",
    "\u{200b}",
    "\u{202e}",
    "e\u{301}",
    "日本",
    "👩\u{200d}💻",
    "🇩🇪",
    "\u{e0001}",
    "\u{10ffff}",
    "\u{fffd}",
    "Enter",
    "C-c",
    "0x41",
    " ",
    "a",
    "é",
    "␞",
];

fn odd_text() -> impl Strategy<Value = Vec<u8>> {
    let odd = prop::sample::select(ODD).prop_map(|text| text.as_bytes().to_vec());
    let any_character =
        any::<char>().prop_filter("not NUL", |c| *c != '\0').prop_map(|c| c.to_string().into_bytes());
    let any_byte = (1..=255_u8).prop_map(|byte| vec![byte]);
    let part = prop_oneof![6 => odd, 2 => any_character, 1 => any_byte];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

#[tokio::test]
async fn ten_thousand_random_texts_arrive() {
    let world = TmuxWorld::start();
    let (server, reader) = (server(&world), Reader::start(&world));
    let rng = TestRng::from_seed(prop::test_runner::RngAlgorithm::ChaCha, &seed());
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let mut texts =
        (0..10_000).map(|_| odd_text().new_tree(&mut runner).unwrap().current()).collect::<Vec<_>>();
    let alone = texts.split_off(9_500);
    // Many at once, with marks between them, so that it takes seconds.
    for texts in texts.chunks(100) {
        let mut all = Vec::new();
        for text in texts {
            all.extend_from_slice(text);
            all.extend_from_slice(b"<|>");
        }
        types(&server, &reader, &all, &Typing::default()).await;
    }
    // Each as it is: what stands first and last matters somewhere.
    for text in alone.iter().filter(|text| !text.is_empty()) {
        types(&server, &reader, text, &Typing::default()).await;
    }
    assert_no_buffers(&world);
}

/// Another one each time; it is printed, for a test that fails.
fn seed() -> [u8; 32] {
    let nanos = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos();
    println!("seed {nanos}");
    let mut seed = [0; 32];
    seed[..16].copy_from_slice(&nanos.to_le_bytes());
    seed
}

#[tokio::test]
async fn every_byte_arrives_both_ways() {
    let world = TmuxWorld::start();
    let (server, reader) = (server(&world), Reader::start(&world));
    let bytes: Vec<u8> = (1..=255).collect();
    types(&server, &reader, &bytes, &Typing::default()).await;
    types(&server, &reader, &bytes.repeat(17), &Typing::default()).await;
    types(&server, &reader, &bytes, &BRACKETED).await;
    for text in ODD {
        types(&server, &reader, text.as_bytes(), &Typing::default()).await;
        types(&server, &reader, text.as_bytes(), &BRACKETED).await;
    }
    assert_no_buffers(&world);
}

/// What the program asks of the keyboard does not change text: extended keys, application keypad, new-line mode.
#[tokio::test]
async fn every_byte_arrives_whatever_the_program_asked_for() {
    let world = TmuxWorld::start();
    world.tmux(["set-option", "-s", "extended-keys", "always"]);
    let bytes: Vec<u8> = (1..=255).collect();
    for modes in ["\\033[>4;1m", "\\033[>4;2m", "\\033[?1h\\033=\\033[20h"] {
        let (server, reader) =
            (server(&world), Reader::after(&world, &format!("printf '{modes}'; sleep 0.1")));
        types(&server, &reader, &bytes, &Typing::default()).await;
        types(&server, &reader, &bytes.repeat(17), &Typing::default()).await;
    }
}

#[tokio::test]
async fn every_size_arrives() {
    let world = TmuxWorld::start();
    let (server, reader) = (server(&world), Reader::start(&world));
    let pattern: Vec<u8> = (1..=255).chain("日;\n".bytes()).collect();
    for size in [1, 2, 4095, 4096, 4097, 5000, 16_383, 16_384, 65_536, 1 << 20] {
        let text: Vec<u8> = pattern.iter().copied().cycle().take(size).collect();
        types(&server, &reader, &text, &Typing::default()).await;
    }
    assert_eq!(type_text(&server, reader.pane, "", &Typing::default()).await, Ok(Typed::default()));
    reader.expect_nothing(&world, "an empty text");
    let long = vec![b'a'; MAX_TEXT + 1];
    let refused = type_text(&server, reader.pane, &long, &Typing::default()).await;
    assert_eq!(refused, Err(TmuxError::TooMuchText { size: MAX_TEXT + 1, limit: MAX_TEXT }));
    types(&server, &reader, &long[1..], &Typing::default()).await;
    assert_no_buffers(&world);
}

#[tokio::test]
async fn a_nul_is_refused_before_anything_is_typed() {
    let world = TmuxWorld::start();
    let (server, reader) = (server(&world), Reader::start(&world));
    for text in [b"a\0b".to_vec(), [vec![b'a'; 10_000], vec![0]].concat()] {
        let refused =
            type_text(&server, reader.pane, &text, &Typing { enter: true, ..Typing::default() }).await;
        assert!(matches!(refused, Err(TmuxError::Nul(_))), "{refused:?}");
    }
    reader.expect_nothing(&world, "texts with a NUL");
}

#[tokio::test]
async fn marks_are_only_for_programs_that_want_them() {
    let world = TmuxWorld::start();
    let (server, plain) = (server(&world), Reader::start(&world));
    types(&server, &plain, b"a\nb", &BRACKETED).await;
    let wants = Reader::after(&world, "printf '\\033[?2004h'; sleep 0.1");
    type_text(&server, wants.pane, "a\nb", &BRACKETED).await.unwrap();
    wants.expect(b"\x1b[200~a\nb\x1b[201~", "marks");
    type_text(&server, wants.pane, "a\nb", &Typing { enter: true, ..BRACKETED }).await.unwrap();
    wants.expect(b"\x1b[200~a\nb\x1b[201~\r", "marks and Enter");
    type_text(&server, wants.pane, "a\nb", &Typing::default()).await.unwrap();
    wants.expect(b"a\nb", "no marks");
    assert_no_buffers(&world);
}

#[tokio::test]
async fn enter_is_a_write_of_its_own() {
    let world = TmuxWorld::start();
    let file = world.directory().join("reads");
    let program = format!(
        "stty raw -echo; : >'{0}'; while :; do dd bs=9999 count=1 2>/dev/null; printf '|'; done >>'{0}'",
        file.display()
    );
    let pane: PaneId = world.pane(&program).parse().unwrap();
    world.until("the terminal is raw", || file.exists());
    // Long enough for a new `dd` to wait for its read.
    let settled = || std::thread::sleep(Duration::from_millis(500));
    settled();
    let enter = Typing { enter: true, ..Typing::default() };
    let server = server(&world);
    assert_eq!(type_text(&server, pane, "text", &enter).await.unwrap().panes, [pane]);
    world.until("both are read", || std::fs::read(&file).unwrap().len() >= 7);
    assert_eq!(String::from_utf8(std::fs::read(&file).unwrap()).unwrap(), "text|\r|");
    settled();
    assert_eq!(type_text(&server, pane, "", &enter).await.unwrap().panes, [pane]);
    world.until("Enter alone is read", || std::fs::read(&file).unwrap().len() >= 9);
    assert_eq!(String::from_utf8(std::fs::read(&file).unwrap()).unwrap(), "text|\r|\r|");
}

/// tmux keeps what a program does not read, and serves everybody else.
#[tokio::test]
async fn a_pane_that_does_not_read_holds_up_nobody_and_loses_nothing() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let go = world.directory().join("go");
    let slow = Reader::after(&world, &format!("until [ -e '{}' ]; do sleep 0.05; done", go.display()));
    let other = Reader::start(&world);
    let text: Vec<u8> = (1..=255).cycle().take(1 << 20).collect();
    for _ in 0..3 {
        type_text(&server, slow.pane, &text, &Typing::default()).await.unwrap();
    }
    let begin = Instant::now();
    assert!(server.panes().await.unwrap().len() >= 3);
    types(&server, &other, b"quick", &Typing::default()).await;
    assert!(begin.elapsed() < Duration::from_secs(1), "{:?}", begin.elapsed());
    assert_eq!(std::fs::read(slow.file()).unwrap(), b"");
    std::fs::write(&go, "").unwrap();
    slow.expect(&text.repeat(3), "3 MiB that waited");
    assert_no_buffers(&world);
}
