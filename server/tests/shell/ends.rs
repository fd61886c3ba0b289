//! How a command can end, or not.

use std::time::{Duration, Instant};

use schemux_server::tmux::{
    PaneId, Progress, Ran, Server, ShellCommand, TmuxError, fetch_shell, run_in_shell,
};
use schemux_tests::TmuxWorld;
use tokio_util::sync::CancellationToken;

use super::{done, run, screen, server, shell};

#[tokio::test]
async fn what_is_no_shell_gets_nothing() {
    let world = TmuxWorld::start();
    let server = server(&world);
    for program in ["cat", "sh -c 'cat; true'"] {
        let pane = shell(&world, program);
        world.until("the program is there", || {
            world.tmux(["display-message", "-p", "-t", &pane.to_string(), "#{pane_current_command}"])
                != "tmux"
        });
        tokio::time::sleep(Duration::from_millis(100)).await;
        let error = run(&server, pane, "echo hi").await.unwrap_err();
        assert!(matches!(error, TmuxError::NotAShell { .. }), "{program}: {error}");
        assert_eq!(screen(&world, pane).trim(), "", "{program}");
    }
    // A shell that runs something.
    let pane = shell(&world, "/bin/sh");
    world.tmux(["send-keys", "-t", &pane.to_string(), "cat", "Enter"]);
    world.until("it runs", || {
        world.tmux(["display-message", "-p", "-t", &pane.to_string(), "#{pane_current_command}"]) == "cat"
    });
    let error = run(&server, pane, "echo hi").await.unwrap_err();
    assert!(matches!(error, TmuxError::NotAShell { ref program, .. } if program == "cat"), "{error}");
}

#[tokio::test]
async fn a_second_one_in_the_same_pane_is_refused() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let pane = shell(&world, "/bin/sh");
    let (first, second) = tokio::join!(run(&server, pane, "sleep 0.5; echo first"), async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        run(&server, pane, "echo second").await
    });
    assert!(matches!(second.unwrap_err(), TmuxError::ShellBusy { .. }));
    assert_eq!(done(first), ("first\n".to_owned(), 0));
    assert_eq!(done(run(&server, pane, "echo third").await), ("third\n".to_owned(), 0));
}

#[tokio::test]
async fn time_is_up_and_the_rest_is_fetched_later() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let pane = shell(&world, "/bin/sh");
    let what = ShellCommand {
        limit: Duration::from_millis(300),
        ..ShellCommand::new("echo early; sleep 1; echo late; exit 4")
    };
    let ran = run_in_shell(&server, pane, &what, Default::default()).await.unwrap();
    assert_eq!((ran.progress, ran.output.text().as_str()), (Progress::Running, "early\n"));
    let ran = fetch_shell(&server, &ran.run, Duration::from_secs(10), Default::default()).await.unwrap();
    assert_eq!((ran.progress, ran.output.text().as_str()), (Progress::Ended(4), "early\nlate\n"));
    // And again, and for one that there is not.
    let again = fetch_shell(&server, &ran.run, Duration::ZERO, Default::default()).await.unwrap();
    assert_eq!((again.progress, again.output), (ran.progress, ran.output));
    let error = fetch_shell(&server, "nothing", Duration::ZERO, Default::default()).await.unwrap_err();
    assert!(matches!(error, TmuxError::NoSuchRun { .. }));
}

#[tokio::test]
async fn the_pane_goes() {
    let world = TmuxWorld::start();
    let server = server(&world);
    for end in ["kill-pane", "exit"] {
        let pane = shell(&world, "/bin/sh");
        let command =
            if end == "exit" { "echo before; sleep 0.2; kill -KILL $$" } else { "echo before; sleep 100" };
        let started = Instant::now();
        let (ran, ()) = tokio::join!(run(&server, pane, command), async {
            if end == "kill-pane" {
                tokio::time::sleep(Duration::from_millis(400)).await;
                world.tmux(["kill-pane", "-t", &pane.to_string()]);
            }
        });
        let ran = ran.unwrap();
        assert_eq!((ran.progress, ran.output.text().as_str()), (Progress::Lost, "before\n"), "{end}");
        assert!(ran.output.gaps);
        assert!(started.elapsed() < Duration::from_secs(4), "{end}: {:?}", started.elapsed());
    }
}

