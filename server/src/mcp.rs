//! The server as MCP sees it: the handshake, the list of tools, calls and their results.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use rmcp::ServerHandler;
use rmcp::model::{
    ArgumentInfo, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams,
    CompleteResult, CompletionInfo, ContentBlock, ErrorData, GetPromptRequestParams, GetPromptResponse,
    Implementation, ListPromptsResult, ListResourceTemplatesResult, ListToolsResult, MetaObject,
    PaginatedRequestParams, ProgressNotificationParam, ProgressToken, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Reference, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{Peer, RequestContext, RoleServer};
use schemux::{Answer, Cx, ProgressSink, ToolError, ToolInfo, Tools};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::call::Calls;
use crate::hints::Hints;
use crate::view::{self, Schemas};
use crate::{prompts, resources};

/// How the server presents itself.
#[derive(Debug, Clone)]
pub struct Face {
    /// How schemas are shown.
    pub schemas: Schemas,
    /// Which hints tools give.
    pub hints: Hints,
    /// What a model is told at the handshake.
    pub instructions: String,
}

/// Serves tools over any rmcp transport.
pub struct Mcp<T> {
    calls: Arc<Calls<T>>,
    instructions: String,
    closing: CancellationToken,
    tools: Vec<Tool>,
}

impl<T: Tools> Mcp<T> {
    /// A server for these tools. All calls are cancelled when `closing` is: a client that has gone waits for no answer.
    pub fn new(calls: Arc<Calls<T>>, face: Face, closing: CancellationToken) -> Self {
        let Face { schemas, hints, instructions } = face;
        let shown =
            |tool: &ToolInfo| serde_json::from_value(Value::Object(view::entry(tool, schemas, hints))).ok();
        let tools = calls.surface().tools().filter_map(shown).collect();
        Mcp { calls, instructions, closing, tools }
    }
}

impl<T: Tools> ServerHandler for Mcp<T> {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .enable_completions()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("schemux", env!("CARGO_PKG_VERSION")))
            .with_instructions(self.instructions.clone())
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

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates(self.calls.surface())))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let cx = cx(&context, context.ct.clone());
        let contents = resources::read(self.calls.tools(), self.calls.surface(), &cx, &request.uri).await?;
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let Reference::Resource(template) = request.r#ref else { return Ok(CompleteResult::default()) };
        let known = request.context.and_then(|context| context.arguments);
        let cx = cx(&context, context.ct.clone());
        let ArgumentInfo { name, value, .. } = request.argument;
        let tools = self.calls.tools();
        let mut values = resources::complete(tools, &cx, &template.uri, &name, &value, known.as_ref()).await;
        let total = values.len();
        values.truncate(CompletionInfo::MAX_VALUES);
        let more = total > values.len();
        let mut completion =
            CompletionInfo::new(values).map_err(|error| ErrorData::internal_error(error, None))?;
        if more {
            completion.total = u32::try_from(total).ok();
            completion.has_more = Some(true);
        }
        Ok(CompleteResult::new(completion))
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        Ok(prompts::get(&request.name, request.arguments.unwrap_or_default())?.into())
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
    let meta = answer.meta().map(MetaObject);
    let mut result = CallToolResult::success(answer.text.map(ContentBlock::text).into_iter().collect());
    result.structured_content = Some(answer.structured);
    result.meta = meta;
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
