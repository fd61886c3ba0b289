//! What does `contract.toml` say of a tool after the import? Edits the file as text, so that comments, other tables and
//! keys set by hand stay.

use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::page::Page;
use super::write;
use crate::fault::{Fault, Faults};

/// The file, while it is edited.
#[derive(Debug)]
pub struct Contract {
    file: PathBuf,
    before: Option<Vec<u8>>,
    /// All there is of a file without a row: comments, which would otherwise end up below the rows.
    head: String,
    document: DocumentMut,
    changed: bool,
}

const HEADER: &str = "\
# Where each tool's contract comes from. The import of a page writes the keys that the page tells and leaves the others,
# and all comments, alone. `toolset` is for a person to add where the page does not tell.
";

impl Contract {
    /// Reads the file, or begins one.
    ///
    /// # Errors
    ///
    /// It is there and cannot be read, or is no TOML.
    pub fn read(file: &Path) -> Result<Self, Faults> {
        let before = write::current(file)?;
        let text = before.as_ref().map_or(Ok(HEADER), |bytes| std::str::from_utf8(bytes));
        let name = file.display().to_string();
        let text = text
            .map_err(|_| Fault::new(&name, "", "the file is not UTF-8").hint("mend it, then import again"))?;
        let mut document = text.parse::<DocumentMut>().map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            let what = format!("this is no TOML: {}", error.message().replace('\n', ", "));
            Fault::new(&name, format!("line {line}"), what).hint("mend it, then import again")
        })?;
        let mut head = String::new();
        if document.is_empty() && !text.trim().is_empty() {
            head = format!("{}\n\n", text.trim_end());
            document = DocumentMut::new();
        }
        Ok(Contract { file: file.to_owned(), before, head, document, changed: false })
    }

    /// Brings the row of a page's tool up to date, and says whether that changed it. `earlier` is the tmux that the
    /// description of the tool asked for before; `differs` whether its entry in `schemas/` changes.
    ///
    /// # Errors
    ///
    /// The file has something else where the row belongs.
    pub fn update(
        &mut self,
        page: &Page,
        earlier: Option<&str>,
        differs: bool,
        today: &str,
    ) -> Result<bool, Faults> {
        let file = self.file.display().to_string();
        let row = row(&mut self.document, &page.name).map_err(|place| {
            Fault::new(file, place, "this is no table")
                .hint("rows are written `[tools.<tool>]`; mend it, then import again")
        })?;
        // In this order a new row reads like the example in `mod.rs`.
        let mut changed = set(row, "port", &page.port) | set(row, "channel", &page.channel);
        for (key, told) in [("page", &page.address), ("source", &page.source)] {
            changed |= told.as_ref().is_some_and(|told| set(row, key, told));
        }
        let dated = row.contains_key("imported");
        if !dated {
            set(row, "imported", today);
        }
        changed |= match &page.tmux {
            Some(tmux) => set(row, "tmux", tmux),
            None => {
                earlier.is_some()
                    && row.get("tmux").and_then(Item::as_str) == earlier
                    && row.remove("tmux").is_some()
            }
        };
        changed |= opener(row, page);
        changed |= differs || !dated;
        if changed {
            set(row, "imported", today);
        }
        self.changed |= changed;
        Ok(changed)
    }

    /// The file, what it held and what it shall hold, if that differs.
    pub fn change(self) -> Option<(PathBuf, Option<Vec<u8>>, Vec<u8>)> {
        let mut after = format!("{}{}", self.head, self.document);
        if self.before.as_deref().is_some_and(ends_lines_as_windows_does) {
            after = after.replace("\r\n", "\n").replace('\n', "\r\n");
        }
        let after = after.into_bytes();
        (self.changed && self.before.as_ref() != Some(&after)).then_some((self.file, self.before, after))
    }
}

/// The editor writes plain line ends into whatever file; one that has the others throughout keeps them.
fn ends_lines_as_windows_does(bytes: &[u8]) -> bool {
    let count = |wanted: &[u8]| bytes.windows(wanted.len()).filter(|at| *at == wanted).count();
    count(b"\n") > 0 && count(b"\n") == count(b"\r\n")
}

/// The tool's row, made if it is not there; else what is in its way.
fn row<'a>(document: &'a mut DocumentMut, tool: &str) -> Result<&'a mut dyn TableLike, String> {
    let tools = document.entry("tools").or_insert_with(|| {
        let mut tools = Table::new();
        tools.set_implicit(true);
        Item::Table(tools)
    });
    let tools = tools.as_table_like_mut().ok_or("tools")?;
    if !tools.contains_key(tool) {
        tools.insert(tool, Item::Table(Table::new()));
    }
    tools.get_mut(tool).and_then(Item::as_table_like_mut).ok_or_else(|| format!("[tools.{tool}]"))
}

fn opener(row: &mut dyn TableLike, page: &Page) -> bool {
    let Some(opener) = &page.opener else {
        return row.remove("opener").is_some() | row.remove("capability").is_some();
    };
    let mut changed = opener.toolset.is_some_and(|toolset| set(row, "toolset", toolset));
    changed |= set(row, "opener", &opener.sentence);
    if !row.get("capability").is_some_and(Item::is_table_like) {
        row.insert("capability", Item::Value(InlineTable::new().into()));
        changed = true;
    }
    let Some(capability) = row.get_mut("capability").and_then(Item::as_table_like_mut) else {
        return changed;
    };
    changed |= set(capability, "reach", opener.reach);
    changed |= match opener.output {
        Some(output) => set(capability, "output", output),
        None => capability.remove("output").is_some(),
    };
    if let (true, Some(inline)) = (changed, row.get_mut("capability").and_then(Item::as_inline_table_mut)) {
        inline.fmt();
    }
    changed
}

/// Sets a key, keeps the blanks and the comment beside it, and says whether that changed it.
fn set(row: &mut dyn TableLike, key: &str, text: &str) -> bool {
    let mut value = Value::from(text);
    match row.get_mut(key) {
        Some(item) if item.as_str() == Some(text) => return false,
        Some(item) => {
            if let Some(before) = item.as_value() {
                *value.decor_mut() = before.decor().clone();
            }
            *item = Item::Value(value);
        }
        None => {
            row.insert(key, Item::Value(value));
        }
    }
    true
}
