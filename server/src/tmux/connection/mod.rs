//! A control client of one session: commands in, replies and events out, in order, many at once.
//!
//! [`Connection`] is the handle. A task of its own ([`task`]) owns the tmux process and its pipes; what was sent and is not
//! answered is kept apart from that ([`pending`]). The client leaves tmux when the last handle is dropped, when
//! [`Connection::close`] is called, when it was not used for as long as [`Settings::idle`] says, and when this program ends in any way:
//! tmux lets go of a control client whose input ends.
//!
//! While it is attached, tmux counts the client: `session_attached` is higher by one. [`own`] knows which clients are this
//! program's, and [`super::Server::rows`] takes them out.

pub(crate) mod own;
mod pending;
mod task;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot, watch};

use super::command::CommandList;
use super::control::{Event, Reply};
use super::endpoint::{Endpoint, Environment, Options};
use super::error::TmuxError;
use super::format::nonce;
use super::id::SessionId;
use super::permit::Permit;
use super::process;
use pending::Gone;
use task::{Order, Request, Task};

/// How a control client attaches, and how long it stays.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// The session that it is attached to.
    pub session: SessionId,
    /// Whether what the session's panes write is told as [`Event::Notification`]s.
    pub output: bool,
    /// How long the client stays without a call. For ever without it.
    pub idle: Option<Duration>,
}

/// How a call came to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// It was never sent: it can be tried another way.
    Unsent,
    /// The connection ended after it was sent: it may have had its effect.
    Lost,
    /// tmux answered with an error, or not in time.
    Tmux(TmuxError),
}

/// A control client. Cheap to clone; it leaves when the last clone is dropped.
#[derive(Debug, Clone)]
pub struct Connection {
    orders: mpsc::UnboundedSender<Order>,
    open: Arc<AtomicBool>,
    ended: watch::Receiver<()>,
    deadline: Duration,
    limit: usize,
}

impl Connection {
    /// Attaches a client, and returns when tmux has accepted it. `sink` gets what happens, in order; it is called by the
    /// task that reads the connection and must not block.
    ///
    /// The client never changes the size of a window, and leaves the session's environment as it is.
    ///
    /// # Errors
    ///
    /// [`TmuxError::Timeout`] after the deadline of the options; [`TmuxError::ConnectionLost`] if tmux did not accept the client:
    /// no such server or session; what starting a process can meet.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime.
    pub async fn open(
        options: &Options,
        environment: &Environment,
        endpoint: &Endpoint,
        settings: Settings,
        sink: impl FnMut(Event) + Send + 'static,
    ) -> Result<Self, TmuxError> {
        // Without `new-layouts` tmux 3.8 gives a control client other layouts than a process. Older ones pass over the word.
        let flags =
            if settings.output { "ignore-size,new-layouts" } else { "ignore-size,new-layouts,no-output" };
        let session = settings.session.to_string();
        let arguments = ["-C", "attach-session", "-E", "-f", flags, "-t", &session].map(Into::into).to_vec();
        let late = || TmuxError::Timeout { command: "attach-session".to_owned(), limit: options.deadline };
        let socket = endpoint.socket_path(environment);
        let permit = Permit::to_attach(&socket, options.deadline).await.ok_or_else(late)?;
        let connected = process::connect(options, environment, endpoint, arguments)?;
        let (orders, inbox) = mpsc::unbounded_channel();
        let (accepted, attached) = oneshot::channel();
        let open = Arc::new(AtomicBool::new(true));
        let (end, ended) = watch::channel(());
        let task = Task::new(connected, socket, options, settings, accepted, open.clone(), end);
        tokio::spawn(task.run(inbox, sink));
        let connection =
            Self { orders, open, ended, deadline: options.deadline, limit: options.output_limit };
        // A task, because the client goes on attaching if this future is dropped.
        let attached = tokio::spawn(permit.spend(tokio::time::timeout(options.deadline, attached)));
        match attached.await {
            Ok(Ok(Ok(()))) => Ok(connection),
            Ok(Err(_)) => Err(late()),
            _ => Err(TmuxError::ConnectionLost { command: "attach-session".to_owned() }),
        }
    }

