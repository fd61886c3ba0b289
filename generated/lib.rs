//! The tmux MCP tools as typed Rust.
