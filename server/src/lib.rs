//! An MCP server for tmux, and the program `schemux`.
//!
//! The way of a call: [`mcp`] takes it from the wire, [`call`] does what is done around every call, [`tools`] is the table
//! of contents, a handler knows the contract's types and tmux, and [`tmux`] knows nothing but tmux.

mod audit;
pub mod call;
pub mod cli;
pub mod config;
mod handlers;
pub mod hints;
pub mod instructions;
pub mod mcp;
mod prompts;
mod resources;
pub mod secrets;
pub mod state;
pub mod surface;
pub mod tmux;
pub mod tools;
pub mod view;

/// The README's program compiles.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
