//! The table of contents: one line per tool, into the family that knows how.

use schemux::{
    BufferContent, BufferRef, CallReadToolsBatchArgs, CapturePaneArgs, CaptureSinceArgs, CaptureSinceResult,
    ClearPaneArgs, CreateSessionArgs, CreateWindowArgs, Cx, DeleteBufferArgs, DisplayMessageArgs,
    EnterCopyModeArgs, EnvironmentResult, EnvironmentSetResult, ExitCopyModeArgs, FindPaneByPositionArgs,
    GetPaneInfoArgs, GetServerInfoArgs, GetSessionInfoArgs, GetWindowInfoArgs, HookListResult, KillPaneArgs,
    KillServerArgs, KillSessionArgs, KillWindowArgs, ListPanesArgs, ListServersArgs, ListSessionsArgs,
    ListWindowsArgs, LoadBufferArgs, MoveWindowArgs, OptionResult, OptionSetResult, PaneInfo, PaneSnapshot,
    PasteBufferArgs, PasteTextArgs, PipePaneArgs, RenameSessionArgs, RenameWindowArgs, ResizePaneArgs,
    ResizeWindowArgs, RespawnPaneArgs, RunCommandArgs, RunCommandResult, SearchPanesArgs, SearchPanesResult,
    SelectLayoutArgs, SelectPaneArgs, SelectWindowArgs, SendKeysArgs, SendKeysBatchArgs, SendKeysBatchResult,
    ServerInfo, SessionInfo, SetEnvironmentArgs, SetOptionArgs, SetPaneTitleArgs, ShowBufferArgs,
    ShowEnvironmentArgs, ShowHookArgs, ShowHooksArgs, ShowOptionArgs, SignalChannelArgs, SnapshotPaneArgs,
    SplitWindowArgs, SwapPaneArgs, ToolCallBatchResult, ToolError, Tools, WaitForChannelArgs,
    WaitForExitArgs, WaitForExitResult, WaitForTextArgs, WaitForTextResult, WindowInfo,
};

use crate::handlers::{
    batch, buffers, environments, hooks, mode, options, panes, pipe, process, reading, running, search,
    servers, sessions, typing, wait, windows,
};
use crate::state::Tmux;

impl Tools for Tmux {
    async fn call_read_tools_batch(
        &self,
        cx: &Cx,
        args: CallReadToolsBatchArgs,
    ) -> Result<ToolCallBatchResult, ToolError> {
        batch::call_read_tools_batch(self, cx, args).await
    }

    async fn capture_pane(&self, _: &Cx, args: CapturePaneArgs) -> Result<String, ToolError> {
        reading::capture_pane(self, args).await
    }

    async fn capture_since(&self, _: &Cx, args: CaptureSinceArgs) -> Result<CaptureSinceResult, ToolError> {
        reading::capture_since(self, args).await
    }

    async fn clear_pane(&self, _: &Cx, args: ClearPaneArgs) -> Result<String, ToolError> {
        panes::clear_pane(self, args).await
    }

    async fn create_session(&self, _: &Cx, args: CreateSessionArgs) -> Result<SessionInfo, ToolError> {
        sessions::create_session(self, args).await
    }

    async fn create_window(&self, _: &Cx, args: CreateWindowArgs) -> Result<WindowInfo, ToolError> {
        windows::create_window(self, args).await
    }

    async fn delete_buffer(&self, _: &Cx, args: DeleteBufferArgs) -> Result<String, ToolError> {
        buffers::delete_buffer(self, args).await
    }

    async fn display_message(&self, _: &Cx, args: DisplayMessageArgs) -> Result<String, ToolError> {
        reading::display_message(self, args).await
    }

    async fn enter_copy_mode(&self, _: &Cx, args: EnterCopyModeArgs) -> Result<PaneInfo, ToolError> {
        mode::enter_copy_mode(self, args).await
    }

    async fn exit_copy_mode(&self, _: &Cx, args: ExitCopyModeArgs) -> Result<PaneInfo, ToolError> {
        mode::exit_copy_mode(self, args).await
    }

