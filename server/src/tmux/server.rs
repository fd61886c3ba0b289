//! The handle on one tmux server: runs command lists, asks for rows, turns what tmux says into kinds of errors.

use std::fs::File;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::process::ChildStdout;

use super::acquaintance::Acquaintance;
use super::choice::Choice;
use super::command::{Command, CommandList};
use super::connection::own;
use super::cursor::Recorders;
use super::endpoint::{Endpoint, Environment, Options};
use super::error::TmuxError;
use super::exit::Waits;
use super::format::{Query, Row};
use super::input::Orders;
use super::permit::Permit;
use super::process::{self, Fault, Finished, Running};
use super::shell::Runs;
use super::stream::{Closed, Streams};
use super::version::{Since, Version};
use super::watch::Channels;

/// One tmux server, running or not. Cheap to clone; clones share what is going on.
#[derive(Clone, Debug)]
pub struct Server {
    inner: Arc<Inner>,
    looks: bool,
}

#[derive(Debug)]
pub(crate) struct Inner {
    options: Options,
    environment: Environment,
    endpoint: Endpoint,
    waits: Waits,
    orders: Orders,
    runs: Runs,
    choice: Choice,
    streams: Streams,
    recorders: Recorders,
    channels: Channels,
    acquaintance: Acquaintance,
    /// As many clones as there are clients that wait inside tmux, and this one.
    waiting: Arc<()>,
}

/// What a running server says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// Its process.
    pub pid: i32,
    /// When it started, in seconds since 1970. With the process this tells it from a later server on the same socket.
    pub started: u64,
    /// Its version, which may differ from that of the program on disk.
    pub version: Version,
    /// The socket that it listens on.
    pub socket_path: PathBuf,
}

/// How tmux begins to say that a new server could not make its socket.
const NO_SOCKET: &str = "error creating ";

const FACTS: &[&str] = &["pid", "start_time", "version", "socket_path"];

impl Server {
    /// A handle on the server at `endpoint`. Nothing is started or asked.
    pub fn new(options: Options, environment: Environment, endpoint: Endpoint) -> Self {
        Self {
            inner: Arc::new(Inner {
                options,
                environment,
                endpoint,
                waits: Waits::default(),
                orders: Orders::default(),
                runs: Runs::default(),
                choice: Choice::default(),
                streams: Streams::default(),
                recorders: Recorders::default(),
                channels: Channels::default(),
                acquaintance: Acquaintance::default(),
                waiting: Arc::default(),
            }),
            looks: false,
        }
    }

    /// The same server, for somebody who only looks: see [`Self::recognize`].
    pub fn to_look(&self) -> Self {
        Self { looks: true, ..self.clone() }
    }

    /// Whether this handle is for looking only.
    pub(crate) fn looks(&self) -> bool {
        self.looks
    }

    /// Which server this is.
    pub fn endpoint(&self) -> &Endpoint {
        &self.inner.endpoint
    }

    /// The environment facts that this handle was made with.
    pub fn environment(&self) -> &Environment {
        &self.inner.environment
    }

    /// How long one command list may take.
    pub(crate) fn deadline(&self) -> Duration {
        self.inner.options.deadline
    }

    /// The panes whose end somebody waits for.
    pub(crate) fn waits(&self) -> &Waits {
        &self.inner.waits
    }

    /// How tmux is run.
    pub(crate) fn options(&self) -> &Options {
        &self.inner.options
    }

    /// The connection, or why there is none.
    pub(crate) fn choice(&self) -> &Choice {
        &self.inner.choice
    }

    /// What panes write, and who reads it.
    pub(crate) fn streams(&self) -> &Streams {
        &self.inner.streams
    }

    /// The panes that are recorded.
    pub(crate) fn recorders(&self) -> &Recorders {
        &self.inner.recorders
    }

    /// The channels that are waited on.
    pub(crate) fn channels(&self) -> &Channels {
        &self.inner.channels
    }

    /// Whose ids were told.
    pub(crate) fn acquaintance(&self) -> &Acquaintance {
        &self.inner.acquaintance
    }

    /// A handle that does not keep the connection open.
    pub(crate) fn downgrade(&self) -> Weak<Inner> {
        Arc::downgrade(&self.inner)
    }

    /// The handle again, if another one is still held.
    pub(crate) fn upgrade(inner: &Weak<Inner>) -> Option<Self> {
        inner.upgrade().map(|inner| Self { inner, looks: false })
    }

    /// The commands that were started in panes.
    pub(crate) fn runs(&self) -> &Runs {
        &self.inner.runs
    }

