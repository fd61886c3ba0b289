//! All that is read of one tmux server: which panes, through which clients. The first reader opens a client, the last one to
//! leave lets it go.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::attend::attend;
use super::client::Client;
use super::feed::Feed;
use super::pipe::Pipe;
use super::place::{self, Place};
use super::{Closed, typed};
use crate::tmux::command::CommandList;
use crate::tmux::connection::Failure;
use crate::tmux::endpoint::Engine;
use crate::tmux::error::TmuxError;
use crate::tmux::id::{PaneId, SessionId, WindowId};
use crate::tmux::server::Server;

/// How often a pane is followed that moves while somebody begins to read it.
const TRIES: usize = 4;

/// The streams of one server.
#[derive(Debug, Default)]
pub(crate) struct Streams {
    table: Arc<Mutex<Table>>,
    /// Held by whoever opens a client or begins to read a pane.
    turn: tokio::sync::Mutex<()>,
    typed: typed::Log,
}

#[derive(Debug, Default)]
struct Table {
    clients: HashMap<SessionId, Arc<Client>>,
    pipes: HashMap<PaneId, Pipe>,
    feeds: HashMap<PaneId, Arc<Feed>>,
    opened: u64,
}

/// The feeds of one server, for those who must not keep them.
#[derive(Debug, Clone)]
pub(super) struct Feeds(Weak<Mutex<Table>>);

impl Streams {
    /// Text that this program types into a pane. To be called before it is typed, so that its echo can be told from output.
    pub fn typed(&self, pane: PaneId, text: &[u8]) {
        self.typed.add(pane, text);
    }

    /// What was typed lately.
    pub(in crate::tmux) fn typed_log(&self) -> &typed::Log {
        &self.typed
    }

    /// The feed of a pane, with `begin` done to it at a moment from which on nothing is lost. Only if `may_pipe` may it come
    /// through a pipe.
    pub(super) async fn enter<T>(
        &self,
        server: &Server,
        pane: PaneId,
        may_pipe: bool,
        begin: impl Fn(&Arc<Feed>) -> T,
    ) -> Result<T, TmuxError> {
        let is_by_process = server.options().engine == Engine::Process;
        if is_by_process && !may_pipe {
            let reason = "the engine is set to one process for each call".to_owned();
            return Err(TmuxError::NoStream { reason });
        }
        if let Some(begun) = self.join(pane, may_pipe, &begin) {
            return Ok(begun);
        }
        let _turn = self.turn.lock().await;
        let mut reason = format!("pane {pane} moves from session to session");
        for _ in 0..TRIES {
            if let Some(begun) = self.join(pane, may_pipe, &begin) {
                return Ok(begun);
            }
            if is_by_process {
                return self.enter_piped(server, pane, begin).await;
            }
            let place = match self.choose(server, pane).await {
                Err(TmuxError::NoStream { .. }) if may_pipe => {
                    return self.enter_piped(server, pane, begin).await;
                }
                place => place?,
            };
            let client = match self.client(server, place.session).await {
                Ok(client) => client,
                Err(error) => {
                    reason = error.to_string();
                    continue;
                }
            };
            let feed = self.table().begin(pane, client.number, false);
            let begun = begin(&feed);
            match place::confirm(&client.connection, server, &place).await {
                Ok(Some(now)) if now.harmless => {
                    feed.seen(now.window, now.process);
                    if now.dead {
                        self.close_feed(&feed, Closed::PaneDead);
                    } else if now.remains {
                        client.signals.look.notify_one();
                    }
                    return Ok(begun);
                }
                _ => self.close_feed(&feed, Closed::ConnectionLost),
            }
        }
        Err(TmuxError::NoStream { reason })
    }

    /// The same through a pipe. The turn must be held.
    async fn enter_piped<T>(
        &self,
        server: &Server,
        pane: PaneId,
        begin: impl Fn(&Arc<Feed>) -> T,
    ) -> Result<T, TmuxError> {
        let place = place::find(server, pane).await?.swap_remove(0);
        let begun = |feed: Arc<Feed>| {
            let begun = begin(&feed);
            feed.seen(place.window, place.process);
            if place.dead {
                self.close_feed(&feed, Closed::PaneDead);
            }
            begun
        };
        let (former, number) = {
            let mut table = self.table();
            match table.pipes.get(&pane).filter(|pipe| pipe.is_open()).map(|pipe| pipe.number) {
                Some(number) => (Err(table.begin(pane, number, true)), number),
                None => {
                    table.opened += 1;
                    (Ok(table.pipes.remove(&pane)), table.opened)
                }
            }
        };
        let former = match former {
            Ok(former) => former,
            // Found under the lock, so the pipe does not go now.
            Err(feed) => return Ok(begun(feed)),
        };
        if place.dead {
            let feed = self.table().begin(pane, number, true);
            return Ok(begun(feed));
        }
        if let Some(former) = former {
            former.close().await;
        }
        let (server, feeds, there) = (server.clone(), self.feeds(), place.clone());
        // As a task, so that a pipe that was set is taken away even if nobody waits for it any more.
        let opening = tokio::spawn(async move { Pipe::open(&server, feeds, number, &there).await });
        let pipe = opening.await.map_err(|_| TmuxError::Abandoned { pane })??;
        let feed = {
            let mut table = self.table();
            table.pipes.insert(pane, pipe);
            table.begin(pane, number, true)
        };
        Ok(begun(feed))
    }

