//! What the integration tests share.

pub mod cargo;
pub mod schema;
mod world;

pub use world::TmuxWorld;
