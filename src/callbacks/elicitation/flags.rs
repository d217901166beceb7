//! The flags of elicitation: how the server's questions are answered.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::str::FromStr;

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

    /// Whether URLs that a server asks to visit are opened, after a yes: ask, never, or a command that is given the URL
    #[arg(long, value_name = "ask|never|CMD", default_value = "ask", global = true)]
    pub(crate) open: Open,

    /// Write what is answered to this file, as an answer file for a later run
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) record_answers: Option<PathBuf>,

    /// Let entries of the answer file go unused
    #[arg(long, global = true)]
    pub(crate) lenient_answers: bool,
}

/// What opens a URL once the person has said yes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Open {
    /// The system's browser, at a terminal.
    #[default]
    Ask,
    /// Nothing; URL questions are refused.
    Never,
    /// A program and its arguments; the URL comes last.
    Command(Vec<String>),
}

impl FromStr for Open {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "ask" => Ok(Open::Ask),
            "never" => Ok(Open::Never),
            line => match shell_words::split(line) {
                Ok(words) if !words.is_empty() => Ok(Open::Command(words)),
                Ok(_) => Err("names no command".into()),
                Err(e) => Err(e.to_string()),
            },
        }
    }
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
