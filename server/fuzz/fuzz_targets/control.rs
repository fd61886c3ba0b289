//! Any bytes are read without a panic, and the same in any pieces.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| schemux_server::tmux::control::fuzz(bytes));
