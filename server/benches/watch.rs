//! What waiting takes: `cargo bench -p schemux-server --bench watch`.
//!
//! The tmux is the system's, or what `SCHEMUX_TEST_TMUX` says. Processes are counted by a script around it.
#![allow(clippy::disallowed_methods, reason = "tests and benches start the programs that they are about")]

use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use schemux_server::tmux::{
    Endpoint, Environment, Options, Outcome, PaneId, Patterns, Server, Syntax, Typing, Watch, Watched,
    type_text, watch,
};
use schemux_tests::TmuxWorld;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let world = TmuxWorld::start();
    let script = counting_script(&world);
    let options = Options { tmux: script, ..Options::default() };
    let environment = Environment { tmux_tmpdir: Some(world.directory().into()), ..Environment::default() };
    let server = Server::new(options, environment, Endpoint::Default);
    println!("tmux {}", server.facts().await.expect("facts").version);

    print_to_match(&world, &server).await;
    burst(&world, &server).await;
    idle(&world, &server).await;
    thousand(&world, &server).await;
    server.close().await;
}

/// From the write in the pane's program to the answer of the wait. The program prints the moment right before it writes.
async fn print_to_match(world: &TmuxWorld, server: &Server) {
    let pane = id(&world.pane("while read x; do date +%s%N; done"));
    let mut times = Vec::new();
    let keep = server.stream(pane).await.expect("a stream");
    for _ in 0..100 {
        let wait = tokio::spawn(wait(server.clone(), pane, r"^1\d{18}$", Duration::from_secs(10)));
        sleep(Duration::from_millis(5)).await;
        type_text(server, pane, "go", &Typing { enter: true, ..Typing::default() }).await.expect("typed");
        let watched = wait.await.expect("a result");
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970");
        let Outcome::Matched { lines, .. } = watched.outcome else { panic!("{watched:?}") };
        let printed = Duration::from_nanos(lines[0].parse().expect("a time"));
        times.push(now.saturating_sub(printed));
    }
    drop(keep);
    times.sort();
    row("print to match", &format!("median {:.2?}, 95 % {:.2?}", times[50], times[95]));
}

async fn burst(world: &TmuxWorld, server: &Server) {
    let pane = id(&world.pane("sleep 1; echo NEEDLE; seq 1 3000; cat"));
    let watched = wait(server.clone(), pane, "^NEEDLE", Duration::from_secs(10)).await;
    assert!(matches!(watched.outcome, Outcome::Matched { .. }), "{watched:?}");
    row("1 s, NEEDLE, 3,000 lines", &format!("matched after {:.3?}", watched.elapsed));
}

async fn idle(world: &TmuxWorld, server: &Server) {
    let pane = id(&world.pane("cat"));
    let keep = server.stream(pane).await.expect("a stream");
    sleep(Duration::from_millis(200)).await;
    let (started, used, theirs) =
        (started(world), cpu("/proc/self/stat"), cpu(&format!("/proc/{}/stat", world.pid())));
    let watched = wait(server.clone(), pane, "never", Duration::from_secs(5)).await;
    assert_eq!(watched.outcome, Outcome::TimedOut);
    let processes = self::started(world) - started;
    let (used, theirs) =
        (cpu("/proc/self/stat") - used, cpu(&format!("/proc/{}/stat", world.pid())) - theirs);
    drop(keep);
    row(
        "5 s of waiting",
        &format!("{processes} processes, {used} ms here, {theirs} ms in tmux (in steps of 10)"),
    );
}

async fn thousand(world: &TmuxWorld, server: &Server) {
    let panes: Vec<_> = (0..20).map(|_| id(&world.pane("cat"))).collect();
    let before = started(world);
    let begun = Instant::now();
    let waits: Vec<_> = (0..1000)
        .map(|number| {
            tokio::spawn(wait(server.clone(), panes[number % 20], "NEEDLE", Duration::from_secs(60)))
        })
        .collect();
    server.panes().await.expect("panes");
    sleep(Duration::from_secs(1)).await;
    let processes = started(world) - before;
    let mut times = Vec::new();
    for _ in 0..200 {
        let begun = Instant::now();
        server.panes().await.expect("panes");
        times.push(begun.elapsed());
    }
    times.sort();
    row("a listing while 1,000 wait", &format!("median {:.2?}, 95 % {:.2?}", times[100], times[190]));
    for pane in &panes {
        // Typed by somebody else, so it is no echo.
        world.tmux(["send-keys", "-t", &pane.to_string(), "NEEDLE", "Enter"]);
    }
    let mut slowest = Duration::ZERO;
    for wait in waits {
        let watched = wait.await.expect("a result");
        assert!(matches!(watched.outcome, Outcome::Matched { .. }), "{watched:?}");
        slowest = slowest.max(begun.elapsed());
    }
    row("1,000 waits", &format!("{processes} processes, all matched within {slowest:.2?}"));
}

async fn wait(server: Server, pane: PaneId, pattern: &str, limit: Duration) -> Watched {
    let syntax = Syntax { regex: true, match_case: true };
    let patterns = Patterns::new(&[pattern], syntax).expect("a pattern");
    let what = Watch { patterns, stop: Patterns::default(), any_output: false, idle: None, limit };
    watch(&server, pane, what, CancellationToken::new(), None).await.expect("a wait")
}

/// The program, and before it a line in a file for each time that it is started.
fn counting_script(world: &TmuxWorld) -> std::path::PathBuf {
    let script = world.directory().join("tmux");
    let text = format!(
        "#!/bin/sh\necho >> '{}'\nexec '{}' \"$@\"\n",
        world.directory().join("started").display(),
        world.program().display()
    );
    std::fs::write(&script, text).expect("a script");
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).expect("its mode");
    script
}

fn started(world: &TmuxWorld) -> usize {
    std::fs::read_to_string(world.directory().join("started")).map_or(0, |text| text.lines().count())
}

/// Milliseconds of processor time, in steps of the clock's ticks (10 ms).
fn cpu(stat: &str) -> u64 {
    let text = std::fs::read_to_string(stat).expect("a process");
    let fields: Vec<_> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |index: usize| fields[index].parse::<u64>().expect("a number");
    (ticks(11) + ticks(12)) * 10
}

fn id(pane: &str) -> PaneId {
    pane.parse().expect("a pane id")
}

fn row(name: &str, value: &str) {
    println!("{name:<32} {value}");
}
