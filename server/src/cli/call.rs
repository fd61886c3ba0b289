//! Calls one tool, as a client would, and prints its result.

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use schemux::Cx;

use super::{arguments, fail, print, show};
use crate::call::Calls;
use crate::state::Tmux;

#[derive(Args)]
pub struct Options {
    /// The tool's name; `schemux tools` lists them.
    tool: String,
    /// NAME=VALUE for each argument, read as the tool's schema wants it; or all arguments as one JSON object.
    #[arg(value_name = "ARG=VALUE|JSON")]
    arguments: Vec<String>,
    /// Print JSON on a terminal too.
    #[arg(long)]
    json: bool,
}

pub async fn run(calls: Arc<Calls<Tmux>>, options: Options) -> ExitCode {
    let schema = calls.surface().tool(&options.tool).and_then(|tool| tool.input_schema());
    let arguments = match arguments::parse(schema, &options.arguments) {
        Ok(arguments) => arguments,
        Err(what) => return fail(&what, 2),
    };
    let cx = Cx::new();
    let call = calls.call(&options.tool, arguments, &cx);
    let result = tokio::select! {
        result = call => result,
        () = interrupted() => return end(&calls, fail("interrupted", 130)).await,
    };
    let code = match result {
        Ok(answer) if options.json || !io::stdout().is_terminal() => print(&show::json(&answer)),
        Ok(answer) => print(&show::readable(&answer)),
        Err(error) => fail(&error.text(), 1),
    };
    end(&calls, code).await
}

async fn end(calls: &Calls<Tmux>, code: ExitCode) -> ExitCode {
    calls.tools().close().await;
    code
}

async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
