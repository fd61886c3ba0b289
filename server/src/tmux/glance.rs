//! What does a server say about itself, and which ones are there to be asked?

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use tokio::net::UnixStream;
use tokio::time::timeout;

use super::command::{Command, CommandList};
use super::endpoint::Environment;
use super::error::TmuxError;
use super::format::Query;
use super::server::Server;
use super::version::Version;

/// How long a server may take to accept a connection. Its kernel does that for it, so that a stopped one counts as well.
const ACCEPTS: Duration = Duration::from_millis(100);

/// What can be seen of a server in passing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glance {
    /// Its version, which may differ from that of the program on disk.
    pub version: Version,
    /// How many sessions it has.
    pub sessions: usize,
}

impl Server {
    /// Looks at the server: its version and its sessions, also if it has none. It is not started.
    ///
    /// # Errors
    ///
    /// [`TmuxError::NoServer`] or [`TmuxError::DeadSocket`] if none runs.
    pub async fn glance(&self) -> Result<Glance, TmuxError> {
        let (version, sessions) = (Query::new(&["version"]), Query::new(&["session_id"]));
        let list = Command::new("display-message").flag('p').operand(version.template()).anywhere();
        let list =
            CommandList::from(list).then(Command::new("list-sessions").value('F', sessions.template()));
        let output = self.run(&list).await?;
        let unreadable = |problem| TmuxError::BadAnswer { command: list.to_string(), problem };
        let versions = version.rows(&output).map_err(|problem| unreadable(problem.to_string()))?;
        let sessions = sessions.rows(&output).map_err(|problem| unreadable(problem.to_string()))?;
        let version = versions.first().ok_or_else(|| unreadable("it holds no version".to_owned()))?;
        Ok(Glance { version: Version::parse(&version.text("version")), sessions: sessions.len() })
    }
}

/// The names of what is in the usual directory of sockets, in order.
pub fn socket_names(environment: &Environment) -> Vec<OsString> {
    let Ok(entries) = std::fs::read_dir(environment.socket_directory()) else { return Vec::new() };
    let mut names: Vec<OsString> = entries.filter_map(Result::ok).map(|entry| entry.file_name()).collect();
    names.sort();
    names
}

/// Whether something listens on this socket.
pub async fn listens(socket: &Path) -> bool {
    matches!(timeout(ACCEPTS, UnixStream::connect(socket)).await, Ok(Ok(_)))
}
