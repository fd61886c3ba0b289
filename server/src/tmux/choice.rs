//! Which way a call goes: over the connection to its tmux server, or by a process of its own?
//!
//! The connection is opened when it is first needed, and again when it was lost. There is none
//!
//! - where there is no server, or no session to be attached to;
//! - where being attached would change something: with `exit-unattached` on the server ends when the last client leaves,
//!   with `destroy-unattached` the session does. Both are looked at before and after attaching, once a second while calls are
//!   made, and when another client leaves; if one of them has come to be on, the connection is closed at once;
//! - if the options say so ([`Engine::Process`]), and for a moment after tmux refused to attach.
//!
//! An option that is turned on while nobody calls and nobody leaves is noticed when the client leaves for want of use.
//!
//! It is attached to the session that a `tmux` command outside of any pane would act on, so that this choice stays what
//! it was. If that session is destroyed, tmux moves the client to another one or lets it go; either way the next call works.
//!
//! A command that waits inside tmux would hold up all others, so it gets a client of its own beside the connection
//! ([`Choice::companion`]), under the same conditions.
//!
//! What is seen of it: `client-attached`, `client-session-changed` and `client-detached` hooks run once each, the session's
//! `session_last_attached` and `session_activity` are those of the moment, and flags of the session's current window (bell,
//! activity) are cleared as by any client that attaches. Whoever minds chooses [`Engine::Process`].

