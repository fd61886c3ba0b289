//! May this be given to `select-layout`? Pure.
//!
//! tmux 3.3 and 3.3a end, with all their sessions, at a text that they cannot read as a layout: a misspelt name is enough. Others
//! read past its end. So a layout is read here first, and what does not pass never reaches tmux. What is judged here is the
//! text; whether it has a cell for every pane is for tmux to say, which always did that right.

use super::version::{Since, Version};

/// A layout that tmux can be given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layout {
    /// The named layout that the window had last.
    Last,
    /// One by its name.
    Named(&'static str),
    /// Cells, as `#{window_layout}` gives them.
    Cells(String),
}

/// Why a text is no layout.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadLayout {
    /// Neither a name nor cells.
    #[error("that is neither the name of a layout ({}) nor a layout as window_layout gives it", names.join(", "))]
    Unknown {
        /// The names that this tmux knows.
        names: Vec<&'static str>,
    },
    /// The beginning of several names.
    #[error("the layout could be {}; give the whole name", names.join(" or "))]
    Ambiguous {
        /// Those names.
        names: Vec<&'static str>,
    },
    /// A name or a form that came later.
    #[error("{what} needs tmux {needed} or newer, and this is {found}")]
    NeedsNewer {
        /// What was asked for.
        what: &'static str,
        /// The version of the server.
        found: Version,
        /// The oldest version that would do.
        needed: Version,
    },
    /// Cells that do not fit together.
    #[error("the layout cannot be used: {problem}; take one from window_layout as it is")]
    Malformed {
        /// What is wrong.
        problem: &'static str,
    },
}

/// The names, and since when there are those that came later.
const NAMES: &[(&str, Since)] = &[
    ("even-horizontal", Since::MINIMUM),
    ("even-vertical", Since::MINIMUM),
    ("main-horizontal", Since::MINIMUM),
    ("main-horizontal-mirrored", Since::MIRRORED_LAYOUTS),
    ("main-vertical", Since::MINIMUM),
    ("main-vertical-mirrored", Since::MIRRORED_LAYOUTS),
    ("tiled", Since::MINIMUM),
];

/// No tmux writes a longer one, and none makes a bigger window.
const LONGEST: usize = 8192;
const LARGEST: u32 = 10_000;

impl Layout {
    /// Reads what may be a name, the beginning of just one, cells, or nothing, for the tmux of this version.
    ///
    /// # Errors
    ///
    /// A text that this tmux would not take, or would end of.
    pub fn read(text: &str, version: &Version) -> Result<Self, BadLayout> {
        if text.is_empty() {
            return Ok(Self::Last);
        }
        if let Some(name) = named(text, version)? {
            return Ok(Self::Named(name));
        }
        if text.starts_with('{') {
            // From 3.8 on tmux writes layouts as JSON, and it reads them with care.
            return newer("a layout in JSON", Since::JSON_LAYOUTS, version)
                .map(|()| Self::Cells(text.to_owned()));
        }
        let Some((sum, cells)) = header(text) else {
            let names = NAMES.iter().filter(|(_, since)| version.has(*since)).map(|(name, _)| *name);
            return Err(BadLayout::Unknown { names: names.collect() });
        };
        check(sum, cells).map_err(|problem| BadLayout::Malformed { problem })?;
        Ok(Self::Cells(text.to_owned()))
    }

    /// The operand for `select-layout`, if one is needed.
    pub fn operand(&self) -> Option<&str> {
        match self {
            Self::Last => None,
            Self::Named(name) => Some(name),
            Self::Cells(cells) => Some(cells),
        }
    }
}

/// The one name that is this or begins so. Nothing if none does.
fn named(text: &str, version: &Version) -> Result<Option<&'static str>, BadLayout> {
    if let Some((name, since)) = NAMES.iter().find(|(name, _)| *name == text) {
        return newer(name, *since, version).map(|()| Some(*name));
    }
    let begun = |since: &Since| version.has(*since);
    let names: Vec<_> = NAMES
        .iter()
        .filter(|(name, since)| name.starts_with(text) && begun(since))
        .map(|(name, _)| *name)
        .collect();
    match names.as_slice() {
        [] => Ok(None),
        [name] => Ok(Some(name)),
        _ => Err(BadLayout::Ambiguous { names }),
    }
}

