//! The environment that tmux gives to new programs.

use std::collections::BTreeMap;

use schemux::{
    EnvironmentResult, EnvironmentSetResult, EnvironmentValue, SetEnvironmentArgs, ShowEnvironmentArgs,
    ToolError,
};

use super::target::{self, session_target};
use crate::secrets::WITHHELD;
use crate::state::Tmux;
use crate::tmux::{Server, SessionId, Target, TmuxError, Variable};

/// The variables, but not the values of those that look secret. A name that is taken out of the environment is told with a `-`
/// before it, as tmux writes it.
pub async fn show_environment(
    tmux: &Tmux,
    args: ShowEnvironmentArgs,
) -> Result<EnvironmentResult, ToolError> {
    let server = tmux.server_to_read(args.socket_name.as_deref());
    let session = session(&server, session_target!(args)).await?;
    let shown = &tmux.config().shown;
    let entry = |(name, variable): (String, _)| match variable {
        Variable::Removed => (format!("-{name}"), EnvironmentValue::Boolean(true)),
        Variable::Set(value) if shown.allows(&name, &value) => (name, EnvironmentValue::String(value)),
        Variable::Set(_) => (name, EnvironmentValue::String(WITHHELD.to_owned())),
    };
    let variables: BTreeMap<_, _> = server.variables(session).await?.into_iter().map(entry).collect();
    Ok(EnvironmentResult { variables })
}

/// Sets a variable for new programs.
pub async fn set_environment(
    tmux: &Tmux,
    args: SetEnvironmentArgs,
) -> Result<EnvironmentSetResult, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let session = session(&server, session_target!(args)).await?;
    server.set_variable(session, &args.name, &args.value).await?;
    Ok(EnvironmentSetResult { name: args.name, status: "set".to_owned(), value: args.value })
}

/// The session whose environment is meant; nothing for the global one.
async fn session(server: &Server, target: Target<'_>) -> Result<Option<SessionId>, TmuxError> {
    if target.session_id.or(target.session_name).is_none() {
        return Ok(None);
    }
    target::session(server, target).await.map(|place| Some(place.session_id))
}
