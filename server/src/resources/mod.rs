//! tmux as MCP resources: six templates over what the inspecting tools answer, so that a resource and its tool never disagree.

mod address;

use std::collections::HashMap;

use rmcp::model::{ErrorData, ResourceContents, ResourceTemplate};
use schemux::{
    CapturePaneArgs, Cx, GetPaneInfoArgs, GetSessionInfoArgs, GetWindowInfoArgs, ListPanesArgs,
    ListSessionsArgs, ListWindowsArgs, ToolError, Tools,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::surface::Surface;
use address::{Address, What};

/// A template, and the tools whose answers it shows: it is offered where they are.
struct Template {
    uri: &'static str,
    name: &'static str,
    title: &'static str,
    description: &'static str,
    text: bool,
    tools: &'static [&'static str],
}

const TEMPLATES: [Template; 6] = [
    Template {
        uri: "tmux://sessions{?socket_name}",
        name: "get_sessions",
        title: "All Sessions",
        description: "Every session of the tmux server, by name.",
        text: false,
        tools: &["list_sessions"],
    },
    Template {
        uri: "tmux://sessions/{session_name}{?socket_name}",
        name: "get_session",
        title: "Session Detail",
        description: "One session, with its windows.",
        text: false,
        tools: &["get_session_info", "list_windows"],
    },
    Template {
        uri: "tmux://sessions/{session_name}/windows{?socket_name}",
        name: "get_session_windows",
        title: "Session Windows",
        description: "The windows of one session, by index.",
        text: false,
        tools: &["list_windows"],
    },
    Template {
        uri: "tmux://sessions/{session_name}/windows/{window_index}{?socket_name}",
        name: "get_window",
        title: "Window Detail",
        description: "One window, with its panes.",
        text: false,
        tools: &["get_window_info", "list_panes"],
    },
    Template {
        uri: "tmux://panes/{pane_id}{?socket_name}",
        name: "get_pane",
        title: "Pane Detail",
        description: "One pane: where it is, its size, what runs in it.",
        text: false,
        tools: &["get_pane_info"],
    },
    Template {
        uri: "tmux://panes/{pane_id}/content{?socket_name}",
        name: "get_pane_content",
        title: "Pane Content",
        description: "What stands on one pane's screen, as text.",
        text: true,
        tools: &["capture_pane"],
    },
];

const JSON: &str = "application/json";
const TEXT: &str = "text/plain";

/// The templates that are offered.
pub fn templates(surface: &Surface) -> Vec<ResourceTemplate> {
    let offered = TEMPLATES.iter().filter(|template| is_offered(template, surface));
    let shown = |template: &Template| {
        ResourceTemplate::new(template.uri, template.name)
            .with_title(template.title)
            .with_description(template.description)
            .with_mime_type(if template.text { TEXT } else { JSON })
    };
    offered.map(shown).collect()
}

fn is_offered(template: &Template, surface: &Surface) -> bool {
    template.tools.iter().all(|tool| surface.tool(tool).is_some())
}

/// Reads a resource.
///
/// # Errors
///
/// Resource not found (-32002) for an address of no template and for an object that is not there.
pub async fn read<T: Tools>(
    tools: &T,
    surface: &Surface,
    cx: &Cx,
    uri: &str,
) -> Result<ResourceContents, ErrorData> {
    let unknown = || ErrorData::resource_not_found(format!("no resource has the address `{uri}`"), None);
    let address = Address::parse(uri).ok_or_else(unknown)?;
    if !is_offered(&TEMPLATES[address.what.template()], surface) {
        return Err(unknown());
    }
    let mut missing = None;
    for what in address.what.readings() {
        match body(tools, cx, &what, address.socket_name.as_deref()).await {
            Ok(text) => {
                let mime = if TEMPLATES[what.template()].text { TEXT } else { JSON };
                return Ok(ResourceContents::text(text, uri).with_mime_type(mime));
            }
            Err(error) if is_missing(&error) => missing = missing.or(Some(error)),
            Err(error) => return Err(ErrorData::internal_error(error.message.clone(), None)),
        }
    }
    Err(missing.map_or_else(unknown, |error| ErrorData::resource_not_found(error.message.clone(), None)))
}

/// Whether what was asked for is not there. The kinds are those of the tools.
fn is_missing(error: &ToolError) -> bool {
    matches!(error.error_type.as_ref(), "PaneNotFound" | "TmuxObjectDoesNotExist")
}

