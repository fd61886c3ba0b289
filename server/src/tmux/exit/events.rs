//! The end of a program as an event (tmux 3.8 and later): nothing in the pane is touched.
//!
//! `wait-for -E -v` prints every event of the kind, as lines `key=value` of which the first is `event=…`, and ends after one
//! that passes the filter. An event that comes before the waiting is not kept, so each client first prints a line: once
//! that is there the waiting has begun, because both commands are one list.

use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::ChildStdout;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::status::Status;
use crate::tmux::command::{Command, CommandList};
use crate::tmux::error::TmuxError;
use crate::tmux::format::nonce;
use crate::tmux::id::PaneId;
use crate::tmux::process::Running;
use crate::tmux::server::Server;

/// What happens to a pane that closes, and to one that is kept.
const NAMES: [&str; 2] = ["pane-exited", "pane-died"];

/// Two clients that wait for the end of one pane's program.
pub(super) struct Events {
    clients: [Running; NAMES.len()],
    statuses: mpsc::Receiver<Status>,
}

impl Events {
    /// How long the event of a pane that is gone may be on its way. It was written before the pane went.
    pub const GRACE: Duration = Duration::from_millis(500);

    /// Returns when both clients wait.
    pub async fn start(server: &Server, pane: PaneId) -> Result<Self, TmuxError> {
        let (sender, statuses) = mpsc::channel(NAMES.len());
        let [exited, died] = NAMES.map(|name| begin(server, pane, name));
        let (exited, died) = tokio::try_join!(exited, died)?;
        let clients = [exited, died].map(|(client, lines)| {
            tokio::spawn(listen(lines, pane, sender.clone()));
            client
        });
        Ok(Self { clients, statuses })
    }

    /// The status that an event tells. Never returns if there are no events.
    pub async fn status(events: &mut Option<Self>) -> Status {
        match events {
            Some(events) => match events.statuses.recv().await {
                Some(status) => status,
                // Both clients have ended without one: the server is gone, or somebody woke them.
                None => std::future::pending().await,
            },
            None => std::future::pending().await,
        }
    }

    /// Ends the clients. tmux forgets a waiter whose client is gone.
    pub async fn stop(self) {
        for client in self.clients {
            client.kill().await;
        }
    }
}

async fn begin(
    server: &Server,
    pane: PaneId,
    name: &str,
) -> Result<(Running, Lines<BufReader<ChildStdout>>), TmuxError> {
    let ready = nonce();
    let list = CommandList::new()
        .then(Command::new("display-message").flag('p').operand(&ready))
        .then(Command::new("wait-for").flag('E').flag('v').value('F', filter(pane)).operand(name));
    let (client, stdout) = server.start(&list)?;
    let mut lines = BufReader::new(stdout).lines();
    let waiting = async {
        while let Ok(Some(line)) = lines.next_line().await {
            if line == ready {
                return true;
            }
        }
        false
    };
    match timeout(server.deadline(), waiting).await {
        Ok(true) => Ok((client, lines)),
        // The server is gone, or has no session. The next look at the pane will tell.
        Ok(false) => Err(TmuxError::ServerLost { command: list.to_string() }),
        Err(_) => Err(TmuxError::Timeout { command: list.to_string(), limit: server.deadline() }),
    }
}

fn filter(pane: PaneId) -> String {
    format!("#{{==:#{{pane}},{pane}}}")
}

async fn listen(mut lines: Lines<BufReader<ChildStdout>>, pane: PaneId, statuses: mpsc::Sender<Status>) {
    let mut event = Event::default();
    while let Ok(Some(line)) = lines.next_line().await {
        event.add(&line);
    }
    if let Some(status) = event.status(pane) {
        // An error means that the watch has ended for another reason.
        let _ = statuses.send(status).await;
    }
}

/// The last event that was printed.
#[derive(Debug, Default)]
struct Event {
    pane: String,
    code: String,
    signal: String,
}

impl Event {
    fn add(&mut self, line: &str) {
        match line.split_once('=') {
            Some(("event", _)) => *self = Self::default(),
            Some(("pane", value)) => value.clone_into(&mut self.pane),
            Some(("exit_status", value)) => value.clone_into(&mut self.code),
            Some(("exit_signal", value)) => value.clone_into(&mut self.signal),
            _ => (),
        }
    }

    fn status(&self, pane: PaneId) -> Option<Status> {
        (self.pane == pane.to_string()).then(|| Status::read(&self.code, &self.signal))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(text: &str) -> Option<Status> {
        let mut event = Event::default();
        text.lines().for_each(|line| event.add(line));
        event.status(PaneId(1))
    }

    #[test]
    fn the_last_event_of_the_pane_counts() {
        let other = "event=pane-exited\nexit_status=4\nexit_success=0\npane=%2\nwindow=@0\n";
        let ours = "event=pane-exited\nexit_status=3\nexit_success=0\npane=%1\nwindow=@0\n";
        let killed = "event=pane-died\nexit_signal=15\nexit_success=0\npane=%1\nwindow=@0\n";
        assert_eq!(status(&[other, ours].concat()), Some(Status::Code(3)));
        assert_eq!(
            status(&[ours, killed].concat()).map(|status| status.to_string()),
            Some("SIGTERM".to_owned())
        );
        assert_eq!(status(other), None);
        assert_eq!(status("noise\nevent=pane-exited\npane=%1\n"), None);
        assert_eq!(status(""), None);
    }
}
