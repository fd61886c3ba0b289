//! The server as MCP sees it: the handshake, the list of tools, calls and their results.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation,
    ListToolsResult, MetaObject, PaginatedRequestParams, ProgressNotificationParam, ProgressToken,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{Peer, RequestContext, RoleServer};
use schemux::{Answer, Cx, ProgressSink, ToolError, ToolInfo, Tools};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::call::Calls;
use crate::instructions;

/// Serves tools over any rmcp transport.
pub struct Mcp<T> {
    calls: Arc<Calls<T>>,
    closing: CancellationToken,
    tools: Vec<Tool>,
}

impl<T: Tools> Mcp<T> {
    /// A server for these tools. All calls are cancelled when `closing` is: a client that has gone waits for no answer.
    pub fn new(calls: Arc<Calls<T>>, closing: CancellationToken) -> Self {
        let tools = calls.surface().tools().filter_map(advertised).collect();
        Mcp { calls, closing, tools }
    }
}

/// A tool's entry, word for word as it stands in `schemas/`.
fn advertised(tool: &ToolInfo) -> Option<Tool> {
    serde_json::from_value(Value::Object(tool.entry().clone())).ok()
}

impl<T: Tools> ServerHandler for Mcp<T> {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("schemux", env!("CARGO_PKG_VERSION")))
            .with_instructions(instructions::text(self.calls.surface()))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.clone()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let cancelled = self.closing.child_token();
        let cx = cx(&context, cancelled.clone());
        let call = self.calls.call(&request.name, request.arguments.unwrap_or_default(), &cx);
        tokio::pin!(call);
        let result = tokio::select! {
            result = &mut call => result,
            // A tool that is told so ends in order; nobody reads its answer.
            () = context.ct.cancelled() => {
                cancelled.cancel();
                call.await
            }
        };
        Ok(match result {
            Ok(answer) => success(answer),
            Err(error) => failure(&error),
        }
        .into())
    }
}

fn success(answer: Answer) -> CallToolResult {
    let mut result = CallToolResult::success(answer.text.map(ContentBlock::text).into_iter().collect());
    result.structured_content = Some(answer.structured);
    if answer.wrapped {
        let wrapped = ("fastmcp".to_owned(), json!({"wrap_result": true}));
        result.meta = Some(MetaObject([wrapped].into_iter().collect()));
    }
    result
}

fn failure(error: &ToolError) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(error.text())]);
    result.meta = Some(MetaObject(error.meta()));
    result
}

/// What a tool may ask of its call.
fn cx(context: &RequestContext<RoleServer>, cancelled: CancellationToken) -> Cx {
    let mut cx = Cx::new().with_cancellation(cancelled);
    if let Some(token) = context.meta.get_progress_token() {
        cx = cx.with_progress(Arc::new(Progress { token, peer: context.peer.clone() }));
    }
    if let Some(info) = context.peer.peer_info() {
        let client = &info.client_info;
        cx = cx.with_peer(schemux::Peer { name: client.name.clone(), version: client.version.clone() });
    }
    cx
}

struct Progress {
    token: ProgressToken,
    peer: Peer<RoleServer>,
}

impl ProgressSink for Progress {
    fn report<'a>(
        &'a self,
        progress: f64,
        total: Option<f64>,
        message: Option<String>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        Box::pin(async move {
            let mut report = ProgressNotificationParam::new(self.token.clone(), progress);
            report.total = total;
            report.message = message;
            // A peer that has gone needs no report; the call ends by itself.
            let _ = self.peer.notify_progress(report).await;
        })
    }
}
