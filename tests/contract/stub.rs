//! A server that has every tool and does nothing: it counts calls and answers with what it was given.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use schemux::{CallError, Caller, Cx, Reply, ToolError, Tools, dispatch};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// The server. Also a connection to itself.
#[derive(Debug, Default)]
pub struct Stub {
    calls: AtomicUsize,
    /// The next results, or the error instead.
    answer: Mutex<Option<Result<Value, ToolError>>>,
}

impl Stub {
    /// A server whose tools give this result, unwrapped.
    pub fn answering(result: Value) -> Self {
        Stub { answer: Mutex::new(Some(Ok(result))), ..Stub::default() }
    }

    /// A server whose tools fail.
    pub fn failing(error: ToolError) -> Self {
        Stub { answer: Mutex::new(Some(Err(error))), ..Stub::default() }
    }

    /// How often a tool was called.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    fn answer<R: DeserializeOwned>(&self) -> Result<R, ToolError> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        match self.answer.lock().expect("no test panics with it").clone() {
            Some(Ok(result)) => {
                Ok(serde_json::from_value(result).expect("the test gives a result of this tool"))
            }
            Some(Err(error)) => Err(error),
            None => Err(ToolError::unexpected("StubError", "called")),
        }
    }
}

macro_rules! stub {
    ($($tool:ident($args:ident) -> $result:ty;)*) => {
        impl Tools for Stub {
            $(async fn $tool(&self, _: &Cx, _: schemux::$args) -> Result<$result, ToolError> {
                self.answer()
            })*
        }
    };
}

// One line per tool; the compiler names the one that is missing.
stub! {
    call_read_tools_batch(CallReadToolsBatchArgs) -> schemux::ToolCallBatchResult;
    capture_pane(CapturePaneArgs) -> String;
    capture_since(CaptureSinceArgs) -> schemux::CaptureSinceResult;
    clear_pane(ClearPaneArgs) -> String;
    create_session(CreateSessionArgs) -> schemux::SessionInfo;
    create_window(CreateWindowArgs) -> schemux::WindowInfo;
    delete_buffer(DeleteBufferArgs) -> String;
    display_message(DisplayMessageArgs) -> String;
    enter_copy_mode(EnterCopyModeArgs) -> schemux::PaneInfo;
    exit_copy_mode(ExitCopyModeArgs) -> schemux::PaneInfo;
    find_pane_by_position(FindPaneByPositionArgs) -> schemux::PaneInfo;
    get_pane_info(GetPaneInfoArgs) -> schemux::PaneInfo;
    get_server_info(GetServerInfoArgs) -> schemux::ServerInfo;
    get_session_info(GetSessionInfoArgs) -> schemux::SessionInfo;
    get_window_info(GetWindowInfoArgs) -> schemux::WindowInfo;
    kill_pane(KillPaneArgs) -> String;
    kill_server(KillServerArgs) -> String;
    kill_session(KillSessionArgs) -> String;
    kill_window(KillWindowArgs) -> String;
    list_panes(ListPanesArgs) -> Vec<schemux::PaneInfo>;
    list_servers(ListServersArgs) -> Vec<schemux::ServerInfo>;
    list_sessions(ListSessionsArgs) -> Vec<schemux::SessionInfo>;
    list_windows(ListWindowsArgs) -> Vec<schemux::WindowInfo>;
    load_buffer(LoadBufferArgs) -> schemux::BufferRef;
    move_window(MoveWindowArgs) -> schemux::WindowInfo;
    paste_buffer(PasteBufferArgs) -> String;
    paste_text(PasteTextArgs) -> String;
    pipe_pane(PipePaneArgs) -> String;
    rename_session(RenameSessionArgs) -> schemux::SessionInfo;
    rename_window(RenameWindowArgs) -> schemux::WindowInfo;
    resize_pane(ResizePaneArgs) -> schemux::PaneInfo;
    resize_window(ResizeWindowArgs) -> schemux::WindowInfo;
    respawn_pane(RespawnPaneArgs) -> schemux::PaneInfo;
    run_command(RunCommandArgs) -> schemux::RunCommandResult;
    search_panes(SearchPanesArgs) -> schemux::SearchPanesResult;
    select_layout(SelectLayoutArgs) -> schemux::WindowInfo;
    select_pane(SelectPaneArgs) -> schemux::PaneInfo;
    select_window(SelectWindowArgs) -> schemux::WindowInfo;
    send_keys(SendKeysArgs) -> String;
    send_keys_batch(SendKeysBatchArgs) -> schemux::SendKeysBatchResult;
    set_environment(SetEnvironmentArgs) -> schemux::EnvironmentSetResult;
    set_option(SetOptionArgs) -> schemux::OptionSetResult;
    set_pane_title(SetPaneTitleArgs) -> schemux::PaneInfo;
    show_buffer(ShowBufferArgs) -> schemux::BufferContent;
    show_environment(ShowEnvironmentArgs) -> schemux::EnvironmentResult;
    show_hook(ShowHookArgs) -> schemux::HookListResult;
    show_hooks(ShowHooksArgs) -> schemux::HookListResult;
    show_option(ShowOptionArgs) -> schemux::OptionResult;
    signal_channel(SignalChannelArgs) -> String;
    snapshot_pane(SnapshotPaneArgs) -> schemux::PaneSnapshot;
    split_window(SplitWindowArgs) -> schemux::PaneInfo;
    swap_pane(SwapPaneArgs) -> schemux::PaneInfo;
    wait_for_channel(WaitForChannelArgs) -> String;
    wait_for_exit(WaitForExitArgs) -> schemux::WaitForExitResult;
    wait_for_text(WaitForTextArgs) -> schemux::WaitForTextResult;
}

impl Caller for Stub {
    async fn call(&self, tool: &'static str, arguments: Map<String, Value>) -> Result<Reply, CallError> {
        Ok(match dispatch(self, tool, arguments, &Cx::new()).await {
            Ok(answer) => Reply {
                text: answer.text.unwrap_or_default(),
                structured: Some(answer.structured),
                ..Reply::default()
            },
            Err(error) => {
                Reply { is_error: true, text: error.text(), meta: Some(error.meta()), structured: None }
            }
        })
    }

    async fn list(&self) -> Result<Vec<Value>, CallError> {
        Ok(schemux::TOOLS.iter().map(|tool| json!(tool.entry())).collect())
    }
}
