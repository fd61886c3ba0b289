//! What a pane shows, what it has written, and what tmux knows about it.

use std::sync::LazyLock;
use std::time::Instant;

use regex::Regex;
use schemux::{
    CapturePaneArgs, CaptureSinceArgs, CaptureSinceResult, DisplayMessageArgs, PaneSnapshot,
    SnapshotPaneArgs, ToolError,
};

use super::errors::refused;
use super::limits::{at_most, seconds};
use super::target::{self, pane_target};
use crate::secrets::WITHHELD;
use crate::state::Tmux;
use crate::tmux::{self, Closed, Cursor, Delta, Most, OptionScope, PaneId, Server, Span, TmuxError};

/// What every cursor of `capture_since` begins with.
const CURSOR: &str = "capture-since-v1:";

/// What may stand in a text for `display_message`: anything without `#`, and variables without modifiers.
static PLAIN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(?:[^#]|#\{[A-Za-z_@][A-Za-z0-9_-]*\})*$").ok());

/// Variables of tmux whose names sound like secrets.
const NO_SECRETS: &[&str] = &["client_key_table"];

/// Reads the screen of a pane, or rows of its history.
pub async fn capture_pane(tmux: &Tmux, args: CapturePaneArgs) -> Result<String, ToolError> {
    let most = at_most("max_lines", args.max_lines)?;
    let server = tmux.server_to_read(args.socket_name.as_deref());
    let pane = target::pane_id(&server, pane_target!(args)).await?;
    let span = Span { start: args.start, end: args.end };
    let mut rows = tmux::capture(&server, pane, span).await?;
    let cut = keep_newest(&mut rows, most);
    if cut > 0 {
        rows.insert(0, format!("[... truncated {cut} lines ...]"));
    }
    Ok(rows.join("\n"))
}

/// Reads the screen of a pane and its state, of one moment.
pub async fn snapshot_pane(tmux: &Tmux, args: SnapshotPaneArgs) -> Result<PaneSnapshot, ToolError> {
    let most = at_most("max_lines", args.max_lines)?;
    let server = tmux.server_to_read(args.socket_name.as_deref());
    let pane = target::pane_id(&server, pane_target!(args)).await?;
    let mut shown = tmux::snapshot(&server, pane).await?;
    let cut = keep_newest(&mut shown.screen, most);
    let row = shown.pane;
    Ok(PaneSnapshot {
        alternate_on: Some(shown.alternate),
        content: shown.screen.join("\n"),
        content_truncated: cut > 0,
        content_truncated_lines: counted(cut),
        cursor_x: shown.cursor_x.into(),
        cursor_y: shown.cursor_y.into(),
        history_size: shown.history_size.into(),
        is_caller: tmux.is_caller(&server, pane),
        pane_at_bottom: Some(row.at_bottom),
        pane_at_left: Some(row.at_left),
        pane_at_right: Some(row.at_right),
        pane_at_top: Some(row.at_top),
        pane_bottom: Some(row.bottom.into()),
        pane_current_command: row.current_command,
        pane_current_path: row.current_path,
        pane_dead: Some(row.dead),
        pane_height: row.height.into(),
        pane_id: row.id.to_string(),
        pane_in_mode: shown.in_mode,
        pane_left: Some(row.left.into()),
        pane_mode: shown.mode,
        pane_pid: row.pid.map(|pid| pid.to_string()),
        pane_right: Some(row.right.into()),
        pane_top: Some(row.top.into()),
        pane_tty: row.tty,
        pane_width: row.width.into(),
        scroll_position: shown.scroll_position.map(i64::from),
        title: row.title,
    })
}

/// Reads what a pane has written since the last call.
pub async fn capture_since(tmux: &Tmux, args: CaptureSinceArgs) -> Result<CaptureSinceResult, ToolError> {
    let begun = Instant::now();
    let most =
        Most { lines: at_most("max_lines", args.max_lines)?, bytes: at_most("max_bytes", args.max_bytes)? };
    let cursor = args.cursor.as_deref().map(cursor).transpose()?;
    let server = tmux.server_to_read(args.socket_name.as_deref());
    let target = pane_target!(args);
    let pane = match &cursor {
        Some(cursor) if target == tmux::Target::default() => {
            server.recognize().await?;
            cursor.pane()
        }
        _ => target::pane_id(&server, target).await?,
    };
    let delta = tmux::read_since(&server, pane, cursor.as_ref(), most).await?;
    if let Some(why) = delta.closed.filter(|_| delta.lines.is_empty() && delta.missed.is_none()) {
        return Err(ended(&server, pane, why).await);
    }
    let Delta { lines, missed, truncated_lines, truncated_bytes, cursor, .. } = delta;
    Ok(CaptureSinceResult {
        cursor: format!("{CURSOR}{cursor}"),
        elapsed_seconds: seconds(begun.elapsed()),
        lines: Some(lines),
        lines_missed: missed.is_some(),
        pane_id: pane.to_string(),
        truncated: truncated_lines > 0 || truncated_bytes > 0,
        truncated_bytes: counted(truncated_bytes),
        truncated_lines: counted(truncated_lines),
    })
}

/// Expands a text with variables for a pane.
pub async fn display_message(tmux: &Tmux, args: DisplayMessageArgs) -> Result<String, ToolError> {
    if !PLAIN.as_ref().is_some_and(|plain| plain.is_match(&args.format_string)) {
        return Err(refused(
            "format_string may hold text and plain variables as `#{pane_id}`, and no other `#`: modifiers and `#(...)` can run \
             commands",
        ));
    }
    let server = tmux.server_to_read(args.socket_name.as_deref());
    let pane = target::pane_id(&server, pane_target!(args)).await?;
    let text = withheld(tmux, &server, pane, args.format_string).await?;
    Ok(tmux::expand(&server, pane, &text).await?)
}

/// The text without variables of the environment that hold secrets: tmux gives those, too.
async fn withheld(tmux: &Tmux, server: &Server, pane: PaneId, text: String) -> Result<String, ToolError> {
    let mut kept = text.clone();
    let names = text.split("#{").skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name);
    let of_tmux =
        |name: &str| name.starts_with('@') || NO_SECRETS.contains(&name) || tmux::variable(name).is_some();
    for name in names.filter(|name| !of_tmux(name)) {
        let reference = format!("#{{{name}}}");
        let value = tmux::expand(server, pane, &reference).await?;
        if value.is_empty() || tmux.config().shown.allows(name, &value) {
            continue;
        }
        let own = OptionScope::Own(Some(pane.to_string()));
        if tmux::show_option(server, &own, name).await.is_err() {
            kept = kept.replace(&reference, WITHHELD);
        }
    }
    Ok(kept)
}

/// Why there is no more to read in a pane or to wait for.
pub(super) async fn ended(server: &Server, pane: PaneId, why: Closed) -> ToolError {
    match (why, server.pane(pane).await) {
        (_, Err(error)) => error.into(),
        (_, Ok(row)) if row.dead => TmuxError::PaneDead { pane }.into(),
        (Closed::PaneGone, _) => TmuxError::NoSuchPane { pane: pane.to_string() }.into(),
        _ => refused(format!("the output of pane {pane} can no longer be followed; call again")),
    }
}

fn cursor(text: &str) -> Result<Cursor, ToolError> {
    let bad = |what: &str| {
        refused(format!("invalid capture_since cursor: {what}"))
            .suggest("Call capture_since without a cursor to get one.")
    };
    let payload = text.strip_prefix(CURSOR).ok_or_else(|| bad("it has not the form of one"))?;
    payload.parse().map_err(|_| bad("it was not given by this server"))
}

/// Cuts off the oldest, and tells how many.
fn keep_newest(rows: &mut Vec<String>, most: usize) -> usize {
    let cut = rows.len().saturating_sub(most);
    rows.drain(..cut);
    cut
}

/// As JSON counts.
fn counted(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_variables_are_expanded() {
        let plain = |text: &str| PLAIN.as_ref().unwrap().is_match(text);
        for text in ["", "a\nb", "#{pane_id}#{@mine} 100% }", "#{status-left}", "-a;"] {
            assert!(plain(text), "{text}");
        }
        for text in [
            "#",
            "##",
            "#S",
            "#(id)",
            "#{pane_id",
            "#{?a,b,c}",
            "#{E:x}",
            "#{}",
            "#{1}",
            "##{pane_id}",
            "#[x]",
        ] {
            assert!(!plain(text), "{text}");
        }
    }

    #[test]
    fn a_cursor_of_somebody_else_is_refused() {
        for bad in
            ["", "garbage", "capture-since-v1:", "capture-since-v1:eyJ2ZXJzaW9uIjoxfQ", "c1x1x1x1x1h1x1"]
        {
            let error = cursor(bad).unwrap_err();
            assert!(error.message.starts_with("invalid capture_since cursor: "), "{error}");
        }
        assert!(cursor("capture-since-v1:c1x1x1x1x1h1x1").is_ok());
    }
}
