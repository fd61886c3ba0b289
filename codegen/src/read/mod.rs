//! Reads `schemas/`: one `<tool>.json` per tool, and `contract.toml` with what the tools' entries do not say.

pub mod check;
pub mod load;
pub mod schema;

pub use load::{Row, Settings, Source, Sources};
