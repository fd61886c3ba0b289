//! The program `schemux`.

use std::process::ExitCode;

fn main() -> ExitCode {
    schemux_server::cli::main()
}