    async fn find_pane_by_position(
        &self,
        _: &Cx,
        args: FindPaneByPositionArgs,
    ) -> Result<PaneInfo, ToolError> {
        panes::find_pane_by_position(self, args).await
    }

    async fn get_pane_info(&self, _: &Cx, args: GetPaneInfoArgs) -> Result<PaneInfo, ToolError> {
        panes::get_pane_info(self, args).await
    }

    async fn get_server_info(&self, _: &Cx, args: GetServerInfoArgs) -> Result<ServerInfo, ToolError> {
        servers::get_server_info(self, args).await
    }

    async fn get_session_info(&self, _: &Cx, args: GetSessionInfoArgs) -> Result<SessionInfo, ToolError> {
        sessions::get_session_info(self, args).await
    }

    async fn get_window_info(&self, _: &Cx, args: GetWindowInfoArgs) -> Result<WindowInfo, ToolError> {
        windows::get_window_info(self, args).await
    }

    async fn kill_pane(&self, _: &Cx, args: KillPaneArgs) -> Result<String, ToolError> {
        panes::kill_pane(self, args).await
    }

    async fn kill_server(&self, _: &Cx, args: KillServerArgs) -> Result<String, ToolError> {
        servers::kill_server(self, args).await
    }

    async fn kill_session(&self, _: &Cx, args: KillSessionArgs) -> Result<String, ToolError> {
        sessions::kill_session(self, args).await
    }

    async fn kill_window(&self, _: &Cx, args: KillWindowArgs) -> Result<String, ToolError> {
        windows::kill_window(self, args).await
    }

    async fn list_panes(&self, _: &Cx, args: ListPanesArgs) -> Result<Vec<PaneInfo>, ToolError> {
        panes::list_panes(self, args).await
    }

    async fn list_servers(&self, _: &Cx, args: ListServersArgs) -> Result<Vec<ServerInfo>, ToolError> {
        servers::list_servers(self, args).await
    }

    async fn list_sessions(&self, _: &Cx, args: ListSessionsArgs) -> Result<Vec<SessionInfo>, ToolError> {
        sessions::list_sessions(self, args).await
    }

    async fn list_windows(&self, _: &Cx, args: ListWindowsArgs) -> Result<Vec<WindowInfo>, ToolError> {
        windows::list_windows(self, args).await
    }

    async fn load_buffer(&self, _: &Cx, args: LoadBufferArgs) -> Result<BufferRef, ToolError> {
        buffers::load_buffer(self, args).await
    }

    async fn move_window(&self, _: &Cx, args: MoveWindowArgs) -> Result<WindowInfo, ToolError> {
        windows::move_window(self, args).await
    }

    async fn paste_buffer(&self, _: &Cx, args: PasteBufferArgs) -> Result<String, ToolError> {
        buffers::paste_buffer(self, args).await
    }

    async fn paste_text(&self, _: &Cx, args: PasteTextArgs) -> Result<String, ToolError> {
        typing::paste_text(self, args).await
    }

    async fn pipe_pane(&self, _: &Cx, args: PipePaneArgs) -> Result<String, ToolError> {
        pipe::pipe_pane(self, args).await
    }

    async fn rename_session(&self, _: &Cx, args: RenameSessionArgs) -> Result<SessionInfo, ToolError> {
        sessions::rename_session(self, args).await
    }

    async fn rename_window(&self, _: &Cx, args: RenameWindowArgs) -> Result<WindowInfo, ToolError> {
        windows::rename_window(self, args).await
    }

    async fn resize_pane(&self, _: &Cx, args: ResizePaneArgs) -> Result<PaneInfo, ToolError> {
        panes::resize_pane(self, args).await
    }

    async fn resize_window(&self, _: &Cx, args: ResizeWindowArgs) -> Result<WindowInfo, ToolError> {
        windows::resize_window(self, args).await
    }

    async fn respawn_pane(&self, _: &Cx, args: RespawnPaneArgs) -> Result<PaneInfo, ToolError> {
        process::respawn_pane(self, args).await
    }

