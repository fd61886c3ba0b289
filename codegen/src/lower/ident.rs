//! Rust names from anybody's names: always an identifier, never a keyword, never twice in one place.

/// A field's or a method's name: `paneId` gives `pane_id`, `type` gives `type_`, `1x` gives `n1x`.
pub fn snake(wire: &str) -> String {
    let mut name = words(wire).join("_");
    if name.is_empty() {
        name = "empty".to_owned();
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, 'n');
    }
    if syn::parse_str::<syn::Ident>(&name).is_err() {
        name.push('_');
    }
    name
}

/// A tool's method; those that every client has are not to be had.
pub fn method(wire: &str) -> String {
    const TAKEN: [&str; 8] =
        ["new", "caller", "into_caller", "verify_contract", "typed", "spawn", "connect", "close"];
    let name = snake(wire);
    if TAKEN.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// A type's name: `call_read_tools_batch` gives `CallReadToolsBatch`. Empty when nothing usable is in it.
pub fn pascal(text: &str) -> String {
    let name: String = words(text).iter().map(|word| capital(word)).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("N{name}") } else { name }
}

/// `name`, or `name_2`, `name_3`, … : the first that is not yet taken.
pub fn unique(name: String, taken: impl Fn(&str) -> bool) -> String {
    if !taken(&name) {
        return name;
    }
    let separator = if name.ends_with('_') { "" } else { "_" };
    (2_u32..).map(|n| format!("{name}{separator}{n}")).find(|name| !taken(name)).unwrap_or(name)
}

/// The same for a type: `Row2`, for Rust wants no underscore there, or `Row2_2`.
pub fn unique_type(name: String, taken: impl Fn(&str) -> bool) -> String {
    if !taken(&name) {
        return name;
    }
    let separator = if name.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
    (2_u32..).map(|n| format!("{name}{separator}{n}")).find(|name| !taken(name)).unwrap_or(name)
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

/// The lower-case words of a name: at everything that is no ASCII letter or digit, and at the start of a capital.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let letters: Vec<char> = text.chars().collect();
    for (index, &letter) in letters.iter().enumerate() {
        if !letter.is_ascii_alphanumeric() {
            words.push(String::new());
            continue;
        }
        let before = index.checked_sub(1).map(|index| letters[index]);
        let after = letters.get(index + 1);
        let starts = letter.is_ascii_uppercase()
            && (before.is_some_and(|before| before.is_ascii_lowercase() || before.is_ascii_digit())
                || (before.is_some_and(|before| before.is_ascii_uppercase())
                    && after.is_some_and(char::is_ascii_lowercase)));
        if starts {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.push(letter.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_for_fields() {
        for (wire, name) in [
            ("paneId", "pane_id"),
            ("a-b", "a_b"),
            ("A B", "a_b"),
            ("type", "type_"),
            ("self", "self_"),
            ("crate", "crate_"),
            ("1x", "n1x"),
            ("", "empty"),
            ("é", "empty"),
            ("$ref2", "ref2"),
            ("HTTPServer", "http_server"),
            ("global_", "global"),
            ("_", "empty"),
        ] {
            assert_eq!(snake(wire), name, "{wire:?}");
        }
    }

    #[test]
    fn names_for_types() {
        assert_eq!(pascal("call_read_tools_batch"), "CallReadToolsBatch");
        assert_eq!(pascal("API-post-page"), "ApiPostPage");
        assert_eq!(pascal("3d"), "N3d");
        assert_eq!(pascal("…"), "");
    }

    #[test]
    fn a_taken_name_gets_a_number() {
        assert_eq!(unique("a_b".into(), |name| name == "a_b" || name == "a_b_2"), "a_b_3");
    }

    proptest::proptest! {
        #[test]
        fn always_an_identifier(text in ".*") {
            assert!(syn::parse_str::<syn::Ident>(&snake(&text)).is_ok());
            let pascal = pascal(&text);
            assert!(pascal.is_empty() || syn::parse_str::<syn::Ident>(&format!("{pascal}Args")).is_ok());
        }
    }
}
