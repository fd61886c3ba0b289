//! Documentation from descriptions: reStructuredText marks become Markdown, and nothing in it is taken for HTML or a link.

/// A description as Markdown that rustdoc takes as it is meant.
fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.trim();
    while let Some(letter) = rest.chars().next() {
        if let Some((code, after)) = role(rest).or_else(|| quoted(rest, "``")).or_else(|| quoted(rest, "`")) {
            out.push('`');
            out.push_str(&code.replace('`', "'"));
            out.push('`');
            rest = after;
            continue;
        }
        match letter {
            '<' | '>' | '[' | ']' | '`' => {
                out.push('\\');
                out.push(letter);
            }
            _ => out.push(letter),
        }
        rest = &rest[letter.len_utf8()..];
    }
    out
}

/// The lines of a description for doc attributes: a space before each, none at the end, indentation gone (it would make
/// code of a paragraph).
pub fn lines(text: &str) -> Vec<String> {
    markdown(&printable(text))
        .lines()
        .map(|line| match line.trim() {
            "" => String::new(),
            line => format!(" {line}"),
        })
        .collect()
}

/// Rust takes no lone carriage return in documentation, and refuses letters that turn the direction of the text.
fn printable(text: &str) -> String {
    text.replace("\r\n", "\n")
        .replace('\r', "\n")
        .chars()
        .filter(|letter| !matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'))
        .map(|letter| if letter.is_control() && letter != '\n' { ' ' } else { letter })
        .collect()
}

/// `` :func:`name` `` and its kind.
fn role(text: &str) -> Option<(&str, &str)> {
    let after = text.strip_prefix(':')?;
    let (role, after) = after.split_once(':')?;
    if role.is_empty() || !role.chars().all(|c| c.is_ascii_lowercase() || c == '-') {
        return None;
    }
    quoted(after, "`")
}

fn quoted<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    let (inside, after) = text.strip_prefix(mark)?.split_once(mark)?;
    (!inside.trim().is_empty() && !inside.contains("\n\n")).then_some((inside, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_markdown() {
        assert_eq!(markdown("``-e KEY=VALUE`` flag"), "`-e KEY=VALUE` flag");
        assert_eq!(markdown("on :func:`split_window` and"), "on `split_window` and");
        assert_eq!(markdown("a [link] <tag> `code`"), r"a \[link\] \<tag\> `code`");
        assert_eq!(markdown("one ` alone: x"), r"one \` alone: x");
    }

    #[test]
    fn lines_lose_their_indentation() {
        assert_eq!(lines("first\n    second\n\nthird"), [" first", " second", "", " third"]);
        assert_eq!(lines("one\rtwo\r\nthree\0\u{202e}four"), [" one", " two", " three four"]);
    }
}
