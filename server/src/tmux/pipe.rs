//! Writes what a pane prints from now on to a file.
//!
//! The command passes three readers, each of which takes some characters for its own: tmux expands it as a time (`%H`) and then as a
//! format (`#S`), and `/bin/sh` reads what is left. So the path is quoted for the shell, then for formats, then for times.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use super::command::{Command, CommandList, literal};
use super::error::TmuxError;
use super::format::Query;
use super::id::PaneId;
use super::pane::PaneRow;
use super::server::{Server, names_missing_pane};

/// Pipes what the pane prints into a file, in place of where it was piped before. A relative path starts where the tmux server runs.
/// tmux does not tell whether the file can be opened: until the pane prints something it does not know itself.
///
/// # Errors
///
/// [`TmuxError::NoSuchPane`], [`TmuxError::PaneDead`].
pub async fn pipe_to(server: &Server, pane: PaneId, file: &Path, append: bool) -> Result<(), TmuxError> {
    let pipe = Command::new("pipe-pane").target(pane).operand(command(file, append));
    server.run(&pipe.into()).await.map_err(|error| refused(error, pane))?;
    Ok(())
}

/// Ends the piping, and tells whether there was any.
///
/// # Errors
///
/// [`TmuxError::NoSuchPane`].
pub async fn stop_pipe(server: &Server, pane: PaneId) -> Result<bool, TmuxError> {
    let query = Query::new(&["pane_pipe"]);
    let list = CommandList::from(PaneRow::list_one(&query, pane));
    let stop = Command::new("pipe-pane").target(pane);
    let rows = server.rows(&query, list.then(stop)).await;
    match rows.map_err(|error| refused(error, pane)) {
        Ok(rows) => Ok(rows.first().is_some_and(|row| row.flag("pane_pipe"))),
        Err(TmuxError::PaneDead { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

fn refused(error: TmuxError, pane: PaneId) -> TmuxError {
    match error {
        TmuxError::NoSessions => TmuxError::NoSuchPane { pane: pane.to_string() },
        TmuxError::Refused { stderr, .. } if names_missing_pane(&stderr) => {
            TmuxError::NoSuchPane { pane: pane.to_string() }
        }
        TmuxError::Refused { stderr, .. } if stderr == "target pane has exited" => {
            TmuxError::PaneDead { pane }
        }
        error => error,
    }
}

fn command(file: &Path, append: bool) -> OsString {
    let mut quoted = b"'".to_vec();
    for &byte in file.as_os_str().as_bytes() {
        match byte {
            b'\'' => quoted.extend_from_slice(br"'\''"),
            byte => quoted.push(byte),
        }
    }
    quoted.push(b'\'');
    let mut line = if append { b"exec cat >> ".to_vec() } else { b"exec cat > ".to_vec() };
    for &byte in literal(OsStr::from_bytes(&quoted)).as_bytes() {
        line.push(byte);
        if byte == b'%' {
            line.push(byte);
        }
    }
    OsString::from_vec(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_layers() {
        let line = |path: &str| command(Path::new(path), true).into_string().unwrap();
        assert_eq!(line("/tmp/a b"), "exec cat >> '/tmp/a b'");
        assert_eq!(line("it's"), r"exec cat >> 'it'\''s'");
        assert_eq!(line("100%d #{x} #[y] ##S"), "exec cat >> '100%%d ##{x} #[y] ####S'");
        assert_eq!(command(Path::new("x"), false), "exec cat > 'x'");
    }
}
