//! Typing into a pane: text, keys, and what is pasted.

use std::time::{Duration, Instant};

use schemux::{
    Cx, OnError, PasteTextArgs, SendKeysArgs, SendKeysBatchArgs, SendKeysBatchResult, SendKeysOperation,
    SendKeysOperationResult, ToolError,
};

use super::errors::refused;
use super::limits::seconds;
use super::pane;
use super::target::{self, pane_target};
use crate::state::Tmux;
use crate::tmux::{Modes, Policy, Server, Synchronized, Target, TmuxError, Turn, Typing, is_key, take_turn};

/// A mode would take what is typed, so it is left: what was meant for the program arrives there. Panes that are synchronized
/// are typed into as by somebody at the keyboard.
const POLICY: Policy = Policy { modes: Modes::LeaveFirst, synchronized: Synchronized::Follow };

/// What is to be typed.
enum Input<'a> {
    Key(&'a str),
    Text(String),
}

/// Types text into a pane, or presses one key.
pub async fn send_keys(tmux: &Tmux, args: SendKeysArgs) -> Result<String, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let input = Input::new(&args.keys, args.literal, args.suppress_history);
    let turn = turn(&server, pane_target!(args)).await?;
    type_into(&server, &turn, input, args.enter).await?;
    Ok(format!("sent to pane {}", turn.pane()))
}

/// Types into panes one after the other.
pub async fn send_keys_batch(
    tmux: &Tmux,
    cx: &Cx,
    args: SendKeysBatchArgs,
) -> Result<SendKeysBatchResult, ToolError> {
    if args.operations.is_empty() {
        return Err(refused("operations must not be empty"));
    }
    let server = tmux.server(args.socket_name.as_deref());
    let begun = Instant::now();
    let mut rows = Vec::new();
    let mut stopped_at = None;
    for (index, operation) in (0..).zip(args.operations) {
        let left = args.timeout.map(|timeout| timeout - begun.elapsed().as_secs_f64());
        let row = match (left, args.timeout) {
            (Some(left), Some(timeout)) if left.is_nan() || left <= 0.0 => {
                let error = format!("the batch had no time left of its {timeout} seconds; nothing was typed");
                row(index, operation.pane_id, Duration::ZERO, Some(error))
            }
            (left, _) => tokio::select! {
                biased;
                () = cx.cancelled().cancelled() => break,
                row = one(&server, index, operation, left) => row,
            },
        };
        let failed = !row.success;
        rows.push(row);
        if failed && args.on_error == OnError::Stop {
            stopped_at = Some(index);
            break;
        }
    }
    let succeeded = rows.iter().filter(|row| row.success).count();
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    Ok(SendKeysBatchResult {
        failed: count(rows.len() - succeeded),
        succeeded: count(succeeded),
        results: Some(rows),
        stopped_at,
    })
}

/// Pastes text into a pane in one piece.
pub async fn paste_text(tmux: &Tmux, args: PasteTextArgs) -> Result<String, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let turn = turn(&server, pane_target!(args)).await?;
    // What a terminal makes of a pasted line end: the same as of the Enter key.
    let text = args.text.replace('\n', "\r");
    let typing = Typing { policy: POLICY, bracketed: args.bracket, enter: false };
    type_text(&server, &turn, &text, &typing).await?;
    Ok(format!("pasted into pane {}", turn.pane()))
}

/// One operation of a batch, within the seconds that are left.
async fn one(
    server: &Server,
    index: i64,
    operation: SendKeysOperation,
    left: Option<f64>,
) -> SendKeysOperationResult {
    let begun = Instant::now();
    let mut found = None;
    let work = async {
        let input = Input::new(&operation.keys, operation.literal, operation.suppress_history);
        let turn = turn(server, pane_target!(operation)).await?;
        // A row names only a pane that there is.
        found = Some(server.pane(turn.pane()).await?.id);
        type_into(server, &turn, input, operation.enter).await
    };
    let limit = left.and_then(|left| Duration::try_from_secs_f64(left).ok());
    let done = match limit {
        None => work.await.map_err(|error| ToolError::from(error).text()),
        Some(limit) => match tokio::time::timeout(limit, work).await {
            Ok(done) => done.map_err(|error| ToolError::from(error).text()),
            Err(_) => Err(
                "the batch had no time left while this was typed: all of it may have arrived, or nothing, \
                           or all but Enter"
                    .to_owned(),
            ),
        },
    };
    row(index, found.map(|pane| pane.to_string()), begun.elapsed(), done.err())
}

/// The turn to type into the pane that is meant. Where it is given by its id the turns come in the order of the calls.
async fn turn(server: &Server, target: Target<'_>) -> Result<Turn, TmuxError> {
    match target.pane_id {
        Some(id) => {
            let turn = take_turn(server, pane::id(id)?).await;
            server.recognize().await?;
            Ok(turn)
        }
        None => Ok(take_turn(server, target::pane_id(server, target).await?).await),
    }
}

fn row(
    index: i64,
    pane_id: Option<String>,
    took: Duration,
    error: Option<String>,
) -> SendKeysOperationResult {
    SendKeysOperationResult {
        elapsed_seconds: seconds(took),
        success: error.is_none(),
        error,
        index,
        pane_id,
    }
}

impl<'a> Input<'a> {
    /// One name of a key is that key; everything else is text. A space before text keeps it out of the history of shells that
    /// are set so; a single character is a text as good as a key.
    fn new(keys: &'a str, literal: bool, suppress_history: bool) -> Self {
        if !literal && is_key(keys) && keys.chars().nth(1).is_some() {
            return Input::Key(keys);
        }
        let space = if suppress_history { " " } else { "" };
        Input::Text(format!("{space}{keys}"))
    }
}

async fn type_into(server: &Server, turn: &Turn, input: Input<'_>, enter: bool) -> Result<(), TmuxError> {
    match input {
        Input::Key(key) => turn.send_keys(server, &[key], &POLICY, enter).await.map(drop),
        Input::Text(text) => {
            type_text(server, turn, &text, &Typing { policy: POLICY, bracketed: false, enter }).await
        }
    }
}

async fn type_text(server: &Server, turn: &Turn, text: &str, typing: &Typing) -> Result<(), TmuxError> {
    let typed = turn.type_text(server, text, typing).await?;
    if typed.panes.is_empty() {
        // There was nothing to type; but somebody may be mistaken in the pane.
        server.pane(turn.pane()).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_text() {
        let text = |keys, literal, hidden| match Input::new(keys, literal, hidden) {
            Input::Key(_) => None,
            Input::Text(text) => Some(text),
        };
        assert_eq!(text("C-c", false, true), None);
        assert_eq!(text("C-c", true, true).as_deref(), Some(" C-c"));
        for keys in ["Enter Enter", ";", "-R", "x", "", "C-c C-c"] {
            assert_eq!(text(keys, false, false).as_deref(), Some(keys));
            assert_eq!(text(keys, false, true), Some(format!(" {keys}")));
        }
    }
}
