//! Does the program that was just started in a pane live, or did it end at once?

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

use super::error::TmuxError;
use super::pane::PaneRow;
use super::process_end::ProcessEnd;
use super::server::Server;

/// How long a new program is given to fail. A shell that cannot find its command took 2 to 6 ms here, and until it has
/// replaced itself tmux shows neither its name nor its directory.
const SETTLE: Duration = Duration::from_millis(40);

/// How long tmux may take to close a pane whose program has ended.
const CLOSING: Duration = Duration::from_millis(500);

/// The pane as it is once its new program is seen to run, or to have ended in a pane that is kept. `row` is the pane as it was
/// right after the start.
///
/// # Errors
///
/// [`TmuxError::EndedAtOnce`] if the program ended within 40 ms and the pane closed with it.
pub(super) async fn started(server: &Server, row: &PaneRow) -> Result<PaneRow, TmuxError> {
    let ended = row.pid.is_none() || timeout(SETTLE, ProcessEnd::of(row.pid).reached()).await.is_ok();
    settled(server, row, ended).await.map_err(|error| match error {
        error if error.is_not_found() || error.is_no_server() => TmuxError::EndedAtOnce { pane: row.id },
        error => error,
    })
}

/// Reads the pane again, until a program that has ended is also seen to have ended.
async fn settled(server: &Server, started: &PaneRow, ended: bool) -> Result<PaneRow, TmuxError> {
    let until = Instant::now() + CLOSING;
    loop {
        let row = server.pane(started.id).await?;
        // From 3.8 on a pane whose program has ended has no process for a moment, before it is dead or gone.
        let another = row.pid.is_some() && row.pid != started.pid;
        if !ended || row.dead || another || Instant::now() > until {
            return Ok(row);
        }
        sleep(SETTLE / 4).await;
    }
}
