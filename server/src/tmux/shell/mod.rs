//! Runs a command in the shell of a pane, and reads its exact output and status from what the pane writes.
//!
//! The typed line ([`line`]) prints a mark, runs the command, and prints another mark with the status; both show nothing on the
//! screen. Between them stands what the command wrote, byte for byte ([`marks`]), also what has scrolled away. Nothing has to be
//! installed where the shell runs, no `tmux` and no `PATH`, so it works through `ssh`.
//!
//! A command goes on when its caller has stopped waiting ([`job`]); its output and status can be fetched later by its id.

mod foreground;
mod job;
mod line;
mod marks;
mod output;
mod table;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

pub use job::Progress;
pub use line::Shell;
pub use output::Output;
pub(crate) use table::Runs;

use super::capture::snapshot;
use super::error::TmuxError;
use super::format::nonce;
use super::id::PaneId;
use super::input::{Modes, Policy, Synchronized, Typing, take_turn};
use super::server::Server;
use super::stream::PaneStream;
use foreground::{Keys, Seat};
use job::Job;
use table::Reservation;

/// How long a shell that reads no commands may take to become one that does.
const BECOMING: Duration = Duration::from_millis(400);

/// What to run, and for how long to wait.
#[derive(Debug, Clone)]
pub struct ShellCommand {
    /// The command, in the language of the pane's shell. It runs in a subshell: `cd` and variables do not last.
    pub command: String,
    /// How long to wait for its end. It goes on afterwards.
    pub limit: Duration,
    /// Whether the typed line begins with a space, which keeps it out of the history of shells that are set so.
    pub unrecorded: bool,
    /// How much of its output is kept, in bytes: the last of it.
    pub keep: usize,
    /// What is done about modes that lie over the pane.
    pub modes: Modes,
    /// The shell that reads the line, where the program in the pane does not tell. At the other end of `ssh` and the like one is
    /// taken for `sh` or a shell that understands it.
    pub shell: Option<Shell>,
}

impl ShellCommand {
    /// The command with the usual settings: 30 seconds, recorded, the last MiB of its output.
    pub fn new(command: impl Into<String>) -> Self {
        ShellCommand {
            command: command.into(),
            limit: Duration::from_secs(30),
            unrecorded: false,
            keep: 1 << 20,
            modes: Modes::default(),
            shell: None,
        }
    }
}

/// A command as it stood when somebody stopped waiting for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// Its id, for [`fetch_shell`].
    pub run: String,
    /// The pane that it was typed into.
    pub pane: PaneId,
    /// Whether it has ended, and how.
    pub progress: Progress,
    /// What it has written so far.
    pub output: Output,
    /// How long ago it was typed, at that time.
    pub elapsed: Duration,
}

/// Types a command into the shell of a pane and waits for its end, at most for as long as it says or until `cancel`.
///
/// # Errors
///
/// Nothing was typed if it is one of these: [`TmuxError::NotAShell`] if the program in the pane reads no commands;
/// [`TmuxError::ShellBusy`] if a command of this program runs there; [`TmuxError::NoSuchPane`], [`TmuxError::NoStream`], and the
/// states of a pane as for [`super::type_text`].
///
/// # Panics
///
/// Outside of a tokio runtime.
pub async fn run_in_shell(
    server: &Server,
    pane: PaneId,
    what: &ShellCommand,
    cancel: CancellationToken,
) -> Result<Ran, TmuxError> {
    let Prompt { shell, seat, keys } = match what.shell {
        Some(shell) => Prompt { shell, seat: None, keys: Keys::PLAIN },
        None => prompting(server, pane).await?,
    };
    let job = Arc::new(Job::new(nonce(), pane, what.keep, seat));
    let reservation = server.runs().reserve(job.clone()).await?;
    let stream = server.stream(pane).await?;
    let lines = typed(&shell.lines(&job.id, &what.command, what.unrecorded), keys);
    let policy = Policy { modes: what.modes, synchronized: Synchronized::Refuse };
    // As a task, so that a caller who gives up in the middle leaves no half of a command behind.
    let (done, typing) = oneshot::channel();
    tokio::spawn(start(server.clone(), job.clone(), reservation, stream, (lines, policy), done));
    typing.await.map_err(|_| TmuxError::Abandoned { pane })??;
    Ok(wait(&job, what.limit, cancel).await)
}

