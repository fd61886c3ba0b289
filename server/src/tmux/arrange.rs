//! Which pane is active, which one fills its window, and where is it? What is done to panes among others.

use super::command::{Command, CommandList, NulInWord};
use super::error::TmuxError;
use super::format::Query;
use super::id::PaneId;
use super::listing::Scope;
use super::pane::{self, PaneRow};
use super::place::Place;
use super::server::{Server, names_missing_pane};

/// Which pane of a window, as seen from the active one. At an edge it goes on at the other side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toward {
    /// The one above.
    Up,
    /// The one below.
    Down,
    /// The one to the left.
    Left,
    /// The one to the right.
    Right,
    /// The one that was active before.
    Last,
    /// The next one by index.
    Next,
    /// The previous one by index.
    Previous,
}

/// Makes another pane of the window the active one, and returns it.
///
/// # Errors
///
/// [`TmuxError::NoLastPane`]; [`TmuxError::NoSuchWindow`] if the window is gone.
pub async fn select_toward(server: &Server, window: &Place, toward: Toward) -> Result<PaneRow, TmuxError> {
    let target = window.window_target();
    let select = Command::new("select-pane");
    let select = match toward {
        Toward::Up => select.flag('U').target(&target),
        Toward::Down => select.flag('D').target(&target),
        Toward::Left => select.flag('L').target(&target),
        Toward::Right => select.flag('R').target(&target),
        Toward::Last => select.flag('l').target(&target),
        // (`.+` counts from the client's pane on 3.3a, if that is in another window.)
        Toward::Next => select.target(beside_active(server, window, Beside::Next).await?),
        Toward::Previous => select.target(beside_active(server, window, Beside::Previous).await?),
    };
    let query = Query::new(pane::VARIABLES);
    let active = Command::new("list-panes").target(&target).value('F', query.template());
    let active = active.value('f', "#{pane_active}");
    let gone = || TmuxError::NoSuchWindow { window: window.window_id.to_string() };
    let rows =
        server.rows(&query, CommandList::from(select).then(active)).await.map_err(|error| match error {
            TmuxError::Refused { stderr, .. } if stderr == "no last pane" => {
                TmuxError::NoLastPane { window: window.window_id }
            }
            TmuxError::Refused { stderr, .. } if stderr.starts_with("can't find") => gone(),
            error => error,
        })?;
    rows.iter().find_map(PaneRow::read).ok_or_else(gone)
}

enum Beside {
    Next,
    Previous,
}

/// The pane that stands beside the active one by index, the last beside the first.
async fn beside_active(server: &Server, window: &Place, beside: Beside) -> Result<PaneId, TmuxError> {
    let rows = server.pane_rows(Scope::Window(window.session_id, window.window_id), &[]).await?;
    let panes: Vec<_> = rows.iter().filter_map(PaneRow::read).collect();
    let active = panes.iter().position(|pane| pane.active).unwrap_or(0);
    let after = match beside {
        Beside::Next => 1,
        // All but one further on is one back.
        Beside::Previous => panes.len().saturating_sub(1),
    };
    let at = (active + after).checked_rem(panes.len()).unwrap_or(0);
    let gone = || TmuxError::NoSuchWindow { window: window.window_id.to_string() };
    panes.get(at).map(|pane| pane.id).ok_or_else(gone)
}

/// Exchanges the places of two panes, in one window or two, and returns the first.
///
/// # Errors
///
/// [`TmuxError::NoSuchPane`] for the one that there is not.
pub async fn swap_panes(server: &Server, pane: PaneId, with: PaneId) -> Result<PaneRow, TmuxError> {
    // Looked up first, because what tmux says about the two does not tell which is which.
    server.pane(with).await?;
    let swap = Command::new("swap-pane").target(pane).value('s', with.to_string());
    server.pane_after(swap.into(), pane).await
}

/// Lets the pane fill its window, or ends that. If another pane fills the window, `true` puts this one in its place, and `false`
/// leaves it alone.
pub fn zoom_pane(pane: PaneId, on: bool) -> Result<CommandList, NulInWord> {
    let toggle = || Command::new("resize-pane").flag('Z').target(pane);
    let when = |condition: &str| Command::new("if-shell").flag('F').target(pane).operand(condition);
    let unzoom = when("#{window_zoomed_flag}").commands(&toggle().into())?;
    let list = if on {
        let zoom = CommandList::from(unzoom).then(toggle());
        when("#{?window_zoomed_flag,#{?pane_active,0,1},1}").commands(&zoom)?
    } else {
        when("#{?window_zoomed_flag,#{pane_active},0}").commands(&toggle().into())?
    };
    Ok(list.into())
}

/// Sets the pane's title, and returns the pane as it is then.
///
/// # Errors
///
/// [`TmuxError::TitleNotTaken`] if tmux kept another one: it passes over titles with control characters without a word.
pub async fn set_pane_title(server: &Server, pane: PaneId, title: &str) -> Result<PaneRow, TmuxError> {
    let set = Command::new("select-pane").target(pane).value('T', super::command::literal(title));
    let row = server.pane_after(set.into(), pane).await?;
    let kept = row.title.as_deref().unwrap_or_default();
    // From 3.7 on tmux keeps a backslash as two.
    match kept == title || kept == title.replace('\\', r"\\") {
        true => Ok(row),
        false => Err(TmuxError::TitleNotTaken { pane }),
    }
}

/// Clears the pane's screen and its history.
pub fn clear_pane(pane: PaneId) -> CommandList {
    let reset = Command::new("send-keys").flag('R').target(pane);
    CommandList::from(reset).then(Command::new("clear-history").target(pane))
}

/// Ends the pane and what runs in it.
///
/// # Errors
///
/// [`TmuxError::NoSuchPane`].
pub async fn kill_pane(server: &Server, pane: PaneId) -> Result<(), TmuxError> {
    match server.run(&Command::new("kill-pane").target(pane).into()).await {
        // With the last pane the server goes, before or after it has answered.
        Ok(_) | Err(TmuxError::ServerLost { .. }) => Ok(()),
        Err(TmuxError::Refused { stderr, .. }) if names_missing_pane(&stderr) => {
            Err(TmuxError::NoSuchPane { pane: pane.to_string() })
        }
        Err(error) => Err(error),
    }
}
