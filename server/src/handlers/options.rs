//! The options of tmux.

use schemux::{OptionResult, OptionSetResult, SetOptionArgs, ShowOptionArgs, ToolError};
use serde_json::{Map, Value, json};

use super::scope;
use crate::state::Tmux;
use crate::tmux::{self, OptionValue};

/// Reads an option as the kind of value that it looks like.
pub async fn show_option(tmux: &Tmux, args: ShowOptionArgs) -> Result<OptionResult, ToolError> {
    let server = tmux.server_to_read(args.socket_name.as_deref());
    let scope = scope::resolve(&server, args.scope, args.target.as_deref(), args.global).await?;
    let (name, value) = tmux::show_option(&server, &scope, &args.option).await?;
    let value = match value {
        OptionValue::Unset => Value::Null,
        OptionValue::One(text) => typed(text),
        OptionValue::List(values) => list(name.as_deref().unwrap_or_default(), values),
    };
    Ok(OptionResult { option: args.option, value })
}

/// Sets an option to exactly the text that is given.
pub async fn set_option(tmux: &Tmux, args: SetOptionArgs) -> Result<OptionSetResult, ToolError> {
    let server = tmux.server(args.socket_name.as_deref());
    let scope = scope::resolve(&server, args.scope, args.target.as_deref(), args.global).await?;
    tmux::set_option(&server, &scope, &args.option, &args.value).await?;
    Ok(OptionSetResult { option: args.option, status: "set".to_owned(), value: args.value })
}

/// A number for a text that is exactly how a number is written, true and false for `on` and `off`, else the text.
fn typed(text: String) -> Value {
    let number = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u64>().ok()).flatten();
    match (number, text.as_str()) {
        (Some(number), _) if number.to_string() == text => json!(number),
        (_, "on") => json!(true),
        (_, "off") => json!(false),
        _ => json!(text),
    }
}

/// A list by its indices; the three lists that are maps in all but name, as maps.
fn list(name: &str, values: Vec<(String, String)>) -> Value {
    let texts = || values.iter().map(|(_, value)| value.as_str());
    match name {
        "command-alias" => {
            texts().filter_map(|text| text.split_once('=')).map(entry).collect::<Map<_, _>>().into()
        }
        "terminal-features" => features(texts()).into(),
        "terminal-overrides" => overrides(texts()).into(),
        _ => values.into_iter().map(|(index, value)| (index, json!(value))).collect::<Map<_, _>>().into(),
    }
}

fn entry((name, value): (&str, &str)) -> (String, Value) {
    (name.to_owned(), json!(value))
}

/// `xterm*:RGB:title`, several for one terminal together, each feature once.
fn features<'a>(texts: impl Iterator<Item = &'a str>) -> Map<String, Value> {
    let mut terminals = Map::new();
    for text in texts {
        let mut parts = text.split(':');
        let terminal = parts.next().unwrap_or_default();
        let known = terminals.entry(terminal).or_insert_with(|| json!([]));
        let Value::Array(known) = known else { continue };
        for feature in parts.map(|feature| json!(feature)) {
            if !known.contains(&feature) {
                known.push(feature);
            }
        }
    }
    terminals
}

/// `xterm*:RGB:colors=256`, several for one terminal together, the last of a name counting.
fn overrides<'a>(texts: impl Iterator<Item = &'a str>) -> Map<String, Value> {
    let mut terminals = Map::new();
    for text in texts {
        let mut parts = parts(text).into_iter();
        let terminal = parts.next().unwrap_or_default();
        let known = terminals.entry(terminal).or_insert_with(|| json!({}));
        let Value::Object(known) = known else { continue };
        for part in parts {
            match part.split_once('=') {
                Some((name, value)) => known.insert(name.to_owned(), typed(value.to_owned())),
                None => known.insert(part, Value::Null),
            };
        }
    }
    terminals
}

/// The parts between colons; `::` is a colon of a value.
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match parts.last_mut() {
            Some(part) if letter != ':' => part.push(letter),
            Some(part) if letters.next_if_eq(&':').is_some() => part.push(':'),
            _ => parts.push(String::new()),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        for (text, value) in [
            ("5", json!(5)),
            ("0", json!(0)),
            ("on", json!(true)),
            ("off", json!(false)),
            ("", json!("")),
            ("007", json!("007")),
            ("-5", json!("-5")),
            ("5.5", json!("5.5")),
            ("٣", json!("٣")),
            ("99999999999999999999", json!("99999999999999999999")),
            ("yes", json!("yes")),
        ] {
            assert_eq!(typed(text.to_owned()), value, "{text}");
        }
    }

    #[test]
    fn lists_that_are_maps() {
        let values = |texts: &[&str]| {
            texts.iter().enumerate().map(|(n, text)| (n.to_string(), (*text).to_owned())).collect()
        };
        assert_eq!(list("user-keys", values(&["5"])), json!({"0": "5"}));
        assert_eq!(list("command-alias", values(&["a=b=c d", "nothing"])), json!({"a": "b=c d"}));
        assert_eq!(
            list("terminal-features", values(&["xterm*:RGB:title", "bar", "xterm*:title:focus"])),
            json!({"xterm*": ["RGB", "title", "focus"], "bar": []})
        );
        assert_eq!(
            list(
                "terminal-overrides",
                values(&["x*:Tc:sitm=\\E[3m:colors=256:AX@", "foo", "x*:RGB:Ms=a::b"])
            ),
            json!({"x*": {"Tc": null, "sitm": "\\E[3m", "colors": 256, "AX@": null, "RGB": null, "Ms": "a:b"}, "foo": {}})
        );
    }
}
