//! Do the types that prose gives (`string | null`, `Record<string, string>`, `"a" | "b"`) agree with a schema?

use serde_json::{Map, Value};

/// One alternative of a type.
#[derive(Debug, Clone, PartialEq)]
pub enum Arm {
    /// `string`, `integer`, `number`, `boolean`, `null` or `object`.
    Plain(&'static str),
    /// One value, as of an enumeration.
    Literal(Value),
    /// An object that maps any key to one of these.
    Record(Vec<Arm>),
    /// A list of these.
    List(Vec<Arm>),
    /// The name of a type that the prose does not spell out.
    Named(String),
    /// Any value at all.
    Any,
}

const PLAIN: [&str; 6] = ["string", "integer", "number", "boolean", "null", "object"];
const ANY: [&str; 3] = ["any", "unknown", "value"];

/// Deeper types are not read, nor compared.
const DEEPEST: usize = 32;

/// Do both say the same, in whatever order?
pub fn agree(prose: &[Arm], schema: &[Arm]) -> bool {
    let literals = |arms: &[Arm]| arms.iter().filter(|arm| matches!(arm, Arm::Literal(_))).count();
    // A name may stand for an enumeration; otherwise a value that stands there twice is a mistake in one of them.
    let named = prose.iter().any(|arm| matches!(arm, Arm::Named(_)));
    prose.iter().all(|p| schema.iter().any(|s| same(p, s)))
        && schema.iter().all(|s| prose.iter().any(|p| same(p, s)))
        && (named || literals(prose) == literals(schema))
}

fn same(prose: &Arm, schema: &Arm) -> bool {
    match (prose, schema) {
        (Arm::Record(p), Arm::Record(s)) | (Arm::List(p), Arm::List(s)) => agree(p, s),
        (Arm::Record(p), Arm::Plain("object")) => p == &[Arm::Any],
        (Arm::Named(_), s) => !matches!(s, Arm::Plain(simple) if *simple != "object"),
        (p, s) => p == s,
    }
}

/// Reads the types of prose; `None` if they cannot be read.
pub fn prose(text: &str) -> Option<Vec<Arm>> {
    let mut reader = Reader { rest: text.trim() };
    let arms = reader.union(0)?;
    reader.rest.is_empty().then_some(arms)
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn union(&mut self, depth: usize) -> Option<Vec<Arm>> {
        let mut arms = self.list(depth)?;
        while self.eat("|") {
            arms.extend(self.list(depth)?);
        }
        Some(arms)
    }

    fn list(&mut self, depth: usize) -> Option<Vec<Arm>> {
        let mut arms = self.single(depth)?;
        while self.eat("[") {
            self.eat("]").then_some(())?;
            arms = vec![Arm::List(arms)];
        }
        Some(arms)
    }

    fn single(&mut self, depth: usize) -> Option<Vec<Arm>> {
        if depth > DEEPEST {
            return None;
        }
        if self.eat("(") {
            let arms = self.union(depth + 1)?;
            return self.eat(")").then_some(arms);
        }
        if let Some(value) = self.literal() {
            return Some(vec![Arm::Literal(value)]);
        }
        let end = self
            .rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        let arm = match word {
            "" => return None,
            "Record" if self.eat("<") => {
                (self.union(depth + 1)? == [Arm::Plain("string")] && self.eat(",")).then_some(())?;
                let arm = Arm::Record(self.union(depth + 1)?);
                self.eat(">").then_some(arm)?
            }
            "Array" | "array" | "List" | "list" if self.eat("<") => {
                let arm = Arm::List(self.union(depth + 1)?);
                self.eat(">").then_some(arm)?
            }
            "array" => Arm::List(vec![Arm::Any]),
            word if ANY.contains(&word) => Arm::Any,
            word => match PLAIN.iter().find(|plain| **plain == word) {
                Some(plain) => Arm::Plain(plain),
                None => Arm::Named(word.to_owned()),
            },
        };
        Some(vec![arm])
    }

    /// A string in quotes, a number, `true` or `false`. `null` is a type as well and read as one.
    fn literal(&mut self) -> Option<Value> {
        let numeric = self.rest.starts_with(|c: char| c == '"' || c == '-' || c.is_ascii_digit());
        if !numeric && !self.rest.starts_with("true") && !self.rest.starts_with("false") {
            return None;
        }
        let mut values = serde_json::Deserializer::from_str(self.rest).into_iter::<Value>();
        let value = values.next()?.ok()?;
        self.rest = self.rest[values.byte_offset()..].trim_start();
        Some(value)
    }

    fn eat(&mut self, wanted: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(wanted) else { return false };
        self.rest = rest.trim_start();
        true
    }
}

/// The alternatives of a schema; references are followed inside `root`.
pub fn schema(root: &Value, schema: &Value) -> Vec<Arm> {
    Walk { root, steps: 10_000 }.arms(schema, 0)
}

/// Goes through a schema. References that lead back to themselves end at a depth, and those that branch there by the
/// number of steps.
struct Walk<'a> {
    root: &'a Value,
    steps: usize,
}

