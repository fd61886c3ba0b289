//! Words reach tmux as they are, by process and as a line of commands.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use schemux_server::tmux::{Command, CommandList, Query, Server, literal};
use schemux_tests::TmuxWorld;

use super::server;

/// Words made mostly of what is special somewhere. Text, because tmux may refuse options that are no UTF-8.
fn word() -> impl Strategy<Value = String> {
    let odd =
        prop::sample::select("; ; \\ \" ' $ # % ~ { } [ ] | - = a 1 é ␞".split(' ').collect::<Vec<_>>());
    let odd = odd.prop_map(str::to_owned);
    let space =
        prop::sample::select(vec![" ", "\t", "\n", "\u{1}", "\u{1b}", "\u{7f}"]).prop_map(str::to_owned);
    prop::collection::vec(prop_oneof![4 => odd, 1 => space], 0..10).prop_map(|parts| parts.concat())
}

fn each_word(cases: u32, check: impl Fn(&str) -> Result<(), TestCaseError>) {
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    runner.run(&word(), |word| check(&word)).unwrap();
}

async fn read_back(server: &Server, list: CommandList) -> String {
    let query = Query::new(&["@word"]);
    let show = Command::new("display-message").flag('p').target("main:").operand(query.template());
    let rows = server.rows(&query, list.then(show)).await.unwrap();
    rows[0].text("@word")
}

fn set(word: &str) -> Command {
    Command::new("set-option").flag('g').operand("@word").operand(word)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

#[test]
fn any_word_arrives_by_process() {
    let world = TmuxWorld::start();
    let (server, runtime) = (server(&world), runtime());
    each_word(150, |word| {
        prop_assert_eq!(runtime.block_on(read_back(&server, set(word).into())), word);
        Ok(())
    });
}

#[test]
fn any_word_arrives_in_a_line() {
    let world = TmuxWorld::start();
    let (server, runtime) = (server(&world), runtime());
    each_word(150, |word| {
        let nested = Command::new("if-shell").flag('F').operand("1").commands(&set(word).into()).unwrap();
        prop_assert_eq!(runtime.block_on(read_back(&server, nested.into())), word);
        Ok(())
    });
}

#[test]
fn any_word_arrives_where_formats_are_expanded() {
    let world = TmuxWorld::start();
    let (server, runtime) = (server(&world), runtime());
    each_word(150, |word| {
        let expanded = Command::new("set-option").flag('g').flag('F').operand("@word").operand(literal(word));
        prop_assert_eq!(runtime.block_on(read_back(&server, expanded.into())), word);
        Ok(())
    });
}

#[tokio::test]
async fn a_word_that_is_no_utf8_arrives_in_a_line() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let bytes = b"a\xff\xfe\xc3;b";
    let set = Command::new("set-option").flag('g').operand("@word").operand(OsStr::from_bytes(bytes));
    let nested = Command::new("if-shell").flag('F').operand("1").commands(&set.into()).unwrap();
    let query = Query::new(&["@word"]);
    let show = Command::new("display-message").flag('p').target("main:").operand(query.template());
    let rows = server.rows(&query, CommandList::from(nested).then(show)).await.unwrap();
    assert_eq!(rows[0].bytes("@word"), bytes);
}
