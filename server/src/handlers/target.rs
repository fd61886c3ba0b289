//! Which session, window or pane does a call mean?
//!
//! An id counts only on the tmux server that told it (see [`Server::recognize`]); whoever is given ids here knows the server
//! that now runs.

use crate::tmux::{CommandList, PaneId, PaneRow, Place, Row, Scope, Server, SessionId, Target, TmuxError};

/// The target that the arguments of a tool with `pane_id`, `window_id`, `session_id` and `session_name` describe.
macro_rules! pane_target {
    ($args:expr) => {
        $crate::tmux::Target {
            pane_id: $args.pane_id.as_deref(),
            window_id: $args.window_id.as_deref(),
            window_index: None,
            session_id: $args.session_id.as_deref(),
            session_name: $args.session_name.as_deref(),
        }
    };
}

/// The target that the arguments of a tool with `window_id`, `window_index`, `session_id` and `session_name` describe.
macro_rules! window_target {
    ($args:expr) => {
        $crate::tmux::Target {
            pane_id: None,
            window_id: $args.window_id.as_deref(),
            window_index: $args.window_index.as_deref(),
            session_id: $args.session_id.as_deref(),
            session_name: $args.session_name.as_deref(),
        }
    };
}

/// The target that the arguments of a tool with `session_id` and `session_name` describe.
macro_rules! session_target {
    ($args:expr) => {
        $crate::tmux::Target {
            session_id: $args.session_id.as_deref(),
            session_name: $args.session_name.as_deref(),
            ..$crate::tmux::Target::default()
        }
    };
}

pub(super) use {pane_target, session_target, window_target};

/// The pane that is meant. One that is given by its id is not looked for: what is done to it finds out.
pub async fn pane_id(server: &Server, target: Target<'_>) -> Result<PaneId, TmuxError> {
    match target.pane_id {
        Some(id) => {
            server.recognize().await?;
            super::pane::id(id)
        }
        None => pane(server, target).await.map(|place| place.pane_id),
    }
}

/// Runs what `list` says for the pane that is meant, and reads that pane right after it. A pane that several sessions show is
/// answered as the one shows it through which it was found.
pub async fn pane_after(
    server: &Server,
    target: Target<'_>,
    list: impl FnOnce(PaneId) -> CommandList,
) -> Result<PaneRow, TmuxError> {
    let found = Found::pane(server, target).await?;
    Ok(found.seen(server.pane_after(list(found.pane), found.pane).await?))
}

/// A pane that was found, and the session through which it was, unless it was by its own id.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    /// The pane.
    pub pane: PaneId,
    session: Option<SessionId>,
}

impl Found {
    /// The pane that is meant.
    pub async fn pane(server: &Server, target: Target<'_>) -> Result<Self, TmuxError> {
        if target.pane_id.is_some() {
            return Ok(Self { pane: pane_id(server, target).await?, session: None });
        }
        let Place { session_id, pane_id, .. } = pane(server, target).await?;
        Ok(Self { pane: pane_id, session: Some(session_id) })
    }

    /// The pane as that session shows it.
    pub fn seen(&self, row: PaneRow) -> PaneRow {
        PaneRow { session_id: self.session.unwrap_or(row.session_id), ..row }
    }
}

/// The pane that is meant, and where it is.
pub async fn pane(server: &Server, target: Target<'_>) -> Result<Place, TmuxError> {
    target.pane(&places(server, target).await?).cloned()
}

/// The window that is meant, as the place of its first pane.
pub async fn window(server: &Server, target: Target<'_>) -> Result<Place, TmuxError> {
    target.window(&places(server, target).await?).cloned()
}

/// The session that is meant, as the place of its first pane.
pub async fn session(server: &Server, target: Target<'_>) -> Result<Place, TmuxError> {
    target.session(&places(server, target).await?).cloned()
}

/// Lists what is in the window or the session that is meant, or else on the whole server. A server that does not run, or ends
/// just now, has nothing.
pub async fn listed(
    server: &Server,
    target: Target<'_>,
    list: impl AsyncFnOnce(Scope) -> Result<Vec<Row>, TmuxError>,
) -> Result<Vec<Row>, TmuxError> {
    let rows = match scope(server, target).await {
        Ok(scope) => list(scope).await,
        Err(error) => Err(error),
    };
    match rows {
        Err(error)
            if target == Target::default() && (error.is_no_server() || error == TmuxError::NoSessions) =>
        {
            Ok(Vec::new())
        }
        rows => rows,
    }
}

async fn scope(server: &Server, target: Target<'_>) -> Result<Scope, TmuxError> {
    if target == Target::default() {
        return server.introduce().await.map(|()| Scope::Server);
    }
    if target.window_id.or(target.window_index).is_some() {
        let place = window(server, target).await?;
        return Ok(Scope::Window(place.session_id, place.window_id));
    }
    Ok(Scope::Session(session(server, target).await?.session_id))
}

/// Where everything is, for a target of which more than one place is looked at.
pub async fn places(server: &Server, target: Target<'_>) -> Result<Vec<Place>, TmuxError> {
    if target.has_id() {
        server.recognize().await?;
    } else {
        server.introduce().await?;
    }
    server.places().await
}
