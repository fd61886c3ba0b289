//! Where in a pane's output does a command's own output begin and end, and with which status? Pure: bytes in, findings out.
//!
//! The typed line prints a mark before the command and one after it: an OSC sequence with a number that no terminal knows, so
//! that it shows nothing on the screen. The line itself, which the shell echoes, holds the marks as text and not as escapes,
//! so it is not taken for them.

/// The number of the OSC sequence. Free to be chosen; tmux passes over what it does not know.
pub(super) const OSC: &str = "5379";

/// The longest that the end mark may be after its beginning: a status has at most three digits, give or take a sign.
const LONGEST_STATUS: usize = 16;

/// Looks for the marks of one command in a stream of bytes, however it is cut into pieces.
#[derive(Debug)]
pub(super) struct Marks {
    begin: Vec<u8>,
    end: Vec<u8>,
    state: State,
    /// What may be the first part of a mark: never longer than one.
    held: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Before,
    Inside,
    After,
}

impl Marks {
    /// The marks of the command with this id.
    pub fn new(id: &str) -> Self {
        Marks {
            begin: format!("\x1b]{OSC};S{id}\x07").into_bytes(),
            end: format!("\x1b]{OSC};E{id};").into_bytes(),
            state: State::Before,
            held: Vec::new(),
        }
    }

    /// Whether the command has begun.
    pub fn begun(&self) -> bool {
        self.state != State::Before
    }

    /// Reads the next piece. The command's own output in it goes to `output`, in order; the status is given at the end.
    pub fn feed(&mut self, piece: &[u8], output: &mut Vec<u8>) -> Option<i32> {
        if self.state == State::After {
            return None;
        }
        self.held.extend_from_slice(piece);
        if self.state == State::Before {
            match find(&self.held, &self.begin) {
                Some(at) => {
                    self.held.drain(..at + self.begin.len());
                    self.state = State::Inside;
                }
                None => {
                    let keep = overlap(&self.held, &self.begin);
                    self.held.drain(..self.held.len() - keep);
                    return None;
                }
            }
        }
        loop {
            let Some(at) = find(&self.held, &self.end) else {
                let keep = overlap(&self.held, &self.end);
                output.extend(self.held.drain(..self.held.len() - keep));
                return None;
            };
            output.extend(self.held.drain(..at));
            let rest = &self.held[self.end.len()..];
            match rest.iter().position(|&byte| byte == 0x07) {
                Some(bell) => {
                    let status = std::str::from_utf8(&rest[..bell]).ok().and_then(|text| text.parse().ok());
                    if let Some(status) = status {
                        self.state = State::After;
                        self.held.clear();
                        return Some(status);
                    }
                    // Not a status: it only looked like the mark, and is output.
                    output.extend(self.held.drain(..self.end.len()));
                }
                None if rest.len() > LONGEST_STATUS => output.extend(self.held.drain(..self.end.len())),
                None => return None,
            }
        }
    }

    /// What was held back because it might have become a mark, when the stream has ended in the middle.
    pub fn rest(&mut self) -> Vec<u8> {
        if self.state == State::Inside { std::mem::take(&mut self.held) } else { Vec::new() }
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let first = *wanted.first()?;
    let mut from = 0;
    while let Some(at) = bytes[from..].iter().position(|&byte| byte == first).map(|at| at + from) {
        if bytes[at..].starts_with(wanted) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

/// How many bytes at the end of `bytes` may be the beginning of `wanted`.
fn overlap(bytes: &[u8], wanted: &[u8]) -> usize {
    (1..wanted.len().min(bytes.len() + 1))
        .rev()
        .find(|&length| bytes.ends_with(&wanted[..length]))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(pieces: &[&[u8]]) -> (Vec<u8>, Option<i32>) {
        let mut marks = Marks::new("ab12");
        let mut output = Vec::new();
        let status = pieces.iter().fold(None, |status, piece| status.or(marks.feed(piece, &mut output)));
        (output, status)
    }

    #[test]
    fn between_the_marks() {
        let stream = b"$ printf '\\033]5379;Sab12\\007'\r\n\x1b]5379;Sab12\x07hi\r\n\x1b]5379;Eab12;1\x07$ ";
        assert_eq!(read(&[stream]), (b"hi\r\n".to_vec(), Some(1)));
        assert_eq!(read(&[b"$ nothing yet"]), (Vec::new(), None));
        assert_eq!(read(&[b"\x1b]5379;Sab12\x07\x1b]5379;Eab12;0\x07"]), (Vec::new(), Some(0)));
        // Marks of somebody else, and what only begins like one.
        let stream =
            b"\x1b]5379;Sab12\x07a\x1b]5379;Ezz;1\x07\x1b]5379;Eab12;x\x07\x1b[0m\x1b]5379;Eab12;255\x07";
        assert_eq!(
            read(&[stream]),
            (b"a\x1b]5379;Ezz;1\x07\x1b]5379;Eab12;x\x07\x1b[0m".to_vec(), Some(255))
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn however_it_is_cut(
            before in proptest::collection::vec(any::<u8>(), 0..40),
            // Made of what marks are made of, so that near misses are common.
            inside in "(\x1b|\\]|5379|;|E|S|ab12|\x07|x){0,30}",
            cuts in proptest::collection::vec(0usize..400, 0..8),
        ) {
            prop_assume!(find(inside.as_bytes(), b"\x1b]5379;Eab12;").is_none());
            let mut stream = before;
            prop_assume!(find(&stream, b"\x1b]5379;S").is_none());
            stream.extend_from_slice(b"\x1b]5379;Sab12\x07");
            stream.extend_from_slice(inside.as_bytes());
            stream.extend_from_slice(b"\x1b]5379;Eab12;42\x07prompt");
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(stream.len())).collect();
            cuts.push(0);
            cuts.push(stream.len());
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &stream[pair[0]..pair[1]]).collect();
            prop_assert_eq!(read(&pieces), (inside.into_bytes(), Some(42)));
        }

        #[test]
        fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut marks = Marks::new("1");
            let mut output = Vec::new();
            let _ = marks.feed(&bytes, &mut output);
            prop_assert!(marks.held.len() <= marks.begin.len().max(marks.end.len() + LONGEST_STATUS + 1));
        }
    }
}
