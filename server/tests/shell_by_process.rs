//! The same tests with a tmux process for every command instead of one connection, and a pipe instead of a client that reads.
#![allow(clippy::disallowed_methods, reason = "tests and benches start the programs that they are about")]

#[path = "shell.rs"]
mod shell;
