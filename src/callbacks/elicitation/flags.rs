//! The flags of elicitation: how the server's questions are answered.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// How questions are answered.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Callbacks")]
pub(crate) struct ElicitationFlags {
    /// Answer questions from this JSON file; the short form is {"name": "Ada"}
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) auto_answer: Option<PathBuf>,

    /// Fill any form field of this name (repeatable)
    #[arg(long, value_name = "FIELD=VALUE", global = true)]
    pub(crate) answer: Vec<String>,

    /// What to do with a form that no answer fits [default: prompt at a terminal, else fail]
    #[arg(long, value_enum, value_name = "HOW", global = true)]
    pub(crate) on_elicit: Option<OnElicit>,

    /// Never ask at the terminal
    #[arg(long, global = true)]
    pub(crate) no_input: bool,

    /// Let entries of the answer file go unused
    #[arg(long, global = true)]
    pub(crate) lenient_answers: bool,
}

/// What to do with a question that no answer fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnElicit {
    /// Ask at the terminal
    Prompt,
    /// Refuse it and exit 7
    Fail,
    /// Accept with the schema's defaults
    Defaults,
    /// Say no
    Decline,
    /// Dismiss it
    Cancel,
}
