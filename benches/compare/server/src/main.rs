//! An MCP server that costs next to nothing, so that what is measured is the client.
//!
//! `bench-server [--tools N]` serves stdio; `--http PORT` serves Streamable HTTP at 127.0.0.1 without sessions, prints its
//! address, and ends when its stdin does. `--sse` answers every request there with an event stream.

mod http;
mod json;
mod stdio;
mod tools;

use std::process::exit;

/// What the command line says.
#[derive(Clone, Copy, Default)]
pub struct Options {
    /// How many tools there are besides those that do something.
    pub more_tools: usize,
    /// Answer over HTTP with event streams alone.
    pub sse: bool,
}

fn main() {
    let (mut options, mut port) = (Options::default(), None);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--tools" => options.more_tools = number(&arg, args.next()),
            "--http" => port = Some(number(&arg, args.next())),
            "--sse" => options.sse = true,
            _ => usage(&format!("unknown argument {arg}")),
        }
    }
    // A client that is gone is the usual end.
    let _ = match port {
        Some(port) => http::serve(port, options),
        None => stdio::serve(options),
    };
}

fn number<T: std::str::FromStr>(flag: &str, value: Option<String>) -> T {
    let number = value.and_then(|text| text.parse().ok());
    number.unwrap_or_else(|| usage(&format!("{flag} takes a number")))
}

fn usage(mistake: &str) -> ! {
    eprintln!("bench-server: {mistake}\nusage: bench-server [--tools N] [--http PORT [--sse]]");
    exit(2)
}
