//! Every name that is taken sends a key, on the tmux under test, and no other name types anything.

use schemux_server::tmux::{Policy, Server, Since, TmuxError, is_key, send_keys};
use schemux_tests::TmuxWorld;

use super::reader::Reader;
use super::server;

const NAMES: &[&str] = &[
    "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12", "IC", "Insert", "DC",
    "Delete", "Home", "End", "NPage", "PageDown", "PgDn", "PPage", "PageUp", "PgUp", "Up", "Down", "Left",
    "Right", "Tab", "BTab", "Space", "BSpace", "Enter", "Escape", "KP/", "KP*", "KP-", "KP+", "KP.",
    "KPEnter", "KP0", "KP1", "KP2", "KP3", "KP4", "KP5", "KP6", "KP7", "KP8", "KP9", "enter", "UP",
];
const MODIFIERS: &[&str] = &["", "C-", "M-", "S-", "C-M-", "C-S-", "M-S-", "C-M-S-", "^"];

/// Every name with every modifier that is taken.
fn taken() -> Vec<String> {
    let characters = (' '..='~').chain("é日😀\u{301}\u{2028}".chars()).map(String::from);
    let names: Vec<String> = NAMES.iter().map(|name| name.to_string()).chain(characters).collect();
    let modified =
        |name: &String| MODIFIERS.iter().map(|modifier| format!("{modifier}{name}")).collect::<Vec<_>>();
    names.iter().flat_map(modified).filter(|name| is_key(name)).collect()
}

async fn press(server: &Server, reader: &Reader, keys: &[&str]) {
    assert_eq!(send_keys(server, reader.pane, keys, &Policy::default()).await.unwrap().panes, [reader.pane]);
}

/// The bytes of each key, told apart by a mark that no key gives.
async fn pressed(server: &Server, reader: &Reader, keys: &[String]) -> Vec<Vec<u8>> {
    let mark = ["0x1", "0x2", "0x3", "0x2", "0x1"];
    let mut parts = Vec::new();
    for keys in keys.chunks(40) {
        let with_marks: Vec<_> = keys.iter().flat_map(|key| [key.as_str()].into_iter().chain(mark)).collect();
        press(server, reader, &with_marks).await;
        let mut bytes = Vec::new();
        while split(&bytes).len() < keys.len() {
            let more = reader.next(1);
            assert!(!more.is_empty(), "a mark is missing after {:?}", String::from_utf8_lossy(&bytes));
            bytes.extend(more);
        }
        parts.extend(split(&bytes));
    }
    parts
}

fn split(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mark = b"\x01\x02\x03\x02\x01";
    let mut parts = Vec::new();
    while let Some(at) = bytes.windows(mark.len()).position(|window| window == mark) {
        parts.push(bytes[..at].to_vec());
        bytes = &bytes[at + mark.len()..];
    }
    parts
}

/// Without those that this tmux is too old for.
async fn sendable(server: &Server, mut names: Vec<String>) -> Vec<String> {
    if !server.facts().await.unwrap().version.has(Since::MODIFIED_KEYS) {
        let (extended, plain): (Vec<_>, _) = names.into_iter().partition(|name| {
            let base = name.trim_start_matches(['C', 'M', 'S', '-', '^']);
            ["enter", "tab"].contains(&base.to_lowercase().as_str())
                && !["", "M-"].contains(&&name[..name.len() - base.len()])
                && name != "S-Tab"
        });
        assert_eq!(extended.len(), 20, "{extended:?}");
        names = plain;
    }
    names
}

#[tokio::test]
async fn every_name_that_is_taken_sends_its_key() {
    let world = TmuxWorld::start();
    let (server, reader) = (server(&world), Reader::start(&world));
    let names = sendable(&server, taken()).await;
    assert!(names.len() > 600, "{}", names.len());
    for (name, bytes) in names.iter().zip(pressed(&server, &reader, &names).await) {
        assert!(!bytes.is_empty(), "{name} gives nothing");
        let (bytes, character) = (String::from_utf8(bytes).unwrap(), name.chars().next_back().unwrap());
        if name.chars().count() == 1 {
            assert_eq!(&bytes, name);
            continue;
        }
        // What a terminal sends for a key is short, and has nothing of the key's name, but for `M-x`.
        let meta = name.strip_prefix("M-").filter(|rest| rest.chars().count() == 1);
        match meta {
            Some(rest) => assert_eq!(bytes, format!("\x1b{rest}")),
            None if name.starts_with("KP") || name.starts_with("M-KP") => {
                let key = if character == 'r' { '\n' } else { character };
                let escape = if name.starts_with('M') { "\x1b" } else { "" };
                assert_eq!(bytes, format!("{escape}{key}"));
            }
            None => {
                assert!(bytes.starts_with(|c: char| c.is_control() || c == ' '), "{name} gives {bytes:?}");
                assert!(bytes.len() <= 7 && !bytes.contains(name.as_str()), "{name} gives {bytes:?}");
            }
        }
    }
}