fn newer(what: &'static str, since: Since, found: &Version) -> Result<(), BadLayout> {
    if found.has(since) {
        return Ok(());
    }
    Err(BadLayout::NeedsNewer { what, found: found.clone(), needed: since.into() })
}

/// The checksum in front of the cells: four hexadecimal digits and a comma.
fn header(text: &str) -> Option<(u16, &str)> {
    let (sum, cells) = text.split_at_checked(5)?;
    let digits = sum.strip_suffix(',').filter(|sum| sum.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    Some((u16::from_str_radix(digits, 16).ok()?, cells))
}

/// tmux's sum of the cells, so that a layout which was cut or edited is noticed.
fn checksum(cells: &str) -> u16 {
    cells.bytes().fold(0u16, |sum, byte| sum.rotate_right(1).wrapping_add(byte.into()))
}

fn check(sum: u16, text: &str) -> Result<(), &'static str> {
    if text.len() > LONGEST {
        return Err("it is longer than any that tmux writes");
    }
    if checksum(text) != sum {
        return Err("its checksum is wrong, so it was cut or changed");
    }
    let (cells, rest) = Cell::read(text)?;
    if !rest.is_empty() {
        // 3.7 writes floating panes in `<…>` behind the rest, and takes none itself.
        return Err("something stands after its cells");
    }
    if cells.fits(true) { Ok(()) } else { Err("its cells do not fill the cell that holds them") }
}

struct Cell {
    width: u32,
    height: u32,
    /// Whether the cells in it are side by side, and which they are; none in the cell of a pane.
    side_by_side: bool,
    cells: Vec<Cell>,
}

impl Cell {
    /// The cell that the text begins with, and what follows it.
    fn read(text: &str) -> Result<(Self, &str), &'static str> {
        let (width, rest) = number(text)?;
        let (height, rest) = number(expect(rest, 'x')?)?;
        let (_, rest) = number(expect(rest, ',')?)?;
        let (_, rest) = number(expect(rest, ',')?)?;
        if !(1..=LARGEST).contains(&width) || !(1..=LARGEST).contains(&height) {
            return Err("a cell is smaller or larger than can be");
        }
        let mut cell = Self { width, height, side_by_side: false, cells: Vec::new() };
        let mut rest = without_id(rest);
        let close = match rest.chars().next() {
            Some('{') => '}',
            Some('[') => ']',
            _ => return Ok((cell, rest)),
        };
        cell.side_by_side = close == '}';
        while cell.cells.is_empty() || rest.starts_with(',') {
            let (inner, after) = Self::read(&rest[1..])?;
            cell.cells.push(inner);
            rest = after;
        }
        // tmux writes none with one cell, and up to 3.7 ends when it has to close that cell.
        if cell.cells.len() < 2 {
            return Err("a group holds one cell only");
        }
        Ok((cell, expect(rest, close)?))
    }

    /// Whether the cells in it fill it. The outermost is made to fit by tmux, as long as they agree among themselves.
    fn fits(&self, outermost: bool) -> bool {
        let Some(last) = self.cells.last() else { return true };
        let along = |cell: &Self| if self.side_by_side { cell.width } else { cell.height };
        let across = |cell: &Self| if self.side_by_side { cell.height } else { cell.width };
        let length: u32 = self.cells.iter().map(|cell| along(cell) + 1).sum::<u32>() - 1;
        self.cells.iter().all(|cell| across(cell) == across(last) && cell.fits(false))
            && (outermost || (length == along(self) && across(last) == across(self)))
    }
}

fn number(text: &str) -> Result<(u32, &str), &'static str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    match number.parse() {
        Ok(number) if digits <= 5 => Ok((number, rest)),
        _ => Err("a number is missing or too large"),
    }
}

fn expect(text: &str, sign: char) -> Result<&str, &'static str> {
    text.strip_prefix(sign).ok_or("it is not of the form WIDTHxHEIGHT,X,Y with {…} or […] for groups")
}

