//! Reads all that came between a command list and its mark: which lines are guards, and which only look like it.
//!
//! - The last guard of an own block ends the output: after it nothing can come that others have written, but what hooks
//!   print. So one command's output is exact whatever it holds.
//! - In a list of several commands, a block ends at the last line that equals its guard. If a text holds the guard of an
//!   earlier block of the same list, guessed to the number, that block grows by it: then the output holds the guard
//!   lines as well, but nothing is missing, and whether the list failed is still told right.

use super::line::{Edge, Guard, Notification};

/// What a command list printed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reply {
    /// What its commands printed, with a newline after every line.
    pub output: Vec<u8>,
    /// What tmux said when it refused one of them; those after it were not run.
    pub refused: Option<Vec<u8>>,
    /// The output was longer than allowed, and is not whole.
    pub cut: bool,
    /// Nothing in what came answers the list.
    pub missing: bool,
}

/// A part of a transcript that is no answer.
pub(super) enum Part<'a> {
    Block { guard: Guard, output: &'a [u8], error: bool },
    Line(&'a [u8]),
}

/// A line that looks like a guard: where it begins and where the next one does.
struct Mark {
    edge: Edge,
    from: usize,
    to: usize,
}

/// Reads the answer, and gives everything else to `others`.
pub(super) fn read<'a>(text: &'a [u8], mut others: impl FnMut(Part<'a>)) -> Reply {
    let marks = marks(text);
    let last = marks.iter().rposition(|mark| ends(mark) && mark.edge.guard().is_own() && begun(&marks, mark));
    let last_guard = last.map(|index| marks[index].edge.guard());
    let mut reply = Reply { missing: true, ..Reply::default() };
    let mut inside = false;
    walk(text, &marks, last, |part| match part {
        Part::Block { guard, output, error } if guard.is_own() => {
            reply.missing = false;
            inside = Some(guard) != last_guard;
            match error {
                true => reply.refused = Some(message(output)),
                false => reply.output.extend_from_slice(output),
            }
        }
        // Nothing but notifications stands between two blocks, unless a text has led astray.
        Part::Line(line) if inside && !is_notification(line) => {
            reply.output.extend_from_slice(line);
            reply.output.push(b'\n');
        }
        part => others(part),
    });
    reply
}

/// Reads what came without being asked for.
pub(super) fn parts<'a>(text: &'a [u8], sink: impl FnMut(Part<'a>)) {
    walk(text, &marks(text), None, sink);
}

/// Goes from block to block. `last` is the mark that is known to be the last of an own block.
fn walk<'a>(text: &'a [u8], marks: &[Mark], last: Option<usize>, mut sink: impl FnMut(Part<'a>)) {
    let mut at = 0;
    let mut index = 0;
    while index < marks.len() {
        let begin = &marks[index];
        let Some(end) = end_of(marks, index, last) else {
            // A guard without its other half is some text that stands outside of blocks.
            index += 1;
            continue;
        };
        lines(&text[at..begin.from], &mut sink);
        let (guard, error) = (begin.edge.guard(), matches!(marks[end].edge, Edge::Error(_)));
        sink(Part::Block { guard, output: &text[begin.to..marks[end].from], error });
        at = marks[end].to;
        index = end + 1;
    }
    lines(&text[at..], &mut sink);
}

/// Which mark ends the block that begins at `begin`.
fn end_of(marks: &[Mark], begin: usize, last: Option<usize>) -> Option<usize> {
    let Edge::Begin(guard) = marks[begin].edge else { return None };
    let is_end = |&index: &usize| ends(&marks[index]) && marks[index].edge.guard() == guard;
    let Some(last) = last else { return (begin + 1..marks.len()).find(is_end) };
    if begin > last {
        return (begin + 1..marks.len()).rev().find(is_end);
    }
    // After an error nothing more of the list is run, so only the last guard can tell of one.
    (begin + 1..=last)
        .rev()
        .find(|index| is_end(index) && (*index == last || !guard.is_own() || !is_error(&marks[*index])))
}

fn is_notification(line: &[u8]) -> bool {
    Edge::read(line).is_none() && Notification::read(line).is_some()
}

fn is_error(mark: &Mark) -> bool {
    matches!(mark.edge, Edge::Error(_))
}

fn ends(mark: &Mark) -> bool {
    !matches!(mark.edge, Edge::Begin(_))
}

/// Whether the block that this mark ends has a beginning.
fn begun(marks: &[Mark], end: &Mark) -> bool {
    marks.iter().any(|mark| mark.from < end.from && mark.edge == Edge::Begin(end.edge.guard()))
}

fn marks(text: &[u8]) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut from = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let to = from + line.len();
        if let Some(edge) = Edge::read(line.strip_suffix(b"\n").unwrap_or(line)) {
            marks.push(Mark { edge, from, to });
        }
        from = to;
    }
    marks
}

fn lines<'a>(text: &'a [u8], sink: &mut impl FnMut(Part<'a>)) {
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        sink(Part::Line(line.strip_suffix(b"\n").unwrap_or(line)));
    }
}

/// What tmux prints to standard error for the same mistake.
fn message(output: &[u8]) -> Vec<u8> {
    output.strip_prefix(b"parse error: ").unwrap_or(output).to_vec()
}
