//! What a pane writes, through `pipe-pane`: where no client may be attached, or none is wanted.
//!
//! tmux gives a pane's bytes to a program, here `cat`, which writes them into a FIFO in a private directory. Once `cat` has
//! opened it both are removed, so nothing is left behind however this program ends; then `cat` ends with what the pane writes
//! next, and tmux closes the pipe.
//!
//! What tmux answers and what comes through the pipe are in no order. A pane has one pipe. One that somebody else has set is never touched; if somebody takes this one away, the stream ends. There is
//! one for all who read a pane, and it stays three seconds after the last of them, as a client does. Unlike to clients, tmux
//! gives a pipe the last words of a pane that closes (40 of 40 on 3.3a and 3.8).

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::Closed;
use super::feed::Feed;
use super::place::{self, Place};
use super::table::{self, Feeds};
use crate::tmux::command::{Command, CommandList, literal};
use crate::tmux::endpoint::{Engine, Options};
use crate::tmux::error::TmuxError;
use crate::tmux::format::{Query, Row};
use crate::tmux::id::PaneId;
use crate::tmux::process_end::ProcessEnd;
use crate::tmux::server::Server;

/// How long a pipe stays that nobody reads.
const LINGER: Duration = Duration::from_secs(3);
/// How often it is looked at what is told by nothing.
const REGULARLY: Duration = Duration::from_secs(5);
/// How long nothing must come for the last words of a dead pane to have come.
const SILENCE: Duration = Duration::from_millis(100);
/// How often it is looked whether `cat` is there.
const SOON: Duration = Duration::from_millis(2);

/// A pane's pipe.
#[derive(Debug)]
pub(super) struct Pipe {
    /// Tells it from clients and other pipes.
    pub number: u64,
    quit: CancellationToken,
    task: JoinHandle<()>,
}

impl Pipe {
    /// Sets the pipe. What the pane writes from now on goes to the feed whose home has this number.
    pub async fn open(server: &Server, feeds: Feeds, number: u64, place: &Place) -> Result<Self, TmuxError> {
        // A handle of its own: what was set is taken back even if the last other handle is gone.
        let options = Options { engine: Engine::Process, ..server.options().clone() };
        let own = Server::new(options, server.environment().clone(), server.endpoint().clone());
        let input = connect(&own, place.pane).await?;
        let quit = CancellationToken::new();
        let reader = Reader {
            server: own,
            feeds,
            number,
            pane: place.pane,
            process: place.process,
            end: ProcessEnd::of(place.process),
            input,
        };
        let task = tokio::spawn(reader.run(quit.clone()));
        Ok(Self { number, quit, task })
    }

    pub fn is_open(&self) -> bool {
        !self.quit.is_cancelled() && !self.task.is_finished()
    }

    /// It is on its way to be taken away.
    pub fn give_up(&self) {
        self.quit.cancel();
    }

    /// Takes the pipe away from the pane.
    pub async fn close(mut self) {
        self.quit.cancel();
        // An error means that its runtime is going.
        let _ = (&mut self.task).await;
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        self.quit.cancel();
    }
}

/// Sets the pipe, and returns when it is known that bytes come through.
async fn connect(server: &Server, pane: PaneId) -> Result<pipe::Receiver, TmuxError> {
    let no = |reason: String| TmuxError::NoStream { reason };
    let failed = |error: std::io::Error| no(format!("there can be no pipe from pane {pane}: {error}"));
    // Of mode 0700.
    let directory = tempfile::Builder::new().prefix("schemux-").tempdir().map_err(failed)?;
    let path = directory.path().join("pipe");
    fifo(&path).map_err(failed)?;
    let mut input = pipe::OpenOptions::new().open_receiver(&path).map_err(failed)?;

    let query = Query::new(&["pane_pipe"]);
    let look = || Command::new("display-message").flag('p').target(pane).operand(query.template());
    let set = Command::new("pipe-pane").flag('O').target(pane).operand(program(&path));
    let set =
        Command::new("if-shell").flag('F').target(pane).operand("#{?pane_pipe,0,1}").commands(&set.into())?;
    let list = CommandList::from(look()).then(set).then(look());
    let ends = || no(format!("the program in pane {pane} is just ending"));
    let rows = match server.rows(&query, list).await {
        Err(TmuxError::Refused { .. }) => return Err(ends()),
        rows => rows?,
    };
    let is_piped = |row: Option<&Row>| row.is_some_and(|row| row.flag("pane_pipe"));
    // From 3.8 on nothing is said about a pane that cannot be piped any more.
    if !is_piped(rows.last()) {
        return Err(ends());
    }
    if is_piped(rows.first()) {
        return Err(no(format!(
            "somebody else has piped pane {pane} (`pipe-pane`), and a pane has one pipe"
        )));
    }
    let begun = async {
        let mut first = [0];
        loop {
            match input.read(&mut first).await {
                // Nobody has opened it yet.
                Ok(0) => sleep(SOON).await,
                read => return read,
            }
        }
    };
    match timeout(server.deadline(), begun).await {
        Ok(Ok(_)) => Ok(input),
        other => {
            close(server, pane).await;
            let problem = other.map_or("nothing came through it".to_owned(), |read| format!("{read:?}"));
            Err(no(format!("there can be no pipe from pane {pane}: {problem}")))
        }
    }
}

