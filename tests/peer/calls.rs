//! Typed calls, made in the same order on both sides.

use schemux::*;
use serde::Serialize;
use serde_json::{Value, json};

use super::Side;

/// What one side answered, in order.
struct Answers {
    side: Side,
    given: Vec<(&'static str, Value)>,
}

impl Answers {
    fn note<T: Serialize>(&mut self, step: &'static str, answer: Result<T, CallError>) {
        let value = match answer {
            Ok(value) => stable(json!(value)),
            Err(CallError::Tool(error)) => json!({ "failed": error.error_type }),
            Err(other) => panic!("{step}: {other}"),
        };
        self.given.push((step, value));
    }
}

/// Without what differs from run to run, and without confirmations, whose wording is each server's own.
fn stable(value: Value) -> Value {
    match value {
        Value::Object(map) => Value::Object(
            map.into_iter()
                .map(|(key, value)| {
                    let value = match key.as_str() {
                        "pane_pid" | "pane_tty" | "session_created" | "elapsed_seconds" | "cursor"
                        | "buffer_name" | "version" => Value::from("varies"),
                        _ => stable(value),
                    };
                    (key, value)
                })
                .collect(),
        ),
        Value::Array(list) => Value::Array(list.into_iter().map(stable).collect()),
        other => other,
    }
}

/// Runs all steps on one side. `note!` takes the step's name and the call.
async fn steps(side: Side) -> Answers {
    let mut answers = Answers { side, given: Vec::new() };
    macro_rules! note {
        ($step:literal, $tool:ident($args:expr)) => {
            let answer = answers.side.client.$tool($args).await;
            answers.note($step, answer);
        };
    }
    // What a program is that was just started, and where, depends on the moment.
    macro_rules! started {
        ($step:literal, $tool:ident($args:expr)) => {
            let answer = answers.side.client.$tool($args).await;
            let bare = |pane| PaneInfo { pane_current_command: None, pane_current_path: None, ..pane };
            answers.note($step, answer.map(bare));
            answers.side.world.until("every program is there", || {
                let places = answers.side.world.tmux(["list-panes", "-a", "-F", "=#{pane_current_path}"]);
                places.lines().all(|place| place != "=")
            });
        };
    }
    macro_rules! done {
        ($step:literal, $tool:ident($args:expr)) => {
            let answer = answers.side.client.$tool($args).await;
            answers.note($step, answer.map(|_| "done"));
        };
    }
    let text = str::to_owned;

    note!("list sessions", list_sessions(ListSessionsArgs::new()));
    note!("session", get_session_info(GetSessionInfoArgs::new()));
    note!("no such session", get_session_info(GetSessionInfoArgs::new().session_name("nope")));
    note!("create", create_session(CreateSessionArgs::new().session_name("work").x(90).y(30)));
    note!("create again", create_session(CreateSessionArgs::new().session_name("work")));
    note!("bad name", create_session(CreateSessionArgs::new().session_name("a:b")));
    note!("rename", rename_session(RenameSessionArgs::new("job").session_name("work")));
    note!("window", create_window(CreateWindowArgs::new().session_name("job").window_name("logs")));
    note!("windows", list_windows(ListWindowsArgs::new()));
    note!("windows of one", list_windows(ListWindowsArgs::new().session_name("job")));
    let filters = MapOrJson::String(text(r#"{"window_name__contains": "og"}"#));
    note!("windows by filter", list_windows(ListWindowsArgs::new().filters(filters)));
    note!("window info", get_window_info(GetWindowInfoArgs::new().session_name("job").window_index("1")));
    note!("rename window", rename_window(RenameWindowArgs::new("log").session_name("job").window_index("1")));
    note!("select window", select_window(SelectWindowArgs::new().session_name("job").window_index("1")));
    started!(
        "split",
        split_window(SplitWindowArgs::new().session_name("job").window_index("1").shell("exec sleep 1000"))
    );
    started!(
        "split beside",
        split_window(
            SplitWindowArgs::new().pane_id("%3").direction(SplitDirection::Right).shell("exec sleep 1000")
        )
    );
    note!("panes", list_panes(ListPanesArgs::new().session_name("job")));
    note!(
        "corner",
        find_pane_by_position(
            FindPaneByPositionArgs::new(Corner::BottomRight).session_name("job").window_index("1")
        )
    );
    note!("select pane", select_pane(SelectPaneArgs::new().pane_id("%4")));
    note!(
        "select next",
        select_pane(
            SelectPaneArgs::new().direction(PaneDirection::Next).session_name("job").window_index("1")
        )
    );
    note!("resize pane", resize_pane(ResizePaneArgs::new().pane_id("%4").height(6)));
    note!("zoom", resize_pane(ResizePaneArgs::new().pane_id("%4").zoom(true)));
    note!("unzoom", resize_pane(ResizePaneArgs::new().pane_id("%4").zoom(false)));
    note!("zoom and size", resize_pane(ResizePaneArgs::new().pane_id("%4").zoom(true).height(3)));
    note!("title", set_pane_title(SetPaneTitleArgs::new("tail").pane_id("%4")));
    note!("swap", swap_pane(SwapPaneArgs::new("%4", "%5")));
    note!("pane", get_pane_info(GetPaneInfoArgs::new().pane_id("%5")));
    note!("no such pane", get_pane_info(GetPaneInfoArgs::new().pane_id("%99")));
    note!(
        "move window",
        move_window(MoveWindowArgs::new().session_name("job").window_index("1").destination_index("7"))
    );
    note!("resize window", resize_window(ResizeWindowArgs::new().window_id("@3").width(100).height(40)));
    note!("copy mode", enter_copy_mode(EnterCopyModeArgs::new().pane_id("%4")));
    note!("leave copy mode", exit_copy_mode(ExitCopyModeArgs::new().pane_id("%4")));
    note!("size", display_message(DisplayMessageArgs::new("#{pane_width}x#{pane_height}").pane_id("%4")));
    note!("no command in a format", display_message(DisplayMessageArgs::new("#(true)").pane_id("%4")));
    note!("option", show_option(ShowOptionArgs::new("history-limit").scope(Scope::Session).global(true)));
    note!("set option", set_option(SetOptionArgs::new("@mark", "on me").global(true)));
    note!(
        "option of one's own",
        show_option(ShowOptionArgs::new("@mark").scope(Scope::Session).global(true))
    );
    note!(
        "no such option",
        show_option(ShowOptionArgs::new("no-such-option").scope(Scope::Session).global(true))
    );
    note!("set environment", set_environment(SetEnvironmentArgs::new("PEER", "value").session_name("job")));
    note!("environment", show_environment(ShowEnvironmentArgs::new().session_name("job")));
    note!("hooks", show_hooks(ShowHooksArgs::new().scope(Scope::Session)));
    note!("buffer", load_buffer(LoadBufferArgs::new("one\ntwo\n").logical_name("notes")));
    note!("bad buffer", show_buffer(ShowBufferArgs::new("not-ours")));
    done!("signal", signal_channel(SignalChannelArgs::new("go")));
    done!("channel", wait_for_channel(WaitForChannelArgs::new("go").timeout(5.0)));
    done!("channel in vain", wait_for_channel(WaitForChannelArgs::new("never").timeout(0.1)));
    let refused = RunCommandArgs::new(" ").pane_id("%1");
    note!("blank command", run_command(refused));
    let run =
        answers.side.client.run_command(RunCommandArgs::new("(exit 7)").pane_id("%1").timeout(10.0)).await;
    answers.note("status of a command", run.map(|run| (run.exit_status, run.timed_out)));
    done!("type", send_keys(SendKeysArgs::new("echo \"typed\" words").pane_id("%1").literal(true)));
    answers.side.world.until("it ran", || {
        answers.side.world.tmux(["capture-pane", "-p", "-t", "%1"]).contains("\ntyped words")
    });
    let found = answers.side.client.search_panes(SearchPanesArgs::new("typed WORDS")).await;
    answers.note("search", found.map(|found| (found.total_panes_matched, found.truncated)));
    note!("kill pane", get_pane_info(GetPaneInfoArgs::new().pane_id("%5")));
    done!("kill the pane", kill_pane(KillPaneArgs::new("%5")));
    done!("kill the window", kill_window(KillWindowArgs::new("@3")));
    done!("kill no session", kill_session(KillSessionArgs::new()));
    done!("kill the session", kill_session(KillSessionArgs::new().session_name("job")));
    note!("what is left", list_windows(ListWindowsArgs::new()));
    done!("kill the server", kill_server(KillServerArgs::new()));
    note!("nothing is left", list_sessions(ListSessionsArgs::new()));
    answers
}

#[tokio::test]
#[ignore = "needs SCHEMUX_PEER"]
async fn the_same_calls_give_the_same_answers() {
    // One after the other: the machine may be small, and the other side looks for its shell again and again.
    let theirs = steps(Side::theirs().await).await.given;
    let ours = steps(Side::ours().await).await.given;
    let mut differences = Vec::new();
    for ((step, theirs), (_, ours)) in theirs.iter().zip(&ours) {
        if theirs != ours {
            differences.push(format!("{step}\n theirs {theirs}\n ours   {ours}"));
        }
    }
    assert!(
        differences.is_empty(),
        "{} of {} differ:\n{}",
        differences.len(),
        ours.len(),
        differences.join("\n")
    );
}
