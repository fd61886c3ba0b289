//! `run_command`: exactly what a command wrote and its status, in whatever shell; and what is said where that cannot be.

use std::time::{Duration, Instant};

use schemux::{
    Caller as _, Client, Connection, GetPaneInfoArgs, RunCommandArgs, RunCommandResult, SendKeysArgs,
};
use schemux_tests::{TmuxWorld, until};
use serde_json::json;

use super::support::{client, connect, program, refused};

/// A pane with a shell at its prompt.
async fn shell(world: &TmuxWorld, program: &str) -> String {
    let pane = world.pane(&format!("exec {program}"));
    until("the shell prompts", || world.tmux(["capture-pane", "-p", "-t", &pane]).contains(['$', '#', '%']))
        .await;
    pane
}

async fn run(client: &Client<Connection>, pane: &str, command: &str) -> RunCommandResult {
    client.run_command(args(pane, command)).await.unwrap_or_else(|error| panic!("{command}: {error}"))
}

fn args(pane: &str, command: &str) -> RunCommandArgs {
    RunCommandArgs::new(command).pane_id(pane).timeout(20.0).suppress_history(false)
}

fn output(result: &RunCommandResult) -> Vec<&str> {
    result.output.as_ref().expect("always a list").iter().map(String::as_str).collect()
}

#[tokio::test]
async fn output_and_status_are_exact() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = shell(&world, "/bin/sh").await;
    let wide = "w".repeat(200);
    for (command, lines, status) in [
        ("true", vec![], 0),
        ("exit 7", vec![], 7),
        ("echo out; echo err >&2; false", vec!["out", "err"], 1),
        ("printf 'no newline'", vec!["no newline"], 0),
        ("printf 'a\\n\\nb\\n\\n'", vec!["a", "", "b", ""], 0),
        ("echo one\necho two", vec!["one", "two"], 0),
        ("cat <<X\n  here\t;\nX", vec!["  here\t;"], 0),
        ("cd /; X=1; pwd", vec!["/"], 0),
        ("echo \"[$X]\" '-x;' '#{pane_id}' é漢", vec!["[] -x; #{pane_id} é漢"], 0),
        ("printf '%0200d' 0 | tr 0 w", vec![wide.as_str()], 0),
        ("sh -c 'kill -9 $$'", vec!["Killed"], 137),
        ("printf '\\033[31mred\\033[0m\\n'", vec!["\x1b[31mred\x1b[0m"], 0),
    ] {
        let result = run(&client, &pane, command).await;
        assert_eq!((output(&result), result.exit_status), (lines, Some(status)), "{command}");
        assert!(!result.timed_out && !result.output_truncated && result.pane_id == pane);
        assert_eq!((result.output_truncated_lines, result.effective_timeout), (0, 20.0));
    }
    let result = run(&client, &pane, "echo 'open").await;
    assert!(result.exit_status.is_some_and(|status| status != 0), "{result:?}");
    assert_eq!(output(&run(&client, &pane, "echo usable").await), ["usable"]);
    client.close().await;
}

#[tokio::test]
async fn long_output_is_the_end_of_it_and_counted() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = shell(&world, "/bin/sh").await;
    let all = run(&client, &pane, "seq 1 5000").await;
    assert_eq!(output(&all), (1..=5000).map(|number| number.to_string()).collect::<Vec<_>>());
    assert!(!all.output_truncated);
    let last = client.run_command(args(&pane, "seq 1 50").max_lines(3)).await.unwrap();
    assert_eq!((output(&last), last.output_truncated_lines), (vec!["48", "49", "50"], 47));
    assert!(last.output_truncated);
    let long = run(&client, &pane, "seq 1 200000").await;
    let kept = output(&long).len() as i64;
    assert_eq!((kept + long.output_truncated_lines, *output(&long).last().unwrap()), (200_000, "200000"));
    assert!(long.output_truncated && kept > 1000);
    // As JSON once and again inside of a text.
    let once = serde_json::to_string(&long).unwrap();
    let answer = once.len() + serde_json::to_string(&once).unwrap().len();
    assert!(answer < 600_000, "{answer} bytes");
    for bad in [0, -1] {
        let error = refused(client.run_command(args(&pane, "true").max_lines(bad)).await);
        assert!(error.expected && error.message.contains("max_lines"), "{error}");
    }
    client.close().await;
}

