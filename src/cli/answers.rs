//! `mcpcall answers …`: what is done with answer files themselves.

use clap::Subcommand;
use std::path::PathBuf;

/// What to do with answer files.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum AnswersVerb {
    /// Say whether answer files are right, and what is wrong with them
    Check {
        /// The files
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Print an answer file for the questions of a run, with the answers they got
    Stub {
        /// What --trace-file wrote; - is stdin
        #[arg(value_name = "TRACE")]
        file: PathBuf,
    },
    /// Print the JSON Schema of answer files, for editors
    Schema,
}
