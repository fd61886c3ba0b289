//! The task behind a connection: writes what is asked, reads what tmux says, leaves when it is time.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{sleep_until, timeout};

use super::own::Own;
use super::pending::{Answer, Gone, Pending};
use super::{Settings, due};
use crate::tmux::command::{Command, CommandList};
use crate::tmux::control::{Event, Notification, Parser, Reply};
use crate::tmux::endpoint::Options;
use crate::tmux::format::{Query, nonce};
use crate::tmux::permit::Permit;
use crate::tmux::process::{Connected, Running};

/// How long tmux may take to let the client go, before the client is made to end.
const PARTING: Duration = Duration::from_millis(500);
/// As much as is taken over to be written while tmux does not read.
const UNWRITTEN: usize = 1 << 20;
/// What guards, marks and notifications may take beside the output of a reply.
const SLACK: usize = 64 << 10;

/// What a handle asks of its task.
pub(super) enum Order {
    Run(Request),
    /// To be sent without an answer being awaited.
    Begin(Vec<u8>),
    Close,
}

/// A command list to be sent.
pub(super) struct Request {
    pub line: Vec<u8>,
    pub mark: String,
    pub answer: Answer,
}

/// Why the task ends.
enum End {
    /// Nobody needs the connection any more.
    Wanted,
    /// tmux has ended it.
    Lost,
    /// tmux does not answer.
    Late,
}

pub(super) struct Task {
    stdin: ChildStdin,
    stdout: ChildStdout,
    running: Running,
    own: Own,
    /// The server's.
    socket: PathBuf,
    open: Arc<AtomicBool>,
    /// Dropped when all is over.
    ended: watch::Sender<()>,
    accepted: Option<oneshot::Sender<()>>,
    parser: Parser,
    pending: Pending,
    unwritten: Vec<u8>,
    /// The answer to the question for the client's own name.
    name: Option<(Query, oneshot::Receiver<Result<Reply, Gone>>)>,
    deadline: Duration,
    idle: Option<Duration>,
    used: Instant,
    heard: Instant,
}

impl Task {
    pub fn new(
        connected: Connected,
        socket: PathBuf,
        options: &Options,
        settings: Settings,
        accepted: oneshot::Sender<()>,
        open: Arc<AtomicBool>,
        ended: watch::Sender<()>,
    ) -> Self {
        let Connected { running, stdin, stdout } = connected;
        let own = Own::process(running.id());
        Self {
            stdin,
            stdout,
            running,
            own,
            socket,
            open,
            ended,
            accepted: Some(accepted),
            parser: Parser::new(options.output_limit.saturating_add(SLACK)),
            pending: Pending::default(),
            unwritten: Vec::new(),
            name: None,
            deadline: options.deadline,
            idle: settings.idle,
            used: Instant::now(),
            heard: Instant::now(),
        }
    }

    pub async fn run(mut self, mut inbox: mpsc::UnboundedReceiver<Order>, mut sink: impl FnMut(Event)) {
        let end = self.serve(&mut inbox, &mut sink).await;
        self.open.store(false, Ordering::Release);
        inbox.close();
        while let Ok(order) = inbox.try_recv() {
            if let Order::Run(request) = order {
                let _ = request.answer.send(Err(Gone::Unsent));
            }
        }
        match end {
            End::Wanted => (),
            End::Lost => self.pending.give_up(Gone::Lost),
            End::Late => self.pending.give_up(Gone::Late),
        }
        Permit::to_change(&self.socket).await.spend(self.leave(end, &mut sink)).await;
    }

    /// Returns when the client's process has ended: then tmux hears of that before it hears of any client to come.
    async fn leave(mut self, end: End, sink: &mut impl FnMut(Event)) {
        if let End::Wanted = end {
            // What was sent before is answered before tmux lets go.
            self.ask_to_leave(sink).await;
            self.pending.give_up(Gone::Lost);
        }
        let Self { stdin, running, own, ended, .. } = self;
        drop(stdin);
        // On 3.3a a client was seen to stay, and to keep its server from ending.
        running.end(PARTING).await;
        drop(own);
        drop(ended);
    }

