//! Paste buffers that stay: filled, read, pasted and deleted by their names.

use std::process::Stdio;

use super::text::nameless;
use super::{Policy, state};
use crate::tmux::command::Command;
use crate::tmux::error::TmuxError;
use crate::tmux::id::PaneId;
use crate::tmux::server::Server;
use crate::tmux::version::Since;

/// Fills a buffer. The text is no argument, so it can hold anything and nobody sees it among the processes.
///
/// # Errors
///
/// [`TmuxError::EmptyBuffer`]: tmux keeps none without text.
pub async fn load_buffer(server: &Server, name: &str, text: &[u8]) -> Result<(), TmuxError> {
    if text.is_empty() {
        return Err(TmuxError::EmptyBuffer);
    }
    let file = nameless(text).map_err(|error| TmuxError::Spool { reason: error.to_string() })?;
    let load = Command::new("load-buffer").value('b', name).operand("-");
    server.by_process_reading(&load.into(), file.into(), server.deadline()).await?;
    Ok(())
}

/// What a buffer holds, byte for byte. By a process: over a connection some versions write control characters as `\033`.
///
/// # Errors
///
/// [`TmuxError::NoSuchBuffer`]; [`TmuxError::TooMuchOutput`].
pub async fn show_buffer(server: &Server, name: &str) -> Result<Vec<u8>, TmuxError> {
    let show = Command::new("show-buffer").value('b', name);
    let shown = server.by_process_reading(&show.into(), Stdio::null(), server.deadline()).await;
    shown.map_err(|error| missing(error, name))
}

/// Deletes a buffer.
///
/// # Errors
///
/// [`TmuxError::NoSuchBuffer`].
pub async fn delete_buffer(server: &Server, name: &str) -> Result<(), TmuxError> {
    let delete = Command::new("delete-buffer").value('b', name);
    server.run(&delete.into()).await.map_err(|error| missing(error, name))?;
    Ok(())
}

/// Pastes a buffer into one pane, as somebody at the keyboard would: newlines become returns, and with `bracketed` it is marked as
/// pasted for a program that asked for such marks. The buffer stays.
///
/// # Errors
///
/// Nothing was pasted: [`TmuxError::NoSuchBuffer`], [`TmuxError::NoSuchPane`], [`TmuxError::PaneDead`],
/// [`TmuxError::PaneInMode`], [`TmuxError::PaneInputOff`].
pub async fn paste_buffer(
    server: &Server,
    pane: PaneId,
    name: &str,
    bracketed: bool,
) -> Result<(), TmuxError> {
    let turn = server.orders().turn(pane).await;
    let (now, _) = state::look(server, pane).await?;
    let text = show_buffer(server, name).await?;
    // Before it is typed: a wait must know the echo when it comes.
    server.streams().typed(turn.pane(), &text);
    let paste = Command::new("paste-buffer").flag_if(bracketed, 'p');
    let paste = paste.flag_if(now.version.has(Since::PASTE_SANITIZES), 'S').value('b', name).target(pane);
    let pasted = state::guarded(server, pane, &Policy::default(), vec![paste]).await;
    pasted.map_err(|error| missing(error, name))?;
    Ok(())
}

fn missing(error: TmuxError, name: &str) -> TmuxError {
    match &error {
        TmuxError::Refused { stderr, .. }
            if stderr.starts_with("no buffer") || stderr.starts_with("unknown buffer") =>
        {
            TmuxError::NoSuchBuffer { buffer: name.to_owned() }
        }
        _ => error,
    }
}
