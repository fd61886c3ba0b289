//! The command line: what it offers, and what each exit status means.

mod arguments;
mod call;
mod demo;
mod serve;
mod show;
mod tools;

use std::future::Future;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, Subcommand};

use crate::call::Calls;
use crate::config::{BadSetting, Config, Flags};
use crate::state::Tmux;

const EXAMPLES: &str = "\
Examples:
  schemux                                   serve MCP over standard input and output
  schemux demo                              see it work, on a tmux server of its own
  schemux tools                             which tools are offered
  schemux call wait_for_exit paneId=%1      call a tool from the shell
  claude mcp add tmux -- schemux            let Claude Code use it

Exit status: 0 done, 1 the tool failed or refused, 2 the command line or a setting is wrong.";

/// An MCP server for tmux: exact, fast, and with its contract as data.
#[derive(Parser)]
#[command(name = "schemux", version, after_help = EXAMPLES)]
struct Cli {
    #[command(flatten)]
    flags: Flags,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Serve MCP over standard input and output (what happens without a command, too).
    Serve,
    /// List the tools that are offered.
    Tools(tools::Options),
    /// Call one tool and print its result.
    Call(call::Options),
    /// Show the tools at work on a tmux server of their own, and clean up.
    Demo,
}

/// Runs the program.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let config = match cli.flags.config() {
        Ok(config) => config,
        Err(BadSetting(what)) => return fail(&what, 2),
    };
    tracing_subscriber::fmt()
        .with_max_level(config.log)
        .with_writer(io::stderr)
        .with_ansi(false)
        .with_target(true)
        .init();
    match cli.command.unwrap_or(Command::Serve) {
        Command::Serve => block_on(serve::run(calls(config))),
        Command::Tools(options) => print(&tools::text(&config.surface, &options)),
        Command::Call(options) => block_on(call::run(calls(config), options)),
        Command::Demo => block_on(demo::run(config)),
    }
}

fn calls(config: Config) -> Arc<Calls<Tmux>> {
    let (surface, suppress_history) = (config.surface.clone(), config.suppress_history);
    let calls = Calls::new(Tmux::new(config), surface);
    Arc::new(calls.with_default("run_command", "suppress_history", suppress_history.into()))
}

/// One thread is enough: all that takes time is waiting for tmux.
fn block_on(work: impl Future<Output = ExitCode>) -> ExitCode {
    match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => {
            let code = runtime.block_on(work);
            // Standard input may be read by a thread that nothing wakes.
            runtime.shutdown_background();
            code
        }
        Err(error) => fail(&format!("cannot start: {error}"), 1),
    }
}

/// Prints a result. A reader that has gone is no failure.
fn print(text: &str) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => fail(&format!("cannot write the result: {error}"), 1),
    }
}

fn fail(what: &str, code: u8) -> ExitCode {
    eprintln!("schemux: {what}");
    ExitCode::from(code)
}
