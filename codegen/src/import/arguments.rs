//! Which arguments, or fields of the result, does the prose list, and what does it say of each?

use std::ops::Range;

use serde_json::Value;

use super::layout::Said;
use super::text::{Line, Text, is_name_char};

/// What the prose says of one argument or field.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    pub line: usize,
    pub name: String,
    /// Marked with `?`.
    pub optional: bool,
    /// As it is written.
    pub default: Option<String>,
    /// The type, as it is written.
    pub kind: Option<String>,
    /// It belongs to something inside an argument, not to the tool itself.
    pub nested: bool,
    /// Where its link leads to in the schema, if it has one: `/properties/pane_id`.
    pub pointer: Option<String>,
    /// The page lists it with `•`; such pages show every constraint.
    pub bulleted: bool,
    /// Constraints: line, keyword, value.
    pub constraints: Vec<(usize, String, Value)>,
    /// "Matches one or more variants."
    pub variants: bool,
}

/// Keywords that a page shows with their value.
pub const CONSTRAINTS: [&str; 12] = [
    "pattern",
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
];

/// Reads a section "Arguments" or "Result".
pub fn section(text: &Text<'_>, section: Range<usize>) -> Vec<Argument> {
    let mut found: Vec<Argument> = Vec::new();
    let mut indent = None;
    let mut at = section.start;
    while at < section.end {
        let line = &text.lines[at];
        at += 1;
        if let Some(mut argument) = item(line) {
            argument.nested = match &argument.pointer {
                Some(pointer) => pointer.matches('/').count() > 2,
                None => line.indent() > *indent.get_or_insert(line.indent()),
            };
            found.push(argument);
        } else if let Some(argument) = found.last_mut() {
            if line.shown == "Matches one or more variants." {
                argument.variants = true;
            } else if let Some((value, end)) = constraint(text, at - 1, section.end, argument.bulleted) {
                argument.constraints.push(value);
                at = end;
            }
        }
    }
    found
}

/// One line of a list: in Markdown a bold name behind a bullet, elsewhere a line that ends with `#`.
fn item(line: &Line<'_>) -> Option<Argument> {
    let markdown = line.plain.starts_with("* **");
    let content = line.content();
    let content = if markdown { content } else { content.strip_suffix(['#', '¶'])?.trim_end() };
    let mut argument = declaration(line.number, content, " (")?;
    argument.bulleted = line.shown.starts_with('•');
    if markdown {
        argument.pointer = line.links.first().and_then(|link| pointer(&link.address));
    }
    Some(argument)
}

/// `name? = default (type)`, where `before` stands before the type.
fn declaration(line: usize, text: &str, before: &str) -> Option<Argument> {
    let end = text.find(|c: char| !is_name_char(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if name.is_empty() {
        return None;
    }
    let (optional, rest) = rest.strip_prefix('?').map_or((false, rest), |rest| (true, rest));
    let (default, rest) = match rest.strip_prefix(" = ") {
        Some(rest) => {
            let (default, rest) = split_default(rest, before);
            (Some(default.trim().to_owned()), rest)
        }
        None => (None, rest),
    };
    let kind = match rest.strip_prefix(before) {
        Some(kind) if before == " (" => Some(kind.strip_suffix(')')?.trim().to_owned()),
        Some(kind) => Some(kind.trim().to_owned()),
        None if rest.is_empty() => None,
        None => return None,
    };
    let (nested, pointer, bulleted, constraints, variants) = (false, None, false, Vec::new(), false);
    let name = name.to_owned();
    Some(Argument { line, name, optional, default, kind, nested, pointer, bulleted, constraints, variants })
}

/// Where the default ends: before the type. A string may hold what looks like one, so JSON decides if it can.
fn split_default<'a>(text: &'a str, before: &str) -> (&'a str, &'a str) {
    let splits = || text.match_indices(before).map(|(at, _)| at).chain([text.len()]);
    let json = splits().take(16).find(|at| serde_json::from_str::<Value>(&text[..*at]).is_ok());
    text.split_at(json.or_else(|| splits().next()).unwrap_or(text.len()))
}

/// `…#mcp.tool.<tool>.input%2Fproperties%2Fpane_id` leads to `/properties/pane_id`.
fn pointer(address: &str) -> Option<String> {
    let anchor = address.split_once("#mcp.tool.")?.1;
    let (_, path) = anchor.split_once(".input").or_else(|| anchor.split_once(".output"))?;
    let path = path.replace("%2F", "/").replace("%2f", "/");
    path.starts_with('/').then_some(path)
}

type Constraint = (usize, String, Value);

/// `keyword: value` on one line, or the value on the next line that is not blank; and where the reading goes on.
fn constraint(text: &Text<'_>, at: usize, end: usize, bulleted: bool) -> Option<(Constraint, usize)> {
    let value = |shown: &str| {
        let shown = shown.trim_matches('`');
        let word = bulleted || !shown.contains(' ');
        serde_json::from_str(shown).ok().or_else(|| word.then(|| Value::String(shown.to_owned())))
    };
    let content = text.lines[at].content();
    if let Some((key, rest)) = content.split_once(": ") {
        // Prose may begin like this; only JSON is taken for a value.
        let found = serde_json::from_str(rest.trim().trim_matches('`')).ok()?;
        return CONSTRAINTS.contains(&key).then(|| ((at + 1, key.to_owned(), found), at + 1));
    }
    if !CONSTRAINTS.contains(&content) {
        return None;
    }
    let next = (at + 1..end).find(|next| !text.lines[*next].shown.is_empty())?;
    let found = value(text.lines[next].content())?;
    Some(((at + 1, content.to_owned(), found), next + 1))
}

/// Reads the arguments of a signature: `paneId: string, timeoutMs?: integer,`. `None` if it cannot be read.
pub fn signature(said: &Said) -> Option<Vec<Argument>> {
    let mut found = Vec::new();
    for part in at_commas(&said.text) {
        if !part.trim().is_empty() {
            found.push(declaration(said.line, part.trim(), ": ")?);
        }
    }
    Some(found)
}

/// Splits at the commas outside of brackets and strings.
fn at_commas(text: &str) -> Vec<&str> {
    let (mut depth, mut quoted, mut escaped, mut start) = (0_usize, false, false, 0);
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_is_taken_apart() {
        let parts = |text: &str| {
            let found = declaration(1, text, " (")?;
            Some((found.name, found.optional, found.default, found.kind))
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(parts("a (string)"), Some(("a".into(), false, None, some("string"))));
        assert_eq!(parts("a? = null (A | B)"), Some(("a".into(), true, some("null"), some("A | B"))));
        assert_eq!(parts(r#"a? = "x (y)" ("x (y)" | (z)[])"#), {
            Some(("a".into(), true, some(r#""x (y)""#), some(r#""x (y)" | (z)[]"#)))
        });
        assert_eq!(parts("a? = stop"), Some(("a".into(), true, some("stop"), None)));
        for prose in ["a string", "a (string", "(a)", "a? and b", "A sentence, then (this)"] {
            assert_eq!(parts(prose), None, "{prose}");
        }
    }

    #[test]
    fn commas_inside_of_types_do_not_split() {
        assert_eq!(
            at_commas(r#"a: Record<string, b>, c: "x,\"y" | "z","#),
            ["a: Record<string, b>", r#" c: "x,\"y" | "z""#, ""]
        );
    }
}
