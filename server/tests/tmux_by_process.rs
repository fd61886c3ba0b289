//! The same tests with a tmux process for every command instead of one connection.
#![allow(clippy::disallowed_methods, reason = "tests and benches start the programs that they are about")]

#[path = "tmux.rs"]
mod tmux;
