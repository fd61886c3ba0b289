//! The same answers both ways, whatever the names hold and whatever a pane shows.

use std::time::Instant;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use schemux_server::tmux::{Command, CommandList, PaneId, Query, TmuxError};
use schemux_tests::TmuxWorld;

use super::{Counted, attached, by_process, list_panes, server, text};

#[tokio::test]
async fn a_connection_is_used() {
    let world = TmuxWorld::start();
    let counted = Counted::new(&world);
    let server = counted.server(&world);
    server.panes().await.unwrap();
    let warm = counted.started();
    assert_eq!(attached(&world), 1);
    for _ in 0..50 {
        server.panes().await.unwrap();
        server.pane(PaneId(0)).await.unwrap();
        server.facts().await.unwrap();
    }
    assert_eq!(counted.started(), warm, "{}", std::fs::read_to_string(&counted.log).unwrap());
    server.close().await;
    assert_eq!(attached(&world), 0);
    world.until("no client runs", || world.clients().is_empty());
}

#[tokio::test]
async fn answers_are_the_same() {
    let world = TmuxWorld::start();
    world.tmux(["rename-window", "-t", "%0", "w;\\; #{pane_id} %begin 1 2 1"]);
    world.tmux(["select-pane", "-t", "%0", "-T", "%end 1 2 1 ␞ \\t"]);
    world.tmux(["set-option", "-g", "@odd", "a\tb\nc\u{1}\\033\u{7f}é;"]);
    world.tmux(["set-hook", "-g", "after-list-panes", "display-message -p 'forged row'"]);
    let pane = world.pane(
        "printf 'a\\tb\\033[31mred\\033[m \\303\\251 \\\\033\\n\\n%%output %%1 x\\n\\n'; exec sleep 100",
    );
    world.until("it has printed", || world.tmux(["capture-pane", "-p", "-t", &pane]).contains("%output"));
    world.tmux(["rename-session", "-t", "main", "s ␞ #S 'q\" é"]);
    let (line, process) = (server(&world), by_process(&world));
    // Which program is in the foreground may change in the first moments.
    world.until("the shell runs", || {
        world.tmux(["display-message", "-p", "-t", &pane, "#{pane_current_command}"]) == "sleep"
    });
    assert_eq!(line.panes().await, process.panes().await);
    assert_eq!(line.facts().await, process.facts().await);
    assert_eq!(line.identity().await, process.identity().await);
    let captures: &[&[char]] = &[&['p'], &['p', 'e'], &['p', 'J'], &['p', 'e', 'C'], &['p', 'N']];
    let mut lists: Vec<CommandList> = captures
        .iter()
        .flat_map(|flags| ["%0", &pane].map(|pane| (flags, pane.to_owned())))
        .map(|(flags, pane)| {
            flags
                .iter()
                .fold(Command::new("capture-pane").target(pane), |capture, flag| capture.flag(*flag))
                .into()
        })
        .collect();
    lists.push(Command::new("show-options").flag('g').flag('v').operand("@odd").into());
    lists.push(Command::new("list-keys").into());
    lists.push(Command::new("list-sessions").value('F', "#{session_name}").into());
    lists.push(Command::new("has-session").target("$0").into());
    for list in lists {
        let (a, b) = (line.run(&list).await, process.run(&list).await);
        assert_eq!(a.map(text), b.map(text), "{list}");
    }
    assert_eq!(attached(&world), 1);
}

#[tokio::test]
async fn what_hooks_print_is_no_part_of_an_answer() {
    let world = TmuxWorld::start();
    world.tmux(["set-hook", "-g", "after-display-message", "list-sessions"]);
    world.tmux(["set-hook", "-g", "after-capture-pane", "display-message -p '%end 1 2 0'"]);
    world.tmux(["set-hook", "-g", "after-set-option", "list-panes -a"]);
    let server = server(&world);
    for _ in 0..5 {
        let say = |text: &str| Command::new("display-message").flag('p').target("%0").operand(text);
        let list = CommandList::from(say("a")).then(say("b"));
        assert_eq!(text(server.run(&list).await.unwrap()), "a\nb\n");
        let set = Command::new("set-option").flag('g').operand("@x").operand("1").into();
        assert_eq!(text(server.run(&set).await.unwrap()), "");
        let capture = Command::new("capture-pane").flag('p').target("%0").into();
        assert!(!text(server.run(&capture).await.unwrap()).contains("%end"));
        let refused = server.run(&Command::new("kill-pane").target("%99").into()).await.unwrap_err();
        assert!(refused.to_string().ends_with("can't find pane: %99"), "{refused}");
    }
    assert_eq!(attached(&world), 1);
}

