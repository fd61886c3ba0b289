//! What a program is started with: its variables and its directory.

use std::path::PathBuf;

use schemux::{MapOrJson, ToolError};

use super::{environment, path};
use crate::state::Tmux;

/// The variables, with those that keep a shell from writing its history if that is wanted.
pub fn variables(
    given: Option<MapOrJson>,
    suppress_persistent_history: bool,
) -> Result<Vec<(String, String)>, ToolError> {
    let mut variables = environment::variables(given)?;
    if suppress_persistent_history {
        environment::suppress_history(&mut variables)?;
    }
    Ok(variables.into_iter().collect())
}

/// The directory, if one is given.
pub fn directory(tmux: &Tmux, given: Option<String>) -> Result<Option<PathBuf>, ToolError> {
    let config = tmux.config();
    given.map(|given| path::directory(&given, config.home.as_deref(), &config.directory)).transpose()
}
