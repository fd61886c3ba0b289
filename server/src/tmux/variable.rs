//! Which variables do rows have? Those that a window, its session and its active pane have in some tmux from 3.2a to 3.8, by name.
//!
//! tmux itself says nothing about an unknown name but gives nothing for it, or the value of an option that is called so.

/// The name itself, if it is that of a variable which the rows of a listing can have.
pub fn variable(name: &str) -> Option<&'static str> {
    VARIABLES.binary_search(&name).ok().map(|at| VARIABLES[at])
}

#[rustfmt::skip]
const VARIABLES: &[&str] = &[
    "active_window_index", "alternate_on", "alternate_saved_x", "alternate_saved_y", "bracket_paste_flag",
    "copy_cursor_hyperlink", "copy_cursor_line", "copy_cursor_word", "copy_cursor_x", "copy_cursor_y",
    "copy_position", "copy_position_limit", "cursor_blinking", "cursor_character", "cursor_colour",
    "cursor_flag", "cursor_shape", "cursor_very_visible", "cursor_x", "cursor_y", "history_added",
    "history_bytes", "history_collected", "history_generation", "history_limit", "history_size", "host",
    "host_short", "insert_flag", "keypad_cursor_flag", "keypad_flag", "last_window_index", "mouse_all_flag",
    "mouse_any_flag", "mouse_button_flag", "mouse_sgr_flag", "mouse_standard_flag", "mouse_utf",
    "next_window_active", "next_window_index", "origin_flag", "pane_active", "pane_at_bottom",
    "pane_at_left", "pane_at_right", "pane_at_top", "pane_bg", "pane_bottom", "pane_command_duration",
    "pane_command_end_time", "pane_command_running", "pane_command_start_time", "pane_command_status",
    "pane_current_command", "pane_current_path", "pane_dead", "pane_dead_signal", "pane_dead_status",
    "pane_dead_time", "pane_fg", "pane_flags", "pane_floating_flag", "pane_height", "pane_id",
    "pane_in_mode", "pane_index", "pane_input_off", "pane_key_mode", "pane_last", "pane_last_output_time",
    "pane_last_prompt_time", "pane_left", "pane_marked", "pane_marked_set", "pane_modal_flag", "pane_mode",
    "pane_output_generation", "pane_path", "pane_pb_progress", "pane_pb_state", "pane_pid", "pane_pipe",
    "pane_pipe_pid", "pane_private_modes", "pane_right", "pane_search_string", "pane_start_command",
    "pane_start_command_list", "pane_start_path", "pane_synchronized", "pane_tabs", "pane_title",
    "pane_top", "pane_tty", "pane_unseen_changes", "pane_unzoomed_height", "pane_unzoomed_width",
    "pane_width", "pane_x", "pane_y", "pane_z", "pane_zoomed_flag", "pid", "prev_window_active",
    "prev_window_index", "rectangle_toggle", "scroll_position", "scroll_region_lower",
    "scroll_region_upper", "search_count", "search_count_partial", "search_match", "search_present",
    "selection_active", "selection_end_x", "selection_end_y", "selection_mode", "selection_present",
    "selection_start_x", "selection_start_y", "session_active", "session_activity", "session_activity_flag",
    "session_alerts", "session_attached", "session_attached_list", "session_bell_flag", "session_created",
    "session_group", "session_group_attached", "session_group_attached_list", "session_group_list",
    "session_group_many_attached", "session_group_size", "session_grouped", "session_id",
    "session_last_attached", "session_many_attached", "session_marked", "session_name", "session_path",
    "session_silence_flag", "session_stack", "session_windows", "socket_path", "start_time",
    "synchronized_output_flag", "uid", "user", "version", "window_active", "window_active_clients",
    "window_active_clients_list", "window_active_sessions", "window_active_sessions_list",
    "window_activity", "window_activity_flag", "window_bell_flag", "window_bigger", "window_cell_height",
    "window_cell_width", "window_end_flag", "window_flags", "window_height", "window_id", "window_index",
    "window_last_flag", "window_layout", "window_linked", "window_linked_sessions",
    "window_linked_sessions_list", "window_manual_height", "window_manual_width", "window_marked_flag",
    "window_modal_pane", "window_name", "window_offset_x", "window_offset_y", "window_panes",
    "window_raw_flags", "window_silence_flag", "window_stack_index", "window_start_flag",
    "window_visible_layout", "window_width", "window_zoomed_flag", "wrap_flag",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_in_order() {
        assert!(VARIABLES.is_sorted());
        assert_eq!(variable("pane_id"), Some("pane_id"));
        for none in ["", "pane", "client_name", "status", "pane_id}#(x"] {
            assert_eq!(variable(none), None);
        }
    }
}
