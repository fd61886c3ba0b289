//! Panes: which there are, where they are, and what is done to them among others.

use schemux::{
    ClearPaneArgs, Corner, FindPaneByPositionArgs, GetPaneInfoArgs, KillPaneArgs, ListPanesArgs,
    PaneDirection, PaneInfo, ResizePaneArgs, SelectPaneArgs, SetPaneTitleArgs, SplitDirection, SplitSize,
    SplitWindowArgs, SwapPaneArgs, ToolError,
};

use super::errors::refused;
use super::filters::{Filters, Kind};
use super::target::{self, Found, pane_target, window_target};
use super::{guard, pane, start};
use crate::state::Tmux;
use crate::tmux::{self, Command, CommandList, PaneRow, Scope, Side, Size, Split, Toward};

/// One pane.
pub async fn get_pane_info(tmux: &Tmux, args: GetPaneInfoArgs) -> Result<PaneInfo, ToolError> {
    let server = tmux.server_to_read(args.socket_name.as_deref());
    let row = target::pane_after(&server, pane_target!(args), |_| CommandList::new()).await?;
    Ok(tmux.pane_info(&server, row))
}

/// The pane in a corner of a window. If several touch both edges, as a zoomed one does, the one farthest to the right and
/// bottom.
pub async fn find_pane_by_position(tmux: &Tmux, args: FindPaneByPositionArgs) -> Result<PaneInfo, ToolError> {
    let server = tmux.server_to_read(args.socket_name.as_deref());
    let window = target::window(&server, window_target!(args)).await?;
    let scope = Scope::Window(window.session_id, window.window_id);
    let rows = server.pane_rows(scope, &[]).await?;
    let touching = rows.iter().filter_map(PaneRow::read).filter(|pane| touches(pane, args.corner));
    // Of equals the first.
    let found = touching.rev().max_by_key(|pane| pane.left + pane.top);
    let found = found.ok_or_else(|| {
        refused(format!("no pane of window {} touches its {} corner", window.window_id, args.corner))
    })?;
    Ok(tmux.pane_info(&server, found))
}

fn touches(pane: &PaneRow, corner: Corner) -> bool {
    match corner {
        Corner::TopLeft => pane.at_top && pane.at_left,
        Corner::TopRight => pane.at_top && pane.at_right,
        Corner::BottomLeft => pane.at_bottom && pane.at_left,
        Corner::BottomRight => pane.at_bottom && pane.at_right,
    }
}

/// Opens a pane beside the one that is named, or beside the active one of a window.
pub async fn split_window(tmux: &Tmux, args: SplitWindowArgs) -> Result<PaneInfo, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let what = Split {
        side: match args.direction {
            None | Some(SplitDirection::Below) => Side::Below,
            Some(SplitDirection::Above) => Side::Above,
            Some(SplitDirection::Left) => Side::Left,
            Some(SplitDirection::Right) => Side::Right,
        },
        size: args.size.map(size).transpose()?,
        start_directory: start::directory(tmux, args.start_directory)?,
        environment: start::variables(args.environment, args.suppress_persistent_history)?,
        shell_command: args.shell,
    };
    let beside = match &args.pane_id {
        Some(id) => {
            server.recognize().await?;
            pane::id(id)?.to_string()
        }
        None => target::window(&server, window_target!(args)).await?.window_target(),
    };
    let row = tmux::split_pane(&server, &beside, &what).await?;
    Ok(tmux.pane_info(&server, row))
}

fn size(given: SplitSize) -> Result<Size, ToolError> {
    let size = match &given {
        SplitSize::Integer(cells) => u32::try_from(*cells).ok().map(Size::Cells),
        SplitSize::String(text) => Size::parse(text),
    };
    size.ok_or_else(|| refused("size must be a number of cells, or a share such as \"30%\"".to_owned()))
}

/// Makes a pane the active one: the one that is named, or the one in a direction from the active one of a window.
pub async fn select_pane(tmux: &Tmux, args: SelectPaneArgs) -> Result<PaneInfo, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let row = match (&args.pane_id, args.direction) {
        (Some(id), _) => {
            server.recognize().await?;
            let id = pane::id(id)?;
            server.pane_after(Command::new("select-pane").target(id).into(), id).await?
        }
        (None, Some(direction)) => {
            let window = target::window(&server, window_target!(args)).await?;
            tmux::select_toward(&server, &window, toward(direction)).await?
        }
        (None, None) => return Err(refused("give pane_id, or a direction".to_owned())),
    };
    Ok(tmux.pane_info(&server, row))
}

