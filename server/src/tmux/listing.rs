//! What is there? One listing per question, however many objects there are.
//!
//! tmux takes some 0.7 µs for each value of a row and, of all values, longest for a pane's program and directory (5 and 3 µs).
//! So each question asks for what it needs, for what cannot be worked out from the rest, and once for what is the same for
//! all panes of a window.

use super::command::{Command, CommandList};
use super::error::TmuxError;
use super::format::{Query, Row, is};
use super::id::{PaneId, SessionId, WindowId};
use super::pane::{self, PaneRow};
use super::place::{self, Place};
use super::server::{Server, names_missing_pane};
use super::session::{self, SessionRow};
use super::window::{self, WindowRow};

/// Of what the windows or panes are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The whole server. A window that several sessions show is listed once for each.
    Server,
    /// One session.
    Session(SessionId),
    /// One window, as the session shows it.
    Window(SessionId, WindowId),
}

/// Whether other sessions show a window: the first is for windows that are linked, on 3.7 and later also for sessions that are
/// grouped; the second counts sessions, before 3.7 also grouped ones.
const LINKED: &[&str] = &["window_linked", "window_linked_sessions"];

impl Server {
    /// Where every pane is, in tmux's order: by session name, window index, pane index. Empty if there is no session.
    pub async fn places(&self) -> Result<Vec<Place>, TmuxError> {
        let query = Query::of_panes(place::VARIABLES);
        let rows = self.listed(&query, list(&query, Scope::Server)).await?;
        Ok(rows.iter().filter_map(Place::read).collect())
    }

    /// All panes of the server, in the order of [`Self::places`].
    pub async fn panes(&self) -> Result<Vec<PaneRow>, TmuxError> {
        let rows = self.pane_rows(Scope::Server, &[]).await?;
        Ok(rows.iter().filter_map(PaneRow::read).collect())
    }