#[tokio::test]
async fn refusals_are_the_same() {
    let world = TmuxWorld::start();
    let (line, process) = (server(&world), by_process(&world));
    for command in [
        Command::new("kill-pane").target("%99"),
        // Not select-layout with a wrong layout: 3.3a dies of it.
        Command::new("rename-session").target("$99").operand("x"),
        Command::new("list-panes").flag('a').flag('Z'),
        Command::new("capture-pane").flag('p').target("%0").operand("surplus"),
        Command::new("set-option").flag('g').operand("no-such-option").operand("x"),
        Command::new("no-such-command"),
    ] {
        let list = CommandList::from(Command::new("list-sessions").value('F', "x")).then(command);
        let (a, b) = (line.run(&list).await, process.run(&list).await);
        assert!(matches!(b, Err(TmuxError::Refused { .. })), "{list:?} {b:?}");
        assert_eq!(a, b);
    }
    // What stands before the mistake was run, what stands behind it was not.
    let set = |value: &str| Command::new("set-option").flag('g').operand("@x").operand(value);
    let list = CommandList::from(set("1")).then(Command::new("kill-pane").target("%99")).then(set("2"));
    assert!(line.run(&list).await.is_err());
    assert_eq!(world.tmux(["show-options", "-gv", "@x"]), "1");
    assert_eq!(attached(&world), 1);
}

#[tokio::test]
async fn guards_that_a_pane_shows_are_text() {
    let world = TmuxWorld::start();
    let server = server(&world);
    server.panes().await.unwrap();
    // A row for each of the numbers that the next commands may get, for this second and the next ones.
    let forge = "t=$(date +%s); for s in 0 1 2; do n=\"$1\"; while [ $n -lt $(($1 + 60)) ]; do \
                 echo \"%end $((t + s)) $n 1\"; echo \"%begin $((t + s)) $n 1\"; echo '%exit'; n=$((n + 1)); done; done";
    for round in 0..20 {
        let number = 250 + 10 * round;
        world.tmux(["set-option", "-g", "history-limit", "5000"]);
        let pane = world.pane(&format!("set -- {number}; {forge}; echo done; exec sleep 100"));
        world.until("it has printed", || world.tmux(["capture-pane", "-p", "-t", &pane]).contains("done"));
        let capture = || Command::new("capture-pane").flag('p').value('S', "-").target(&pane);
        let (a, b, panes) = tokio::join!(
            async { server.run(&capture().into()).await.unwrap() },
            async {
                server
                    .run(&CommandList::from(capture()).then(Command::new("list-sessions").value('F', "END")))
                    .await
                    .unwrap()
            },
            async { server.panes().await.unwrap() },
        );
        let whole = world.tmux(["capture-pane", "-p", "-S", "-", "-t", &pane]);
        assert_eq!(text(a).trim_end(), whole);
        assert!(text(b).ends_with("END\n"));
        assert_eq!(panes.len(), 2);
        world.tmux(["kill-pane", "-t", &pane]);
    }
    assert_eq!(attached(&world), 1);
}

#[tokio::test]
async fn a_thousand_calls_at_once_are_answered_in_order() {
    let world = TmuxWorld::start();
    let server = server(&world);
    server.panes().await.unwrap();
    let begun = Instant::now();
    let calls = (0..1000).map(|index| {
        let server = server.clone();
        tokio::spawn(async move {
            let echo = Command::new("display-message").flag('p').target("%0").operand(format!("{index}"));
            (index, text(server.run(&echo.into()).await.unwrap()))
        })
    });
    for call in calls.collect::<Vec<_>>() {
        let (index, answer) = call.await.unwrap();
        assert_eq!(answer, format!("{index}\n"));
    }
    assert!(begun.elapsed().as_secs() < 5);
    assert_eq!(attached(&world), 1);
}

#[test]
fn any_word_arrives() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let odd = prop::sample::select(
        "; ; \\ \" ' $ # % ~ { } [ ] - = a 1 é ␞ \n \t \u{1} \u{1b} \r".split(' ').collect::<Vec<_>>(),
    );
    let word = prop::collection::vec(odd, 0..10).prop_map(|parts| parts.concat());
    let mut runner = TestRunner::new(Config { cases: 500, failure_persistence: None, ..Config::default() });
    let query = Query::new(&["@word"]);
    let done = runner.run(&word, |word| {
        let set = Command::new("set-option").flag('g').operand("@word").operand(&word);
        let show = Command::new("display-message").flag('p').target("main:").operand(query.template());
        let plain = CommandList::from(set.clone()).then(show.clone());
        let rows = runtime.block_on(server.rows(&query, plain)).unwrap();
        prop_assert_eq!(rows[0].text("@word"), word.as_str());
        let other = Command::new("set-option").flag('g').operand("@word").operand("");
        let nested =
            Command::new("if-shell").flag('F').target("%0").operand("1").commands(&set.into()).unwrap();
        let nested = CommandList::from(other).then(nested).then(show);
        let rows = runtime.block_on(server.rows(&query, nested)).unwrap();
        prop_assert_eq!(rows[0].text("@word"), word.as_str());
        Ok(())
    });
    done.unwrap();
    assert_eq!(attached(&world), 1);
}

#[tokio::test]
async fn long_lines_arrive() {
    let world = TmuxWorld::start();
    let server = server(&world);
    for size in [5_000, 20_000, 100_000, 1_000_000] {
        let value = "x;'\" ".repeat(size / 5);
        let set = Command::new("set-buffer").value('b', "big").operand(&value);
        server.run(&set.into()).await.unwrap();
        assert_eq!(world.tmux(["show-buffer", "-b", "big"]), value.trim_end_matches('\n'));
        assert_eq!(text(server.run(&list_panes()).await.unwrap()), "%0\n");
    }
}
