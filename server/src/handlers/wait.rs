//! Waiting for what happens in a pane.

use std::time::Duration;

use schemux::{
    Cx, SignalChannelArgs, ToolError, WaitForChannelArgs, WaitForExitArgs, WaitForExitOutcome,
    WaitForExitResult, WaitForTextArgs, WaitForTextOutcome, WaitForTextResult,
};
use tokio::sync::mpsc;

use super::errors::refused;
use super::limits;
use super::target::{self, pane_target};
use super::{pane, reading};
use crate::state::Tmux;
use crate::tmux::{
    self, BadPattern, ChannelEnd, Closed, Exit, Outcome, PaneId, Patterns, Server, Status, Syntax, TmuxError,
    Watch, WatchProgress, Watched,
};

/// How long to wait when nothing is said.
const USUAL: Duration = Duration::from_secs(30);

/// The least that is taken for an interval, in seconds.
const SHORTEST_INTERVAL: f64 = 0.01;

/// The longest name of a channel, in bytes.
const LONGEST_CHANNEL: usize = 128;

/// Waits until the program in a pane ends.
pub async fn wait_for_exit(
    tools: &Tmux,
    cx: &Cx,
    args: WaitForExitArgs,
) -> Result<WaitForExitResult, ToolError> {
    let asked = args.timeout_ms.map_or(USUAL, Duration::from_millis);
    let limit = asked.min(tools.config().wait_max);
    let server = tools.server_to_read(None);
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

/// Waits for a pane to write something, or something in particular.
pub async fn wait_for_text(
    tools: &Tmux,
    cx: &Cx,
    args: WaitForTextArgs,
) -> Result<WaitForTextResult, ToolError> {
    let limit = limits::wait(args.timeout, tools.config().wait_max)?;
    let watch = watch(&args, limit)?;
    let server = tools.server_to_read(args.socket_name.as_deref());
    let pane = target::pane_id(&server, pane_target!(args)).await?;
    let watched = watching(&server, pane, watch, limit, cx).await?;
    let (outcome, matched_index, lines) = match watched.outcome {
        Outcome::Matched { index, lines } => (WaitForTextOutcome::Matched, Some(index), lines),
        Outcome::Stopped { index, lines } => (WaitForTextOutcome::Stopped, Some(index), lines),
        Outcome::AnyOutput => (WaitForTextOutcome::AnyOutput, None, watched.tail.clone()),
        Outcome::Closed(why) => return Err(closed(&server, pane, why, &watched.tail).await),
        Outcome::TimedOut | Outcome::Idle | Outcome::Cancelled if watched.alternate => {
            (WaitForTextOutcome::AlternateScreen, None, Vec::new())
        }
        Outcome::TimedOut | Outcome::Idle | Outcome::Cancelled => {
            (WaitForTextOutcome::Timeout, None, Vec::new())
        }
    };
    let found = matches!(outcome, WaitForTextOutcome::Matched | WaitForTextOutcome::AnyOutput);
    Ok(WaitForTextResult {
        alternate_screen: watched.alternate,
        effective_timeout: limit.as_secs_f64(),
        elapsed_seconds: limits::seconds(watched.elapsed),
        found,
        matched_at_entry: watched.at_entry && !found,
        matched_index: matched_index.and_then(|index| i64::try_from(index).ok()),
        matched_lines: Some(lines),
        outcome,
        pane_id: pane.to_string(),
        saw_new_output: watched.saw_output,
        tail: Some(watched.tail),
    })
}

/// Waits until a channel is signalled.
pub async fn wait_for_channel(tools: &Tmux, cx: &Cx, args: WaitForChannelArgs) -> Result<String, ToolError> {
    let channel = channel(&args.channel)?;
    let late = |limit: f64| {
        ToolError::expected(
            "TimeoutError",
            format!("channel {channel} was not signalled within {limit} seconds"),
        )
        .suggest("Call wait_for_channel again to go on waiting: a signal that comes meanwhile is kept.")
    };
    if args.timeout.is_nan() || args.timeout <= 0.0 {
        return Err(late(args.timeout));
    }
    let limit = limits::wait(args.timeout, tools.config().wait_max)?;
    let server = tools.server(args.socket_name.as_deref());
    match tmux::wait_channel(&server, channel, limit, cx.cancelled().clone()).await? {
        ChannelEnd::Signalled => Ok(format!(
            "channel {channel} was signalled (at most {} seconds were allowed)",
            limit.as_secs_f64()
        )),
        ChannelEnd::TimedOut => Err(late(limit.as_secs_f64())),
        ChannelEnd::Cancelled => Err(refused(format!("the wait for channel {channel} was cancelled"))),
        ChannelEnd::ServerGone => {
            Err(refused(format!("the tmux server ended before channel {channel} was signalled")))
        }
    }
}

/// Signals a channel.
pub async fn signal_channel(tools: &Tmux, args: SignalChannelArgs) -> Result<String, ToolError> {
    let channel = channel(&args.channel)?;
    tmux::signal_channel(&tools.server(args.socket_name.as_deref()), channel).await?;
    Ok(format!("channel {channel} was signalled"))
}

/// What is waited for.
fn watch(args: &WaitForTextArgs, limit: Duration) -> Result<Watch, ToolError> {
    // It has no effect, but who gives a wrong one is mistaken in something.
    if args.interval.is_nan() || args.interval < SHORTEST_INTERVAL {
        return Err(refused(format!("interval must be at least {SHORTEST_INTERVAL} seconds")));
    }
    let patterns = match args.patterns.as_deref() {
        Some([]) => return Err(refused("patterns must hold at least one, or be null for any output")),
        patterns => patterns.unwrap_or_default(),
    };
    let syntax = Syntax { regex: args.regex, match_case: args.match_case };
    let read = |name: &str, patterns: &[String]| {
        let bad = |bad: BadPattern| {
            let kind = if patterns[bad.number - 1].is_empty() { "ExpectedToolError" } else { "error" };
            ToolError::expected(kind, format!("{name}: {bad}"))
        };
        Patterns::new(patterns, syntax).map_err(bad)
    };
    Ok(Watch {
        patterns: read("patterns", patterns)?,
        stop: read("stop", args.stop.as_deref().unwrap_or_default())?,
        any_output: args.patterns.is_none(),
        idle: None,
        limit,
    })
}

/// Waits, and tells from time to time that it still does, if somebody wants to know.
async fn watching(
    server: &Server,
    pane: PaneId,
    watch: Watch,
    limit: Duration,
    cx: &Cx,
) -> Result<Watched, TmuxError> {
    let Some(sink) = cx.progress() else {
        return tmux::watch(server, pane, watch, cx.cancelled().clone(), None).await;
    };
    let (tell, mut told) = mpsc::unbounded_channel();
    let progress = |progress: WatchProgress| {
        // The other end is below.
        let _ = tell.send(progress.elapsed);
    };
    let report = async {
        let total = limit.as_secs_f64();
        while let Some(elapsed) = told.recv().await {
            let elapsed = elapsed.as_secs_f64();
            let left = (total - elapsed).max(0.0);
            let message = format!("waiting for pane {pane}: {elapsed:.1} s, {left:.1} s left");
            sink.report(elapsed, Some(total), Some(message)).await;
        }
        std::future::pending().await
    };
    tokio::select! {
        watched = tmux::watch(server, pane, watch, cx.cancelled().clone(), Some(&progress)) => watched,
        never = report => never,
    }
}

/// The pane has ended. What it wrote last may be known nowhere else.
async fn closed(server: &Server, pane: PaneId, why: Closed, tail: &[String]) -> ToolError {
    let mut error = match why {
        Closed::ServerGone => refused("the tmux server ended during the wait"),
        why => reading::ended(server, pane, why).await,
    };
    error.message = format!("pane {pane} ended during the wait: {}", error.message);
    if !tail.is_empty() {
        error.message = format!("{}\nit wrote last:\n{}", error.message, tail.join("\n"));
    }
    error
}

/// The name of a channel.
fn channel(name: &str) -> Result<&str, ToolError> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte);
    match name {
        name if (1..=LONGEST_CHANNEL).contains(&name.len()) && name.bytes().all(fits) => Ok(name),
        _ => Err(refused(format!(
            "channel must be 1 to {LONGEST_CHANNEL} characters long, of letters, digits, `_`, `.`, `:` and `-`"
        ))),
    }
}
