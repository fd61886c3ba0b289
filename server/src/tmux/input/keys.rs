//! Which names of keys are safe to give to tmux? Pure, and the same for every version but for a few keys that need 3.5.
//!
//! Found with a raw reader in a pane, on 3.3a, 3.5a, 3.7c and 3.8, with 1,900 names. A name is taken if it gives the key's own
//! bytes on all of them. Refused is what is typed as text on one of them (`C-BSpace`), gives nothing (`C-5`, `Any`), or
//! something else (`S-KP7` is `/` on 3.5a).

use crate::tmux::error::TmuxError;
use crate::tmux::version::Since;

/// So many keys fit into one command list of a process, whatever they are.
const MAX_KEYS: usize = 256;

/// Names as tmux prints them, and the other ones that it takes for the same key.
type Names = &'static [(&'static str, &'static [&'static str])];

/// Keys that go with any modifiers.
const ANY_MODIFIER: Names = &[
    ("F1", &[]),
    ("F2", &[]),
    ("F3", &[]),
    ("F4", &[]),
    ("F5", &[]),
    ("F6", &[]),
    ("F7", &[]),
    ("F8", &[]),
    ("F9", &[]),
    ("F10", &[]),
    ("F11", &[]),
    ("F12", &[]),
    ("IC", &["Insert"]),
    ("DC", &["Delete"]),
    ("Home", &[]),
    ("End", &[]),
    ("NPage", &["PageDown", "PgDn"]),
    ("PPage", &["PageUp", "PgUp"]),
    ("Up", &[]),
    ("Down", &[]),
    ("Left", &[]),
    ("Right", &[]),
];

/// Keys that go with `M-` or alone.
const META_ONLY: Names = &[
    ("Escape", &[]),
    ("BSpace", &[]),
    ("KP/", &[]),
    ("KP*", &[]),
    ("KP-", &[]),
    ("KP+", &[]),
    ("KP.", &[]),
    ("KPEnter", &[]),
    ("KP0", &[]),
    ("KP1", &[]),
    ("KP2", &[]),
    ("KP3", &[]),
    ("KP4", &[]),
    ("KP5", &[]),
    ("KP6", &[]),
    ("KP7", &[]),
    ("KP8", &[]),
    ("KP9", &[]),
];

/// Keys that go with `M-` or alone, and from 3.5 on with any modifiers: as extended keys if the program asked for those, or
/// else without what a plain terminal cannot say.
const EXTENDED: Names = &[("Enter", &[]), ("Tab", &[])];

/// A key that tmux sends on every version, as something to give to `send-keys`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Key {
    /// By name.
    Name(String),
    /// By a name that this version of tmux must have been taught.
    NewerName(String, Since),
    /// As these bytes (`-H`). tmux knows not all characters.
    Bytes(Vec<u8>),
}

impl Key {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Name(_) | Self::NewerName(..) => &[],
        }
    }

    pub fn name(&self) -> &str {
        match self {
            Self::Name(name) | Self::NewerName(name, _) => name,
            Self::Bytes(_) => "",
        }
    }

    /// The version that can send this key, if not all can.
    pub fn needs(&self) -> Option<Since> {
        match self {
            Self::NewerName(_, since) => Some(*since),
            Self::Name(_) | Self::Bytes(_) => None,
        }
    }
}

/// Reads all names, or says which is the first that is none.
pub(super) fn all(names: &[impl AsRef<str>]) -> Result<Vec<Key>, TmuxError> {
    if names.len() > MAX_KEYS {
        return Err(TmuxError::TooManyKeys { count: names.len(), limit: MAX_KEYS });
    }
    let keys = names.iter().enumerate();
    keys.map(|(index, name)| key(name.as_ref()).ok_or(TmuxError::UnknownKey { index })).collect()
}

