//! Where on the page does each thing stand? Works alike on the Markdown twin, on text with headings kept and on the text
//! of the whole page, because it goes by what the lines say.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::text::{Text, is_name_char};
use crate::fault::Fault;

/// Something said on a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    pub line: usize,
    pub text: String,
}

/// Where things stand: ranges are indices into the page's lines.
#[derive(Debug, Default)]
pub struct Layout {
    /// Who says the tool's name, and which; the call sentence comes first.
    pub names: Vec<(&'static str, Said)>,
    pub badge: Option<Said>,
    pub breadcrumb: Option<Said>,
    pub address: Option<Said>,
    pub source: Option<String>,
    pub summary: Option<Said>,
    /// What stands between the parentheses of the signature.
    pub signature: Option<Said>,
    pub description: Range<usize>,
    pub arguments: Option<Range<usize>>,
    pub result: Option<Range<usize>>,
    pub annotations: Option<Range<usize>>,
    /// Whether "Protocol data" was found.
    pub protocol: bool,
    /// The lines of the labels "Input schema" and "Output schema".
    pub input: Option<usize>,
    pub output: Option<usize>,
}

static CALL: LazyLock<Regex> = LazyLock::new(|| regex("Send `?([^\\s`]+)`? as the tool name"));
static BADGE: LazyLock<Regex> = LazyLock::new(|| regex(r"^tool MCP ?(\S+)$"));
static BREADCRUMB: LazyLock<Regex> = LazyLock::new(|| regex(r"^(\S+) MCP reference$"));
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| regex(r"^Source: <?(https?://[^\s>]+)>?$"));
static SOURCE: LazyLock<Regex> = LazyLock::new(|| regex(r"^(tool )?\[source\] ?[#¶]?$"));
static SECTION: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?:#+ )?(Arguments|Result|Annotations|Protocol data) ?[#¶]?$"));
static ANCHOR: LazyLock<Regex> = LazyLock::new(|| regex(r"#mcp\.tool\.([A-Za-z0-9_-]+)"));

/// The patterns are fixed: the tests of any page compile them all.
pub fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a fixed pattern compiles")
}

/// Finds everything on the page that can be found.
///
/// # Errors
///
/// The page is no tool's page.
pub fn find(file: &str, text: &Text<'_>) -> Result<Layout, Fault> {
    let calls: Vec<usize> =
        (0..text.lines.len()).filter(|at| CALL.is_match(&text.lines[*at].shown)).collect();
    let label = |label: &str| text.lines.iter().rposition(|line| line.shown == label);
    let Some(&call) = calls.first() else {
        return Err(no_tool_page(file, text, label("Input schema").is_some()));
    };
    let mut layout =
        Layout { input: label("Input schema"), output: label("Output schema"), ..Layout::default() };
    for at in calls {
        if let Some(name) = captured(&CALL, text, at) {
            layout.names.push(("the sentence `Send … as the tool name`", name));
        }
    }
    preamble(text, call, &mut layout);
    sections(text, call, &mut layout);
    anchors(text, &mut layout);
    Ok(layout)
}

fn no_tool_page(file: &str, text: &Text<'_>, schema: bool) -> Fault {
    let first = text.lines.iter().map(|line| line.plain.to_lowercase()).find(|line| !line.is_empty());
    let Some(first) = first else {
        return Fault::new(file, "", "the page is empty").hint("save the page of one tool");
    };
    if first.starts_with("<!doctype") || first.starts_with("<html") {
        return Fault::new(file, "", "this is HTML, not the text of a tool's page")
            .hint("save the page's text, or the Markdown at its address with `.md`");
    }
    let missing = if schema { "" } else { " and no line `Input schema`" };
    Fault::new(
        file,
        "",
        format!("this is no tool's page: it has no sentence `Send <name> as the tool name`{missing}"),
    )
    .hint("save the page of one tool, whole")
}

/// All that stands above the call sentence.
fn preamble(text: &Text<'_>, call: usize, layout: &mut Layout) {
    let above = || (0..call).rev();
    let badge = above().find(|at| BADGE.is_match(&text.lines[*at].shown));
    layout.badge = badge.and_then(|at| captured(&BADGE, text, at));
    layout.breadcrumb = above().find_map(|at| captured(&BREADCRUMB, text, at));
    layout.address = above().find_map(|at| captured(&ADDRESS, text, at));
    layout.summary = summary(text, call);
    let heading = heading(text, call, badge, layout.names.first().map_or("", |(_, name)| &name.text));
    if let Some((at, name)) = &heading {
        layout.names.push(("the heading", Said { line: at + 1, text: name.clone() }));
    }
    let head = heading.map(|(at, _)| at).max(badge).map_or(0, |at| at + 1);
    let source = (head..call).find(|at| SOURCE.is_match(&text.lines[*at].shown));
    layout.source = source.and_then(|at| {
        text.lines[at].links.iter().find(|link| link.text == "source").map(|link| link.address.clone())
    });
    let signature = signature(text, head..source.unwrap_or(call));
    let body = source.map(|at| at + 1).or(signature.as_ref().map(|(end, _, _)| *end)).unwrap_or(head);
    if let Some((_, name, arguments)) = signature {
        layout.names.push(("the signature", name));
        layout.signature = Some(arguments);
    }
    let method = (body..call).find(|at| text.lines[*at].content().starts_with("MCP request method"));
    layout.description = body..method.unwrap_or(call);
}