#[cfg(not(target_vendor = "apple"))]
fn fifo(path: &Path) -> std::io::Result<()> {
    use rustix::fs::{CWD, Mode, mkfifoat};
    Ok(mkfifoat(CWD, path, Mode::RUSR | Mode::WUSR)?)
}

#[cfg(target_vendor = "apple")]
fn fifo(_: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// What tmux runs: it says one byte, so that it is known to be there.
fn program(path: &Path) -> std::ffi::OsString {
    let mut program = b"{ printf x && exec cat; } >'".to_vec();
    for &byte in literal(path).as_bytes() {
        match byte {
            b'\'' => program.extend_from_slice(br"'\''"),
            // tmux puts the time in.
            b'%' => program.extend_from_slice(b"%%"),
            byte => program.push(byte),
        }
    }
    program.push(b'\'');
    std::os::unix::ffi::OsStringExt::from_vec(program)
}

async fn close(server: &Server, pane: PaneId) {
    if let Err(error) = server.run(&Command::new("pipe-pane").target(pane).into()).await {
        // With the pane its pipe is gone.
        tracing::debug!(%error, %pane, "cannot close the pipe");
    }
}

/// Reads a pipe.
struct Reader {
    server: Server,
    feeds: Feeds,
    number: u64,
    pane: PaneId,
    process: Option<i32>,
    end: ProcessEnd,
    input: pipe::Receiver,
}

impl Reader {
    async fn run(mut self, quit: CancellationToken) {
        let is_open = self.read(&quit).await;
        if is_open {
            close(&self.server, self.pane).await;
        }
    }

    /// Whether the pipe is still open when nobody needs it any more.
    async fn read(&mut self, quit: &CancellationToken) -> bool {
        let mut buffer = vec![0; 64 << 10];
        let (mut looked, mut unused) = (Instant::now(), None);
        let mut waits = REGULARLY;
        loop {
            tokio::select! {
                () = quit.cancelled() => return true,
                read = self.input.read(&mut buffer) => match read {
                    Ok(size @ 1..) => {
                        if let Some(feed) = self.feed() {
                            feed.push(self.number, &buffer[..size]);
                        }
                    }
                    _ => {
                        // Nobody begins to read through it any more.
                        quit.cancel();
                        self.tell(Closed::ConnectionLost).await;
                        return false;
                    }
                },
                () = self.end.reached(), if waits == REGULARLY => waits = SOON,
                () = sleep(waits.min(LINGER / 3)) => (),
            }
            let since = match self.feed() {
                Some(_) => None,
                None => unused.or_else(|| Some(Instant::now())),
            };
            unused = since;
            if unused.is_some_and(|since: Instant| since.elapsed() >= LINGER)
                && self.feeds.give_up(self.pane, self.number)
            {
                return true;
            }
            if unused.is_none() && looked.elapsed() >= waits {
                waits = self.look(&mut buffer, waits).await;
                looked = Instant::now();
            }
        }
    }

    /// Looks whether the pane's program has ended, and tells when to look again.
    async fn look(&mut self, buffer: &mut [u8], waits: Duration) -> Duration {
        match place::find(&self.server, self.pane).await {
            Ok(places) if places[0].dead => {
                while let Ok(Ok(size @ 1..)) = timeout(SILENCE, self.input.read(buffer)).await {
                    if let Some(feed) = self.feed() {
                        feed.push(self.number, &buffer[..size]);
                    }
                }
                self.feeds.close(self.pane, self.number, Closed::PaneDead);
                REGULARLY
            }
            Ok(places) if places[0].process != self.process => {
                self.process = places[0].process;
                self.end = ProcessEnd::of(self.process);
                if let Some(feed) = self.feed() {
                    feed.seen(places[0].window, self.process);
                }
                REGULARLY
            }
            // The end of a process comes before tmux knows of it.
            _ if waits < REGULARLY => (waits * 2).min(REGULARLY),
            // What is wrong is told by the pipe.
            _ => REGULARLY,
        }
    }

    /// The pipe is closed: by the end of the pane, or by somebody else.
    async fn tell(&self, otherwise: Closed) {
        let mut why = otherwise;
        // From 3.8 on the pipe of a pane that ends is closed before tmux lists it as gone or dead.
        for pause in (0..8).map(|doubled| SOON * (1 << doubled)) {
            why = match place::find(&self.server, self.pane).await {
                Ok(places) if places[0].dead => Closed::PaneDead,
                Ok(_) => otherwise,
                Err(error) => table::why(&error, otherwise),
            };
            if why != otherwise {
                break;
            }
            sleep(pause).await;
        }
        self.feeds.close(self.pane, self.number, why);
    }

    fn feed(&self) -> Option<Arc<Feed>> {
        self.feeds.get(self.pane).filter(|feed| feed.home() == Some(self.number))
    }
}
