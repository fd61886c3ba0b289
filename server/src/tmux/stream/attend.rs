//! Looks after one client: are the panes still there and in its session, is it still harmless, is it still needed?

use std::collections::{HashMap, HashSet};
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use tokio::task::{AbortHandle, JoinSet};
use tokio::time::sleep;

use super::Closed;
use super::client::Client;
use super::feed::Feed;
use super::place::{self, Place};
use super::table;
use crate::tmux::id::PaneId;
use crate::tmux::process_end::ProcessEnd;
use crate::tmux::server::{Inner, Server};

/// How long a client stays that nobody reads.
const LINGER: Duration = Duration::from_secs(3);
/// How often it is looked at what is told by nothing.
const REGULARLY: Duration = Duration::from_secs(5);
/// The shortest time between two looks.
const PAUSE: Duration = Duration::from_millis(10);
/// A client that has lived shorter than this is not opened again at once.
const SHORT: Duration = Duration::from_millis(500);
/// So many processes are awaited at once: each takes a file descriptor. The others are looked at regularly.
const AWAITED: usize = 64;

/// Runs until the client has left. Boxed, because it may open other clients, which are looked after as well.
pub(super) fn attend(server: Weak<Inner>, client: Arc<Client>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
    Box::pin(serve(server, client))
}

async fn serve(server: Weak<Inner>, client: Arc<Client>) {
    let mut ends = Ends::default();
    let mut unused: Option<Instant> = None;
    let mut looked = Instant::now();
    loop {
        let wait = match unused {
            Some(since) => LINGER.saturating_sub(since.elapsed()),
            None => ends.soon().saturating_sub(looked.elapsed()),
        };
        let ended = tokio::select! {
            () = client.connection.ended() => true,
            () = client.signals.look.notified() => false,
            () = ends.next() => false,
            () = sleep(wait) => false,
        };
        let Some(server) = Server::upgrade(&server) else {
            return client.connection.close().await;
        };
        let feeds = server.streams().feeds().of(client.number);
        if ended || !client.is_usable() {
            return leave(&server, &client, feeds, Closed::ConnectionLost).await;
        }
        if feeds.is_empty() {
            let since = *unused.get_or_insert_with(Instant::now);
            if since.elapsed() >= LINGER && server.streams().dismiss(&client, true) {
                return client.connection.close().await;
            }
            continue;
        }
        unused = None;
        client.resume(&server).await;
        if !look(&server, &client, &feeds, &mut ends).await {
            return leave(&server, &client, feeds, Closed::Unattachable).await;
        }
        looked = Instant::now();
        drop((server, feeds));
        sleep(PAUSE).await;
    }
}

/// Looks at all panes. Whether the client may stay.
async fn look(server: &Server, client: &Client, feeds: &[Arc<Feed>], ends: &mut Ends) -> bool {
    // If it is lost that is told in another way.
    let Ok(places) = place::all(&client.connection, server).await else { return true };
    if places.iter().any(|place| place.session == client.session && !place.harmless) {
        return false;
    }
    let mut here = HashMap::new();
    let mut elsewhere = HashSet::new();
    for place in &places {
        match place.session == client.session {
            true => drop(here.insert(place.pane, place)),
            false => drop(elsewhere.insert(place.pane)),
        }
    }
    let mut moved = Vec::new();
    for feed in feeds {
        match here.get(&feed.pane) {
            Some(place) if place.dead => server.streams().close_feed(feed, Closed::PaneDead),
            Some(place) => feed.seen(place.window, place.process),
            None if elsewhere.contains(&feed.pane) => moved.push(feed),
            None => server.streams().close_feed(feed, Closed::PaneGone),
        }
    }
    ends.watch(feeds.iter().filter_map(|feed| here.get(&feed.pane).copied()));
    for feed in moved {
        server.streams().follow(server, feed, Closed::PaneGone).await;
    }
    true
}

/// The client goes; the panes are read through another one if that can be.
async fn leave(server: &Server, client: &Client, feeds: Vec<Arc<Feed>>, why: Closed) {
    server.streams().dismiss(client, false);
    client.connection.close().await;
    let again = client.opened.elapsed() >= SHORT || client.signals.strayed.load(Ordering::Acquire);
    for feed in feeds {
        match again {
            true => server.streams().follow(server, &feed, why).await,
            false => {
                // It is not tried again, but why it ended is worth a question.
                let gone = place::find(server, feed.pane).await.err();
                let gone = gone.map_or(why, |error| table::why(&error, why));
                server.streams().close_feed(&feed, gone);
            }
        }
    }
}

/// The processes of panes that would stay when their program ends, of which tmux tells nothing.
#[derive(Default)]
struct Ends {
    tasks: JoinSet<()>,
    watched: HashMap<PaneId, (i32, AbortHandle)>,
    /// How soon to look again, because a process has ended and its pane does not show it yet.
    soon: Option<Duration>,
}

impl Ends {
    /// Returns when one of them has ended.
    async fn next(&mut self) {
        if self.tasks.join_next().await.is_none() {
            std::future::pending().await
        }
    }

    fn soon(&self) -> Duration {
        self.soon.unwrap_or(REGULARLY)
    }

    fn watch<'a>(&mut self, places: impl Iterator<Item = &'a Place>) {
        let mut before = std::mem::take(&mut self.watched);
        let mut late = false;
        for place in places.filter(|place| place.remains && !place.dead).take(AWAITED) {
            let Some(process) = place.process else {
                // From 3.7 on a process that has ended can be gone before its pane shows it.
                if let Some(ended) = before.remove(&place.pane) {
                    late = true;
                    self.watched.insert(place.pane, ended);
                }
                continue;
            };
            let known = before.remove(&place.pane).filter(|(known, _)| *known == process);
            let (_, task) = known.unwrap_or_else(|| (process, self.tasks.spawn(end(process))));
            late |= task.is_finished();
            self.watched.insert(place.pane, (process, task));
        }
        before.into_values().for_each(|(_, task)| task.abort());
        let again = self.soon.map_or(Duration::from_millis(2), |soon| (soon * 2).min(REGULARLY));
        self.soon = late.then_some(again);
    }
}

async fn end(process: i32) {
    ProcessEnd::of(Some(process)).reached().await;
}