    fn join<T>(&self, pane: PaneId, may_pipe: bool, begin: impl Fn(&Arc<Feed>) -> T) -> Option<T> {
        let table = self.table();
        let feed = table.feeds.get(&pane).filter(|feed| feed.is_ready() && !feed.is_closed())?;
        if feed.piped && !may_pipe {
            return None;
        }
        // Under the lock, so that nobody finds it unwanted just now.
        Some(begin(feed))
    }

    /// A session that shows the pane and to which a client may be attached.
    async fn choose(&self, server: &Server, pane: PaneId) -> Result<Place, TmuxError> {
        let places = place::find(server, pane).await?;
        let known = |place: &&Place| self.table().clients.contains_key(&place.session);
        let harmless: Vec<_> = places.iter().filter(|place| place.harmless).collect();
        let chosen = harmless.iter().copied().find(known).or_else(|| harmless.first().copied());
        chosen.cloned().ok_or_else(|| {
            let session = places[0].session;
            let reason = format!(
                "`destroy-unattached` of session {session} or `exit-unattached` is on, so a client's leaving would end something"
            );
            TmuxError::NoStream { reason }
        })
    }

    /// The client of a session. The turn must be held.
    async fn client(&self, server: &Server, session: SessionId) -> Result<Arc<Client>, TmuxError> {
        let number = {
            let mut table = self.table();
            if let Some(client) = table.clients.get(&session).filter(|client| client.is_usable()) {
                return Ok(client.clone());
            }
            table.opened += 1;
            table.opened
        };
        let client = Arc::new(Client::open(server, self.feeds(), number, session).await?);
        self.table().clients.insert(session, client.clone());
        tokio::spawn(attend(server.downgrade(), client.clone()));
        Ok(client)
    }

    /// Moves a feed to wherever its pane is now, or closes it. `lost` is why it cannot stay where it is.
    pub(super) async fn follow(&self, server: &Server, feed: &Arc<Feed>, lost: Closed) {
        let _turn = self.turn.lock().await;
        for _ in 0..TRIES {
            let place = match self.choose(server, feed.pane).await {
                Ok(place) => place,
                Err(error) => return self.close_feed(feed, why(&error, lost)),
            };
            let Ok(client) = self.client(server, place.session).await else { continue };
            feed.moved(client.number);
            match place::confirm(&client.connection, server, &place).await {
                Ok(Some(now)) if now.harmless => {
                    feed.seen(now.window, now.process);
                    client.signals.look.notify_one();
                    return;
                }
                _ => continue,
            }
        }
        self.close_feed(feed, lost);
    }

    /// The feed ends, and whoever comes later gets another one.
    pub(super) fn close_feed(&self, feed: &Arc<Feed>, why: Closed) {
        self.table().remove(feed);
        feed.close(why);
    }

    /// Somebody has left. If nobody is left the feed goes, and its client some time later.
    pub(super) fn left(&self, feed: &Arc<Feed>) {
        let mut table = self.table();
        if feed.is_wanted() {
            return;
        }
        table.remove(feed);
        if let Some(client) = table.clients.values().find(|client| Some(client.number) == feed.home()) {
            client.signals.look.notify_one();
        }
    }

    /// Runs a command list on the client that the feed comes from.
    pub(super) async fn run(
        &self,
        server: &Server,
        feed: &Feed,
        list: &CommandList,
    ) -> Result<Vec<u8>, TmuxError> {
        if feed.piped {
            return server.run(list).await;
        }
        let lost = || TmuxError::ConnectionLost { command: list.to_string() };
        let home = feed.home();
        let client = self.table().clients.values().find(|client| Some(client.number) == home).cloned();
        let run = client.ok_or_else(lost)?.connection.run(list, server.deadline()).await;
        run.map_err(|failure| match failure {
            Failure::Tmux(error) => error,
            Failure::Unsent | Failure::Lost => lost(),
        })
    }

