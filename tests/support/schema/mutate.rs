//! Values that differ in one place: what a validator must tell apart, and a type too.

use proptest::test_runner::TestRunner;
use serde_json::{Map, Number, Value, json};

use super::scalar::{below, once_in};

/// All edits of one place each. Some of them are valid all the same.
pub fn mutations(value: &Value) -> Vec<Value> {
    let mut found = here(value);
    match value {
        Value::Object(map) => {
            for (name, child) in map {
                found.extend(mutations(child).into_iter().map(|edited| with(map, name, edited)));
            }
        }
        Value::Array(list) => {
            for (number, child) in list.iter().enumerate().take(3) {
                found.extend(mutations(child).into_iter().map(|edited| {
                    let mut list = list.clone();
                    list[number] = edited;
                    Value::Array(list)
                }));
            }
        }
        _ => {}
    }
    found
}

/// One of the edits, in any place.
pub fn mutation(value: &Value, runner: &mut TestRunner) -> Value {
    match value {
        Value::Object(map) if !map.is_empty() && !once_in(runner, 3) => {
            let names: Vec<&String> = map.keys().collect();
            let name = names[below(runner, names.len())];
            with(map, name, mutation(&map[name], runner))
        }
        Value::Array(list) if !list.is_empty() && !once_in(runner, 3) => {
            let mut list = list.clone();
            let number = below(runner, list.len());
            list[number] = mutation(&list[number], runner);
            Value::Array(list)
        }
        _ => {
            let mut all = here(value);
            all.swap_remove(below(runner, all.len()))
        }
    }
}

fn with(map: &Map<String, Value>, name: &str, value: Value) -> Value {
    let mut map = map.clone();
    map.insert(name.to_owned(), value);
    Value::Object(map)
}

fn here(value: &Value) -> Vec<Value> {
    let mut found = match value {
        Value::Object(map) => object(map),
        Value::Array(list) => array(list),
        Value::String(text) => string(text),
        Value::Number(number) => numbers(number),
        Value::Bool(truth) => vec![json!(!truth), json!(u8::from(*truth)), json!(truth.to_string())],
        Value::Null => vec![json!("null"), json!(0), json!(false)],
    };
    found.extend([json!(null), json!("text"), json!(7), json!(0.5), json!(true), json!([]), json!({})]);
    found.retain(|other| other != value);
    found
}

fn object(map: &Map<String, Value>) -> Vec<Value> {
    let mut found: Vec<Value> = map
        .keys()
        .map(|name| {
            let mut map = map.clone();
            map.remove(name);
            Value::Object(map)
        })
        .collect();
    found.push(with(map, "no_such_name", json!(1)));
    found.push(with(map, "", Value::Null));
    // What a derived deserializer takes for a struct.
    found.push(map.values().cloned().collect());
    found
}

fn array(list: &[Value]) -> Vec<Value> {
    let mut found = Vec::new();
    if let [rest @ .., last] = list {
        found.push(Value::Array(rest.to_vec()));
        found.push(list.iter().chain([last]).cloned().collect());
        found.push(last.clone());
    }
    found.push(list.iter().cloned().chain([Value::Null]).collect());
    found
}

fn string(text: &str) -> Vec<Value> {
    let upper = text.to_uppercase();
    [String::new(), format!("{text}x"), format!("{text}\n"), format!(" {text}"), "long ".repeat(200), upper]
        .into_iter()
        .map(Value::from)
        .chain([json!([text]), json!({text: null})])
        .collect()
}

fn numbers(number: &Number) -> Vec<Value> {
    let mut found = vec![json!(i64::MAX), json!(u64::MAX), json!(i64::MIN), json!(number.to_string())];
    if let Some(whole) = number.as_i64() {
        found.extend([
            json!(whole.wrapping_add(1)),
            json!(whole.wrapping_sub(1)),
            json!(whole.wrapping_neg()),
        ]);
    }
    if let Some(float) = number.as_f64() {
        found.extend([json!(float), json!(float + 0.5), json!(-float), json!(float.trunc())]);
    }
    found
}
