//! Which rows of a listing are wanted? `filters` maps a tmux variable, or one with an operator (`window_name__contains`), to what
//! its value is held against; all of them must hold.
//!
//! A variable without a value is met by nothing, nor is one that tmux does not have.

use regex::{Regex, RegexBuilder};
use schemux::{MapOrJson, ToolError};
use serde_json::Value;

use super::errors::refused;
use crate::tmux::{Row, variable};

/// Of what rows are filtered: what a short name such as `name` means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `list_sessions`
    Session,
    /// `list_windows`
    Window,
    /// `list_panes`
    Pane,
}

/// What must hold of a row.
#[derive(Debug, Default)]
pub struct Filters(Vec<Filter>);

#[derive(Debug)]
struct Filter {
    /// Nothing for a field that no row has.
    variable: Option<&'static str>,
    test: Test,
}

#[derive(Debug)]
enum Test {
    Text { compare: Compare, ignore_case: bool, wanted: String },
    Matches(Regex),
    OneOf { wanted: Vec<String>, is: bool },
    Never,
}

#[derive(Debug, Clone, Copy)]
enum Compare {
    Equal,
    Contains,
    Lacks,
    Starts,
    Ends,
}

/// The operators, by name.
const OPERATORS: &[(&str, Operator)] = &[
    ("contains", Operator::Text(Compare::Contains, false)),
    ("endswith", Operator::Text(Compare::Ends, false)),
    ("eq", Operator::Text(Compare::Equal, false)),
    ("exact", Operator::Text(Compare::Equal, false)),
    ("icontains", Operator::Text(Compare::Contains, true)),
    ("iendswith", Operator::Text(Compare::Ends, true)),
    ("iexact", Operator::Text(Compare::Equal, true)),
    ("in", Operator::In(true)),
    ("iregex", Operator::Regex(true)),
    ("istartswith", Operator::Text(Compare::Starts, true)),
    ("nin", Operator::In(false)),
    ("regex", Operator::Regex(false)),
    ("startswith", Operator::Text(Compare::Starts, false)),
];

#[derive(Debug, Clone, Copy)]
enum Operator {
    /// How, and whether without regard to case.
    Text(Compare, bool),
    Regex(bool),
    /// Whether it shall be in it.
    In(bool),
}

impl Filters {
    /// Reads the argument.
    ///
    /// # Errors
    ///
    /// Text that is no JSON object, an operator that there is not, a regular expression that cannot be read.
    pub fn read(given: Option<MapOrJson>, kind: Kind) -> Result<Self, ToolError> {
        let wanted: Vec<(String, Value)> = match given {
            None => Vec::new(),
            Some(MapOrJson::Object(map)) => {
                map.into_iter().map(|(key, text)| (key, Value::String(text))).collect()
            }
            Some(MapOrJson::String(text)) if text.is_empty() => Vec::new(),
            Some(MapOrJson::String(text)) => parse(&text)?,
        };
        wanted
            .into_iter()
            .map(|(key, wanted)| Filter::read(&key, wanted, kind))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// The variables that a row must have to be judged.
    pub fn variables(&self) -> Vec<&'static str> {
        self.0.iter().filter_map(|filter| filter.variable).collect()
    }

    /// Whether everything holds of a row.
    pub fn accept(&self, row: &Row) -> bool {
        self.0.iter().all(|filter| {
            let value = filter.variable.and_then(|variable| row.some(variable));
            value.is_some_and(|value| filter.test.holds(&value))
        })
    }
}

fn parse(text: &str) -> Result<Vec<(String, Value)>, ToolError> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        ToolError::expected("JSONDecodeError", format!("filters is text that is no JSON: {error}"))
    })?;
    match value {
        Value::Object(map) => Ok(map.into_iter().collect()),
        _ => Err(refused("filters must be a JSON object that maps names of variables to values".to_owned())),
    }
}

impl Filter {
    fn read(key: &str, wanted: Value, kind: Kind) -> Result<Self, ToolError> {
        let (field, operator) = match key.rsplit_once("__") {
            None => (key, Operator::Text(Compare::Equal, false)),
            Some((field, name)) => {
                let known = OPERATORS.iter().find(|(known, _)| *known == name);
                (field, known.ok_or_else(|| unknown_operator(key, name))?.1)
            }
        };
        Ok(Self { variable: named(field, kind), test: Test::read(key, operator, wanted)? })
    }
}

