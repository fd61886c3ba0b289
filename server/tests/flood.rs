//! Panes that write as fast as they can while they are followed. A test of its own process, because it looks at the memory of
//! the process.
#![allow(clippy::disallowed_methods, reason = "tests and benches start the programs that they are about")]
#![cfg(target_os = "linux")]

use std::time::{Duration, Instant};

use schemux_server::tmux::{
    Endpoint, Environment, Most, Options, Outcome, PaneId, Patterns, Server, Syntax, Watch, read_since, watch,
};
use schemux_tests::TmuxWorld;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// How long they write.
const FLOOD: Duration = Duration::from_secs(4);
/// More than two panes' buffers (4 MiB for slow readers, as vectors that grow) and all else that is bounded.
const GROWTH: u64 = 48 << 10;
/// More than all lines of the 4 MiB that are kept while somebody has not read them, each of one character.
const GROWTH_OF_READING: u64 = 192 << 10;
/// Much more than is needed, on a loaded machine and without optimisation.
const QUICK: Duration = Duration::from_millis(500);

/// A line of `/proc/self/status`, in KiB.
fn memory(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap()
}

fn nothing_that_comes(limit: Duration) -> Watch {
    let patterns = Patterns::new(&["NEEDLE"], Syntax::default()).unwrap();
    Watch { patterns, stop: Patterns::default(), any_output: false, idle: None, limit }
}

#[tokio::test]
async fn memory_is_bounded_and_nobody_is_held_up() {
    let world = TmuxWorld::start();
    let options = Options { tmux: world.program(), ..Options::default() };
    let environment = Environment { tmux_tmpdir: Some(world.directory().into()), ..Environment::default() };
    let server = Server::new(options, environment, Endpoint::Default);
    let pane = |script: &str| world.pane(script).parse::<PaneId>().unwrap();
    // Short lines, and one that never ends.
    let panes = [pane("read x; exec yes"), pane(r"read x; cat /dev/zero | tr '\0' x")];
    let quiet = pane("exec sh");

    let cancel = CancellationToken::new();
    let (mut waits, mut unread, mut cursors) = (Vec::new(), Vec::new(), Vec::new());
    for pane in panes {
        let (server, cancel) = (server.clone(), cancel.clone());
        cursors.push(read_since(&server, pane, None, Most::default()).await.unwrap().cursor);
        unread.push(server.stream(pane).await.unwrap());
        waits.push(tokio::spawn(async move {
            watch(&server, pane, nothing_that_comes(10 * FLOOD), cancel, None).await.unwrap()
        }));
    }
    sleep(Duration::from_millis(300)).await;
    let (before, begun) = (memory("VmRSS:"), Instant::now());
    for pane in panes {
        world.tmux(["send-keys", "-t", &pane.to_string(), "Enter"]);
    }
    let mut times = Vec::new();
    while begun.elapsed() < FLOOD {
        let asked = Instant::now();
        assert_eq!(server.pane(quiet).await.unwrap().id, quiet);
        times.push(asked.elapsed());
        sleep(Duration::from_millis(20)).await;
    }
    times.sort();
    let cancelled = Instant::now();
    cancel.cancel();
    for wait in waits {
        let watched = wait.await.unwrap();
        assert_eq!((watched.outcome, watched.saw_output), (Outcome::Cancelled, true));
    }
    let cancelled = cancelled.elapsed();
    let peak = memory("VmHWM:");
    // What is left of the streams that nobody has read.
    let mut written = 0;
    for stream in &mut unread {
        while stream.try_next().is_some() {}
        written += stream.offset();
    }
    let reading = Instant::now();
    // The lines of one character: the most memory for the least output.
    let delta = read_since(&server, panes[0], Some(&cursors[0]), Most::default()).await.unwrap();
    assert!(delta.missed.is_some() && !delta.lines.is_empty(), "{:?}", delta.missed);
    let reading = reading.elapsed();
    let peak_of_reading = memory("VmHWM:");
    println!(
        "{} MiB came; {before} KiB before, {peak} KiB at most, {peak_of_reading} KiB with what was read of it in \
         {reading:?}; a call took {:?}, at worst {:?}; cancelled after {cancelled:?}",
        written >> 20,
        times[times.len() / 2],
        times[times.len() - 1],
    );
    assert!(written > 8 << 20, "{written}");
    assert!(peak < before + GROWTH, "{before} KiB before, {peak} KiB at most");
    assert!(
        peak_of_reading < before + GROWTH_OF_READING,
        "{before} KiB before, {peak_of_reading} KiB at most"
    );
    assert!(times[times.len() / 2] < QUICK, "{times:?}");
    assert!(cancelled < QUICK, "{cancelled:?}");
}
