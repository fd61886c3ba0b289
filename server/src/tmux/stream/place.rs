//! Where is a pane, what runs in it, and may a client be attached there?

use crate::tmux::command::{Command, CommandList};
use crate::tmux::connection::{Connection, Failure};
use crate::tmux::error::TmuxError;
use crate::tmux::format::{Query, Row, is};
use crate::tmux::id::{PaneId, SessionId, WindowId};
use crate::tmux::server::Server;

const VARIABLES: &[&str] = &[
    "pane_id",
    "session_id",
    "window_id",
    "pane_pid",
    "pane_dead",
    "remain-on-exit",
    "exit-unattached",
    "destroy-unattached",
];

/// A pane as one session shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub pane: PaneId,
    pub session: SessionId,
    pub window: WindowId,
    pub process: Option<i32>,
    pub dead: bool,
    /// The pane stays when its program ends.
    pub remains: bool,
    /// A client that is attached to the session changes nothing.
    pub harmless: bool,
}

/// The sessions that show the pane, in the order of their ids.
///
/// # Errors
///
/// [`TmuxError::NoSuchPane`] if there is none.
pub(super) async fn find(server: &Server, pane: PaneId) -> Result<Vec<Place>, TmuxError> {
    let query = Query::new(VARIABLES);
    let list = Command::new("list-panes").flag('a').value('F', query.template());
    let list = list.value('f', is("pane_id", pane));
    let rows = match server.rows(&query, list.into()).await {
        Err(TmuxError::NoSessions) => Vec::new(),
        rows => rows?,
    };
    let mut places: Vec<_> = rows.iter().filter_map(read).filter(|place| place.pane == pane).collect();
    places.sort_by_key(|place| place.session);
    match places.is_empty() {
        true => Err(TmuxError::NoSuchPane { pane: pane.to_string() }),
        false => Ok(places),
    }
}

/// Asks the client itself whether its session shows the pane. Nothing if it does not.
///
/// What the pane has written before is told before the answer, and what it writes later after it; only while other panes of
/// the session flood the client can the later come first.
pub(super) async fn confirm(
    connection: &Connection,
    server: &Server,
    place: &Place,
) -> Result<Option<Place>, Failure> {
    let query = Query::new(VARIABLES);
    let ask =
        |target: String| Command::new("display-message").flag('p').target(target).operand(query.template());
    // tmux takes another target where it does not find this one, so what it took is looked at. The pane's number is enough
    // to find the pane but not to be in the session, so the window is asked for as well.
    let list = CommandList::from(ask(place.pane.to_string()));
    let list = list.then(ask(format!("{}:{}", place.session, place.window)));
    let output = connection.run(&list, server.deadline()).await?;
    let rows = query.rows(&output).unwrap_or_default();
    let [pane, window] = rows.as_slice() else { return Ok(None) };
    let (Some(pane), Some(window)) = (read(pane), read(window)) else { return Ok(None) };
    let there = pane.pane == place.pane
        && pane.window == place.window
        && (window.session, window.window) == (place.session, place.window);
    Ok(there.then_some(Place { session: window.session, harmless: window.harmless, ..pane }))
}

/// All panes of the server, one row for each session that shows one, as this client sees them.
pub(super) async fn all(connection: &Connection, server: &Server) -> Result<Vec<Place>, Failure> {
    let query = Query::new(VARIABLES);
    let list = Command::new("list-panes").flag('a').value('F', query.template());
    let output = connection.run(&list.into(), server.deadline()).await?;
    Ok(query.rows(&output).unwrap_or_default().iter().filter_map(read).collect())
}

fn read(row: &Row) -> Option<Place> {
    // destroy-unattached is a flag up to 3.4, and later a choice of which any but `off` destroys.
    let off = |option| matches!(row.bytes(option), b"" | b"0" | b"off");
    Some(Place {
        pane: row.parsed("pane_id")?,
        session: row.parsed("session_id")?,
        window: row.parsed("window_id")?,
        process: row.parsed("pane_pid").filter(|&pid| pid > 0),
        dead: row.flag("pane_dead"),
        remains: !off("remain-on-exit"),
        harmless: off("exit-unattached") && off("destroy-unattached"),
    })
}