/// What reads the lines that are typed into a pane.
struct Prompt {
    shell: Shell,
    seat: Option<Seat>,
    keys: Keys,
}

/// The shell that is at its prompt in the pane. tmux starts programs through a shell: one that is about to become another is
/// given a moment.
async fn prompting(server: &Server, pane: PaneId) -> Result<Prompt, TmuxError> {
    let until = Instant::now() + BECOMING;
    loop {
        let row = server.pane(pane).await?;
        if row.dead {
            return Err(TmuxError::PaneDead { pane });
        }
        let program = row.current_command.unwrap_or_default();
        let terminal = row.tty.as_deref();
        let keys = foreground::keys(&program, terminal);
        // Nobody can know what runs there; but what draws on the whole screen is no prompt.
        if let Some(shell) = foreground::shell_beyond(&program, terminal)
            && !snapshot(server, pane).await?.alternate
        {
            return Ok(Prompt { shell, seat: None, keys });
        }
        match foreground::shell(&program, row.pid) {
            Some((shell, seat)) => return Ok(Prompt { shell, seat, keys }),
            None if foreground::is_starting(row.pid) || is_becoming(&program) && Instant::now() < until => {
                sleep(BECOMING / 20).await;
            }
            None => return Err(TmuxError::NotAShell { pane, program }),
        }
    }
}

/// Whether a program may be about to become another: a shell, `env`, or tmux's own child before it is one.
fn is_becoming(program: &str) -> bool {
    Shell::of_program(program).is_some() || matches!(program, "" | "env") || program.starts_with("tmux")
}

/// Types the lines and follows the command to its end.
async fn start(
    server: Server,
    job: Arc<Job>,
    reservation: Reservation,
    stream: PaneStream,
    (lines, policy): (Vec<String>, Policy),
    typed: oneshot::Sender<Result<(), TmuxError>>,
) {
    let result = type_lines(&server, job.pane, &lines, policy).await;
    let follows = result.is_ok();
    if follows {
        reservation.keep();
    }
    // Nobody is there to be told if the caller has given up.
    let _ = typed.send(result);
    if follows {
        job.follow(stream, server.runs().clone()).await;
    }
}

async fn type_lines(
    server: &Server,
    pane: PaneId,
    lines: &[String],
    policy: Policy,
) -> Result<(), TmuxError> {
    let typing = Typing { policy, ..Typing::default() };
    let turn = take_turn(server, pane).await;
    for line in lines {
        turn.type_text(server, line, &typing).await?;
    }
    Ok(())
}

/// The lines with the keys around them. A shell takes Enter with the line; to type it apart would only cost time.
fn typed(lines: &[String], keys: Keys) -> Vec<String> {
    let Keys { discard, enter } = keys;
    let before = |number| if number == 0 { discard } else { "" };
    lines.iter().enumerate().map(|(number, line)| format!("{}{line}{enter}", before(number))).collect()
}

/// Waits further for a command that was started before, at most `limit` or until `cancel`, and tells how it stands.
///
/// # Errors
///
/// [`TmuxError::NoSuchRun`] if there is none with this id, or it ended too long ago.
pub async fn fetch_shell(
    server: &Server,
    run: &str,
    limit: Duration,
    cancel: CancellationToken,
) -> Result<Ran, TmuxError> {
    let job = server.runs().job(run).ok_or_else(|| TmuxError::NoSuchRun { run: run.to_owned() })?;
    Ok(wait(&job, limit, cancel).await)
}

async fn wait(job: &Job, limit: Duration, cancel: CancellationToken) -> Ran {
    let mut progress = job.progress();
    tokio::select! {
        // An error means that the job's task is gone with the runtime.
        _ = progress.wait_for(|progress| progress.is_final()) => {}
        () = tokio::time::sleep(limit) => {}
        () = cancel.cancelled() => {}
    }
    let progress = *progress.borrow();
    Ran {
        run: job.id.clone(),
        pane: job.pane,
        progress,
        output: job.output(),
        elapsed: job.started.elapsed(),
    }
}
