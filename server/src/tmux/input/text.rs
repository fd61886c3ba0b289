//! Text of any size into a pane, through a buffer of this call's own that never stays behind.

use std::fs::File;
use std::io::{self, Seek, Write};

use super::state;
use super::{Typed, Typing};
use crate::tmux::command::{Command, CommandList, NulInWord};
use crate::tmux::error::TmuxError;
use crate::tmux::format::nonce;
use crate::tmux::id::PaneId;
use crate::tmux::server::Server;
use crate::tmux::version::Since;

/// The longest text that is typed in one go, in bytes: 16 MiB.
pub const MAX_TEXT: usize = 16 << 20;

/// Refuses what cannot be typed, before anybody waits for a turn.
pub(super) fn check(text: &[u8]) -> Result<(), TmuxError> {
    match text {
        text if text.contains(&0) => Err(NulInWord.into()),
        text if text.len() > MAX_TEXT => Err(TmuxError::TooMuchText { size: text.len(), limit: MAX_TEXT }),
        _ => Ok(()),
    }
}

/// Loads the text and pastes it, in one command list of one process: it is typed as a whole or not at all.
pub(super) async fn paste(
    server: &Server,
    pane: PaneId,
    text: &[u8],
    typing: &Typing,
) -> Result<Typed, TmuxError> {
    let (state, states) = state::look(server, pane).await?;
    let buffer = Buffer::named(server);
    let paste = |pane| {
        let paste = Command::new("paste-buffer").flag('r').flag_if(typing.bracketed, 'p');
        let paste = paste.flag_if(state.version.has(Since::PASTE_SANITIZES), 'S');
        paste.value('b', &buffer.name).target(pane)
    };
    let mut commands = vec![paste(pane)];
    // tmux pastes into one pane only. What has changed about the others since is looked at again, and what is told comes
    // from that second look; only a pane that came to be reached between the two is left out.
    let candidates = state.reached(&states);
    if let [_, others @ ..] = candidates.as_slice()
        && !others.is_empty()
    {
        let mut list = CommandList::new();
        for other in others {
            list = list.then(state::if_reached(*other).commands(&paste(*other).into())?);
        }
        commands.push(state::if_synchronized(pane).commands(&list)?);
    }
    commands.push(buffer.delete());
    let query = state::query();
    let load = Command::new("load-buffer").value('b', &buffer.name).operand("-");
    let list = CommandList::from(load);
    let list = state::guard(list, &query, pane, &typing.policy, commands, Some(buffer.delete()))?;
    let file = nameless(text).map_err(|error| TmuxError::Spool { reason: error.to_string() })?;
    let rows = server.rows_reading(&query, list, file).await;
    buffer.settle(rows.is_ok()).await;
    let mut typed = state::outcome(rows, pane, &typing.policy)?;
    typed.panes.retain(|pane| candidates.contains(pane));
    Ok(typed)
}

/// A file that has the text and no name, so that nothing is left of it and nobody can see half of it: if this program dies,
/// tmux still reads all of it.
pub(super) fn nameless(text: &[u8]) -> io::Result<File> {
    let mut file = open()?;
    file.write_all(text)?;
    file.rewind()?;
    Ok(file)
}

#[cfg(target_os = "linux")]
fn open() -> io::Result<File> {
    let memory = rustix::fs::memfd_create("schemux-text", rustix::fs::MemfdFlags::CLOEXEC);
    // Kernels and sandboxes that have no such thing have temporary directories.
    memory.map(File::from).or_else(|_| tempfile::tempfile())
}

#[cfg(not(target_os = "linux"))]
fn open() -> io::Result<File> {
    tempfile::tempfile()
}

/// A paste buffer that this call fills. The command list that fills it deletes it, unless tmux gives the list up in the middle.
struct Buffer {
    server: Server,
    name: String,
    settled: bool,
}

impl Buffer {
    fn named(server: &Server) -> Self {
        Self { server: server.clone(), name: format!("schemux-{}", nonce()), settled: false }
    }

    fn delete(&self) -> Command {
        Command::new("delete-buffer").value('b', &self.name)
    }

    /// After the list has ended: if it went wrong the buffer may be there.
    async fn settle(mut self, well: bool) {
        if !well {
            // An error means that it is not there, which is what is wanted, or that tmux is not.
            let _ = self.server.run(&self.delete().into()).await;
        }
        self.settled = true;
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let (false, Ok(runtime)) = (self.settled, tokio::runtime::Handle::try_current()) {
            let (server, list) = (self.server.clone(), CommandList::from(self.delete()));
            runtime.spawn(async move { server.run(&list).await });
        }
    }
}
