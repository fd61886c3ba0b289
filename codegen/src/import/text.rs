//! What does a page show, line by line? Undoes Markdown where the page is Markdown, and only there.

/// A link that a line shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub text: String,
    pub address: String,
}

/// One line of a page.
#[derive(Debug, Clone)]
pub struct Line<'a> {
    /// Counted from 1.
    pub number: usize,
    /// As it stands in the file, without its end.
    pub raw: &'a str,
    /// With ordinary spaces and no blanks around it, but with its Markdown.
    pub plain: String,
    /// What a reader sees: no Markdown, no blanks around it, ordinary spaces.
    pub shown: String,
    pub links: Vec<Link>,
}

impl Line<'_> {
    /// How many characters of blanks it begins with.
    pub fn indent(&self) -> usize {
        self.raw.chars().take_while(|c| c.is_whitespace()).count()
    }

    /// What it shows, without a bullet.
    pub fn content(&self) -> &str {
        ["* ", "• ", "- "].iter().find_map(|bullet| self.shown.strip_prefix(bullet)).unwrap_or(&self.shown)
    }

    /// What it shows, if that is one word, perhaps in back-ticks.
    pub fn lone_word(&self) -> Option<&str> {
        let word = self.shown.trim_matches('`');
        (!word.is_empty() && word.chars().all(is_name_char)).then_some(word)
    }
}

/// May the character stand in the name of a tool or an argument?
pub fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '$')
}

/// A whole page.
#[derive(Debug)]
pub struct Text<'a> {
    pub lines: Vec<Line<'a>>,
    pub markdown: bool,
}

impl<'a> Text<'a> {
    /// Splits a page at its line ends, whichever they are.
    pub fn of(page: &'a str) -> Self {
        let page = page.strip_prefix('\u{feff}').unwrap_or(page);
        let raw: Vec<&str> =
            page.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r')).collect();
        let markdown = raw
            .iter()
            .find(|line| !line.trim().is_empty())
            .is_some_and(|line| ordinary(line).starts_with("# "));
        let lines = raw.into_iter().enumerate().map(|(index, raw)| {
            let plain = ordinary(raw).trim().to_owned();
            let (shown, links) = if markdown { undo(&plain) } else { (plain.clone(), Vec::new()) };
            Line { number: index + 1, raw, plain, shown, links }
        });
        Text { lines: lines.collect(), markdown }
    }
}

/// The text with ordinary spaces, and without the invisible characters that a browser puts into long words.
fn ordinary(raw: &str) -> String {
    raw.chars()
        .filter(|c| !matches!(c, '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{ad}'))
        .map(|c| if c == '\u{a0}' { ' ' } else { c })
        .collect()
}

/// Longer links and code spans are taken as text, so that a page of brackets costs no quadratic time.
const LONGEST: usize = 4096;

/// What a line of Markdown shows, and its links: code spans, links, emphasis and escapes undone.
pub fn undo(markdown: &str) -> (String, Vec<Link>) {
    let chars: Vec<char> = markdown.chars().collect();
    let mut undoing = Undoing { shown: String::new(), links: Vec::new(), open: Vec::new() };
    undoing.run(&chars, true);
    (undoing.shown, undoing.links)
}

struct Undoing {
    shown: String,
    links: Vec<Link>,
    /// Emphasis that has begun: how many stars, and where they stand in `shown` until their end is found.
    open: Vec<(usize, usize)>,
}

impl Undoing {
    fn run(&mut self, chars: &[char], links: bool) {
        let mut at = 0;
        while let Some(&c) = chars.get(at) {
            at += match c {
                '\\' => self.escape(&chars[at..]),
                '`' => self.code(&chars[at..]),
                '[' if links => self.link(&chars[at..]),
                '*' => self.stars(chars, at),
                _ => self.keep(&chars[at..=at]),
            };
        }
    }

    fn keep(&mut self, chars: &[char]) -> usize {
        self.shown.extend(chars);
        chars.len()
    }

    fn escape(&mut self, chars: &[char]) -> usize {
        match chars.get(1) {
            Some(c) if c.is_ascii_punctuation() => self.keep(&chars[1..2]) + 1,
            _ => self.keep(&chars[..1]),
        }
    }

