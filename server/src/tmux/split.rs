//! Opens a pane beside another one.

use std::path::PathBuf;

use super::command::{Command, CommandList, literal};
use super::error::TmuxError;
use super::format::Query;
use super::pane::{self, PaneRow};
use super::server::{Server, names_missing_pane};
use super::started::started;

/// On which side of the pane that is split the new one stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Side {
    /// Above it.
    Above,
    /// Below it.
    #[default]
    Below,
    /// To its left.
    Left,
    /// To its right.
    Right,
}

/// How much room the new pane gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Rows or columns.
    Cells(u32),
    /// A share of the pane that is split, in percent.
    Percent(u32),
}

impl Size {
    /// Reads `20` or `30%`. Nothing for any other text: tmux would expand it as a format, and a format can run commands.
    pub fn parse(text: &str) -> Option<Self> {
        let number =
            |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?;
        match text.strip_suffix('%') {
            Some(share) => number(share).map(Self::Percent),
            None => number(text).map(Self::Cells),
        }
    }
}

/// What to open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Split {
    /// Where the new pane stands.
    pub side: Side,
    /// Its size; half of the room without one.
    pub size: Option<Size>,
    /// The working directory: an existing directory, taken literally. tmux falls back on others silently if it does not
    /// exist, so check first. Without it, this program's.
    pub start_directory: Option<PathBuf>,
    /// Variables for the new program, on top of the session's.
    pub environment: Vec<(String, String)>,
    /// A command for the shell. Without it, or if it is empty, the default command.
    pub shell_command: Option<String>,
}

/// Splits the pane that `target` names, or the active one of the window that it names, and returns the new pane once its program
/// is seen to run, or to have ended in a pane that is kept. The active pane stays the active one.
///
/// # Errors
///
/// [`TmuxError::NoSpace`], [`TmuxError::BadVariable`]; [`TmuxError::NoSuchPane`] or [`TmuxError::NoSuchWindow`] for the target;
/// [`TmuxError::EndedAtOnce`] if the program ended within 40 ms and the pane closed with it.
pub async fn split_pane(server: &Server, target: &str, what: &Split) -> Result<PaneRow, TmuxError> {
    let query = Query::new(pane::VARIABLES);
    let list = CommandList::from(command(target, &query, what)?);
    let rows = server.rows(&query, list).await.map_err(|error| refused(error, target))?;
    let row = rows.first().and_then(PaneRow::read);
    let row = row.ok_or_else(|| TmuxError::BadAnswer {
        command: "split-window".to_owned(),
        problem: "it holds no pane".to_owned(),
    })?;
    // The session is the one through which the window was found, which the pane's id alone does not tell.
    Ok(PaneRow { session_id: row.session_id, ..started(server, &row).await? })
}

fn command(target: &str, query: &Query, what: &Split) -> Result<Command, TmuxError> {
    let command =
        Command::new("split-window").flag('d').flag('P').value('F', query.template()).target(target);
    let mut command = match what.side {
        Side::Above => command.flag('v').flag('b'),
        Side::Below => command.flag('v'),
        Side::Left => command.flag('h').flag('b'),
        Side::Right => command.flag('h'),
    };
    command = match what.size {
        None => command,
        Some(Size::Cells(cells)) => command.value('l', cells.to_string()),
        Some(Size::Percent(share)) => command.value('l', format!("{share}%")),
    };
    if let Some(directory) = &what.start_directory {
        command = command.value('c', literal(directory));
    }
    for (name, value) in &what.environment {
        if name.is_empty() || name.contains('=') {
            return Err(TmuxError::BadVariable { name: name.clone() });
        }
        command = command.value('e', format!("{name}={value}"));
    }
    match what.shell_command.as_deref() {
        None | Some("") => Ok(command),
        Some(shell) => Ok(command.operand(shell)),
    }
}

fn refused(error: TmuxError, target: &str) -> TmuxError {
    let target = target.to_owned();
    match error {
        TmuxError::Refused { stderr, .. } if stderr.contains("no space for") => TmuxError::NoSpace { target },
        TmuxError::Refused { stderr, .. } if names_missing_pane(&stderr) => {
            TmuxError::NoSuchPane { pane: target }
        }
        TmuxError::Refused { stderr, .. } if stderr.starts_with("can't find") => {
            TmuxError::NoSuchWindow { window: target }
        }
        error => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(Size::parse("20"), Some(Size::Cells(20)));
        assert_eq!(Size::parse("0"), Some(Size::Cells(0)));
        assert_eq!(Size::parse("30%"), Some(Size::Percent(30)));
        for bad in ["", "%", "abc", "-5", "+5", "30%%", " 5", "#{pane_width}", "#(id)", "99999999999", "5;"] {
            assert_eq!(Size::parse(bad), None, "{bad}");
        }
    }
}
