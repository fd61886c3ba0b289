//! Every tool of the contract is called through the typed client, and what it changes on tmux is what its precise hints say.

use schemux::*;
use schemux_server::hints;
use schemux_tests::TmuxWorld;

use super::support::client;

/// Everything that a tool could change and tmux can tell.
fn state(world: &TmuxWorld) -> String {
    let ask = |words: &[&str]| {
        let output = world.try_tmux(words);
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let panes = "#{session_name} #{window_id} #{window_name} #{window_index} #{window_active} #{window_layout} #{window_zoomed_flag} \
                 #{pane_id} #{pane_index} #{pane_active} #{pane_pid} #{pane_title} #{pane_mode} #{scroll_position} #{pane_pipe} \
                 #{history_size} #{pane_dead}";
    let mut parts = vec![
        ask(&["list-panes", "-a", "-F", panes]),
        ask(&["list-buffers", "-F", "#{buffer_name} #{buffer_sample}"]),
        ask(&["show-options", "-g"]),
        ask(&["show-options", "-s"]),
        ask(&["show-options", "-g", "-w"]),
        ask(&["show-environment", "-g"]),
    ];
    for pane in ask(&["list-panes", "-a", "-F", "#{pane_id}"]).lines() {
        parts.push(ask(&["capture-pane", "-p", "-t", pane]));
    }
    parts.join("\n--\n")
}

/// What the tools find: session `main` with window 0 (a shell), and window 1 with two panes of which the second was active before
/// the first.
struct Stage {
    world: TmuxWorld,
    client: Client<Connection>,
    /// A pane at a shell's prompt.
    shell: String,
    /// Two panes of one window that run nothing of interest.
    panes: [String; 2],
}

impl Stage {
    async fn set() -> Self {
        let world = TmuxWorld::start();
        world.tmux(["set-option", "-g", "automatic-rename", "off"]);
        let shell = world.pane("exec env PS1='$ ' /bin/sh");
        world.until("the prompt is there", || world.tmux(["capture-pane", "-p", "-t", &shell]).contains('$'));
        let first = world.pane("echo here; exec sleep 1000");
        let words = ["split-window", "-d", "-P", "-F", "#{pane_id}", "-t", &first, "exec sleep 1000"];
        let second = world.tmux(words).trim().to_owned();
        let client = client(&world).await;
        Stage { world, client, shell, panes: [first, second] }
    }

    fn window(&self) -> String {
        self.world.tmux(["display-message", "-p", "-t", &self.panes[0], "#{window_id}"]).trim().to_owned()
    }
}

/// Calls the tool so that it changes something, if it changes anything.
async fn call(tool: &str, stage: &Stage) -> Result<(), CallError> {
    let Stage { world, client, shell, panes: [pane, other] } = stage;
    let window = stage.window();
    match tool {
        "call_read_tools_batch" => {
            let operation = ToolCallOperation::new("list_panes");
            let batch = client.call_read_tools_batch(CallReadToolsBatchArgs::new(vec![operation])).await?;
            assert_eq!((batch.succeeded, batch.failed), (1, 0));
        }
        "capture_pane" => {
            let text = client.capture_pane(CapturePaneArgs::new().pane_id(pane)).await?;
            assert_eq!(text, "here");
        }
        "capture_since" => {
            let first = client.capture_since(CaptureSinceArgs::new().pane_id(pane)).await?;
            let next = client.capture_since(CaptureSinceArgs::new().cursor(first.cursor)).await?;
            assert_eq!((next.lines, next.lines_missed), (Some(vec![]), false));
        }
        "clear_pane" => {
            client.clear_pane(ClearPaneArgs::new().pane_id(pane)).await?;
        }
        "create_session" => {
            let made = client.create_session(CreateSessionArgs::new().session_name("second")).await?;
            assert_eq!(made.session_name.as_deref(), Some("second"));
        }
        "create_window" => {
            let made = client.create_window(CreateWindowArgs::new().window_name("made")).await?;
            assert_eq!(made.window_name.as_deref(), Some("made"));
        }
        "delete_buffer" => {
            let made = client.load_buffer(LoadBufferArgs::new("text")).await?;
            client.delete_buffer(DeleteBufferArgs::new(&made.buffer_name)).await?;
            assert!(!world.tmux(["list-buffers", "-F", "#{buffer_name}"]).contains(&made.buffer_name));
            // For the state to differ: another one stays.
            client.load_buffer(LoadBufferArgs::new("text")).await?;
        }
        "display_message" => {
            let said = client.display_message(DisplayMessageArgs::new("#{pane_id}").pane_id(pane)).await?;
            assert_eq!(&said, pane);
        }
        "enter_copy_mode" => {
            client.enter_copy_mode(EnterCopyModeArgs::new().pane_id(pane)).await?;
        }
        "exit_copy_mode" => {
            let shown = client.exit_copy_mode(ExitCopyModeArgs::new().pane_id(other)).await?;
            assert_eq!(&shown.pane_id, other);
        }
        "find_pane_by_position" => {
            let args = FindPaneByPositionArgs::new(Corner::BottomLeft).window_id(window);
            assert_eq!(&client.find_pane_by_position(args).await?.pane_id, other);
        }
        "get_pane_info" => {
            assert_eq!(&client.get_pane_info(GetPaneInfoArgs::new().pane_id(pane)).await?.pane_id, pane);
        }
        "get_server_info" => {
            let info = client.get_server_info(GetServerInfoArgs::new()).await?;
            assert_eq!((info.is_alive, info.session_count), (true, 1));
        }
        "get_session_info" => {
            let info = client.get_session_info(GetSessionInfoArgs::new()).await?;
            assert_eq!((info.session_name.as_deref(), info.window_count), (Some("main"), 3));
        }
        "get_window_info" => {
            let info = client.get_window_info(GetWindowInfoArgs::new().window_id(&window)).await?;
            assert_eq!((info.window_id, info.pane_count), (window, 2));
        }
        "kill_pane" => {
            client.kill_pane(KillPaneArgs::new(other)).await?;
            assert!(!world.has_pane(other));
        }
        "kill_server" => {
            client.kill_server(KillServerArgs::new()).await?;
            world.until("the server has gone", || !world.try_tmux(["list-sessions"]).status.success());
        }
        "kill_session" => {
            client.kill_session(KillSessionArgs::new().session_name("main")).await?;
        }
        "kill_window" => {
            client.kill_window(KillWindowArgs::new(window)).await?;
            assert!(!world.has_pane(pane));
        }
        "list_panes" => assert_eq!(client.list_panes(ListPanesArgs::new()).await?.len(), 4),
        "list_servers" => assert_eq!(client.list_servers(ListServersArgs::new()).await?.len(), 1),
        "list_sessions" => assert_eq!(client.list_sessions(ListSessionsArgs::new()).await?.len(), 1),
        "list_windows" => assert_eq!(client.list_windows(ListWindowsArgs::new()).await?.len(), 3),
        "load_buffer" => {
            let made = client.load_buffer(LoadBufferArgs::new("text").logical_name("notes")).await?;
            assert!(made.buffer_name.ends_with("_notes"), "{made:?}");
        }
        "move_window" => {
            let moved =
                client.move_window(MoveWindowArgs::new().window_id(&window).destination_index("9")).await?;
            assert_eq!((moved.window_id, moved.window_index.as_deref()), (window, Some("9")));
        }
        "paste_buffer" => {
            let made = client.load_buffer(LoadBufferArgs::new("pasted")).await?;
            client.paste_buffer(PasteBufferArgs::new(made.buffer_name).pane_id(shell)).await?;
        }
        "paste_text" => {
            client.paste_text(PasteTextArgs::new("pasted").pane_id(shell)).await?;
        }
        "pipe_pane" => {
            let path = world.directory().join("piped");
            let args = PipePaneArgs::new().pane_id(pane).output_path(path.to_string_lossy());
            client.pipe_pane(args).await?;
        }
        "rename_session" => {
            let shown = client.rename_session(RenameSessionArgs::new("renamed")).await?;
            assert_eq!(shown.session_name.as_deref(), Some("renamed"));
        }
        "rename_window" => {
            let shown = client.rename_window(RenameWindowArgs::new("renamed").window_id(window)).await?;
            assert_eq!(shown.window_name.as_deref(), Some("renamed"));
        }
        "resize_pane" => {
            let shown = client.resize_pane(ResizePaneArgs::new().pane_id(pane).height(5)).await?;
            assert_eq!(shown.pane_height.as_deref(), Some("5"));
        }
        "resize_window" => {
            let args = ResizeWindowArgs::new().window_id(window).width(60).height(20);
            let shown = client.resize_window(args).await?;
            assert_eq!(
                (shown.window_width.as_deref(), shown.window_height.as_deref()),
                (Some("60"), Some("20"))
            );
        }
        "respawn_pane" => {
            let shown = client.respawn_pane(RespawnPaneArgs::new(pane)).await?;
            assert_eq!(&shown.pane_id, pane);
        }
        "run_command" => {
            let run = client.run_command(RunCommandArgs::new("echo ran; false").pane_id(shell)).await?;
            assert_eq!((run.exit_status, run.output), (Some(1), Some(vec!["ran".to_owned()])));
        }
        "search_panes" => {
            let found = client.search_panes(SearchPanesArgs::new("HERE")).await?;
            assert_eq!(found.total_panes_matched, 1);
        }
        "select_layout" => {
            let before = client.get_window_info(GetWindowInfoArgs::new().window_id(&window)).await?;
            let shown =
                client.select_layout(SelectLayoutArgs::new("even-horizontal").window_id(window)).await?;
            assert_ne!(shown.window_layout, before.window_layout);
        }
        "select_pane" => {
            let shown = client.select_pane(SelectPaneArgs::new().pane_id(other)).await?;
            assert_eq!(shown.pane_active.as_deref(), Some("1"));
        }
        "select_window" => {
            let shown = client.select_window(SelectWindowArgs::new().window_id(window)).await?;
            assert_eq!(shown.window_active.as_deref(), Some("1"));
        }
        "send_keys" => {
            client.send_keys(SendKeysArgs::new("typed").pane_id(shell)).await?;
            world.until("it shows", || world.tmux(["capture-pane", "-p", "-t", shell]).contains("typed"));
        }
        "send_keys_batch" => {
            let operation =
                SendKeysOperation { pane_id: Some(shell.clone()), ..SendKeysOperation::new("typed") };
            let batch = client.send_keys_batch(SendKeysBatchArgs::new(vec![operation])).await?;
            assert_eq!((batch.succeeded, batch.failed), (1, 0));
            world.until("it shows", || world.tmux(["capture-pane", "-p", "-t", shell]).contains("typed"));
        }
        "set_environment" => {
            client.set_environment(SetEnvironmentArgs::new("SET", "value")).await?;
            assert!(world.tmux(["show-environment", "-g"]).contains("SET=value"));
        }
        "set_option" => {
            client.set_option(SetOptionArgs::new("@set", "value").global(true)).await?;
            assert!(world.tmux(["show-options", "-g"]).contains("@set value"));
        }
        "set_pane_title" => {
            let shown = client.set_pane_title(SetPaneTitleArgs::new("titled").pane_id(pane)).await?;
            assert_eq!(shown.pane_title.as_deref(), Some("titled"));
        }
        "show_buffer" => {
            let made = client.load_buffer(LoadBufferArgs::new("kept\n")).await?;
            let before = state(world);
            let shown = client.show_buffer(ShowBufferArgs::new(&made.buffer_name)).await?;
            assert_eq!(shown.content, "kept\n");
            assert_eq!(state(world), before);
            client.delete_buffer(DeleteBufferArgs::new(made.buffer_name)).await?;
        }
        "show_environment" => {
            let shown = client.show_environment(ShowEnvironmentArgs::new()).await?;
            assert!(!shown.variables.is_empty());
        }
        "show_hook" => {
            let shown = client.show_hook(ShowHookArgs::new("pane-died").scope(Scope::Session)).await?;
            assert_eq!(shown.entries, Some(vec![]));
        }
        "show_hooks" => {
            let shown = client.show_hooks(ShowHooksArgs::new().scope(Scope::Session)).await?;
            assert!(shown.entries.is_some());
        }
        "show_option" => {
            let args = ShowOptionArgs::new("history-limit").scope(Scope::Session).global(true);
            assert_eq!(client.show_option(args).await?.value, 2000);
        }
        "signal_channel" => {
            client.signal_channel(SignalChannelArgs::new("channel")).await?;
        }
        "snapshot_pane" => {
            let shown = client.snapshot_pane(SnapshotPaneArgs::new().pane_id(pane)).await?;
            assert_eq!((shown.content.as_str(), shown.pane_in_mode), ("here", false));
        }
        "split_window" => {
            let made = client.split_window(SplitWindowArgs::new().pane_id(pane)).await?;
            assert!(world.has_pane(&made.pane_id));
        }
        "swap_pane" => {
            client.swap_pane(SwapPaneArgs::new(pane, other)).await?;
        }
        "wait_for_channel" => {
            client.signal_channel(SignalChannelArgs::new("channel")).await?;
            client.wait_for_channel(WaitForChannelArgs::new("channel").timeout(5.0)).await?;
        }
        "wait_for_exit" => {
            let end = client.wait_for_exit(WaitForExitArgs::new(pane).timeout_ms(50)).await?;
            assert_eq!(end.outcome, WaitForExitOutcome::TimedOut);
        }
        "wait_for_text" => {
            let args = WaitForTextArgs::new().pane_id(pane).patterns(vec!["never".to_owned()]).timeout(0.05);
            let end = client.wait_for_text(args).await?;
            assert_eq!((end.found, end.outcome), (false, WaitForTextOutcome::Timeout));
        }
        other => panic!("no live test calls {other}: add one here"),
    }
    Ok(())
}

#[tokio::test]
async fn every_tool_answers_and_changes_what_its_hints_say() {
    // What a channel holds, tmux does not tell.
    let invisible = ["signal_channel", "wait_for_channel"];
    let mut faults = Vec::new();
    for tool in TOOLS {
        let stage = Stage::set().await;
        if tool.name == "exit_copy_mode" {
            stage.world.tmux(["copy-mode", "-t", &stage.panes[1]]);
        }
        let before = state(&stage.world);
        if let Err(error) = call(tool.name, &stage).await {
            faults.push(format!("{}: {error}", tool.name));
        } else {
            let reads = hints::of(tool.name).expect("every tool has its line").read_only;
            let mut changed = state(&stage.world) != before;
            // Without a connection what a pane writes is read through a pipe, which is taken away a little later.
            for _ in 0..100 {
                if !changed || !reads {
                    break;
                }
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                changed = state(&stage.world) != before;
            }
            if changed == reads && !invisible.contains(&tool.name) {
                faults.push(format!("{}: changed something: {changed}, read-only: {reads}", tool.name));
            }
        }
        stage.client.close().await;
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