fn summary(text: &Text<'_>, call: usize) -> Option<Said> {
    let quoted = |at: &usize| text.lines[*at].shown.starts_with('>');
    let first = (0..call).find(quoted).filter(|_| text.markdown)?;
    let lines: Vec<_> = (first..call).take_while(quoted).map(|at| text.lines[at].shown[1..].trim()).collect();
    Some(Said { line: first + 1, text: lines.join("\n").trim().to_owned() })
}

/// Markdown begins with it; elsewhere it is the word alone on a line below the badge, or anywhere above the call.
fn heading(text: &Text<'_>, call: usize, badge: Option<usize>, name: &str) -> Option<(usize, String)> {
    if text.markdown {
        return (0..call)
            .find_map(|at| Some((at, text.lines[at].shown.strip_prefix("# ")?.trim().to_owned())));
    }
    let below = badge.and_then(|at| (at + 1..call).find(|at| !text.lines[*at].shown.is_empty()));
    below.and_then(|at| Some((at, text.lines[at].lone_word()?.to_owned()))).or_else(|| {
        (0..call).find(|at| text.lines[*at].lone_word() == Some(name)).map(|at| (at, name.to_owned()))
    })
}

/// In lines, with one argument on each.
const LONGEST_SIGNATURE: usize = 200;

/// The line after the signature, the name in it and its arguments; it may be spread over several lines.
fn signature(text: &Text<'_>, range: Range<usize>) -> Option<(usize, Said, Said)> {
    for start in range.clone() {
        let Some((name, rest)) = text.lines[start].content().split_once('(') else { continue };
        if name.is_empty() || !name.chars().all(is_name_char) || !(rest.is_empty() || rest.ends_with(')')) {
            continue;
        }
        let line = start + 1;
        let mut arguments = rest.to_owned();
        let mut end = start + 1;
        while !arguments.ends_with(')') && end < range.end.min(start + LONGEST_SIGNATURE) {
            arguments.push(' ');
            arguments.push_str(&text.lines[end].shown);
            end += 1;
        }
        if let Some(arguments) = arguments.strip_suffix(')') {
            let said = |text: &str| Said { line, text: text.to_owned() };
            return Some((end, said(name), said(arguments)));
        }
    }
    None
}

/// The first heading of each kind below the call; a page may list them once more at its end.
fn sections(text: &Text<'_>, call: usize, layout: &mut Layout) {
    let end = layout
        .input
        .into_iter()
        .chain(layout.output)
        .filter(|at| *at > call)
        .min()
        .unwrap_or(text.lines.len());
    let mut starts: Vec<(usize, String)> = Vec::new();
    for at in call + 1..end {
        if let Some(found) = captured(&SECTION, text, at)
            && !starts.iter().any(|(_, name)| *name == found.text)
        {
            starts.push((at, found.text));
        }
    }
    for (index, (at, name)) in starts.iter().enumerate() {
        let range = at + 1..starts.get(index + 1).map_or(end, |(next, _)| *next);
        match name.as_str() {
            "Arguments" => layout.arguments = Some(range),
            "Result" => layout.result = Some(range),
            "Annotations" => layout.annotations = Some(range),
            _ => layout.protocol = true,
        }
    }
}

/// Links of the page to its own places name the tool too. Those in running text are left out: they may lead to others.
fn anchors(text: &Text<'_>, layout: &mut Layout) {
    let own = |plain: &str, shown: &str| {
        plain.starts_with("* **") || plain.starts_with("## ") || SOURCE.is_match(shown)
    };
    for line in text.lines.iter().filter(|line| own(&line.plain, &line.shown)) {
        for link in &line.links {
            if let Some(found) = ANCHOR.captures(&link.address) {
                let name = Said { line: line.number, text: found[1].to_owned() };
                layout.names.push(("the link", name));
            }
        }
    }
}

fn captured(pattern: &Regex, text: &Text<'_>, at: usize) -> Option<Said> {
    let line = &text.lines[at];
    let found = pattern.captures(&line.shown)?;
    Some(Said { line: line.number, text: found[1].to_owned() })
}
