//! Is the shell in a pane at its prompt, or does it run something? A name alone does not tell: `sh build.sh` is a shell, too.
//!
//! On Linux the process in the foreground of the terminal is looked at. Elsewhere only its name is known.

use std::fs;

use super::line::Shell;

/// The shell that would read a line typed into a pane.
///
/// `program` is what tmux calls the program in the foreground, `process` the one that was started in the pane. `None` if
/// nothing there reads commands.
pub(super) fn shell(program: &str, process: Option<i32>) -> Option<Shell> {
    let shell = Shell::of_program(program)?;
    match process.and_then(foreground) {
        Some(words) if !reads_commands(&words) => None,
        _ => Some(shell),
    }
}

/// The words of the command in the foreground of the process's terminal.
fn foreground(process: i32) -> Option<Vec<String>> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name stands in brackets and may hold anything; the group in the foreground is the sixth field after it.
    let group: i32 = stat.rsplit_once(')')?.1.split_whitespace().nth(5)?.parse().ok()?;
    let line = fs::read(format!("/proc/{group}/cmdline")).ok()?;
    let words: Vec<String> =
        line.split(|&byte| byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect();
    // The list ends with an empty word.
    Some(words[..words.len().saturating_sub(1)].to_vec()).filter(|words| !words.is_empty())
}

/// Whether a shell that was started so reads commands from its terminal: no `-c`, no script.
fn reads_commands(words: &[String]) -> bool {
    let mut words = words.iter().map(String::as_str).skip(1).peekable();
    if words.peek().is_some_and(|word| Shell::of_program(word).is_some() && !word.starts_with('-')) {
        words.next(); // busybox sh
    }
    while let Some(word) = words.next() {
        match word {
            "--rcfile" | "--init-file" | "-o" | "+o" | "-O" | "+O" => {
                words.next();
            }
            "-C" | "--init-command" => {
                words.next(); // fish: a command before the prompt
            }
            "-s" | "--" | "-" => {}
            "--command" => return false,
            word if word.starts_with("--") || word.starts_with('+') => {}
            word if word.starts_with('-') => {
                if word.contains('c') {
                    return false;
                }
            }
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(line: &str) -> bool {
        reads_commands(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn shells_at_their_prompt() {
        for line in [
            "bash",
            "-bash",
            "/bin/sh",
            "bash --norc -i",
            "bash --rcfile /x",
            "zsh -l -f",
            "busybox sh",
            "fish -C foo",
            "sh -o vi",
        ] {
            assert!(reads(line), "{line}");
        }
        for line in
            ["sh build.sh", "bash -c true", "sh -ec true", "busybox sh x.sh", "bash -- x", "fish --command x"]
        {
            assert!(!reads(line), "{line}");
        }
    }

    #[test]
    fn only_shells() {
        assert_eq!(shell("vim", None), None);
        assert_eq!(shell("-zsh", None), Some(Shell::Posix));
        assert_eq!(shell("fish", None), Some(Shell::Fish));
    }
}
