//! mcpcall: what curl is to HTTP, for MCP servers. This library is the program's inside, split from `main` for its
//! tests; it promises no API. The modules in reading order, data flowing downwards (ARCHITECTURE.md):

mod cli;
mod commands;

mod arguments;
mod target;

mod auth;
mod callbacks;
mod output;

mod answers;
mod form;
mod session;

mod terminal;
mod transport;

mod complexity;
mod context;
mod failure;
mod files;
mod guard;
mod jsonrpc;
mod schema;
mod search;
mod secrets;
mod sync;
mod words;

#[cfg(any(test, feature = "inside"))]
#[doc(hidden)]
pub mod inside;

use std::process::ExitCode;

/// Runs the program as the command line says.
#[must_use]
pub fn run() -> ExitCode {
    let context = context::Context::read();
    if context.args == [guard::VERB] {
        guard::stand(context.stdin());
        return ExitCode::SUCCESS;
    }
    commands::watch(&context);
    guard::arm();
    if let Some(code) = commands::complete(&context) {
        return ExitCode::from(code);
    }
    ExitCode::from(match cli::read(&context.args) {
        Ok(cli) => commands::run(cli, context),
        Err(error) => commands::not_understood(&error, &context),
    })
}
