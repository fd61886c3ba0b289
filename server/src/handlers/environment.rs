//! The environment of a program that a tool starts: a map, or a map as JSON text, and what keeps a shell from writing its
//! history.

use std::collections::BTreeMap;

use super::errors::refused;

use schemux::{MapOrJson, ToolError};
use serde_json::Value;

/// What keeps the common shells from writing down what is typed: bash and zsh, then fish.
const NO_HISTORY: [(&str, &str); 3] = [("HISTFILE", ""), ("fish_history", ""), ("fish_private_mode", "1")];

/// The variables that were given.
///
/// # Errors
///
/// Text that is no JSON object of strings; a name that cannot be one. No value is repeated in an error.
pub fn variables(given: Option<MapOrJson>) -> Result<BTreeMap<String, String>, ToolError> {
    let map = match given {
        None => BTreeMap::new(),
        Some(MapOrJson::Object(map)) => map,
        Some(MapOrJson::String(text)) if text.is_empty() => BTreeMap::new(),
        Some(MapOrJson::String(text)) => parse(&text)?,
    };
    match map.keys().find(|name| name.is_empty() || name.contains(['=', '\0'])) {
        Some(name) => Err(refused(format!("environment: {name:?} cannot be the name of a variable"))),
        None => Ok(map),
    }
}

fn parse(text: &str) -> Result<BTreeMap<String, String>, ToolError> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        ToolError::expected("JSONDecodeError", format!("environment is text that is no JSON: {error}"))
    })?;
    let Value::Object(map) = value else {
        return Err(refused("environment must be a JSON object that maps names to strings".to_owned()));
    };
    map.into_iter()
        .map(|(name, value)| match value {
            Value::String(value) => Ok((name, value)),
            _ => Err(refused(format!("environment: the value of {name:?} must be a string"))),
        })
        .collect()
}

/// Adds what keeps a shell from writing its history.
///
/// # Errors
///
/// A variable that was given a value which would write one after all.
pub fn suppress_history(variables: &mut BTreeMap<String, String>) -> Result<(), ToolError> {
    for (name, needed) in NO_HISTORY {
        match variables.get(name) {
            Some(value) if value != needed => {
                return Err(refused(format!(
                    "environment sets {name} to something else than suppress_persistent_history needs; \
                     leave {name} out, or do not ask for suppress_persistent_history"
                )));
            }
            _ => {
                variables.insert(name.to_owned(), needed.to_owned());
            }
        }
    }
    let control = variables.get("HISTCONTROL").map(String::as_str).unwrap_or_default();
    let mut words: Vec<&str> = control.split(':').filter(|word| !word.is_empty()).collect();
    if !words.iter().any(|word| matches!(*word, "ignorespace" | "ignoreboth")) {
        words.push("ignorespace");
    }
    variables.insert("HISTCONTROL".to_owned(), words.join(":"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Result<BTreeMap<String, String>, ToolError> {
        variables(Some(MapOrJson::String(text.to_owned())))
    }

    #[test]
    fn maps_and_text() {
        let expected = BTreeMap::from([("A".to_owned(), "1 = one".to_owned())]);
        assert_eq!(variables(Some(expected.clone().into())).unwrap(), expected);
        assert_eq!(text(r#"{"A": "1 = one"}"#).unwrap(), expected);
        assert_eq!(text("").unwrap(), BTreeMap::new());
        assert_eq!(variables(None).unwrap(), BTreeMap::new());
    }

    #[test]
    fn what_is_no_environment_is_refused_without_its_values() {
        for bad in
            ["{", "null", "[]", r#""hunter2""#, r#"{"A": 1}"#, r#"{"": "hunter2"}"#, r#"{"A=B": "hunter2"}"#]
        {
            let error = text(bad).unwrap_err();
            assert!(error.expected && error.message.starts_with("environment"), "{bad}: {error}");
            assert!(!error.text().contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn history() {
        let mut map = BTreeMap::from([("HISTCONTROL".to_owned(), ":erasedups:".to_owned())]);
        suppress_history(&mut map).unwrap();
        assert_eq!(map["HISTCONTROL"], "erasedups:ignorespace");
        assert_eq!((&*map["HISTFILE"], &*map["fish_history"], &*map["fish_private_mode"]), ("", "", "1"));
        for kept in ["ignoreboth", "ignorespace:erasedups"] {
            let mut map = BTreeMap::from([("HISTCONTROL".to_owned(), kept.to_owned())]);
            suppress_history(&mut map).unwrap();
            assert_eq!(map["HISTCONTROL"], kept);
        }
        let mut same = BTreeMap::from([("HISTFILE".to_owned(), String::new())]);
        suppress_history(&mut same).unwrap();
        let mut other = BTreeMap::from([("HISTFILE".to_owned(), "/secret".to_owned())]);
        let error = suppress_history(&mut other).unwrap_err();
        assert!(error.message.contains("HISTFILE") && !error.message.contains("secret"), "{error}");
    }
}
