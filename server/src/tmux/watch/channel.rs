//! Waits for a signal on one of tmux's channels (`wait-for`).
//!
//! A signal wakes everybody who waits. If nobody does, tmux keeps one, and the next one who waits returns at once. A client that
//! is killed while it waits can take a signal with it: from 3.8 on one that comes before tmux knows that it is gone, and below
//! 3.8 the next one, whenever it comes, because tmux counts it among those who wait for ever.
//!
//! So a wait that is given up does not kill its client, but signals the channel itself, if it is certain that nobody else waits
//! inside tmux ([`alone`]). If somebody's signal comes first, it has woken the client, and the own one is what tmux keeps; if it
//! comes after, tmux keeps that. Either way one is kept for the next one who waits, and none if there was none.
//!
//! Where that is not certain the client is killed from 3.8 on. Below it stays for a while, and it is looked again. If a signal wakes
//! it while nobody here waits, the signal is given back to tmux, which keeps it for the next one, whoever that is. What that costs:
//! a process for each channel that was given up while others were waiting inside tmux, [`LEFT`] at most (then the oldest is
//! killed, and its channel loses one signal). And if somebody outside waited on the same channel at the same moment, the signal that
//! woke them is kept once more. When this program ends while such a client is there, one signal is lost as well.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::ChildStdout;
use tokio::sync::{Notify, watch};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::tmux::command::{Command, CommandList};
use crate::tmux::error::TmuxError;
use crate::tmux::format::nonce;
use crate::tmux::process::Running;
use crate::tmux::server::Server;
use crate::tmux::version::Since;

use super::alone;

/// So many clients may wait of which nobody wants to know.
pub const LEFT: usize = 32;
/// How often it is looked whether a client that nobody wants can go, at first; ever more seldom later.
const LOOK: Duration = Duration::from_millis(100);
/// The most seldom.
const LOOK_AT_MOST: Duration = Duration::from_secs(60);
/// How long a server that ends may still answer.
const PARTING: Duration = Duration::from_millis(200);

/// How a wait for a channel ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChannelEnd {
    /// The channel was signalled.
    Signalled,
    /// The time is over. The next signal is not lost.
    TimedOut,
    /// The caller gave up. The next signal is not lost.
    Cancelled,
    /// The server has ended.
    ServerGone,
}

/// The channels that this program waits on, at one tmux server.
#[derive(Debug, Default, Clone)]
pub(crate) struct Channels {
    table: Arc<Mutex<Table>>,
    /// Held by whoever looks whether others are connected, so that looks do not see each other.
    look: Arc<tokio::sync::Mutex<()>>,
    /// What looks after the clients, until they are gone.
    tasks: TaskTracker,
}

#[derive(Debug, Default)]
struct Table {
    entries: HashMap<String, Entry>,
    started: u64,
}

#[derive(Debug)]
struct Entry {
    number: u64,
    interested: usize,
    /// Lets the client go.
    quit: CancellationToken,
    /// The client is going: who comes now needs another one.
    leaving: bool,
    /// Told when nobody is interested any more.
    left: Arc<Notify>,
    state: watch::Receiver<State>,
}

#[derive(Debug, Clone, PartialEq)]
enum State {
    /// The client is on its way.
    Starting,
    Waiting,
    Ended(Result<ChannelEnd, TmuxError>),
}

/// Somebody who waits. Leaves when dropped.
struct Interest {
    channels: Channels,
    name: String,
    number: u64,
    state: watch::Receiver<State>,
}

/// Waits until somebody signals the channel, for up to `limit` or until `cancel`. A signal that tmux has kept counts.
///
/// # Errors
///
/// [`TmuxError::NoServer`] and the like if there is no server to begin with.
///
/// # Panics
///
/// Outside of a tokio runtime.
pub async fn wait_channel(
    server: &Server,
    name: &str,
    limit: Duration,
    cancel: CancellationToken,
) -> Result<ChannelEnd, TmuxError> {
    let mut interest = server.channels().join(server, name);
    let ended = async {
        match interest
            .state
            .wait_for(|state| matches!(state, State::Ended(_)))
            .await
            .map(|state| state.clone())
        {
            Ok(State::Ended(end)) => end,
            _ => Ok(ChannelEnd::Cancelled),
        }
    };
    tokio::select! {
        biased;
        ended = ended => ended,
        () = cancel.cancelled() => Ok(ChannelEnd::Cancelled),
        () = sleep(limit) => Ok(ChannelEnd::TimedOut),
    }
}

