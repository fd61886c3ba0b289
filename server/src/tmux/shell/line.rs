//! What is typed so that a shell runs a command between two marks and tells its status.
//!
//! - The command is one quoted word for `eval`, so an unbalanced quote is a status and not a prompt that waits for more.
//! - It runs in a subshell: `exit` and `cd` do not reach the shell itself (in fish, which has none, `exit` does not). Shells with `set -e` survive a failing command.
//! - What a line editor would take as a key (tabs, newlines, control bytes), or might not read in its locale (all that is no
//!   ASCII: zsh makes `?` of it under `LC_ALL=C`, and ksh loses bytes of it where lines come fast), is not typed but written as
//!   an escape that `printf` undoes.
//! - A line that is longer than the shortest that a shell takes is put together in a variable with a name of its own, which is
//!   gone afterwards.

use super::marks::OSC;

/// The longest line that is typed, in bytes. busybox drops what comes after 1,023, a terminal in its cooked mode after 4,095.
const LONGEST_LINE: usize = 1_000;

/// The longest part of a command on such a line, as it is typed: what stands around it is shorter than the rest.
const LONGEST_PIECE: usize = LONGEST_LINE - 150;

/// Which language the shell in the pane speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shell {
    /// sh, dash, bash, ksh, mksh, zsh, busybox.
    Posix,
    /// fish.
    Fish,
}

impl Shell {
    /// The shell that a program's name stands for, as tmux tells it (`-bash` for a login shell); `None` for anything else.
    pub fn of_program(name: &str) -> Option<Self> {
        match name.trim_start_matches('-') {
            "sh" | "dash" | "bash" | "ash" | "busybox" | "ksh" | "ksh93" | "mksh" | "loksh" | "oksh"
            | "zsh" | "rbash" => Some(Shell::Posix),
            "fish" => Some(Shell::Fish),
            _ => None,
        }
    }

    /// The lines to type for `command`, to be ended with Enter each. With `unrecorded` they begin with a space, which keeps
    /// them out of the history of shells that are set so.
    pub(super) fn lines(self, id: &str, command: &str, unrecorded: bool) -> Vec<String> {
        let space = if unrecorded { " " } else { "" };
        let direct = match self {
            Shell::Posix => format!("{space}{}", posix(id, &self.word(command))),
            Shell::Fish => format!("{space}{}", fish(id, command, &self.word(command))),
        };
        if direct.len() <= LONGEST_LINE {
            return vec![direct];
        }
        let variable = format!("schemux_{id}");
        let mut lines: Vec<String> = pieces(command)
            .into_iter()
            .enumerate()
            .map(|(number, piece)| match (self, number) {
                // The x keeps newlines at the end of a piece, which a substitution would lose.
                (Shell::Posix, number) if !is_plain(piece) => {
                    let before = if number == 0 { String::new() } else { format!("\"${variable}\"") };
                    format!(
                        "{space}{variable}={before}\"$(printf '{}x')\"; {variable}=\"${{{variable}%x}}\"",
                        escaped(piece)
                    )
                }
                (Shell::Posix, 0) => format!("{space}{variable}={}", self.word(piece)),
                (Shell::Posix, _) => format!("{space}{variable}=\"${variable}\"{}", self.word(piece)),
                (Shell::Fish, 0) => format!("{space}set -g {variable} {}", self.word(piece)),
                (Shell::Fish, _) => format!("{space}set -g {variable} \"${variable}\"{}", self.word(piece)),
            })
            .collect();
        lines.push(match self {
            Shell::Posix => format!("{space}{}; unset {variable}", posix(id, &format!("\"${variable}\""))),
            Shell::Fish => {
                format!("{space}{}; set -e {variable}", fish(id, command, &format!("\"${variable}\"")))
            }
        });
        lines
    }

    /// Text as one word of the shell.
    fn word(self, text: &str) -> String {
        if is_plain(text) {
            return match self {
                Shell::Posix => format!("'{}'", text.replace('\'', r"'\''")),
                Shell::Fish => format!("'{}'", text.replace('\\', r"\\").replace('\'', r"\'")),
            };
        }
        // `printf` undoes the escapes. Newlines at the very end are lost, which changes no command.
        let escaped = escaped(text);
        match self {
            Shell::Posix => format!("\"$(printf '{escaped}')\""),
            Shell::Fish => format!("(printf '{}' | string collect -N)", escaped.replace('\\', r"\\")),
        }
    }
}

