//! A server that has every tool and does nothing: it counts calls and answers with what it was given.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use schemux::{CallError, Caller, Cx, Reply, ToolError, Tools, dispatch};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// The server. Also a connection to itself.
#[derive(Debug, Default)]
pub struct Stub {
    calls: AtomicUsize,
    /// The next results, or the error instead.
    answer: Mutex<Option<Result<Value, ToolError>>>,
}

impl Stub {
    /// A server whose tools give this result, unwrapped.
    pub fn answering(result: Value) -> Self {
        Stub { answer: Mutex::new(Some(Ok(result))), ..Stub::default() }
    }

    /// A server whose tools fail.
    pub fn failing(error: ToolError) -> Self {
        Stub { answer: Mutex::new(Some(Err(error))), ..Stub::default() }
    }

    /// How often a tool was called.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    fn answer<R: DeserializeOwned>(&self) -> Result<R, ToolError> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        match self.answer.lock().expect("no test panics with it").clone() {
            Some(Ok(result)) => {
                Ok(serde_json::from_value(result).expect("the test gives a result of this tool"))
            }
            Some(Err(error)) => Err(error),
            None => Err(ToolError::unexpected("StubError", "called")),
        }
    }
}

macro_rules! stub {
    ($($tool:ident($args:ident) -> $result:ty;)*) => {
        impl Tools for Stub {
            $(async fn $tool(&self, _: &Cx, _: schemux::$args) -> Result<$result, ToolError> {
                self.answer()
            })*
        }
    };
}

// One line per tool; the compiler names the one that is missing.
stub! {
    exit_copy_mode(ExitCopyModeArgs) -> schemux::PaneInfo;
    respawn_pane(RespawnPaneArgs) -> schemux::PaneInfo;
    wait_for_exit(WaitForExitArgs) -> schemux::WaitForExitResult;
}

impl Caller for Stub {
    async fn call(&self, tool: &'static str, arguments: Map<String, Value>) -> Result<Reply, CallError> {
        Ok(match dispatch(self, tool, arguments, &Cx::new()).await {
            Ok(answer) => Reply {
                text: answer.text.unwrap_or_default(),
                structured: Some(answer.structured),
                ..Reply::default()
            },
            Err(error) => {
                Reply { is_error: true, text: error.text(), meta: Some(error.meta()), structured: None }
            }
        })
    }

    async fn list(&self) -> Result<Vec<Value>, CallError> {
        Ok(schemux::TOOLS.iter().map(|tool| json!(tool.entry())).collect())
    }
}