    /// Rows for [`PaneRow::read`], with the values of `more` variables besides. Empty if there is no session.
    ///
    /// # Errors
    ///
    /// [`TmuxError::NoSuchSession`] or [`TmuxError::NoSuchWindow`] if what is listed is gone.
    pub async fn pane_rows(&self, scope: Scope, more: &[&'static str]) -> Result<Vec<Row>, TmuxError> {
        self.listed_in(&Query::of_panes(&all(pane::VARIABLES, more)), scope).await
    }

    /// Rows for [`WindowRow::read`], with the values of `more` variables besides. Empty if there is no session.
    ///
    /// # Errors
    ///
    /// [`TmuxError::NoSuchSession`] or [`TmuxError::NoSuchWindow`] if what is listed is gone.
    pub async fn window_rows(&self, scope: Scope, more: &[&'static str]) -> Result<Vec<Row>, TmuxError> {
        self.listed_in(&Query::new(&all(window::VARIABLES, more)), scope).await
    }

    /// Rows for [`SessionRow::read`], with the values of `more` variables besides, by session name. Empty if there is no
    /// session.
    pub async fn session_rows(&self, more: &[&'static str]) -> Result<Vec<Row>, TmuxError> {
        let query = Query::new(&all(session::VARIABLES, more));
        self.listed(&query, Command::new("list-sessions").value('F', query.template())).await
    }

    async fn listed_in(&self, query: &Query, scope: Scope) -> Result<Vec<Row>, TmuxError> {
        let rows = self.listed(query, list(query, scope)).await.map_err(|error| missing(error, scope))?;
        match scope {
            Scope::Window(_, window) if rows.is_empty() => {
                Err(TmuxError::NoSuchWindow { window: window.to_string() })
            }
            _ => Ok(rows),
        }
    }

    async fn listed(&self, query: &Query, command: Command) -> Result<Vec<Row>, TmuxError> {
        match self.rows(query, command.into()).await {
            Err(TmuxError::NoSessions) => Ok(Vec::new()),
            rows => rows,
        }
    }

    /// The pane, as the oldest session that shows it shows it.
    ///
    /// # Errors
    ///
    /// [`TmuxError::NoSuchPane`] if there is none.
    pub async fn pane(&self, pane: PaneId) -> Result<PaneRow, TmuxError> {
        self.pane_after(CommandList::new(), pane).await
    }

    /// Runs `list` and reads the pane right after it, in one go.
    ///
    /// # Errors
    ///
    /// [`TmuxError::NoSuchPane`] if it is gone by then, and what `list` can meet.
    pub async fn pane_after(&self, list: CommandList, pane: PaneId) -> Result<PaneRow, TmuxError> {
        let query = Query::new(&all(pane::VARIABLES, LINKED));
        // This takes as long on a server of a thousand panes as on one of ten, but knows of one session only.
        let one = Command::new("display-message").flag('p').target(pane).operand(query.template());
        let mut rows = self.pane_listed(&query, list.then(one), pane).await?;
        let is_linked = |row: &Row| row.flag(LINKED[0]) || row.bytes(LINKED[1]) != b"1";
        if rows.first().is_some_and(is_linked) {
            rows = self.pane_listed(&query, PaneRow::list_one(&query, pane).into(), pane).await?;
        }
        // Where there is no such pane tmux answers all the same, without an id.
        let oldest = rows.iter().filter_map(PaneRow::read).min_by_key(|row| row.session_id);
        oldest.ok_or_else(|| TmuxError::NoSuchPane { pane: pane.to_string() })
    }

    async fn pane_listed(
        &self,
        query: &Query,
        list: CommandList,
        pane: PaneId,
    ) -> Result<Vec<Row>, TmuxError> {
        self.rows(query, list).await.map_err(|error| match error {
            TmuxError::Refused { stderr, .. } if names_missing_pane(&stderr) => {
                TmuxError::NoSuchPane { pane: pane.to_string() }
            }
            TmuxError::NoSessions => TmuxError::NoSuchPane { pane: pane.to_string() },
            error => error,
        })
    }

    /// Runs `list` and reads the window right after it, in one go: as `session` shows it, or else as the oldest session that
    /// shows it does.
    ///
    /// # Errors
    ///
    /// [`TmuxError::NoSuchWindow`] if it is gone by then, and what `list` can meet.
    pub async fn window_after(
        &self,
        list: CommandList,
        session: SessionId,
        window: WindowId,
    ) -> Result<WindowRow, TmuxError> {
        let query = Query::new(window::VARIABLES);
        let one = Command::new("list-windows").flag('a').value('F', query.template());
        let one = one.value('f', is("window_id", window));
        let rows = match self.rows(&query, list.then(one)).await {
            Err(TmuxError::NoSessions) => Vec::new(),
            rows => rows?,
        };
        rows.iter()
            .filter_map(WindowRow::read)
            .min_by_key(|row| (row.session_id != session, row.session_id))
            .ok_or_else(|| TmuxError::NoSuchWindow { window: window.to_string() })
    }

    /// Runs `list` and reads the session right after it, in one go.
    ///
    /// # Errors
    ///
    /// [`TmuxError::NoSuchSession`] if it is gone by then, and what `list` can meet.
    pub async fn session_after(
        &self,
        list: CommandList,
        session: SessionId,
    ) -> Result<SessionRow, TmuxError> {
        let query = Query::new(session::VARIABLES);
        let one = Command::new("list-sessions").value('F', query.template());
        let one = one.value('f', is("session_id", session));
        let rows = self.rows(&query, list.then(one)).await?;
        let row = rows.first().and_then(SessionRow::read);
        row.ok_or_else(|| TmuxError::NoSuchSession { session: session.to_string() })
    }
}

fn all(own: &[&'static str], more: &[&'static str]) -> Vec<&'static str> {
    let more = more.iter().filter(|variable| !own.contains(variable));
    own.iter().chain(more).copied().collect()
}

/// Lists windows, or the panes in them if `query` is one of panes.
fn list(query: &Query, scope: Scope) -> Command {
    let command = Command::new("list-windows").value('F', query.template());
    match scope {
        Scope::Server => command.flag('a'),
        Scope::Session(session) => command.target(session),
        Scope::Window(session, window) => command.target(session).value('f', is("window_id", window)),
    }
}

fn missing(error: TmuxError, scope: Scope) -> TmuxError {
    let gone =
        matches!(&error, TmuxError::Refused { stderr, .. } if stderr.starts_with("can't find session"));
    match scope {
        Scope::Session(session) if gone => TmuxError::NoSuchSession { session: session.to_string() },
        Scope::Window(_, window) if gone => TmuxError::NoSuchWindow { window: window.to_string() },
        _ => error,
    }
}
