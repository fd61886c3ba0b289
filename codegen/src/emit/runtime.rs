//! The code that is the same for every contract.

use super::{Files, header};

/// The runtime's files, as they are in this package.
const RUNTIME: [(&str, &str); 11] = [
    ("mod.rs", include_str!("../../runtime/mod.rs")),
    ("answer.rs", include_str!("../../runtime/answer.rs")),
    ("boundary.rs", include_str!("../../runtime/boundary.rs")),
    ("caller.rs", include_str!("../../runtime/caller.rs")),
    ("contract.rs", include_str!("../../runtime/contract.rs")),
    ("cx.rs", include_str!("../../runtime/cx.rs")),
    ("difference.rs", include_str!("../../runtime/difference.rs")),
    ("error.rs", include_str!("../../runtime/error.rs")),
    ("lenient.rs", include_str!("../../runtime/lenient.rs")),
    ("mcp.rs", include_str!("../../runtime/mcp.rs")),
    ("violation.rs", include_str!("../../runtime/violation.rs")),
];

/// What the build script uses, which has no crate around it.
const STAMP: &str = include_str!("../stamp.rs");

/// Adds the runtime below `runtime/`, and `stamp.rs`.
pub fn emit(files: &mut Files) {
    for (name, text) in RUNTIME {
        files.insert(
            format!("runtime/{name}"),
            format!("{}{text}", header(&format!("codegen/runtime/{name}"))),
        );
    }
    files.insert("stamp.rs".to_owned(), format!("{}{STAMP}", header("codegen/src/stamp.rs")));
}
