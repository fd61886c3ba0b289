//! A pane whose program keeps every byte that it gets.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use schemux_server::tmux::PaneId;
use schemux_tests::TmuxWorld;

pub struct Reader {
    pub pane: PaneId,
    file: PathBuf,
    seen: Cell<usize>,
}

impl Reader {
    /// A pane in a window of its own.
    pub fn start(world: &TmuxWorld) -> Self {
        Self::after(world, "")
    }

    /// A pane that runs `first` once its terminal is raw, before it reads.
    pub fn after(world: &TmuxWorld, first: &str) -> Self {
        Self::new(world, |program| world.pane(program), first)
    }

    /// A pane beside `other`.
    pub fn beside(world: &TmuxWorld, other: &Self) -> Self {
        let target = other.pane.to_string();
        let split = |program: &str| {
            world.tmux(["split-window", "-d", "-P", "-F", "#{pane_id}", "-t", &target, program])
        };
        Self::new(world, split, "")
    }

    fn new(world: &TmuxWorld, open: impl FnOnce(&str) -> String, first: &str) -> Self {
        let number = std::fs::read_dir(world.directory()).unwrap().count();
        let file = world.directory().join(format!("read-{number}"));
        let (out, ready) = (file.display(), file.with_extension("ready"));
        let program =
            format!("stty raw -echo; : >'{out}'; : >'{}'; {first}\nexec cat >>'{out}'", ready.display());
        let pane = open(&program).parse().unwrap();
        world.until("the reader is ready", || ready.exists());
        Self { pane, file, seen: Cell::new(0) }
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The next `size` bytes, as soon as they are there, and what comes with them.
    pub fn next(&self, size: usize) -> Vec<u8> {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let all = std::fs::read(&self.file).unwrap();
            let new = &all[self.seen.get()..];
            if new.len() >= size || Instant::now() > until {
                self.seen.set(all.len());
                return new.to_vec();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Asserts that what comes next is exactly this.
    pub fn expect(&self, expected: &[u8], what: &str) {
        let got = self.next(expected.len());
        if let Some(at) = (0..expected.len().max(got.len())).find(|&at| expected.get(at) != got.get(at)) {
            let near = |bytes: &[u8]| {
                String::from_utf8_lossy(bytes.get(at..bytes.len().min(at + 20)).unwrap_or_default())
                    .into_owned()
            };
            panic!(
                "{what}: byte {at} of {} ({} came): {:?} is wanted, {:?} is there",
                expected.len(),
                got.len(),
                near(expected),
                near(&got)
            );
        }
    }

    /// Asserts that nothing has come, once everything that was typed before is there.
    pub fn expect_nothing(&self, world: &TmuxWorld, what: &str) {
        world.tmux(["send-keys", "-t", &self.pane.to_string(), "-H", "2e"]);
        self.expect(b".", what);
    }
}
