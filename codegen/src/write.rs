//! Puts the files into their folder: only those that differ, each at once, and removes those that no schema needs any more.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::emit::Files;
use crate::fault::{Fault, Faults};
use crate::stamp::{STAMP, stamp};

/// The version of codegen that the stamp names: another one may write other files from the same schemas.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Brings `folder` in step. Returns the paths that changed; with `dry` it only says which would.
///
/// # Errors
///
/// A folder that cannot be read or written.
pub fn files(files: &Files, schemas: &Path, folder: &Path, dry: bool) -> Result<Vec<String>, Faults> {
    let fault = |path: &Path, error: &io::Error| {
        Faults::from(
            Fault::new(path.display().to_string(), "", format!("cannot write it: {error}"))
                .hint("make the folder writable, or build without the feature `regen`"),
        )
    };
    let mut changed = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        if fs::read_to_string(&path).is_ok_and(|old| old == *text) {
            continue;
        }
        changed.push(name.clone());
        if !dry {
            replace(&path, text).map_err(|error| fault(&path, &error))?;
        }
    }
    for path in leftovers(files, folder) {
        changed.push(path.strip_prefix(folder).unwrap_or(&path).display().to_string());
        if !dry {
            fs::remove_file(&path).map_err(|error| fault(&path, &error))?;
        }
    }
    let path = folder.join(STAMP);
    if dry {
        if fs::read_to_string(&path).ok() != stamp(schemas, folder, VERSION).ok() && changed.is_empty() {
            changed.push(STAMP.to_owned());
        }
        return Ok(changed);
    }
    let text = stamp(schemas, folder, VERSION).map_err(|error| fault(&path, &error))?;
    if fs::read_to_string(&path).ok().as_ref() != Some(&text) {
        replace(&path, &text).map_err(|error| fault(&path, &error))?;
        changed.push(STAMP.to_owned());
    }
    Ok(changed)
}

/// Writes a file so that nobody ever reads half of it, also when two builds do so at once.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    beside(folder, text.as_bytes())?.persist(path)?;
    Ok(())
}

/// A file in this folder that can be renamed to its place, and is gone if it is not.
pub(crate) fn beside(folder: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        // Temporary files are private unless told otherwise; these become ordinary files.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.prefix(".schemux-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    Ok(file)
}

/// Files in the folders that codegen owns which it no longer writes.
fn leftovers(files: &Files, folder: &Path) -> Vec<PathBuf> {
    let folders: BTreeSet<&str> = files.keys().filter_map(|name| Some(name.rsplit_once('/')?.0)).collect();
    let mut found: Vec<PathBuf> = folders
        .into_iter()
        .filter_map(|below| Some((below, fs::read_dir(folder.join(below)).ok()?)))
        .flat_map(|(below, entries)| entries.flatten().map(move |entry| (below.to_owned(), entry)))
        .filter(|(below, entry)| {
            let name = entry.file_name().to_string_lossy().into_owned();
            name.ends_with(".rs") && !files.contains_key(&format!("{below}/{name}"))
        })
        .map(|(_, entry)| entry.path())
        .collect();
    found.sort();
    found
}