    /// Whose turn it is to type into a pane.
    pub(crate) fn orders(&self) -> &Orders {
        &self.inner.orders
    }

    /// Ends everything that is going on here: waits answer that they were cancelled, and what they had set in tmux is put
    /// back. To be called before the program ends; what is started later is not affected.
    pub async fn close(&self) {
        self.waits().close().await;
        self.channels().close().await;
        self.recorders().close();
        self.streams().close(Closed::Ended).await;
        self.choice().close().await;
    }

    /// The version of the tmux program on disk. Needs no server.
    pub async fn program_version(&self) -> Result<Version, TmuxError> {
        let finished = self.process(vec!["-V".into()], "-V", Stdio::null(), self.deadline()).await?;
        Ok(Version::parse(&String::from_utf8_lossy(&finished.stdout)))
    }

    /// What the running server says about itself.
    ///
    /// # Errors
    ///
    /// [`TmuxError::TooOld`] below 3.2a; [`TmuxError::NoServer`] or [`TmuxError::DeadSocket`] if none runs.
    pub async fn facts(&self) -> Result<Facts, TmuxError> {
        let query = Query::new(FACTS);
        let rows = self.rows(&query, Facts::command(&query).into()).await?;
        let facts = rows.first().and_then(Facts::read);
        let facts =
            facts.ok_or_else(|| bad_answer("display-message", "it holds no facts about the server"))?;
        new_enough(facts.version.clone())?;
        Ok(facts)
    }

    /// What tells this server from an earlier or later one on the same socket: its process, and when it started in seconds
    /// since 1970.
    ///
    /// # Errors
    ///
    /// As for [`Self::facts`].
    pub async fn identity(&self) -> Result<(i32, u64), TmuxError> {
        match self.choice().identity(self).await {
            // A connection leads to one server only.
            Some(identity) => Ok(identity),
            None => self.facts().await.map(|facts| (facts.pid, facts.started)),
        }
    }

    /// Runs a command list that prints rows of `query`.
    ///
    /// The clients of this program do not show: rows of theirs (with `client_name`) are left out, and
    /// `session_attached`, `session_attached_list`, `session_many_attached` and `window_active_clients` are without them.
    pub async fn rows(&self, query: &Query, list: CommandList) -> Result<Vec<Row>, TmuxError> {
        let output = self.run(&list).await?;
        let rows = query.rows(&output);
        let rows = rows.map_err(|problem| bad_answer(&list.to_string(), &problem.to_string()))?;
        Ok(rows.into_iter().filter_map(|row| row.without_clients(own::is_own)).collect())
    }

    /// Runs a command list and returns what it printed.
    pub async fn run(&self, list: &CommandList) -> Result<Vec<u8>, TmuxError> {
        self.run_within(list, self.inner.options.deadline).await
    }

    /// Runs a command list that may take up to `limit`.
    ///
    /// It goes over the connection to the server if there is one and that makes no difference to the list, else by a process.
    /// A list that changes something is never sent twice.
    ///
    /// # Errors
    ///
    /// [`TmuxError::Refused`] if tmux refuses one of the commands; those after it were not run. [`TmuxError::Timeout`] and
    /// [`TmuxError::ConnectionLost`] if it may have had its effect.
    pub async fn run_within(&self, list: &CommandList, limit: Duration) -> Result<Vec<u8>, TmuxError> {
        if list.kills_server() {
            // On 3.3a a client that was attached has kept the server from ending.
            self.streams().close(Closed::ServerGone).await;
        }
        match self.choice().run(self, list, limit).await {
            Some(done) => done,
            None => self.by_process(list, limit).await,
        }
    }

    /// Runs a command list by a process of its own.
    pub(crate) async fn by_process(&self, list: &CommandList, limit: Duration) -> Result<Vec<u8>, TmuxError> {
        self.by_process_reading(list, Stdio::null(), limit).await
    }

    /// Runs a command list by a process of its own that reads `input`.
    pub(crate) async fn by_process_reading(
        &self,
        list: &CommandList,
        input: Stdio,
        limit: Duration,
    ) -> Result<Vec<u8>, TmuxError> {
        let shown = list.to_string();
        let finished = self.in_turn(list, self.process(list.argv()?, &shown, input, limit)).await?;
        let stderr = String::from_utf8_lossy(&finished.stderr);
        // A server that cannot make its socket says so, and its client ends as if all were well.
        if finished.status.success() && !stderr.starts_with(NO_SOCKET) {
            return Ok(finished.stdout);
        }
        Err(self.refusal(shown, &stderr))
    }

