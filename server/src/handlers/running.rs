//! Running a command in a pane's shell.

use std::time::Duration;

use schemux::{Cx, RunCommandArgs, RunCommandResult, ToolError};

use super::errors::refused;
use super::limits::{self, at_most};
use super::target::{self, pane_target};
use crate::state::Tmux;
use crate::tmux::{Modes, Output, PaneId, Progress, Ran, Server, ShellCommand, run_in_shell};

/// As much output is kept, in bytes.
const KEPT: usize = 256 << 10;

/// As much may the output take in the answer, in bytes: it stands there twice, as text and as data.
const ANSWER: usize = 480_000;

/// Runs a command in a pane's shell, and gives its output and status.
pub async fn run_command(tmux: &Tmux, cx: &Cx, args: RunCommandArgs) -> Result<RunCommandResult, ToolError> {
    if args.command.trim().is_empty() {
        return Err(refused("command must not be empty"));
    }
    if args.suppress_history && args.command.contains(['\n', '\r']) {
        return Err(refused("a command of several lines cannot be kept out of the shell's history")
            .suggest("Set suppress_history to false, or put the lines on one with `;`."));
    }
    let limit = limits::wait(args.timeout, tmux.config().wait_max)?;
    let most = at_most("max_lines", args.max_lines)?;
    let server = tmux.server(args.socket_name.as_deref());
    let pane = target::pane_id(&server, pane_target!(args)).await?;
    let what = ShellCommand {
        limit,
        unrecorded: args.suppress_history,
        keep: KEPT,
        // A mode would take what is typed; the command is meant for the shell.
        modes: Modes::LeaveFirst,
        ..ShellCommand::new(args.command)
    };
    let ran = run_in_shell(&server, pane, &what, cx.cancelled().clone()).await?;
    if ran.progress == Progress::Lost {
        return Err(lost(&server, pane).await);
    }
    Ok(told(pane, ran, limit, most))
}

/// Why the end of a command will never be known.
async fn lost(server: &Server, pane: PaneId) -> ToolError {
    let before = "before the command did, so its status cannot be known";
    match server.pane(pane).await {
        Err(error) => {
            let error = ToolError::from(error);
            ToolError { message: format!("pane {pane} ended {before}: {}", error.message), ..error }
        }
        Ok(row) if row.dead => refused(format!("the shell in pane {pane} ended {before}"))
            .suggest("Call respawn_pane to start it again."),
        Ok(_) => refused(format!("the shell in pane {pane} was replaced by another one {before}")),
    }
}

/// The command as it stands.
fn told(pane: PaneId, ran: Ran, limit: Duration, most: usize) -> RunCommandResult {
    let gaps = ran.output.gaps;
    let (output, cut, shortened) = lines(&ran.output, most);
    RunCommandResult {
        effective_timeout: limit.as_secs_f64(),
        elapsed_seconds: limits::seconds(ran.elapsed),
        exit_status: match ran.progress {
            Progress::Ended(status) => Some(status.into()),
            _ => None,
        },
        output: Some(output),
        output_truncated: cut > 0 || shortened || gaps,
        output_truncated_lines: i64::try_from(cut).unwrap_or(i64::MAX),
        pane_id: pane.to_string(),
        timed_out: !ran.progress.is_final(),
    }
}

/// The newest lines that there is room for, how many are missing before them, and whether the first one has lost its beginning.
fn lines(output: &Output, most: usize) -> (Vec<String>, u64, bool) {
    let text = output.text();
    let text = text.strip_suffix('\n').unwrap_or(&text);
    if text.is_empty() && output.bytes.is_empty() {
        return (Vec::new(), output.dropped_lines, output.dropped_bytes > 0);
    }
    let mut lines: Vec<&str> = text.split('\n').collect();
    let mut missing = output.dropped_lines;
    let mut shortened = output.dropped_bytes > 0;
    if shortened && lines.len() > 1 {
        // Nobody knows whether it is whole.
        lines.remove(0);
        (missing, shortened) = (missing + 1, false);
    }
    let mut room = ANSWER;
    let fits = |line: &&&str| match room.checked_sub(cost(line)) {
        Some(left) => {
            room = left;
            true
        }
        None => false,
    };
    let kept = lines.iter().rev().take(most).take_while(fits).count();
    let cut = lines.len() - kept;
    if kept == 0
        && let Some(last) = lines.last()
    {
        return (vec![end_of(last).to_owned()], missing + cut as u64 - 1, true);
    }
    let newest = lines[cut..].iter().map(|line| (*line).to_owned()).collect();
    (newest, missing + cut as u64, shortened && cut == 0)
}

/// How many bytes a line takes in the answer: once as JSON, and once more as JSON inside of a JSON text.
fn cost(line: &str) -> usize {
    let json = serde_json::Value::from(line).to_string();
    let again = json.bytes().filter(|byte| b"\"\\".contains(byte)).count();
    2 * (json.len() + 1) + again
}

/// As much of the end of a line as there is room for.
fn end_of(line: &str) -> &str {
    let mut room = ANSWER;
    let mut from = line.len();
    for (at, character) in line.char_indices().rev() {
        match room.checked_sub(cost(character.encode_utf8(&mut [0; 4]))) {
            Some(left) => (room, from) = (left, at),
            None => break,
        }
    }
    &line[from..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn output(bytes: &str, dropped_bytes: u64, dropped_lines: u64) -> Output {
        Output { bytes: bytes.into(), dropped_bytes, dropped_lines, gaps: false }
    }

    fn check(output: Output, most: usize, expected: &[&str], missing: u64, shortened: bool) {
        let expected = expected.iter().map(|&line| line.to_owned()).collect();
        assert_eq!(lines(&output, most), (expected, missing, shortened));
    }

    #[test]
    fn lines_as_they_were_written() {
        check(output("", 0, 0), 9, &[], 0, false);
        check(output("\r\n", 0, 0), 9, &[""], 0, false);
        check(output("a\r\n\r\nb", 0, 0), 9, &["a", "", "b"], 0, false);
        check(output("a\r\nb\r\n", 0, 0), 1, &["b"], 1, false);
        check(output("tail of one\r\nb\r\n", 90, 7), 9, &["b"], 8, false);
        check(output("one without an end", 90, 7), 9, &["one without an end"], 7, true);
    }

    #[test]
    fn a_line_that_is_too_long_keeps_its_end() {
        let (kept, missing, shortened) = lines(&output(&format!("a\n{}é", "\x1b".repeat(KEPT)), 0, 0), 9);
        assert_eq!((kept.len(), missing, shortened), (1, 1, true));
        assert!(kept[0].ends_with("\x1bé") && kept[0].len() < KEPT);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 32, ..ProptestConfig::default() })]

        #[test]
        fn every_line_is_there_or_counted(written in "([a\"\x1b]{0,9}\n){0,40}", times in 1usize..900, most in 1usize..5000) {
            let written = written.repeat(times);
            let (kept, missing, shortened) = lines(&output(&written, 0, 0), most);
            prop_assert!(!shortened && kept.len() <= most);
            prop_assert_eq!(kept.len() as u64 + missing, written.matches('\n').count() as u64);
            let whole = serde_json::Value::from(kept).to_string();
            prop_assert!(whole.len() + serde_json::Value::from(whole.as_str()).to_string().len() < 500_000);
        }
    }
}
