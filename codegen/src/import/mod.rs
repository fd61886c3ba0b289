//! How does a documentation page become a file in `schemas/` and a row in `contract.toml`?
//!
//! A page shows one tool three times over: in prose, in a signature, and as the JSON that the server advertises. The JSON
//! is what is kept, exactly; the prose is what it is checked against. Where two of them disagree the page is refused.
//!
//! `schemas/<tool>.json` is the tool's entry of `tools/list`: `name`, `description`, `annotations`, `inputSchema` and,
//! where the page has one, `outputSchema`. `schemas/contract.toml` gets what an entry cannot hold:
//!
//! ```toml
//! [tools.wait_for_exit]
//! port = "ts"                     # which server's documentation: py, ts, rs, go, java, dotnet, cxx, swift, ruby, csharp
//! channel = "latest"              # stable, latest or a version
//! page = "https://…"              # where the page says its address
//! source = "https://github.com/…" # where the page links to the source
//! imported = "2026-11-30"         # the day of the last import that changed anything
//! tmux = "3.8"                    # where the page says "Requires tmux X or newer"
//! toolset = "inspect"             # where the opener tells; elsewhere a person adds it
//! opener = "Inspect tmux metadata; accepts no client-supplied executable input."
//! capability = { reach = "none", output = "tmux-metadata" }
//! ```
//!
//! The opener is the controlled sentence in a description that classifies the tool, and `capability` what it says: how
//! far a call reaches into processes, and which class of output it returns (absent where the sentence does not tell). The
//! sentence stays in the description too.
//!
//! A key that the page does not tell is left as it is, with the comments around it; `opener` and `capability` follow the
//! page alone, and so does a `tmux` that came from the page's earlier text.

mod annotations;
mod arguments;
mod contract;
mod crosscheck;
mod layout;
mod opener;
mod order;
mod origin;
mod page;
mod schemas;
mod text;
mod types;
mod write;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::fault::{Fault, Faults};

pub use opener::Opener;
pub use page::{Page, parse};

/// One tool that was imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The tool's name.
    pub tool: String,
    /// Its file in `schemas/`.
    pub file: PathBuf,
    /// What the import did to it.
    pub state: State,
}

/// What an import did to a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The tool was not there before.
    New,
    /// Its entry or its row differs from before.
    Changed,
    /// Nothing differs; nothing was written.
    Same,
}

/// Reads the pages and writes `schemas/<tool>.json` and the rows in `schemas/contract.toml`, all of them or none.
/// `today` is written as `YYYY-MM-DD` beside a tool that is new or changed.
///
/// # Errors
///
/// All that is wrong with any of the pages or with the files in `schemas`; then nothing has been written.
pub fn import(pages: &[PathBuf], schemas: &Path, today: &str) -> Result<Vec<Imported>, Faults> {
    day(today)?;
    let pages = read(pages)?;
    let mut contract = contract::Contract::read(&schemas.join("contract.toml"))?;
    let mut changes = write::Changes::default();
    let mut faults = Faults::default();
    let mut imported = Vec::new();
    for page in &pages {
        match bring(page, schemas, today, &mut contract, &mut changes) {
            Ok(tool) => imported.push(tool),
            Err(Faults(found)) => faults.0.extend(found),
        }
    }
    let imported = faults.or(imported)?;
    if let Some((path, before, after)) = contract.change() {
        changes.add(path, before, after);
    }
    changes.write(schemas)?;
    Ok(imported)
}

/// Notes what one page changes.
fn bring(
    page: &Page,
    schemas: &Path,
    today: &str,
    contract: &mut contract::Contract,
    changes: &mut write::Changes,
) -> Result<Imported, Faults> {
    let file = schemas.join(format!("{}.json", page.name));
    let before = write::current(&file)?;
    let stood = before.as_deref().and_then(|bytes| serde_json::from_slice::<Value>(bytes).ok());
    let after = stood.as_ref().map_or_else(|| page.entry(), |stood| order::keep(stood, page.entry()));
    let after = format!("{after:#}\n");
    let differs = before.as_deref() != Some(after.as_bytes());
    let earlier = stood.as_ref().and_then(tmux_of_entry);
    let row = contract.update(page, earlier.as_deref(), differs, today)?;
    let state = match before {
        None => State::New,
        Some(_) if row => State::Changed,
        Some(_) => State::Same,
    };
    if differs {
        changes.add(file.clone(), before, after.into_bytes());
    }
    Ok(Imported { tool: page.name.clone(), file, state })
}

fn day(today: &str) -> Result<(), Fault> {
    let digits = |c: (usize, u8)| if matches!(c.0, 4 | 7) { c.1 == b'-' } else { c.1.is_ascii_digit() };
    if today.len() == 10 && today.bytes().enumerate().all(digits) {
        return Ok(());
    }
    Err(Fault::new("today", "", format!("`{today}` is no day")).hint("write it as `2026-11-30`"))
}

/// Every page, parsed and checked, and no tool twice.
fn read(paths: &[PathBuf]) -> Result<Vec<Page>, Faults> {
    let mut faults = Faults::default();
    let mut pages = Vec::new();
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for path in paths {
        let file = path.display().to_string();
        match text_of(path).and_then(|text| parse(&file, &text)) {
            Ok(page) => {
                if let Some(first) = files.insert(page.name.clone(), file.clone()) {
                    faults.push(
                        Fault::new(file, "", format!("this is a second page for the tool `{}`", page.name))
                            .hint(format!("import either this one or {first}")),
                    );
                }
                pages.push(page);
            }
            Err(Faults(found)) => faults.0.extend(found),
        }
    }
    faults.or(pages)
}

fn text_of(path: &Path) -> Result<String, Faults> {
    let file = path.display().to_string();
    let bytes = fs::read(path).map_err(|error| {
        Fault::new(&file, "", format!("cannot read the page: {error}"))
            .hint("name a file that holds one page")
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count()
            + 1;
        Fault::new(&file, format!("line {line}"), "the page is not UTF-8")
            .hint("save it as UTF-8 text")
            .into()
    })
}

fn tmux_of_entry(entry: &Value) -> Option<String> {
    page::tmux(entry.get("description")?.as_str()?)
}