    async fn run_command(&self, cx: &Cx, args: RunCommandArgs) -> Result<RunCommandResult, ToolError> {
        running::run_command(self, cx, args).await
    }

    async fn search_panes(&self, _: &Cx, args: SearchPanesArgs) -> Result<SearchPanesResult, ToolError> {
        search::search_panes(self, args).await
    }

    async fn select_layout(&self, _: &Cx, args: SelectLayoutArgs) -> Result<WindowInfo, ToolError> {
        windows::select_layout(self, args).await
    }

    async fn select_pane(&self, _: &Cx, args: SelectPaneArgs) -> Result<PaneInfo, ToolError> {
        panes::select_pane(self, args).await
    }

    async fn select_window(&self, _: &Cx, args: SelectWindowArgs) -> Result<WindowInfo, ToolError> {
        windows::select_window(self, args).await
    }

    async fn send_keys(&self, _: &Cx, args: SendKeysArgs) -> Result<String, ToolError> {
        typing::send_keys(self, args).await
    }

    async fn send_keys_batch(
        &self,
        cx: &Cx,
        args: SendKeysBatchArgs,
    ) -> Result<SendKeysBatchResult, ToolError> {
        typing::send_keys_batch(self, cx, args).await
    }

    async fn set_environment(
        &self,
        _: &Cx,
        args: SetEnvironmentArgs,
    ) -> Result<EnvironmentSetResult, ToolError> {
        environments::set_environment(self, args).await
    }

    async fn set_option(&self, _: &Cx, args: SetOptionArgs) -> Result<OptionSetResult, ToolError> {
        options::set_option(self, args).await
    }

    async fn set_pane_title(&self, _: &Cx, args: SetPaneTitleArgs) -> Result<PaneInfo, ToolError> {
        panes::set_pane_title(self, args).await
    }

    async fn show_buffer(&self, _: &Cx, args: ShowBufferArgs) -> Result<BufferContent, ToolError> {
        buffers::show_buffer(self, args).await
    }

    async fn show_environment(
        &self,
        _: &Cx,
        args: ShowEnvironmentArgs,
    ) -> Result<EnvironmentResult, ToolError> {
        environments::show_environment(self, args).await
    }

    async fn show_hook(&self, _: &Cx, args: ShowHookArgs) -> Result<HookListResult, ToolError> {
        hooks::show_hook(self, args).await
    }

    async fn show_hooks(&self, _: &Cx, args: ShowHooksArgs) -> Result<HookListResult, ToolError> {
        hooks::show_hooks(self, args).await
    }

    async fn show_option(&self, _: &Cx, args: ShowOptionArgs) -> Result<OptionResult, ToolError> {
        options::show_option(self, args).await
    }

    async fn signal_channel(&self, _: &Cx, args: SignalChannelArgs) -> Result<String, ToolError> {
        wait::signal_channel(self, args).await
    }

    async fn snapshot_pane(&self, _: &Cx, args: SnapshotPaneArgs) -> Result<PaneSnapshot, ToolError> {
        reading::snapshot_pane(self, args).await
    }

    async fn split_window(&self, _: &Cx, args: SplitWindowArgs) -> Result<PaneInfo, ToolError> {
        panes::split_window(self, args).await
    }

    async fn swap_pane(&self, _: &Cx, args: SwapPaneArgs) -> Result<PaneInfo, ToolError> {
        panes::swap_pane(self, args).await
    }

    async fn wait_for_channel(&self, cx: &Cx, args: WaitForChannelArgs) -> Result<String, ToolError> {
        wait::wait_for_channel(self, cx, args).await
    }

    async fn wait_for_exit(&self, cx: &Cx, args: WaitForExitArgs) -> Result<WaitForExitResult, ToolError> {
        wait::wait_for_exit(self, cx, args).await
    }

    async fn wait_for_text(&self, cx: &Cx, args: WaitForTextArgs) -> Result<WaitForTextResult, ToolError> {
        wait::wait_for_text(self, cx, args).await
    }
}