fn toward(direction: PaneDirection) -> Toward {
    match direction {
        PaneDirection::Up => Toward::Up,
        PaneDirection::Down => Toward::Down,
        PaneDirection::Left => Toward::Left,
        PaneDirection::Right => Toward::Right,
        PaneDirection::Last => Toward::Last,
        PaneDirection::Next => Toward::Next,
        PaneDirection::Previous => Toward::Previous,
    }
}

/// Exchanges the places of two panes, and shows the first.
pub async fn swap_pane(tmux: &Tmux, args: SwapPaneArgs) -> Result<PaneInfo, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    server.recognize().await?;
    let (source, target) = (pane::id(&args.source_pane_id)?, pane::id(&args.target_pane_id)?);
    let row = tmux::swap_panes(&server, source, target).await?;
    Ok(tmux.pane_info(&server, row))
}

/// Sets a pane's size, or lets it fill its window. A size of 0 counts as none, and so do both for a call that changes nothing.
pub async fn resize_pane(tmux: &Tmux, args: ResizePaneArgs) -> Result<PaneInfo, ToolError> {
    if args.zoom.is_some() && (args.height.is_some() || args.width.is_some()) {
        return Err(refused("zoom cannot go together with height or width".to_owned()));
    }
    let server = tmux.server(args.socket_name.as_deref());
    let found = Found::pane(&server, pane_target!(args)).await?;
    let id = found.pane;
    let list = match args.zoom {
        Some(on) => tmux::zoom_pane(id, on).map_err(tmux::TmuxError::from)?,
        None => {
            let resize = Command::new("resize-pane").target(id);
            let cells = |cells: Option<i64>| cells.filter(|&cells| cells != 0);
            let sized = [('y', cells(args.height)), ('x', cells(args.width))];
            let given = sized.into_iter().filter_map(|(flag, cells)| Some((flag, cells?.to_string())));
            given.fold(resize, |command, (flag, cells)| command.value(flag, cells)).into()
        }
    };
    let row = server.pane_after(list, id).await?;
    Ok(tmux.pane_info(&server, found.seen(row)))
}

/// Sets a pane's title.
pub async fn set_pane_title(tmux: &Tmux, args: SetPaneTitleArgs) -> Result<PaneInfo, ToolError> {
    if args.title.contains(|c: char| c.is_ascii_control()) {
        return Err(refused("a title cannot hold control characters such as tabs and newlines".to_owned()));
    }
    let server = tmux.server(args.socket_name.as_deref());
    let found = Found::pane(&server, pane_target!(args)).await?;
    let row = tmux::set_pane_title(&server, found.pane, &args.title).await?;
    Ok(tmux.pane_info(&server, found.seen(row)))
}

/// Ends a pane and what runs in it, unless this program does.
pub async fn kill_pane(tmux: &Tmux, args: KillPaneArgs) -> Result<String, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let id = pane::id(&args.pane_id)?;
    guard::pane(tmux, &server, id, "kill")?;
    server.recognize().await?;
    tmux::kill_pane(&server, id).await?;
    Ok(format!("pane {id} is killed"))
}

/// Wipes a pane's screen and history.
pub async fn clear_pane(tmux: &Tmux, args: ClearPaneArgs) -> Result<String, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let row = target::pane_after(&server, pane_target!(args), tmux::clear_pane).await?;
    Ok(format!("the screen and the history of pane {} are cleared", row.id))
}

/// The panes of a window, of a session, or all of them.
pub async fn list_panes(tmux: &Tmux, args: ListPanesArgs) -> Result<Vec<PaneInfo>, ToolError> {
    let filters = Filters::read(args.filters.clone(), Kind::Pane)?;
    let server = tmux.server_to_read(args.socket_name.as_deref());
    let rows = async |scope| server.pane_rows(scope, &filters.variables()).await;
    let rows = target::listed(&server, window_target!(args), rows).await?;
    let wanted = rows.iter().filter(|row| filters.accept(row)).filter_map(PaneRow::read);
    Ok(wanted.map(|row| tmux.pane_info(&server, row)).collect())
}
