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
//!    ([`leave_modes`]), open one beside it ([`split_pane`]), read it ([`capture()`], [`snapshot`], [`expand`]), type into it
//!    ([`type_text`], [`send_keys`]), start its program again ([`respawn`]), wait for its end
//!    ([`wait_for_exit`]), follow what it writes ([`Server::stream`]), wait for what it says ([`watch()`]), read it bit by bit
//!    ([`read_since`]), what is set ([`show_option`], [`hooks`], [`Server::variables`]).
//!
//! Nothing here reads the environment: what tmux programs need of it is handed in as [`Environment`].
//!
//! ```no_run
//! use std::time::Duration;
//! use schemux_server::tmux::{Endpoint, Environment, Exit, Options, Server, Status, Target, wait_for_exit};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::new(Options::default(), Environment::default(), Endpoint::Name("work".into()));
//! let places = server.places().await?;
//! let build = Target { session_name: Some("build"), ..Target::default() }.pane(&places)?;
//!
//! let exit = wait_for_exit(&server, build.pane_id, Duration::from_secs(60), Default::default()).await?;
//! if exit == Exit::Completed(Status::Code(0)) {
//!     println!("{} is done", build.pane_id);
//! }
//! # Ok(())
//! # }
//! ```

mod acquaintance;
mod arrange;
mod caller;
mod capture;
mod choice;
mod command;
pub mod connection;
pub mod control;
mod create;
mod cursor;
mod endpoint;
mod environ;
mod error;
mod exit;
mod format;
mod glance;
mod hook;
mod id;
mod input;
mod kill;
mod layout;
mod listing;
mod message;
mod mode;
mod option;
mod pane;
mod permit;
mod pipe;
mod place;
mod process;
mod process_end;
mod respawn;
mod server;
mod session;
mod shell;
mod split;
mod started;
mod stream;
mod target;
mod variable;
mod version;
mod watch;
mod window;
mod windows;

pub use arrange::{Toward, clear_pane, kill_pane, select_toward, set_pane_title, swap_panes, zoom_pane};
pub use caller::{Caller, Realpath};
pub use capture::{Snapshot, Span, capture, capture_all, snapshot};
pub use command::{Command, CommandList, NulInWord, literal};
pub use create::{NewSession, NewWindow, Position, new_session, new_window, rename_session};
pub use cursor::{Cursor, Delta, Missed, Most, NotACursor, read_since};
pub use endpoint::{Endpoint, Engine, Environment, Options};
pub use environ::Variable;
pub use error::TmuxError;
pub use exit::{Exit, Signal, Status, wait_for_exit};
pub use format::{Malformed, Query, Row};
pub use glance::{Glance, listens, socket_names};
pub use hook::{Hook, hook, hooks};
pub use id::{NotAnId, PaneId, SessionId, WindowId};
pub use input::{
    MAX_TEXT, Modes, Policy, Synchronized, Turn, Typed, Typing, delete_buffer, is_key, load_buffer,
    paste_buffer, send_keys, show_buffer, take_turn, type_text,
};
pub use kill::{kill_server, kill_session, kill_window};
pub use layout::{BadLayout, Layout};
pub use listing::Scope;
pub use message::expand;
pub use mode::{enter_copy_mode, leave_modes};
pub use option::{OptionScope, OptionValue, set_option, show_option};
pub use pane::PaneRow;
pub use pipe::{pipe_to, stop_pipe};
pub use place::Place;
pub use respawn::{Respawn, respawn};
pub use server::{Facts, Server};
pub use session::SessionRow;
pub use shell::{Output, Progress, Ran, Shell, ShellCommand, fetch_shell, run_in_shell};
pub use split::{Side, Size, Split, split_pane};
pub use stream::{Closed, PaneStream, Piece, Screen};
pub use target::Target;
pub use variable::variable;
pub use version::{Since, Version};
pub use watch::{
    BadPattern, ChannelEnd, OnProgress, Outcome, Patterns, Syntax, Watch, WatchProgress, Watched,
    signal_channel, wait_channel, watch,
};
pub use window::WindowRow;