impl Walk<'_> {
    fn arms(&mut self, schema: &Value, depth: usize) -> Vec<Arm> {
        let Value::Object(object) = schema else { return vec![Arm::Any] };
        if depth > DEEPEST || self.steps == 0 {
            return vec![Arm::Any];
        }
        self.steps -= 1;
        if let Some(target) = object.get("$ref").and_then(Value::as_str) {
            let target = target.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
            return target.map_or(vec![Arm::Any], |target| self.arms(target, depth + 1));
        }
        for union in ["anyOf", "oneOf"] {
            if let Some(Value::Array(variants)) = object.get(union) {
                return variants.iter().flat_map(|variant| self.arms(variant, depth + 1)).collect();
            }
        }
        if let Some(Value::Array(values)) = object.get("enum") {
            return values.iter().map(literal).collect();
        }
        if let Some(value) = object.get("const") {
            return vec![literal(value)];
        }
        let kinds: Vec<&str> = match object.get("type") {
            Some(Value::String(kind)) => vec![kind],
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
            _ => return vec![Arm::Any],
        };
        kinds.into_iter().map(|kind| self.of_kind(object, kind, depth)).collect()
    }

    fn of_kind(&mut self, object: &Map<String, Value>, kind: &str, depth: usize) -> Arm {
        match kind {
            "array" => {
                Arm::List(object.get("items").map_or(vec![Arm::Any], |items| self.arms(items, depth + 1)))
            }
            "object" => match object.get("additionalProperties") {
                Some(values @ Value::Object(_)) if !object.contains_key("properties") => {
                    Arm::Record(self.arms(values, depth + 1))
                }
                _ => Arm::Plain("object"),
            },
            kind => PLAIN.iter().find(|plain| **plain == kind).map_or(Arm::Any, |plain| Arm::Plain(plain)),
        }
    }
}

fn literal(value: &Value) -> Arm {
    if value.is_null() { Arm::Plain("null") } else { Arm::Literal(value.clone()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn agrees(text: &str, value: Value) -> bool {
        agree(&prose(text).unwrap_or_else(|| panic!("`{text}` is not read")), &schema(&value, &value))
    }

    #[test]
    fn unions_agree_in_any_order() {
        let optional = json!({"anyOf": [{"type": "string"}, {"type": "null"}]});
        assert!(agrees("string | null", optional.clone()));
        assert!(agrees("null | string", json!({"type": ["string", "null"]})));
        for other in
            ["string", "null", "integer | null", "string | null | integer", "strng | null", "\"a\" | null"]
        {
            assert!(!agrees(other, optional.clone()), "{other}");
        }
    }

    #[test]
    fn literals_are_compared_by_value() {
        let values = json!({"type": "string", "enum": ["a|b", "c"]});
        assert!(agrees(r#""c" | "a|b""#, values.clone()));
        assert!(!agrees(r#""c""#, values.clone()));
        assert!(!agrees("string", values));
        assert!(!agrees(r#""a""#, json!({"enum": ["a", "a"]})));
        assert!(agrees("Mode | null", json!({"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]})));
        assert!(agrees("1 | true | null", json!({"enum": [1, true, null]})));
    }

    #[test]
    fn maps_and_lists_are_compared_inside() {
        let map = json!({"type": "object", "additionalProperties": {"type": "string"}});
        assert!(agrees("Record<string, string>", map.clone()));
        assert!(!agrees("Record<string, integer>", map.clone()));
        assert!(!agrees("object", map));
        let list = json!({"type": "array", "items": {"type": ["string", "null"]}});
        assert!(agrees("(string | null)[]", list.clone()));
        assert!(agrees("Array<string | null>", list.clone()));
        assert!(!agrees("string[]", list));
        let referenced =
            json!({"$ref": "#/$defs/Pane", "$defs": {"Pane": {"type": "object", "properties": {}}}});
        assert!(agrees("Pane", referenced.clone()));
        assert!(agrees("object", referenced));
    }

    #[test]
    fn references_that_branch_into_themselves_end() {
        let twice = json!({"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}]});
        let root = json!({"$defs": {"A": twice.clone()}});
        assert!(schema(&root, &twice).len() <= 10_001);
    }

    #[test]
    fn what_is_no_type_is_not_read() {
        for text in [
            "",
            "|",
            "string |",
            "(string",
            "Record<string>",
            "Record<string, string",
            "string[",
            "a b",
            "\"a",
        ] {
            assert_eq!(prose(text), None, "{text}");
        }
        assert_eq!(prose(&"(".repeat(100_000)), None);
    }
}
