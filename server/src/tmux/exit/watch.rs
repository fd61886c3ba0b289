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
        looks_since_end: None,
        by_events: seen.version.has(Since::WAIT_FOR_EVENT),
        events: None,
        token: nonce(),
        arming: None,
        failed_armings: 0,
    };
    let ended = if watch.by_events {
        watch.listen().await?;
        watch.until_ended(None).await
    } else {
        watch.until_ended(Some((seen, own))).await
    };
    watch.leave(ended).await
}

struct Watch<'a> {
    server: &'a Server,
    pane: PaneId,
    quit: &'a CancellationToken,
    process: Option<i32>,
    end: ProcessEnd,
    /// How often the pane was looked at since its program is thought to have ended.
    looks_since_end: Option<u32>,
    /// This tmux tells the end of a program as an event.
    by_events: bool,
    events: Option<Events>,
    token: String,
    /// What may be set on the pane, also if it is not known for certain.
    arming: Option<Arming>,
    failed_armings: u32,
}

impl Watch<'_> {
    /// Listens for events. If the server goes in this moment, the next look will tell.
    async fn listen(&mut self) -> Result<(), TmuxError> {
        match Events::start(self.server, self.pane).await {
            Ok(events) => self.events = Some(events),
            Err(error) if error.is_no_server() => (),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    async fn until_ended(&mut self, mut surveyed: Option<(Seen, Own)>) -> Ended {
        loop {
            let seen = match &surveyed {
                Some((seen, _)) => Ok(Some(seen.clone())),
                None => self.look().await,
            };
            if let Ok(seen) = &seen {
                match seen::meaning(seen.as_ref(), self.process) {
                    Meaning::Ended(status) => return Ended::Program(status),
                    Meaning::Gone => return self.last_words().await,
                    Meaning::Dying => self.looks_since_end = self.looks_since_end.or(Some(0)),
                    Meaning::Running => (),
                }
            }
            if self.quit.is_cancelled() && self.looks_since_end.is_none_or(|looks| looks >= LAST_LOOKS) {
                return Ended::StillRunning;
            }
            if self.by_events
                && self.events.is_none()
                && let Err(error) = self.listen().await
            {
                tracing::debug!(%error, pane = %self.pane, "cannot listen for events");
            }
            let mut armed = true;
            if let Ok(Some(seen)) = &seen {
                if let Some(status) = self.hurry(seen).await {
                    return Ended::Program(status);
                }
                armed = self.arm_if_needed(seen, surveyed.take()).await;
            }
            if let Some(status) = self.pause(armed).await {
                return Ended::Program(status);
            }
        }
    }

    /// Arms the pane if it would close. Whether it is as it should be now; if not, to be tried again.
    async fn arm_if_needed(&mut self, seen: &Seen, surveyed: Option<(Seen, Own)>) -> bool {
        let is_armed = self.arming.is_some() && arming::is_armed(seen, &self.token);
        if self.by_events || seen.dead || is_armed || !arming::is_needed(seen) {
            return true;
        }
        let armed = self.arm(surveyed).await.unwrap_or_else(|error| {
            tracing::debug!(%error, pane = %self.pane, "cannot arm the pane");
            false
        });
        self.failed_armings = if armed { 0 } else { self.failed_armings + 1 };
        armed
    }

    async fn arm(&mut self, surveyed: Option<(Seen, Own)>) -> Result<bool, TmuxError> {
        let (seen, own) = match surveyed {
            Some(surveyed) => surveyed,
            None => survey(self.server, self.pane).await?,
        };
        if seen::meaning(Some(&seen), self.process) != Meaning::Running {
            return Ok(false);
        }
        let arming = Arming::new(self.pane, self.token.clone(), &seen, &own);
        let query = seen::query();
        let list = arming.arm(&query, &seen)?;
        // From here on something may be set, also if the answer never comes.
        self.arming = Some(arming);
        let rows = self.server.rows(&query, list).await?;
        Ok(seen::read(&rows).is_some_and(|seen| arming::is_armed(&seen, &self.token)))
    }

    /// Does what can be done for a status that should be there.
    async fn hurry(&mut self, seen: &Seen) -> Option<Status> {
        let looks = self.looks_since_end?;
        self.looks_since_end = Some(looks + 1);
        nudge(self.server, seen, looks).await;
        self.drawn(seen, looks).await
    }

    /// Waits until there is a reason to look again.
    async fn pause(&mut self, armed: bool) -> Option<Status> {
        let growing = |times: u32| POLL.min(Duration::from_millis(5 << times.min(8)));
        let pause = match self.looks_since_end {
            Some(looks) => growing(looks),
            None if !armed => growing(self.failed_armings),
            None if self.end.is_known() => POLL,
            None => POLL_BLIND,
        };
        tokio::select! {
            status = Events::status(&mut self.events) => {
                // Without one the client is lost, and there will be another.
                self.events = None;
                return status;
            }
            () = self.end.reached(), if self.looks_since_end.is_none() => self.looks_since_end = Some(0),
            // Once the program is thought to have ended, its status comes soon or never.
            () = self.quit.cancelled(), if self.looks_since_end.is_none() => (),
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
            Ok(Some(status)) => Ended::Program(status),
            _ => Ended::Gone,
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