fn unknown_operator(key: &str, name: &str) -> ToolError {
    let names: Vec<_> = OPERATORS.iter().map(|(name, _)| *name).collect();
    refused(format!("filters: {key:?} has no operator {name:?}; the operators are {}", names.join(", ")))
}

/// The variable that a field means: its own name, a short one, or one with what it is of in front (`session__session_name`), which a
/// row has itself.
fn named(field: &str, kind: Kind) -> Option<&'static str> {
    let of = [("session__", Kind::Session), ("active_window__", Kind::Window), ("active_pane__", Kind::Pane)];
    let of = of.into_iter().chain([("window__", Kind::Window)]);
    for (prefix, kind) in of {
        if let Some(rest) = field.strip_prefix(prefix) {
            return named(rest, kind);
        }
    }
    let long = match (kind, field) {
        (Kind::Session, "id") => "session_id",
        (Kind::Session, "name") => "session_name",
        (Kind::Window, "id") => "window_id",
        (Kind::Window, "name") => "window_name",
        (Kind::Window, "index") => "window_index",
        (Kind::Window, "width") => "window_width",
        (Kind::Window, "height") => "window_height",
        (Kind::Pane, "id") => "pane_id",
        (Kind::Pane, "index") => "pane_index",
        (Kind::Pane, "width") => "pane_width",
        (Kind::Pane, "height") => "pane_height",
        (Kind::Pane, "title") => "pane_title",
        (_, field) => field,
    };
    variable(long)
}

impl Test {
    fn read(key: &str, operator: Operator, wanted: Value) -> Result<Self, ToolError> {
        let wanted = match (wanted, operator) {
            (Value::Array(items), Operator::In(is)) => {
                return Ok(Self::OneOf { wanted: items.iter().filter_map(text).collect(), is });
            }
            (wanted, _) => match text(&wanted) {
                Some(wanted) => wanted,
                None => return Ok(Self::Never),
            },
        };
        Ok(match operator {
            Operator::Text(compare, ignore_case) => {
                let wanted = if ignore_case { wanted.to_lowercase() } else { wanted };
                Self::Text { compare, ignore_case, wanted }
            }
            // Held against a text, `in` asks whether that stands in the value, as upstream has it.
            Operator::In(is) => {
                let compare = if is { Compare::Contains } else { Compare::Lacks };
                Self::Text { compare, ignore_case: false, wanted }
            }
            Operator::Regex(ignore_case) => {
                let regex = RegexBuilder::new(&wanted).case_insensitive(ignore_case).build();
                Self::Matches(regex.map_err(|error| bad_regex(key, &error))?)
            }
        })
    }

    fn holds(&self, value: &str) -> bool {
        match self {
            Self::Never => false,
            Self::OneOf { wanted, is } => wanted.iter().any(|wanted| wanted == value) == *is,
            Self::Matches(regex) => regex.is_match(value),
            Self::Text { compare, ignore_case: true, wanted } => compare.holds(&value.to_lowercase(), wanted),
            Self::Text { compare, ignore_case: false, wanted } => compare.holds(value, wanted),
        }
    }
}

impl Compare {
    fn holds(self, value: &str, wanted: &str) -> bool {
        match self {
            Self::Equal => value == wanted,
            Self::Contains => value.contains(wanted),
            Self::Lacks => !value.contains(wanted),
            Self::Starts => value.starts_with(wanted),
            Self::Ends => value.ends_with(wanted),
        }
    }
}

