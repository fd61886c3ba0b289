//! From the JSON schemas that MCP tools advertise to Rust types, a dispatch trait and a typed client.

pub mod fault;
pub mod import;

pub use fault::{Fault, Faults};