/// Whether [`super::send_keys`] takes this name, at least with a recent tmux.
///
/// Names are those of tmux's manual, in upper or lower case:
///
/// - one printable character: `a`, `;`, `é`, `日`, also with `M-`. A letter, and some other characters, also with `C-` or
///   `C-M-`: `C-c`, `C-[`, `C-_`, `C-\`; `^c` is `C-c`;
/// - `F1`…`F12`, `Up`, `Down`, `Left`, `Right`, `Home`, `End`, `PageUp` (`PPage`, `PgUp`), `PageDown` (`NPage`, `PgDn`), `Insert`
///   (`IC`), `Delete` (`DC`), with any of `C-`, `M-`, `S-`;
/// - `Enter`, `Tab`, with `M-` or, from tmux 3.5 on, any of the three; `BTab`, which is also `S-Tab`;
/// - `Space`, with `C-`, `M-` or both; `Escape`, `BSpace`, and on the keypad `KP0`…`KP9`, `KP+`, `KP-`, `KP*`, `KP/`, `KP.`,
///   `KPEnter`, with `M-`;
/// - `0x` and the number of a character: `0x1b`.
pub fn is_key(name: &str) -> bool {
    key(name).is_some()
}

fn key(name: &str) -> Option<Key> {
    if let Some(digits) = name.strip_prefix("0x") {
        return number(digits);
    }
    let (modifiers, base) = Modifiers::split(name)?;
    let mut characters = base.chars();
    match (characters.next()?, characters.next()) {
        (character, None) => modifiers.on_character(character),
        _ => modifiers.on_name(base),
    }
}

