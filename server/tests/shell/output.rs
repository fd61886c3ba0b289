//! Exact output, whatever its size.

use std::fmt::Write as _;
use std::time::Duration;

use schemux_server::tmux::{ShellCommand, run_in_shell};
use schemux_tests::TmuxWorld;

use super::{done, run, server, shell};

#[tokio::test]
async fn all_lines_also_those_that_have_scrolled_away() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let pane = shell(&world, "bash --norc");
    let mut expected = String::new();
    (1..=5_000).for_each(|number| writeln!(expected, "{number}").unwrap());
    let (output, status) = done(run(&server, pane, "seq 1 5000").await);
    assert_eq!(status, 0);
    assert!(output == expected, "{} bytes instead of {}", output.len(), expected.len());
}

#[tokio::test]
async fn more_than_is_kept_is_counted() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let pane = shell(&world, "/bin/sh");
    let what = ShellCommand {
        keep: 64 << 10,
        limit: Duration::from_secs(60),
        ..ShellCommand::new("seq 1 200000; exit 3")
    };
    let ran = run_in_shell(&server, pane, &what, Default::default()).await.unwrap();
    let output = ran.output.clone();
    assert_eq!(output.bytes.len(), 64 << 10);
    let lines = output.bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
    assert_eq!(output.dropped_lines + lines, 200_000);
    // Each line has a carriage return too.
    let written: u64 = (1..=200_000u64).map(|number| number.to_string().len() as u64 + 2).sum();
    assert_eq!(output.dropped_bytes + output.bytes.len() as u64, written);
    assert!(!output.gaps);
    assert!(output.text().ends_with("199999\n200000\n"));
    assert_eq!(done(Ok(ran)).1, 3);
}

#[tokio::test]
async fn colours_and_the_other_screen() {
    let world = TmuxWorld::start();
    let server = server(&world);
    let pane = shell(&world, "bash --norc");
    let command = r"printf '\033[1;31mred\033[0m\n'; printf '\033[?1049h'; echo inside; printf '\033[?1049l'";
    let (output, _) = done(run(&server, pane, command).await);
    assert_eq!(output, "\x1b[1;31mred\x1b[0m\n\x1b[?1049hinside\n\x1b[?1049l");
}
