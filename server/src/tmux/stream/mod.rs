//! What panes write, as it comes: [`PaneStream`].
//!
//! For each session of which somebody reads a pane there is one control client, however many read ([`table`]). It never
//! changes a window's size, and leaves three seconds after the last reader. A task reads it without ever waiting for anybody;
//! what it hears goes into a buffer for each pane that is read ([`feed`]), and a reader that is more than 4 MiB behind loses the
//! oldest bytes and is told how many. If this program itself does not read for 15 seconds (because it was stopped), tmux drops
//! what comes meanwhile, and that is told as well.
//!
//! Where a client must not be attached, or the engine is a process for each call, a pipe takes its place ([`pipe`]).
//!
//! A pane that moves to another session is followed, with a [`Piece::Missed`] at that place; so is a pane whose client was thrown
//! out. The end of a pane is told by tmux (a closed window, another layout) or by the end of its process; what is told by
//! nothing is looked at every five seconds ([`attend`]).
//!
//! **What tmux does not give.** Output that a program writes as the last thing before its pane closes can be missing: tmux
//! writes to its clients some time after it reads a pane, and drops what it has for a pane whose program has ended by then. Of 30
//! programs that printed a word and ended at once, 16 to 23 were heard (3.3a, 3.5a, 3.7c and 3.8). If the pane stays
//! (`remain-on-exit`), its screen or its history has the rest. So whoever reads to the end of a stream tells that something may be
//! missing there.
//!
//! **Order.** What a pane has written before a command ran on the client comes before the command's answer. What it writes
//! afterwards comes after it; only if several panes of the session write more than the client has read, later bytes of one can
//! overtake. [`PaneStream::screen`] says when that may have happened.
mod attend;
mod client;
mod feed;
mod pipe;
mod place;
mod ring;
mod table;
mod typed;

use std::sync::{Arc, Weak};

use tokio::sync::watch;

use super::command::CommandList;
use super::error::TmuxError;
use super::id::PaneId;
use super::server::{Inner, Server};
use feed::{Feed, Reader};
pub(crate) use ring::Position;
pub(crate) use table::Streams;

/// What comes from a pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// What its program has written, byte for byte.
    Bytes(Vec<u8>),
    /// Bytes are missing here.
    Missed {
        /// How many, if that is known.
        bytes: Option<u64>,
    },
    /// Nothing comes any more. Asking again gives the same.
    Closed(Closed),
}

/// Why nothing comes any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Closed {
    /// The pane is gone.
    PaneGone,
    /// The pane's program has ended, and the pane stays.
    PaneDead,
    /// The tmux server has ended.
    ServerGone,
    /// Somebody has set `destroy-unattached` or `exit-unattached`, so that a client's leaving would end something.
    Unattachable,
    /// tmux does not keep the client.
    ConnectionLost,
    /// [`Server::close`] was called.
    Ended,
}

/// The output of a pane from some moment on. Others may read the same pane; nobody waits for anybody.
#[derive(Debug)]
pub struct PaneStream {
    server: Server,
    feed: Arc<Feed>,
    reader: Reader,
    position: Position,
    changed: watch::Receiver<()>,
}

/// What a pane showed at a moment, and where in its stream that was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screen {
    /// What `capture-pane -p` printed.
    pub output: Vec<u8>,
    /// The offset in the stream: everything before it is on the screen, or was.
    pub offset: u64,
    /// Whether nothing that comes after it is on the screen already. If not, the pane was writing at that moment.
    pub exact: bool,
}

impl Server {
    /// Begins to read what a pane writes. When this returns, everything that it writes from now on will come.
    ///
    /// # Errors
    ///
    /// [`TmuxError::NoSuchPane`]; [`TmuxError::NoStream`] where a client must not be attached (or with [`super::Engine::Process`]) and
    /// somebody else has piped the pane; what a call to tmux can meet.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime.
    pub async fn stream(&self, pane: PaneId) -> Result<PaneStream, TmuxError> {
        // Made at once, so that the place is given up however this ends.
        let begin = |feed: &Arc<Feed>| {
            let (reader, position, changed) = feed.read_on();
            PaneStream { server: self.clone(), feed: feed.clone(), reader, position, changed }
        };
        self.streams().enter(self, pane, true, begin).await
    }
}

