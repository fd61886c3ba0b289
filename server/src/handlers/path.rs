//! Which directory is meant? `~` is the user's home, a relative path starts where this program runs, and it must exist.

use std::path::{Path, PathBuf};

use schemux::ToolError;

/// The directory itself: absolute, links followed.
///
/// # Errors
///
/// There is no such directory.
pub fn directory(given: &str, home: Option<&Path>, start: &Path) -> Result<PathBuf, ToolError> {
    let path = match (given.strip_prefix('~'), home) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
            home.join(rest.trim_start_matches('/'))
        }
        _ => start.join(given),
    };
    let found = path.canonicalize().ok().filter(|path| path.is_dir());
    found.ok_or_else(|| {
        ToolError::expected(
            "ExpectedToolError",
            format!("start_directory is not an existing directory: {:?}", path.display().to_string()),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn home_relative_and_missing() {
        let root = tempfile::tempdir().unwrap();
        let real = root.path().canonicalize().unwrap();
        std::fs::create_dir_all(real.join("home/work")).unwrap();
        std::fs::write(real.join("file"), "").unwrap();
        let home = real.join("home");
        let get = |given: &str| directory(given, Some(&home), &real);
        assert_eq!(get("~").unwrap(), home);
        assert_eq!(get("~/work").unwrap(), home.join("work"));
        assert_eq!(get("home/work").unwrap(), home.join("work"));
        assert_eq!(get("").unwrap(), real);
        assert_eq!(get("/").unwrap(), Path::new("/"));
        for bad in ["missing", "file", "~nobody", "\0"] {
            let error = get(bad).unwrap_err();
            assert!(
                error.expected && error.message.starts_with("start_directory is not an existing"),
                "{error}"
            );
        }
    }
}
