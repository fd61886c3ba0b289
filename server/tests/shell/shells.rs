//! The same answers in every shell.

use schemux_server::tmux::TmuxError;
use schemux_tests::TmuxWorld;

use super::{done, run, screen, server, shell};

/// What every shell must make of it. `lasting` is whether its `eval` runs in a subshell of its own.
async fn check(program: &str) {
    let world = TmuxWorld::start();
    let server = server(&world);
    let pane = shell(&world, program);
    let fish = program.contains("fish");
    for (command, output, status) in [
        (":", "", 0),
        ("echo hi; false", "hi\n", 1),
        ("echo \"it's\" 'a  b' % %s", "it's a  b % %s\n", 0),
        ("printf '%s|' 'a\tb' 'c\nd'", "a\tb|c\nd|", 0),
        ("echo é漢\u{1f600}", "é漢\u{1f600}\n", 0),
        ("printf 'no newline'", "no newline", 0),
        ("echo one\necho two\n", "one\ntwo\n", 0),
        ("# nothing", "", 0),
        ("echo '!!' '!x'", "!! !x\n", 0),
    ] {
        assert_eq!(
            done(run(&server, pane, command).await),
            (output.to_owned(), status),
            "{program}: {command}"
        );
    }
    let (_, status) = done(run(&server, pane, "echo 'unbalanced").await);
    assert_ne!(status, 0, "{program}: an unbalanced quote");
    assert_eq!(done(run(&server, pane, "echo usable").await), ("usable\n".to_owned(), 0), "{program}");
    let long = format!("echo {}", "x".repeat(9_000));
    assert_eq!(done(run(&server, pane, &long).await), (format!("{}\n", "x".repeat(9_000)), 0), "{program}");
    let odd = "é%! \\d\t".repeat(900);
    assert_eq!(done(run(&server, pane, &format!("printf %s '{odd}'")).await), (odd, 0), "{program}");
    assert_eq!(done(run(&server, pane, "echo 'a b'; exit 7").await), ("a b\n".to_owned(), 7), "{program}");
    if !fish {
        assert_eq!(
            done(run(&server, pane, "cat <<X\n\ta\n$((1+1))\nX").await),
            ("\ta\n2\n".to_owned(), 0),
            "{program}"
        );
        assert_eq!(done(run(&server, pane, "cd /; x=1").await), (String::new(), 0), "{program}");
        let (place, _) = done(run(&server, pane, "pwd; echo ${x-unset}").await);
        assert!(!place.starts_with("/\n") && place.ends_with("unset\n"), "{program}: {place}");
        let left = done(run(&server, pane, "set | grep -c ^schemux_").await).0;
        assert_eq!(left, "0\n", "{program}: a variable is left behind");
    }
}

#[tokio::test]
async fn sh() {
    check("/bin/sh").await;
}

#[tokio::test]
async fn bash() {
    check("bash --norc").await;
}

#[tokio::test]
#[ignore = "needs zsh"]
async fn zsh() {
    check("zsh -f").await;
    check("env LC_ALL=C zsh -f").await;
}

#[tokio::test]
#[ignore = "needs ksh"]
async fn ksh() {
    check("ksh").await;
}

#[tokio::test]
#[ignore = "needs busybox"]
async fn busybox() {
    check("busybox sh").await;
}

#[tokio::test]
#[ignore = "needs fish"]
async fn fish() {
    check("fish --no-config").await;
}

#[tokio::test]
async fn a_shell_that_ends_at_the_first_failure() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let pane = shell(&world, "sh -e");
    assert_eq!(done(run(&server, pane, "false").await), (String::new(), 1));
    assert_eq!(done(run(&server, pane, "echo alive").await), ("alive\n".to_owned(), 0));
}

#[tokio::test]
async fn an_empty_path() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let pane = shell(&world, "env -i PATH=/nonexistent /bin/sh");
    world.until("the shell is there", || {
        world.tmux(["display-message", "-p", "-t", &pane.to_string(), "#{pane_current_command}"]) == "sh"
    });
    assert_eq!(done(run(&server, pane, "echo here").await), ("here\n".to_owned(), 0));
}

#[tokio::test]
async fn a_shell_that_is_still_starting() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let slow = world.directory().join("slow");
    std::fs::write(&slow, "read -t 0.5 </dev/null; for i in 1 2 3 4 5; do sleep 0.1; done\n").unwrap();
    let pane = shell(&world, &format!("bash --rcfile {}", slow.display()));
    assert_eq!(done(run(&server, pane, "echo ready").await), ("ready\n".to_owned(), 0));
}

#[tokio::test]
async fn nothing_in_the_history_when_so_asked() {
    use schemux_server::tmux::{ShellCommand, run_in_shell};

    let world = TmuxWorld::start();
    let server = server(&world);
    let pane = shell(&world, "env HISTCONTROL=ignorespace HISTFILE= bash --norc");
    for unrecorded in [true, false] {
        let what = ShellCommand { unrecorded, ..ShellCommand::new(format!("echo recorded-{}", !unrecorded)) };
        done(run_in_shell(&server, pane, &what, Default::default()).await);
    }
    let (history, _) = done(run(&server, pane, "history").await);
    assert!(history.contains("recorded-true") && !history.contains("recorded-false"), "{history}");
}

#[tokio::test]
async fn a_shell_at_the_other_end_of_a_program() {
    let world = TmuxWorld::start();
    let server = server(&world);
    // As ssh does, script takes the terminal for itself and passes on every key.
    let ssh = world.directory().join("ssh");
    let script =
        ["/usr/bin/script", "/bin/script"].into_iter().find(|path| std::path::Path::new(path).exists());
    std::os::unix::fs::symlink(script.expect("script, of util-linux"), &ssh).unwrap();
    let pane = shell(&world, &format!("{} -qc 'exec sh' /dev/null", ssh.display()));
    world.until("it prompts", || !screen(&world, pane).trim().is_empty());
    assert_eq!(done(run(&server, pane, "echo far; exit 3").await), ("far\n".to_owned(), 3));
    world.tmux(["send-keys", "-t", &pane.to_string(), "printf '\\033[?1049h'; cat", "Enter"]);
    world.until("it draws on the whole screen", || {
        world.tmux(["display-message", "-p", "-t", &pane.to_string(), "#{alternate_on}"]) == "1"
    });
    let error = run(&server, pane, "echo hi").await.unwrap_err();
    assert!(matches!(error, TmuxError::NotAShell { .. }), "{error}");
    // One that reads lines itself, as for a password.
    let asks = world.directory().join("podman");
    std::os::unix::fs::symlink("/bin/cat", &asks).unwrap();
    let pane = shell(&world, &asks.display().to_string());
    world.until("it is there", || {
        world.tmux(["display-message", "-p", "-t", &pane.to_string(), "#{pane_current_command}"]) == "podman"
    });
    let error = run(&server, pane, "echo hi").await.unwrap_err();
    assert!(matches!(error, TmuxError::NotAShell { .. }), "{error}");
    assert_eq!(screen(&world, pane).trim(), "");
}
