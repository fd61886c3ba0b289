//! A tmux server that stops answering while panes are followed.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use schemux_server::tmux::{
    Endpoint, Environment, Options, Outcome, PaneId, Patterns, Server, ShellCommand, Syntax, TmuxError,
    Watch, Watched, run_in_shell, watch,
};
use schemux_tests::TmuxWorld;
use tokio::time::sleep;

use super::{pane, read_until, server, type_line};

/// How long a call may take, by which it is told that the server does not answer.
const DEADLINE: Duration = Duration::from_millis(500);
/// For the machine that the tests run on.
const SLACK: Duration = Duration::from_secs(2);

fn impatient(world: &TmuxWorld) -> Server {
    let options = Options { tmux: world.program(), deadline: DEADLINE, ..Options::default() };
    let environment = Environment { tmux_tmpdir: Some(world.directory().into()), ..Environment::default() };
    Server::new(options, environment, Endpoint::Default)
}

fn signal(world: &TmuxWorld, signal: Signal) {
    kill_process(Pid::from_raw(world.pid()).unwrap(), signal).unwrap();
}

async fn wait(server: &Server, pane: PaneId, limit: Duration) -> Result<Watched, TmuxError> {
    let patterns = Patterns::new(&["NEEDLE"], Syntax::default()).unwrap();
    let what = Watch { patterns, stop: Patterns::default(), any_output: false, idle: None, limit };
    watch(server, pane, what, Default::default(), None).await
}

fn begin(
    server: &Server,
    pane: PaneId,
    limit: Duration,
) -> tokio::task::JoinHandle<Result<Watched, TmuxError>> {
    let server = server.clone();
    tokio::spawn(async move { wait(&server, pane, limit).await })
}

#[track_caller]
fn late<T: std::fmt::Debug>(result: &Result<T, TmuxError>) {
    assert!(matches!(result, Err(TmuxError::Timeout { limit: DEADLINE, .. })), "{result:?}");
}

/// Every kind of call on a server that is stopped ends in time, and says why.
async fn calls_end(server: &Server, watched: PaneId, other: PaneId) {
    let bounded = async |what: &str, call: &mut (dyn Future<Output = ()> + Unpin)| {
        let begun = Instant::now();
        call.await;
        println!("{what}: {:?}", begun.elapsed());
        assert!(begun.elapsed() < 2 * DEADLINE + SLACK, "{what}: {:?}", begun.elapsed());
    };
    bounded("a listing", &mut Box::pin(async { late(&server.panes().await) })).await;
    bounded("another stream", &mut Box::pin(async { late(&server.stream(other).await.map(drop)) })).await;
    let command = ShellCommand::new("echo x");
    let run = run_in_shell(server, other, &command, Default::default());
    bounded("a command", &mut Box::pin(async { late(&run.await) })).await;
    // What it waits for cannot be told from a server that has nothing to say.
    let wait = async {
        let watched = wait(server, watched, DEADLINE).await;
        assert!(watched.as_ref().is_ok_and(|watched| watched.outcome == Outcome::TimedOut), "{watched:?}");
    };
    bounded("a wait", &mut Box::pin(wait)).await;
}

#[tokio::test]
async fn a_stopped_server_holds_up_nobody_and_goes_on() {
    let (world, second) = (TmuxWorld::start(), TmuxWorld::start());
    let (stopped, well) = (impatient(&world), server(&second));
    let (watched, other) = (pane(&world, "exec cat"), pane(&world, "exec sh"));
    let mut stream = stopped.stream(watched).await.unwrap();
    let waiting = begin(&stopped, watched, Duration::from_secs(20));
    well.panes().await.unwrap();
    sleep(Duration::from_millis(300)).await;
    signal(&world, Signal::STOP);
    let neighbour = async {
        loop {
            let begun = Instant::now();
            well.panes().await.unwrap();
            assert!(begun.elapsed() < SLACK, "{:?}", begun.elapsed());
            sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        () = calls_end(&stopped, watched, other) => (),
        () = neighbour => (),
    }
    signal(&world, Signal::CONT);
    assert_eq!(stopped.panes().await.unwrap().len(), 3);
    // The client that did not answer is replaced, and what is written until then is told as missed.
    let again = async {
        loop {
            type_line(&world, watched, "a NEEDLE");
            sleep(Duration::from_millis(300)).await;
        }
    };
    let (_, missed) = tokio::select! {
        read = read_until(&mut stream, "a NEEDLE") => read,
        () = again => unreachable!("it goes on"),
    };
    println!("{missed} gaps");
    assert!(matches!(waiting.await.unwrap().unwrap().outcome, Outcome::Matched { .. }));
    let ran =
        run_in_shell(&stopped, other, &ShellCommand::new("echo back"), Default::default()).await.unwrap();
    assert_eq!(ran.output.text(), "back\n");
}

#[tokio::test]
async fn a_server_that_is_stopped_for_long_is_told_to_those_who_wait() {
    let world = TmuxWorld::start();
    let (server, pane) = (impatient(&world), pane(&world, "exec cat"));
    let waiting = begin(&server, pane, Duration::from_secs(60));
    sleep(Duration::from_millis(300)).await;
    signal(&world, Signal::STOP);
    let begun = Instant::now();
    // Found with the next look at what is told by nothing.
    late(&waiting.await.unwrap());
    println!("told after {:?}", begun.elapsed());
    assert!(begun.elapsed() < Duration::from_secs(5) + 4 * DEADLINE + SLACK, "{:?}", begun.elapsed());
    signal(&world, Signal::CONT);
    let waiting = begin(&server, pane, Duration::from_secs(20));
    sleep(Duration::from_millis(500)).await;
    type_line(&world, pane, "a NEEDLE");
    assert!(matches!(waiting.await.unwrap().unwrap().outcome, Outcome::Matched { .. }));
}
