//! `search_panes`: every pane that shows a text, each once, with the lines.

use schemux::{SearchPanesArgs, SearchPanesResult};
use schemux_tests::{TmuxWorld, until};

use super::support::{bare, client, connect, refused};

async fn pane(world: &TmuxWorld, text: &str) -> String {
    let pane = world.pane(&format!("printf '{text}\\n'; exec sleep 1000"));
    until("it is printed", || !world.tmux(["capture-pane", "-p", "-t", &pane]).is_empty()).await;
    pane
}

fn found(result: &SearchPanesResult) -> Vec<(&str, Vec<&str>)> {
    let matches = result.matches.as_ref().expect("always a list");
    matches
        .iter()
        .map(|found| (found.pane_id.as_str(), found.matched_lines.iter().map(String::as_str).collect()))
        .collect()
}

#[tokio::test]
async fn text_and_expressions() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let first = pane(&world, "needle ONE\\nhay #S here\\n#{pane_id} a.b * }").await;
    let second = pane(&world, "Needle two\\nneedle three\\na+b é").await;
    let args = SearchPanesArgs::new;
    for (args, expected) in [
        (args("needle"), vec![(&first, vec!["needle ONE"]), (&second, vec!["Needle two", "needle three"])]),
        (
            args("needle").match_case(true),
            vec![(&first, vec!["needle ONE"]), (&second, vec!["needle three"])],
        ),
        (args("NEEDLE").match_case(true), vec![]),
        (
            args("^n..dle (one|two)$").regex(true),
            vec![(&first, vec!["needle ONE"]), (&second, vec!["Needle two"])],
        ),
        (args("^n..dle (one|two)$"), vec![]),
        (args("#S here"), vec![(&first, vec!["hay #S here"])]),
        (args("#{pane_id}"), vec![(&first, vec!["#{pane_id} a.b * }"])]),
        (args("a.b"), vec![(&first, vec!["#{pane_id} a.b * }"])]),
        (args("* }"), vec![(&first, vec!["#{pane_id} a.b * }"])]),
        (args("A+B É"), vec![(&second, vec!["a+b é"])]),
        (args("(n+)+(e+)+$X").regex(true), vec![]),
        (args("needle").limit(1), vec![(&first, vec!["needle ONE"])]),
        (args("needle").limit(1).offset(1), vec![(&second, vec!["Needle two", "needle three"])]),
        (args("needle").offset(9), vec![]),
        (args("needle").max_matched_lines_per_pane(1).offset(1), vec![(&second, vec!["needle three"])]),
    ] {
        let result = client.search_panes(args.clone()).await.unwrap();
        let expected: Vec<(&str, Vec<&str>)> =
            expected.into_iter().map(|(pane, lines)| (pane.as_str(), lines)).collect();
        assert_eq!(found(&result), expected, "{args:?}");
    }
    let page = client.search_panes(args("needle").limit(1)).await.unwrap();
    assert_eq!((page.total_panes_matched, page.truncated, page.limit, page.offset), (2, true, Some(1), 0));
    assert_eq!(page.truncated_panes.as_deref(), Some(&[second.clone()][..]));
    let cut = client.search_panes(args("needle").max_matched_lines_per_pane(1)).await.unwrap();
    assert_eq!((cut.truncated, cut.truncated_panes.unwrap().len()), (true, 0));
    let whole = client.search_panes(args("needle")).await.unwrap();
    assert!(!whole.truncated);
    let row = &whole.matches.unwrap()[0];
    assert_eq!((row.session_name.as_deref(), row.pane_left, row.is_caller), (Some("main"), Some(0), None));
    let everything = client.search_panes(args("")).await.unwrap();
    assert!(everything.total_panes_matched >= 2);
    for (args, kind) in [
        (args("(").regex(true), "error"),
        (args("needle(?= x)").regex(true), "error"),
        (SearchPanesArgs::new("x".repeat(1001)), "ExpectedToolError"),
        (args("x").max_matched_lines_per_pane(0), "ExpectedToolError"),
        (args("x").session_name("nope"), "TmuxObjectDoesNotExist"),
        (args("x").session_id("$99"), "TmuxObjectDoesNotExist"),
    ] {
        let error = refused(client.search_panes(args.clone()).await);
        assert_eq!((error.error_type.as_ref(), error.expected), (kind, true), "{args:?}");
    }
    client.close().await;
}

#[tokio::test]
async fn history_wrapped_lines_and_sessions() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    let wide = format!("{}WRAPPED{}", "l".repeat(76), "m".repeat(30));
    let pane = pane(&world, &format!("needle\\n{wide}\\n$(seq 1 100)")).await;
    world.tmux(["send-keys", "-t", &pane, ""]);
    let long = world.pane(&format!("echo needle; printf '%s\\n' {wide}; seq 1 100; exec sleep 1000"));
    until("it is printed", || world.tmux(["capture-pane", "-p", "-t", &long]).contains("100")).await;
    let args = |pattern: &str| SearchPanesArgs::new(pattern);
    let panes = |result: SearchPanesResult| {
        result.matches.unwrap().into_iter().map(|found| found.pane_id).collect::<Vec<_>>()
    };
    assert!(!panes(client.search_panes(args("needle")).await.unwrap()).contains(&long));
    assert!(panes(client.search_panes(args("needle").content_start(-200)).await.unwrap()).contains(&long));
    let result = client.search_panes(args("lwrappedm").content_start(-200)).await.unwrap();
    assert!(result.matches.unwrap().iter().any(|found| found.matched_lines == [wide.clone()]));
    let five = args("^5$").regex(true).content_start(-100).content_end(-50);
    assert_eq!(panes(client.search_panes(five).await.unwrap()), std::slice::from_ref(&long));

    // A window that several sessions show is searched once.
    world.tmux(["new-session", "-d", "-t", "main", "-s", "another"]);
    world.tmux(["new-session", "-d", "-s", "other", "printf 'needle\\n'; exec sleep 1000"]);
    until("it is printed", || world.tmux(["capture-pane", "-p", "-t", "other:"]).contains("needle")).await;
    let result = client.search_panes(args("needle").content_start(-200)).await.unwrap();
    assert_eq!(result.total_panes_matched, 3);
    let other = client.search_panes(args("needle").session_name("other")).await.unwrap();
    assert_eq!(other.total_panes_matched, 1);
    let shared =
        client.search_panes(args("needle").session_name("another").content_start(-200)).await.unwrap();
    assert_eq!(shared.total_panes_matched, 2);
    assert_eq!(shared.matches.unwrap()[0].session_name.as_deref(), Some("another"));
    client.close().await;
}

#[tokio::test]
async fn many_panes_and_no_server() {
    let world = TmuxWorld::start();
    let client = client(&world).await;
    for _ in 0..70 {
        world.pane("echo needle; exec sleep 1000");
    }
    until("all have printed", || {
        let filter = "#{C:needle}";
        world.tmux(["list-panes", "-a", "-f", filter, "-F", "x"]).lines().count() == 70
    })
    .await;
    let result = client.search_panes(SearchPanesArgs::new("needle").limit(30).offset(30)).await.unwrap();
    assert_eq!((result.total_panes_matched, result.matches.unwrap().len()), (70, 30));
    assert_eq!(result.truncated_panes.unwrap().len(), 10);
    client.close().await;

    let sockets = tempfile::tempdir().unwrap();
    let client = connect(bare(sockets.path())).await;
    let result = client.search_panes(SearchPanesArgs::new("x")).await.unwrap();
    assert_eq!((result.total_panes_matched, result.matches), (0, Some(vec![])));
    client.close().await;
}
