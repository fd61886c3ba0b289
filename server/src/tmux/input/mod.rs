//! Types into a pane: text byte for byte, and keys by their names.
//!
//! **Text.** Up to [`SMALL`] bytes go as `send-keys -H`, one number for each byte, which tmux writes to the program without looking
//! at them, where there is a connection. Everything else goes through a paste buffer of this call's own, which tmux reads from a
//! file without a name, so that no text is ever an argument of a process, which everybody can see. Both were found
//! exact on 3.3a, 3.5a, 3.7c and 3.8 with every byte from 1 to 255. What else there is, is not: `send-keys -l` goes through the
//! characters that tmux knows and through the keyboard mode that the program asked for; `paste-buffer` without `-S` makes `^A`
//! of control bytes from 3.7 on, and that flag did not exist before; a process cannot be given more than 16,300 bytes, or from
//! 3.7 on 1,000 words.
//!
//! **Keys.** tmux types a name that it does not know as text, and also a key that it knows but has no bytes for (`S-Enter` on
//! 3.3a). So names are checked here, against what was found to work on all versions ([`keys`]), before anything is typed.
//!
//! **State.** A pane that is dead, in a mode, or has its input turned off loses what is typed, and a dead one ends the whole
//! server if something is pasted into it (3.3a). So the state is looked at and the typing done in one command list, between
//! which nothing can happen.
//!
//! **Order.** Calls on one pane take turns, first come first served, so that texts and Enters of different callers never mix
//! ([`orders`]). That holds for all clones of one [`Server`].
//!
//! **A pane that does not read** holds up nobody: tmux keeps what is typed in memory, without a limit, and writes it as the
//! program reads; 16 MiB took 0.2 s. So one call is limited to [`MAX_TEXT`]. A program that reads whole lines (a terminal in its
//! cooked mode) gets no more than 4,095 bytes of a line: the rest is dropped by the system's terminal, which nobody can see
//! from outside.

mod buffer;
mod keys;
mod orders;
mod state;
mod text;

pub use buffer::{delete_buffer, load_buffer, paste_buffer, show_buffer};
pub use keys::is_key;
pub(crate) use orders::Orders;
pub use orders::Turn;
pub use text::MAX_TEXT;

use std::time::Duration;

use super::command::Command;
use super::error::TmuxError;
use super::id::PaneId;
use super::server::Server;
use keys::Key;

/// What to do about modes that lie over the pane: copy mode, the clock, a chooser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Modes {
    /// Type nothing and say so.
    #[default]
    Refuse,
    /// Leave all modes of this pane, then type. Panes that are synchronized with it stay in theirs, and get nothing.
    LeaveFirst,
}

/// What to do if the pane has `synchronize-panes` on, and its window has other panes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Synchronized {
    /// Do as tmux does for somebody at the keyboard: type into all of them. [`Typed::panes`] tells which.
    #[default]
    Follow,
    /// Type nothing and say so.
    Refuse,
}

/// What is done about the states of a pane in which typing is not a matter of course.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Policy {
    /// Modes over the pane.
    pub modes: Modes,
    /// Other panes that would be typed into as well.
    pub synchronized: Synchronized,
}

/// How a text is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Typing {
    /// What is done about modes and synchronized panes.
    pub policy: Policy,
    /// Whether the text is marked as pasted for a program that asked for such marks (bracketed paste). A text that holds the
    /// end mark itself is not changed.
    pub bracketed: bool,
    /// Whether Enter follows, as a write of its own.
    pub enter: bool,
}

/// Where something was typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Typed {
    /// The pane that was meant, and then those that are synchronized with it. Empty if there was nothing to type.
    pub panes: Vec<PaneId>,
}

/// Types `text` into a pane, byte for byte, as if it came from the keyboard: a newline stays a newline.
///
/// Nothing of it is expanded, and nothing is left out. An empty text is nothing, also if there is no such pane. Other calls on
/// the same pane wait for this one. If the future is dropped the text is typed as a whole or not at all, Enter may be missing,
/// and no buffer stays behind.
///
/// # Errors
///
/// Nothing was typed if it is one of these: [`TmuxError::NoSuchPane`]; [`TmuxError::PaneDead`], [`TmuxError::PaneInMode`],
/// [`TmuxError::PaneInputOff`], [`TmuxError::PaneSynchronized`] for the state of the pane; [`TmuxError::Nul`] if the text holds
/// a NUL byte; [`TmuxError::TooMuchText`] for more than [`MAX_TEXT`] bytes. [`TmuxError::EnterNotTyped`] if the text was typed
/// and the Enter was not. After [`TmuxError::Timeout`] nobody knows.
pub async fn type_text(
    server: &Server,
    pane: PaneId,
    text: impl AsRef<[u8]>,
    typing: &Typing,
) -> Result<Typed, TmuxError> {
    text::check(text.as_ref())?;
    take_turn(server, pane).await.type_text(server, text, typing).await
}

/// Waits for the turn to type into a pane, for somebody who has more than one thing to do in it. Turns come in the order in which
/// they were asked for; the next one's comes when this one is dropped.
pub async fn take_turn(server: &Server, pane: PaneId) -> Turn {
    server.orders().turn(pane).await
}

impl Turn {
    /// [`type_text`] in this turn.
    ///
    /// # Errors
    ///
    /// As for [`type_text`].
    pub async fn type_text(
        &self,
        server: &Server,
        text: impl AsRef<[u8]>,
        typing: &Typing,
    ) -> Result<Typed, TmuxError> {
        let text = text.as_ref();
        text::check(text)?;
        in_turn(server, self.pane(), text, typing).await
    }

