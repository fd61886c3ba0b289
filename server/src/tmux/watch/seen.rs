//! What one wait has seen so far, however it looks.

use std::time::{Duration, Instant};

use super::matcher::{Matcher, Verdict};
use super::{OnProgress, Outcome, Watch, WatchProgress, Watched};
use crate::tmux::id::PaneId;
use crate::tmux::server::Server;

/// How often the caller is told that the wait goes on.
const TOLD: Duration = Duration::from_secs(2);
/// How long the end of a line is taken for an echo that is still coming.
const UNCERTAIN: Duration = Duration::from_millis(200);

/// The state of a wait.
pub(super) struct Seen<'a> {
    pub pane: PaneId,
    pub watch: Watch,
    pub matcher: Matcher,
    pub at_entry: bool,
    pub missed: bool,
    /// The screen at the beginning.
    pub entry: Option<Vec<String>>,
    begun: Instant,
    written: Instant,
    told: Instant,
    typed: u64,
    progress: Option<OnProgress<'a>>,
}

impl<'a> Seen<'a> {
    pub fn new(pane: PaneId, watch: Watch, begun: Instant, progress: Option<OnProgress<'a>>) -> Self {
        let matcher = Matcher::new(watch.patterns.clone(), watch.stop.clone(), watch.any_output);
        Self {
            pane,
            watch,
            matcher,
            at_entry: false,
            missed: false,
            entry: None,
            begun,
            written: begun,
            told: begun,
            typed: 0,
            progress,
        }
    }

    /// The screen at the beginning, which may be the alternate one. `exactly`: nothing was written between the beginning and
    /// this.
    pub fn enter(&mut self, server: &Server, screen: &[u8], alternate: bool, exactly: bool) {
        self.learn_typed(server);
        if alternate {
            self.matcher.begins_alternate();
        }
        let screen = lines(screen);
        if exactly {
            self.matcher.echo.on_screen(&screen.concat());
        }
        let matches = |line: &String| {
            let line = self.matcher.echo.without_typed(line);
            self.watch.patterns.first_match(&line).is_some()
        };
        self.at_entry = screen.iter().any(matches);
        self.entry = Some(screen);
    }

    /// The pane has written these bytes.
    pub fn bytes(&mut self, server: &Server, bytes: &[u8]) -> Option<Outcome> {
        self.written = Instant::now();
        self.learn_typed(server);
        self.matcher.feed(bytes).map(Outcome::from)
    }

    /// These lines have come to be on the screen.
    pub fn lines(&mut self, server: &Server, lines: Vec<String>) -> Option<Outcome> {
        if lines.is_empty() {
            return None;
        }
        self.written = Instant::now();
        self.learn_typed(server);
        self.matcher.lines(lines).map(Outcome::from)
    }

    /// What was typed is known before its echo comes.
    fn learn_typed(&mut self, server: &Server) {
        for typed in server.streams().typed_log().after(self.pane, self.typed) {
            self.typed = typed.number;
            self.matcher.echo.expect(&typed.text);
        }
    }

    /// When [`Self::look`] is due if nothing comes.
    pub fn due(&self) -> Option<Instant> {
        let idle = self.watch.idle.map(|idle| self.written + idle);
        let uncertain = self.matcher.is_uncertain().then(|| self.written + UNCERTAIN);
        let told = self.progress.map(|_| self.told + TOLD);
        [idle, uncertain, told].into_iter().flatten().min()
    }

    /// Does what is due.
    pub fn look(&mut self) -> Option<Outcome> {
        let now = Instant::now();
        if self.matcher.is_uncertain()
            && now >= self.written + UNCERTAIN
            && let Some(verdict) = self.matcher.settle()
        {
            return Some(verdict.into());
        }
        if self.watch.idle.is_some_and(|idle| now >= self.written + idle) {
            return Some(Outcome::Idle);
        }
        if let Some(tell) = self.progress
            && now >= self.told + TOLD
        {
            self.told = now;
            tell(WatchProgress { elapsed: self.begun.elapsed(), saw_output: self.matcher.saw_output });
        }
        None
    }

    pub fn result(self, outcome: Outcome) -> Watched {
        let mut tail = self.matcher.tail.lines();
        if tail.is_empty() {
            tail.extend(self.entry.and_then(|mut rows| rows.pop()));
        }
        Watched {
            outcome,
            at_entry: self.at_entry,
            tail,
            saw_output: self.matcher.saw_output,
            alternate: self.matcher.alternated(),
            missed: self.missed,
            elapsed: self.begun.elapsed(),
        }
    }
}

impl From<Verdict> for Outcome {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Matched { index, lines } => Self::Matched { index, lines },
            Verdict::Stopped { index, lines } => Self::Stopped { index, lines },
            Verdict::AnyOutput => Self::AnyOutput,
        }
    }
}

/// The lines of a captured screen, without the empty ones at its end.
pub(in crate::tmux) fn lines(screen: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(screen);
    let mut lines: Vec<_> = text.lines().map(|line| line.trim_end().to_owned()).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}
