//! The table of contents: one line per tool, into the family that knows how.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use schemux::{
    Cx, ExitCopyModeArgs, PaneInfo, RespawnPaneArgs, ToolError, Tools, WaitForExitArgs, WaitForExitResult,
};

use crate::config::Config;
use crate::handlers::{mode, process, wait};
use crate::tmux::{Caller, Endpoint, PaneId, Server};

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

    /// Whether this program runs in that pane, where it can be known.
    pub fn is_caller(&self, server: &Server, pane: PaneId) -> Option<bool> {
        Caller::is_pane(self.caller.as_ref(), pane, &self.socket(server), realpath)
    }

    /// Whether to end what runs in that pane could end this program.
    pub fn guards(&self, server: &Server, pane: PaneId) -> bool {
        Caller::guards_pane(self.caller.as_ref(), pane, server.endpoint(), &self.socket(server), realpath)
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

impl Tools for Tmux {
    async fn exit_copy_mode(&self, _: &Cx, args: ExitCopyModeArgs) -> Result<PaneInfo, ToolError> {
        mode::exit_copy_mode(self, args).await
    }

    async fn respawn_pane(&self, _: &Cx, args: RespawnPaneArgs) -> Result<PaneInfo, ToolError> {
        process::respawn_pane(self, args).await
    }

    async fn wait_for_exit(&self, cx: &Cx, args: WaitForExitArgs) -> Result<WaitForExitResult, ToolError> {
        wait::wait_for_exit(self, cx, args).await
    }
}
