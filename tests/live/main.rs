//! The server as a client sees it: the program, over standard input and output, on a real tmux. As `live` over one connection to
//! tmux, as `live_by_process` with a process for every command.
#![allow(clippy::disallowed_methods, reason = "tests start the programs that they test")]

mod every_tool;
mod exit_copy_mode;
mod failures;
mod program;
mod respawn_pane;
mod served;
mod support;
mod wait_for_exit;
