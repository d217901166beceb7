//! What is shown, and how.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Output settings.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputFlags {
    /// Print the server's result object as it is, and a failure as one line of JSON on stderr
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Print one value of what --json prints, by JSON pointer; a string as its text, unless --json is given too
    #[arg(long, value_name = "POINTER", global = true)]
    pub(crate) select: Option<String>,

    /// A string that is selected is printed as its text.
    #[arg(skip)]
    pub(crate) selects_text: bool,

    /// Write images, audio and other bytes of a result to files in this folder
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) out: Option<PathBuf>,

    /// Draw images on stdout, where that is a terminal that can; =HOW when it is not found out
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "auto", global = true)]
    #[arg(conflicts_with_all = ["json", "select"])]
    pub(crate) show_images: Option<ShowImages>,

    /// Nothing on stderr but errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Show notifications of every kind
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,

    /// Show each message that crosses the wire; secret headers and addresses masked, bodies as they are
    #[arg(long, global = true)]
    pub(crate) trace: bool,

    /// Write each message to this file, one JSON object a line; secret headers and addresses masked, bodies as they are
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) trace_file: Option<PathBuf>,

    /// Write the run to this file as a page for a browser: who sent what when, and how it ended, secrets masked
    #[arg(long, value_name = "FILE.html", global = true)]
    pub(crate) report: Option<PathBuf>,
}

/// How images are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowImages {
    /// As the terminal is found to want it
    Auto,
    /// As kitty wants it
    Kitty,
    /// As iTerm2 wants it
    Iterm,
    /// As sixels
    Sixel,
}

impl OutputFlags {
    /// Makes `--select` mean one value of what `--json` prints; gives whether failures are to be JSON.
    pub(crate) fn settle(&mut self) -> bool {
        let json = self.json;
        if self.select.is_some() {
            (self.json, self.selects_text) = (true, !json);
        }
        json
    }
}
