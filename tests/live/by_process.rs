//! The same tests with a tmux process for every command instead of one connection.

#[path = "main.rs"]
mod live;
