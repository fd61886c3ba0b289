//! The two sides of every tool, and values for them.

use proptest::prelude::*;
use proptest::test_runner::{TestError, TestRunner};
use schemux::{TOOLS, ToolInfo};
use schemux_tests::schema;
use serde_json::{Map, Value, json};

/// Arguments or result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Arguments,
    Result,
}

/// One side of one tool, with its schema.
#[derive(Debug, Clone)]
pub struct Face {
    pub tool: &'static ToolInfo,
    pub side: Side,
    pub schema: Value,
}

/// Every side of every tool for which the contract states a schema.
pub fn faces() -> Vec<Face> {
    let face = |tool: &'static ToolInfo, side, schema: Option<&Map<String, Value>>| {
        schema.map(|schema| Face { tool, side, schema: Value::Object(schema.clone()) })
    };
    let faces: Vec<Face> = TOOLS
        .iter()
        .flat_map(|tool| {
            [face(tool, Side::Arguments, tool.input_schema()), face(tool, Side::Result, tool.output_schema())]
        })
        .flatten()
        .collect();
    assert!(faces.len() >= TOOLS.len(), "every tool has arguments");
    faces
}

/// The arguments of every tool.
pub fn arguments() -> Vec<Face> {
    faces().into_iter().filter(|face| face.side == Side::Arguments).collect()
}

/// The results of every tool that states one.
pub fn results() -> Vec<Face> {
    faces().into_iter().filter(|face| face.side == Side::Result).collect()
}

impl Face {
    /// A validator that the generated code has no part in.
    pub fn validator(&self) -> jsonschema::Validator {
        jsonschema::validator_for(&self.schema).expect("codegen has checked the schema")
    }

    /// What the generated code says of the value, as it is on the wire.
    pub fn check(&self, value: &Value) -> Result<(), schemux::Violations> {
        match self.side {
            Side::Arguments => self.tool.check_arguments(value),
            Side::Result => self.tool.check_result(value),
        }
    }

    /// Through the types and back, as it is on the wire.
    pub fn recode(&self, value: &Value) -> Result<Value, serde_json::Error> {
        let name = self.tool.name;
        match self.side {
            Side::Arguments => schemux::recode_arguments(name, value.clone()),
            Side::Result if self.tool.wrapped => {
                let inner = value.get("result").cloned().unwrap_or_default();
                return schemux::recode_result(name, inner)
                    .expect("a tool")
                    .map(|inner| json!({ "result": inner }));
            }
            Side::Result => schemux::recode_result(name, value.clone()),
        }
        .expect("a tool of `TOOLS`")
    }

    /// Runs a property on `cases` values.
    #[track_caller]
    pub fn for_all(
        &self,
        values: &BoxedStrategy<Value>,
        cases: u32,
        property: impl Fn(Value) -> Result<(), TestCaseError>,
    ) {
        let result = TestRunner::new(schema::config(cases)).run(values, property);
        match result {
            Ok(()) => {}
            Err(TestError::Fail(why, value)) => {
                panic!("{} {:?}: {why}\n{value:#}", self.tool.name, self.side)
            }
            Err(TestError::Abort(why)) => panic!("{} {:?}: {why}", self.tool.name, self.side),
        }
    }
}

/// The arguments as `dispatch` takes them.
pub fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("no object: {other}"),
    }
}

/// Runs a future to its end.
pub fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(future)
}
