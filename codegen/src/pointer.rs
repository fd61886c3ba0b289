//! JSON pointers (RFC 6901).

use serde_json::Value;

/// A property's name as a part of a pointer.
pub fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A pointer as the fragment of a `$ref`.
pub fn fragment(pointer: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-' | b'.' | b'~');
    pointer
        .bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// What stands at a pointer, which may be percent-encoded as in the fragment of a `$ref`.
pub fn find<'a>(root: &'a Value, pointer: &str) -> Option<&'a Value> {
    root.pointer(pointer).or_else(|| root.pointer(&percent_decoded(pointer)?))
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        if let (b'%', [high, low, tail @ ..]) = (first, tail) {
            let digits = [*high, *low];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
            rest = tail;
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn finds_plain_escaped_and_encoded() {
        let root = json!({"$defs": {"a b": 1, "c/d": 2, "e~": 3}});
        assert_eq!(find(&root, ""), Some(&root));
        assert_eq!(find(&root, "/$defs/a%20b"), Some(&json!(1)));
        assert_eq!(find(&root, &format!("/$defs/{}", escape("c/d"))), Some(&json!(2)));
        assert_eq!(find(&root, &format!("/$defs/{}", escape("e~"))), Some(&json!(3)));
        assert_eq!(fragment("/$defs/a b"), "/%24defs/a%20b");
        assert_eq!(find(&root, &fragment("/$defs/a b")), Some(&json!(1)));
        assert_eq!(find(&root, "/nowhere"), None);
        assert_eq!(find(&root, "/%zz"), None);
    }
}
