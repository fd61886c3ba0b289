//! Values for a JSON schema: such as it accepts, and such as differ from those in one place.
//!
//! What is made here is meant to be valid; whether it is, a validator has to say. Wide rather than exact: what cannot be
//! built (`not`, a condition) is left to chance.

mod collection;
mod instance;
mod merge;
mod mutate;
mod scalar;

use proptest::prelude::*;
use proptest::strategy::{NewTree, Strategy, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

pub use mutate::mutations;

/// Values that the schema accepts.
pub fn strategy(root: &Value) -> BoxedStrategy<Value> {
    Instances { root: root.clone() }.boxed()
}

/// Values that differ in one place from one that the schema accepts.
pub fn mutants(root: &Value) -> BoxedStrategy<Value> {
    Mutants { root: root.clone() }.boxed()
}

/// The same `count` values of a strategy in every run.
pub fn sample(strategy: &BoxedStrategy<Value>, count: usize) -> Vec<Value> {
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    (0..count).filter_map(|_| strategy.new_tree(&mut runner).ok()).map(|tree| tree.current()).collect()
}

/// Proptest without files: the seed of a failure is printed, and the workspace stays as it is.
pub fn config(cases: u32) -> Config {
    Config { cases, failure_persistence: None, ..Config::default() }
}

#[derive(Debug)]
struct Instances {
    root: Value,
}

impl Strategy for Instances {
    /// Values are small, and each edit of one could make it invalid: they do not shrink.
    type Tree = Just<Value>;
    type Value = Value;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        Ok(Just(instance::Instance::new(&self.root, runner).make()))
    }
}

#[derive(Debug)]
struct Mutants {
    root: Value,
}

impl Strategy for Mutants {
    type Tree = Just<Value>;
    type Value = Value;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let value = instance::Instance::new(&self.root, runner).make();
        Ok(Just(mutate::mutation(&value, runner)))
    }
}

/// Whether a number in it needs more than 64 bits with a sign: JSON schema takes those, the types do not.
pub fn holds_a_huge_number(value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            number.as_i64().is_none() && number.as_f64().is_none_or(|float| float.abs() > 9e15)
        }
        Value::Array(list) => list.iter().any(holds_a_huge_number),
        Value::Object(map) => map.values().any(holds_a_huge_number),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_same_values_in_every_run() {
        let schema =
            json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}});
        assert_eq!(sample(&strategy(&schema), 20), sample(&strategy(&schema), 20));
    }

    #[test]
    fn a_recursive_schema_ends() {
        let schema = json!({
            "$ref": "#/$defs/Node",
            "$defs": {"Node": {
                "type": "object",
                "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}},
                "required": ["next"],
            }},
        });
        assert_eq!(sample(&strategy(&schema), 50).len(), 50);
    }
}
