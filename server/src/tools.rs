//! The table of contents: one line per tool, into the family that knows how.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use schemux::{
    Cx, ExitCopyModeArgs, PaneInfo, RespawnPaneArgs, ToolError, Tools, WaitForExitArgs, WaitForExitResult,
};

use crate::config::Config;
use crate::handlers::{mode, process, wait};
use crate::tmux::{Endpoint, Server};

/// The tools, on tmux.
#[derive(Debug)]
pub struct Tmux {
    config: Config,
    servers: Mutex<BTreeMap<Endpoint, Server>>,
}

impl Tmux {
    /// The tools with these settings. Nothing is started or asked before a call needs it.
    pub fn new(config: Config) -> Self {
        Tmux { config, servers: Mutex::default() }
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
        let new = || {
            Server::new(self.config.options.clone(), self.config.environment.clone(), endpoint.clone())
        };
        servers.entry(endpoint.clone()).or_insert_with(new).clone()
    }

    /// Waits until nothing that a call began on a tmux server is left there, at most `limit`. For the end of the program.
    pub async fn settle(&self, limit: Duration) {
        let servers: Vec<Server> =
            self.servers.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
        for server in servers {
            // What is not done by then is left to tmux's own clock.
            let _ = tokio::time::timeout(limit, server.settled()).await;
        }
    }
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