impl Server {
    /// Begins to record a pane: its last bytes are kept from now on. Never through a pipe: a recording goes on for long, and
    /// a pipe is in the way of whoever wants another one.
    pub(crate) async fn record(&self, pane: PaneId) -> Result<Recording, TmuxError> {
        let begin = |feed: &Arc<Feed>| {
            feed.record();
            Recording { server: self.downgrade(), feed: feed.clone() }
        };
        self.streams().enter(self, pane, false, begin).await
    }
}

/// A pane of which the last bytes are kept, whether somebody reads them or not. Belongs to the server, so it does not keep it.
#[derive(Debug)]
pub(crate) struct Recording {
    server: Weak<Inner>,
    feed: Arc<Feed>,
}

impl Recording {
    /// The process that was last seen in the pane.
    pub fn process(&self) -> Option<i32> {
        self.feed.process()
    }

    /// Why nothing comes any more.
    pub fn closed(&self) -> Option<Closed> {
        self.feed.closed()
    }

    /// What comes after `position`, which is moved behind it. Nothing if nothing has come.
    pub fn peek(&self, position: &mut Position) -> Option<Piece> {
        self.feed.peek(position)
    }

    /// Runs a command list on the client that the pane is read through.
    pub async fn run(&self, server: &Server, list: &CommandList) -> Result<Vec<u8>, TmuxError> {
        server.streams().run(server, &self.feed, list).await
    }

    /// What `capture` prints, and a position so that all that comes after it is not on the screen yet, or (while the pane
    /// writes) some of it is.
    pub async fn screen(
        &self,
        server: &Server,
        capture: &CommandList,
    ) -> Result<(Vec<u8>, Position), TmuxError> {
        let (output, position, _) = screen(server, &self.feed, capture).await?;
        Ok((output, position))
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        self.feed.stop_recording();
        if let Some(server) = Server::upgrade(&self.server) {
            server.streams().left(&self.feed);
        }
    }
}

impl PaneStream {
    /// The pane.
    pub fn pane(&self) -> PaneId {
        self.feed.pane
    }

    /// How many bytes of the stream came or were counted as missed before the next piece. The first reader of a pane begins at 0.
    pub fn offset(&self) -> u64 {
        self.position.offset
    }

    /// The process that was last seen in the pane. Another one than before means that the pane was respawned.
    pub fn process(&self) -> Option<i32> {
        self.feed.process()
    }

    /// What comes next. Nothing is lost if the future is dropped.
    pub async fn next(&mut self) -> Piece {
        loop {
            self.changed.borrow_and_update();
            if let Some(piece) = self.try_next() {
                return piece;
            }
            // The feed that this belongs to holds the other end.
            let _ = self.changed.changed().await;
        }
    }

    /// What has come already.
    pub fn try_next(&mut self) -> Option<Piece> {
        self.feed.next(self.reader, &mut self.position)
    }

    /// What the pane shows now, and which bytes come after it. `capture` prints the screen: a `capture-pane -p` of this pane, with
    /// whatever else is to be known of that moment.
    ///
    /// Pieces that came before are still to be read. If the pane writes just now, it is tried three times; if it always does, the
    /// offset is the one before the screen, so that nothing is missing but some of what follows is on it already.
    ///
    /// # Errors
    ///
    /// What a call to tmux can meet.
    pub async fn screen(&self, capture: impl Into<CommandList>) -> Result<Screen, TmuxError> {
        let (output, before, exact) = screen(&self.server, &self.feed, &capture.into()).await?;
        Ok(Screen { output, offset: before.offset, exact })
    }
}

/// Runs `capture`, and tells where in the stream that was, and whether exactly there.
async fn screen(
    server: &Server,
    feed: &Feed,
    capture: &CommandList,
) -> Result<(Vec<u8>, Position, bool), TmuxError> {
    let mut tries = 3;
    loop {
        let before = feed.end();
        let output = server.streams().run(server, feed, capture).await?;
        tries -= 1;
        let exact = before == feed.end() && !feed.piped;
        if exact || feed.piped || tries == 0 {
            return Ok((output, before, exact));
        }
    }
}

impl Drop for PaneStream {
    fn drop(&mut self) {
        self.feed.leave(self.reader);
        self.server.streams().left(&self.feed);
    }
}