    /// Runs a command list and returns what it printed. Any number of calls may be under way.
    ///
    /// Give it only what does not wait inside tmux: until that ends, nothing that is called later is answered.
    pub async fn run(&self, list: &CommandList, limit: Duration) -> Result<Vec<u8>, Failure> {
        let shown = || list.to_string();
        if list.is_empty() {
            return Ok(Vec::new());
        }
        let line = list.line().map_err(|nul| Failure::Tmux(nul.into()))?;
        let (answer, answered) = oneshot::channel();
        let request = Request { line, mark: nonce(), answer };
        if self.orders.send(Order::Run(request)).is_err() {
            return Err(Failure::Unsent);
        }
        let reply = match tokio::time::timeout(limit, answered).await {
            Ok(Ok(Ok(reply))) => reply,
            Ok(Ok(Err(Gone::Unsent))) => return Err(Failure::Unsent),
            Ok(Ok(Err(Gone::Late))) => {
                return Err(Failure::Tmux(TmuxError::Timeout { command: shown(), limit: self.deadline }));
            }
            Ok(Ok(Err(Gone::Lost)) | Err(_)) => return Err(Failure::Lost),
            Err(_) => return Err(Failure::Tmux(TmuxError::Timeout { command: shown(), limit })),
        };
        self.read(reply, shown).map_err(Failure::Tmux)
    }

    /// Sends a command list that waits inside tmux, and does not wait for it: all that it prints goes to the sink, its blocks as
    /// [`Event::Block`]s. From now on the connection is of no use for anything else.
    ///
    /// # Errors
    ///
    /// [`Failure::Unsent`] if the connection has ended.
    pub fn begin(&self, list: &CommandList) -> Result<(), Failure> {
        let line = list.line().map_err(|nul| Failure::Tmux(nul.into()))?;
        self.orders.send(Order::Begin(line)).map_err(|_| Failure::Unsent)
    }

    fn read(&self, reply: Reply, shown: impl Fn() -> String) -> Result<Vec<u8>, TmuxError> {
        if reply.missing {
            let problem = "no block answers it".to_owned();
            return Err(TmuxError::BadAnswer { command: shown(), problem });
        }
        if let Some(refused) = reply.refused {
            let said = String::from_utf8_lossy(&refused).trim_end().to_owned();
            return Err(match said.as_str() {
                "no current target" => TmuxError::NoSessions,
                _ => TmuxError::Refused { command: shown(), stderr: said },
            });
        }
        if reply.cut || reply.output.len() > self.limit {
            return Err(TmuxError::TooMuchOutput { command: shown(), limit: self.limit });
        }
        Ok(reply.output)
    }

    /// Whether calls can be made. It may end at any moment, though.
    pub fn is_open(&self) -> bool {
        // The task also ends with its runtime, without a word.
        self.open.load(Ordering::Acquire) && !self.orders.is_closed()
    }

    /// Lets the client leave, and returns when its process has ended. Calls that were not sent yet are not sent any more.
    pub async fn close(&self) {
        self.open.store(false, Ordering::Release);
        // An error means that it is leaving already.
        let _ = self.orders.send(Order::Close);
        self.ended().await;
    }

    /// Returns when the client has left, for whatever reason, and its process has ended. Does not keep it.
    pub fn ended(&self) -> impl Future<Output = ()> + use<> {
        let mut ended = self.ended.clone();
        // Nothing is ever sent: it ends when the task does.
        async move { while ended.changed().await.is_ok() {} }
    }
}

/// When something is due that was last moved at `from`.
fn due(from: Instant, after: Duration) -> tokio::time::Instant {
    tokio::time::Instant::from_std(from + after)
}
