//! Both ways to tmux, side by side in one run: `cargo bench -p schemux-server --bench engine`.
//!
//! Medians, and how many times as long the process takes. The tmux is the system's, or what `SCHEMUX_TEST_TMUX` says. A word
//! after `--` keeps only the rows whose name holds it.
#![allow(clippy::disallowed_methods, reason = "tests and benches start the programs that they are about")]

use std::time::{Duration, Instant};

use schemux_server::tmux::{Command, CommandList, Endpoint, Engine, Environment, Options, Server};
use schemux_tests::TmuxWorld;

/// So many calls make a median by connection, and so many by process.
const CALLS: [usize; 2] = [300, 60];

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let world = TmuxWorld::start();
    let servers = [Engine::Auto, Engine::Process].map(|engine| server(&world, engine));
    println!("tmux {}", servers[0].facts().await.expect("facts").version);
    println!("{:<32} {:>12} {:>12} {:>7}", "", "connection", "process", "ratio");
    // Before there are many panes: tmux looks at all of them whatever it is asked, 0.7 ms for 500.
    world.tmux(["set-option", "-g", "history-limit", "20000"]);
    for lines in [40, 10_000] {
        let line = "x".repeat(70);
        let pane = world.pane(&format!("seq -f '%05g {line}' {lines}; echo done; exec sleep 1000"));
        world.until("it has printed", || world.tmux(["capture-pane", "-p", "-t", &pane]).contains("done"));
        let capture: CommandList =
            Command::new("capture-pane").flag('p').value('S', "-").target(&pane).into();
        let name = format!("capture of {lines} lines");
        row(&wanted, &name, &servers, async |server| run(server, &capture).await).await;
        world.tmux(["kill-pane", "-t", &pane]);
    }
    let panes = || Command::new("list-panes").flag('a').value('F', "#{pane_id}").into();
    let mut there = 1;
    for count in [1, 20, 500] {
        while there < count {
            world.pane("exec sleep 1000");
            there += 1;
        }
        if count == 20 {
            row(&wanted, "round trip, ids of 20 panes", &servers, async |server| run(server, &panes()).await)
                .await;
        }
        let name = format!("every value of {count} pane(s)");
        row(&wanted, &name, &servers, async |server| {
            assert_eq!(server.panes().await.expect("panes").len(), count);
        })
        .await;
    }
    for server in servers {
        server.close().await;
    }
}

fn server(world: &TmuxWorld, engine: Engine) -> Server {
    let options = Options { tmux: world.program(), engine, ..Options::default() };
    let environment = Environment { tmux_tmpdir: Some(world.directory().into()), ..Environment::default() };
    Server::new(options, environment, Endpoint::Default)
}

async fn run(server: &Server, list: &CommandList) {
    server.run(list).await.expect("tmux does it");
}

async fn row(wanted: &[String], name: &str, servers: &[Server; 2], call: impl AsyncFn(&Server)) {
    if !wanted.is_empty() && !wanted.iter().any(|word| name.contains(word.as_str())) {
        return;
    }
    let mut medians = [Duration::ZERO; 2];
    for ((median, server), calls) in medians.iter_mut().zip(servers).zip(CALLS) {
        call(server).await;
        let mut times = Vec::with_capacity(calls);
        for _ in 0..calls {
            let begun = Instant::now();
            call(server).await;
            times.push(begun.elapsed());
        }
        times.sort();
        *median = times[calls / 2];
    }
    let [connection, process] = medians.map(|median| median.as_secs_f64() * 1e3);
    println!("{name:<32} {connection:>9.3} ms {process:>9.3} ms {:>6.1}x", process / connection);
}
