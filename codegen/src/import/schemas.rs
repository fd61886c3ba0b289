//! Which JSON does the page show below "Input schema" and "Output schema", and is it a schema?

use std::fmt;
use std::sync::LazyLock;

use regex::Regex;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::layout::regex;
use super::text::Text;
use crate::fault::Fault;

/// Strings, so that nothing in them is taken for anything else; non-breaking spaces; numbers.
static TOKEN: LazyLock<Regex> =
    LazyLock::new(|| regex(r#""(?:[^"\\\n]|\\.)*"|\u{a0}|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"#));

/// Reads the schema below the label at `label`; `side` is `inputSchema` or `outputSchema`.
///
/// # Errors
///
/// There is no JSON, or it is no schema for an object.
pub fn read(file: &str, text: &Text<'_>, label: usize, side: &str) -> Result<Value, Fault> {
    let value = json(file, text, label)?;
    let place = format!("/{side}");
    if value.get("type").and_then(Value::as_str) != Some("object") {
        return Err(Fault::new(file, format!("{place}/type"), "the schema's root is not of type `object`")
            .hint("MCP wants an object at the root; take the page again from the site"));
    }
    match jsonschema::validator_for(&value) {
        Ok(_) => Ok(value),
        Err(error) => Err(Fault::new(
            file,
            format!("{place}{}", error.instance_path()),
            format!("this is no valid JSON schema: {}", error.masked()),
        )
        .hint(AGAIN)),
    }
}

const AGAIN: &str = "take the page again from the site, whole";

fn json(file: &str, text: &Text<'_>, label: usize) -> Result<Value, Fault> {
    let idle = |shown: &str| shown.is_empty() || shown.starts_with("```");
    let named = &text.lines[label].shown;
    let start = (label + 1..text.lines.len()).find(|at| !idle(text.lines[*at].raw.trim()));
    let Some(start) = start.filter(|at| text.lines[*at].raw.trim().starts_with('{')) else {
        return Err(Fault::new(file, line(label), format!("no JSON object follows `{named}`")).hint(AGAIN));
    };
    // Indentation may consist of anything: no JSON string goes over a line's end.
    let raw: Vec<&str> = text.lines[start..].iter().map(|line| line.raw.trim()).collect();
    let raw = raw.join("\n");
    let plain = TOKEN.replace_all(&raw, |token: &regex::Captures<'_>| match &token[0] {
        "\u{a0}" => " ".to_owned(),
        other => other.to_owned(),
    });
    let mut values = serde_json::Deserializer::from_str(&plain).into_iter::<Unique>();
    let value = match values.next() {
        Some(Ok(Unique(value))) => value,
        Some(Err(error)) => {
            let at = line(start + error.line().max(1) - 1);
            // Its own place counts from the JSON's first line, and without the indentation.
            let error = error.to_string();
            let error = error.split(" at line ").next().unwrap_or_default();
            return Err(
                Fault::new(file, at, format!("the JSON of `{named}` does not parse: {error}")).hint(AGAIN)
            );
        }
        None => return Err(Fault::new(file, line(start), format!("no JSON follows `{named}`")).hint(AGAIN)),
    };
    let (document, rest) = plain.split_at(values.byte_offset());
    let end = start + document.matches('\n').count();
    let mut after = rest.split('\n').map(str::trim);
    let same_line = after.next().is_some_and(|line| !line.is_empty());
    if same_line
        || after.find(|line| !idle(line)).is_some_and(|line| line.starts_with(['{', '}', '[', ']', ',', '"']))
    {
        return Err(Fault::new(
            file,
            line(end),
            format!("the JSON of `{named}` ends here, yet more of it follows"),
        )
        .hint(AGAIN));
    }
    if let Some(number) = TOKEN.find_iter(document).map(|token| token.as_str()).find(|token| too_long(token))
    {
        return Err(Fault::new(
            file,
            line(start),
            format!("the integer {number} in `{named}` does not fit into 64 bits"),
        )
        .hint("it could not be kept exactly; leave the bound out"));
    }
    Ok(value)
}

fn line(index: usize) -> String {
    format!("line {}", index + 1)
}

fn too_long(token: &str) -> bool {
    let integer = token.trim_start_matches('-').chars().all(|c| c.is_ascii_digit()) && token != "\u{a0}";
    integer && token.parse::<i64>().is_err() && token.parse::<u64>().is_err()
}

/// A JSON value in which no object says a key twice: which of the two would be meant cannot be known.
struct Unique(Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueVisitor).map(Unique)
    }
}

struct UniqueVisitor;

impl<'de> Visitor<'de> for UniqueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Unique(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((key, Unique(value))) = entries.next_entry::<String, Unique>()? {
            if map.contains_key(&key) {
                return Err(de::Error::custom(format!("the key `{key}` stands twice in one object")));
            }
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}
