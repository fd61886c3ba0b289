//! Waiting for what happens in a pane.

use std::time::Duration;

use schemux::{Cx, ToolError, WaitForExitArgs, WaitForExitOutcome, WaitForExitResult};

use super::pane;
use crate::tmux::{self, Exit, Status};
use crate::tools::Tmux;

/// How long to wait when nothing is said.
const USUAL: Duration = Duration::from_secs(30);

/// Waits until the program in a pane ends.
pub async fn wait_for_exit(
    tools: &Tmux,
    cx: &Cx,
    args: WaitForExitArgs,
) -> Result<WaitForExitResult, ToolError> {
    let asked = args.timeout_ms.map_or(USUAL, Duration::from_millis);
    let limit = asked.min(tools.config().wait_max);
    let server = tools.server(None);
    let exit = tmux::wait_for_exit(&server, pane::id(&args.pane_id)?, limit, cx.cancelled().clone()).await?;
    let (outcome, exit_status, signal) = match exit {
        Exit::Completed(Status::Code(code)) => (WaitForExitOutcome::Completed, Some(i64::from(code)), None),
        Exit::Completed(Status::Signal(signal)) => {
            (WaitForExitOutcome::Completed, None, Some(signal.name.clone()))
        }
        Exit::TimedOut => (WaitForExitOutcome::TimedOut, None, None),
        Exit::Gone => (WaitForExitOutcome::Gone, None, None),
        Exit::Cancelled => (WaitForExitOutcome::Cancelled, None, None),
    };
    let effective_timeout_ms = i64::try_from(limit.as_millis()).unwrap_or(i64::MAX);
    Ok(WaitForExitResult { effective_timeout_ms, exit_status, outcome, signal })
}