/// Wakes everybody who waits on the channel. If nobody does, tmux keeps the signal for the next one.
///
/// # Errors
///
/// What a call to tmux can meet.
pub async fn signal_channel(server: &Server, name: &str) -> Result<(), TmuxError> {
    server.run(&Command::new("wait-for").flag('S').operand(name).into()).await.map(drop)
}

impl Channels {
    fn join(&self, server: &Server, name: &str) -> Interest {
        let mut table = self.table();
        let before = match table.entries.get_mut(name) {
            Some(entry) if entry.leaving || entry.quit.is_cancelled() => Some(entry.state.clone()),
            Some(entry) => {
                entry.interested += 1;
                return self.interest(name, entry);
            }
            None => None,
        };
        table.started += 1;
        let (sender, state) = watch::channel(State::Starting);
        let number = table.started;
        let entry = Entry {
            number,
            interested: 1,
            quit: CancellationToken::new(),
            leaving: false,
            left: Arc::default(),
            state,
        };
        let interest = self.interest(name, &entry);
        let left = entry.left.clone();
        let task = Task { channels: self.clone(), name: name.to_owned(), number, left, sender };
        let (server, quit) = (server.clone(), entry.quit.clone());
        self.tasks.spawn(async move {
            if let Some(mut before) = before {
                // What lets that client go would wake this one.
                let _ = before.wait_for(|state| matches!(state, State::Ended(_))).await;
            }
            task.run(server, quit).await;
        });
        table.entries.insert(name.to_owned(), entry);
        table.forget_oldest();
        interest
    }

    fn interest(&self, name: &str, entry: &Entry) -> Interest {
        Interest {
            channels: self.clone(),
            name: name.to_owned(),
            number: entry.number,
            state: entry.state.clone(),
        }
    }

    /// Ends all clients, and returns when they are gone. Waits answer that they were cancelled.
    pub(crate) async fn close(&self) {
        self.table().entries.drain().for_each(|(_, entry)| entry.quit.cancel());
        self.tasks.close();
        // If tmux does not answer, a client is killed without anybody waiting for it.
        let _ = timeout(Duration::from_secs(1), self.tasks.wait()).await;
    }

    /// A panic elsewhere leaves the table as it was: every change of it is whole.
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn forget_oldest(&mut self) {
        let left = self.entries.iter().filter(|(_, entry)| entry.interested == 0);
        let mut left: Vec<_> = left.map(|(name, entry)| (entry.number, name.clone())).collect();
        left.sort_unstable();
        for (_, name) in left.iter().rev().skip(LEFT) {
            if let Some(entry) = self.entries.remove(name) {
                entry.quit.cancel();
            }
        }
    }
}

impl Drop for Interest {
    fn drop(&mut self) {
        let mut table = self.channels.table();
        if let Some(entry) = table.entries.get_mut(&self.name).filter(|entry| entry.number == self.number) {
            entry.interested -= 1;
            if entry.interested == 0 {
                entry.left.notify_one();
                table.forget_oldest();
            }
        }
    }
}

/// Looks after one client.
struct Task {
    channels: Channels,
    name: String,
    number: u64,
    left: Arc<Notify>,
    sender: watch::Sender<State>,
}

impl Task {
    async fn run(self, server: Server, quit: CancellationToken) {
        let (end, client) = match self.wait(&server, &quit).await {
            Ok((end, client)) => (Ok(end), client),
            Err(error) => (Err(error), None),
        };
        let wanted = self.forget();
        if end == Ok(ChannelEnd::Signalled) && wanted == 0 {
            // Nobody has heard it: whoever waits next shall.
            let _ = signal_channel(&server, &self.name).await;
        }
        self.sender.send_replace(State::Ended(end));
        // Whoever waits for the signal need not wait for this.
        if let Some(client) = client {
            client.kill().await;
        }
    }

