//! `send_keys`, `send_keys_batch`, `paste_text`: every byte arrives, in order, or nothing does and the caller is told.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use schemux::{PasteTextArgs, SendKeysArgs, SendKeysBatchArgs, SendKeysOperation};
use schemux_tests::{TmuxWorld, until};

use super::support::{ENGINE, bare, client, connect, refused};

/// A pane whose program writes down, byte for byte, what is typed into it.
struct Reader {
    pane: String,
    file: PathBuf,
    read: usize,
}

impl Reader {
    async fn new(world: &TmuxWorld, name: &str, before: &str) -> Self {
        let file = world.directory().join(name);
        let ready = world.directory().join(format!("{name}.ready"));
        let program = format!(
            "stty raw -echo; {before} : >{}; touch {}; exec cat >{}",
            file.display(),
            ready.display(),
            file.display()
        );
        let pane = world.pane(&program);
        until("the reader reads", || ready.exists()).await;
        Reader { pane, file, read: 0 }
    }

    /// What has arrived since, once it is as long as this.
    async fn arrived(&mut self, expected: &[u8]) -> Vec<u8> {
        let length = |file: &Path| std::fs::read(file).unwrap().len();
        until("it arrives", || length(&self.file) >= self.read + expected.len()).await;
        // What should not come would come soon.
        tokio::time::sleep(std::time::Duration::from_millis(30)).await;
        let all = std::fs::read(&self.file).unwrap();
        let new = all[self.read..].to_vec();
        self.read = all.len();
        new
    }

    async fn expect(&mut self, expected: impl AsRef<[u8]>) {
        let expected = expected.as_ref();
        let arrived = self.arrived(expected).await;
        assert!(
            arrived == expected,
            "{:?} arrived and not {:?}",
            String::from_utf8_lossy(&arrived),
            String::from_utf8_lossy(&expected[..expected.len().min(200)])
        );
    }
}

fn operation(keys: &str, pane: &str) -> SendKeysOperation {
    SendKeysOperation { pane_id: Some(pane.to_owned()), ..SendKeysOperation::new(keys) }
}

#[tokio::test]
async fn text_arrives_byte_for_byte() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let mut reader = Reader::new(&world, "r", "").await;
    let long: String = (0..5_000).map(|number| format!("{number} é;\n")).collect();
    for text in [
        "-R",
        "--",
        "-t %99 x",
        ";",
        "a;",
        "\\;",
        "Enter Enter",
        "C-c C-c",
        "#{pane_id} #(id) #S",
        "%H %",
        "é漢😀 e\u{301}",
        "\t\n\u{1b}[A",
        " two  spaces ",
        "'\"$HOME`~",
        &long,
    ] {
        let args = SendKeysArgs::new(text).pane_id(&reader.pane).enter(false);
        let said = client.send_keys(args.clone()).await.unwrap();
        assert!(said.contains(&reader.pane) && !said.contains(text), "{said}");
        reader.expect(text).await;
        client.send_keys(args.literal(true).suppress_history(true)).await.unwrap();
        reader.expect(format!(" {text}")).await;
    }
    client.close().await;
}

#[tokio::test]
async fn keys_have_their_bytes_and_enter_comes_after() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let mut reader = Reader::new(&world, "r", "").await;
    let keys = |keys: &str| SendKeysArgs::new(keys).pane_id(&reader.pane);
    let calls = [
        (keys("C-c").enter(false), "\x03"),
        (keys("C-c").enter(false).suppress_history(true), "\x03"),
        (keys("C-c").enter(false).literal(true), "C-c"),
        (keys("Up").enter(false), "\x1b[A"),
        (keys("Escape"), "\x1b\r"),
        (keys("enter").enter(false), "\r"),
        (keys("Enter").enter(false).literal(true), "Enter"),
        (keys("x"), "x\r"),
        (keys("x").suppress_history(true), " x\r"),
        (keys(""), "\r"),
        (keys("0x41").enter(false), "A"),
    ];
    for (args, bytes) in calls {
        client.send_keys(args).await.unwrap();
        reader.expect(bytes).await;
    }
    client.close().await;
}

