//! The client's connections: any rmcp transport, and a server started as a child process.

use std::process::Stdio;

use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::{RoleClient, RunningService, ServiceError};
use rmcp::transport::TokioChildProcess;
use rmcp::{Peer, ServiceExt};
use serde_json::{Map, Value};

use super::caller::{CallError, Caller, Client, Reply};
use super::cx::Peer as Program;

/// A connection over rmcp with this program as the client. It ends when it is dropped; [`Client::close`] waits for it.
#[derive(Debug)]
pub struct Connection {
    service: RunningService<RoleClient, ()>,
}

/// Why a server could not be started as a child process.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpawnError {
    /// The program did not start.
    #[error("cannot start the server: {0}")]
    Start(#[source] std::io::Error),
    /// It started, and did not answer as an MCP server.
    #[error("the server did not complete the handshake: {0}")]
    Handshake(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Client<Connection> {
    /// Starts a server as a child process and greets it. Its standard error is this program's; the process ends with the
    /// connection.
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// use schemux::{Client, ExitCopyModeArgs};
    /// let client = Client::spawn(tokio::process::Command::new("schemux")).await?;
    /// let pane = client.exit_copy_mode(ExitCopyModeArgs::new().pane_id("%0")).await?;
    /// println!("{} runs {:?}", pane.pane_id, pane.pane_current_command);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The program does not start, or is no MCP server.
    pub async fn spawn(command: tokio::process::Command) -> Result<Self, SpawnError> {
        let (transport, _) =
            TokioChildProcess::builder(command).stderr(Stdio::inherit()).spawn().map_err(SpawnError::Start)?;
        Client::connect(transport).await.map_err(|error| SpawnError::Handshake(Box::new(error)))
    }

    /// Greets a server over any rmcp transport.
    ///
    /// # Errors
    ///
    /// The handshake failed.
    pub async fn connect<T, E, A>(transport: T) -> Result<Self, rmcp::service::ClientInitializeError>
    where
        T: rmcp::transport::IntoTransport<RoleClient, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        Ok(Client::new(Connection { service: ().serve(transport).await? }))
    }

    /// Ends the connection and waits until it is closed; a child process has ended then.
    pub async fn close(self) {
        // The task's own failure is of no more use: the connection is gone either way.
        let _ = self.into_caller().service.cancel().await;
    }
}

impl Connection {
    /// The server, as it named itself in the handshake.
    pub fn server(&self) -> Option<Program> {
        let info = self.service.peer().peer_info()?;
        let server = info.server_info.as_ref()?;
        Some(Program { name: server.name.clone(), version: server.version.clone() })
    }
}

impl Caller for Connection {
    async fn call(&self, tool: &'static str, arguments: Map<String, Value>) -> Result<Reply, CallError> {
        self.service.peer().call(tool, arguments).await
    }

    async fn list(&self) -> Result<Vec<Value>, CallError> {
        self.service.peer().list().await
    }
}

impl Caller for Peer<RoleClient> {
    async fn call(&self, tool: &'static str, arguments: Map<String, Value>) -> Result<Reply, CallError> {
        let request = CallToolRequestParams::new(tool).with_arguments(arguments);
        self.call_tool(request).await.map(reply).map_err(transport)
    }

    async fn list(&self) -> Result<Vec<Value>, CallError> {
        let tools = self.list_all_tools().await.map_err(transport)?;
        tools.into_iter().map(|tool| serde_json::to_value(tool).map_err(|error| CallError::Transport(Box::new(error)))).collect()
    }
}

fn transport(error: ServiceError) -> CallError {
    CallError::Transport(Box::new(error))
}

fn reply(result: CallToolResult) -> Reply {
    let texts: Vec<&str> =
        result.content.iter().filter_map(|block| block.as_text()).map(|text| text.text.as_str()).collect();
    Reply {
        is_error: result.is_error.unwrap_or(false),
        text: texts.join("\n"),
        structured: result.structured_content,
        meta: result.meta.map(|meta| meta.0),
    }
}
