//! The program `schemux-codegen`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use schemux_codegen::import::{Imported, State, import};
use schemux_codegen::{Faults, generate, model, outdated};

/// From the JSON schemas that MCP tools advertise to Rust types, a dispatch trait and a typed client.
#[derive(Parser)]
#[command(
    name = "schemux-codegen",
    version,
    after_help = "Exit status: 0 done, 1 something is wrong with the input, 4 \
    the generated code is not in step (with --check)."
)]
struct Cli {
    /// The folder that holds one <tool>.json per tool, and contract.toml.
    #[arg(long, global = true, default_value = "schemas", value_name = "DIR")]
    schemas: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Bring the generated code in step with the schemas.
    Generate {
        /// The folder for the generated code.
        #[arg(long, default_value = "generated", value_name = "DIR")]
        out: PathBuf,
        /// Write nothing; exit with 4 when something would change.
        #[arg(long)]
        check: bool,
    },
    /// Print what the types cannot say about the contract.
    Report,
    /// Bring a contract into the schemas' folder.
    #[command(subcommand)]
    Import(Import),
}

#[derive(Subcommand)]
enum Import {
    /// From documentation pages, as Markdown or as the text of the page. All or nothing.
    Page {
        /// The pages.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(code) => code,
        Err(faults) => {
            let count = faults.0.len();
            eprintln!("{faults}");
            eprintln!("schemux-codegen: {count} {}", if count == 1 { "fault" } else { "faults" });
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> Result<ExitCode, Faults> {
    match &cli.command {
        Command::Generate { out, check: false } => {
            let changed = generate(&cli.schemas, out)?;
            println!("{}: {}", out.display(), summary(&changed));
        }
        Command::Generate { out, check: true } => {
            let changed = outdated(&cli.schemas, out)?;
            println!("{}: {}", out.display(), summary(&changed));
            if !changed.is_empty() {
                eprintln!("schemux-codegen: the generated code is not in step; run `cargo codegen generate`");
                return Ok(ExitCode::from(4));
            }
        }
        Command::Report => {
            for note in model(&cli.schemas)?.notes {
                println!("{}#{}: {}", note.file, note.pointer, note.what);
            }
        }
        Command::Import(Import::Page { files }) => {
            let today = time::OffsetDateTime::now_utc().date().to_string();
            for Imported { tool, file, state } in import(files, &cli.schemas, &today)? {
                let state = match state {
                    State::New => "new",
                    State::Changed => "changed",
                    State::Same => "the same as before",
                };
                println!("{}: {tool} is {state}", file.display());
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn summary(changed: &[String]) -> String {
    match changed {
        [] => "in step".to_owned(),
        files => format!("{} changed: {}", files.len(), files.join(", ")),
    }
}
