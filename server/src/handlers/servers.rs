//! tmux servers: which run, and ending one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use schemux::{GetServerInfoArgs, KillServerArgs, ListServersArgs, ServerInfo, ToolError};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::guard;
use crate::state::Tmux;
use crate::tmux::{self, Endpoint, Glance, Server, TmuxError, listens, socket_names};

/// How many servers are looked at at the same time. Each takes a process.
const AT_ONCE: usize = 16;

/// Whether a server runs, its version and how many sessions it has. What cannot be asked counts as not running.
pub async fn get_server_info(tmux: &Tmux, args: GetServerInfoArgs) -> Result<ServerInfo, ToolError> {
    let server = tmux.server_to_read(args.socket_name.as_deref());
    let glance = server.glance().await;
    Ok(info(server.endpoint(), glance.ok()))
}

/// The servers of the usual directory by name, then those on the other sockets that were given, as far as somebody listens.
pub async fn list_servers(tmux: &Tmux, args: ListServersArgs) -> Result<Vec<ServerInfo>, ToolError> {
    let names = socket_names(&tmux.config().environment).into_iter().map(Endpoint::Name);
    let paths = args.extra_socket_paths.unwrap_or_default();
    let paths = paths.into_iter().map(|path| Endpoint::Path(PathBuf::from(path)));
    let turns = Arc::new(Semaphore::new(AT_ONCE));
    let mut looks = JoinSet::new();
    for (number, endpoint) in names.chain(paths).enumerate() {
        let socket = endpoint.socket_path(&tmux.config().environment);
        let (server, turns) = (tmux.passing(endpoint), turns.clone());
        looks.spawn(async move {
            let _turn = turns.acquire().await;
            (number, look(&server, &socket).await)
        });
    }
    let mut found = Vec::new();
    while let Some(look) = looks.join_next().await {
        // A look that panicked found nothing.
        let Ok((number, look)) = look else { continue };
        found.extend(look?.map(|info| (number, info)));
    }
    found.sort_by_key(|(number, _)| *number);
    Ok(found.into_iter().map(|(_, info)| info).collect())
}

/// Nothing if nobody listens there.
async fn look(server: &Server, socket: &Path) -> Result<Option<ServerInfo>, TmuxError> {
    if !listens(socket).await {
        return Ok(None);
    }
    match server.glance().await {
        Err(error @ (TmuxError::BinaryMissing { .. } | TmuxError::CannotRun { .. })) => Err(error),
        glance => Ok(Some(info(server.endpoint(), glance.ok()))),
    }
}

fn info(endpoint: &Endpoint, glance: Option<Glance>) -> ServerInfo {
    let (socket_name, socket_path) = match endpoint {
        Endpoint::Default => (None, None),
        Endpoint::Name(name) => (Some(name.to_string_lossy().into_owned()), None),
        Endpoint::Path(path) => (None, Some(path.to_string_lossy().into_owned())),
    };
    ServerInfo {
        is_alive: glance.is_some(),
        session_count: glance.as_ref().map_or(0, |glance| glance.sessions.try_into().unwrap_or(i64::MAX)),
        socket_name,
        socket_path,
        version: glance.map(|glance| glance.version.to_string()),
    }
}

/// Ends a server, unless this program runs in it. One that does not run has ended.
pub async fn kill_server(tools: &Tmux, args: KillServerArgs) -> Result<String, ToolError> {
    let server = tools.server(args.socket_name.as_deref());
    guard::server(tools, &server)?;
    let at = server.endpoint();
    Ok(if tmux::kill_server(&server).await? {
        format!("the tmux server at {at} was killed")
    } else {
        format!("no tmux server runs at {at}")
    })
}
