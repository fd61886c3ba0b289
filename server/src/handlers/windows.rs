//! Windows: which there are, and making, naming, choosing, arranging, moving and ending them.

use schemux::{
    CreateWindowArgs, GetWindowInfoArgs, KillWindowArgs, ListWindowsArgs, MoveWindowArgs, RenameWindowArgs,
    ResizeWindowArgs, SelectLayoutArgs, SelectWindowArgs, ToolError, WindowDirection, WindowInfo,
    WindowPlacement,
};

use super::errors::refused;
use super::filters::{Filters, Kind};
use super::target::{self, session_target, window_target};
use super::{guard, start, window};
use crate::state::Tmux;
use crate::tmux::{
    self, Command, CommandList, Layout, NewWindow, Place, Position, Server, Target, TmuxError, WindowRow,
    literal,
};

/// The windows of a session, or all of them.
pub async fn list_windows(tmux: &Tmux, args: ListWindowsArgs) -> Result<Vec<WindowInfo>, ToolError> {
    let filters = Filters::read(args.filters.clone(), Kind::Window)?;
    let server = tmux.server_to_read(args.socket_name.as_deref());
    let rows = async |scope| server.window_rows(scope, &filters.variables()).await;
    let rows = target::listed(&server, session_target!(args), rows).await?;
    let wanted = rows.iter().filter(|row| filters.accept(row)).filter_map(WindowRow::read);
    Ok(wanted.map(window::info).collect())
}

/// One window.
pub async fn get_window_info(tmux: &Tmux, args: GetWindowInfoArgs) -> Result<WindowInfo, ToolError> {
    let server = tmux.server_to_read(args.socket_name.as_deref());
    let place = target::window(&server, window_target!(args)).await?;
    after(&server, &place, CommandList::new()).await
}

/// Makes a window. Nothing is made unless everything can be had.
pub async fn create_window(tmux: &Tmux, args: CreateWindowArgs) -> Result<WindowInfo, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let target = session_target!(args);
    let what = NewWindow {
        environment: start::variables(args.environment.clone(), args.suppress_persistent_history)?,
        start_directory: start::directory(tmux, args.start_directory.clone())?,
        name: args.window_name.clone(),
        select: args.attach,
        position: match args.direction {
            None => Position::Free,
            Some(WindowPlacement::Before) => Position::Before,
            Some(WindowPlacement::After) => Position::After,
        },
    };
    let session = target::session(&server, target).await?.session_id;
    Ok(window::info(tmux::new_window(&server, session, &what).await?))
}

/// Gives a window another name.
pub async fn rename_window(tmux: &Tmux, args: RenameWindowArgs) -> Result<WindowInfo, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let place = target::window(&server, window_target!(args)).await?;
    let rename = Command::new("rename-window").target(place.window_target()).operand(literal(&args.new_name));
    after(&server, &place, rename.into()).await
}

/// Makes a window current in its session: one that is named, else the one in a direction.
pub async fn select_window(tmux: &Tmux, args: SelectWindowArgs) -> Result<WindowInfo, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    if args.window_id.is_some() || args.window_index.is_some() {
        let place = target::window(&server, window_target!(args)).await?;
        let select = Command::new("select-window").target(place.window_target());
        return after(&server, &place, select.into()).await;
    }
    let name = match args.direction {
        Some(WindowDirection::Next) => "next-window",
        Some(WindowDirection::Previous) => "previous-window",
        Some(WindowDirection::Last) => "last-window",
        None => {
            let message = "window_id, window_index or direction is needed to say which window to select";
            return Err(refused(message));
        }
    };
    let session = target::session(&server, session_target!(args)).await?.session_id;
    let go = Command::new(name).target(session);
    Ok(window::info(server.current_window_after(go.into(), session).await?))
}

/// Arranges the panes of a window.
pub async fn select_layout(tmux: &Tmux, args: SelectLayoutArgs) -> Result<WindowInfo, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let place = target::window(&server, window_target!(args)).await?;
    let version = server.facts().await?.version;
    let layout = Layout::read(&args.layout, &version).map_err(TmuxError::from)?;
    let mut select = Command::new("select-layout").target(place.window_target());
    if let Some(layout) = layout.operand() {
        select = select.operand(layout);
    }
    after(&server, &place, select.into()).await
}

/// Gives a window a size of its own. tmux makes it larger where its panes would not fit.
pub async fn resize_window(tmux: &Tmux, args: ResizeWindowArgs) -> Result<WindowInfo, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let place = target::window(&server, window_target!(args)).await?;
    let mut resize = Command::new("resize-window").target(place.window_target());
    let mut list = CommandList::new();
    for (flag, size) in [('x', args.width), ('y', args.height)] {
        // Models fill in 0 for what they leave open.
        if let Some(size) = size.filter(|size| *size != 0) {
            resize = resize.value(flag, size.to_string());
            list = resize.clone().into();
        }
    }
    after(&server, &place, list).await
}

/// Gives a window another index, also in another session. It becomes current there.
pub async fn move_window(tmux: &Tmux, args: MoveWindowArgs) -> Result<WindowInfo, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let target = window_target!(args);
    let places = target::places(&server, target).await?;
    let place = target.window(&places)?;
    let session = match args.destination_session.as_deref() {
        None | Some("") => place.session_id.to_string(),
        Some(session) => session.to_owned(),
    };
    let session = format!("{session}:");
    let go = Command::new("move-window")
        .value('s', place.window_target())
        .target(format_args!("{session}{}", args.destination_index));
    let moved = server.window_in_after(go.into(), &session, place.window_id).await?;
    let mut left = places.iter().filter(|other| other.session_id == place.session_id);
    if left.all(|other| other.window_id == place.window_id) {
        // A session ends with its last window.
        server.detach().await;
    }
    Ok(window::info(moved))
}

/// Ends a window that was named, unless this program runs in it.
pub async fn kill_window(tools: &Tmux, args: KillWindowArgs) -> Result<String, ToolError> {
    let server = tools.server(args.socket_name.as_deref());
    let target = Target { window_id: Some(&args.window_id), ..Target::default() };
    let places = target::places(&server, target).await?;
    let id = target.window(&places)?.window_id;
    let inside = places.iter().filter(|place| place.window_id == id);
    guard::places(tools, &server, inside, &format!("window {id}"))?;
    tmux::kill_window(&server, id).await?;
    Ok(format!("window {id} was killed"))
}

/// Runs `list` and reads the window right after it, as it is shown where it was found.
async fn after(server: &Server, place: &Place, list: CommandList) -> Result<WindowInfo, ToolError> {
    Ok(window::info(server.window_after(list, place.session_id, place.window_id).await?))
}