/// Also where tmux speaks the language of extended keyboards to the program.
#[tokio::test]
async fn no_name_is_typed_as_text_whatever_the_program_asked_for() {
    let world = TmuxWorld::start();
    world.tmux(["set-option", "-s", "extended-keys", "always"]);
    let server = server(&world);
    let names = sendable(&server, taken()).await;
    for modes in ["\\033[>4;1m", "\\033[>4;2m", "\\033[?1h\\033=", "\\033[20h"] {
        let reader = Reader::after(&world, &format!("printf '{modes}'; sleep 0.1"));
        for (name, bytes) in names.iter().zip(pressed(&server, &reader, &names).await) {
            let text = String::from_utf8(bytes).unwrap();
            assert!(!text.is_empty(), "{name} gives nothing after {modes}");
            assert!(name.chars().count() == 1 || !text.contains(name), "{name} gives {text:?} after {modes}");
        }
    }
}

#[tokio::test]
async fn well_known_keys_give_well_known_bytes() {
    let world = TmuxWorld::start();
    let (server, reader) = (server(&world), Reader::start(&world));
    for (keys, bytes) in [
        (&["C-c"] as &[_], "\x03"),
        (&["^C", "C-[", "C-\\", "C-_", "C-?", "C-Space"], "\x03\x1b\x1c\x1f\x7f\0"),
        (&["Enter"], "\r"),
        (&["Tab", "S-Tab"], "\t\x1b[Z"),
        (&["Escape", "BSpace"], "\x1b\x7f"),
        (&["Up", "Down", "Right", "Left"], "\x1b[A\x1b[B\x1b[C\x1b[D"),
        (&["C-Up", "M-S-F5", "DC"], "\x1b[1;5A\x1b[15;4~\x1b[3~"),
        (&["M-x", "C-M-a", "M-é"], "\x1bx\x1b\x01\x1bé"),
        (&["-", ";", "M-;", "M--", "#", "~", "\"", "'", " ", "$", "{"], "-;\x1b;\x1b-#~\"' ${"),
        (&["0x1b", "0x0", "0x65e5", "日"], "\x1b\0日日"),
    ] {
        press(&server, &reader, keys).await;
        reader.expect(bytes.as_bytes(), &format!("{keys:?}"));
    }
}

#[tokio::test]
async fn other_names_are_refused_before_anything_is_typed() {
    let world = TmuxWorld::start();
    let (server, reader) = (server(&world), Reader::start(&world));
    let send = async |keys: &[&str]| send_keys(&server, reader.pane, keys, &Policy::default()).await;
    for name in [
        "Return",
        "ls",
        "",
        "C-BSpace",
        "MouseDown1Pane",
        "Any",
        "S-KP1",
        "C-",
        "e\u{301}",
        "-R",
        "-l",
        ";;",
        "a\0",
    ] {
        assert!(!is_key(name));
        assert_eq!(
            send(&["a", "C-c", name, "Enter"]).await,
            Err(TmuxError::UnknownKey { index: 2 }),
            "{name}"
        );
    }
    assert_eq!(send(&["a"; 257]).await, Err(TmuxError::TooManyKeys { count: 257, limit: 256 }));
    let version = server.facts().await.unwrap().version;
    if version.has(Since::MODIFIED_KEYS) {
        assert_eq!(send(&["S-Enter"]).await.unwrap().panes, [reader.pane]);
        reader.expect(b"\r", "S-Enter for a program that did not ask for more");
    } else {
        let (found, needed) = (version, Since::MODIFIED_KEYS.into());
        assert_eq!(send(&["a", "S-Enter"]).await, Err(TmuxError::KeyNeedsNewer { index: 1, found, needed }));
    }
    reader.expect_nothing(&world, "refused keys");
    assert!(send(&[]).await.unwrap().panes.is_empty());
    // As many as there may be, in the form that takes the most room.
    send(&["C-M-S-PageDown", "\u{10ffff}"].repeat(128)).await.unwrap();
    reader.expect("\x1b[6;8~\u{10ffff}".repeat(128).as_bytes(), "256 keys");
}

/// tmux itself knows all of them as keys.
#[test]
fn tmux_knows_the_names() {
    let world = TmuxWorld::start();
    let names = taken();
    for names in names.chunks(100) {
        let binds = names.iter().filter(|name| !name.starts_with("0x") && !name.ends_with('\u{2028}'));
        let words = binds.flat_map(|name| {
            let name = if name.ends_with(';') { name.replace(';', "\\;") } else { name.clone() };
            [
                "bind-key".to_owned(),
                "-Ttest".to_owned(),
                "--".to_owned(),
                name,
                "list-keys".to_owned(),
                ";".to_owned(),
            ]
        });
        world.tmux(words.collect::<Vec<_>>());
    }
}
