//! One tmux command, and lists of them, as data: how every word reaches tmux unchanged is decided here and nowhere else.
//!
//! Two ways lead to tmux, and each has a quoting of its own:
//!
//! - **argv** of a process. tmux takes a word that ends in `;` for the end of a command, so a final `;` is escaped.
//! - **a line** of text: what a control connection reads, and what commands such as `if-shell` take as an argument.
//!
//! Neither touches what a *command* makes of its arguments. An argument that tmux expands as a format needs
//! [`literal`], once, where the command is built.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// One tmux command: a name, flags, and operands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    name: &'static str,
    flags: Vec<Vec<u8>>,
    operands: Vec<Vec<u8>>,
    /// Means the same whatever is current: see [`Self::anywhere`].
    anywhere: bool,
    /// How many operands are lists of commands that may go over a connection.
    inner_suiting: usize,
}

impl Command {
    /// A command without arguments.
    pub fn new(name: &'static str) -> Self {
        Self { name, flags: Vec::new(), operands: Vec::new(), anywhere: false, inner_suiting: 0 }
    }

    /// Adds a flag that takes no value: `-k`.
    pub fn flag(mut self, flag: char) -> Self {
        self.flags.push(format!("-{flag}").into_bytes());
        self
    }

    /// Adds a flag that takes no value, if `on`.
    pub fn flag_if(self, on: bool, flag: char) -> Self {
        if on { self.flag(flag) } else { self }
    }

    /// Adds a flag with its value, as two words, so that any value is possible: `-c` `/tmp`.
    pub fn value(self, flag: char, value: impl AsRef<OsStr>) -> Self {
        let mut this = self.flag(flag);
        this.flags.push(value.as_ref().as_bytes().to_vec());
        this
    }

    /// Adds the target: `-t` and something that prints as a tmux target, such as an id.
    pub fn target(self, target: impl fmt::Display) -> Self {
        self.value('t', target.to_string())
    }

    /// Adds an operand. Operands stand after all flags, and one that begins with `-` is not taken for a flag.
    pub fn operand(mut self, operand: impl AsRef<OsStr>) -> Self {
        self.operands.push(operand.as_ref().as_bytes().to_vec());
        self
    }

    /// Adds an operand that is itself commands, as `if-shell` takes them.
    pub fn commands(self, list: &CommandList) -> Result<Self, NulInWord> {
        let line = list.line()?;
        let mut this = self.operand(OsStr::from_bytes(&line));
        this.inner_suiting += usize::from(list.0.is_empty() || list.suits_connection());
        Ok(this)
    }

    fn words(&self) -> impl Iterator<Item = &[u8]> {
        // tmux stops reading flags at the first operand, so only that one can be mistaken.
        let guard = self.operands.first().is_some_and(|first| first.starts_with(b"-"));
        std::iter::once(self.name.as_bytes())
            .chain(self.flags.iter().map(Vec::as_slice))
            .chain(guard.then_some(b"--".as_slice()))
            .chain(self.operands.iter().map(Vec::as_slice))
    }
}

/// Commands that tmux runs in order, in one go: nothing else happens on the server between two of them unless one of
/// them waits. If one fails the rest is not run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CommandList(Vec<Command>);

impl CommandList {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there is no command in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends a command.
    pub fn then(mut self, command: Command) -> Self {
        self.0.push(command);
        self
    }

    /// The arguments for a tmux process.
    pub fn argv(&self) -> Result<Vec<OsString>, NulInWord> {
        let mut argv = Vec::new();
        for command in &self.0 {
            if !argv.is_empty() {
                argv.push(OsString::from(";"));
            }
            for word in command.words() {
                argv.push(OsString::from_vec(argv_word(no_nul(word)?)));
            }
        }
        Ok(argv)
    }

    /// One line of text without a newline, for tmux's own parser.
    pub fn line(&self) -> Result<Vec<u8>, NulInWord> {
        let mut line = Vec::new();
        for (index, command) in self.0.iter().enumerate() {
            if index > 0 {
                line.extend_from_slice(b" ; ");
            }
            for (index, word) in command.words().enumerate() {
                if index > 0 {
                    line.push(b' ');
                }
                line.extend_from_slice(&line_word(no_nul(word)?));
            }
        }
        Ok(line)
    }
}

impl From<Command> for CommandList {
    fn from(command: Command) -> Self {
        Self(vec![command])
    }
}

/// For messages: the first command and how many follow, cut short. Formats and other people's text stay out.
impl fmt::Display for CommandList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.0.first() else { return f.write_str("(nothing)") };
        f.write_str(first.name)?;
        if let Some(at) = first.flags.iter().position(|word| word == b"-t")
            && let Some(target) = first.flags.get(at + 1)
        {
            write!(f, " -t {}", String::from_utf8_lossy(target))?;
        }
        match self.0.len() {
            1 => Ok(()),
            more => write!(f, " (and {} more)", more - 1),
        }
    }
}

/// A word of a command holds a NUL byte. Neither a process nor tmux can take one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an argument for tmux holds a NUL byte, which cannot be passed on")]
pub struct NulInWord;

fn no_nul(word: &[u8]) -> Result<&[u8], NulInWord> {
    if word.contains(&0) { Err(NulInWord) } else { Ok(word) }
}

fn argv_word(word: &[u8]) -> Vec<u8> {
    let mut word = word.to_vec();
    if word.last() == Some(&b';') {
        word.insert(word.len() - 1, b'\\');
    }
    word
}

fn line_word(word: &[u8]) -> Vec<u8> {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./:@+,".contains(byte);
    if !word.is_empty() && word.iter().all(plain) {
        return word.to_vec();
    }
    // Inside '…' everything is literal, but a byte 0xFF reads as the end of the text, and a newline ends a line.
    let quiet = |c: char| c != '\'' && !c.is_control();
    match std::str::from_utf8(word) {
        Ok(text) if text.chars().all(quiet) => [b"'", word, b"'"].concat(),
        _ => double_quoted(word),
    }
}

fn double_quoted(word: &[u8]) -> Vec<u8> {
    let mut quoted = vec![b'"'];
    for chunk in word.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                // A `~` after the opening quote would become the home directory.
                '"' | '\\' | '$' | '~' => quoted.extend_from_slice(&[b'\\', c as u8]),
                c if c.is_ascii_control() => quoted.extend_from_slice(octal(c as u8).as_bytes()),
                c => quoted.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        for byte in chunk.invalid() {
            quoted.extend_from_slice(octal(*byte).as_bytes());
        }
    }
    quoted.push(b'"');
    quoted
}

fn octal(byte: u8) -> String {
    format!("\\{byte:03o}")
}

/// Text that arrives as it is in an argument that tmux expands as a format.
///
/// `#` is doubled, except in a run of them that stands before `[`: tmux keeps such a run as it is, for styles.
pub fn literal(text: impl AsRef<OsStr>) -> OsString {
    let text = text.as_ref().as_bytes();
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(&byte) = rest.first() {
        let run = rest.iter().take_while(|&&b| b == b'#').count();
        match run {
            0 => {
                out.push(byte);
                rest = &rest[1..];
            }
            run => {
                let times = if rest.get(run) == Some(&b'[') { run } else { 2 * run };
                out.extend(std::iter::repeat_n(b'#', times));
                rest = &rest[run..];
            }
        }
    }
    OsString::from_vec(out)
}

mod way;

#[cfg(test)]
mod tests;
