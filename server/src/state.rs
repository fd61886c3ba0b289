//! What the tools share: the settings, who called, and the tmux servers that were used.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::config::Config;
use crate::tmux::{Caller, Endpoint, Engine, Options, PaneId, Server};

/// The tools, on tmux.
#[derive(Debug)]
pub struct Tmux {
    config: Config,
    caller: Option<Caller>,
    servers: Mutex<BTreeMap<Endpoint, Server>>,
}

impl Tmux {
    /// The tools with these settings. Nothing is started or asked before a call needs it.
    pub fn new(config: Config) -> Self {
        Tmux { caller: Caller::from_environment(&config.environment), config, servers: Mutex::default() }
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Where this program runs, if in tmux.
    pub fn caller(&self) -> Option<&Caller> {
        self.caller.as_ref()
    }

    /// The tmux server that a call means. An empty name counts as none: models fill in what they need not.
    pub fn server(&self, socket_name: Option<&str>) -> Server {
        let endpoint = match socket_name.filter(|name| !name.is_empty()) {
            Some(name) => Endpoint::Name(OsString::from(name)),
            None => self.config.endpoint.clone(),
        };
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        let new =
            || Server::new(self.config.options.clone(), self.config.environment.clone(), endpoint.clone());
        servers.entry(endpoint.clone()).or_insert_with(new).clone()
    }

    /// The same, for a tool that changes nothing.
    pub fn server_to_read(&self, socket_name: Option<&str>) -> Server {
        self.server(socket_name).to_look()
    }

    /// Whether this program runs in that pane, where it can be known.
    pub fn is_caller(&self, server: &Server, pane: PaneId) -> Option<bool> {
        Caller::is_pane(self.caller.as_ref(), pane, || self.socket(server), realpath)
    }

    /// Whether to end what runs in that pane could end this program.
    pub fn guards(&self, server: &Server, pane: PaneId) -> bool {
        Caller::guards_pane(self.caller.as_ref(), pane, server.endpoint(), &self.socket(server), realpath)
    }

    /// Whether to end that server could end this program.
    pub fn guards_server(&self, server: &Server) -> bool {
        Caller::guards(self.caller.as_ref(), server.endpoint(), &self.socket(server), realpath)
    }

    /// The tmux server at `endpoint`, for a look in passing: no connection to it is opened, and nothing of it is kept.
    pub fn passing(&self, endpoint: Endpoint) -> Server {
        let options = Options { engine: Engine::Process, ..self.config.options.clone() };
        Server::new(options, self.config.environment.clone(), endpoint)
    }

    fn socket(&self, server: &Server) -> PathBuf {
        server.endpoint().socket_path(&self.config.environment)
    }

    /// Ends what goes on and puts back what it had set on the tmux servers. For the end of the program.
    pub async fn close(&self) {
        let servers: Vec<Server> =
            self.servers.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
        for server in servers {
            server.close().await;
        }
    }
}

fn realpath(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}
