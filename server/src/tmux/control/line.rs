//! What one line of a control client's input means.

use std::time::Duration;

use crate::tmux::id::{PaneId, SessionId, WindowId};

/// What names a block: the same in its first and its last line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guard {
    /// When the command ran, in seconds since 1970.
    pub time: u64,
    /// The command's number on this server.
    pub number: u64,
    /// Bit 0 is set for a command that this client has sent.
    pub flags: u32,
}

impl Guard {
    /// Whether the block answers something that this client has sent.
    pub fn is_own(&self) -> bool {
        self.flags & 1 == 1
    }
}

/// A line that begins or ends a block, if it stands where one can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    Begin(Guard),
    End(Guard),
    Error(Guard),
}

impl Edge {
    pub fn read(line: &[u8]) -> Option<Self> {
        if line.first() != Some(&b'%') {
            return None;
        }
        let edge = match line.get(1)? {
            b'b' if line.starts_with(b"%begin ") => Self::Begin(guard(&line[7..])?),
            b'e' if line.starts_with(b"%end ") => Self::End(guard(&line[5..])?),
            b'e' if line.starts_with(b"%error ") => Self::Error(guard(&line[7..])?),
            _ => return None,
        };
        Some(edge)
    }

    pub fn guard(&self) -> Guard {
        match self {
            Self::Begin(guard) | Self::End(guard) | Self::Error(guard) => *guard,
        }
    }
}

fn guard(text: &[u8]) -> Option<Guard> {
    let mut words = std::str::from_utf8(text).ok()?.split(' ');
    let guard =
        Guard { time: number(words.next())?, number: number(words.next())?, flags: number(words.next())? };
    words.next().is_none().then_some(guard)
}

/// A number as tmux prints it.
fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word.filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()
}

/// Something that happened, told without being asked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notification {
    /// A pane's program has written this.
    Output {
        /// The pane.
        pane: PaneId,
        /// The bytes, as the program wrote them.
        data: Vec<u8>,
    },
    /// The same for a client with the flag `pause-after`.
    ExtendedOutput {
        /// The pane.
        pane: PaneId,
        /// How long tmux has kept it back.
        age: Duration,
        /// The bytes, as the program wrote them.
        data: Vec<u8>,
    },
    /// The pane's output is held back from now on.
    Pause(PaneId),
    /// The pane's output comes again.
    Continue(PaneId),
    /// tmux lets this client go.
    Exit {
        /// Why, if it is not that this client wanted it.
        reason: Option<String>,
    },
    /// This client is attached to another session now, or the first time.
    SessionChanged {
        /// The session.
        session: SessionId,
        /// Its name.
        name: String,
    },
    /// A session has come or gone.
    SessionsChanged,
    /// Another client has left.
    ClientDetached {
        /// Its name: a terminal, or `client-` and its process.
        client: String,
    },
    /// A window of the session that this client is attached to has gone.
    WindowClose(WindowId),
    /// A window of another session has gone.
    UnlinkedWindowClose(WindowId),
    /// What was subscribed to (`refresh-client -B`) has another value.
    SubscriptionChanged {
        /// The name of the subscription.
        name: String,
        /// The pane that it is about, if it is about one.
        pane: Option<PaneId>,
        /// The value.
        value: String,
    },
    /// Any other notification.
    Other {
        /// What it is called, with the `%`.
        name: String,
        /// The rest of the line.
        rest: Vec<u8>,
    },
}

impl Notification {
    /// Reads a line outside of blocks. Nothing for a line that does not look like a notification.
    pub(super) fn read(line: &[u8]) -> Option<Self> {
        let (name, rest) = split(line);
        let name = std::str::from_utf8(name.strip_prefix(b"%")?).ok()?;
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') {
            return None;
        }
        Some(
            Self::known(name, rest)
                .unwrap_or_else(|| Self::Other { name: format!("%{name}"), rest: rest.to_vec() }),
        )
    }

    fn known(name: &str, rest: &[u8]) -> Option<Self> {
        Some(match name {
            "output" => {
                let (pane, data) = split(rest);
                Self::Output { pane: id(pane)?, data: decoded(data) }
            }
            "extended-output" => {
                let (pane, rest) = split(rest);
                let (age, rest) = split(rest);
                // What may come to stand between the age and the colon is passed over.
                let data = match rest.strip_prefix(b": ") {
                    Some(data) => data,
                    None => &rest[rest.windows(3).position(|three| three == b" : ")? + 3..],
                };
                Self::ExtendedOutput {
                    pane: id(pane)?,
                    age: Duration::from_millis(number(std::str::from_utf8(age).ok())?),
                    data: decoded(data),
                }
            }
            "pause" => Self::Pause(id(rest)?),
            "continue" => Self::Continue(id(rest)?),
            "exit" => Self::Exit { reason: Some(text(rest)).filter(|reason| !reason.is_empty()) },
            "session-changed" => {
                let (session, name) = split(rest);
                Self::SessionChanged { session: id(session)?, name: text(name) }
            }
            "sessions-changed" => Self::SessionsChanged,
            "client-detached" => Self::ClientDetached { client: text(rest) },
            "window-close" => Self::WindowClose(id(rest)?),
            "unlinked-window-close" => Self::UnlinkedWindowClose(id(rest)?),
            "subscription-changed" => {
                let colon = rest.windows(3).position(|three| three == b" : ")?;
                let head = text(&rest[..colon]);
                let mut words = head.split(' ');
                Self::SubscriptionChanged {
                    name: words.next()?.to_owned(),
                    pane: words.nth(3).and_then(|pane| pane.parse().ok()),
                    value: text(&rest[colon + 3..]),
                }
            }
            _ => return None,
        })
    }
}

/// At the first space. The second part is empty if there is none.
fn split(text: &[u8]) -> (&[u8], &[u8]) {
    match text.iter().position(|&byte| byte == b' ') {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, b""),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn id<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// Undoes the octal escapes: tmux writes control bytes and the backslash as `\ooo`, and every other byte as it is.
fn decoded(mut text: &[u8]) -> Vec<u8> {
    let mut data = Vec::with_capacity(text.len());
    while let Some(at) = text.iter().position(|&byte| byte == b'\\') {
        data.extend_from_slice(&text[..at]);
        text = match text[at + 1..] {
            [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', ref rest @ ..] => {
                data.push((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'));
                rest
            }
            ref rest => {
                data.push(b'\\');
                rest
            }
        };
    }
    data.extend_from_slice(text);
    data
}
