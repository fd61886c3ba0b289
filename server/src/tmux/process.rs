//! Runs the tmux program. The only file in which processes are started.
#![allow(clippy::disallowed_methods, reason = "this is that file")]

use std::ffi::OsString;
use std::io;
use std::iter;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::endpoint::{Endpoint, Environment, Options};
use super::error::TmuxError;

/// More than any message of tmux.
const STDERR_LIMIT: usize = 64 << 10;

/// What a process that ended has left.
pub(crate) struct Finished {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// A tmux process that runs beside this program. It ends and is reaped when dropped.
pub(crate) struct Running {
    child: Child,
    /// Whether it is asked to end before it is killed. Below 3.7 the server crashes when a control client goes that has said
    /// that it is one and not yet who it is; asked, a client says all that it has to say first.
    asked: bool,
    /// Held for as long as the process is there: see [`Self::counted`].
    count: Option<Arc<()>>,
}

impl Running {
    /// The same process, which keeps `count` until it has ended.
    pub fn counted(mut self, count: Arc<()>) -> Self {
        self.count = Some(count);
        self
    }

    /// Its process id, unless it has ended already.
    pub fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// Waits for up to `limit` until the process ends by itself, then asks it to, then kills it. Returns when it is reaped.
    pub async fn end(mut self, limit: Duration) {
        if tokio::time::timeout(limit, self.child.wait()).await.is_ok() {
            return;
        }
        self.ask();
        if tokio::time::timeout(limit, self.child.wait()).await.is_err() {
            self.kill().await;
        }
    }

    fn ask(&self) {
        let process = self.id().and_then(|id| Pid::from_raw(id.try_into().ok()?));
        // An error means that it has ended already.
        let _ = process.map(|process| kill_process(process, Signal::TERM));
    }

    /// Kills the process and waits until it is reaped.
    pub async fn kill(mut self) {
        // An error means that it has ended already.
        let _ = self.child.kill().await;
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.asked {
            self.ask();
        }
    }
}

/// A tmux process that runs beside this program, to be written to and read. Closing the input asks it to end.
pub(crate) struct Connected {
    pub running: Running,
    pub stdin: ChildStdin,
    pub stdout: ChildStdout,
}

/// How a process came to nothing.
pub(crate) enum Fault {
    /// It did not end in time, and was killed.
    Late,
    /// It printed more than allowed, and was killed.
    TooMuch,
    Tmux(TmuxError),
}

/// Runs tmux with `arguments` and `input` until it ends. If the future is dropped the process is killed and reaped.
pub(crate) async fn run(
    options: &Options,
    environment: &Environment,
    endpoint: &Endpoint,
    arguments: Vec<OsString>,
    input: Stdio,
    limit: Duration,
) -> Result<Finished, Fault> {
    let broken = |error| Fault::Tmux(cannot_run(&options.tmux, &error));
    let mut command = command(options, environment, endpoint, arguments);
    let mut child = command.stdin(input).stderr(Stdio::piped()).spawn().map_err(broken)?;
    let stdout = child.stdout.take();
    let stderr = child.stderr.take();
    let finish = async {
        tokio::try_join!(bounded(stdout, options.output_limit), bounded(stderr, STDERR_LIMIT), child.wait())
    };
    let fault = match tokio::time::timeout(limit, finish).await {
        Ok(Ok((stdout, stderr, status))) => return Ok(Finished { status, stdout, stderr }),
        Ok(Err(error)) if error.kind() == io::ErrorKind::FileTooLarge => Fault::TooMuch,
        Ok(Err(error)) => broken(error),
        Err(_) => Fault::Late,
    };
    // An error means that it has ended already.
    let _ = child.kill().await;
    Err(fault)
}

/// Starts tmux with `arguments` and leaves it running. What it prints comes while it runs.
pub(crate) fn start(
    options: &Options,
    environment: &Environment,
    endpoint: &Endpoint,
    arguments: Vec<OsString>,
) -> Result<(Running, ChildStdout), TmuxError> {
    let broken = |error: io::Error| cannot_run(&options.tmux, &error);
    let mut child =
        command(options, environment, endpoint, arguments).stderr(Stdio::null()).spawn().map_err(broken)?;
    let stdout = child.stdout.take().ok_or_else(|| broken(io::Error::other("no standard output")))?;
    Ok((Running { child, asked: false, count: None }, stdout))
}

/// Starts tmux with `arguments` and keeps both ends of its pipes.
pub(crate) fn connect(
    options: &Options,
    environment: &Environment,
    endpoint: &Endpoint,
    arguments: Vec<OsString>,
) -> Result<Connected, TmuxError> {
    let broken = |error: io::Error| cannot_run(&options.tmux, &error);
    // -N: where no server answers, `attach-session` would remove the socket and start one.
    let arguments = iter::once("-N".into()).chain(arguments).collect();
    let mut command = command(options, environment, endpoint, arguments);
    command.stdin(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(false);
    let mut child = command.spawn().map_err(broken)?;
    let pipes = child.stdin.take().zip(child.stdout.take());
    let (stdin, stdout) = pipes.ok_or_else(|| broken(io::Error::other("no standard input or output")))?;
    widen(&stdout);
    Ok(Connected { running: Running { child, asked: true, count: None }, stdin, stdout })
}

/// Lets tmux write a long answer without waiting for us to read: a capture of 10,000 lines took 24 ms instead of 48. A system
/// that refuses only makes it slower.
#[cfg(target_os = "linux")]
fn widen(pipe: &ChildStdout) {
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, 1 << 20);
}

#[cfg(not(target_os = "linux"))]
fn widen(_: &ChildStdout) {}

fn command(
    options: &Options,
    environment: &Environment,
    endpoint: &Endpoint,
    arguments: Vec<OsString>,
) -> Command {
    let mut command = Command::new(&options.tmux);
    // -u: names and paths come as UTF-8 whatever the locale is.
    command.arg("-u");
    if let Some(config) = &options.config {
        command.arg("-f").arg(config);
    }
    command.args(endpoint.arguments()).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
    // TMUX chooses the server only where that is what was asked for; TMUX_PANE would choose the default target.
    command.env_remove("TMUX").env_remove("TMUX_PANE").env_remove("TMUX_TMPDIR");
    if let (Endpoint::Default, Some(tmux)) = (endpoint, &environment.tmux) {
        command.env("TMUX", tmux);
    }
    if let Some(directory) = &environment.tmux_tmpdir {
        command.env("TMUX_TMPDIR", directory);
    }
    command
}

async fn bounded(pipe: Option<impl AsyncRead + Unpin>, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        pipe.take(limit as u64 + 1).read_to_end(&mut bytes).await?;
    }
    if bytes.len() > limit { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

fn cannot_run(tmux: &Path, error: &io::Error) -> TmuxError {
    match error.kind() {
        io::ErrorKind::NotFound => TmuxError::BinaryMissing { path: tmux.to_owned() },
        _ => TmuxError::CannotRun { path: tmux.to_owned(), reason: error.to_string() },
    }
}
