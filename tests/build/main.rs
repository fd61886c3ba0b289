//! The build as its users see it: in a copy of this workspace, and in a package that only depends on the contract.
#![allow(clippy::disallowed_methods, reason = "tests of the build start cargo and what it built")]

mod consumer;
mod regenerate;
mod sandbox;
mod server;
