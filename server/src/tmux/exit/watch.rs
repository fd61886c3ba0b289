//! The task that watches one pane until its program has ended or nobody waits any more, and leaves nothing behind.

use std::time::Duration;

use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::arming::{self, Arming};
use super::events::Events;
use super::nudge::nudge;
use super::seen::{self, Meaning, Own, Seen, Survey};
use super::status::Status;
use crate::tmux::command::{Command, CommandList};
use crate::tmux::error::TmuxError;
use crate::tmux::format::nonce;
use crate::tmux::id::PaneId;
use crate::tmux::process_end::ProcessEnd;
use crate::tmux::server::{Server, names_missing_pane};
use crate::tmux::version::Since;

/// How often the pane is looked at when nothing wakes the task: what bounds the time until a pane that was removed,
/// but whose program lives on, is found gone.
const POLL: Duration = Duration::from_secs(1);
/// The same where the end of a process cannot be watched.
const POLL_BLIND: Duration = Duration::from_millis(250);
/// How often a program that has ended is looked at when everybody has stopped waiting, before it is given up: 150 ms in all.
const LAST_LOOKS: u32 = 5;
/// How often leaving is tried on a server that does not answer, a second apart after the server's own deadline.
const LEAVE_TRIES: u32 = 30;

/// How a watch ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ended {
    /// The program ended like this.
    Program(Status),
    /// The pane is gone, or runs another program, and with it the status.
    Gone,
    /// Nobody waits any more; the program runs.
    StillRunning,
}

/// Watches the program that runs in `pane` now. Ends when it has ended, or soon after `quit`.
pub(super) async fn watch(
    server: &Server,
    pane: PaneId,
    quit: &CancellationToken,
) -> Result<Ended, TmuxError> {
    let (seen, own) = survey(server, pane).await?;
    if !seen.version.has(Since::MINIMUM) {
        return Err(TmuxError::TooOld { found: seen.version, needed: Since::MINIMUM.into() });
    }
    if let Meaning::Ended(status) = seen::meaning(Some(&seen), seen.process) {
        return Ok(Ended::Program(status));
    }
    let mut watch = Watch {
        server,
        pane,
        quit,
        process: seen.process,
        end: ProcessEnd::of(seen.process),
        events: None,
        arming: None,
    };
    if seen.version.has(Since::WAIT_FOR_EVENT) {
        watch.listen().await?;
    } else if !seen.dead {
        watch.arm(seen, own).await?;
    }
    let ended = watch.until_ended().await;
    watch.leave(ended).await
}

struct Watch<'a> {
    server: &'a Server,
    pane: PaneId,
    quit: &'a CancellationToken,
    process: Option<i32>,
    end: ProcessEnd,
    events: Option<Events>,
    arming: Option<Arming>,
}