    /// How the wait ends, and the client unless it is gone already.
    async fn wait(
        &self,
        server: &Server,
        quit: &CancellationToken,
    ) -> Result<(ChannelEnd, Option<Running>), TmuxError> {
        let version = server.facts().await?.version;
        let (client, mut lines, woken) = begin(server, &self.name).await?;
        self.sender.send_replace(State::Waiting);
        let quit = async {
            quit.cancelled().await;
            self.is_alone(server).await
        };
        let alone = tokio::select! {
            biased;
            end = end(server, &mut lines, &woken) => return Ok((end, Some(client))),
            alone = quit => alone,
            alone = self.unwanted(server, version.has(Since::WAIT_FOR_EVENT)) => alone,
        };
        if alone && signal_channel(server, &self.name).await.is_ok() {
            // It is this signal that wakes it, or else this is the one that tmux keeps.
            let _ = timeout(PARTING, end(server, &mut lines, &woken)).await;
            return Ok((ChannelEnd::Cancelled, Some(client)));
        }
        client.kill().await;
        // It may have been woken at the last moment.
        match self::end(server, &mut lines, &woken).await {
            ChannelEnd::Signalled => Ok((ChannelEnd::Signalled, None)),
            _ => Ok((ChannelEnd::Cancelled, None)),
        }
    }

    /// Returns when nobody here is interested any more, so that nobody can join, and the client can go: because nobody but us waits
    /// inside tmux (that is what is told), or because it can be killed.
    async fn unwanted(&self, server: &Server, can_be_killed: bool) -> bool {
        let mut pause = LOOK;
        loop {
            if self.interested() > 0 {
                self.left.notified().await;
                pause = LOOK;
                continue;
            }
            let alone = self.is_alone(server).await;
            if (alone || can_be_killed) && self.leave() {
                return alone;
            }
            sleep(pause).await;
            pause = (pause * 2).min(LOOK_AT_MOST);
        }
    }

    async fn is_alone(&self, server: &Server) -> bool {
        let _look = self.channels.look.lock().await;
        alone::is_alone(server).await
    }

    fn interested(&self) -> usize {
        let table = self.channels.table();
        table
            .entries
            .get(&self.name)
            .filter(|entry| entry.number == self.number)
            .map_or(0, |entry| entry.interested)
    }

    /// Lets nobody join any more, unless somebody is interested.
    fn leave(&self) -> bool {
        let mut table = self.channels.table();
        let entry = table.entries.get_mut(&self.name).filter(|entry| entry.number == self.number);
        entry.is_none_or(|entry| {
            entry.leaving = entry.interested == 0;
            entry.leaving
        })
    }

    /// Takes the entry away, and tells how many were interested.
    fn forget(&self) -> usize {
        let mut table = self.channels.table();
        match table.entries.get(&self.name).is_some_and(|entry| entry.number == self.number) {
            true => table.entries.remove(&self.name).map_or(0, |entry| entry.interested),
            false => 0,
        }
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.forget();
    }
}

/// Starts a client, and returns when it waits. What it prints when it was woken is a word that nobody else can know, and an `x`
/// for each session: a server that ends wakes everybody, too, but has no sessions any more.
async fn begin(
    server: &Server,
    name: &str,
) -> Result<(Running, Lines<BufReader<ChildStdout>>, String), TmuxError> {
    let (ready, woken) = (nonce(), nonce());
    let say = |word: &str| Command::new("display-message").flag('p').operand(word);
    let wait = Command::new("wait-for").operand(name);
    let list = CommandList::new().then(say(&ready)).then(wait).then(say(&format!("{woken}#{{S:x}}")));
    let (client, stdout) = server.start(&list)?;
    let mut lines = BufReader::new(stdout).lines();
    match timeout(server.deadline(), said(&mut lines, &ready)).await {
        Ok(Some(_)) => Ok((client, lines, woken)),
        Ok(None) => Err(TmuxError::ServerLost { command: list.to_string() }),
        Err(_) => Err(TmuxError::Timeout { command: list.to_string(), limit: server.deadline() }),
    }
}

async fn end(server: &Server, lines: &mut Lines<BufReader<ChildStdout>>, woken: &str) -> ChannelEnd {
    match said(lines, woken).await {
        Some(sessions) if !sessions.is_empty() => ChannelEnd::Signalled,
        // Without sessions the server may live on (`exit-empty off`). One that ends is gone soon.
        Some(_) => {
            sleep(PARTING).await;
            match server.identity().await {
                Ok(_) => ChannelEnd::Signalled,
                Err(_) => ChannelEnd::ServerGone,
            }
        }
        None => ChannelEnd::ServerGone,
    }
}

/// What follows this word, if the client says it before it ends.
async fn said(lines: &mut Lines<BufReader<ChildStdout>>, word: &str) -> Option<String> {
    while let Ok(Some(line)) = lines.next_line().await {
        if let Some(rest) = line.strip_prefix(word) {
            return Some(rest.to_owned());
        }
    }
    None
}