#[tokio::test]
async fn a_command_goes_on_after_the_time() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = shell(&world, "/bin/sh").await;
    let begun = Instant::now();
    let result =
        client.run_command(args(&pane, "echo early; sleep 2; echo late").timeout(0.5)).await.unwrap();
    assert!(begun.elapsed() < Duration::from_millis(1_900));
    assert_eq!((output(&result), result.exit_status, result.timed_out), (vec!["early"], None, true));
    assert_eq!(result.effective_timeout, 0.5);
    let info = client.get_pane_info(GetPaneInfoArgs::new().pane_id(&pane)).await.unwrap();
    assert_eq!(info.pane_current_command.as_deref(), Some("sh"));
    let error = refused(client.run_command(args(&pane, "echo second")).await);
    assert!(error.expected && error.message.contains("busy"), "{error}");
    let screen = || world.tmux(["capture-pane", "-p", "-t", &pane]);
    until("it has gone on", || screen().lines().any(|line| line == "late")).await;
    assert!(!screen().contains("second"));
    until("the shell is free", || {
        world.tmux(["display-message", "-p", "-t", &pane, "#{pane_current_command}"]) == "sh"
    })
    .await;
    assert_eq!(output(&run(&client, &pane, "echo third").await), ["third"]);
    let result = client.run_command(args(&pane, "true").timeout(1e9)).await.unwrap();
    assert_eq!(result.effective_timeout, 30.0);
    for timeout in [0.0, -1.0] {
        let error = refused(client.run_command(args(&pane, "true").timeout(timeout)).await);
        assert!(error.expected && error.message.contains("timeout"), "{error}");
    }
    client.close().await;
}

#[tokio::test]
async fn a_command_that_is_broken_off_frees_the_pane() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for program in ["/bin/sh", "bash --norc --noprofile"] {
        let pane = shell(&world, program).await;
        let begun = Instant::now();
        let (result, ()) = tokio::join!(run(&client, &pane, "echo begun; sleep 15"), async {
            until("it runs", || world.tmux(["capture-pane", "-p", "-t", &pane]).contains("\nbegun")).await;
            client.send_keys(SendKeysArgs::new("C-c").pane_id(&pane).enter(false)).await.unwrap();
        });
        assert!(begun.elapsed() < Duration::from_secs(10), "{program}: {:?}", begun.elapsed());
        assert!(!result.timed_out && output(&result).contains(&"begun"), "{program}: {result:?}");
        assert_ne!(result.exit_status, Some(0), "{program}");
        assert_eq!(output(&run(&client, &pane, "echo usable").await), ["usable"], "{program}");
        // Also if nobody waits for it any more.
        let result = client.run_command(args(&pane, "sleep 15").timeout(0.3)).await.unwrap();
        assert!(result.timed_out);
        client.send_keys(SendKeysArgs::new("C-c").pane_id(&pane).enter(false)).await.unwrap();
        let free =
            || world.tmux(["display-message", "-p", "-t", &pane, "#{pane_current_command}"]) != "sleep";
        until("it is broken off", free).await;
        assert_eq!(output(&run(&client, &pane, "echo at once").await), ["at once"], "{program}");
    }
    client.close().await;
}

#[tokio::test]
async fn a_pane_that_ends_or_begins_anew_ends_the_wait() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for how in [["kill-pane", "-t"], ["respawn-pane", "-kt"]] {
        let pane = shell(&world, "/bin/sh").await;
        let begun = Instant::now();
        let (result, ()) = tokio::join!(client.run_command(args(&pane, "echo begun; sleep 15")), async {
            until("it runs", || world.tmux(["capture-pane", "-p", "-t", &pane]).contains("\nbegun")).await;
            world.tmux([how[0], how[1], &pane]);
        });
        let error = refused(result);
        assert!(error.expected && error.message.contains("status cannot be known"), "{how:?}: {error}");
        assert!(begun.elapsed() < Duration::from_secs(8), "{how:?}: {:?}", begun.elapsed());
    }
    client.close().await;
}

#[tokio::test]
async fn a_pane_in_a_mode_and_one_without_a_shell() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let pane = shell(&world, "/bin/sh").await;
    world.tmux(["copy-mode", "-t", &pane]);
    assert_eq!(output(&run(&client, &pane, "echo heard").await), ["heard"]);
    assert_eq!(world.tmux(["display-message", "-p", "-t", &pane, "#{pane_in_mode}"]), "0");
    let cat = world.pane("exec cat");
    until("cat runs", || {
        world.tmux(["display-message", "-p", "-t", &cat, "#{pane_current_command}"]) == "cat"
    })
    .await;
    let error = refused(client.run_command(args(&cat, "echo hi")).await);
    assert!(error.expected && error.message.contains("`cat`"), "{error}");
    assert_eq!(world.tmux(["capture-pane", "-p", "-t", &cat]), "");
    world.tmux(["set-option", "-g", "remain-on-exit", "on"]);
    let dead = world.pane("exec true");
    world.until("it is dead", || world.tmux(["display-message", "-p", "-t", &dead, "#{pane_dead}"]) == "1");
    let error = refused(client.run_command(args(&dead, "echo hi")).await);
    assert!(error.expected && error.message.contains("has ended"), "{error}");
    let error = refused(client.run_command(args("%999", "true")).await);
    assert_eq!(error.error_type, "PaneNotFound");
    let error = refused(client.run_command(RunCommandArgs::new("true").session_name("nope")).await);
    assert_eq!(error.error_type, "TmuxObjectDoesNotExist");
    for blank in ["", " \n"] {
        let error = refused(client.run_command(args(&pane, blank)).await);
        assert!(error.expected && error.message.contains("empty"), "{error}");
    }
    client.close().await;
}