    /// Takes the client away if nobody reads through it, or if it must go.
    pub(super) fn dismiss(&self, client: &Client, only_unused: bool) -> bool {
        let mut table = self.table();
        if only_unused && table.feeds.values().any(|feed| feed.home() == Some(client.number)) {
            return false;
        }
        if table.clients.get(&client.session).is_some_and(|known| known.number == client.number) {
            table.clients.remove(&client.session);
        }
        true
    }

    /// All clients leave; who reads is told `why`.
    pub async fn close(&self, why: Closed) {
        let (clients, pipes, feeds) = {
            let mut table = self.table();
            let clients: Vec<_> = table.clients.drain().map(|(_, client)| client).collect();
            let pipes: Vec<_> = table.pipes.drain().map(|(_, pipe)| pipe).collect();
            (clients, pipes, table.feeds.drain().map(|(_, feed)| feed).collect::<Vec<_>>())
        };
        feeds.iter().for_each(|feed| feed.close(why));
        for client in clients {
            client.connection.close().await;
        }
        for pipe in pipes {
            pipe.close().await;
        }
    }

    pub(super) fn feeds(&self) -> Feeds {
        Feeds(Arc::downgrade(&self.table))
    }

    /// A panic elsewhere leaves the table as it was: every change of it is whole.
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What an error says about a pane that was there before.
pub(super) fn why(error: &TmuxError, otherwise: Closed) -> Closed {
    match error {
        error if error.is_no_server() => Closed::ServerGone,
        error if error.is_not_found() => Closed::PaneGone,
        TmuxError::NoStream { .. } => Closed::Unattachable,
        _ => otherwise,
    }
}

impl Table {
    fn begin(&mut self, pane: PaneId, home: u64, piped: bool) -> Arc<Feed> {
        let feed = Arc::new(Feed::new(pane, home, piped));
        self.feeds.insert(pane, feed.clone());
        feed
    }

    fn remove(&mut self, feed: &Arc<Feed>) {
        if self.feeds.get(&feed.pane).is_some_and(|known| Arc::ptr_eq(known, feed)) {
            self.feeds.remove(&feed.pane);
        }
    }
}

impl Drop for Table {
    /// Wakes those who look after the clients: there is nothing more to look after.
    fn drop(&mut self) {
        self.clients.values().for_each(|client| client.signals.look.notify_one());
    }
}

impl Feeds {
    pub fn get(&self, pane: PaneId) -> Option<Arc<Feed>> {
        self.with(|table| table.feeds.get(&pane).cloned()).flatten()
    }

    /// Whether nobody reads through this pipe. Then nobody begins to, either.
    pub fn give_up(&self, pane: PaneId, number: u64) -> bool {
        let is_unused = |table: &Table| {
            let of_pipe = |feed: &&Arc<Feed>| feed.home() == Some(number);
            let is_unused = table.feeds.get(&pane).filter(of_pipe).is_none();
            if let Some(pipe) = table.pipes.get(&pane).filter(|pipe| is_unused && pipe.number == number) {
                pipe.give_up();
            }
            is_unused
        };
        self.with(is_unused).unwrap_or(true)
    }

    /// Nothing comes through this pipe any more, and whoever comes later gets another feed.
    pub fn close(&self, pane: PaneId, number: u64, why: Closed) {
        let Some(feed) = self.get(pane).filter(|feed| feed.home() == Some(number)) else { return };
        if let Some(table) = self.0.upgrade() {
            table.lock().unwrap_or_else(PoisonError::into_inner).remove(&feed);
        }
        feed.close(why);
    }

    /// Those whose output comes from this client.
    pub fn of(&self, client: u64) -> Vec<Arc<Feed>> {
        let of = |table: &Table| {
            table.feeds.values().filter(|feed| feed.home() == Some(client)).cloned().collect()
        };
        self.with(of).unwrap_or_default()
    }

    /// Whether one of them is in this window.
    pub fn show(&self, client: u64, window: WindowId) -> bool {
        let shown = |feed: &Arc<Feed>| feed.home() == Some(client) && feed.window() == Some(window);
        self.with(|table| table.feeds.values().any(shown)).unwrap_or_default()
    }

    fn with<T>(&self, look: impl FnOnce(&Table) -> T) -> Option<T> {
        let table = self.0.upgrade()?;
        let table = table.lock().unwrap_or_else(PoisonError::into_inner);
        Some(look(&table))
    }
}
