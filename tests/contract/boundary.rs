//! Through `dispatch`: what the schema refuses never reaches a tool, and what a tool returns leaves as it is advertised.

use proptest::prelude::*;
use schemux::{Cx, TOOLS, dispatch};
use schemux_tests::schema::{holds_a_huge_number, mutants, strategy};
use serde_json::{Map, Value, json};

use super::stub::Stub;
use super::support::{arguments, block_on, object, results};

#[test]
fn refused_arguments_reach_no_tool() {
    let server = Stub::default();
    for face in arguments() {
        let validator = face.validator();
        let refused = mutants(&face.schema).prop_filter("an object", Value::is_object).boxed();
        face.for_all(&refused, 300, |value| {
            let before = server.calls();
            let error = block_on(dispatch(&server, face.tool.name, object(value.clone()), &Cx::new()))
                .expect_err("the stub only fails");
            if validator.is_valid(&value) && !holds_a_huge_number(&value) {
                prop_assert_eq!(&*error.error_type, "StubError", "valid arguments were refused: {}", error);
            } else if !validator.is_valid(&value) {
                prop_assert_eq!(server.calls(), before, "the tool was called");
                prop_assert_eq!(&*error.error_type, "ValidationError");
                prop_assert!(error.expected);
            }
            Ok(())
        });
    }
    assert!(server.calls() > 0, "no edited value was valid");
}

#[test]
fn every_tool_can_be_called() {
    for face in arguments() {
        let server = Stub::default();
        face.for_all(&strategy(&face.schema), 30, |value| {
            if face.validator().is_valid(&value) {
                let error = block_on(dispatch(&server, face.tool.name, object(value), &Cx::new()))
                    .expect_err("fails");
                prop_assert_eq!(&*error.error_type, "StubError", "{}", error);
            }
            Ok(())
        });
        assert!(server.calls() > 0, "{} was never called", face.tool.name);
    }
}

#[test]
fn results_leave_as_they_are_advertised() {
    for face in results() {
        let given =
            arguments().into_iter().find(|other| other.tool.name == face.tool.name).expect("arguments");
        let accepted = given.validator();
        let arguments = schemux_tests::schema::sample(&strategy(&given.schema), 50)
            .into_iter()
            .find(|value| accepted.is_valid(value))
            .expect("valid arguments");
        let validator = face.validator();
        face.for_all(&strategy(&face.schema), 150, |value| {
            if !validator.is_valid(&value) {
                return Ok(());
            }
            let recoded = face.recode(&value).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let inner = if face.tool.wrapped { recoded["result"].clone() } else { recoded.clone() };
            let server = Stub::answering(inner.clone());
            let answer = block_on(dispatch(&server, face.tool.name, object(arguments.clone()), &Cx::new()))
                .map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert!(validator.is_valid(&answer.structured));
            prop_assert_eq!(&answer.structured, &recoded);
            prop_assert_eq!(answer.wrapped, face.tool.wrapped);
            if let (Some(text), false) = (&answer.text, inner.is_string()) {
                prop_assert_eq!(
                    serde_json::from_str::<Value>(text).ok(),
                    Some(inner),
                    "the text is the result as JSON"
                );
            }
            Ok(())
        });
    }
}

/// The type of a result says less than its schema: a word that breaks a bound is stopped on its way out.
#[test]
fn a_result_that_breaks_the_contract_does_not_leave() {
    let server = Stub::answering(json!({
        "effectiveTimeoutMs": i64::MAX, "exitStatus": 0, "outcome": "completed", "signal": null,
    }));
    let error = block_on(dispatch(&server, "wait_for_exit", object(json!({"paneId": "%1"})), &Cx::new()))
        .expect_err("more than the schema's maximum");
    insta::assert_snapshot!(error, @r"
    the result of wait_for_exit is not what its schema promises; this is a fault of the server:
    effectiveTimeoutMs
      this must be at most 9007199254740991 [type=less_than_equal]
    ");
    assert_eq!(error.error_type, "ContractViolation");
    assert!(!error.expected);
}

#[test]
fn an_unknown_tool() {
    let server = Stub::default();
    let error = block_on(dispatch(&server, "no_such_tool", Map::new(), &Cx::new())).expect_err("unknown");
    insta::assert_snapshot!(error, @r#"
    unknown tool: "no_such_tool"
    Call tools/list for the tools that there are.
    "#);
    assert_eq!(server.calls(), 0);
    assert!(TOOLS.iter().all(|tool| tool.name != "no_such_tool"));
    assert!(schemux::recode_arguments("no_such_tool", json!({})).is_none());
    assert!(schemux::recode_result("no_such_tool", json!({})).is_none());
}
