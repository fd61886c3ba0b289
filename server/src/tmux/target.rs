//! Decides which pane, window or session is meant. Pure: it reads the rows of one listing.
//!
//! Everything is compared whole, as text, and never handed to tmux as a target: no prefixes, no patterns, no
//! `session:window.pane`. A window that is linked into several sessions, or sessions in a group, give several rows for one
//! pane; they are one pane, and the row of the session that was named is preferred, else that of the oldest session.

use super::error::TmuxError;
use super::place::Place;

/// What a caller said about the pane that it means. An id wins over a name, a smaller object over a bigger one, and
/// what is given must match even if it is empty.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Target<'a> {
    /// A pane by id: `%1`. Looked for on the whole server.
    pub pane_id: Option<&'a str>,
    /// A window by id: `@1`. Looked for on the whole server.
    pub window_id: Option<&'a str>,
    /// A window by its number in the session.
    pub window_index: Option<&'a str>,
    /// A session by id: `$1`.
    pub session_id: Option<&'a str>,
    /// A session by name. Ignored if its id is given.
    pub session_name: Option<&'a str>,
}

impl<'a> Target<'a> {
    /// The pane that is meant: the one with the id, else the first of the window.
    pub fn pane<'r>(&self, rows: &'r [Place]) -> Result<&'r Place, TmuxError> {
        match self.pane_id {
            Some(id) => self
                .preferred(rows.iter().filter(|row| row.pane_id.to_string() == id))
                .ok_or_else(|| TmuxError::NoSuchPane { pane: id.to_owned() }),
            None => self.window(rows),
        }
    }

    /// The window that is meant, as the row of its first pane: the one with the id, else the one with the index in the
    /// session, else the first of the session.
    pub fn window<'r>(&self, rows: &'r [Place]) -> Result<&'r Place, TmuxError> {
        if let Some(id) = self.window_id {
            return self
                .preferred(rows.iter().filter(|row| row.window_id.to_string() == id))
                .ok_or_else(|| TmuxError::NoSuchWindow { window: id.to_owned() });
        }
        let session = self.session(rows)?;
        let Some(index) = self.window_index else { return Ok(session) };
        rows.iter()
            .find(|row| row.session_id == session.session_id && row.window_index.to_string() == index)
            .ok_or_else(|| TmuxError::NoSuchWindow { window: index.to_owned() })
    }

    /// Whether something is given by an id.
    pub fn has_id(&self) -> bool {
        self.pane_id.or(self.window_id).or(self.session_id).is_some()
    }

    /// The session that is meant, as the row of its first pane: the one with the id, else with the name, else the first
    /// in tmux's order, which is by name.
    pub fn session<'r>(&self, rows: &'r [Place]) -> Result<&'r Place, TmuxError> {
        match self.named_session() {
            None => rows.first().ok_or(TmuxError::NoSessions),
            Some(name) => rows
                .iter()
                .find(|row| self.is_named_session(row))
                .ok_or_else(|| TmuxError::NoSuchSession { session: name.to_owned() }),
        }
    }

    fn preferred<'r>(&self, rows: impl Iterator<Item = &'r Place>) -> Option<&'r Place> {
        // Of equals the first is taken: the lowest window index, the lowest pane index.
        rows.min_by_key(|row| (!self.is_named_session(row), row.session_id))
    }

    fn named_session(&self) -> Option<&'a str> {
        self.session_id.or(self.session_name)
    }

    fn is_named_session(&self, row: &Place) -> bool {
        match (self.session_id, self.session_name) {
            (Some(id), _) => row.session_id.to_string() == id,
            (None, Some(name)) => row.session_name == name,
            (None, None) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tmux::{PaneId, SessionId, WindowId};

    /// Rows as tmux lists them: `a` and `b` share window @1 (a group), `b` has @2 of its own with two panes.
    fn rows() -> Vec<Place> {
        [("a", 5, 1, 0, 1), ("b", 2, 1, 0, 1), ("b", 2, 2, 3, 2), ("b", 2, 2, 3, 3)]
            .map(|(name, session, window, index, pane)| row(name, session, window, index, pane))
            .to_vec()
    }

    fn row(name: &str, session: u32, window: u32, index: u32, pane: u32) -> Place {
        Place {
            session_id: SessionId(session),
            session_name: name.to_owned(),
            window_id: WindowId(window),
            window_index: index,
            window_active: true,
            pane_id: PaneId(pane),
            pane_index: pane,
            pane_active: true,
        }
    }

    fn pane(target: Target<'_>) -> Result<(u32, u32), String> {
        let rows = rows();
        let found = target.pane(&rows).map(|row| (row.session_id.0, row.pane_id.0));
        found.map_err(|error| error.to_string())
    }

    #[test]
    fn an_id_wins_over_everything() {
        let target = Target {
            pane_id: Some("%3"),
            window_id: Some("@9"),
            session_id: Some("$9"),
            ..Target::default()
        };
        assert_eq!(pane(target), Ok((2, 3)));
        let target = Target { window_id: Some("@2"), session_name: Some("nobody"), ..Target::default() };
        assert_eq!(pane(target), Ok((2, 2)));
        let target = Target { session_id: Some("$5"), session_name: Some("b"), ..Target::default() };
        assert_eq!(pane(target), Ok((5, 1)));
    }

    #[test]
    fn a_pane_in_several_sessions_is_one_pane() {
        let shared = Target { pane_id: Some("%1"), ..Target::default() };
        assert_eq!(pane(shared), Ok((2, 1)));
        assert_eq!(pane(Target { session_name: Some("a"), ..shared }), Ok((5, 1)));
        assert_eq!(pane(Target { session_name: Some("b"), ..shared }), Ok((2, 1)));
        assert_eq!(pane(Target { session_name: Some("gone"), ..shared }), Ok((2, 1)));
        assert_eq!(
            pane(Target { window_id: Some("@1"), session_id: Some("$5"), ..Target::default() }),
            Ok((5, 1))
        );
    }

    #[test]
    fn without_anything_the_first_of_each_is_meant() {
        assert_eq!(pane(Target::default()), Ok((5, 1)));
        assert_eq!(pane(Target { session_name: Some("b"), ..Target::default() }), Ok((2, 1)));
        assert_eq!(
            pane(Target { session_name: Some("b"), window_index: Some("3"), ..Target::default() }),
            Ok((2, 2))
        );
    }

    #[test]
    fn only_whole_texts_match() {
        let error = |target| pane(target).unwrap_err();
        assert!(error(Target { pane_id: Some("%01"), ..Target::default() }).contains("no pane `%01`"));
        assert!(error(Target { pane_id: Some(""), ..Target::default() }).contains("no pane ``"));
        assert!(error(Target { window_id: Some("@22"), ..Target::default() }).contains("no window `@22`"));
        assert!(error(Target { window_index: Some("00"), ..Target::default() }).contains("no window `00`"));
        assert!(error(Target { session_name: Some("a*"), ..Target::default() }).contains("no session `a*`"));
        assert_eq!(Target::default().pane(&[]), Err(TmuxError::NoSessions));
    }
}
