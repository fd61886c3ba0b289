//! The same tests with a tmux process for every command instead of one connection.

#[path = "tmux.rs"]
mod tmux;
