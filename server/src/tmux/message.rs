//! What do the variables in a text say? The text is tmux's to expand; see [`expand`] for what is to be kept out of it.

use super::capture::{missing, say, split_at_line};
use super::command::{Command, CommandList};
use super::connection::own;
use super::error::TmuxError;
use super::format::{Query, nonce};
use super::id::PaneId;
use super::server::Server;

/// Variables that count or name clients. This program's own do not show in their values.
const CLIENTS: &[&str] = &[
    "session_attached",
    "session_attached_list",
    "session_many_attached",
    "window_active_clients",
    "window_active_clients_list",
];

/// Expands `text` for a pane as `display-message -p` does: with variables (`#{name}`), and with what `strftime` knows (`%H`). An
/// empty text stays one. Whoever takes the text from somebody else looks first whether it holds more than variables: formats can
/// run commands.
///
/// # Errors
///
/// [`TmuxError::NoSuchPane`]; what a call to tmux can meet.
pub async fn expand(server: &Server, pane: PaneId, text: &str) -> Result<String, TmuxError> {
    let variables = [&["pane_id"], CLIENTS].concat();
    let query = Query::new(&variables);
    let (marker, end) = (nonce(), nonce());
    let message = |text: &str| Command::new("display-message").flag('p').target(pane).operand(text);
    let mut list = CommandList::new();
    // For an empty text tmux would take one of its own.
    if !text.is_empty() {
        list = list.then(message(&marked(text, &marker)));
    }
    let list = list.then(say(&end)).then(message(&query.template()));
    let output = server.run(&list).await.map_err(|error| missing(error, pane))?;
    let no_such_pane = || TmuxError::NoSuchPane { pane: pane.to_string() };
    let (expanded, values) = split_at_line(&output, &end).ok_or_else(no_such_pane)?;
    let row = query.rows(values).ok().and_then(|rows| rows.into_iter().next());
    let row = row.and_then(|row| row.without_clients(own::is_own));
    // Where there is no such pane tmux expands the text all the same.
    let row = row.filter(|row| row.parsed("pane_id") == Some(pane)).ok_or_else(no_such_pane)?;
    let expanded = String::from_utf8_lossy(expanded.strip_suffix(b"\n").unwrap_or(expanded));
    let values = CLIENTS.iter().enumerate();
    Ok(values.fold(expanded.into_owned(), |text, (index, name)| {
        text.replace(&mark(&marker, index), &row.text(name))
    }))
}

/// The text with marks in the place of variables about clients.
fn marked(text: &str, marker: &str) -> String {
    CLIENTS
        .iter()
        .enumerate()
        .fold(text.to_owned(), |text, (index, name)| text.replace(&reference(name), &mark(marker, index)))
}

fn reference(name: &str) -> String {
    format!("#{{{name}}}")
}

fn mark(marker: &str, index: usize) -> String {
    format!("{marker}-{index}-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_variables_about_clients_are_marked() {
        let text = "#{pane_id} #{session_attached}#{session_attached_list}, #{session_attached_x}";
        assert_eq!(marked(text, "zN"), "#{pane_id} zN-0-zN-1-, #{session_attached_x}");
    }
}
