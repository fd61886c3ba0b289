//! Can this pane be typed into? Looked at and acted on in one command list.

use super::{Modes, Policy, Synchronized, Typed};
use crate::tmux::command::{Command, CommandList, NulInWord};
use crate::tmux::error::TmuxError;
use crate::tmux::format::{Query, Row};
use crate::tmux::id::PaneId;
use crate::tmux::server::{Server, names_missing_pane};
use crate::tmux::version::Version;

const VARIABLES: &[&str] = &[
    "pane_id",
    "pane_pid",
    "pane_dead",
    "pane_in_mode",
    "pane_mode",
    "pane_input_off",
    "pane_synchronized",
    "pane_active",
    "window_zoomed_flag",
    // Not of the pane: which tmux answers.
    "version",
];

/// What matters for typing, of one pane.
pub(super) struct State {
    pub pane: PaneId,
    alive: bool,
    mode: Option<String>,
    input_off: bool,
    synchronized: bool,
    visible: bool,
    pub version: Version,
}

impl State {
    fn read(row: &Row) -> Option<Self> {
        Some(Self {
            pane: row.parsed("pane_id")?,
            // From 3.7 on a pane that was made without a program is not dead, but has no process.
            alive: !row.flag("pane_dead") && row.flag("pane_pid"),
            mode: row.flag("pane_in_mode").then(|| row.text("pane_mode")),
            input_off: row.flag("pane_input_off"),
            synchronized: row.flag("pane_synchronized"),
            visible: !row.flag("window_zoomed_flag") || row.flag("pane_active"),
            version: Version::parse(&row.text("version")),
        })
    }

    /// Why nothing was typed, if that is so. `states` are those of the other panes of the window.
    fn obstacle(&self, policy: &Policy, states: &[Self]) -> Option<TmuxError> {
        let pane = self.pane;
        if !self.alive {
            return Some(TmuxError::PaneDead { pane });
        }
        if self.input_off {
            return Some(TmuxError::PaneInputOff { pane });
        }
        if let Some(mode) = &self.mode {
            return Some(TmuxError::PaneInMode { pane, mode: mode.clone() });
        }
        let refused = policy.synchronized == Synchronized::Refuse && self.synchronized && !states.is_empty();
        refused.then(|| TmuxError::PaneSynchronized { pane, panes: self.reached(states) })
    }

    /// The panes that get what is typed into this one, by tmux's own rule.
    pub fn reached(&self, states: &[Self]) -> Vec<PaneId> {
        let follows = |other: &&Self| {
            other.pane != self.pane
                && other.synchronized
                && other.visible
                && other.alive
                && !other.input_off
                && other.mode.is_none()
        };
        let others = states.iter().filter(|_| self.synchronized).filter(follows).map(|other| other.pane);
        std::iter::once(self.pane).chain(others).collect()
    }
}

/// Runs `commands`, which type into `pane`, if its state allows that.
pub(super) async fn guarded(
    server: &Server,
    pane: PaneId,
    policy: &Policy,
    commands: Vec<Command>,
) -> Result<Typed, TmuxError> {
    let query = Query::new(VARIABLES);
    let list = guard(CommandList::new(), &query, pane, policy, commands, None)?;
    let rows = server.rows(&query, list).await;
    outcome(rows, pane, policy)
}

/// The state of the pane, and of all in its window.
pub(super) async fn look(server: &Server, pane: PaneId) -> Result<(State, Vec<State>), TmuxError> {
    let query = Query::new(VARIABLES);
    let list = Command::new("list-panes").target(pane).value('F', query.template());
    split(server.rows(&query, list.into()).await, pane)
}

pub(super) fn query() -> Query {
    Query::new(VARIABLES)
}

/// Appends to `list`: leave the modes if so asked; if the state allows it, tell the states of the panes of the window and run
/// `commands`, or else run `otherwise` and tell the states.
pub(super) fn guard(
    list: CommandList,
    query: &Query,
    pane: PaneId,
    policy: &Policy,
    commands: Vec<Command>,
    otherwise: Option<Command>,
) -> Result<CommandList, NulInWord> {
    // If there is no such pane this is an error, and comes after `otherwise`.
    let tell = Command::new("list-panes").target(pane).value('F', query.template());
    let yes = commands.into_iter().fold(CommandList::from(tell.clone()), CommandList::then);
    let no = otherwise.into_iter().fold(CommandList::new(), CommandList::then).then(tell);
    let list = match policy.modes {
        Modes::Refuse => list,
        Modes::LeaveFirst => {
            let leave = Command::new("copy-mode").flag('q').target(pane);
            list.then(condition(pane, &able("1")).commands(&leave.into())?)
        }
    };
    let then = match policy.synchronized {
        Synchronized::Refuse => "#{?pane_synchronized,#{==:#{window_panes},1},1}",
        Synchronized::Follow => "1",
    };
    let free = able(&format!("#{{?pane_in_mode,0,{then}}}"));
    Ok(list.then(condition(pane, &free).commands(&yes)?.commands(&no)?))
}

/// `if-shell` on another pane of the window: does it get what is typed into a synchronized one?
pub(super) fn if_reached(pane: PaneId) -> Command {
    let visible = "#{?window_zoomed_flag,#{pane_active},1}";
    condition(pane, &able(&format!("#{{?pane_in_mode,0,#{{?pane_synchronized,{visible},0}}}}")))
}

/// `if-shell` on whether others get what is typed into this pane.
pub(super) fn if_synchronized(pane: PaneId) -> Command {
    condition(pane, "#{pane_synchronized}")
}

fn condition(pane: PaneId, format: &str) -> Command {
    Command::new("if-shell").flag('F').target(pane).operand(format)
}

/// A format that is `then` for a pane with a program that takes input, and `0` for others. A pane that is not there has no
/// process.
fn able(then: &str) -> String {
    format!("#{{?pane_dead,0,#{{?pane_input_off,0,#{{?pane_pid,{then},0}}}}}}")
}

/// What the rows that [`guard`] printed say.
pub(super) fn outcome(
    rows: Result<Vec<Row>, TmuxError>,
    pane: PaneId,
    policy: &Policy,
) -> Result<Typed, TmuxError> {
    let (state, states) = split(rows, pane)?;
    match state.obstacle(policy, &states) {
        Some(obstacle) => Err(obstacle),
        None => Ok(Typed { panes: state.reached(&states) }),
    }
}

fn split(rows: Result<Vec<Row>, TmuxError>, pane: PaneId) -> Result<(State, Vec<State>), TmuxError> {
    let no_such_pane = || TmuxError::NoSuchPane { pane: pane.to_string() };
    let rows = match rows {
        Err(TmuxError::NoSessions) => return Err(no_such_pane()),
        Err(TmuxError::Refused { stderr, .. }) if names_missing_pane(&stderr) => return Err(no_such_pane()),
        // Between the end of the program and tmux's notice of it, from 3.5 on.
        Err(TmuxError::Refused { stderr, .. }) if stderr == "target pane has exited" => {
            return Err(TmuxError::PaneDead { pane });
        }
        rows => rows?,
    };
    let mut states: Vec<_> = rows.iter().filter_map(State::read).collect();
    let own = states.iter().position(|state| state.pane == pane).ok_or_else(no_such_pane)?;
    Ok((states.swap_remove(own), states))
}
