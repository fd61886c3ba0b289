//! What does a value that tmux printed with `#{q:…}` say?
//!
//! The quotes are a backslash before every one of ``|&;<>()$`\"'*?[# =%``. On top of them tmux 3.4 to 3.5a print control and
//! non-UTF-8 bytes as `vis(3)` does.

use memchr::{memchr, memchr2};

/// What stands behind a value. Inside of one it has a backslash before it.
pub(super) const END: u8 = b'|';

/// Reads a value up to its end, and returns what follows that. Nothing if it has no end.
pub(super) fn value<'a>(mut quoted: &'a [u8], into: &mut Vec<u8>) -> Option<&'a [u8]> {
    loop {
        let at = memchr2(END, b'\\', quoted)?;
        into.extend_from_slice(&quoted[..at]);
        let byte = quoted[at];
        quoted = &quoted[at + 1..];
        if byte == END {
            return Some(quoted);
        }
        into.push(escaped(&mut quoted));
    }
}

/// Undoes the quotes of all of it. Total.
pub(crate) fn unquote(mut quoted: &[u8]) -> Vec<u8> {
    let mut value = Vec::with_capacity(quoted.len());
    while let Some(at) = memchr(b'\\', quoted) {
        value.extend_from_slice(&quoted[..at]);
        quoted = &quoted[at + 1..];
        value.push(escaped(&mut quoted));
    }
    value.extend_from_slice(quoted);
    value
}

/// The byte that is meant by what follows a backslash.
fn escaped(rest: &mut &[u8]) -> u8 {
    if let [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', after @ ..] = *rest {
        *rest = after;
        return (a - b'0') << 6 | (b - b'0') << 3 | (c - b'0');
    }
    // tmux prints no backslash at the very end; it would be kept.
    let Some((&letter, after)) = rest.split_first() else { return b'\\' };
    *rest = after;
    match letter {
        b'a' => 0x07,
        b'b' => 0x08,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 0x0b,
        b'f' => 0x0c,
        b'r' => b'\r',
        b's' => b' ',
        b'0' => 0,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What tmux prints for a value: quoted, then (3.4 to 3.5a) with octal for what is not plain text.
    fn printed(value: &[u8], vis: bool) -> Vec<u8> {
        let mut out = Vec::new();
        for &byte in value {
            if b"|&;<>()$`\\\"'*?[# =%".contains(&byte) {
                out.push(b'\\');
            }
            match byte {
                0x80.. | 0..=8 | 11..=31 | 127 if vis => out.extend(format!("\\{byte:03o}").into_bytes()),
                byte => out.push(byte),
            }
        }
        out
    }

    proptest! {
        #[test]
        fn what_tmux_quotes_is_unquoted(wanted in prop::collection::vec(any::<u8>(), 0..24), vis: bool, after: Vec<u8>) {
            let quoted = printed(&wanted, vis);
            prop_assert_eq!(unquote(&quoted), wanted.as_slice());
            let mut found = Vec::new();
            let output = [quoted.as_slice(), b"|", &after].concat();
            prop_assert_eq!(value(&output, &mut found), Some(after.as_slice()));
            prop_assert_eq!(found, wanted);
        }

        #[test]
        fn unquoting_is_total(quoted: Vec<u8>) {
            unquote(&quoted);
            value(&quoted, &mut Vec::new());
        }
    }
}