    fn code(&mut self, chars: &[char]) -> usize {
        let ticks = run_of(chars, '`');
        let mut end = ticks;
        while end < chars.len().min(LONGEST) {
            match run_of(&chars[end..], '`') {
                0 => end += 1,
                n if n == ticks => return self.keep(&chars[ticks..end]) + 2 * ticks,
                n => end += n,
            }
        }
        self.keep(&chars[..ticks])
    }

    fn link(&mut self, chars: &[char]) -> usize {
        let Some(text) = closing(chars, '[', ']') else { return self.keep(&chars[..1]) };
        if chars.get(text + 1) != Some(&'(') {
            return self.keep(&chars[..1]);
        }
        let Some(target) = closing(&chars[text + 1..], '(', ')') else { return self.keep(&chars[..1]) };
        let target: String = chars[text + 2..text + 1 + target].iter().collect();
        let from = self.shown.len();
        // Links do not nest, so this goes one level down and no further.
        let outer = std::mem::take(&mut self.open);
        self.run(&chars[1..text], false);
        self.open = outer;
        let address = target.split_whitespace().next().unwrap_or("").trim_matches(['<', '>']).to_owned();
        self.links.push(Link { text: self.shown[from..].to_owned(), address });
        text + 1 + target.chars().count() + 2
    }

    fn stars(&mut self, chars: &[char], at: usize) -> usize {
        let count = run_of(&chars[at..], '*');
        let blank = |c: Option<&char>| c.is_none_or(|c| c.is_whitespace());
        let before = at.checked_sub(1).and_then(|before| chars.get(before));
        if !blank(before)
            && let Some(index) = self.open.iter().rposition(|(stars, _)| *stars == count)
        {
            let (_, position) = self.open[index];
            self.open.truncate(index);
            self.shown.replace_range(position..position + count, "");
            return count;
        }
        if !blank(chars.get(at + count)) {
            self.open.push((count, self.shown.len()));
        }
        self.keep(&chars[at..at + count])
    }
}

fn run_of(chars: &[char], wanted: char) -> usize {
    chars.iter().take_while(|c| **c == wanted).count()
}

/// Where the bracket closes that `chars` begins with; escaped, quoted and code characters do not count.
fn closing(chars: &[char], open: char, close: char) -> Option<usize> {
    let (mut depth, mut at, mut quoted) = (0_usize, 0, false);
    while at < chars.len().min(LONGEST) {
        match chars[at] {
            '\\' => at += 1,
            '"' if open == '(' => quoted = !quoted,
            c if c == open && !quoted => depth += 1,
            c if c == close && !quoted => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(markdown: &str) -> String {
        undo(markdown).0
    }

    #[test]
    fn markdown_is_undone() {
        assert_eq!(shown("* **[`x`](u#a)**? = `null` ([T](v \"t (J)\") | `U`)"), "* x? = null (T | U)");
        assert_eq!(shown(r"tool \[[source](u)][¶](v)"), "tool [source]¶");
        assert_eq!(shown("a *b* **c** ***d***"), "a b c d");
        assert_eq!(shown("`a*b` and ``c`d``"), "a*b and c`d");
    }

    #[test]
    fn what_is_no_markdown_stays() {
        for text in
            ["2 * 3 * 4", "a [b] (c)", "`open", "[x](", "snake_case_name", "**open", r"back\slash", "*"]
        {
            assert_eq!(shown(text), text);
        }
    }

    #[test]
    fn links_are_kept_apart() {
        let (_, links) = undo("[`a`](http://x/(y) \"t\") [b](<z>)");
        let link = |text: &str, address: &str| Link { text: text.into(), address: address.into() };
        assert_eq!(links, [link("a", "http://x/(y)"), link("b", "z")]);
    }

    #[test]
    fn lines_are_counted_whatever_ends_them() {
        let text = Text::of("\u{feff}# a\r\nb\u{a0}c\rd\n");
        let lines: Vec<_> = text.lines.iter().map(|line| (line.number, line.shown.as_str())).collect();
        assert_eq!(lines, [(1, "# a"), (2, "b c"), (3, "d"), (4, "")]);
        assert!(text.markdown);
    }
}
