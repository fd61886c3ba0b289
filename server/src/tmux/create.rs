//! Makes sessions and windows, and names them.
//!
//! What is made is told by the command that makes it (`-P -F`), so that one process does both and nothing happens in between.

use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use super::command::{Command, literal};
use super::error::TmuxError;
use super::format::Query;
use super::id::SessionId;
use super::server::Server;
use super::session::{self, SessionRow};
use super::window::{self, WindowRow};

/// How often a session is tried to be made where the server ends meanwhile.
const TRIES: u32 = 3;

/// A session to be made, with one window. Nobody is attached to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewSession {
    /// Its name, taken literally. tmux counts if there is none.
    pub name: Option<String>,
    /// The name of its window, taken literally. tmux names it after the program if there is none.
    pub window_name: Option<String>,
    /// Where programs start in it: an existing directory, taken literally. Without it, where this program runs.
    pub start_directory: Option<PathBuf>,
    /// Variables for all programs that will run in it.
    pub environment: Vec<(String, String)>,
    /// Width in columns, until a client is attached.
    pub width: Option<i64>,
    /// Height in rows, until a client is attached.
    pub height: Option<i64>,
}

/// Where in its session a window is put.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Position {
    /// At the first free index.
    #[default]
    Free,
    /// Before the current window.
    Before,
    /// After the current window.
    After,
}

/// A window to be made, with one pane.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewWindow {
    /// Its name, taken literally. tmux names it after the program if there is none.
    pub name: Option<String>,
    /// Whether it becomes the session's current window.
    pub select: bool,
    /// Where it is put.
    pub position: Position,
    /// Where its program starts: an existing directory, taken literally. Without it, where the session does.
    pub start_directory: Option<PathBuf>,
    /// Variables for its program, on top of the session's.
    pub environment: Vec<(String, String)>,
}

/// Makes a session, and starts the server for it if none runs.
///
/// # Errors
///
/// [`TmuxError::SessionExists`], [`TmuxError::BadSessionName`], [`TmuxError::BadVariable`]; [`TmuxError::NotASocket`].
pub async fn new_session(server: &Server, what: &NewSession) -> Result<SessionRow, TmuxError> {
    // tmux deletes whatever stands where a new server's socket is to be.
    let place = server.socket_path();
    if std::fs::metadata(&place).is_ok_and(|there| !there.file_type().is_socket()) {
        return Err(TmuxError::NotASocket { path: place });
    }
    let query = Query::new(session::VARIABLES);
    let mut command = Command::new("new-session").flag('d').flag('P').value('F', query.template());
    if let Some(name) = &what.name {
        session::check_name(name)?;
        command = command.value('s', literal(name));
    }
    if let Some(name) = &what.window_name {
        command = command.value('n', literal(name));
    }
    for (flag, size) in [('x', what.width), ('y', what.height)] {
        if let Some(size) = size {
            command = command.value(flag, size.to_string());
        }
    }
    command = starting(command, what.start_directory.as_deref(), &what.environment)?;
    let mut tries = 0;
    let rows = loop {
        tries += 1;
        match server.rows(&query, command.clone().into()).await {
            // A server that was just ending took the command, and what it may have made of it, with it.
            Err(TmuxError::ServerLost { .. }) if tries < TRIES => {}
            rows => break rows.map_err(taken)?,
        }
    };
    rows.first().and_then(SessionRow::read).ok_or_else(|| untold("new-session"))
}

/// Makes a window in a session.
///
/// # Errors
///
/// [`TmuxError::NoSuchSession`], [`TmuxError::BadVariable`].
pub async fn new_window(
    server: &Server,
    session: SessionId,
    what: &NewWindow,
) -> Result<WindowRow, TmuxError> {
    let query = Query::new(window::VARIABLES);
    let mut command = Command::new("new-window")
        .target(format_args!("{session}:"))
        .flag('P')
        .value('F', query.template())
        .flag_if(!what.select, 'd')
        .flag_if(what.position == Position::Before, 'b')
        .flag_if(what.position == Position::After, 'a');
    if let Some(name) = &what.name {
        command = command.value('n', literal(name));
    }
    command = starting(command, what.start_directory.as_deref(), &what.environment)?;
    let rows = server.rows(&query, command.into()).await.map_err(|error| match error {
        TmuxError::Refused { stderr, .. } if stderr.starts_with("can't find session") => {
            TmuxError::NoSuchSession { session: session.to_string() }
        }
        error => error,
    })?;
    rows.first().and_then(WindowRow::read).ok_or_else(|| untold("new-window"))
}

/// Gives a session another name, taken literally.
///
/// # Errors
///
/// [`TmuxError::SessionExists`], [`TmuxError::BadSessionName`], [`TmuxError::NoSuchSession`].
pub async fn rename_session(
    server: &Server,
    session: SessionId,
    name: &str,
) -> Result<SessionRow, TmuxError> {
    session::check_name(name)?;
    let rename = Command::new("rename-session").target(session).operand(literal(name));
    server.session_after(rename.into(), session).await.map_err(taken)
}

/// Adds the directory and the variables that a program is started with.
pub(super) fn starting(
    mut command: Command,
    directory: Option<&Path>,
    environment: &[(String, String)],
) -> Result<Command, TmuxError> {
    if let Some(directory) = directory {
        command = command.value('c', literal(directory));
    }
    for (name, value) in environment {
        if name.is_empty() || name.contains('=') {
            return Err(TmuxError::BadVariable { name: name.clone() });
        }
        command = command.value('e', format!("{name}={value}"));
    }
    Ok(command)
}

fn taken(error: TmuxError) -> TmuxError {
    match error {
        TmuxError::Refused { command, stderr } => match stderr.strip_prefix("duplicate session: ") {
            Some(name) => TmuxError::SessionExists { name: name.to_owned() },
            None => TmuxError::Refused { command, stderr },
        },
        error => error,
    }
}

fn untold(command: &str) -> TmuxError {
    TmuxError::BadAnswer { command: command.to_owned(), problem: "it does not tell what was made".to_owned() }
}