#[tokio::test]
async fn what_stands_at_the_prompt_is_no_part_of_the_command() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for program in ["/bin/sh", "bash --norc --noprofile"] {
        let pane = shell(&world, program).await;
        for half in ["touch half", "echo \"half", "é漢 \\"] {
            client.send_keys(SendKeysArgs::new(half).pane_id(&pane).enter(false)).await.unwrap();
            until("it stands there", || world.tmux(["capture-pane", "-p", "-t", &pane]).ends_with(half))
                .await;
            let result = run(&client, &pane, "echo whole").await;
            assert_eq!((output(&result), result.exit_status), (vec!["whole"], Some(0)), "{program}: {half}");
        }
        let screen = world.tmux(["capture-pane", "-p", "-t", &pane]);
        assert!(!screen.contains("half") && !screen.contains("not found"), "{program}: {screen}");
    }
    client.close().await;
}

#[tokio::test]
async fn a_terminal_that_a_program_has_left_as_it_was() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for program in ["/bin/sh", "bash --norc --noprofile"] {
        for left in
            ["stty raw", "stty raw -echo", "stty -icanon", "stty -icrnl", "stty -echo", "stty kill undef"]
        {
            let pane = shell(&world, program).await;
            run(&client, &pane, left).await;
            let result = run(&client, &pane, "echo usable").await;
            assert_eq!((output(&result), result.exit_status), (vec!["usable"], Some(0)), "{program}: {left}");
        }
    }
    client.close().await;
}

#[tokio::test]
async fn long_commands_and_a_shell_of_another_locale() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let keys = world.directory().join("inputrc");
    std::fs::write(&keys, "set convert-meta on\n").unwrap();
    let bash = format!("env LC_ALL=C INPUTRC={} bash --norc --noprofile", keys.display());
    for program in [bash.as_str(), "/bin/sh"] {
        let pane = shell(&world, program).await;
        for text in ["é漢😀".to_owned(), "é".repeat(600), "%!\\".repeat(400), "word ".repeat(1_000)] {
            let result = run(&client, &pane, &format!("printf '%s\\n' '{text}'")).await;
            assert_eq!((output(&result), result.exit_status), (vec![text.as_str()], Some(0)), "{program}");
        }
    }
    client.close().await;
}

#[tokio::test]
async fn two_panes_at_once() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let (first, second) = (shell(&world, "/bin/sh").await, shell(&world, "/bin/sh").await);
    let begun = Instant::now();
    let (a, b) =
        tokio::join!(run(&client, &first, "sleep 1; echo A"), run(&client, &second, "sleep 1; echo B"));
    assert!(begun.elapsed() < Duration::from_millis(1_900), "{:?}", begun.elapsed());
    assert_eq!((output(&a), output(&b)), (vec!["A"], vec!["B"]));
    client.close().await;
}

#[tokio::test]
async fn every_shell() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for program in ["bash --norc --noprofile", "dash", "sh -e"] {
        let pane = shell(&world, program).await;
        for (command, status) in [("exit 3", 3), ("false", 1), ("(exit 42)", 42), ("true", 0)] {
            let result = run(&client, &pane, command).await;
            assert_eq!((output(&result), result.exit_status), (vec![], Some(status)), "{program}: {command}");
        }
    }
    client.close().await;
}

#[tokio::test]
async fn history_is_suppressed_unless_the_setting_says_otherwise() {
    let world = TmuxWorld::start();
    let error = {
        let client = client(&world).await;
        let pane = shell(&world, "/bin/sh").await;
        let error = refused(client.run_command(args(&pane, "echo a\necho b").suppress_history(true)).await);
        client.close().await;
        error
    };
    assert!(error.expected && error.message.contains("lines"), "{error}");
    for (setting, suppressed) in [(None, true), (Some("1"), true), (Some("0"), false)] {
        let mut command = program(&world);
        if let Some(setting) = setting {
            command.env("LIBTMUX_SUPPRESS_HISTORY", setting);
        }
        let client = connect(command).await;
        let pane = shell(&world, "/bin/sh").await;
        // The typed client always says what it wants; others leave it out.
        let call = json!({"pane_id": pane, "command": "echo said"});
        let reply = client.caller().call("run_command", call.as_object().unwrap().clone()).await.unwrap();
        assert!(!reply.is_error, "{}", reply.text);
        let screen = world.tmux(["capture-pane", "-p", "-t", &pane]);
        assert_eq!(screen.contains("$  printf"), suppressed, "{setting:?}: {screen}");
        client.close().await;
    }
    for bad in ["", "yes"] {
        let output =
            program(&world).env("LIBTMUX_SUPPRESS_HISTORY", bad).arg("tools").output().await.unwrap();
        assert_eq!(output.status.code(), Some(2), "{bad:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("LIBTMUX_SUPPRESS_HISTORY"), "{bad:?}");
    }
}
