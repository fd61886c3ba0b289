//! What is one of some words? An enum where they are text that gives Rust names; otherwise the type that all of them have.

use serde_json::{Map, Value};

use super::intern::key;
use super::shape::{Lowering, Place, docs};
use crate::model::{Body, Shape};

impl Lowering<'_> {
    /// `enum` and `const`.
    pub(super) fn words(&mut self, words: &[Value], schema: &Map<String, Value>, place: &Place) -> Shape {
        let nullable = words.contains(&Value::Null);
        let mut strings: Vec<String> = Vec::new();
        for word in words.iter().filter(|word| !word.is_null()) {
            match word {
                Value::String(word) if !strings.contains(word) => strings.push(word.clone()),
                Value::String(_) => {}
                _ => {
                    self.note(
                        place,
                        "an enum of values that are not all strings: checked at the boundary only",
                    );
                    return match schema.get("type").and_then(Value::as_str) {
                        Some("number") if words.iter().any(beyond_a_float) => Shape::Any,
                        Some(kind @ ("integer" | "number" | "boolean")) if !nullable => {
                            self.kind(kind, schema, place)
                        }
                        _ => Shape::Any,
                    };
                }
            }
        }
        let shape = if strings.is_empty() {
            return Shape::Null;
        } else if variants_collide(&strings) {
            self.note(place, "an enum whose words give no Rust names: text");
            Shape::String
        } else {
            let index = self.interner.add(Body::Enum { variants: strings }, docs(schema));
            self.seen(index, place, schema);
            Shape::Named(key(index))
        };
        if nullable { Shape::Nullable(Box::new(shape)) } else { shape }
    }
}

/// Whether a whole number is too large for a float to be exactly it.
fn beyond_a_float(word: &Value) -> bool {
    word.as_i64().is_some_and(|whole| whole.unsigned_abs() > 1 << 53) || (word.is_u64() && !word.is_i64())
}

fn variants_collide(words: &[String]) -> bool {
    let mut names: Vec<String> = words.iter().map(|word| super::ident::pascal(word)).collect();
    if names
        .iter()
        .any(|name| name.is_empty() || name == "Self" || syn::parse_str::<syn::Ident>(name).is_err())
    {
        return true;
    }
    names.sort();
    names.windows(2).any(|pair| pair[0] == pair[1])
}