    async fn serve(
        &mut self,
        inbox: &mut mpsc::UnboundedReceiver<Order>,
        sink: &mut impl FnMut(Event),
    ) -> End {
        let mut buffer = vec![0; 64 << 10];
        loop {
            let due = match self.pending.waiting_since(self.heard) {
                Some(since) => Some(due(since, self.deadline)),
                None if self.accepted.is_some() => Some(due(self.used, self.deadline)),
                None => self.idle.map(|idle| due(self.used, idle)),
            };
            let elapsed = async {
                match due {
                    Some(due) => sleep_until(due).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                read = self.stdout.read(&mut buffer) => match read {
                    Ok(0) | Err(_) => return End::Lost,
                    Ok(size) => self.hear(&buffer[..size], sink),
                },
                written = self.stdin.write(&self.unwritten), if !self.unwritten.is_empty() => match written {
                    Ok(size) => drop(self.unwritten.drain(..size)),
                    // What tmux has still to say is read to its end.
                    Err(_) => self.unwritten.clear(),
                },
                // Who has given up attaching has to wait until that is done: see `Permit`.
                order = inbox.recv(), if self.accepted.is_none() && self.unwritten.len() < UNWRITTEN => match order {
                    Some(Order::Run(request)) => self.send(request),
                    Some(Order::Begin(line)) => {
                        self.unwritten.extend_from_slice(&line);
                        self.unwritten.push(b'\n');
                    }
                    Some(Order::Close) | None => return End::Wanted,
                },
                () = elapsed => return if self.pending.is_empty() { End::Wanted } else { End::Late },
            }
        }
    }

    /// Reads what tmux says.
    fn hear(&mut self, bytes: &[u8], sink: &mut impl FnMut(Event)) {
        let Self { parser, pending, heard, used, .. } = self;
        let mut attached = false;
        parser.feed(bytes, &mut |event| match event {
            Event::Reply(reply) => {
                pending.answered(reply);
                *heard = Instant::now();
                *used = *heard;
            }
            event => {
                attached |= matches!(event, Event::Notification(Notification::SessionChanged { .. }));
                sink(event);
            }
        });
        if self.accepted.is_some() {
            self.learn_name(attached);
        }
    }

    fn send(&mut self, request: Request) {
        let Request { line, mark, answer } = request;
        // Whoever has asked may have given up.
        if answer.is_closed() {
            return;
        }
        self.unwritten.extend_from_slice(&line);
        self.unwritten.push(b'\n');
        self.unwritten.extend_from_slice(mark.as_bytes());
        self.unwritten.push(b'\n');
        self.parser.expect(mark);
        self.used = Instant::now();
        self.pending.sent(self.used, answer);
    }

    /// The first question, once the client is attached: tmux reads it before that too, and answers wrongly then.
    fn ask_name(&mut self) {
        let query = Query::new(&["client_name"]);
        let ask = Command::new("display-message").flag('p').operand(query.template());
        let (answer, answered) = oneshot::channel();
        let Ok(line) = CommandList::from(ask).line() else { return };
        self.name = Some((query, answered));
        self.send(Request { line, mark: nonce(), answer });
    }

    fn learn_name(&mut self, attached: bool) {
        let Some((query, answered)) = &mut self.name else {
            if attached {
                self.ask_name();
            }
            return;
        };
        let Ok(Ok(reply)) = answered.try_recv() else { return };
        for row in query.rows(&reply.output).unwrap_or_default() {
            self.own.is_called(row.text("client_name"));
        }
        if let Some(accepted) = self.accepted.take() {
            // An error means that nobody waits for it any more.
            let _ = accepted.send(());
        }
    }

    /// An empty line asks to be let go.
    async fn ask_to_leave(&mut self, sink: &mut impl FnMut(Event)) {
        let leave = async {
            self.unwritten.push(b'\n');
            let unwritten = std::mem::take(&mut self.unwritten);
            let _ = self.stdin.write_all(&unwritten).await;
            let mut buffer = vec![0; 4 << 10];
            while let Ok(size @ 1..) = self.stdout.read(&mut buffer).await {
                self.hear(&buffer[..size], sink);
            }
        };
        let _ = timeout(PARTING, leave).await;
    }
}
