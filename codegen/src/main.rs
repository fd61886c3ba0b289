//! The program `schemux-codegen`.
fn main() {}
