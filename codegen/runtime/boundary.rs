//! Between the wire and the types: the advertised schemas are asked first, so that no type has to say all of a contract.

use std::future::Future;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

use super::answer::Answer;
use super::contract::ToolInfo;
use super::error::ToolError;
use super::violation::Violations;

/// Checks and decodes the arguments, runs the tool, encodes and checks the result.
///
/// # Errors
///
/// `ValidationError` for arguments that the schema refuses, the tool's own error, and `ContractViolation` for a result that
/// the schema refuses (a fault of the tool).
pub async fn call<A, R, F>(
    tool: &ToolInfo,
    arguments: Map<String, Value>,
    run: impl FnOnce(A) -> F,
) -> Result<Answer, ToolError>
where
    A: DeserializeOwned,
    R: Serialize,
    F: Future<Output = Result<R, ToolError>>,
{
    let arguments = Value::Object(arguments);
    tool.check_arguments(&arguments).map_err(|violations| refused(tool, &violations))?;
    // The decoder's own words would repeat the value.
    let arguments: A = decode(arguments).map_err(|_| {
        ToolError::expected(
            "ValidationError",
            format!("{}: an argument holds a whole number of more than 64 bits", tool.name),
        )
    })?;
    let result = run(arguments).await?;
    let result = serde_json::to_value(result).map_err(|error| violation(tool, &error))?;
    let answer = Answer::new(tool, result);
    tool.check_result(&answer.structured).map_err(|error| violation(tool, &error))?;
    Ok(answer)
}

/// Decodes a value that its schema accepts. Whole numbers may be written with a fraction of zero: `3.0` is 3.
///
/// # Errors
///
/// What the type cannot hold: a whole number of more than 64 bits.
pub(super) fn decode<T: DeserializeOwned>(mut value: Value) -> Result<T, serde_json::Error> {
    fold(&mut value);
    serde_json::from_value(value)
}

/// Decodes a value and encodes it again.
///
/// # Errors
///
/// What the type cannot hold.
pub fn recode<T: DeserializeOwned + Serialize>(value: Value) -> Result<Value, serde_json::Error> {
    serde_json::to_value(decode::<T>(value)?)
}

/// The error for a tool that there is not.
pub fn unknown_tool(name: &str) -> ToolError {
    ToolError::unexpected("NotFoundError", format!("unknown tool: {name:?}"))
        .suggest("Call tools/list for the tools that there are.")
}

fn refused(tool: &ToolInfo, violations: &Violations) -> ToolError {
    let count = violations.0.len();
    let noun = if count == 1 { "error" } else { "errors" };
    let error = ToolError::expected(
        "ValidationError",
        format!("{count} validation {noun} for call[{}]\n{violations}", tool.name),
    );
    match violations.unknown_names().as_slice() {
        [] => error,
        names => {
            error.suggest(format!("Remove or correct the unrecognized argument(s): {}.", names.join(", ")))
        }
    }
}

fn violation(tool: &ToolInfo, error: &dyn std::fmt::Display) -> ToolError {
    ToolError::unexpected(
        "ContractViolation",
        format!(
            "the result of {} is not what its schema promises; this is a fault of the server:\n{error}",
            tool.name
        ),
    )
}

/// Makes `3` of `3.0`: to JSON schema both are whole.
fn fold(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(whole) = folded(number) {
                *number = whole;
            }
        }
        Value::Array(list) => list.iter_mut().for_each(fold),
        Value::Object(map) => map.values_mut().for_each(fold),
        _ => {}
    }
}

fn folded(number: &Number) -> Option<Number> {
    // Beyond 2^53 a float no longer names one whole number.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let float =
        number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0 && float.abs() <= EXACT)?;
    #[allow(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
    Some(Number::from(float as i64))
}
