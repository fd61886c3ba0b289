//! Sessions: which there are, and making, naming and ending them.

use schemux::{
    CreateSessionArgs, GetSessionInfoArgs, KillSessionArgs, ListSessionsArgs, RenameSessionArgs, SessionInfo,
    ToolError,
};

use super::errors::refused;
use super::filters::{Filters, Kind};
use super::target::{self, session_target};
use super::{guard, session, start};
use crate::state::Tmux;
use crate::tmux::{self, CommandList, NewSession, SessionRow, Target};

/// The sessions, by name. None if no server runs.
pub async fn list_sessions(tmux: &Tmux, args: ListSessionsArgs) -> Result<Vec<SessionInfo>, ToolError> {
    let filters = Filters::read(args.filters, Kind::Session)?;
    let server = tmux.server_to_read(args.socket_name.as_deref());
    let rows = async |_| server.session_rows(&filters.variables()).await;
    let rows = target::listed(&server, Target::default(), rows).await?;
    let wanted = rows.iter().filter(|row| filters.accept(row)).filter_map(SessionRow::read);
    Ok(wanted.map(session::info).collect())
}

/// One session.
pub async fn get_session_info(tmux: &Tmux, args: GetSessionInfoArgs) -> Result<SessionInfo, ToolError> {
    let server = tmux.server_to_read(args.socket_name.as_deref());
    let place = target::session(&server, session_target!(args)).await?;
    Ok(session::info(server.session_after(CommandList::new(), place.session_id).await?))
}

/// Makes a session, and starts the server for it if none runs. Nothing is made unless everything can be had.
pub async fn create_session(tmux: &Tmux, args: CreateSessionArgs) -> Result<SessionInfo, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let what = NewSession {
        environment: start::variables(args.environment, args.suppress_persistent_history)?,
        start_directory: start::directory(tmux, args.start_directory)?,
        name: args.session_name,
        // Without a name tmux keeps one that says what runs.
        window_name: args.window_name.filter(|name| !name.is_empty()),
        width: args.x,
        height: args.y,
    };
    let row = tmux::new_session(&server, &what).await?;
    server.introduce().await?;
    Ok(session::info(row))
}

/// Gives a session another name.
pub async fn rename_session(tmux: &Tmux, args: RenameSessionArgs) -> Result<SessionInfo, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let place = target::session(&server, session_target!(args)).await?;
    Ok(session::info(tmux::rename_session(&server, place.session_id, &args.new_name).await?))
}

/// Ends a session that was named, unless this program runs in it.
pub async fn kill_session(tools: &Tmux, args: KillSessionArgs) -> Result<String, ToolError> {
    let target = session_target!(args);
    if target == Target::default() {
        let message = "session_name or session_id is needed: no session is killed by default";
        return Err(refused(message));
    }
    let server = tools.server(args.socket_name.as_deref());
    let places = target::places(&server, target).await?;
    let session = target.session(&places)?;
    let id = session.session_id;
    let inside = places.iter().filter(|place| place.session_id == id);
    guard::places(tools, &server, inside, &format!("session {id}"))?;
    tmux::kill_session(&server, id).await?;
    Ok(format!("session {id} (`{}`) was killed", session.session_name))
}
