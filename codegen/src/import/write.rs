//! How do several files change together? Each is written beside its place first; only when all are there are they renamed.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::fault::{Fault, Faults};
use crate::write::beside;

/// Files to write, with what they held before.
#[derive(Debug, Default)]
pub struct Changes(Vec<Change>);

#[derive(Debug)]
struct Change {
    path: PathBuf,
    before: Option<Vec<u8>>,
    after: Vec<u8>,
}

/// What a file holds; `None` if there is none.
///
/// # Errors
///
/// It is there and cannot be read.
pub fn current(path: &Path) -> Result<Option<Vec<u8>>, Faults> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => {
            Err(Fault::new(path.display().to_string(), "", format!("cannot read it: {error}")).into())
        }
    }
}

impl Changes {
    /// Notes one file.
    pub fn add(&mut self, path: PathBuf, before: Option<Vec<u8>>, after: Vec<u8>) {
        self.0.push(Change { path, before, after });
    }

    /// Writes them into `folder`, which is made if only it is missing.
    ///
    /// # Errors
    ///
    /// Something could not be written; then all files are as they were.
    pub fn write(&self, folder: &Path) -> Result<(), Faults> {
        if self.0.is_empty() {
            return Ok(());
        }
        if !folder.exists() {
            fs::create_dir(folder).map_err(|error| cannot(folder, "make the folder", &error))?;
        }
        let mut written = Vec::new();
        for change in &self.0 {
            written.push(
                beside(folder, &change.after)
                    .map_err(|error| cannot(&change.path, "write the file", &error))?,
            );
        }
        for (index, (change, file)) in self.0.iter().zip(written).enumerate() {
            if let Err(error) = file.persist(&change.path) {
                let mut faults = Faults::from(cannot(&change.path, "replace the file", &error.error));
                self.undo(folder, index, &mut faults);
                return Err(faults);
            }
        }
        Ok(())
    }

    /// Gives the first files back what they held.
    fn undo(&self, folder: &Path, count: usize, faults: &mut Faults) {
        for change in &self.0[..count] {
            let undone = match &change.before {
                Some(bytes) => {
                    beside(folder, bytes).and_then(|file| Ok(file.persist(&change.path).map(drop)?))
                }
                None => fs::remove_file(&change.path),
            };
            if let Err(error) = undone {
                faults.push(cannot(&change.path, "give the file back what it held", &error));
            }
        }
    }
}

fn cannot(path: &Path, what: &str, error: &std::io::Error) -> Fault {
    Fault::new(path.display().to_string(), "", format!("cannot {what}: {error}"))
        .hint("nothing was imported; mend that and import again")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_replaced_gives_the_others_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("old"), "before").unwrap();
        fs::create_dir(path("blocked")).unwrap();
        let mut changes = Changes::default();
        changes.add(path("old"), Some(b"before".to_vec()), b"after".to_vec());
        changes.add(path("new"), None, b"after".to_vec());
        changes.add(path("blocked"), None, b"after".to_vec());
        let faults = changes.write(folder.path()).unwrap_err().to_string();
        assert!(faults.contains("blocked: cannot replace the file: "), "{faults}");
        assert_eq!(fs::read_to_string(path("old")).unwrap(), "before");
        let mut left: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["blocked", "old"]);
    }
}