#[tokio::test]
async fn a_caller_who_gives_up() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let pane = shell(&world, "/bin/sh");
    let cancel = CancellationToken::new();
    let what = ShellCommand::new("sleep 0.5; echo done");
    let (ran, since) = tokio::join!(run_in_shell(&server, pane, &what, cancel.clone()), async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        cancel.cancel();
        Instant::now()
    });
    assert!(since.elapsed() < Duration::from_millis(50), "{:?}", since.elapsed());
    let ran = ran.unwrap();
    assert!(!ran.progress.is_final());
    let ran = fetch_shell(&server, &ran.run, Duration::from_secs(5), Default::default()).await.unwrap();
    assert_eq!((ran.progress, ran.output.text().as_str()), (Progress::Ended(0), "done\n"));
}

#[tokio::test]
async fn broken_off_by_a_key() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let pane = shell(&world, "/bin/sh");
    let interrupt = async |after: u64| {
        tokio::time::sleep(Duration::from_millis(after)).await;
        world.tmux(["send-keys", "-t", &pane.to_string(), "C-c"]);
    };
    let started = Instant::now();
    let (ran, ()) = tokio::join!(run(&server, pane, "echo before; sleep 100"), interrupt(400));
    let ran = ran.unwrap();
    assert_eq!(ran.progress, Progress::BrokenOff);
    assert!(ran.output.text().starts_with("before\n"), "{:?}", ran.output);
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    // While nobody waits: whoever comes next finds the pane free.
    let what = ShellCommand { limit: Duration::from_millis(200), ..ShellCommand::new("sleep 100") };
    let left = run_in_shell(&server, pane, &what, Default::default()).await.unwrap();
    interrupt(0).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(done(run(&server, pane, "echo next").await), ("next\n".to_owned(), 0));
    let left = fetch_shell(&server, &left.run, Duration::ZERO, Default::default()).await.unwrap();
    assert_eq!(left.progress, Progress::BrokenOff);
    // What waits for input is not broken off.
    let (ran, ()) = tokio::join!(run(&server, pane, "read line; echo \"got $line\""), async {
        tokio::time::sleep(Duration::from_millis(2_500)).await;
        world.tmux(["send-keys", "-t", &pane.to_string(), "words", "Enter"]);
    });
    let (text, status) = done(ran);
    assert!(text.ends_with("got words\n") && status == 0, "{text:?}");
}

#[tokio::test]
async fn another_shell_in_its_place() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let (pane, left) = replaced(&world, &server, &[]).await;
    assert_eq!(done(run(&server, pane, "echo anew").await), ("anew\n".to_owned(), 0));
    let left = fetch_shell(&server, &left.run, Duration::ZERO, Default::default()).await.unwrap();
    assert_eq!(left.progress, Progress::Lost);
}

#[tokio::test]
async fn another_shell_where_something_is_written_meanwhile() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let talks = "(for i in $(seq 150); do printf .; sleep 0.02; done) & exec sh";
    let (pane, left) = replaced(&world, &server, &[talks]).await;
    let (text, status) = done(run(&server, pane, "echo anew").await);
    assert!(text.contains("anew") && status == 0, "{text:?} {status}");
    let left = fetch_shell(&server, &left.run, Duration::ZERO, Default::default()).await.unwrap();
    assert_eq!(left.progress, Progress::Lost);
}

/// A pane that was respawned with this program, or its own, while a command ran in it; and that command.
async fn replaced(world: &TmuxWorld, server: &Server, program: &[&str]) -> (PaneId, Ran) {
    let pane = shell(world, "/bin/sh");
    let what = ShellCommand { limit: Duration::from_millis(300), ..ShellCommand::new("sleep 100") };
    let left = run_in_shell(server, pane, &what, Default::default()).await.unwrap();
    world.tmux([&["respawn-pane", "-k", "-t", &pane.to_string()], program].concat());
    world.until("the new shell is there", || {
        world.tmux(["display-message", "-p", "-t", &pane.to_string(), "#{pane_current_command}"]) == "sh"
    });
    (pane, left)
}
