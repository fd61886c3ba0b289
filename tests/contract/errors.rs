//! What is said about a call that failed, word for word, and that a rejected value is never repeated.

use std::collections::BTreeMap;

use proptest::prelude::*;
use schemux::{Cx, ToolError, ToolInfo, call, dispatch};
use schemux_tests::schema;
use serde_json::{Map, Value, json};

use super::stub::Stub;
use super::support::{arguments, block_on, object};

fn refusal(tool: &str, arguments: Value) -> ToolError {
    let server = Stub::default();
    let error = block_on(dispatch(&server, tool, object(arguments), &Cx::new())).expect_err("it is refused");
    assert_eq!(server.calls(), 0);
    error
}

#[test]
fn missing() {
    insta::assert_snapshot!(refusal("respawn_pane", json!({})), @r"
    1 validation error for call[respawn_pane]
    pane_id
      this is required and missing [type=missing_argument]
    ");
}

#[test]
fn unknown() {
    insta::assert_snapshot!(refusal("respawn_pane", json!({"pane_id": "%1", "force": true, "cwd": "/"})), @r"
    2 validation errors for call[respawn_pane]
    force
      there is no such argument [type=unexpected_keyword_argument]
    cwd
      there is no such argument [type=unexpected_keyword_argument]
    Remove or correct the unrecognized argument(s): force, cwd.
    ");
}

#[test]
fn wrong_type() {
    insta::assert_snapshot!(refusal("respawn_pane", json!({"pane_id": 1})), @r"
    1 validation error for call[respawn_pane]
    pane_id
      this must be a string [type=string_type]
    ");
    insta::assert_snapshot!(refusal("respawn_pane", json!({"pane_id": null})), @r"
    1 validation error for call[respawn_pane]
    pane_id
      this must be a string [type=string_type]
    ");
    insta::assert_snapshot!(refusal("respawn_pane", json!({"pane_id": "%1", "kill": "maybe"})), @r"
    1 validation error for call[respawn_pane]
    kill
      this must be true or false [type=bool_type]
    ");
}

#[test]
fn wrong_in_every_alternative() {
    insta::assert_snapshot!(refusal("exit_copy_mode", json!({"pane_id": 1})), @r"
    1 validation error for call[exit_copy_mode]
    pane_id
      this must be a string [type=string_type]
    ");
    insta::assert_snapshot!(refusal("respawn_pane", json!({"pane_id": "%1", "environment": {"A": 1, "B": "b"}})), @r"
    1 validation error for call[respawn_pane]
    environment.A
      this must be a string [type=string_type]
    ");
    insta::assert_snapshot!(refusal("respawn_pane", json!({"pane_id": "%1", "environment": 7})), @r"
    1 validation error for call[respawn_pane]
    environment
      this must be an object or a string [type=dict_type]
    ");
}

#[test]
fn pattern() {
    insta::assert_snapshot!(refusal("wait_for_exit", json!({"paneId": "1"})), @r"
    1 validation error for call[wait_for_exit]
    paneId
      this text must match `^%\d+$` [type=string_pattern_mismatch]
    ");
}

#[test]
fn bounds() {
    insta::assert_snapshot!(refusal("wait_for_exit", json!({"paneId": "%1", "timeoutMs": 0})), @r"
    1 validation error for call[wait_for_exit]
    timeoutMs
      this must be more than 0 [type=greater_than]
    ");
    insta::assert_snapshot!(refusal("wait_for_exit", json!({"paneId": "%1", "timeoutMs": 9_007_199_254_740_992_i64})), @r"
    1 validation error for call[wait_for_exit]
    timeoutMs
      this must be at most 9007199254740991 [type=less_than_equal]
    ");
    insta::assert_snapshot!(refusal("wait_for_exit", json!({"paneId": "%1", "timeoutMs": 1.5})), @r"
    1 validation error for call[wait_for_exit]
    timeoutMs
      this must be a whole number [type=int_type]
    ");
}

#[test]
fn several_at_once() {
    insta::assert_snapshot!(refusal("wait_for_exit", json!({"paneId": "x", "timeoutMs": -1})), @r"
    2 validation errors for call[wait_for_exit]
    paneId
      this text must match `^%\d+$` [type=string_pattern_mismatch]
    timeoutMs
      this must be more than 0 [type=greater_than]
    ");
    insta::assert_snapshot!(refusal("respawn_pane", json!({"kill": 3, "shel": "sh", "start_directory": []})), @r"
    4 validation errors for call[respawn_pane]
    kill
      this must be true or false [type=bool_type]
    start_directory
      this must be a string [type=string_type]
    shel
      there is no such argument [type=unexpected_keyword_argument]
    pane_id
      this is required and missing [type=missing_argument]
    Remove or correct the unrecognized argument(s): shel.
    ");
}

#[test]
fn a_word_of_a_list() {
    let tool = schemux::TOOLS.iter().find(|tool| tool.name == "wait_for_exit").expect("it is there");
    let result = json!({"effectiveTimeoutMs": 1, "exitStatus": null, "outcome": "done", "signal": null});
    insta::assert_snapshot!(tool.check_result(&result).expect_err("no such outcome"), @r#"
    outcome
      this must be one of "completed", "timed_out", "gone", "cancelled" [type=literal_error]
    "#);
    insta::assert_snapshot!(tool.check_result(&json!({"outcome": "gone"})).expect_err("fields are missing"), @r"
    effectiveTimeoutMs
      this is required and missing [type=missing_argument]
    exitStatus
      this is required and missing [type=missing_argument]
    signal
      this is required and missing [type=missing_argument]
    ");
}

/// Numbers and text with a mark in them, in every place of valid arguments.
#[test]
fn a_rejected_value_is_never_repeated() {
    const MARK: &str = "S3CR3T-f00d";
    const NUMBER: i64 = -770_077_123_456_789;
    for face in arguments() {
        face.for_all(&schema::strategy(&face.schema), 60, |value| {
            for mark in
                [json!(MARK), json!([MARK]), json!({"k": MARK}), json!(NUMBER), json!([{"k": NUMBER}])]
            {
                for name in face.schema["properties"].as_object().into_iter().flat_map(Map::keys) {
                    let mut arguments = object(value.clone());
                    arguments.insert(name.clone(), mark.clone());
                    let server = Stub::default();
                    let error = block_on(dispatch(&server, face.tool.name, arguments, &Cx::new()))
                        .expect_err("fails");
                    let said = format!("{error}\n{error:?}\n{:?}", error.meta());
                    prop_assert!(!said.contains(MARK) && !said.contains("770077"), "{said}");
                }
            }
            Ok(())
        });
    }
}

/// JSON schema takes any whole number; no type here does.
#[test]
fn a_number_beyond_64_bits_is_not_repeated_either() {
    static TOOL: ToolInfo = ToolInfo::new(
        "count",
        "test",
        false,
        r#"{"inputSchema": {"additionalProperties": {"type": "integer"}}}"#,
    );
    let run = async |_: BTreeMap<String, i64>| Ok(json!({}));
    let error = block_on(call(&TOOL, object(json!({"by": 1.5e300})), run)).expect_err("too large");
    insta::assert_snapshot!(error, @"count: an argument holds a whole number of more than 64 bits");
    assert!(error.expected);
    assert!(block_on(call(&TOOL, object(json!({"by": 3.0})), run)).is_ok());
}

#[test]
fn on_the_wire() {
    let error = ToolError::expected("PaneNotFound", "there is no pane %9").suggest("Call list_panes.");
    insta::assert_snapshot!(error.text(), @r"
    there is no pane %9
    Call list_panes.
    ");
    insta::assert_json_snapshot!(error.meta(), @r#"
    {
      "error_type": "PaneNotFound",
      "expected": true,
      "suggestion": "Call list_panes."
    }
    "#);
    insta::assert_json_snapshot!(ToolError::unexpected("LibTmuxException", "tmux is not installed").meta(), @r#"
    {
      "error_type": "LibTmuxException",
      "expected": false
    }
    "#);
    let bare = ToolError::from_wire("it broke", None);
    assert_eq!((&*bare.error_type, bare.expected, &*bare.message), ("ToolError", true, "it broke"));
}

proptest! {
    #![proptest_config(schema::config(500))]

    #[test]
    fn there_and_back(
        kind in "[A-Za-z]{1,12}",
        expected: bool,
        message in "(?s).{0,40}",
        suggestion in proptest::option::of("(?s).{0,40}"),
    ) {
        let error = ToolError { error_type: kind.into(), expected, suggestion, message };
        prop_assert_eq!(ToolError::from_wire(&error.text(), Some(&error.meta())), error);
    }

    #[test]
    fn a_strangers_error_is_read_whatever_it_is(
        text in "(?s).{0,40}",
        meta in schema::strategy(&json!({"type": "object"})),
    ) {
        let meta = object(meta);
        let error = ToolError::from_wire(&text, Some(&meta));
        prop_assert!(error.text() == text || meta.contains_key("suggestion"));
    }
}
