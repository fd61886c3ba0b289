//! Numbers and text between their bounds, often at them.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::string::string_regex;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Number, Value};

/// One of a list of values, each as likely as its neighbour.
pub fn choose<'a, T>(runner: &mut TestRunner, list: &'a [T]) -> Option<&'a T> {
    (!list.is_empty()).then(|| &list[below(runner, list.len())])
}

/// A number less than `end`, which is not 0.
pub fn below(runner: &mut TestRunner, end: usize) -> usize {
    let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
    usize::try_from(runner.rng().next_u64() % end).unwrap_or(0)
}

/// True once in `times`.
pub fn once_in(runner: &mut TestRunner, times: usize) -> bool {
    below(runner, times) == 0
}

/// A whole number that the schema accepts; now and then written with a fraction of zero, which is the same to JSON schema.
pub fn integer(runner: &mut TestRunner, schema: &Map<String, Value>) -> Value {
    let (least, most) = whole_bounds(schema);
    let step = schema.get("multipleOf").and_then(Value::as_i64).map_or(1, i128::from).max(1);
    let span = usize::try_from((most - least).max(0)).unwrap_or(usize::MAX - 1).min(1 << 40);
    let raw = match below(runner, 8) {
        0 => least,
        1 => most,
        2 => 0.clamp(least, most.max(least)),
        3 => least + i128::try_from(below(runner, span + 1)).unwrap_or(0),
        _ => (i128::try_from(below(runner, 2000)).unwrap_or(0) - 1000).clamp(least, most.max(least)),
    };
    let down = raw.div_euclid(step) * step;
    let whole = if down < least { down + step } else { down };
    match i64::try_from(whole) {
        Ok(whole) if whole.unsigned_abs() < 1 << 52 && once_in(runner, 12) =>
        {
            #[allow(clippy::cast_precision_loss, reason = "less than 2^52")]
            Value::from(whole as f64)
        }
        Ok(whole) => whole.into(),
        Err(_) => u64::try_from(whole).unwrap_or(0).into(),
    }
}

/// The bounds of a whole number: those of 64 bits with a sign where the schema states none, for no type here holds more.
fn whole_bounds(schema: &Map<String, Value>) -> (i128, i128) {
    let float = |name: &str| schema.get(name).and_then(Value::as_f64);
    let exact =
        |name: &str| schema.get(name).and_then(|n| n.as_i64().map(i128::from).or(n.as_u64().map(i128::from)));
    #[allow(clippy::cast_possible_truncation, reason = "a float as a bound: it saturates")]
    let bound = |name: &str, round: fn(f64) -> f64| exact(name).or_else(|| Some(round(float(name)?) as i128));
    let mut least = bound("minimum", f64::ceil).unwrap_or(i128::from(i64::MIN));
    let mut most = bound("maximum", f64::floor).unwrap_or(i128::from(i64::MAX));
    if let Some(over) = bound("exclusiveMinimum", f64::floor) {
        least = least.max(over + 1);
    }
    if let Some(under) = bound("exclusiveMaximum", f64::ceil) {
        most = most.min(under - 1);
    }
    (least, most)
}

/// A number that the schema accepts.
pub fn number(runner: &mut TestRunner, schema: &Map<String, Value>) -> Value {
    if schema.contains_key("multipleOf") || once_in(runner, 3) {
        let whole = integer(runner, schema);
        if whole.as_f64().is_some_and(|whole| within(schema, whole)) {
            return whole;
        }
    }
    let float = |name: &str| schema.get(name).and_then(Value::as_f64);
    let least = float("minimum")
        .or(float("exclusiveMinimum"))
        .unwrap_or_else(|| float("maximum").unwrap_or(0.0).min(0.0) - 1e6);
    let most = float("maximum").or(float("exclusiveMaximum")).unwrap_or(least.max(0.0) + 1e6);
    let share = [0.0, 1.0, 0.5, 0.25, 0.123_456_789];
    let share = choose(runner, &share).copied().unwrap_or(0.5);
    let edge = least + (most - least) * share;
    let value = if within(schema, edge) { edge } else { f64::midpoint(least, most) };
    Number::from_f64(value).map_or(Value::from(0), Value::Number)
}

fn within(schema: &Map<String, Value>, value: f64) -> bool {
    let float = |name: &str| schema.get(name).and_then(Value::as_f64);
    float("minimum").is_none_or(|bound| value >= bound)
        && float("maximum").is_none_or(|bound| value <= bound)
        && float("exclusiveMinimum").is_none_or(|bound| value > bound)
        && float("exclusiveMaximum").is_none_or(|bound| value < bound)
}

/// Text that the schema accepts.
pub fn text(runner: &mut TestRunner, schema: &Map<String, Value>) -> String {
    let length = |name: &str| schema.get(name).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
    let least = length("minLength").unwrap_or(0);
    let most = length("maxLength").unwrap_or(least + 12).min(least + 200);
    if let Some(text) =
        schema.get("pattern").and_then(Value::as_str).and_then(|pattern| matching(runner, pattern))
    {
        return text;
    }
    let count = match below(runner, 6) {
        0 => least,
        1 => most,
        _ => least + below(runner, most.saturating_sub(least) + 1),
    };
    let letters: Vec<char> = "abcxyzABC0123456789-_./%$@: \t\n\"'\\{}[]#éß日🦀\u{0}".chars().collect();
    (0..count).filter_map(|_| choose(runner, &letters)).collect()
}

/// Text that follows a pattern; none for one that cannot be built.
fn matching(runner: &mut TestRunner, pattern: &str) -> Option<String> {
    let plain = pattern.strip_prefix('^').unwrap_or(pattern);
    let plain = match plain.strip_suffix('$') {
        Some(shorter) if !shorter.ends_with('\\') => shorter,
        _ => plain,
    };
    // To JSON schema a digit is one of ten.
    let plain = plain.replace(r"\d", "[0-9]").replace(r"\w", "[A-Za-z0-9_]");
    Some(string_regex(&without_lookaheads(&plain)).ok()?.new_tree(runner).ok()?.current())
}

/// A lookahead rarely refuses what the rest of its pattern takes.
fn without_lookaheads(pattern: &str) -> String {
    let mut plain = pattern.to_owned();
    while let Some(start) = plain.find("(?!").or_else(|| plain.find("(?=")) {
        let Some(length) = plain[start..].find(')') else { break };
        plain.replace_range(start..=start + length, "");
    }
    plain
}
