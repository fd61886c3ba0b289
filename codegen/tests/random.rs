//! Anything that is JSON, as schemas: faults or code that parses, never a panic and never an endless run.

use std::fs;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use schemux_codegen::{Faults, Files, render};
use serde_json::{Map, Value, json};

/// The code for one tool with these schemas.
fn rendered(entry: &Value) -> Result<Files, Faults> {
    let root = tempfile::tempdir().expect("a folder");
    let schemas = root.path().join("schemas");
    fs::create_dir(&schemas).expect("a folder");
    fs::write(schemas.join("tool.json"), entry.to_string()).expect("written");
    fs::write(schemas.join("contract.toml"), "[tools.tool]\ntoolset = \"test\"\n").expect("written");
    render(&schemas, "../schemas")
}

#[track_caller]
fn check(result: &Result<Files, Faults>) {
    match result {
        Ok(files) => {
            let own = |name: &str| name.ends_with(".rs") && !name.starts_with("runtime/");
            for (name, text) in files.iter().filter(|(name, _)| own(name)) {
                assert!(syn::parse_file(text).is_ok(), "{name} does not parse:\n{text}");
            }
        }
        Err(faults) => {
            assert!(!faults.0.is_empty());
            for fault in &faults.0 {
                assert!(fault.file.starts_with("schemas/") && !fault.what.is_empty(), "{fault}");
                // The stages before it let pass what typify cannot do.
                assert!(!fault.what.contains("typify"), "{fault}");
            }
        }
    }
}

fn name() -> BoxedStrategy<String> {
    let names = [
        "a", "b", "a-b", "a_b", "A B", "type", "Self", "extra", "new", "1", "", "é", "result", "Option",
        "x y",
    ];
    prop_oneof![9 => prop::sample::select(names.to_vec()).prop_map(str::to_owned), 1 => ".{0,6}"].boxed()
}

fn reference() -> BoxedStrategy<Value> {
    let sound = ["#/$defs/A", "#/$defs/B", "#/$defs/C", "#", "#/%24defs/A"];
    let doubtful = ["#/properties/a", "#x", "other.json", "#/$defs/A/items"];
    prop_oneof![15 => prop::sample::select(sound.to_vec()), 1 => prop::sample::select(doubtful.to_vec())]
        .prop_map(Value::from)
        .boxed()
}

fn literal() -> BoxedStrategy<Value> {
    let words = ["a", "b", "A", "a-b", "", "on", "é", "self", "x-1"];
    prop_oneof![
        4 => prop::sample::select(words.to_vec()).prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => (-5_i64..5).prop_map(Value::from),
        1 => (-10.0..10.0).prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => Just(json!({"a": "b"})),
        1 => Just(json!([1, "a"])),
    ]
    .boxed()
}

fn kind() -> BoxedStrategy<Value> {
    let kinds = ["object", "string", "integer", "number", "boolean", "array", "null"];
    let one = prop::sample::select(kinds.to_vec());
    prop_oneof![
        5 => one.clone().prop_map(Value::from),
        2 => prop::collection::btree_set(one, 1..4).prop_map(|kinds| kinds.into_iter().map(Value::from).collect()),
    ]
    .boxed()
}

/// One keyword with what belongs to it, or now and then with something else.
fn keyword(schema: BoxedStrategy<Value>) -> BoxedStrategy<(String, Value)> {
    let of = |names: &[&'static str], value: BoxedStrategy<Value>| {
        (prop::sample::select(names.to_vec()), value)
            .prop_map(|(name, value)| (name.to_owned(), value))
            .boxed()
    };
    let map = prop::collection::vec((name(), schema.clone()), 0..4)
        .prop_map(|entries| Value::Object(entries.into_iter().collect::<Map<_, _>>()))
        .boxed();
    let list = prop::collection::vec(schema.clone(), 1..4).prop_map(Value::Array).boxed();
    let names = prop::collection::btree_set(name(), 0..3)
        .prop_map(|names| names.into_iter().map(Value::from).collect());
    let text = prop_oneof![Just("Item"), Just("a `b` [c]"), Just("x\r\ny\rz\u{202e}"), Just("")]
        .prop_map(Value::from);
    let count = (0_u64..5).prop_map(Value::from).boxed();
    prop_oneof![
        12 => of(&["type"], kind()),
        12 => of(&["properties"], map.clone()),
        2 => of(&["patternProperties", "dependentSchemas", "$defs"], map),
        3 => of(&["required"], names.boxed()),
        3 => of(&["additionalProperties", "items", "unevaluatedProperties", "propertyNames"], schema.clone()),
        2 => of(&["not", "if", "then", "else", "contains", "additionalItems"], schema),
        8 => of(&["anyOf", "oneOf", "allOf", "prefixItems"], list),
        3 => of(&["$ref"], reference()),
        3 => of(&["enum"], prop::collection::vec(literal(), 1..4).prop_map(Value::Array).boxed()),
        2 => of(&["const", "const", "const", "default"], literal()),
        2 => of(&["minimum", "maximum", "minLength", "maxLength", "minItems", "maxProperties", "minProperties"], count),
        2 => of(&["description", "title"], text.boxed()),
        1 => of(&["uniqueItems", "x-fastmcp-wrap-result", "nullable"], any::<bool>().prop_map(Value::from).boxed()),
        1 => of(&["pattern"], prop_oneof![9 => Just("^a$"), 1 => Just("("), 9 => Just("(?!x)")].prop_map(Value::from).boxed()),
        // What is no schema.
        1 => prop::option::weighted(0.1, literal())
            .prop_map(|value| ("items".to_owned(), value.unwrap_or_else(|| json!({})))),
    ]
    .boxed()
}

