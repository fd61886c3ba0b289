//! What can go wrong between a caller and tmux: a kind for programs, a sentence for people.

use std::path::PathBuf;
use std::time::Duration;

use super::command::NulInWord;
use super::id::PaneId;
use super::version::Version;

/// Why something that was asked of tmux did not happen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TmuxError {
    /// The program that was configured as tmux does not exist.
    #[error("there is no program `{}`; install tmux, or say where it is", path.display())]
    BinaryMissing {
        /// The program as it was configured.
        path: PathBuf,
    },
    /// The program exists but could not be started, or its pipes broke.
    #[error("cannot run `{}`: {reason}", path.display())]
    CannotRun {
        /// The program as it was configured.
        path: PathBuf,
        /// What the operating system said.
        reason: String,
    },
    /// The tmux that was found is older than what this engine knows how to drive.
    #[error("tmux {found} is too old; {needed} or newer is needed")]
    TooOld {
        /// The version that was found.
        found: Version,
        /// The oldest version that would do.
        needed: Version,
    },
    /// No tmux server has ever listened where one was looked for, or its socket was removed.
    #[error("no tmux server runs at {endpoint}; start one with `tmux new-session -d`")]
    NoServer {
        /// The socket that was tried, or how it was named.
        endpoint: String,
    },
    /// The socket exists but nobody listens: the server that made it has ended.
    #[error("no tmux server listens on {socket} any more; start one with `tmux new-session -d`")]
    DeadSocket {
        /// The socket that was tried.
        socket: String,
    },
    /// The server ended while the command was running.
    #[error("the tmux server ended during `{command}`")]
    ServerLost {
        /// The command, shortened.
        command: String,
    },
    /// The socket could not be opened, for instance because it is another user's.
    #[error("cannot connect to the tmux server: {reason}")]
    Unreachable {
        /// What tmux said.
        reason: String,
    },
    /// The server runs but has no session, and the command needs one.
    #[error("the tmux server has no session; create one first")]
    NoSessions,
    /// tmux understood nobody's idea of what should happen.
    #[error("tmux refused `{command}`: {stderr}")]
    Refused {
        /// The command, shortened.
        command: String,
        /// What tmux said, without the final newline.
        stderr: String,
    },
    /// tmux did not answer in time. The command may have had its effect all the same.
    #[error("tmux did not answer `{command}` within {limit:?}; the server may be stopped or overloaded")]
    Timeout {
        /// The command, shortened.
        command: String,
        /// How long was waited.
        limit: Duration,
    },
    /// tmux printed more than the caller was ready to hold.
    #[error("tmux printed more than {limit} bytes for `{command}`")]
    TooMuchOutput {
        /// The command, shortened.
        command: String,
        /// How much would have been accepted, in bytes.
        limit: usize,
    },
    /// tmux answered, but not in the form that was asked for.
    #[error("tmux answered `{command}` in a form that cannot be read: {problem}")]
    BadAnswer {
        /// The command, shortened.
        command: String,
        /// What is wrong with the answer.
        problem: String,
    },
    /// A word of a command holds a NUL byte, which no program can be given.
    #[error(transparent)]
    Nul(#[from] NulInWord),
    /// An environment variable's name is empty or holds `=`.
    #[error("`{name}` cannot be the name of an environment variable; it must not be empty or hold `=`")]
    BadVariable {
        /// The name as given.
        name: String,
    },
    /// No session of the server has this id or name.
    #[error("no session `{session}` on this tmux server; list the sessions to see which there are")]
    NoSuchSession {
        /// The id or name as given.
        session: String,
    },
    /// No window has this id, or the session has no window with this index.
    #[error("no window `{window}` on this tmux server; list the windows to see which there are")]
    NoSuchWindow {
        /// The id or index as given.
        window: String,
    },
    /// No pane has this id.
    #[error("no pane `{pane}` on this tmux server; list the panes to see which there are")]
    NoSuchPane {
        /// The id as given.
        pane: String,
    },
    /// The pane still runs a program, and the caller did not allow it to be killed.
    #[error("pane {pane} still runs a program; allow it to be killed, or end it first")]
    StillActive {
        /// The pane.
        pane: PaneId,
    },
    /// The command that was started in the pane ended at once, and the pane closed with it.
    #[error(
        "the command started in pane {pane} ended at once and the pane closed with it; check the command, or set `remain-on-exit`"
    )]
    EndedAtOnce {
        /// The pane, which no longer exists.
        pane: PaneId,
    },
    /// The task that did the work is gone, because the program is shutting down.
    #[error("the work on pane {pane} was given up because the program is ending")]
    Abandoned {
        /// The pane.
        pane: PaneId,
    },
}

impl TmuxError {
    /// Whether this says that there is no server to talk to (any more).
    pub fn is_no_server(&self) -> bool {
        matches!(self, Self::NoServer { .. } | Self::DeadSocket { .. } | Self::ServerLost { .. })
    }

    /// Whether this says that an object that was named does not exist.
    pub fn is_not_found(&self) -> bool {
        matches!(
            self,
            Self::NoSuchSession { .. }
                | Self::NoSuchWindow { .. }
                | Self::NoSuchPane { .. }
                | Self::NoSessions
        )
    }
}
