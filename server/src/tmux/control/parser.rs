//! Puts bytes together to lines, and lines to replies, blocks and notifications.
//!
//! While a mark is awaited, everything from the first `%begin` on is kept until the mark has come, and read as a whole then: only
//! then is it known what is a guard and what is text. Nothing is lost by that, since tmux runs a command list and the
//! mark after it in one go.

use std::collections::VecDeque;

use super::line::{Edge, Guard, Notification};
use super::transcript::{self, Part, Reply};

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The answer to the mark that was awaited longest.
    Reply(Reply),
    /// A block that nobody asked for: what a hook printed, or the answer to attaching.
    Block {
        /// What names it.
        guard: Guard,
        /// What was printed, with a newline after every line.
        output: Vec<u8>,
        /// Whether it ended with an error, which is then what was printed.
        error: bool,
    },
    /// Something happened.
    Notification(Notification),
    /// A line that is nothing of all that, without its newline.
    Line(Vec<u8>),
    /// Bytes were dropped here, because a line or a block was too long to be kept.
    Lost,
}

/// Reads a control client's input. Holds at most twice as many bytes as it was allowed.
#[derive(Debug)]
pub struct Parser {
    limit: usize,
    line: Vec<u8>,
    /// The line so far was longer than the limit.
    cut: bool,
    marks: VecDeque<String>,
    open: Option<Open>,
}

/// What has come since a `%begin` outside of blocks.
#[derive(Debug)]
struct Open {
    guard: Guard,
    text: Vec<u8>,
    cut: bool,
    mark: Sight,
}

/// How much of the mark's block was seen: where in the text it begins, and whether the mark was in it.
#[derive(Debug, Clone, Copy)]
enum Sight {
    Nothing,
    Begin { guard: Guard, at: usize },
    Mark { guard: Guard, at: usize },
}

impl Parser {
    /// A parser that keeps up to `limit` bytes of a line, and of a reply.
    pub fn new(limit: usize) -> Self {
        Self { limit, line: Vec::new(), cut: false, marks: VecDeque::new(), open: None }
    }

    /// Says that `mark` was sent after a command list. To be called before the bytes of the answer are fed, in the order
    /// in which the lists are sent.
    pub fn expect(&mut self, mark: String) {
        self.marks.push_back(mark);
    }

    /// Reads the next bytes. `sink` gets the events in order.
    pub fn feed(&mut self, mut bytes: &[u8], sink: &mut impl FnMut(Event)) {
        while let Some(at) = bytes.iter().position(|&byte| byte == b'\n') {
            let (piece, rest) = (&bytes[..at], &bytes[at + 1..]);
            bytes = rest;
            if self.line.is_empty() && !self.cut && piece.len() <= self.limit {
                self.take(piece, sink);
                continue;
            }
            self.keep(piece);
            let (line, cut) = (std::mem::take(&mut self.line), std::mem::take(&mut self.cut));
            match &mut self.open {
                Some(open) => open.cut |= cut,
                None if cut => sink(Event::Lost),
                None => (),
            }
            self.take(&line, sink);
        }
        self.keep(bytes);
    }

    /// How many bytes are held.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.line.len() + self.open.as_ref().map_or(0, |open| open.text.len())
    }

    fn keep(&mut self, piece: &[u8]) {
        let room = self.limit - self.line.len();
        self.cut |= piece.len() > room;
        self.line.extend_from_slice(&piece[..piece.len().min(room)]);
    }

    /// Reads one line, without its newline.
    fn take(&mut self, line: &[u8], sink: &mut impl FnMut(Event)) {
        let edge = Edge::read(line);
        let Some(open) = &mut self.open else {
            match edge {
                Some(Edge::Begin(guard)) => self.open = Some(Open::new(guard, line)),
                _ => sink(outside(line)),
            }
            return;
        };
        let mark = self.marks.front();
        let ended = open.look(line, edge, mark.map(String::as_str));
        open.add(line, self.limit);
        match (ended, mark) {
            (Some(at), Some(_)) => {
                self.marks.pop_front();
                self.resolve(at, sink);
            }
            // Nothing was asked, so nobody's text stands between this and the next.
            (None, None) if closes(edge, open.guard) => self.close(sink),
            (None, None) if open.cut => self.close(sink),
            _ => (),
        }
    }

    /// The mark has come: its block begins at `at`.
    fn resolve(&mut self, at: usize, sink: &mut impl FnMut(Event)) {
        let Some(open) = self.open.take() else { return };
        let text = &open.text[..at.min(open.text.len())];
        let mut reply = transcript::read(text, |part| sink(event(part)));
        reply.cut |= open.cut;
        if open.cut {
            sink(Event::Lost);
        }
        sink(Event::Reply(reply));
    }

    /// A block that nobody asked for has come to its end, or has become too long.
    fn close(&mut self, sink: &mut impl FnMut(Event)) {
        let Some(open) = self.open.take() else { return };
        transcript::parts(&open.text, |part| sink(event(part)));
        if open.cut {
            sink(Event::Lost);
        }
    }
}

impl Open {
    fn new(guard: Guard, line: &[u8]) -> Self {
        let mut open = Self { guard, text: Vec::new(), cut: false, mark: Sight::Begin { guard, at: 0 } };
        open.add(line, usize::MAX);
        open
    }

    /// Where the mark's block begins, if this line ends it.
    fn look(&mut self, line: &[u8], edge: Option<Edge>, mark: Option<&str>) -> Option<usize> {
        let was = std::mem::replace(&mut self.mark, Sight::Nothing);
        match (edge, was) {
            (Some(Edge::Begin(guard)), _) => self.mark = Sight::Begin { guard, at: self.text.len() },
            (Some(edge), Sight::Mark { guard, at }) if edge.guard() == guard => return Some(at),
            (None, Sight::Begin { guard, at })
                if mark.is_some_and(|mark| line.ends_with(mark.as_bytes())) =>
            {
                self.mark = Sight::Mark { guard, at };
            }
            _ => (),
        }
        None
    }

    fn add(&mut self, line: &[u8], limit: usize) {
        // Guards are always kept, so that a reply that is too long can still be told from an error.
        if self.text.len() + line.len() >= limit && Edge::read(line).is_none() {
            self.cut = true;
        } else if self.text.len() < limit.saturating_mul(2).saturating_sub(line.len()) {
            self.text.extend_from_slice(line);
            self.text.push(b'\n');
        } else {
            self.cut = true;
        }
    }
}

fn closes(edge: Option<Edge>, guard: Guard) -> bool {
    matches!(edge, Some(Edge::End(end) | Edge::Error(end)) if end == guard)
}

fn event(part: Part<'_>) -> Event {
    match part {
        Part::Block { guard, output, error } => Event::Block { guard, output: output.to_vec(), error },
        Part::Line(line) => outside(line),
    }
}

fn outside(line: &[u8]) -> Event {
    match Notification::read(line) {
        Some(notification) => Event::Notification(notification),
        None => Event::Line(line.to_vec()),
    }
}
