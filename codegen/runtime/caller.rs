//! The typed client: any connection that can call a tool by name is enough for it.

use std::future::Future;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::boundary::decode;
use super::contract::ToolInfo;
use super::error::ToolError;
use super::violation::Violations;

/// What a server answered to `tools/call`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reply {
    /// Whether it is an error.
    pub is_error: bool,
    /// The text blocks, joined by newlines.
    pub text: String,
    /// `structuredContent`.
    pub structured: Option<Value>,
    /// `_meta`.
    pub meta: Option<Map<String, Value>>,
}

/// A connection to a server.
pub trait Caller: Send + Sync {
    /// Calls a tool. Dropping the future gives the call up.
    ///
    /// # Errors
    ///
    /// [`CallError::Transport`] when no answer came.
    fn call(
        &self,
        tool: &'static str,
        arguments: Map<String, Value>,
    ) -> impl Future<Output = Result<Reply, CallError>> + Send;

    /// All entries of `tools/list`.
    ///
    /// # Errors
    ///
    /// [`CallError::Transport`] when no answer came.
    fn list(&self) -> impl Future<Output = Result<Vec<Value>, CallError>> + Send;
}

/// Why a call gave no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The tool ran and failed, or refused.
    #[error("{0}")]
    Tool(ToolError),
    /// The arguments do not obey the contract; nothing was sent.
    #[error("the arguments for {tool} do not obey its schema, nothing was sent:\n{violations}")]
    Arguments {
        /// The tool.
        tool: &'static str,
        /// What is wrong with them.
        violations: Violations,
    },
    /// The server's answer does not obey the contract that this client was made from.
    #[error("the answer of {tool} is not what its schema promises: {what}")]
    Contract {
        /// The tool.
        tool: &'static str,
        /// What is wrong with it.
        what: String,
    },
    /// The connection failed.
    #[error("no answer from the server: {0}")]
    Transport(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl CallError {
    /// The tool's own error, where it is one.
    pub fn tool_error(&self) -> Option<&ToolError> {
        match self {
            CallError::Tool(error) => Some(error),
            _ => None,
        }
    }
}

/// A typed client: one method per tool. Dropping a method's future gives the call up and tells the server so.
#[derive(Debug, Clone)]
pub struct Client<T> {
    caller: T,
}

impl<T: Caller> Client<T> {
    /// A client over a connection.
    pub fn new(caller: T) -> Self {
        Client { caller }
    }

    /// The connection.
    pub fn caller(&self) -> &T {
        &self.caller
    }

    /// Gives the connection back.
    pub fn into_caller(self) -> T {
        self.caller
    }

    /// Which of the tools does the connected server not offer as this client was compiled? One line for each
    /// difference that matters to a call; descriptions do not. Empty when every call means what its types say.
    ///
    /// # Errors
    ///
    /// [`CallError::Transport`] when no answer came.
    pub async fn verify_contract(&self, tools: &[&ToolInfo]) -> Result<Vec<String>, CallError> {
        let offered = self.caller.list().await?;
        Ok(tools.iter().flat_map(|tool| tool.differences(&offered)).collect())
    }

    pub(crate) async fn typed<A: Serialize, R: DeserializeOwned>(
        &self,
        tool: &'static ToolInfo,
        arguments: A,
    ) -> Result<R, CallError> {
        let unfit = |what: String| CallError::Contract { tool: tool.name, what };
        let arguments = serde_json::to_value(arguments).map_err(|error| unfit(error.to_string()))?;
        tool.check_arguments(&arguments)
            .map_err(|violations| CallError::Arguments { tool: tool.name, violations })?;
        let arguments = match arguments {
            Value::Object(arguments) => arguments,
            _ => Map::new(),
        };
        let reply = self.caller.call(tool.name, arguments).await?;
        if reply.is_error {
            return Err(CallError::Tool(ToolError::from_wire(&reply.text, reply.meta.as_ref())));
        }
        let structured = reply.structured.ok_or_else(|| unfit("it has no structured content".to_owned()))?;
        tool.check_result(&structured).map_err(|violations| unfit(format!("\n{violations}")))?;
        let result = match structured {
            Value::Object(mut fields) if tool.wrapped => fields.remove("result").unwrap_or_default(),
            other => other,
        };
        decode(result).map_err(|error| unfit(error.to_string()))
    }
}
