//! Everything that talks to tmux. Knows nothing of tools, protocols or contracts, so that any program can be built on it.
//!
//! The layers, from the bottom:
//!
//! 1. [`Command`] and [`CommandList`] say what tmux shall do, as data. Every word reaches tmux as it is; [`literal`] protects
//!    text where tmux would expand it as a format.
//! 2. The list goes over a [`connection`] that stays open, whose text [`control`] reads, or is run by a process (one file starts
//!    processes); which of the two is chosen for each list, and makes no difference to the answer. A list is one round trip,
//!    and tmux runs it without doing anything else in between, which is what makes "look and change" safe.
//! 3. [`Query`] asks for the values of variables and reads the rows, whatever the values hold.
//! 4. [`Server`] is the handle on one tmux server, named by its [`Endpoint`]: it runs lists, asks for rows, and turns what tmux says
//!    into kinds of [`TmuxError`].
//! 5. On top of it, one file per question: which pane is meant ([`Target`]), is it the caller's own ([`Caller`]), leave its modes
//!    ([`leave_modes`]), type into it ([`type_text`], [`send_keys`]), start its program again ([`respawn`]), wait for its end
//!    ([`wait_for_exit`]), follow what it writes ([`Server::stream`]), wait for what it says ([`watch()`]), read it bit by bit
//!    ([`read_since`]).
//!
//! Nothing here reads the environment: what tmux programs need of it is handed in as [`Environment`].
//!
//! ```no_run
//! use std::time::Duration;
//! use schemux_server::tmux::{Endpoint, Environment, Exit, Options, Server, Status, Target, wait_for_exit};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::new(Options::default(), Environment::default(), Endpoint::Name("work".into()));
//! let panes = server.panes().await?;
//! let build = Target { session_name: Some("build"), ..Target::default() }.pane(&panes)?;
//!
//! let exit = wait_for_exit(&server, build.id, Duration::from_secs(60), Default::default()).await?;
//! if exit == Exit::Completed(Status::Code(0)) {
//!     println!("{} is done", build.id);
//! }
//! # Ok(())
//! # }
//! ```

mod caller;
mod choice;
mod command;
pub mod connection;
pub mod control;
mod cursor;
mod endpoint;
mod error;
mod exit;
mod format;
mod id;
mod input;
mod mode;
mod pane;
mod process;
mod process_end;
mod respawn;
mod server;
mod shell;
mod stream;
mod target;
mod turn;
mod version;
mod watch;

pub use caller::{Caller, Realpath};
pub use command::{Command, CommandList, NulInWord, literal};
pub use cursor::{Cursor, Delta, Missed, Most, NotACursor, read_since};
pub use endpoint::{Endpoint, Engine, Environment, Options};
pub use error::TmuxError;
pub use exit::{Exit, Signal, Status, wait_for_exit};
pub use format::{Malformed, Query, Row};
pub use id::{NotAnId, PaneId, SessionId, WindowId};
pub use input::{MAX_TEXT, Modes, Policy, Synchronized, Typed, Typing, is_key, send_keys, type_text};
pub use mode::leave_modes;
pub use pane::PaneRow;
pub use respawn::{Respawn, respawn};
pub use server::{Facts, Server};
pub use shell::{Output, Progress, Ran, Shell, ShellCommand, fetch_shell, run_in_shell};
pub use stream::{Closed, PaneStream, Piece, Screen};
pub use target::Target;
pub use version::{Since, Version};
pub use watch::{
    BadPattern, ChannelEnd, OnProgress, Outcome, Patterns, Syntax, Watch, WatchProgress, Watched,
    signal_channel, wait_channel, watch,
};
