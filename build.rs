//! Keeps `generated/` in step with `schemas/`.
fn main() {}
