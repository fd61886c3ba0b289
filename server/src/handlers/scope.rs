//! Where is an option or a hook looked for, or set?
//!
//! tmux itself would take the session that was used last for the one that is meant, which nobody can foresee. Here it is the
//! first session, its first window and its first pane, as for all tools.

use schemux::{Scope, ToolError};

use super::target;
use crate::tmux::{OptionScope, Place, Server, Target, TmuxError};

/// What the arguments `scope`, `target` and `global_` say.
///
/// # Errors
///
/// A target without a scope; one that there is not.
pub async fn resolve(
    server: &Server,
    scope: Option<Scope>,
    name: Option<&str>,
    global: bool,
) -> Result<OptionScope, ToolError> {
    if scope.is_none() && name.is_some() {
        return Err(ToolError::expected(
            "ExpectedToolError",
            "target needs scope: say whether it is a session, a window or a pane",
        ));
    }
    // A target that there is not is an error, also where it makes no difference.
    let place = match (scope, name) {
        (Some(Scope::Server), _) if global => return Ok(OptionScope::Everything),
        (Some(Scope::Server), _) => return Ok(OptionScope::Server),
        (_, None) if global => None,
        (_, None) => first(server).await?,
        (Some(Scope::Window), Some(id)) => {
            Some(target::window(server, Target { window_id: Some(id), ..Target::default() }).await?)
        }
        (Some(Scope::Pane), Some(id)) => {
            Some(target::pane(server, Target { pane_id: Some(id), ..Target::default() }).await?)
        }
        (_, Some(name)) => Some(session(server, name).await?),
    };
    Ok(match (scope, place) {
        (Some(Scope::Window | Scope::Pane), _) if global => OptionScope::AllWindows,
        (_, _) if global => OptionScope::AllSessions,
        (Some(Scope::Session), Some(place)) => OptionScope::Session(place.session_id),
        (Some(Scope::Window), Some(place)) => OptionScope::Window(place.window_target()),
        (Some(Scope::Pane), Some(place)) => OptionScope::Pane(place.pane_id),
        (None, Some(place)) => OptionScope::Own(Some(format!("{}.{}", place.window_target(), place.pane_id))),
        (None, None) => OptionScope::Own(None),
        (Some(_), _) => return Err(TmuxError::NoSessions.into()),
    })
}

/// The first pane of the first window of the first session. Nothing where there is no session.
async fn first(server: &Server) -> Result<Option<Place>, TmuxError> {
    match target::pane(server, Target::default()).await {
        Err(TmuxError::NoSessions) => Ok(None),
        place => place.map(Some),
    }
}

/// A session by its name, or by its id where none has such a name.
async fn session(server: &Server, name: &str) -> Result<Place, TmuxError> {
    let named = target::session(server, Target { session_name: Some(name), ..Target::default() }).await;
    match named {
        Err(TmuxError::NoSuchSession { .. }) if name.starts_with('$') => {
            target::session(server, Target { session_id: Some(name), ..Target::default() }).await
        }
        named => named,
    }
}
