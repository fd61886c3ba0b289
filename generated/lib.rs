//! The tmux MCP tools as typed Rust: their contract, a trait for servers and a client.
//!
//! Everything here is made from the JSON schemas that the tools advertise (`schemas/` in the repository), but for this
//! page. Start with [`Client`] to call tools, with [`Tools`] and [`dispatch`] to serve them, and with [`TOOLS`] to look at
//! what they advertise.
//!
//! # Calling tools
//!
#![cfg_attr(feature = "client", doc = "```no_run")]
#![cfg_attr(not(feature = "client"), doc = "```ignore")]
//! use schemux::{CallError, Client, RespawnPaneArgs, WaitForExitArgs};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::spawn(tokio::process::Command::new("schemux")).await?;
//! let pane = client.respawn_pane(RespawnPaneArgs::new("%1").shell("make test")).await?;
//! let end = client.wait_for_exit(WaitForExitArgs::new(pane.pane_id).timeout_ms(60_000)).await?;
//! println!("{}: {:?} {:?}", end.outcome, end.exit_status, end.signal);
//!
//! match client.respawn_pane(RespawnPaneArgs::new("%404")).await {
//!     Err(CallError::Tool(error)) => println!("{}: {}", error.error_type, error.message),
//!     other => println!("{other:?}"),
//! }
//! client.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! # Serving tools
//!
//! Implement [`Tools`], one method per tool, and hand each call to [`dispatch`]. [`Cx`] carries cancellation and progress
//! and knows no transport.

// Written by codegen, and formatted by it.
#[rustfmt::skip]
mod catalogue;
#[rustfmt::skip]
mod client;
#[rustfmt::skip]
mod dispatch;
#[rustfmt::skip]
mod recode;
#[rustfmt::skip]
mod runtime;
#[rustfmt::skip]
mod tools;
#[rustfmt::skip]
pub mod types;

pub use catalogue::TOOLS;
pub use dispatch::dispatch;
pub use recode::{recode_arguments, recode_result};
pub use runtime::*;
pub use tools::Tools;
pub use types::*;
