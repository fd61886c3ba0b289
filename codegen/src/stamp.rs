//! Is the committed code made from these schemas? Needs nothing but the standard library, so that a build script can ask.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The file in the output folder that holds the digests.
pub const STAMP: &str = "STAMP";

/// The stamp that the folders should have: what went in, and what came out.
///
/// # Errors
///
/// A file that cannot be read.
pub fn stamp(schemas: &Path, generated: &Path, codegen: &str) -> io::Result<String> {
    let inputs = digest(schemas, |name| name.ends_with(".json") || name == "contract.toml")?;
    let outputs = digest(generated, |name| name != STAMP && name != "lib.rs")?;
    Ok(format!("codegen {codegen}\nschemas {inputs}\ngenerated {outputs}\n"))
}

/// What is wrong with the committed code, as a sentence; `None` when it is in step.
///
/// # Errors
///
/// A file that cannot be read.
pub fn stale(schemas: &Path, generated: &Path) -> io::Result<Option<String>> {
    let written = fs::read_to_string(generated.join(STAMP)).unwrap_or_default();
    let codegen = written.lines().find_map(|line| line.strip_prefix("codegen ")).unwrap_or("unknown");
    let current = stamp(schemas, generated, codegen)?;
    let differs = |key: &str| {
        let line = |text: &str| text.lines().find(|line| line.starts_with(key)).map(str::to_owned);
        line(&written) != line(&current)
    };
    Ok(if differs("schemas ") {
        Some("the generated code is older than the schemas".to_owned())
    } else if differs("generated ") {
        Some("the generated code was edited by hand".to_owned())
    } else {
        None
    })
}

/// A digest of the files below a folder: their paths and contents, in the order of the paths.
fn digest(folder: &Path, counts: impl Fn(&str) -> bool) -> io::Result<String> {
    let mut files = Vec::new();
    collect(folder, folder, &mut files)?;
    files.retain(|(path, _)| counts(path));
    files.sort();
    // FNV-1a, 64 bits: this guards against forgetting, not against malice.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut feed = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for (path, file) in files {
        feed(path.as_bytes());
        feed(&[0]);
        feed(&fs::read(file)?);
        feed(&[0]);
    }
    Ok(format!("{hash:016x}"))
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Ok(below) = path.strip_prefix(root) else { continue };
        let name = below.to_string_lossy().replace('\\', "/");
        // Editors and this program leave temporary files that begin with a dot.
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, files)?;
        } else {
            files.push((name, path));
        }
    }
    Ok(())
}
