//! Which window is meant when it is not named: the one that is current, or where one has come to be.

use super::command::{Command, CommandList};
use super::error::TmuxError;
use super::format::{Query, is};
use super::id::{SessionId, WindowId};
use super::server::Server;
use super::window::{self, WindowRow};

impl Server {
    /// Runs `list` and reads the session's current window right after it, in one go.
    ///
    /// # Errors
    ///
    /// [`TmuxError::NoSuchSession`] if the session is gone by then, and what `list` can meet.
    pub async fn current_window_after(
        &self,
        list: CommandList,
        session: SessionId,
    ) -> Result<WindowRow, TmuxError> {
        let row = self.window_of(list, &session.to_string(), "#{window_active}".to_owned()).await?;
        row.ok_or_else(|| TmuxError::NoSuchSession { session: session.to_string() })
    }

    /// Runs `list` and reads the window right after it, in one go, as the session shows it that the tmux target `session` means.
    ///
    /// # Errors
    ///
    /// [`TmuxError::NoSuchWindow`] if the session does not show it, and what `list` can meet.
    pub async fn window_in_after(
        &self,
        list: CommandList,
        session: &str,
        window: WindowId,
    ) -> Result<WindowRow, TmuxError> {
        let row = self.window_of(list, session, is("window_id", window)).await?;
        row.ok_or_else(|| TmuxError::NoSuchWindow { window: window.to_string() })
    }

    async fn window_of(
        &self,
        list: CommandList,
        session: &str,
        filter: String,
    ) -> Result<Option<WindowRow>, TmuxError> {
        let query = Query::new(window::VARIABLES);
        let one = Command::new("list-windows").target(session).value('F', query.template());
        let rows = self.rows(&query, list.then(one.value('f', filter))).await?;
        Ok(rows.first().and_then(WindowRow::read))
    }
}
