//! An MCP server for tmux.
