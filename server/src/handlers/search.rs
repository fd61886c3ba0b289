//! Which panes show a text?

use std::collections::BTreeMap;

use schemux::{PaneContentMatch, SearchPanesArgs, SearchPanesResult, ToolError};

use super::errors::refused;
use super::limits::at_most;
use super::target::{self, session_target};
use crate::state::Tmux;
use crate::tmux::{
    PaneId, PaneRow, Patterns, Row, Scope, Server, Span, Syntax, Target, TmuxError, capture_all,
};

/// The longest pattern, in characters.
const LONGEST: usize = 1000;

/// A pane, with what its row says besides.
#[derive(Clone)]
struct Found {
    row: PaneRow,
    session_name: String,
    window_name: String,
}

/// Looks for a text on the screens of panes, or in their history.
pub async fn search_panes(tmux: &Tmux, args: SearchPanesArgs) -> Result<SearchPanesResult, ToolError> {
    let pattern = pattern(&args)?;
    let most_lines = at_most("max_matched_lines_per_pane", Some(args.max_matched_lines_per_pane))?;
    let server = tmux.server_to_read(args.socket_name.as_deref());
    let panes = panes(&server, session_target!(args)).await?;
    let ids: Vec<PaneId> = panes.keys().copied().collect();
    let span = Span { start: args.content_start, end: args.content_end };
    let mut matches = Vec::new();
    for (id, rows) in capture_all(&server, &ids, span).await? {
        let mut lines: Vec<String> =
            rows.into_iter().filter(|row| pattern.first_match(row).is_some()).collect();
        if !lines.is_empty() {
            let cut = lines.len().saturating_sub(most_lines);
            lines.drain(..cut);
            matches.push((id, lines, cut > 0));
        }
        // A long history takes its time; others have theirs in between.
        tokio::task::yield_now().await;
    }
    let total = matches.len();
    let first = usize::try_from(args.offset.max(0)).unwrap_or(usize::MAX).min(total);
    let size = args.limit.map_or(usize::MAX, |limit| usize::try_from(limit.max(0)).unwrap_or(usize::MAX));
    let after = first.saturating_add(size).min(total);
    let truncated_panes: Vec<String> = matches.drain(after..).map(|(id, ..)| id.to_string()).collect();
    let page = matches.split_off(first);
    let truncated = !truncated_panes.is_empty() || page.iter().any(|(.., cut)| *cut);
    let shown = page.into_iter().filter_map(|(id, lines, _)| {
        panes.get(&id).map(|found| shown(found, lines, tmux.is_caller(&server, id)))
    });
    Ok(SearchPanesResult {
        matches: Some(shown.collect()),
        limit: args.limit,
        offset: args.offset,
        total_panes_matched: i64::try_from(total).unwrap_or(i64::MAX),
        truncated,
        truncated_panes: Some(truncated_panes),
    })
}

fn pattern(args: &SearchPanesArgs) -> Result<Patterns, ToolError> {
    if args.pattern.chars().nth(LONGEST).is_some() {
        return Err(refused(format!("pattern is longer than {LONGEST} characters; search for a part of it")));
    }
    let syntax = Syntax { regex: args.regex, match_case: args.match_case };
    // Nothing in particular is on every line.
    let (text, syntax) = match args.pattern.as_str() {
        "" => ("(?:)", Syntax { regex: true, ..syntax }),
        text => (text, syntax),
    };
    Patterns::new(&[text], syntax)
        .map_err(|bad| ToolError::expected("error", format!("pattern cannot be used: {}", bad.reason)))
}

/// The panes to look at, by number. A pane that several sessions show is one, as the oldest of them shows it.
async fn panes(server: &Server, target: Target<'_>) -> Result<BTreeMap<PaneId, Found>, TmuxError> {
    let scope = if target == Target::default() {
        match server.introduce().await {
            // Where there is no server there is nothing to be found.
            Err(error) if error.is_no_server() => return Ok(BTreeMap::new()),
            introduced => introduced?,
        }
        Scope::Server
    } else {
        Scope::Session(target::session(server, target).await?.session_id)
    };
    let rows = server.pane_rows(scope, &["session_name", "window_name"]).await?;
    let mut panes = BTreeMap::new();
    for found in rows.iter().filter_map(Found::read) {
        let known = panes.entry(found.row.id);
        known
            .and_modify(|known: &mut Found| {
                if found.row.session_id < known.row.session_id {
                    *known = found.clone();
                }
            })
            .or_insert(found);
    }
    Ok(panes)
}

impl Found {
    fn read(row: &Row) -> Option<Self> {
        let names = (row.text("session_name"), row.text("window_name"));
        PaneRow::read(row).map(|row| Found { row, session_name: names.0, window_name: names.1 })
    }
}

fn shown(found: &Found, matched_lines: Vec<String>, is_caller: Option<bool>) -> PaneContentMatch {
    let Found { row, session_name, window_name } = found;
    PaneContentMatch {
        is_caller,
        matched_lines,
        pane_at_bottom: Some(row.at_bottom),
        pane_at_left: Some(row.at_left),
        pane_at_right: Some(row.at_right),
        pane_at_top: Some(row.at_top),
        pane_bottom: Some(row.bottom.into()),
        pane_current_command: row.current_command.clone(),
        pane_current_path: row.current_path.clone(),
        pane_id: row.id.to_string(),
        pane_left: Some(row.left.into()),
        pane_right: Some(row.right.into()),
        pane_top: Some(row.top.into()),
        pane_tty: row.tty.clone(),
        session_id: Some(row.session_id.to_string()),
        session_name: Some(session_name.clone()),
        window_id: Some(row.window_id.to_string()),
        window_name: Some(window_name.clone()),
    }
}
