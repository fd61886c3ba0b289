//! The end of a program as an event (tmux 3.8 and later): nothing in the pane is touched.
//!
//! `wait-for -E -v pane-exited` prints every event of the kind, as lines `key=value` of which the first is `event=…`, and ends
//! after one that passes its filter. So with a filter that nothing passes one client tells the ends of all panes. Where there
//! is a connection, all waits of a server share one client that is attached as well ([`Choice::companion`]): it leaves with
//! this program however that ends, which a client that only waits does not. Elsewhere each wait has a client that only waits,
//! and whose filter passes its own pane.
//!
//! An event that comes before the waiting is not kept, so each client first prints a line: once that is there the waiting has
//! begun, because both commands are one list. A pane that is kept when its program ends (`pane-died`) is not listened for: it is
//! there to be looked at.
//!
//! [`Choice::companion`]: crate::tmux::choice::Choice::companion

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::ChildStdout;
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use super::status::Status;
use crate::tmux::command::{Command, CommandList};
use crate::tmux::connection::Connection;
use crate::tmux::control::Event;
use crate::tmux::error::TmuxError;
use crate::tmux::format::nonce;
use crate::tmux::id::PaneId;
use crate::tmux::process::Running;
use crate::tmux::server::Server;

/// What happens to a pane that closes because its program has ended.
const NAME: &str = "pane-exited";
/// A filter that no event passes.
const NOTHING: &str = "0";

/// Listens for the end of one pane's program.
pub(super) struct Events {
    told: oneshot::Receiver<Status>,
    /// A client of its own, or a place among those who share one.
    client: Option<Running>,
    _place: Option<Listener>,
}

impl Events {
    /// How long the event of a pane that is gone may be on its way. It was written before the pane went.
    pub const GRACE: Duration = Duration::from_millis(500);

    /// Returns when whatever happens from now on will be told.
    pub async fn start(server: &Server, pane: PaneId) -> Result<Self, TmuxError> {
        match server.waits().listeners().join(server, pane).await {
            Some(events) => Ok(events),
            None => alone(server, pane).await,
        }
    }

    /// The status that an event tells, or nothing if events are told no more: the client was lost. Never returns if there are
    /// no events.
    pub async fn status(events: &mut Option<Self>) -> Option<Status> {
        match events {
            Some(events) => (&mut events.told).await.ok(),
            None => std::future::pending().await,
        }
    }

    /// Ends a client of its own. tmux forgets a waiter whose client is gone.
    pub async fn stop(mut self) {
        if let Some(client) = self.client.take() {
            client.kill().await;
        }
    }
}

/// Those who listen on the client that all waits of one server share.
#[derive(Debug, Default, Clone)]
pub(crate) struct Listeners(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    table: Mutex<Table>,
    /// Held by whoever opens the client.
    turn: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct Table {
    client: Option<Connection>,
    /// The number of that client.
    opened: u64,
    panes: HashMap<PaneId, (u64, oneshot::Sender<Status>)>,
    listened: u64,
    /// When the last one left.
    left: Option<Instant>,
}

/// A place in the table. Given up when dropped.
struct Listener {
    shared: Weak<Shared>,
    pane: PaneId,
    number: u64,
}

impl Listeners {
    /// Nothing where there can be no such client. One watch at a time listens for a pane.
    async fn join(&self, server: &Server, pane: PaneId) -> Option<Events> {
        let _turn = self.0.turn.lock().await;
        // From here on, so that nothing is told before somebody hears it.
        let events = self.enter(pane);
        if self.0.table().client.as_ref().is_some_and(Connection::is_open) {
            return Some(events);
        }
        let ready = nonce();
        let (begin, begun) = oneshot::channel();
        let hear = hear(Arc::downgrade(&self.0), format!("{ready}\n").into_bytes(), begin);
        let client = server.choice().companion(server, hear).await?;
        let waits = client.begin(&waiting(&ready, NOTHING)).is_ok()
            && matches!(timeout(server.deadline(), begun).await, Ok(Ok(())));
        if !waits {
            client.close().await;
            return None;
        }
        let mut table = self.0.table();
        table.opened += 1;
        let kept = keep(Arc::downgrade(&self.0), table.opened, client.ended(), server.options().idle);
        table.client = Some(client);
        drop(table);
        tokio::spawn(kept);
        Some(events)
    }

    fn enter(&self, pane: PaneId) -> Events {
        let (tell, told) = oneshot::channel();
        let mut table = self.0.table();
        table.listened += 1;
        let number = table.listened;
        table.panes.insert(pane, (number, tell));
        let place = Listener { shared: Arc::downgrade(&self.0), pane, number };
        Events { told, client: None, _place: Some(place) }
    }
}

impl Shared {
    /// A panic elsewhere leaves the table as it was: every change of it is one statement.
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let Some(shared) = self.shared.upgrade() else { return };
        let mut table = shared.table();
        if table.panes.get(&self.pane).is_some_and(|(number, _)| *number == self.number) {
            table.panes.remove(&self.pane);
        }
        table.left = Some(Instant::now());
    }
}

