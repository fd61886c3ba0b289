//! One line for each call, without what it typed or kept secret.

use std::time::Duration;

use schemux::ToolError;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// Arguments that carry what is typed, stored or started: text is replaced by its length and the start of its digest.
const SENSITIVE: [&str; 7] = ["keys", "text", "command", "value", "content", "shell", "environment"];

/// The longest text that is noted as it is, in characters.
const LONGEST: usize = 200;

/// Notes a finished call.
pub fn note(tool: &str, error: Option<&ToolError>, took: Duration, arguments: &Value) {
    let outcome = error.map_or("ok", |error| &error.error_type);
    let milliseconds = took.as_secs_f64() * 1000.0;
    tracing::info!(target: "schemux::audit", tool, outcome, duration_ms = milliseconds, args = %arguments);
}

/// Whether calls are noted at all.
pub fn is_on() -> bool {
    tracing::enabled!(target: "schemux::audit", tracing::Level::INFO)
}

/// The arguments as they may be noted.
pub fn summary(arguments: &Map<String, Value>) -> Value {
    arguments.iter().map(|(name, value)| (name.clone(), redacted(name, value))).collect::<Map<_, _>>().into()
}

fn redacted(name: &str, value: &Value) -> Value {
    let sensitive = SENSITIVE.contains(&name);
    match value {
        Value::String(text) if sensitive => digest(text),
        Value::String(text) => match text.char_indices().nth(LONGEST) {
            Some((end, _)) => json!(format!("{}...<truncated>", &text[..end])),
            None => value.clone(),
        },
        // The names of variables stay readable, their values do not.
        Value::Object(map) if sensitive => {
            let hide = |value: &Value| value.as_str().map_or_else(|| digest(&value.to_string()), digest);
            map.iter().map(|(name, value)| (name.clone(), hide(value))).collect::<Map<_, _>>().into()
        }
        Value::Object(map) => summary(map),
        Value::Array(list) => list.iter().map(|item| redacted(name, item)).collect(),
        _ if sensitive && !value.is_null() => digest(&value.to_string()),
        _ => value.clone(),
    }
}

fn digest(text: &str) -> Value {
    let hash = Sha256::digest(text.as_bytes());
    let prefix: String = hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    json!({"len": text.chars().count(), "sha256_prefix": prefix})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_digests() {
        let Value::Object(arguments) = json!({
            "pane_id": "%1", "kill": true, "shell": "echo hunter2",
            "environment": {"DATABASE_URL": "postgres://hunter2"},
            "operations": [{"keys": "hunter2", "enter": true}],
            "title": "x".repeat(300),
        }) else {
            unreachable!()
        };
        let noted = summary(&arguments).to_string();
        assert!(!noted.contains("hunter2"), "{noted}");
        for kept in [
            r#""pane_id":"%1""#,
            r#""kill":true"#,
            "DATABASE_URL",
            r#""enter":true"#,
            "...<truncated>",
            r#""len":12"#,
        ] {
            assert!(noted.contains(kept), "{kept} in {noted}");
        }
        // As `printf abc | sha256sum` has it.
        assert_eq!(digest("abc"), json!({"len": 3, "sha256_prefix": "ba7816bf8f01"}));
    }
}
