//! Which port's documentation is the page from, and of which channel?

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::layout::{Layout, Said, regex};
use crate::fault::{Fault, Faults};

/// Where a page comes from.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Origin {
    pub port: String,
    pub channel: String,
}

/// The names in breadcrumbs, and the ports' short names.
const PORTS: [(&str, &str); 10] = [
    ("Python", "py"),
    ("TypeScript", "ts"),
    ("Rust", "rs"),
    ("Go", "go"),
    ("Java", "java"),
    (".NET", "dotnet"),
    ("C++", "cxx"),
    ("Swift", "swift"),
    ("Ruby", "ruby"),
    ("C#", "csharp"),
];

/// Port, channel and tool, with or without a language in front.
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^https?://[^/]+/(?:[^/]+/)?([^/]+)/([^/]+)/mcp/tools/([A-Za-z0-9_-]+)(?:\.md|\.json|\.txt|/|/index\.(?:md|html))?(?:[#?].*)?$",
    )
});

/// The name of the tool in an address.
pub fn tool(address: &str) -> Option<&str> {
    ADDRESS.captures(address)?.get(3).map(|name| name.as_str())
}

/// Finds port and channel: the address, else breadcrumb and badge, else the style of the schema.
pub fn find(file: &str, layout: &Layout, input: Option<&Value>, faults: &mut Faults) -> Origin {
    let address = layout.address.as_ref().and_then(|said| parts(file, said, faults));
    let breadcrumb = layout.breadcrumb.as_ref().and_then(|said| breadcrumb(file, said, faults));
    let badge = layout.badge.as_ref().map(|said| said.text.clone());
    if let (Some((port, _)), Some(other)) = (&address, &breadcrumb)
        && port != other
    {
        faults.push(
            Fault::new(file, "", format!("the address names the port {port}, the breadcrumb {other}"))
                .hint(AGAIN),
        );
    }
    if let (Some((_, channel)), Some(other)) = (&address, &badge)
        && channel != other
    {
        faults.push(
            Fault::new(file, "", format!("the address names the channel {channel}, the badge {other}"))
                .hint(AGAIN),
        );
    }
    let (port, channel) = address.unzip();
    let port = port.or(breadcrumb);
    if channel.is_none() && badge.is_none() && layout.address.is_none() {
        faults.push(
            Fault::new(file, "", "no badge `tool MCP<channel>` says which channel the page is from")
                .hint(SOURCE),
        );
    }
    if port.is_some() || layout.address.is_some() || layout.breadcrumb.is_some() {
        return Origin { port: port.unwrap_or_default(), channel: channel.or(badge).unwrap_or_default() };
    }
    let styled = input.map(style);
    if let Some(None) = styled {
        let what = "which port the page is from cannot be told: it has no address, no breadcrumb, and a schema of no one style";
        faults.push(Fault::new(file, "", what).hint(SOURCE));
    }
    Origin { port: styled.flatten().unwrap_or_default().to_owned(), channel: badge.unwrap_or_default() }
}

const AGAIN: &str = "take the page again from the site";
const SOURCE: &str =
    "put its address at the top: `Source: https://libtmux.org/en/<port>/<channel>/mcp/tools/<tool>/`";

fn parts(file: &str, said: &Said, faults: &mut Faults) -> Option<(String, String)> {
    let Some(found) = ADDRESS.captures(&said.text) else {
        faults.push(
            Fault::new(
                file,
                format!("line {}", said.line),
                format!("{} is no address of a tool's page", said.text),
            )
            .hint(SOURCE),
        );
        return None;
    };
    Some((found[1].to_owned(), found[2].to_owned()))
}

fn breadcrumb(file: &str, said: &Said, faults: &mut Faults) -> Option<String> {
    let port = PORTS.iter().find(|(name, _)| *name == said.text).map(|(_, port)| (*port).to_owned());
    if port.is_none() {
        faults.push(
            Fault::new(
                file,
                format!("line {}", said.line),
                format!("no port is known by the name {}", said.text),
            )
            .hint(SOURCE),
        );
    }
    port
}

/// The port whose schemas look like this one, if exactly one does.
fn style(schema: &Value) -> Option<&'static str> {
    let empty = serde_json::Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let dialect = schema.get("$schema").and_then(Value::as_str);
    let draft7 = dialect.is_some_and(|dialect| dialect.contains("draft-07"));
    let camel = properties.keys().any(|name| name.contains(|c: char| c.is_ascii_uppercase()));
    let safe_integer = properties
        .values()
        .any(|property| property.get("maximum") == Some(&9_007_199_254_740_991_u64.into()));
    let null_default = properties
        .values()
        .any(|property| property.get("anyOf").is_some() && property.get("default") == Some(&Value::Null));
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    let defs = schema.get("$defs").is_some();
    let rust_names = properties.keys().any(|name| name == "pane" || name == "seconds");
    let styles = [
        ("ts", draft7 && (camel || safe_integer)),
        (
            "py",
            dialect.is_none()
                && !camel
                && !defs
                && !rust_names
                && (null_default || closed && !properties.is_empty()),
        ),
        ("rs", !draft7 && !camel && (defs || rust_names)),
    ];
    let mut found = styles.iter().filter(|(_, is)| *is).map(|(port, _)| *port);
    let first = found.next();
    first.filter(|_| found.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn addresses_name_the_tool() {
        for address in [
            "https://libtmux.org/en/py/stable/mcp/tools/x_y/",
            "https://libtmux.org/py/stable/mcp/tools/x_y",
            "https://libtmux.org/en/py/stable/mcp/tools/x_y.md",
            "https://libtmux.org/en/py/1.2/mcp/tools/x_y/index.md#a",
        ] {
            assert_eq!(tool(address), Some("x_y"), "{address}");
        }
        assert_eq!(tool("https://libtmux.org/en/py/stable/mcp/"), None);
    }

    #[test]
    fn a_style_is_told_only_when_it_is_one() {
        let draft7 = "http://json-schema.org/draft-07/schema#";
        assert_eq!(style(&json!({"$schema": draft7, "properties": {"paneId": {}}})), Some("ts"));
        assert_eq!(style(&json!({"additionalProperties": false, "properties": {"pane_id": {}}})), Some("py"));
        assert_eq!(style(&json!({"$defs": {}, "properties": {"pane": {}}})), Some("rs"));
        assert_eq!(style(&json!({"properties": {"pane_id": {}}})), None);
        assert_eq!(style(&json!({"$schema": draft7, "properties": {"name": {}}})), None);
    }
}
