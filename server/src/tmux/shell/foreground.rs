//! Is the shell in a pane at its prompt, or does it run something? A name alone does not tell: `sh build.sh` is a shell, too.
//!
//! On Linux the process in the foreground of the terminal is looked at. Elsewhere only its name is known.

use std::fs;

use rustix::fs::{Mode, OFlags};
use rustix::termios::{InputModes, LocalModes, SpecialCodeIndex, Termios, tcgetattr};

use super::line::Shell;

/// Programs behind which a shell of another machine or a container sits.
const BEYOND: &[&str] = &["docker", "kubectl", "podman", "ssh"];

/// Who reads what is typed into a pane: the process that was started there, and the group of processes that has its terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seat {
    process: i32,
    group: i32,
    /// The shell runs a subshell as a process of its own, so that it is not in its group itself while something runs.
    forks: bool,
}

/// What those who sit there do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doing {
    /// Something.
    Something,
    /// The shell sleeps and nothing else is there: it reads its next line, or what a command of its own reads.
    Nothing,
    /// The process has ended.
    Gone,
}

/// The shell that would read a line typed into a pane, and where it sits if that can be known.
///
/// `program` is what tmux calls the program in the foreground, `process` the one that was started in the pane. `None` if
/// nothing there reads commands.
pub(super) fn shell(program: &str, process: Option<i32>) -> Option<(Shell, Option<Seat>)> {
    let shell = Shell::of_program(program)?;
    let group = process.and_then(|process| stat(process)?.foreground());
    if group.and_then(words).is_some_and(|words| !reads_commands(&words)) {
        return None;
    }
    let forks = shell != Shell::Fish && !program.contains("ksh");
    let seat = process.zip(group).map(|(process, group)| Seat { process, group, forks });
    Some((shell, seat))
}

/// Whether a pane's process is a shell that was started just now: what runs in it is its profile, after which it prompts.
pub(super) fn is_starting(process: Option<i32>) -> bool {
    /// How long a profile is waited for, in hundredths of a second, in which Linux counts.
    const STARTING: u64 = 300;
    let is_shell = |words: &[String]| {
        let program = words.first().and_then(|word| word.rsplit('/').next()).unwrap_or_default();
        Shell::of_program(program).is_some() && reads_commands(words)
    };
    let up = || {
        let text = fs::read_to_string("/proc/uptime").ok()?;
        let seconds: f64 = text.split_whitespace().next()?.parse().ok()?;
        Some((seconds * 100.0) as u64)
    };
    let Some(process) = process.filter(|&process| words(process).is_some_and(|words| is_shell(&words)))
    else {
        return false;
    };
    let age = stat(process).and_then(|stat| stat.started()).zip(up());
    age.is_some_and(|(started, now)| now.saturating_sub(started) < STARTING)
}

/// The shell that sits behind the program in the foreground, if every key is passed on to it. A program that still asks for a
/// password reads whole lines. Which shell it is nobody can know; most are of one kind.
pub(super) fn shell_beyond(program: &str, terminal: Option<&str>) -> Option<Shell> {
    if !BEYOND.contains(&program) {
        return None;
    }
    let reads_lines = modes(terminal?)?.local_modes.contains(LocalModes::ICANON);
    (!reads_lines).then_some(Shell::Posix)
}

/// How a terminal is set.
fn modes(terminal: &str) -> Option<Termios> {
    // Only looked at: it must not become this program's own.
    let flags = OFlags::RDONLY | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    tcgetattr(rustix::fs::open(terminal, flags, Mode::empty()).ok()?).ok()
}

/// What makes a line of its own of what is typed, whatever stands at the prompt already and whatever a program has left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Keys {
    /// Throws away what somebody has typed and not ended, or nothing where that would be taken for text.
    pub discard: &'static str,
    /// Ends the line.
    pub enter: char,
}

impl Keys {
    /// Where nothing is known.
    pub const PLAIN: Keys = Keys { discard: "", enter: '\r' };
}

/// The keys for a line that this program reads.
pub(super) fn keys(program: &str, terminal: Option<&str>) -> Keys {
    keys_for(program, terminal.and_then(modes).as_ref())
}

fn keys_for(program: &str, modes: Option<&Termios>) -> Keys {
    const KILL: u8 = 0x15;
    // sh may be a shell with a line editor, or one without whose terminal a program has left in raw mode.
    let edits = !matches!(program.trim_start_matches('-'), "sh" | "dash");
    let canonical = modes.is_some_and(|modes| modes.local_modes.contains(LocalModes::ICANON));
    let is_kill = modes.is_none_or(|modes| modes.special_codes[SpecialCodeIndex::VKILL] == KILL);
    let kills = is_kill && (canonical || edits);
    let returns = modes.is_none_or(|modes| modes.input_modes.contains(InputModes::ICRNL));
    Keys {
        discard: if kills { "\x15" } else { "" },
        // Elsewhere nothing turns a carriage return into the end of a line.
        enter: if returns || !canonical && edits { '\r' } else { '\n' },
    }
}

impl Seat {
    /// Whether a shell that does nothing is certainly at its prompt.
    pub fn tells(self) -> bool {
        self.forks
    }

    /// Whether the pane had the same process both times.
    pub fn is_of_same_process(self, other: Seat) -> bool {
        self.process == other.process
    }

    /// What goes on there now.
    pub fn doing(self) -> Doing {
        let Some(own) = stat(self.process).filter(|own| !own.has_ended()) else { return Doing::Gone };
        let sleeps = |leader: Stat| leader.state() == Some("S");
        let free = own.foreground() == Some(self.group)
            && stat(self.group).is_some_and(sleeps)
            && !has_others(self.group);
        if free { Doing::Nothing } else { Doing::Something }
    }
}

/// What the system says about a process.
struct Stat(String);

fn stat(process: i32) -> Option<Stat> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name stands in brackets and may hold anything.
    Some(Stat(stat.rsplit_once(')')?.1.to_owned()))
}

impl Stat {
    fn field(&self, number: usize) -> Option<&str> {
        self.0.split_whitespace().nth(number)
    }

    fn state(&self) -> Option<&str> {
        self.field(0)
    }

    fn has_ended(&self) -> bool {
        matches!(self.state(), Some("Z" | "X"))
    }

    fn group(&self) -> Option<i32> {
        self.field(2)?.parse().ok()
    }

    /// When it was started, in hundredths of a second since the system was.
    fn started(&self) -> Option<u64> {
        self.field(19)?.parse().ok()
    }

    /// The group in the foreground of its terminal.
    fn foreground(&self) -> Option<i32> {
        self.field(5)?.parse().ok().filter(|&group| group > 0)
    }
}

/// Whether a process besides its leader is in the group.
fn has_others(group: i32) -> bool {
    let Ok(processes) = fs::read_dir("/proc") else { return true };
    let processes = processes.filter_map(|process| process.ok()?.file_name().to_str()?.parse().ok());
    let mut stats = processes.filter(|&process| process != group).filter_map(stat);
    stats.any(|other| other.group() == Some(group) && !other.has_ended())
}

/// The words of the command that leads a group.
fn words(group: i32) -> Option<Vec<String>> {
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
        assert_eq!(shell("-zsh", None), Some((Shell::Posix, None)));
        assert_eq!(shell("fish", None), Some((Shell::Fish, None)));
    }
}
