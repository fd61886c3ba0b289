//! What the integration tests share.
#![allow(clippy::disallowed_methods, reason = "tests start the programs that they test")]

pub mod cargo;
pub mod schema;
mod world;

pub use world::{TmuxWorld, unset, until};
