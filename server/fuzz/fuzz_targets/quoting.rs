//! Any words come back as they were from a line and from the arguments of a process, as tmux reads them.
#![no_main]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use schemux_server::tmux::{Command, CommandList};

#[path = "../../src/tmux/command/model.rs"]
mod model;

// NUL separates words, since no word can hold one.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let words: Vec<_> = bytes.split(|&byte| byte == 0).map(<[u8]>::to_vec).collect();
    let command =
        words.iter().fold(Command::new("a"), |command, word| command.operand(OsStr::from_bytes(word)));
    let list = CommandList::from(command).then(Command::new("b"));
    let mut first = vec![b"a".to_vec()];
    first.extend(words[0].starts_with(b"-").then(|| b"--".to_vec()));
    first.extend(words);
    let expected = vec![first, vec![b"b".to_vec()]];
    let line = list.line().expect("no NUL");
    assert!(!line.iter().any(|byte| matches!(byte, b'\n' | b'\r' | 0 | 0xff)));
    assert_eq!(model::parse_line(&line), expected);
    assert_eq!(model::parse_argv(&list.argv().expect("no NUL")), expected);
});
