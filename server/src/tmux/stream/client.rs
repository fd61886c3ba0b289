//! One control client on one session, and what it says about the panes that somebody reads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::table::Feeds;
use crate::tmux::command::Command;
use crate::tmux::connection::{Connection, Settings};
use crate::tmux::control::{Event, Notification};
use crate::tmux::error::TmuxError;
use crate::tmux::id::{PaneId, SessionId, WindowId};
use crate::tmux::server::Server;

/// How long tmux keeps output that this program does not read, before it drops it and says so. Without a limit it keeps
/// everything for five minutes, and then throws the client out.
const PATIENCE: Duration = Duration::from_secs(15);

/// A control client that gets what a session's panes write.
#[derive(Debug)]
pub(super) struct Client {
    /// Tells it from every other client of this program.
    pub number: u64,
    pub session: SessionId,
    pub connection: Connection,
    pub signals: Arc<Signals>,
    pub opened: Instant,
}

/// What the reader of a client has for the task that looks after it.
#[derive(Debug, Default)]
pub(super) struct Signals {
    /// Something has happened that may have ended or moved a pane.
    pub look: Notify,
    /// tmux has moved the client to another session.
    pub strayed: AtomicBool,
    paused: Mutex<Vec<PaneId>>,
}

impl Client {
    /// Attaches a client. From now on it tells `feeds` what the session's panes write.
    pub async fn open(
        server: &Server,
        feeds: Feeds,
        number: u64,
        session: SessionId,
    ) -> Result<Self, TmuxError> {
        let signals = Arc::<Signals>::default();
        let settings = Settings { session, output: true, idle: None };
        let sink = hear(number, feeds, signals.clone());
        let (options, environment) = (server.options(), server.environment());
        let connection = Connection::open(options, environment, server.endpoint(), settings, sink).await?;
        let flags = format!("pause-after={}", PATIENCE.as_secs());
        let patience = Command::new("refresh-client").value('f', flags);
        // A tmux that refuses has its own patience.
        let _ = connection.run(&patience.into(), server.deadline()).await;
        Ok(Self { number, session, connection, signals, opened: Instant::now() })
    }

    /// Lets the output of panes come again that tmux has held back.
    pub async fn resume(&self, server: &Server) {
        let paused = std::mem::take(&mut *self.signals.paused());
        for pane in paused {
            let resume = Command::new("refresh-client").value('A', format!("{pane}:continue"));
            // The pane may be gone by now.
            let _ = self.connection.run(&resume.into(), server.deadline()).await;
        }
    }

    pub fn is_usable(&self) -> bool {
        self.connection.is_open() && !self.signals.strayed.load(Ordering::Acquire)
    }
}

impl Signals {
    fn paused(&self) -> std::sync::MutexGuard<'_, Vec<PaneId>> {
        self.paused.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes what tmux says to a client. Called by the task that reads it, so it must never wait.
fn hear(client: u64, feeds: Feeds, signals: Arc<Signals>) -> impl FnMut(Event) + Send + 'static {
    let mut sessions = 0;
    move |event| {
        let Event::Notification(notification) = event else {
            if event == Event::Lost {
                feeds.of(client).iter().for_each(|feed| feed.gap(client));
            }
            return;
        };
        let look = match notification {
            Notification::Output { pane, data } | Notification::ExtendedOutput { pane, data, .. } => {
                if let Some(feed) = feeds.get(pane) {
                    feed.push(client, &data);
                }
                false
            }
            Notification::Pause(pane) => {
                if let Some(feed) = feeds.get(pane) {
                    feed.gap(client);
                }
                signals.paused().push(pane);
                true
            }
            Notification::SessionChanged { .. } => {
                sessions += 1;
                let strayed = sessions > 1;
                signals.strayed.fetch_or(strayed, Ordering::AcqRel);
                strayed
            }
            Notification::ClientDetached { .. } => true,
            // What a window has lost that was linked elsewhere as well is told as if it had never been of this session.
            Notification::WindowClose(window) | Notification::UnlinkedWindowClose(window) => {
                feeds.show(client, window)
            }
            Notification::Other { name, rest } if name == "%layout-change" => {
                window(&rest).is_some_and(|window| feeds.show(client, window))
            }
            _ => false,
        };
        if look {
            signals.look.notify_one();
        }
    }
}

/// The window that a notification is about.
fn window(rest: &[u8]) -> Option<WindowId> {
    let word = rest.split(|&byte| byte == b' ').next()?;
    std::str::from_utf8(word).ok()?.parse().ok()
}
