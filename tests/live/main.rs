//! The server as a client sees it: the program, over standard input and output, on a real tmux. As `live` over one connection to
//! tmux, as `live_by_process` with a process for every command.
#![allow(clippy::disallowed_methods, reason = "tests start the programs that they test")]

mod arranging;
mod batch;
mod beside_tools;
mod buffers;
mod environment;
mod every_tool;
mod exit_copy_mode;
mod failures;
mod filters;
mod layouts;
mod options;
mod pipe_pane;
mod program;
mod reading;
mod respawn_pane;
mod running;
mod searching;
mod served;
mod servers;
mod sessions;
mod support;
mod surroundings;
mod typing;
mod wait_for_exit;
mod waiting;
mod windows;