impl Watch<'_> {
    /// Listens for events. If the server goes in this moment, the next look will tell.
    async fn listen(&mut self) -> Result<(), TmuxError> {
        match Events::start(self.server, self.pane).await {
            Ok(events) => self.events = Some(events),
            Err(TmuxError::ServerLost { .. }) => (),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Arms the pane if it would close. Whatever changes in between is looked at afresh, a few times.
    async fn arm(&mut self, mut seen: Seen, mut own: Own) -> Result<(), TmuxError> {
        for _ in 0..5 {
            if !arming::is_needed(&seen) || seen::meaning(Some(&seen), self.process) != Meaning::Running {
                return Ok(());
            }
            let arming = Arming::new(self.pane, nonce(), &seen, &own);
            let query = seen::query();
            let list = arming.arm(&query, &seen)?;
            // From here on something may be set, also if the answer never comes.
            let arming = self.arming.insert(arming);
            let rows = match self.server.rows(&query, list).await {
                Err(TmuxError::Refused { stderr, .. }) if names_missing_pane(&stderr) => return Ok(()),
                rows => rows?,
            };
            match seen::read(&rows) {
                Some(seen) if !arming.is_armed(&seen) => self.arming = None,
                _ => return Ok(()),
            }
            match survey(self.server, self.pane).await {
                Err(TmuxError::NoSuchPane { .. }) => return Ok(()),
                again => (seen, own) = again?,
            }
        }
        Ok(())
    }

    async fn until_ended(&mut self) -> Ended {
        let mut looks_since_end = None;
        loop {
            let seen = self.look().await;
            if let Ok(seen) = &seen {
                match seen::meaning(seen.as_ref(), self.process) {
                    Meaning::Ended(status) => return Ended::Program(status),
                    Meaning::Gone => return self.last_words().await,
                    Meaning::Dying => looks_since_end = looks_since_end.or(Some(0)),
                    Meaning::Running => (),
                }
            }
            if self.quit.is_cancelled() && looks_since_end.is_none_or(|looks| looks >= LAST_LOOKS) {
                return Ended::StillRunning;
            }
            if let Some(looks) = &mut looks_since_end {
                if let Ok(Some(seen)) = &seen {
                    nudge(self.server, seen, *looks).await;
                    if let Some(status) = self.drawn(seen, *looks).await {
                        return Ended::Program(status);
                    }
                }
                *looks += 1;
            }
            if let Some(status) = self.pause(&mut looks_since_end).await {
                return Ended::Program(status);
            }
        }
    }

    /// Waits until there is a reason to look again.
    async fn pause(&mut self, looks_since_end: &mut Option<u32>) -> Option<Status> {
        let ended = looks_since_end.is_some();
        let pause = match looks_since_end {
            Some(looks) => POLL.min(Duration::from_millis(5 << (*looks).min(8))),
            None if self.end.is_known() => POLL,
            None => POLL_BLIND,
        };
        tokio::select! {
            status = Events::status(&mut self.events) => return Some(status),
            () = self.end.reached(), if !ended => *looks_since_end = Some(0),
            () = self.quit.cancelled(), if !self.quit.is_cancelled() => (),
            () = sleep(pause) => (),
        }
        None
    }

    /// The pane as it is now; nothing if it or its server is gone.
    async fn look(&self) -> Result<Option<Seen>, ()> {
        let query = seen::query();
        match self.server.rows(&query, seen::look(&query, self.pane).into()).await {
            Ok(rows) => Ok(seen::read(&rows)),
            Err(TmuxError::NoSessions) => Ok(None),
            Err(TmuxError::ServerLost { .. }) => Err(()),
            Err(error) if error.is_no_server() => Ok(None),
            // A server that does not answer may answer later: the waiting itself has a bound.
            Err(error) => {
                tracing::warn!(%error, pane = %self.pane, "cannot look at the pane");
                Err(())
            }
        }
    }

    /// The pane is gone: an event may have told why, and be on its way.
    async fn last_words(&mut self) -> Ended {
        match timeout(Events::GRACE, Events::status(&mut self.events)).await {
            Ok(status) => Ended::Program(status),
            Err(_) => Ended::Gone,
        }
    }

    /// Before 3.3 a signal is only named on the screen. No status after three nudges means that it was a signal.
    async fn drawn(&self, seen: &Seen, looks: u32) -> Option<Status> {
        if !seen.dead || seen.version.has(Since::PANE_DEAD_SIGNAL) || looks < 6 {
            return None;
        }
        let capture = Command::new("capture-pane").flag('p').target(self.pane);
        let screen = self.server.run(&capture.into()).await.ok()?;
        Status::read_drawn(&String::from_utf8_lossy(&screen))
    }

    /// Puts everything back. Says how the program ended if that happened at the last moment.
    async fn leave(self, ended: Ended) -> Result<Ended, TmuxError> {
        if let Some(events) = self.events {
            events.stop().await;
        }
        let Some(arming) = self.arming else { return Ok(ended) };
        let query = seen::query();
        let list: CommandList = arming.leave(&query)?;
        for _ in 0..LEAVE_TRIES {
            match self.server.rows(&query, list.clone()).await {
                Ok(rows) => {
                    return Ok(match seen::meaning(seen::read(&rows).as_ref(), self.process) {
                        Meaning::Ended(status) if ended == Ended::StillRunning => Ended::Program(status),
                        _ => ended,
                    });
                }
                Err(TmuxError::Timeout { .. } | TmuxError::CannotRun { .. }) => sleep(POLL).await,
                // The pane or the server is gone, and with it what was set.
                Err(error) => {
                    tracing::debug!(%error, pane = %self.pane, "nothing to put back");
                    return Ok(ended);
                }
            }
        }
        tracing::warn!(pane = %self.pane, "tmux does not answer; remain-on-exit stays set on the pane");
        Ok(ended)
    }
}

async fn survey(server: &Server, pane: PaneId) -> Result<(Seen, Own), TmuxError> {
    let no_such_pane = || TmuxError::NoSuchPane { pane: pane.to_string() };
    let survey = Survey::new();
    match server.run(&survey.list(pane)).await {
        Ok(output) => survey.read(&output).ok_or_else(no_such_pane),
        Err(TmuxError::NoSessions) => Err(no_such_pane()),
        Err(TmuxError::Refused { stderr, .. }) if names_missing_pane(&stderr) => Err(no_such_pane()),
        Err(error) => Err(error),
    }
}