use std::sync::{Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::command::{Command, CommandList};
use super::connection::{Connection, Failure, Settings};
use super::control::{Event, Notification};
use super::endpoint::Engine;
use super::error::TmuxError;
use super::format::{Query, Row};
use super::id::SessionId;
use super::server::{Inner, Server};
use super::version::{Since, Version};

/// How long calls go by process after a connection was found to be wrong or impossible.
const AVOIDED: Duration = Duration::from_secs(1);
/// How often it is looked whether the connection is still right, while it is used.
const REVIEWED: Duration = Duration::from_secs(1);

/// The connection of one server handle.
#[derive(Debug, Default)]
pub(crate) struct Choice {
    state: Mutex<State>,
    /// Held by whoever opens or closes the connection.
    turn: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct State {
    /// With the server that it leads to: its process, and when that started.
    connection: Option<(Connection, Identity)>,
    companion: Option<Connection>,
    reviewed: Option<Instant>,
    avoided: Option<Instant>,
}

/// What tells a server from an earlier or later one on the same socket: its process, and when that started in seconds since
/// 1970.
pub(crate) type Identity = (i32, u64);

/// What must be known to attach.
#[derive(Debug, PartialEq, Eq)]
struct Prospect {
    identity: Identity,
    session: SessionId,
    /// Whether an attached client changes nothing.
    harmless: bool,
}

const PROSPECT: &[&str] =
    &["pid", "start_time", "version", "session_id", "exit-unattached", "destroy-unattached"];

impl Choice {
    /// Runs a list over the connection. Nothing if it has to go by a process.
    pub async fn run(
        &self,
        server: &Server,
        list: &CommandList,
        limit: Duration,
    ) -> Option<Result<Vec<u8>, TmuxError>> {
        if server.options().engine == Engine::Process {
            return None;
        }
        if list.kills_server() {
            // On 3.3a a client that was attached has kept the server from ending.
            self.close().await;
            return None;
        }
        if !list.suits_connection() || limit > server.options().deadline {
            return None;
        }
        let until = Instant::now() + limit;
        // A connection that leaves just now has not sent what it was given.
        for _ in 0..3 {
            let connection = match tokio::time::timeout_at(until.into(), self.connection(server)).await {
                Ok(connection) => connection?.0,
                Err(_) => return Some(Err(TmuxError::Timeout { command: list.to_string(), limit })),
            };
            self.review_now_and_then(server);
            let run = connection.run(list, until.saturating_duration_since(Instant::now()));
            match server.in_turn(list, run).await {
                Ok(output) => return Some(Ok(output)),
                Err(Failure::Tmux(TmuxError::Timeout { command, .. })) => {
                    return Some(Err(TmuxError::Timeout { command, limit }));
                }
                Err(Failure::Tmux(error)) => return Some(Err(error)),
                Err(Failure::Unsent) => continue,
                Err(Failure::Lost) if list.only_reads() => return None,
                Err(Failure::Lost) => return Some(Err(lost(server, list).await)),
            }
        }
        None
    }

    /// The clients leave, if there are any. They come back when they are needed.
    pub async fn close(&self) {
        let _turn = self.turn.lock().await;
        let clients = {
            let mut state = self.state();
            [state.companion.take(), state.connection.take().map(|(connection, _)| connection)]
        };
        for client in clients.into_iter().flatten() {
            client.close().await;
        }
    }

    /// Another client beside the connection, for one command that waits inside tmux. `sink` gets what it prints. Nothing where
    /// there is no connection. It leaves when being attached has come to change something; else whoever has asked for it closes
    /// it. There is one at a time.
    pub async fn companion(
        &self,
        server: &Server,
        sink: impl FnMut(Event) + Send + 'static,
    ) -> Option<Connection> {
        if server.options().engine == Engine::Process {
            return None;
        }
        let (connection, identity) = self.connection(server).await?;
        let _turn = self.turn.lock().await;
        let here = prospect(&connection, server).await.ok()?.filter(|here| here.harmless)?;
        let settings = Settings { session: here.session, output: false, idle: None };
        let companion = attach(server, settings, identity, sink).await?;
        self.state().companion = Some(companion.clone());
        Some(companion)
    }

    /// Which server the connection leads to. Nothing if there is none and none can be had.
    pub async fn identity(&self, server: &Server) -> Option<Identity> {
        match server.options().engine {
            Engine::Process => None,
            Engine::Auto => self.connection(server).await.map(|(_, identity)| identity),
        }
    }

    async fn connection(&self, server: &Server) -> Option<(Connection, Identity)> {
        if let Some(known) = self.known() {
            return known;
        }
        let _turn = self.turn.lock().await;
        if let Some(known) = self.known() {
            return known;
        }
        // Without a socket there is no server: the call itself will say so.
        if !server.socket_path().exists() {
            return None;
        }
        let opened = open(server).await;
        let mut state = self.state();
        match &opened {
            Some(_) => state.reviewed = Some(Instant::now()),
            None => state.avoided = Some(Instant::now()),
        }
        state.connection.clone_from(&opened);
        opened
    }

    /// What is known without asking: a connection, or that there is to be none.
    fn known(&self) -> Option<Option<(Connection, Identity)>> {
        let mut state = self.state();
        if let Some(known) = state.connection.as_ref().filter(|(connection, _)| connection.is_open()) {
            return Some(Some(known.clone()));
        }
        state.connection = None;
        state.avoided.is_some_and(|since| since.elapsed() < AVOIDED).then_some(None)
    }

    fn review_now_and_then(&self, server: &Server) {
        let mut state = self.state();
        if state.reviewed.is_none_or(|then| then.elapsed() >= REVIEWED) {
            state.reviewed = Some(Instant::now());
            let server = server.clone();
            tokio::spawn(async move { server.choice().review(&server).await });
        }
    }

    /// Looks whether being attached is still harmless, and leaves if not.
    async fn review(&self, server: &Server) {
        let Some((connection, _)) = self.state().connection.clone() else { return };
        let harmless = match prospect(&connection, server).await {
            Ok(prospect) => prospect.is_some_and(|prospect| prospect.harmless),
            // It is on its way out.
            Err(_) => return,
        };
        if !harmless {
            let companion = {
                let mut state = self.state();
                state.avoided = Some(Instant::now());
                state.companion.take()
            };
            if let Some(companion) = companion {
                companion.close().await;
            }
            connection.close().await;
        }
    }

    /// A panic elsewhere leaves the state usable: every change of it is one statement.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Attaches a client if that can be done and is harmless.
async fn open(server: &Server) -> Option<(Connection, Identity)> {
    let options = server.options();
    let query = Query::new(PROSPECT);
    let output = server.by_process(&ask(&query).into(), options.deadline).await.ok()?;
    let before = read(&query, &output).filter(|before| before.harmless)?;
    let settings = Settings { session: before.session, output: false, idle: Some(options.idle) };
    let sink = watch_for_changes(server.downgrade());
    Some((attach(server, settings, before.identity, sink).await?, before.identity))
}

/// Attaches a client to the server of this identity, unless that has come to change something.
async fn attach(
    server: &Server,
    settings: Settings,
    identity: Identity,
    sink: impl FnMut(Event) + Send + 'static,
) -> Option<Connection> {
    let (options, environment) = (server.options(), server.environment());
    let opened = Connection::open(options, environment, server.endpoint(), settings, sink).await;
    let connection = opened.inspect_err(|error| tracing::debug!(%error, "cannot attach")).ok()?;
    match prospect(&connection, server).await {
        Ok(Some(after)) if after.harmless && after.identity == identity => Some(connection),
        _ => {
            connection.close().await;
            None
        }
    }
}

/// What another client's leaving and a move to another session may have changed is looked at again.
fn watch_for_changes(server: Weak<Inner>) -> impl FnMut(Event) + Send + 'static {
    let mut sessions = 0;
    move |event| {
        let changed = match event {
            Event::Notification(Notification::ClientDetached { .. }) => true,
            Event::Notification(Notification::SessionChanged { .. }) => {
                sessions += 1;
                sessions > 1
            }
            _ => false,
        };
        if changed && let Some(server) = Server::upgrade(&server) {
            tokio::spawn(async move { server.choice().review(&server).await });
        }
    }
}

/// On the connection, the session that is current is the one that the client is attached to.
async fn prospect(connection: &Connection, server: &Server) -> Result<Option<Prospect>, Failure> {
    let query = Query::new(PROSPECT);
    let output = connection.run(&ask(&query).into(), server.options().deadline).await?;
    Ok(read(&query, &output))
}

fn ask(query: &Query) -> Command {
    Command::new("display-message").flag('p').operand(query.template())
}

/// Nothing if the server has no session.
fn read(query: &Query, output: &[u8]) -> Option<Prospect> {
    let rows = query.rows(output).ok()?;
    let row = rows.first()?;
    // destroy-unattached is a flag up to 3.4, and later a choice of which any but `off` destroys.
    let off = |option| matches!(row.bytes(option), b"" | b"0" | b"off");
    Some(Prospect {
        identity: identity(row)?,
        session: row.parsed("session_id")?,
        harmless: off("exit-unattached") && off("destroy-unattached") && new_enough(row),
    })
}

/// What is too old has no connection: a process says so.
fn new_enough(row: &Row) -> bool {
    Version::parse(&row.text("version")).has(Since::MINIMUM)
}

fn identity(row: &Row) -> Option<Identity> {
    Some((row.parsed("pid")?, row.parsed("start_time")?))
}

/// What to tell a caller whose command may have had its effect: did the server end, or the connection?
async fn lost(server: &Server, list: &CommandList) -> TmuxError {
    let command = list.to_string();
    let query = Query::new(&["pid"]);
    match server.by_process(&ask(&query).into(), server.options().deadline).await {
        Err(error) if error.is_no_server() => TmuxError::ServerLost { command },
        _ => TmuxError::ConnectionLost { command },
    }
}
