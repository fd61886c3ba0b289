//! Commands in a pane's shell: `cargo bench -p schemux-server --bench shell`.
//!
//! Medians from the call to the status, beside one tmux process that does nothing but answer: less than what a way with `tmux`
//! in the pane could ever take. The tmux is the system's, or what `SCHEMUX_TEST_TMUX` says.
#![allow(clippy::disallowed_methods, reason = "tests and benches start the programs that they are about")]

use std::time::{Duration, Instant};

use schemux_server::tmux::{
    Command, Endpoint, Engine, Environment, Options, PaneId, Progress, Server, ShellCommand, run_in_shell,
};
use schemux_tests::TmuxWorld;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let world = TmuxWorld::start();
    let server = server(&world, Engine::Auto);
    let by_process = self::server(&world, Engine::Process);
    println!("tmux {}", server.facts().await.expect("facts").version);
    let process = median(60, async || {
        let ask = Command::new("display-message").flag('p').operand("x").into();
        by_process.run(&ask).await.expect("tmux answers");
    })
    .await;
    println!("{:<32} {process:>12.2?}", "one tmux process");
    for shell in ["/bin/sh", "bash --norc"] {
        let pane: PaneId = world.pane(&format!("exec {shell}")).parse().expect("a pane id");
        for (command, calls) in [(":", 200), ("seq 1 5000", 20), ("seq 1 200000", 3)] {
            let time = median(calls, async || run(&server, pane, command).await).await;
            let ratio = time.as_secs_f64() / process.as_secs_f64();
            println!("{:<32} {time:>12.2?} {ratio:>6.1} of them ", format!("{shell}: {command}"));
        }
    }
    println!("{:<32} {:>9} KiB", "most memory of this program", memory());
    server.close().await;
}

async fn run(server: &Server, pane: PaneId, command: &str) {
    let what = ShellCommand { limit: Duration::from_secs(60), ..ShellCommand::new(command) };
    let ran = run_in_shell(server, pane, &what, Default::default()).await.expect("it is run");
    assert_eq!(ran.progress, Progress::Ended(0));
    assert!(!ran.output.gaps);
}

async fn median(calls: usize, call: impl AsyncFn()) -> Duration {
    call().await;
    let mut times = Vec::with_capacity(calls);
    for _ in 0..calls {
        let begun = Instant::now();
        call().await;
        times.push(begun.elapsed());
    }
    times.sort();
    times[calls / 2]
}

fn server(world: &TmuxWorld, engine: Engine) -> Server {
    let options = Options { tmux: world.program(), engine, ..Options::default() };
    let environment = Environment { tmux_tmpdir: Some(world.directory().into()), ..Environment::default() };
    Server::new(options, environment, Endpoint::Default)
}

/// In KiB; 0 where it cannot be known.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
