//! The program `schemux`.
fn main() {}
