//! Serves until the client has gone or a signal says so.

use std::io;
use std::pin::Pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::io::stdio_pipes;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::fail;
use crate::call::Calls;
use crate::instructions;
use crate::mcp::{Face, Mcp};
use crate::state::Tmux;

pub async fn run(calls: Arc<Calls<Tmux>>) -> ExitCode {
    let code = tokio::select! {
        code = serve(Arc::clone(&calls)) => code,
        () = told_to_end() => ExitCode::SUCCESS,
    };
    calls.tools().close().await;
    code
}

async fn serve(calls: Arc<Calls<Tmux>>) -> ExitCode {
    let closing = CancellationToken::new();
    let (input, output) = stdio_pipes();
    let input = Input { input, ended: closing.clone() };
    let tools = calls.tools();
    let face = Face {
        schemas: tools.config().schemas,
        hints: tools.config().annotations,
        instructions: instructions::text(calls.surface(), tools.caller()),
    };
    match Mcp::new(calls, face, closing).serve((input, output)).await {
        Ok(service) => match service.waiting().await {
            Ok(_) => ExitCode::SUCCESS,
            Err(error) => fail(&format!("the connection failed: {error}"), 1),
        },
        // A client that goes before it has greeted has changed its mind.
        Err(ServerInitializeError::ConnectionClosed(_)) => ExitCode::SUCCESS,
        Err(error) => fail(&format!("the handshake failed: {error}"), 1),
    }
}

/// Standard input, which tells when it has ended: the calls that go on then are answered to nobody.
struct Input<R> {
    input: R,
    ended: CancellationToken,
}

impl<R: AsyncRead + Unpin> AsyncRead for Input<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let result = ready!(Pin::new(&mut self.input).poll_read(cx, buffer));
        if result.is_err() || buffer.filled().len() == before {
            self.ended.cancel();
        }
        Poll::Ready(result)
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
