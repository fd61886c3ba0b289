//! The tools, by family. Only here are both known: the contract's types and tmux.

mod environment;
mod errors;
pub mod mode;
mod pane;
mod path;
pub mod process;
pub mod wait;