#[tokio::test]
async fn what_would_lose_input_is_left_or_said() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let mut reader = Reader::new(&world, "r", "").await;
    world.tmux(["copy-mode", "-t", &reader.pane]);
    client.send_keys(SendKeysArgs::new("text").pane_id(&reader.pane)).await.unwrap();
    reader.expect("text\r").await;
    world.tmux(["clock-mode", "-t", &reader.pane]);
    client.send_keys(SendKeysArgs::new("C-a").pane_id(&reader.pane).enter(false)).await.unwrap();
    reader.expect("\x01").await;
    world.tmux(["copy-mode", "-t", &reader.pane]);
    client.paste_text(PasteTextArgs::new("pasted").pane_id(&reader.pane)).await.unwrap();
    reader.expect("pasted").await;

    world.tmux(["set-option", "-g", "remain-on-exit", "on"]);
    let dead = world.pane("exec true");
    world.until("it is dead", || world.tmux(["display-message", "-p", "-t", &dead, "#{pane_dead}"]) == "1");
    for keys in ["text", "C-c"] {
        let error = refused(client.send_keys(SendKeysArgs::new(keys).pane_id(&dead)).await);
        assert!(error.expected && error.message.contains("has ended"), "{error}");
    }
    let error = refused(client.paste_text(PasteTextArgs::new("text").pane_id(&dead)).await);
    assert!(error.message.contains("has ended"), "{error}");
    for (pane, keys) in [("%999", "x"), ("%999", ""), ("%999", "C-c"), ("1", "x"), ("", "x")] {
        let error = refused(client.send_keys(SendKeysArgs::new(keys).pane_id(pane).enter(false)).await);
        assert_eq!((error.error_type.as_ref(), error.expected), ("PaneNotFound", true), "{pane:?} {keys:?}");
    }
    let error = refused(client.send_keys(SendKeysArgs::new("x").session_name("nope")).await);
    assert_eq!(error.error_type, "TmuxObjectDoesNotExist");
    let error = refused(client.send_keys(SendKeysArgs::new("a\0b").pane_id(&reader.pane)).await);
    assert_eq!((error.error_type.as_ref(), error.expected), ("ValueError", true));
    reader.expect("").await;
    client.close().await;
}

#[tokio::test]
async fn calls_on_one_pane_do_not_mix() {
    let world = TmuxWorld::start();
    let client = Arc::new(client(&world).await);
    let mut reader = Reader::new(&world, "r", "").await;
    let mut calls = tokio::task::JoinSet::new();
    let mut expected = String::new();
    for number in 0..20 {
        let (client, pane) = (client.clone(), reader.pane.clone());
        expected.push_str(&format!("call {number}\r"));
        calls.spawn(async move {
            client.send_keys(SendKeysArgs::new(format!("call {number}")).pane_id(&pane)).await.unwrap()
        });
    }
    while calls.join_next().await.is_some() {}
    reader.expect(expected).await;
}

#[tokio::test]
async fn a_pane_that_several_sessions_show_is_one_pane() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let mut reader = Reader::new(&world, "r", "").await;
    world.tmux(["new-session", "-d", "-t", "main", "-s", "grouped"]);
    client.send_keys(SendKeysArgs::new("once").pane_id(&reader.pane)).await.unwrap();
    reader.expect("once\r").await;
    let window = world.tmux(["display-message", "-p", "-t", &reader.pane, "#{window_id}"]);
    client.send_keys(SendKeysArgs::new("again").window_id(window)).await.unwrap();
    reader.expect("again\r").await;
    client.close().await;
}