/// A pane's id may follow, which tmux does not look at: panes are put into the cells in order.
fn without_id(text: &str) -> &str {
    let Some(after) = text.strip_prefix(',') else { return text };
    let digits = after.bytes().take_while(u8::is_ascii_digit).count();
    // Digits before an `x` are the width of the next cell.
    if digits > 0 && !after[digits..].starts_with('x') { &after[digits..] } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str, version: &str) -> Result<Layout, BadLayout> {
        Layout::read(text, &Version::parse(version))
    }

    fn summed(cells: &str) -> String {
        format!("{:04x},{cells}", checksum(cells))
    }

    #[test]
    fn names_and_what_they_begin_with() {
        let named = |text: &str, version| match read(text, version) {
            Ok(Layout::Named(name)) => Ok(name),
            other => Err(format!("{other:?}")),
        };
        assert_eq!(named("tiled", "3.3a"), Ok("tiled"));
        assert_eq!(named("t", "3.3a"), Ok("tiled"));
        assert_eq!(named("even-h", "3.8"), Ok("even-horizontal"));
        assert_eq!(named("main-h", "3.4"), Ok("main-horizontal"));
        assert_eq!(named("main-horizontal", "3.8"), Ok("main-horizontal"));
        assert_eq!(named("main-vertical-mirrored", "3.5"), Ok("main-vertical-mirrored"));
        assert_eq!(read("", "3.3a"), Ok(Layout::Last));
        for (text, version, part) in [
            ("main-h", "3.5", "main-horizontal or main-horizontal-mirrored"),
            ("e", "3.3a", "even-horizontal or even-vertical"),
            ("main-vertical-mirrored", "3.4", "needs tmux 3.5 or newer, and this is 3.4"),
            ("nope", "3.3a", "neither the name of a layout (even-horizontal, even-vertical,"),
            ("-E", "3.3a", "neither"),
            ("tiled ", "3.3a", "neither"),
            ("{}", "3.7c", "needs tmux 3.8"),
        ] {
            let error = read(text, version).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        let error = read("nope", "3.4").unwrap_err().to_string();
        assert!(!error.contains("mirrored"), "{error}");
    }

    #[test]
    fn cells_as_tmux_writes_them() {
        for text in [
            "b25d,80x24,0,0,0",
            "c195,80x24,0,0[80x12,0,0,0,80x11,0,13,1]",
            "cefd,80x40,0,0{40x40,0,0,1,39x40,41,0,2}",
        ] {
            assert_eq!(read(text, "3.3a"), Ok(Layout::Cells(text.to_owned())));
        }
        // Without ids, nested, and with an outermost cell that old versions wrote wrong.
        for cells in [
            "80x24,0,0",
            "80x24,0,0{40x24,0,0,39x24,41,0[39x12,41,0,39x11,41,13]}",
            "99x99,0,0{40x24,0,0,1,39x24,41,0,2}",
        ] {
            assert!(read(&summed(cells), "3.3a").is_ok(), "{cells}");
        }
        assert!(read(r#"{"V":2}"#, "3.8").is_ok());
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        for (text, part) in [
            ("zzzz,80x24,0,0,0", "neither"),
            ("b25", "neither"),
            ("é25d,80x24", "neither"),
            ("b25e,80x24,0,0,0", "checksum"),
            (&summed(""), "number"),
            (&summed("80x24,0"), "form"),
            (&summed("80y24,0,0"), "form"),
            (&summed("80x24,0,0,"), "after"),
            (&summed("80x24,0,0,1,2"), "after"),
            (&summed("80x24,0,0<40x6,4,2,2>"), "after"),
            (&summed("80x24,0,0{}"), "number"),
            (&summed("80x24,0,0{80x24,0,0}"), "one cell"),
            (&summed("80x24,0,0{40x24,0,0,39x24,41,0]"), "form"),
            (&summed("80x24,0,0{40x24,0,0,39x24,41,0"), "form"),
            (&summed("80x24,0,0{40x24,0,0,39x23,41,0}"), "fill"),
            (&summed("80x24,0,0{40x24,0,0,39x24,41,0[39x12,41,0,39x12,41,13]}"), "fill"),
            (&summed("0x24,0,0"), "smaller"),
            (&summed("10001x24,0,0"), "larger"),
            (&summed("4294967296x24,0,0"), "too large"),
            (&summed(&"1x1,0,0[".repeat(2000)), "longer"),
            (&summed(&"1x1,0,0[".repeat(1000)), "number"),
        ] {
            let error = read(text, "3.3a").unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn reading_is_total(text in ".*", cells in "[0-9x,{}\\[\\]]{0,40}", version in "3\\.[2-9]") {
            let _ = read(&text, &version);
            let _ = read(&summed(&cells), &version);
            let _ = read(&format!("{:04x},{text}", checksum(&text)), &version);
        }
    }
}
