//! The hooks of tmux. They are only read: what they run nobody is asked about later.

use schemux::{HookEntry, HookListResult, Scope, ShowHookArgs, ShowHooksArgs, ToolError};

use super::scope;
use crate::state::Tmux;
use crate::tmux::{self, Hook, OptionScope, Server, TmuxError};

/// The hooks that are set.
pub async fn show_hooks(tmux: &Tmux, args: ShowHooksArgs) -> Result<HookListResult, ToolError> {
    let server = tmux.server_to_read(args.socket_name.as_deref());
    let scopes = scopes(&server, args.scope, args.target.as_deref(), args.global).await?;
    Ok(result(tmux::hooks(&server, &scopes).await?))
}

/// One hook.
pub async fn show_hook(tmux: &Tmux, args: ShowHookArgs) -> Result<HookListResult, ToolError> {
    let server = tmux.server_to_read(args.socket_name.as_deref());
    let scopes = scopes(&server, args.scope, args.target.as_deref(), args.global).await?;
    Ok(result(tmux::hook(&server, &scopes, &args.hook_name).await?))
}

async fn scopes(
    server: &Server,
    scope: Option<Scope>,
    target: Option<&str>,
    global: bool,
) -> Result<Vec<OptionScope>, ToolError> {
    match scope::resolve(server, scope, target, global).await? {
        // The server itself has none: what holds for all is meant.
        OptionScope::Server | OptionScope::Everything => {
            Ok(vec![OptionScope::AllSessions, OptionScope::AllWindows])
        }
        OptionScope::Own(None) => Err(TmuxError::NoSessions.into()),
        scope => Ok(vec![scope]),
    }
}

fn result(hooks: Vec<Hook>) -> HookListResult {
    let entry = |hook: Hook| {
        let number = hook.index.as_deref().and_then(|index| index.parse().ok());
        let hook_name = match hook.index {
            // From 3.8 on an index can be any word, and the contract has only numbers.
            Some(index) if number.is_none() => format!("{}[{index}]", hook.name),
            _ => hook.name,
        };
        HookEntry { command: hook.command, hook_name, index: number }
    };
    HookListResult { entries: Some(hooks.into_iter().map(entry).collect()) }
}
