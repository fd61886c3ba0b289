//! Serves until the client has gone or a signal says so.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::io::stdio_pipes;
use tokio::signal::unix::{SignalKind, signal};

use super::fail;
use crate::call::Calls;
use crate::mcp::Mcp;
use crate::tools::Tmux;

/// How long the end may take, for what a call left on a tmux server to be put back.
const SETTLE: Duration = Duration::from_secs(2);

pub async fn run(calls: Arc<Calls<Tmux>>) -> ExitCode {
    let code = tokio::select! {
        code = serve(Arc::clone(&calls)) => code,
        () = told_to_end() => ExitCode::SUCCESS,
    };
    calls.tools().settle(SETTLE).await;
    code
}

async fn serve(calls: Arc<Calls<Tmux>>) -> ExitCode {
    match Mcp::new(calls).serve(stdio_pipes()).await {
        Ok(service) => match service.waiting().await {
            Ok(_) => ExitCode::SUCCESS,
            Err(error) => fail(&format!("the connection failed: {error}"), 1),
        },
        // A client that goes before it has greeted has changed its mind.
        Err(ServerInitializeError::ConnectionClosed(_)) => ExitCode::SUCCESS,
        Err(error) => fail(&format!("the handshake failed: {error}"), 1),
    }
}

async fn told_to_end() {
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        // Without handlers the signals end the program as they always do.
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}
