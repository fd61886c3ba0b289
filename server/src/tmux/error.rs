//! What can go wrong between a caller and tmux: a kind for programs, a sentence for people.

use std::path::PathBuf;
use std::time::Duration;

use super::command::NulInWord;
use super::id::{PaneId, WindowId};
use super::layout::BadLayout;
use super::version::Version;

/// Why something that was asked of tmux did not happen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TmuxError {
    /// The program that was configured as tmux does not exist.
    #[error("the tmux program `{}` was not found; install tmux, or say where it is", path.display())]
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
    /// Another server than the one whose ids were told listens on the socket now.
    #[error(
        "the tmux server was started anew since its ids were given, so an id now means something else, and nothing was done; \
         list what there is again before you go on"
    )]
    Restarted,
    /// The server ended while the command was running.
    #[error("the tmux server ended during `{command}`")]
    ServerLost {
        /// The command, shortened.
        command: String,
    },
    /// The connection to the server ended while the command was under way, and the server lives on. The command may have had its
    /// effect, so it was not sent again.
    #[error(
        "the connection to tmux ended during `{command}`; it may have had its effect, so look before trying again"
    )]
    ConnectionLost {
        /// The command, shortened.
        command: String,
    },
    /// The socket could not be opened, for instance because it is another user's.
    #[error("cannot connect to the tmux server: {reason}")]
    Unreachable {
        /// What tmux said.
        reason: String,
    },
    /// Something else stands where the socket of a new server would be.
    #[error("{} is no socket, and tmux would delete it to start a server there; choose another name", path.display())]
    NotASocket {
        /// Where the socket would be.
        path: PathBuf,
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
    /// An environment variable's name is empty, or holds `=` or a control character.
    #[error(
        "`{name}` cannot be the name of an environment variable; it must not be empty, nor hold `=` or a control character"
    )]
    BadVariable {
        /// The name as given.
        name: String,
    },
    /// Another session has the name already.
    #[error("there is a session named `{name}` already; choose another name, or use that session")]
    SessionExists {
        /// The name, as tmux keeps it.
        name: String,
    },
    /// No session can have the name.
    #[error("`{name}` cannot be the name of a session: {problem}")]
    BadSessionName {
        /// The name as given.
        name: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A text is no layout that this tmux can be given.
    #[error(transparent)]
    Layout(#[from] BadLayout),
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
    /// The program in the foreground of the pane is no shell at its prompt.
    #[error(
        "pane {pane} runs `{program}`, which is no shell at its prompt; nothing was typed: wait for its end, or choose another pane"
    )]
    NotAShell {
        /// The pane.
        pane: PaneId,
        /// The program in the foreground, as tmux calls it.
        program: String,
    },
    /// A command that was started here runs in the pane's shell.
    #[error(
        "pane {pane} still runs the command {run} that was started here; nothing was typed: wait for its end"
    )]
    ShellBusy {
        /// The pane.
        pane: PaneId,
        /// That command's id.
        run: String,
    },
    /// No command that was started here has this id, or it ended too long ago.
    #[error("no command `{run}` was started here, or it ended too long ago for its output to be kept")]
    NoSuchRun {
        /// The id as given.
        run: String,
    },
    /// The command that was started in the pane ended at once, and the pane closed with it.
    #[error(
        "the command started in pane {pane} ended at once and the pane closed with it; check the command, or set `remain-on-exit`"
    )]
    EndedAtOnce {
        /// The pane, which no longer exists.
        pane: PaneId,
    },
    /// There is no room for another pane.
    #[error("there is no space for another pane at {target}; make room first, or open a window")]
    NoSpace {
        /// What was to be split.
        target: String,
    },
    /// No pane of the window was active before this one.
    #[error("window {window} has no last pane: no other one was active before")]
    NoLastPane {
        /// The window.
        window: WindowId,
    },
    /// The pane's title is not the one that was set.
    #[error("tmux did not take the title for pane {pane}; leave out control characters")]
    TitleNotTaken {
        /// The pane.
        pane: PaneId,
    },
    /// No option has this name, or it is one of the user's that is not set there.
    #[error("there is no option `{option}`, or it is one of the user's that is not set there")]
    NoSuchOption {
        /// The name as given.
        option: String,
    },
    /// What stands in brackets after an option's name is no index.
    #[error(
        "`{option}` names no entry of a list: in the brackets stands a whole number from 0 to 2147483647"
    )]
    BadIndex {
        /// The name as given.
        option: String,
    },
    /// Several options begin with this name.
    #[error("more than one option or hook begins with `{option}`; give the whole name")]
    AmbiguousOption {
        /// The name as given.
        option: String,
    },
    /// The option does not take this value. It is not repeated.
    #[error("tmux does not take this value for the option `{option}`: {reason}")]
    BadOptionValue {
        /// The name as given.
        option: String,
        /// What tmux said, without the value.
        reason: String,
    },
    /// No hook has this name.
    #[error("there is no hook `{hook}`; options are shown by `show-options`")]
    NoSuchHook {
        /// The name as given.
        hook: String,
    },
    /// No buffer has this name.
    #[error("there is no buffer `{buffer}`; it was deleted, or the server was started anew since")]
    NoSuchBuffer {
        /// The name as given.
        buffer: String,
    },
    /// A buffer was to be filled with nothing.
    #[error("there is no text to keep in a buffer, and tmux keeps no empty one, so none was made")]
    EmptyBuffer,
    /// No program runs in the pane that could take input.
    #[error("no program runs in pane {pane}: it has ended, or none was started; respawn the pane first")]
    PaneDead {
        /// The pane.
        pane: PaneId,
    },
    /// A mode lies over the pane, and what is typed would go to the mode.
    #[error("pane {pane} is in {mode}, which would take the input; leave the mode first")]
    PaneInMode {
        /// The pane.
        pane: PaneId,
        /// The name of the topmost mode: `copy-mode`, `tree-mode`, ….
        mode: String,
    },
    /// Somebody has turned the pane's input off (`select-pane -d`).
    #[error("the input of pane {pane} is turned off; turn it on with `select-pane -e` first")]
    PaneInputOff {
        /// The pane.
        pane: PaneId,
    },
    /// What is typed would reach other panes as well, and the caller did not want that.
    #[error(
        "pane {pane} is synchronized with others, which would be typed into as well; turn `synchronize-panes` off first"
    )]
    PaneSynchronized {
        /// The pane.
        pane: PaneId,
        /// All panes that would be reached, this one first.
        panes: Vec<PaneId>,
    },
    /// The text is longer than what is typed in one go.
    #[error(
        "a text of {size} bytes is too long to be typed at once; the limit is {limit} bytes, so split it"
    )]
    TooMuchText {
        /// The size of the text, in bytes.
        size: usize,
        /// The limit, in bytes.
        limit: usize,
    },
    /// The text was typed, and the Enter after it was not.
    #[error("the text was typed into pane {pane}, but not the Enter after it: {source}")]
    EnterNotTyped {
        /// The pane.
        pane: PaneId,
        /// Why not.
        source: Box<TmuxError>,
    },
    /// A name is not that of a key which can be sent. It is not repeated, because it may be text that was meant to be typed.
    #[error(
        "item {index} of the keys (counted from 0) is not a key that can be sent, and nothing was typed; keys are such as \
         `Enter`, `C-c`, `M-x`, `F5`, `Up` or one character, and text is to be sent as text"
    )]
    UnknownKey {
        /// Which of the keys, counted from 0.
        index: usize,
    },
    /// This tmux would type the key's name as text.
    #[error(
        "item {index} of the keys (counted from 0) needs tmux {needed} or newer, and this is {found}; nothing was typed"
    )]
    KeyNeedsNewer {
        /// Which of the keys, counted from 0.
        index: usize,
        /// The version of the server.
        found: Version,
        /// The oldest version that would do.
        needed: Version,
    },
    /// More keys than are sent in one go.
    #[error("{count} keys are too many at once; the limit is {limit}, so split them, or send text as text")]
    TooManyKeys {
        /// How many were given.
        count: usize,
        /// How many would have been accepted.
        limit: usize,
    },
    /// What panes write cannot be followed as it comes.
    #[error("the output of panes cannot be followed as it is written: {reason}")]
    NoStream {
        /// Why not.
        reason: String,
    },
    /// A cursor does not fit what is to be read.
    #[error("the cursor cannot be used: {reason}; read without a cursor to get another one")]
    BadCursor {
        /// Why not.
        reason: String,
    },
    /// The text could not be put where tmux reads it.
    #[error("there is no room to keep the text for tmux: {reason}")]
    Spool {
        /// What the operating system said.
        reason: String,
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
