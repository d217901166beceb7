//! Parse, run, exit. Nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcpcall::run()
}
