//! What does one documentation page say? From its text to a contract that its prose, signature and JSON agree on.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use super::layout::{self, Layout};
use super::opener::{self, Opener};
use super::text::Text;
use super::{annotations, crosscheck, origin, schemas};
use crate::fault::{Fault, Faults};

/// What one documentation page says.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The tool's name.
    pub name: String,
    /// The description as the page shows it: paragraphs parted by a blank line, no Markdown, ordinary spaces.
    pub description: String,
    /// The four hints, in the order of the page.
    pub annotations: Map<String, Value>,
    /// The JSON below "Input schema".
    pub input_schema: Value,
    /// The JSON below "Output schema".
    pub output_schema: Option<Value>,
    /// Which server's documentation this is: `py`, `ts`, `rs`, ….
    pub port: String,
    /// `stable`, `latest` or a version.
    pub channel: String,
    /// Where the page was taken from.
    pub address: Option<String>,
    /// The link to the tool's source.
    pub source: Option<String>,
    /// The controlled sentence in the description.
    pub opener: Option<Opener>,
    /// The oldest tmux that the tool works with, where the description says so.
    pub tmux: Option<String>,
}

impl Page {
    /// The tool's entry of `tools/list`.
    pub fn entry(&self) -> Value {
        let mut entry = Map::new();
        entry.insert("name".into(), self.name.clone().into());
        entry.insert("description".into(), self.description.clone().into());
        entry.insert("annotations".into(), self.annotations.clone().into());
        entry.insert("inputSchema".into(), self.input_schema.clone());
        if let Some(output) = &self.output_schema {
            entry.insert("outputSchema".into(), output.clone());
        }
        Value::Object(entry)
    }
}

/// Reads one page and checks it against itself; `file` names it in faults.
///
/// # Errors
///
/// All that is wrong with the page.
pub fn parse(file: &str, text: &str) -> Result<Page, Faults> {
    let text = Text::of(text);
    let layout = layout::find(file, &text)?;
    let mut faults = Faults::default();
    let name = name(file, &layout, &mut faults);
    let description = description(file, &text, &layout, &mut faults);
    let annotations = hints(file, &text, &layout, &mut faults);
    let input = schema(file, &text, layout.input, "inputSchema", &mut faults);
    let output = schema(file, &text, layout.output, "outputSchema", &mut faults);
    if layout.input.is_none() {
        faults.push(Fault::new(file, "", "the page has no line `Input schema`").hint(AGAIN));
    }
    if let Some(input) = &input {
        crosscheck::input(file, &text, &layout, input, &mut faults);
    }
    if output.is_some() || layout.output.is_none() {
        crosscheck::output(file, &text, &layout, output.as_ref(), &mut faults);
    }
    let origin = origin::find(file, &layout, input.as_ref(), &mut faults);
    faults.or(Page {
        name,
        annotations,
        input_schema: input.unwrap_or_default(),
        output_schema: output,
        port: origin.port,
        channel: origin.channel,
        address: layout.address.map(|said| said.text),
        source: layout.source,
        opener: opener::find(&description),
        tmux: tmux(&description),
        description,
    })
}

const AGAIN: &str = "take the page again from the site, whole";

/// The name that all agree on who give one.
fn name(file: &str, layout: &Layout, faults: &mut Faults) -> String {
    let (caller, name) = match layout.names.first() {
        Some((caller, said)) => (*caller, said.text.clone()),
        None => return String::new(),
    };
    for (who, said) in &layout.names[1..] {
        if said.text != name {
            let what = format!("{who} names the tool `{}`, {caller} `{name}`", said.text);
            faults.push(Fault::new(file, format!("line {}", said.line), what).hint(AGAIN));
        }
    }
    if !layout.names.iter().any(|(who, _)| *who == "the heading") {
        faults.push(Fault::new(file, "", format!("no heading names the tool `{name}`")).hint(AGAIN));
    }
    if let Some(address) = &layout.address
        && let Some(other) = origin::tool(&address.text)
        && other != name
    {
        let what = format!("the address names the tool `{other}`, {caller} `{name}`");
        faults.push(Fault::new(file, format!("line {}", address.line), what).hint(AGAIN));
    }
    let fit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.chars().all(fit) || name.len() > 64 {
        faults.push(
            Fault::new(file, "", format!("`{name}` cannot name a tool, nor its file"))
                .hint("a name starts with a letter and has at most 64 letters, digits, `_` and `-`"),
        );
    }
    name
}

fn description(file: &str, text: &Text<'_>, layout: &Layout, faults: &mut Faults) -> String {
    let lines = &text.lines[layout.description.clone()];
    let told = || lines.iter().filter(|line| !line.shown.is_empty());
    let margin = told().map(|line| line.indent()).min().unwrap_or(0);
    let paragraphs =
        lines.split(|line| line.shown.is_empty()).filter(|lines| !lines.is_empty()).map(|lines| {
            let lines =
                lines.iter().map(|line| format!("{}{}", " ".repeat(line.indent() - margin), line.shown));
            lines.collect::<Vec<_>>().join("\n")
        });
    let description = paragraphs.collect::<Vec<_>>().join("\n\n");
    let place = format!("line {}", layout.description.start + 1);
    if description.is_empty() {
        faults.push(Fault::new(file, &place, "the description of the tool is empty").hint(AGAIN));
    }
    if let Some(summary) = &layout.summary {
        let start = summary.text.trim_end_matches(['…', '.']);
        if !description.replace('\n', " ").starts_with(&start.replace('\n', " ")) {
            let what = format!("the description does not begin with the summary of line {}", summary.line);
            faults.push(Fault::new(file, place, what).hint(AGAIN));
        }
    }
    description
}

fn hints(file: &str, text: &Text<'_>, layout: &Layout, faults: &mut Faults) -> Map<String, Value> {
    let Some(section) = layout.annotations.clone() else {
        faults.push(Fault::new(file, "", "the page has no section Annotations").hint(AGAIN));
        return Map::new();
    };
    if !layout.protocol {
        faults.push(Fault::new(file, "", "the page has no section Protocol data").hint(AGAIN));
        return Map::new();
    }
    annotations::read(file, text, section, faults)
}

fn schema(
    file: &str,
    text: &Text<'_>,
    label: Option<usize>,
    side: &str,
    faults: &mut Faults,
) -> Option<Value> {
    match schemas::read(file, text, label?, side) {
        Ok(value) => Some(value),
        Err(fault) => {
            faults.push(fault);
            None
        }
    }
}

static TMUX: LazyLock<Regex> =
    LazyLock::new(|| layout::regex(r"Requires\s+tmux\s+([0-9]+(?:\.[0-9]+)*[a-z]?)\s+or\s+newer"));

/// The version in "Requires tmux X or newer".
pub fn tmux(description: &str) -> Option<String> {
    TMUX.captures(description).map(|found| found[1].to_owned())
}