async fn body<T: Tools>(tools: &T, cx: &Cx, what: &What, socket: Option<&str>) -> Result<String, ToolError> {
    let socket_name = || socket.map(str::to_owned);
    Ok(match what {
        What::Sessions => json_text(
            &tools
                .list_sessions(cx, ListSessionsArgs { socket_name: socket_name(), ..ListSessionsArgs::new() })
                .await?,
        ),
        What::Session(name) => {
            let args = GetSessionInfoArgs {
                socket_name: socket_name(),
                ..GetSessionInfoArgs::new().session_name(name)
            };
            let session = tools.get_session_info(cx, args).await?;
            let windows = tools.list_windows(cx, windows_of(name, socket_name())).await?;
            json_text(&with(&session, "windows", &windows))
        }
        What::Windows(name) => json_text(&tools.list_windows(cx, windows_of(name, socket_name())).await?),
        What::Window(name, index) => {
            let args = GetWindowInfoArgs {
                socket_name: socket_name(),
                ..GetWindowInfoArgs::new().session_name(name).window_index(index)
            };
            let window = tools.get_window_info(cx, args).await?;
            let args = ListPanesArgs {
                socket_name: socket_name(),
                ..ListPanesArgs::new().session_name(name).window_index(index)
            };
            json_text(&with(&window, "panes", &tools.list_panes(cx, args).await?))
        }
        What::Pane(id) => {
            let args = GetPaneInfoArgs { socket_name: socket_name(), ..GetPaneInfoArgs::new().pane_id(id) };
            json_text(&tools.get_pane_info(cx, args).await?)
        }
        What::Content(id) => {
            let args = CapturePaneArgs {
                socket_name: socket_name(),
                max_lines: None,
                ..CapturePaneArgs::new().pane_id(id)
            };
            tools.capture_pane(cx, args).await?
        }
    })
}

fn windows_of(session: &str, socket_name: Option<String>) -> ListWindowsArgs {
    ListWindowsArgs { socket_name, ..ListWindowsArgs::new().session_name(session) }
}

fn with(object: &impl Serialize, name: &str, parts: &impl Serialize) -> Value {
    let mut object = json!(object);
    object[name] = json!(parts);
    object
}

/// JSON with an indent of 2, and without a byte that is no ASCII, as the server does whose resources these are.
fn json_text(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    let mut ascii = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() {
            ascii.push(character);
        } else {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                ascii.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    ascii
}

/// The values of a template's variable that begin with `typed`. Nothing for a variable that is not completed, or where there is
/// no tmux server.
pub async fn complete<T: Tools>(
    tools: &T,
    cx: &Cx,
    uri: &str,
    variable: &str,
    typed: &str,
    known: Option<&HashMap<String, String>>,
) -> Vec<String> {
    let known = |name: &str| known.and_then(|known| known.get(name)).cloned();
    let socket_name = known("socket_name");
    let is_ours = TEMPLATES.iter().any(|template| template.uri == uri) || Address::parse(uri).is_some();
    let values: Vec<String> = match variable {
        _ if !is_ours => Vec::new(),
        "session_name" => {
            let args = ListSessionsArgs { socket_name, ..ListSessionsArgs::new() };
            let sessions = tools.list_sessions(cx, args).await.unwrap_or_default();
            sessions.into_iter().filter_map(|session| session.session_name).collect()
        }
        "window_index" => {
            let args = ListWindowsArgs {
                socket_name,
                session_name: known("session_name"),
                ..ListWindowsArgs::new()
            };
            let windows = tools.list_windows(cx, args).await.unwrap_or_default();
            windows.into_iter().filter_map(|window| window.window_index).collect()
        }
        "pane_id" => {
            let args = ListPanesArgs { socket_name, ..ListPanesArgs::new() };
            tools
                .list_panes(cx, args)
                .await
                .unwrap_or_default()
                .into_iter()
                .map(|pane| pane.pane_id)
                .collect()
        }
        _ => Vec::new(),
    };
    let mut fitting: Vec<String> = Vec::new();
    for value in values {
        if value.starts_with(typed) && !fitting.contains(&value) {
            fitting.push(value);
        }
    }
    fitting
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_offered_with_their_tools() {
        let names =
            |surface: &Surface| templates(surface).into_iter().map(|shown| shown.name).collect::<Vec<_>>();
        assert_eq!(names(&Surface::default()).len(), 6);
        assert_eq!(names(&Surface::new(Some("manage"), None, None).unwrap()), Vec::<String>::new());
        let some = Surface::new(Some(""), Some("list_windows,capture_pane"), None).unwrap();
        assert_eq!(names(&some), ["get_session_windows", "get_pane_content"]);
    }

    #[test]
    fn json_is_ascii() {
        assert_eq!(json_text(&json!(["é🎉"])), "[\n  \"\\u00e9\\ud83c\\udf89\"\n]");
        assert_eq!(json_text(&json!([])), "[]");
    }
}
