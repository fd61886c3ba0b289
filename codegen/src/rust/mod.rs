//! From the model to Rust types: typify writes them, and a pass over its output adds what it cannot know.

mod docs;
mod patch;
mod typify;

pub use docs::lines;
pub use patch::{default_function, is_option, types};
pub use typify::shape_tokens;
