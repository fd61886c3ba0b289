//! How a program ended, and the names of signals. Pure.

use std::fmt;

use rustix::process::Signal as Known;

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// It exited with this status, 0 to 255.
    Code(i32),
    /// A signal ended it.
    Signal(Signal),
}

/// A signal by number and name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    /// The number on the system where this program runs.
    pub number: i32,
    /// The name: `SIGTERM`, `SIGRTMIN+2`, or `SIG99` for a number without one.
    pub name: String,
}

/// The first real-time signal that programs can use. The two before it belong to the C library.
const RTMIN: i32 = 34;
const RTMAX: i32 = 64;

impl Signal {
    /// The signal with this number.
    pub fn from_number(number: i32) -> Self {
        let known = NAMES.iter().find(|(signal, _)| signal.as_raw() == number);
        let name = match (known, number - RTMIN) {
            (Some((_, name)), _) => format!("SIG{name}"),
            (None, 0) => "SIGRTMIN".to_owned(),
            (None, above) if (RTMIN..=RTMAX).contains(&number) => format!("SIGRTMIN+{above}"),
            _ => format!("SIG{number}"),
        };
        Self { number, name }
    }

    /// Reads what tmux prints: a number on Linux, a name such as `TERM` on systems that know names.
    pub(super) fn read(text: &str) -> Option<Self> {
        let bare = text.trim_start_matches("SIG").trim_start_matches("sig");
        let number = text.parse().ok().or_else(|| {
            NAMES.iter().find(|(_, name)| name.eq_ignore_ascii_case(bare)).map(|(signal, _)| signal.as_raw())
        })?;
        (number > 0).then(|| Self::from_number(number))
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "status {code}"),
            Self::Signal(signal) => f.write_str(&signal.name),
        }
    }
}

impl Status {
    /// Reads the two values that tmux has, of which at most one is not empty.
    pub(super) fn read(code: &str, signal: &str) -> Option<Self> {
        code.parse().ok().map(Self::Code).or_else(|| Signal::read(signal).map(Self::Signal))
    }

    /// Finds the signal in what tmux 3.2a draws into a dead pane, its only mention there.
    pub(super) fn read_drawn(screen: &str) -> Option<Self> {
        let (_, after) = screen.rsplit_once("Pane is dead (signal ")?;
        let end = after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len());
        Signal::read(&after[..end]).map(Self::Signal)
    }
}

const NAMES: &[(Known, &str)] = &[
    (Known::HUP, "HUP"),
    (Known::INT, "INT"),
    (Known::QUIT, "QUIT"),
    (Known::ILL, "ILL"),
    (Known::TRAP, "TRAP"),
    (Known::ABORT, "ABRT"),
    (Known::BUS, "BUS"),
    (Known::FPE, "FPE"),
    (Known::KILL, "KILL"),
    (Known::USR1, "USR1"),
    (Known::SEGV, "SEGV"),
    (Known::USR2, "USR2"),
    (Known::PIPE, "PIPE"),
    (Known::ALARM, "ALRM"),
    (Known::TERM, "TERM"),
    #[cfg(target_os = "linux")]
    (Known::STKFLT, "STKFLT"),
    (Known::CHILD, "CHLD"),
    (Known::CONT, "CONT"),
    (Known::STOP, "STOP"),
    (Known::TSTP, "TSTP"),
    (Known::TTIN, "TTIN"),
    (Known::TTOU, "TTOU"),
    (Known::URG, "URG"),
    (Known::XCPU, "XCPU"),
    (Known::XFSZ, "XFSZ"),
    (Known::VTALARM, "VTALRM"),
    (Known::PROF, "PROF"),
    (Known::WINCH, "WINCH"),
    (Known::IO, "IO"),
    #[cfg(target_os = "linux")]
    (Known::POWER, "PWR"),
    (Known::SYS, "SYS"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_have_names() {
        let name = |number| Signal::from_number(number).name;
        assert_eq!(name(15), "SIGTERM");
        assert_eq!(name(9), "SIGKILL");
        assert_eq!(name(6), "SIGABRT");
        assert_eq!(name(34), "SIGRTMIN");
        assert_eq!(name(36), "SIGRTMIN+2");
        assert_eq!(name(64), "SIGRTMIN+30");
        assert_eq!(name(99), "SIG99");
    }

    #[test]
    fn both_spellings_are_read() {
        for text in ["15", "TERM", "term", "SIGTERM"] {
            assert_eq!(Signal::read(text), Some(Signal::from_number(15)), "{text}");
        }
        for text in ["", "0", "-1", "none"] {
            assert_eq!(Signal::read(text), None, "{text}");
        }
        assert_eq!(Status::read("0", ""), Some(Status::Code(0)));
        assert_eq!(Status::read("", "9"), Some(Status::Signal(Signal::from_number(9))));
        assert_eq!(Status::read("", ""), None);
    }

    #[test]
    fn the_drawn_line_is_read() {
        let screen =
            "$ x\nPane is dead (signal 1, long ago)\nPane is dead (signal 15, Mon Nov 30 18:11:02 2026)";
        assert_eq!(Status::read_drawn(screen), Some(Status::Signal(Signal::from_number(15))));
        assert_eq!(Status::read_drawn("Pane is dead (status 3, now)"), None);
        assert_eq!(Status::read_drawn("Pane is dead (signal "), None);
    }
}
