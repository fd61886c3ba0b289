//! Quoting, against small models of tmux's two parsers.

use proptest::prelude::*;

use super::*;

#[path = "model.rs"]
mod model;
use model::{parse_argv, parse_line};

fn list_of(words: &[Vec<u8>]) -> CommandList {
    let command =
        words.iter().fold(Command::new("a"), |command, word| command.operand(OsStr::from_bytes(word)));
    CommandList::new().then(command).then(Command::new("b"))
}

fn expected(words: &[Vec<u8>]) -> Vec<Vec<Vec<u8>>> {
    let mut first = vec![b"a".to_vec()];
    if words.first().is_some_and(|word| word.starts_with(b"-")) {
        first.push(b"--".to_vec());
    }
    first.extend(words.iter().cloned());
    vec![first, vec![b"b".to_vec()]]
}

/// Words made mostly of what is special somewhere, without NUL.
fn word() -> impl Strategy<Value = Vec<u8>> {
    let odd = prop::sample::select(b";;;\\\\\"'$#%~{}[]-= \t\n\r\x1b\x7f\xff\xc3\xa9a1".to_vec());
    prop::collection::vec(prop_oneof![4 => odd, 1 => 1u8..=255], 0..12)
}

proptest! {
    #[test]
    fn words_survive_argv(words in prop::collection::vec(word(), 0..5)) {
        prop_assert_eq!(parse_argv(&list_of(&words).argv().unwrap()), expected(&words));
    }

    #[test]
    fn words_survive_a_line(words in prop::collection::vec(word(), 0..5)) {
        let line = list_of(&words).line().unwrap();
        prop_assert!(!line.iter().any(|b| matches!(b, b'\n' | b'\r' | 0 | 0xff)), "{:?}", line);
        prop_assert_eq!(parse_line(&line), expected(&words));
    }

    #[test]
    fn a_list_in_a_word_of_a_line_survives(words in prop::collection::vec(word(), 0..4)) {
        let inner = list_of(&words);
        let outer = CommandList::from(Command::new("if-shell").flag('F').operand("1").commands(&inner).unwrap());
        let parsed = parse_line(&outer.line().unwrap());
        prop_assert_eq!(parse_line(&parsed[0][3]), expected(&words));
    }
}

#[test]
fn only_a_final_semicolon_is_escaped_in_argv() {
    let argv = |word: &str| list_of(&[word.into()]).argv().unwrap()[1].clone();
    assert_eq!(argv("a;b"), "a;b");
    assert_eq!(argv("a;"), "a\\;");
    assert_eq!(argv(";"), "\\;");
    assert_eq!(argv("a\\;"), "a\\\\;");
}

#[test]
fn a_leading_dash_is_an_operand() {
    let argv = CommandList::from(Command::new("set-buffer").value('b', "-x").operand("-a")).argv().unwrap();
    assert_eq!(argv, ["set-buffer", "-b", "-x", "--", "-a"]);
}

#[test]
fn nul_is_refused() {
    let list = CommandList::from(Command::new("set-buffer").operand("a\0b"));
    assert_eq!(list.argv(), Err(NulInWord));
    assert_eq!(list.line(), Err(NulInWord));
}

#[test]
fn formats_keep_literal_text() {
    for (text, format) in [
        ("plain", "plain"),
        ("#", "##"),
        ("a##b", "a####b"),
        ("#{pane_id}", "##{pane_id}"),
        ("#[red]", "#[red]"),
        ("##[x#", "##[x##"),
        ("#(id)", "##(id)"),
    ] {
        assert_eq!(literal(text), format, "{text}");
    }
}

#[test]
fn messages_are_short() {
    let list = CommandList::new()
        .then(Command::new("respawn-pane").target("%7").value('e', "SECRET=x"))
        .then(Command::new("list-panes").value('F', "…"));
    assert_eq!(list.to_string(), "respawn-pane -t %7 (and 1 more)");
    assert_eq!(CommandList::new().to_string(), "(nothing)");
}