/// Whether every line editor reads the text as it is.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// Text for `printf` between single quotes, of printable ASCII only. An exclamation mark would be bash's history.
fn escaped(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'%' => "%%".to_owned(),
            b'!' | b'\\' | b'\'' | 0..=0x1f | 0x7f..=0xff => format!("\\{byte:03o}"),
            _ => char::from(byte).to_string(),
        })
        .collect()
}

fn posix(id: &str, word: &str) -> String {
    // As the head of an and-or list the command does not end a shell with `set -e`.
    format!(
        "printf '\\033]{OSC};S{id}\\007'; (eval {word}) && printf '\\033]{OSC};E{id};0\\007' || printf '\\033]{OSC};E{id};%s\\007' $?"
    )
}

fn fish(id: &str, command: &str, word: &str) -> String {
    // fish has no subshells: what would end the shell itself gets one of its own, which takes longer.
    let run = match ["exit", "exec"].iter().any(|ends| command.contains(ends)) {
        true => format!("eval (string escape (status fish-path)) -c (string escape -- {word})"),
        false => format!("eval {word}"),
    };
    format!("printf '\\033]{OSC};S{id}\\007'; {run}; printf '\\033]{OSC};E{id};%s\\007' $status")
}

/// The text in pieces that give lines which are short enough, whatever has to be escaped.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut from, mut room) = (0, LONGEST_PIECE);
    for (at, character) in text.char_indices() {
        // An escape has three digits, and its backslash is doubled in fish.
        let cost = match character {
            '%' | '!' | '\\' | '\'' => 5,
            ' '..='~' => 1,
            _ => 5 * character.len_utf8(),
        };
        if cost > room {
            pieces.push(&text[from..at]);
            (from, room) = (at, LONGEST_PIECE);
        }
        room -= cost;
    }
    pieces.push(&text[from..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::super::marks::Marks;
    use super::*;
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    /// What a shell makes of the lines that are typed for a command: its output and status.
    #[allow(clippy::disallowed_methods, reason = "the shells that the lines are written for")]
    fn run(shell: &str, command: &str) -> (String, Option<i32>) {
        let lines = Shell::of_program(shell).unwrap().lines("0a1b", command, true).join("\n");
        let mut child = Command::new(shell)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{shell}: {error}; install it for this test"));
        child.stdin.take().unwrap().write_all(format!("{lines}\n").as_bytes()).unwrap();
        let printed = child.wait_with_output().unwrap().stdout;
        let (mut marks, mut output) = (Marks::new("0a1b"), Vec::new());
        let status = marks.feed(&printed, &mut output);
        (String::from_utf8(output).unwrap(), status)
    }

    #[test]
    fn shells_run_what_is_meant() {
        let long = format!("printf %s '{}'", "é'\\''\n".repeat(2_000));
        for shell in ["sh", "bash"] {
            for (command, output, status) in [
                (":", "", 0),
                ("echo hi; false", "hi\n", 1),
                ("exit 7", "", 7),
                ("echo \"it's\" '$HOME' \\\\ % %s", "it's $HOME \\ % %s\n", 0),
                ("cat <<X\n\ta\n%b\\n\nX\n", "\ta\n%b\\n\n", 0),
                ("printf '%s|' 'a\tb' \"c\nd\"\n\n", "a\tb|c\nd|", 0),
                ("printf '%s' 'é漢 % \\ !\u{1f600}'", "é漢 % \\ !\u{1f600}", 0),
                ("set -e; false; echo on", "on\n", 0),
                ("# only a comment", "", 0),
            ] {
                assert_eq!(run(shell, command), (output.to_owned(), Some(status)), "{shell}: {command}");
            }
            assert_ne!(run(shell, "echo 'unbalanced").1, Some(0), "{shell}");
            assert_eq!(run(shell, &long), ("é'\n".repeat(2_000), Some(0)), "{shell}");
        }
    }

    #[test]
    fn no_line_is_too_long_and_none_holds_a_key() {
        for command in
            ["\n".repeat(10_000), "'".repeat(10_000), "\u{1f600}".repeat(5_000), "x\n%!".repeat(9_000)]
        {
            for shell in [Shell::Posix, Shell::Fish] {
                for line in shell.lines("0a1b", &command, true) {
                    assert!(line.len() < 1_024, "{} bytes", line.len());
                    assert!(is_plain(&line), "{line}");
                }
            }
        }
    }
}
