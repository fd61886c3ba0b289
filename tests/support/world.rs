//! A tmux server of a test's own: private directory, private socket, plain shell, gone when the test is over.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use tempfile::TempDir;

/// Long enough for a loaded machine, short enough to be noticed.
const PATIENCE: Duration = Duration::from_secs(10);

/// A private tmux server with one session `main` of 80 columns and 24 rows, whose panes run `/bin/sh`.
///
/// The program under test is `tmux`, or what `SCHEMUX_TEST_TMUX` says.
pub struct TmuxWorld {
    directory: TempDir,
    pid: Pid,
}

impl TmuxWorld {
    /// Starts the server.
    ///
    /// # Panics
    ///
    /// If there is no tmux: a test that needs it must not pass without.
    pub fn start() -> Self {
        let directory = TempDir::with_prefix("tmux-world-").expect("a directory for the test");
        let start = ["new-session", "-d", "-s", "main", "-x", "80", "-y", "24", "/bin/sh"];
        let shell = "set-option -g default-shell /bin/sh ; set-option -g default-command ''";
        let output = command(directory.path()).args(["-f", "/dev/null"]).args(start).output();
        let output = output.unwrap_or_else(|error| panic!("{}: {error}; {ADVICE}", tmux().display()));
        assert!(output.status.success(), "tmux did not start: {}", String::from_utf8_lossy(&output.stderr));
        let pid = stdout(command(directory.path()).args(["display-message", "-p", "#{pid}"]).output());
        let pid = pid.parse().ok().and_then(Pid::from_raw).expect("the pid of the tmux server");
        let world = Self { directory, pid };
        world.tmux(["if-shell", "-F", "1", shell]);
        world
    }

    /// The program under test.
    pub fn program(&self) -> PathBuf {
        tmux()
    }

    /// What `TMUX_TMPDIR` is for this world. The server's socket is the one named `default` in it.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// The process of the server.
    pub fn pid(&self) -> i32 {
        self.pid.as_raw_nonzero().get()
    }

    /// Runs one tmux command and returns what it printed, without the final newline.
    ///
    /// # Panics
    ///
    /// If tmux refuses.
    pub fn tmux<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> String {
        stdout(self.command().args(arguments).output())
    }

    /// Runs one tmux command and returns all that it left, also if it was refused.
    pub fn try_tmux<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Output {
        self.command().args(arguments).output().expect("tmux runs")
    }

    /// A tmux process that talks to this server, to be completed and started.
    pub fn command(&self) -> Command {
        command(self.directory())
    }

    /// Opens another pane in the session `main`, which runs `program` in a shell, and returns its id.
    pub fn pane(&self, program: &str) -> String {
        // A window each: panes in one window would soon be too small.
        self.tmux(["new-window", "-d", "-P", "-F", "#{pane_id}", "-t", "main:", program])
    }

    /// Whether the server lists this pane.
    pub fn has_pane(&self, pane: &str) -> bool {
        let output = self.try_tmux(["list-panes", "-a", "-F", "#{pane_id}"]);
        String::from_utf8_lossy(&output.stdout).lines().any(|line| line == pane)
    }

    /// Everything that somebody may have set on a pane.
    pub fn pane_options(&self, pane: &str) -> String {
        self.tmux(["show-options", "-p", "-H", "-t", pane])
    }

    /// The client processes of this world that run now: processes with its directory in their environment whose parent is not
    /// the server.
    pub fn clients(&self) -> Vec<String> {
        let marker = format!("TMUX_TMPDIR={}", self.directory().display());
        let processes = std::fs::read_dir("/proc").expect("/proc").filter_map(Result::ok);
        processes
            .filter(|process| {
                let environment = std::fs::read(process.path().join("environ")).unwrap_or_default();
                environment.split(|&byte| byte == 0).any(|variable| variable == marker.as_bytes())
            })
            .map(|process| std::fs::read(process.path().join("cmdline")).unwrap_or_default())
            .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
            // The server shows the command that started it; panes run shells.
            .filter(|line| line.contains("tmux") && !line.contains(" -f /dev/null "))
            .collect()
    }

    /// Waits until `condition` holds.
    ///
    /// # Panics
    ///
    /// If it does not within ten seconds.
    pub fn until(&self, what: &str, condition: impl Fn() -> bool) {
        assert!(within(PATIENCE, condition), "waited in vain until {what}");
    }
}

/// Waits until `condition` holds, without holding up what else the runtime does.
///
/// # Panics
///
/// If it does not within ten seconds.
pub async fn until(what: &str, condition: impl Fn() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < PATIENCE, "waited in vain until {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// A program with nothing in its environment that could steer an MCP server for tmux: no setting of ours or of `libtmux-mcp`, and no
/// tmux that this one runs in.
pub fn unset(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    let steers = |name: &str| ["LIBTMUX", "SCHEMUX_", "TMUX"].iter().any(|prefix| name.starts_with(prefix));
    for name in
        std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).filter(|name| steers(name))
    {
        command.env_remove(name);
    }
    command
}

impl Drop for TmuxWorld {
    /// Ends the server and what runs in its panes, by their own ids if need be, and returns when they are gone.
    fn drop(&mut self) {
        // It may have ended already, or be stopped: both are fine.
        let _ = kill_process(self.pid, Signal::CONT);
        let living = self.command().args(["list-panes", "-a", "-F", "#{?pane_dead,,#{pane_pid}}"]).output();
        let living =
            living.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        let _ = self.command().arg("kill-server").stdout(Stdio::null()).stderr(Stdio::null()).status();
        let gone = || has_ended(self.pid);
        if !within(Duration::from_secs(3), gone) {
            let _ = kill_process(self.pid, Signal::KILL);
            within(PATIENCE, gone);
        }
        // Most end with their terminal.
        for program in living.lines().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)) {
            if !within(Duration::from_millis(500), || has_ended(program)) {
                let _ = kill_process(program, Signal::KILL);
            }
        }
    }
}

const ADVICE: &str = "install tmux (Debian: apt-get install tmux) or set SCHEMUX_TEST_TMUX to one";

fn tmux() -> PathBuf {
    std::env::var_os("SCHEMUX_TEST_TMUX").unwrap_or_else(|| "tmux".into()).into()
}

fn command(directory: &Path) -> Command {
    let mut command = Command::new(tmux());
    command.arg("-u").env_remove("TMUX").env_remove("TMUX_PANE").env("TMUX_TMPDIR", directory);
    command.env("PS1", "$ ").env_remove("ENV").env_remove("PROMPT_COMMAND").stdin(Stdio::null());
    command
}

fn stdout(output: std::io::Result<Output>) -> String {
    let output = output.expect("tmux runs");
    assert!(output.status.success(), "tmux refused: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim_end_matches('\n').to_owned()
}

/// Gone, or ended and left for a parent to notice: in containers that takes process 1 a second and more.
fn has_ended(pid: Pid) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
    test_kill_process(pid).is_err() || state.contains(") Z ")
}

fn within(limit: Duration, condition: impl Fn() -> bool) -> bool {
    let until = Instant::now() + limit;
    while !condition() {
        if Instant::now() > until {
            return false;
        }
        sleep(Duration::from_millis(5));
    }
    true
}