    /// [`send_keys`] in this turn; with `enter`, Enter follows as a write of its own.
    ///
    /// # Errors
    ///
    /// As for [`send_keys`]; [`TmuxError::EnterNotTyped`] if the keys were sent and the Enter was not.
    pub async fn send_keys(
        &self,
        server: &Server,
        keys: &[impl AsRef<str>],
        policy: &Policy,
        enter: bool,
    ) -> Result<Typed, TmuxError> {
        let pane = self.pane();
        let keys = checked(server, keys).await?;
        if keys.is_empty() && !enter {
            return Ok(Typed::default());
        }
        if keys.is_empty() {
            return press_enter(server, pane, policy).await;
        }
        let typed = state::guarded(server, pane, policy, presses(pane, &keys)).await?;
        if enter {
            enter_after(server, pane, policy).await?;
        }
        Ok(typed)
    }
}

async fn in_turn(server: &Server, pane: PaneId, text: &[u8], typing: &Typing) -> Result<Typed, TmuxError> {
    // Before it is typed: a wait must know the echo when it comes.
    server.streams().typed(pane, text);
    let typed = match text {
        [] => Typed::default(),
        text if text.len() <= SMALL && !typing.bracketed && is_private(server).await => {
            state::guarded(server, pane, &typing.policy, vec![bytes(pane, text)]).await?
        }
        text => text::paste(server, pane, text, typing).await?,
    };
    match (typing.enter, text.is_empty()) {
        (false, _) => {}
        (true, true) => return press_enter(server, pane, &typing.policy).await,
        (true, false) => enter_after(server, pane, &typing.policy).await?,
    }
    Ok(typed)
}

/// Whether the words of a command are seen by nobody: those of a process are listed by `ps`.
async fn is_private(server: &Server) -> bool {
    server.choice().identity(server).await.is_some()
}

async fn press_enter(server: &Server, pane: PaneId, policy: &Policy) -> Result<Typed, TmuxError> {
    let enter = Command::new("send-keys").target(pane).operand("Enter");
    state::guarded(server, pane, policy, vec![enter]).await
}

/// Enter, after something that was typed.
async fn enter_after(server: &Server, pane: PaneId, policy: &Policy) -> Result<(), TmuxError> {
    tokio::time::sleep(ENTER_GAP).await;
    let entered = press_enter(server, pane, policy).await;
    entered.map(drop).map_err(|error| TmuxError::EnterNotTyped { pane, source: Box::new(error) })
}

/// Sends keys to a pane by their names, as if they were pressed one after the other: `C-c`, `Enter`, `M-x`, `F5`, `Up`, `a`.
///
/// What a key becomes depends on what the program asked for (application keypad, extended keys), as at a real terminal. See
/// [`is_key`] for the names. Other calls on the same pane wait for this one. No keys are nothing, also if there is no such pane.
///
/// # Errors
///
/// Nothing was typed if it is one of these: [`TmuxError::UnknownKey`], [`TmuxError::KeyNeedsNewer`], [`TmuxError::TooManyKeys`]
/// for the keys; [`TmuxError::NoSuchPane`], and the states of a pane as for [`type_text`].
pub async fn send_keys(
    server: &Server,
    pane: PaneId,
    keys: &[impl AsRef<str>],
    policy: &Policy,
) -> Result<Typed, TmuxError> {
    let keys = checked(server, keys).await?;
    if keys.is_empty() {
        return Ok(Typed::default());
    }
    let turn = server.orders().turn(pane).await;
    state::guarded(server, turn.pane(), policy, presses(pane, &keys)).await
}

/// The keys, if this server can send all of them.
async fn checked(server: &Server, keys: &[impl AsRef<str>]) -> Result<Vec<Key>, TmuxError> {
    let keys = keys::all(keys)?;
    if let Some(index) = keys.iter().position(|key| key.needs().is_some()) {
        let (found, needed) = (server.facts().await?.version, keys[index].needs());
        if let Some(needed) = needed.filter(|&needed| !found.has(needed)) {
            return Err(TmuxError::KeyNeedsNewer { index, found, needed: needed.into() });
        }
    }
    Ok(keys)
}

/// How long Enter waits behind the text. Programs that tell pasting from typing take an Enter that they read together with a text
/// for a part of it, and over a connection it would follow within microseconds.
const ENTER_GAP: Duration = Duration::from_millis(10);

/// As much text as goes as an argument: three bytes for each, and a process takes 16,300.
const SMALL: usize = 4096;

fn bytes(pane: PaneId, bytes: &[u8]) -> Command {
    let numbers = Command::new("send-keys").flag('H').target(pane);
    bytes.iter().fold(numbers, |numbers, byte| numbers.operand(format!("{byte:02x}")))
}

/// One command for each run of names or of bytes.
fn presses(pane: PaneId, keys: &[Key]) -> Vec<Command> {
    let same_kind = |a: &Key, b: &Key| matches!(a, Key::Bytes(_)) == matches!(b, Key::Bytes(_));
    let press = |run: &[Key]| match run {
        [Key::Bytes(_), ..] => bytes(pane, &run.iter().flat_map(Key::bytes).copied().collect::<Vec<_>>()),
        names => names
            .iter()
            .fold(Command::new("send-keys").target(pane), |command, key| command.operand(key.name())),
    };
    keys.chunk_by(same_kind).map(press).collect()
}