/// What a value of tmux, which is text, can be held against.
fn text(wanted: &Value) -> Option<String> {
    match wanted {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn bad_regex(key: &str, error: &regex::Error) -> ToolError {
    let problem = match error {
        regex::Error::CompiledTooBig(_) => "it is too large".to_owned(),
        // The last line says what is wrong, those before it repeat the expression.
        error => {
            error.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
        }
    };
    ToolError::expected("error", format!("filters: the value of {key:?} is no regular expression: {problem}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tmux::Query;
    use proptest::prelude::*;

    fn read(json: &str, kind: Kind) -> Result<Filters, ToolError> {
        Filters::read(Some(MapOrJson::String(json.to_owned())), kind)
    }

    /// A row of a window called `Work` with the index 12 and no value for anything else that is asked for.
    fn accepts(json: &str) -> bool {
        let filters = read(json, Kind::Window).unwrap();
        let mut variables = filters.variables();
        variables.push("window_id");
        let query = Query::new(&variables);
        let mut output = query.template();
        for variable in &variables {
            let value = match *variable {
                "window_name" => "Work",
                "window_index" => "12",
                _ => "",
            };
            for asked in [format!("#{{q:{variable}}}"), format!("#{{{variable}}}")] {
                output = output.replace(&asked, value);
            }
        }
        filters.accept(&query.rows(output.as_bytes()).unwrap()[0])
    }

    #[test]
    fn operators() {
        for yes in [
            r#"{"window_name": "Work"}"#,
            r#"{"window_name__eq": "Work", "window_index__exact": "12"}"#,
            r#"{"window_name__iexact": "wORK"}"#,
            r#"{"window_name__contains": "or"}"#,
            r#"{"window_name__icontains": "OR"}"#,
            r#"{"window_name__startswith": "Wo"}"#,
            r#"{"window_name__istartswith": "wo"}"#,
            r#"{"window_name__endswith": "rk"}"#,
            r#"{"window_name__iendswith": "RK"}"#,
            r#"{"window_name__in": "or"}"#,
            r#"{"window_name__in": ["Play", "Work"]}"#,
            r#"{"window_name__nin": "x"}"#,
            r#"{"window_name__nin": ["work", null]}"#,
            r#"{"window_name__regex": "^W.*k$"}"#,
            r#"{"window_name__iregex": "^w"}"#,
            r#"{"window_index": 12}"#,
            r#"{"window_index__in": [11, 12]}"#,
            r#"{"name": "Work", "index": "12"}"#,
            "{}",
        ] {
            assert!(accepts(yes), "{yes}");
        }
        for no in [
            r#"{"window_name": "work"}"#,
            r#"{"window_name": "Work", "window_index": "1"}"#,
            r#"{"window_name__contains": "OR"}"#,
            r#"{"window_name__in": ["Wor"]}"#,
            r#"{"window_name__nin": "or"}"#,
            r#"{"window_name__nin": ["Work"]}"#,
            r#"{"window_name__regex": "^w"}"#,
            r#"{"window_name": ["Work"]}"#,
            r#"{"window_name": null}"#,
            r#"{"window_name__nin": {"Work": 1}}"#,
            r#"{"pane_title": ""}"#,
            r#"{"pane_title__nin": "x"}"#,
            r#"{"no_such_field__nin": "x"}"#,
            r#"{"title": "x"}"#,
            r#"{"": ""}"#,
        ] {
            assert!(!accepts(no), "{no}");
        }
    }

    #[test]
    fn fields() {
        assert_eq!(named("name", Kind::Session), Some("session_name"));
        assert_eq!(named("title", Kind::Pane), Some("pane_title"));
        assert_eq!(named("title", Kind::Window), None);
        assert_eq!(named("session__session_name", Kind::Pane), Some("session_name"));
        assert_eq!(named("window__session__name", Kind::Pane), Some("session_name"));
        assert_eq!(named("active_pane__pane_pid", Kind::Window), Some("pane_pid"));
        assert_eq!(named("client_name", Kind::Session), None);
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for (json, kind, part) in [
            ("x", "JSONDecodeError", "no JSON"),
            ("[1]", "ExpectedToolError", "must be a JSON object"),
            ("null", "ExpectedToolError", "must be a JSON object"),
            (r#"{"a__b__bogus": "x"}"#, "ExpectedToolError", "contains, endswith, eq, exact, icontains"),
            (r#"{"session__session_name": "x"}"#, "ExpectedToolError", "no operator \"session_name\""),
            (r#"{"pane_id__regex": "hunter2("}"#, "error", "no regular expression: unclosed group"),
            (r#"{"pane_id__regex": "(?=hunter2)"}"#, "error", "look-around"),
            (r#"{"pane_id__regex": "((x{999}){999}){99}"}"#, "error", "too large"),
        ] {
            let error = read(json, Kind::Pane).unwrap_err();
            assert_eq!(error.error_type, kind, "{json}: {error}");
            assert!(error.expected && error.message.contains(part), "{json}: {error}");
            assert!(!error.message.contains("hunter2"), "{error}");
        }
        assert!(OPERATORS.is_sorted_by_key(|(name, _)| *name));
        assert!(read("", Kind::Pane).unwrap().variables().is_empty());
    }

    proptest! {
        #[test]
        fn reading_is_total(text in ".*", key in ".*", wanted in ".*") {
            let _ = read(&text, Kind::Session);
            let _ = Filters::read(Some(MapOrJson::from(std::collections::BTreeMap::from([(key, wanted)]))), Kind::Window);
        }
    }
}