    /// Runs a command list that prints rows of `query` and reads `input` as its standard input. Always a process of its own,
    /// because only such a one has that.
    pub(crate) async fn rows_reading(
        &self,
        query: &Query,
        list: CommandList,
        input: File,
    ) -> Result<Vec<Row>, TmuxError> {
        let output = self.by_process_reading(&list, input.into(), self.deadline()).await?;
        query.rows(&output).map_err(|problem| bad_answer(&list.to_string(), &problem.to_string()))
    }

    /// Does the work of a list: not while a client attaches, if it may change something.
    pub(crate) async fn in_turn<T>(&self, list: &CommandList, work: impl Future<Output = T>) -> T {
        match list.only_reads() {
            true => work.await,
            false => Permit::to_change(&self.socket_path()).await.spend(work).await,
        }
    }

    /// Where the socket is.
    pub(crate) fn socket_path(&self) -> PathBuf {
        self.endpoint().socket_path(self.environment())
    }

    /// Starts a command list that waits inside tmux, to be read while it runs.
    pub(crate) fn start(&self, list: &CommandList) -> Result<(Running, ChildStdout), TmuxError> {
        let Inner { options, environment, endpoint, waiting, .. } = &*self.inner;
        let (client, stdout) = process::start(options, environment, endpoint, list.argv()?)?;
        Ok((client.counted(waiting.clone()), stdout))
    }

    /// How many clients that [`Self::start`] has started are there still.
    pub(crate) fn waiting(&self) -> usize {
        Arc::strong_count(&self.inner.waiting) - 1
    }

    async fn process(
        &self,
        arguments: Vec<std::ffi::OsString>,
        shown: &str,
        input: Stdio,
        limit: Duration,
    ) -> Result<Finished, TmuxError> {
        let Inner { options, environment, endpoint, .. } = &*self.inner;
        tracing::trace!(command = shown, endpoint = %endpoint, "tmux");
        let command = shown.to_owned();
        let finished = process::run(options, environment, endpoint, arguments, input, limit).await;
        finished.map_err(|fault| match fault {
            Fault::Late => TmuxError::Timeout { command, limit },
            Fault::TooMuch => TmuxError::TooMuchOutput { command, limit: options.output_limit },
            Fault::Tmux(error) => error,
        })
    }

    /// The kind of error behind what tmux wrote. The texts are those of 3.2a to 3.8.
    fn refusal(&self, command: String, stderr: &str) -> TmuxError {
        let stderr = stderr.trim_end();
        if let Some(socket) = stderr.strip_prefix("no server running on ") {
            return TmuxError::DeadSocket { socket: socket.to_owned() };
        }
        if let Some(reason) = stderr.strip_prefix("error connecting to ") {
            return match reason.strip_suffix(" (No such file or directory)") {
                Some(socket) => TmuxError::NoServer { endpoint: socket.to_owned() },
                None => TmuxError::Unreachable { reason: reason.to_owned() },
            };
        }
        if let Some(reason) = stderr.strip_prefix(NO_SOCKET) {
            return TmuxError::Unreachable { reason: format!("its socket cannot be made: {reason}") };
        }
        match stderr {
            "no current target" => TmuxError::NoSessions,
            // The second is what 3.2a to 3.8 print when the server ends under a client; nothing when it is killed.
            "" | "lost server" | "server exited" | "server exited unexpectedly" => {
                TmuxError::ServerLost { command }
            }
            _ => TmuxError::Refused { command, stderr: stderr.to_owned() },
        }
    }
}

impl Facts {
    fn command(query: &Query) -> Command {
        Command::new("display-message").flag('p').operand(query.template()).anywhere()
    }

    fn read(row: &Row) -> Option<Self> {
        Some(Self {
            pid: row.parsed("pid")?,
            started: row.parsed("start_time")?,
            version: Version::parse(&row.text("version")),
            socket_path: PathBuf::from(row.text("socket_path")),
        })
    }
}

fn new_enough(found: Version) -> Result<(), TmuxError> {
    if found.has(Since::MINIMUM) {
        Ok(())
    } else {
        Err(TmuxError::TooOld { found, needed: Since::MINIMUM.into() })
    }
}

fn bad_answer(command: &str, problem: &str) -> TmuxError {
    TmuxError::BadAnswer { command: command.to_owned(), problem: problem.to_owned() }
}

/// Whether tmux refused because the pane is not there.
pub(crate) fn names_missing_pane(stderr: &str) -> bool {
    stderr.starts_with("can't find pane") || stderr.starts_with("no such pane")
}