/// Takes what the shared client says. `begin` is told when it has said `ready`.
fn hear(
    shared: Weak<Shared>,
    ready: Vec<u8>,
    begin: oneshot::Sender<()>,
) -> impl FnMut(Event) + Send + 'static {
    let (mut begin, mut told) = (Some(begin), Told::default());
    move |event| match event {
        Event::Block { output, .. } if output == ready => {
            if let Some(begin) = begin.take() {
                // An error means that nobody waits for it any more.
                let _ = begin.send(());
            }
        }
        Event::Line(line) => {
            told.add(&String::from_utf8_lossy(&line));
            if let Some((pane, status)) = told.complete()
                && let Some(shared) = shared.upgrade()
                && let Some((_, tell)) = shared.table().panes.remove(&pane)
            {
                // An error means that the watch has ended for another reason.
                let _ = tell.send(status);
            }
        }
        _ => (),
    }
}

/// Lets the shared client go when nobody has listened for `idle`. Whoever listens when it ends is told so.
async fn keep(shared: Weak<Shared>, number: u64, ended: impl Future<Output = ()>, idle: Duration) {
    tokio::pin!(ended);
    loop {
        let has_ended = tokio::select! {
            () = &mut ended => true,
            () = sleep(idle) => false,
        };
        let Some(shared) = shared.upgrade() else { return };
        let unused = match shared.table() {
            // Another one has taken its place, also for those who listened to it.
            table if table.opened != number => return,
            mut table if has_ended => {
                table.client = None;
                return table.panes.clear();
            }
            mut table => table.unused(idle),
        };
        drop(shared);
        if let Some(client) = unused {
            return client.close().await;
        }
    }
}

impl Table {
    /// The client, if nobody has listened for so long. It is taken away: whoever comes now gets another one.
    fn unused(&mut self, idle: Duration) -> Option<Connection> {
        let is_unused = self.panes.is_empty() && self.left.is_none_or(|left| left.elapsed() >= idle);
        self.client.take_if(|_| is_unused)
    }
}

/// A client that waits for one pane alone.
async fn alone(server: &Server, pane: PaneId) -> Result<Events, TmuxError> {
    let ready = nonce();
    let list = waiting(&ready, &format!("#{{==:#{{pane}},{pane}}}"));
    let (client, stdout) = server.start(&list)?;
    let mut lines = BufReader::new(stdout).lines();
    let begun = async {
        while let Ok(Some(line)) = lines.next_line().await {
            if line == ready {
                return true;
            }
        }
        false
    };
    match timeout(server.deadline(), begun).await {
        Ok(true) => (),
        // The server is gone, or has no session. The next look at the pane will tell.
        Ok(false) => return Err(TmuxError::ServerLost { command: list.to_string() }),
        Err(_) => return Err(TmuxError::Timeout { command: list.to_string(), limit: server.deadline() }),
    }
    let (tell, told) = oneshot::channel();
    tokio::spawn(listen(lines, pane, tell));
    Ok(Events { told, client: Some(client), _place: None })
}

/// Says `ready`, and then waits.
fn waiting(ready: &str, filter: &str) -> CommandList {
    CommandList::new()
        .then(Command::new("display-message").flag('p').operand(ready))
        .then(Command::new("wait-for").flag('E').flag('v').value('F', filter).operand(NAME))
}

async fn listen(mut lines: Lines<BufReader<ChildStdout>>, pane: PaneId, tell: oneshot::Sender<Status>) {
    let mut told = Told::default();
    while let Ok(Some(line)) = lines.next_line().await {
        told.add(&line);
        if let Some((_, status)) = told.complete().filter(|(of, _)| *of == pane) {
            // An error means that the watch has ended for another reason.
            let _ = tell.send(status);
            return;
        }
    }
}

/// The event that is being printed.
#[derive(Debug, Default)]
struct Told {
    pane: Option<PaneId>,
    code: String,
    signal: String,
}

impl Told {
    fn add(&mut self, line: &str) {
        match line.split_once('=') {
            Some(("event", _)) => *self = Self::default(),
            Some(("pane", value)) => self.pane = value.parse().ok(),
            Some(("exit_status", value)) => value.clone_into(&mut self.code),
            Some(("exit_signal", value)) => value.clone_into(&mut self.signal),
            _ => (),
        }
    }

    /// The event, once all is known of it.
    fn complete(&mut self) -> Option<(PaneId, Status)> {
        let event = self.pane.zip(Status::read(&self.code, &self.signal))?;
        *self = Self::default();
        Some(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> Vec<(u32, String)> {
        let mut told = Told::default();
        let event = |line| {
            told.add(line);
            told.complete().map(|(pane, status)| (pane.0, status.to_string()))
        };
        text.lines().filter_map(event).collect()
    }

    #[test]
    fn every_event_is_read() {
        let one = "event=pane-exited\nexit_status=4\nexit_success=0\npane=%2\nwindow=@0\n";
        let killed = "event=pane-exited\npane=%1\nexit_signal=15\nexit_success=0\nwindow=@0\n";
        let both = [(2, "status 4".to_owned()), (1, "SIGTERM".to_owned())];
        assert_eq!(events(&[one, killed].concat()), both);
        assert_eq!(events(&["noise\nevent=pane-exited\npane=%1\n", one].concat()), both[..1]);
        assert_eq!(events("event=pane-exited\nexit_status=4\nwindow=@1\nevent=pane-exited\npane=%1"), []);
        assert_eq!(events("%pane-mode-changed %1\n"), []);
    }
}
