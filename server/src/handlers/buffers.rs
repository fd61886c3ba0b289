//! Paste buffers of the tools' own. Their names tell them from everybody else's, which are out of reach.

use std::hash::{BuildHasher, Hasher, RandomState};

use schemux::{
    BufferContent, BufferRef, DeleteBufferArgs, LoadBufferArgs, PasteBufferArgs, ShowBufferArgs, ToolError,
};

use super::errors::refused;
use super::target::{self, pane_target};
use crate::state::Tmux;
use crate::tmux::{self, TmuxError};

/// What the names of these buffers begin with: `libtmux_mcp_<32 hexadecimal digits>_<label>`.
const PREFIX: &str = "libtmux_mcp_";

/// The label of a buffer that was given none.
const USUAL: &str = "buf";

/// Keeps a text in a new buffer.
pub async fn load_buffer(tmux: &Tmux, args: LoadBufferArgs) -> Result<BufferRef, ToolError> {
    let label = args.logical_name.as_deref().filter(|label| !label.is_empty()).unwrap_or(USUAL);
    if !is_label(label) {
        return Err(refused("logical_name must be 1 to 64 letters, digits, `_`, `.` or `-`"));
    }
    let server = tmux.server(args.socket_name.as_deref());
    let buffer_name = format!("{PREFIX}{}_{label}", digits());
    tmux::load_buffer(&server, &buffer_name, args.content.as_bytes()).await?;
    Ok(BufferRef { buffer_name, logical_name: args.logical_name })
}

/// Reads a buffer: all of it, or its last lines.
pub async fn show_buffer(tmux: &Tmux, args: ShowBufferArgs) -> Result<BufferContent, ToolError> {
    let most = match args.max_lines {
        None => None,
        Some(lines) => Some(usize::try_from(lines).ok().filter(|&lines| lines > 0).ok_or_else(|| {
            ToolError::expected("ValidationError", "max_lines must be at least 1, or null for all lines")
        })?),
    };
    let server = tmux.server(args.socket_name.as_deref());
    let bytes = tmux::show_buffer(&server, own(&args.buffer_name)?).await.map_err(failed)?;
    let (content, cut) = last_lines(String::from_utf8_lossy(&bytes).into_owned(), most);
    Ok(BufferContent {
        buffer_name: args.buffer_name,
        content,
        content_truncated: cut > 0,
        content_truncated_lines: i64::try_from(cut).unwrap_or(i64::MAX),
    })
}

/// Pastes a buffer into a pane. The buffer stays.
pub async fn paste_buffer(tmux: &Tmux, args: PasteBufferArgs) -> Result<String, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let name = own(&args.buffer_name)?;
    let pane = target::pane_id(&server, pane_target!(args)).await?;
    tmux::paste_buffer(&server, pane, name, args.bracket).await?;
    Ok(format!("buffer {name} is pasted into pane {pane}"))
}

/// Deletes a buffer.
pub async fn delete_buffer(tmux: &Tmux, args: DeleteBufferArgs) -> Result<String, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let name = own(&args.buffer_name)?;
    tmux::delete_buffer(&server, name).await.map_err(failed)?;
    Ok(format!("buffer {name} is deleted"))
}

/// The name of a buffer that [`load_buffer`] made. Any other one is not repeated: it can be a text that was meant for something
/// else.
fn own(name: &str) -> Result<&str, ToolError> {
    let parts = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('_'));
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let is_own = parts
        .is_some_and(|(digits, label)| digits.len() == 32 && digits.bytes().all(is_digit) && is_label(label));
    is_own.then_some(name).ok_or_else(|| {
        refused("buffer_name is no name that load_buffer returned; other buffers are out of reach")
    })
}

fn is_label(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    (1..=64).contains(&text.len()) && text.bytes().all(fits)
}

/// 128 bits that nobody can guess: two keyed hashes whose keys are the process's own.
fn digits() -> String {
    let half = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", half(), half())
}

/// The last lines, without the newline after the last one if any were cut, and how many were.
fn last_lines(text: String, most: Option<usize>) -> (String, usize) {
    let lines: Vec<&str> = text.strip_suffix('\n').unwrap_or(&text).split('\n').collect();
    match most.and_then(|most| lines.len().checked_sub(most)) {
        None | Some(0) => (text, 0),
        Some(cut) => (lines[cut..].join("\n"), cut),
    }
}

fn failed(error: TmuxError) -> ToolError {
    match error {
        TmuxError::NoSuchBuffer { .. } => ToolError::expected("CalledProcessError", error.to_string()),
        error => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let made = format!("{PREFIX}{}_{USUAL}", digits());
        assert_eq!(own(&made), Ok(&*made));
        let zeros = "0".repeat(32);
        assert!(own(&format!("{PREFIX}{zeros}_a_b.c-D")).is_ok());
        for bad in [
            "buffer0".to_owned(),
            String::new(),
            format!("{PREFIX}{zeros}_"),
            format!("{PREFIX}{zeros}"),
            format!("{PREFIX}{zeros}_a b"),
            format!("{PREFIX}{zeros}_a\n"),
            format!("{PREFIX}{zeros}0_a"),
            format!("{PREFIX}{zeros}_{}", "x".repeat(65)),
            made.to_uppercase(),
        ] {
            assert!(own(&bad).is_err(), "{bad}");
        }
        assert_ne!(digits(), digits());
    }

    #[test]
    fn the_last_lines() {
        let last = |text: &str, most| last_lines(text.to_owned(), most);
        let text = "a\nb\r\n\nc\n";
        assert_eq!(last(text, None), (text.to_owned(), 0));
        assert_eq!(last(text, Some(4)), (text.to_owned(), 0));
        assert_eq!(last(text, Some(3)), ("b\r\n\nc".to_owned(), 1));
        assert_eq!(last(text, Some(1)), ("c".to_owned(), 3));
        assert_eq!(last("\n\n", Some(1)), (String::new(), 1));
        assert_eq!(last("x", Some(1)), ("x".to_owned(), 0));
    }
}