fn number(digits: &str) -> Option<Key> {
    let plain = (1..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| plain)?;
    char::from_u32(number).map(|character| Key::Bytes(character.to_string().into_bytes()))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Modifiers {
    control: bool,
    meta: bool,
    shift: bool,
}

impl Modifiers {
    /// The modifiers before a name, in any order and case, and the rest.
    fn split(name: &str) -> Option<(Self, &str)> {
        let mut this = Self::default();
        let mut rest = name;
        if let Some(after) = name.strip_prefix('^').filter(|after| !after.is_empty()) {
            this.control = true;
            rest = after;
        }
        while let [modifier, b'-', ..] = rest.as_bytes() {
            match modifier {
                b'C' | b'c' => this.control = true,
                b'M' | b'm' => this.meta = true,
                b'S' | b's' => this.shift = true,
                _ => return None,
            }
            rest = &rest[2..];
        }
        Some((this, rest))
    }

    fn on_character(self, character: char) -> Option<Key> {
        if character == ' ' {
            return self.on_name("Space");
        }
        if character.is_control() || self.shift {
            return None;
        }
        if !self.control && !character.is_ascii() {
            let escape = if self.meta { "\x1b" } else { "" };
            return Some(Key::Bytes(format!("{escape}{character}").into_bytes()));
        }
        let controlled = character.is_ascii_alphabetic() || "@[\\]^_?".contains(character);
        match (self.control, self.meta) {
            (false, false) => Some(Key::Bytes(vec![u8::try_from(character).ok()?])),
            (false, true) => self.with(&character.to_string()),
            (true, _) if controlled => self.with(&character.to_string()),
            (true, false) if "-/26".contains(character) => self.with(&character.to_string()),
            _ => None,
        }
    }

    fn on_name(self, name: &str) -> Option<Key> {
        let plain = !self.control && !self.shift;
        let only_shift = Self { shift: true, ..Self::default() };
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        if is("Space") && !self.shift {
            return self.with("Space");
        }
        if (is("BTab") && self == Self::default()) || (is("Tab") && self == only_shift) {
            return Some(Key::Name("BTab".to_owned()));
        }
        if let Some(name) = find(ANY_MODIFIER, name) {
            return self.with(name);
        }
        if let Some(name) = find(META_ONLY, name) {
            return plain.then(|| self.with(name)).flatten();
        }
        match (find(EXTENDED, name)?, plain) {
            (name, true) => self.with(name),
            (name, false) => Some(Key::NewerName(self.before(name), Since::MODIFIED_KEYS)),
        }
    }

    fn with(self, name: &str) -> Option<Key> {
        Some(Key::Name(self.before(name)))
    }

    fn before(self, name: &str) -> String {
        let prefix = |on, prefix| if on { prefix } else { "" };
        [prefix(self.control, "C-"), prefix(self.meta, "M-"), prefix(self.shift, "S-"), name].concat()
    }
}

fn find(names: Names, wanted: &str) -> Option<&'static str> {
    let is = |name: &&str| name.eq_ignore_ascii_case(wanted);
    let found = names.iter().find(|(name, others)| is(name) || others.iter().any(is));
    found.map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_have_one_form() {
        for (given, name) in [
            ("C-c", "C-c"),
            ("c-c", "C-c"),
            ("^c", "C-c"),
            ("^C", "C-C"),
            ("M-C-a", "C-M-a"),
            ("C-C-a", "C-a"),
            ("^M-a", "C-M-a"),
            ("enter", "Enter"),
            ("M-ENTER", "M-Enter"),
            ("pgdn", "NPage"),
            ("s-c-m-Delete", "C-M-S-DC"),
            ("M--", "M--"),
            ("C--", "C--"),
            ("^-", "C--"),
            ("^^", "C-^"),
            ("M-;", "M-;"),
            ("C- ", "C-Space"),
            (" ", "Space"),
            ("S-Tab", "BTab"),
            ("kpenter", "KPEnter"),
            ("KP-", "KP-"),
            ("M-KP-", "M-KP-"),
        ] {
            assert_eq!(key(given), Some(Key::Name(name.to_owned())), "{given}");
        }
        for (given, bytes) in [
            ("a", "a"),
            (";", ";"),
            ("-", "-"),
            ("^", "^"),
            ("é", "é"),
            ("M-é", "\x1bé"),
            ("\u{2028}", "\u{2028}"),
            ("0x1b", "\x1b"),
            ("0xe9", "é"),
            ("0x1F600", "😀"),
            ("0x00", "\0"),
        ] {
            assert_eq!(key(given), Some(Key::Bytes(bytes.into())), "{given}");
        }
        for given in ["S-Enter", "C-Enter", "C-M-S-Tab"] {
            assert_eq!(key(given), Some(Key::NewerName(given.to_owned(), Since::MODIFIED_KEYS)));
        }
    }

    #[test]
    fn what_tmux_would_type_as_text_is_refused() {
        for name in [
            "",
            "ab",
            "Return",
            "Esc",
            "Backspace",
            "F0",
            "F13",
            "F01",
            "F1 ",
            " Enter",
            "Any",
            "None",
            "User0",
            "MouseDown1Pane",
            "FocusIn",
            "PasteStart",
            "C-",
            "M-",
            "^M-",
            "--",
            "A-x",
            "CM-a",
            "C-é",
            "S-é",
            "S-a",
            "S-Space",
            "C-BSpace",
            "S-Escape",
            "C-KP1",
            "S-KP1",
            "C-BTab",
            "M-BTab",
            "C-5",
            "C-;",
            "C-M--",
            "\t",
            "\n",
            "\u{85}",
            "e\u{301}",
            "0x",
            "0xg",
            "0x110000",
            "0xd800",
            "0x 1",
            "0x+1",
            "0x0000041",
            "0X41",
            "C-0x41",
            "\\;",
            "Ente\u{301}r",
            "ſ-a",
        ] {
            assert_eq!(key(name), None, "{name:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_key_or_not(name in "[\\PC\\x00-\\x1fCMS^-]{0,6}") {
            if let Some(Key::Name(name)) = key(&name) {
                prop_assert_eq!(key(&name), Some(Key::Name(name.clone())));
            }
        }
    }
}
