//! The hooks of tmux: what it runs when something happens. They are options, whose values are commands.

use super::command::{Command, CommandList, literal};
use super::error::TmuxError;
use super::format::nonce;
use super::option::{self, Line, OptionScope};
use super::server::Server;

/// One command list of a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// The hook's whole name.
    pub name: String,
    /// Its place where the hook has several.
    pub index: Option<String>,
    /// The commands, as tmux prints them.
    pub command: String,
}

/// The hooks that are set in any of these scopes, by name and index.
///
/// # Errors
///
/// Those of [`Server::run`].
pub async fn hooks(server: &Server, scopes: &[OptionScope]) -> Result<Vec<Hook>, TmuxError> {
    let show = |scope: &OptionScope| scope.of(Command::new("show-hooks"));
    let list = scopes.iter().map(show).fold(CommandList::new(), CommandList::then);
    let output = server.run(&list).await?;
    // From 3.8 on the user's own options are listed as well, of which nobody can tell which are hooks.
    let hooks = option::lines(&output, "").into_iter().filter(|line| !line.name.starts_with('@'));
    Ok(sorted(hooks.filter_map(hook_of).collect()))
}

/// One hook: by its name, the start of one that fits no other, or a name with an index. Empty if it is not set in any of the
/// scopes.
///
/// # Errors
///
/// [`TmuxError::NoSuchHook`], also for the name of an option; [`TmuxError::AmbiguousOption`].
pub async fn hook(server: &Server, scopes: &[OptionScope], name: &str) -> Result<Vec<Hook>, TmuxError> {
    let (base, index) = option::split_index(name);
    let show = |scope: &OptionScope| scope.of(Command::new("show-hooks")).operand(literal(base));
    let mark = nonce();
    let between = Command::new("display-message").flag('p').operand(&mark).anywhere();
    let list = scopes.iter().map(show).fold(CommandList::new(), CommandList::then).then(between);
    let all = [OptionScope::AllSessions, OptionScope::AllWindows];
    let list = all.iter().map(|scope| scope.of(Command::new("show-hooks"))).fold(list, CommandList::then);
    let no_such_hook = || TmuxError::NoSuchHook { hook: name.to_owned() };
    let output = server.run(&list).await.map_err(|error| match option::refused(error, name) {
        TmuxError::NoSuchOption { .. } => no_such_hook(),
        error => error,
    })?;
    let at = output.windows(mark.len()).position(|window| window == mark.as_bytes()).unwrap_or(output.len());
    let (output, known) = output.split_at(at);
    let is_hook = |line: &Line| line.name.starts_with(base);
    if !base.starts_with('@') && !option::lines(known, "").iter().any(is_hook) {
        return Err(no_such_hook());
    }
    let set = option::lines(output, base).into_iter().filter_map(hook_of);
    let wanted: Option<u32> = index.and_then(|index| index.parse().ok());
    let is_wanted = |hook: &Hook| index.is_none() || number(hook) == wanted && wanted.is_some();
    Ok(sorted(set.filter(is_wanted).collect()))
}

fn hook_of(line: Line) -> Option<Hook> {
    Some(Hook { name: line.name, index: line.index, command: line.value? })
}

fn number(hook: &Hook) -> Option<u32> {
    hook.index.as_deref().and_then(|index| index.parse().ok())
}

/// By name and index, each once: a hook that is asked for in two scopes may live in one.
fn sorted(mut hooks: Vec<Hook>) -> Vec<Hook> {
    hooks.sort_by(|a, b| (&a.name, number(a), &a.index).cmp(&(&b.name, number(b), &b.index)));
    hooks.dedup();
    hooks
}