fn schema() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        4 => kind().prop_map(|kind| json!({"type": kind})),
        1 => any::<bool>().prop_map(Value::from),
        1 => reference().prop_map(|reference| json!({"$ref": reference})),
        1 => Just(json!({})),
    ];
    leaf.prop_recursive(4, 40, 4, |inner| {
        prop::collection::vec(keyword(inner.boxed()), 1..5)
            .prop_map(|keywords| Value::Object(keywords.into_iter().collect::<Map<_, _>>()))
    })
    .boxed()
}

/// A schema that has every chance to be taken: an object at its root, with definitions.
fn root() -> BoxedStrategy<Value> {
    let map = |least| {
        prop::collection::vec((name(), schema()), least..4)
            .prop_map(|all| all.into_iter().collect::<Map<_, _>>())
    };
    (schema(), map(1), prop::collection::vec(schema(), 3))
        .prop_map(|(base, properties, mut definitions)| {
            let mut root = base.as_object().cloned().unwrap_or_default();
            root.insert("type".into(), "object".into());
            root.entry("properties").or_insert(Value::Object(properties));
            let named =
                ["A", "B", "C"].iter().filter_map(|name| Some(((*name).to_owned(), definitions.pop()?)));
            root.insert("$defs".into(), Value::Object(named.collect()));
            Value::Object(root)
        })
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_schemas(input in root(), output in proptest::option::of(root())) {
        let mut entry = json!({"name": "tool", "description": "x", "inputSchema": input});
        if let Some(output) = output {
            entry["outputSchema"] = output;
        }
        check(&rendered(&entry));
    }

    #[test]
    fn random_entries(entry in schema()) {
        check(&rendered(&entry));
    }
}

/// The property above proves nothing when everything is refused.
#[test]
fn many_random_schemas_are_taken() {
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
    let mut runner = TestRunner::new_with_rng(
        ProptestConfig { failure_persistence: None, ..ProptestConfig::default() },
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    let taken = (0..200)
        .filter(|_| {
            let schema = root().new_tree(&mut runner).expect("a schema").current();
            rendered(&json!({"name": "tool", "inputSchema": schema})).is_ok()
        })
        .count();
    assert!(taken >= 60, "only {taken} of 200");
}

fn with_definitions(definitions: Map<String, Value>) -> Value {
    let schema = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": definitions});
    json!({"name": "tool", "inputSchema": schema})
}

#[track_caller]
fn ends_soon(definitions: Map<String, Value>) {
    let start = Instant::now();
    check(&rendered(&with_definitions(definitions)));
    assert!(start.elapsed() < Duration::from_secs(120), "{:?}", start.elapsed());
}

#[test]
fn a_long_chain_of_references() {
    ends_soon(
        (0..500)
            .map(|n| (format!("d{n}"), json!({"$ref": format!("#/$defs/d{}", (n + 1).min(499))})))
            .collect(),
    );
    ends_soon(
        (0..500)
            .map(|n| {
                let next = json!({"$ref": format!("#/$defs/d{}", (n + 1).min(499))});
                (format!("d{n}"), json!({"type": "object", "properties": {"next": next}}))
            })
            .collect(),
    );
}

#[test]
fn references_that_double() {
    ends_soon(
        (0..40)
            .map(|n| {
                let next = json!({"$ref": format!("#/$defs/d{}", (n + 1).min(40))});
                (format!("d{n}"), json!({"type": "object", "properties": {"a": next, "b": next}}))
            })
            .chain([("d40".to_owned(), json!({"type": "string"}))])
            .collect(),
    );
}

#[test]
fn references_from_each_to_each() {
    let all: Vec<Value> =
        (0..14).map(|n| json!({"type": "array", "items": {"$ref": format!("#/$defs/d{n}")}})).collect();
    ends_soon((0..14).map(|n| (format!("d{n}"), json!({"anyOf": all}))).collect());
}