#[tokio::test]
async fn a_batch_tells_what_became_of_each() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let mut first = Reader::new(&world, "first", "").await;
    let mut second = Reader::new(&world, "second", "").await;
    let operations = vec![
        operation("one", &first.pane),
        SendKeysOperation { enter: false, ..operation("C-c", &second.pane) },
        operation("x", "%999"),
        SendKeysOperation { literal: true, suppress_history: true, ..operation("-R", &first.pane) },
    ];
    let batch = SendKeysBatchArgs::new(operations);
    let result = client.send_keys_batch(batch.clone().timeout(20.0)).await.unwrap();
    assert_eq!((result.succeeded, result.failed, result.stopped_at), (2, 1, Some(2)));
    let rows = result.results.unwrap();
    let panes: Vec<Option<&str>> = rows.iter().map(|row| row.pane_id.as_deref()).collect();
    assert_eq!(panes, [Some(first.pane.as_str()), Some(&second.pane), None]);
    assert!(rows[2].error.as_ref().is_some_and(|error| error.contains("%999")), "{rows:?}");
    assert_eq!(rows.iter().map(|row| row.index).collect::<Vec<_>>(), [0, 1, 2]);
    first.expect("one\r").await;
    second.expect("\x03").await;

    let result = client.send_keys_batch(batch.on_error(schemux::OnError::Continue)).await.unwrap();
    assert_eq!((result.succeeded, result.failed, result.stopped_at), (3, 1, None));
    first.expect("one\r -R\r").await;
    second.expect("\x03").await;

    for timeout in [0.0, -1.0] {
        let batch = SendKeysBatchArgs::new(vec![operation("late", &first.pane), operation("late", "%5")]);
        let batch = batch.timeout(timeout).on_error(schemux::OnError::Continue);
        let result = client.send_keys_batch(batch).await.unwrap();
        assert_eq!((result.succeeded, result.failed), (0, 2));
        let rows = result.results.unwrap();
        assert_eq!(rows[1].pane_id.as_deref(), Some("%5"));
        assert!(rows.iter().all(|row| row.elapsed_seconds == 0.0 && row.error.is_some()), "{rows:?}");
    }
    let error = refused(client.send_keys_batch(SendKeysBatchArgs::new(vec![])).await);
    assert_eq!(error.error_type, "ExpectedToolError");
    first.expect("").await;
    client.close().await;
}

#[tokio::test]
async fn what_is_pasted_is_marked_where_the_program_asks() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let mut plain = Reader::new(&world, "plain", "").await;
    let mut asking = Reader::new(&world, "asking", "printf '\\033[?2004h';").await;
    let long = "x;\\ #{pane_id}".repeat(2_000);
    for text in ["two\nlines\n", "-x", "tab\tand é😀", "#(id);", long.as_str()] {
        let typed = text.replace('\n', "\r");
        for (asks, bracket, before, after) in [
            (false, true, "", ""),
            (false, false, "", ""),
            (true, true, "\x1b[200~", "\x1b[201~"),
            (true, false, "", ""),
        ] {
            let reader = if asks { &mut asking } else { &mut plain };
            let args = PasteTextArgs::new(text).pane_id(&reader.pane).bracket(bracket);
            let said = client.paste_text(args).await.unwrap();
            assert!(said.contains(&reader.pane), "{said}");
            reader.expect(format!("{before}{typed}{after}")).await;
        }
    }
    client.paste_text(PasteTextArgs::new("").pane_id(&plain.pane)).await.unwrap();
    plain.expect("").await;
    for text in ["", "x"] {
        let error = refused(client.paste_text(PasteTextArgs::new(text).pane_id("%999")).await);
        assert_eq!(error.error_type, "PaneNotFound");
    }
    assert_eq!(world.tmux(["list-buffers"]), "");
    client.close().await;
}

#[tokio::test]
async fn what_is_typed_is_no_argument_of_a_process() {
    let world = TmuxWorld::start();
    let (log, wrapper) = (world.directory().join("words"), world.directory().join("wrapper"));
    let script = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$*\" >>{}\nexec {} \"$@\"\n",
        log.display(),
        world.program().display()
    );
    std::fs::write(&wrapper, script).unwrap();
    std::fs::set_permissions(&wrapper, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = bare(world.directory());
    command.arg("--tmux").arg(&wrapper).args(["--engine", ENGINE]);
    let client = connect(command).await;
    let mut reader = Reader::new(&world, "r", "").await;
    client.send_keys(SendKeysArgs::new("secret").pane_id(&reader.pane).enter(false)).await.unwrap();
    reader.expect("secret").await;
    for bracket in [true, false] {
        client.paste_text(PasteTextArgs::new("secret").pane_id(&reader.pane).bracket(bracket)).await.unwrap();
        reader.expect("secret").await;
    }
    client.close().await;
    let words = std::fs::read_to_string(&log).unwrap();
    assert!(!words.is_empty() && !words.contains("secret") && !words.contains("73 65 63"), "{words}");
}
