//! Everything that talks to tmux. (being written)

mod command;
mod endpoint;
mod error;
mod format;
mod id;
mod pane;
mod process;
mod server;
mod target;
mod version;

pub use command::{Command, CommandList, NulInWord, literal};
pub use endpoint::{Endpoint, Environment, Options};
pub use error::TmuxError;
pub use format::{Malformed, Query, Row};
pub use id::{NotAnId, PaneId, SessionId, WindowId};
pub use pane::PaneRow;
pub use server::{Facts, Server};
pub use target::Target;
pub use version::{Since, Version};
