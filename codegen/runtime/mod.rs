//! What the generated code stands on: the same for every contract.

mod answer;
mod boundary;
mod caller;
mod contract;
mod cx;
mod difference;
mod error;
mod lenient;
#[cfg(feature = "client")]
mod mcp;
mod violation;

pub use answer::Answer;
pub use boundary::{call, recode, unknown_tool};
pub use caller::{CallError, Caller, Client, Reply};
pub use contract::ToolInfo;
pub use cx::{Cx, Peer, ProgressSink};
pub use error::ToolError;
pub use lenient::lenient;
#[cfg(feature = "client")]
pub use mcp::{Connection, SpawnError};
pub use violation::{Violation, Violations};
