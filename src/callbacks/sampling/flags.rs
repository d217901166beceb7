//! The flags of sampling: who answers in place of a language model.

use clap::Args;

/// How sampling requests are answered.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Callbacks")]
pub(crate) struct SamplingFlags {
    /// Answer sampling requests with a shell command: the params on its stdin, the reply on its stdout
    #[arg(long, value_name = "CMD", global = true)]
    pub(crate) sampling_cmd: Option<String>,

    /// Answer sampling requests with this text
    #[arg(long, value_name = "TEXT", global = true)]
    pub(crate) sampling_text: Option<String>,

    /// The model to name in replies that name none
    #[arg(long, value_name = "NAME", default_value = "mcpcall", global = true)]
    pub(crate) sampling_model: String,

    /// Declare that replies may use the tools a sampling request brings (sampling.tools)
    #[arg(long, global = true)]
    pub(crate) sampling_tools: bool,

    /// Declare that sampling requests may ask for context (sampling.context)
    #[arg(long, global = true)]
    pub(crate) sampling_context: bool,

    /// Let sampling requests and replies pass without approval at the terminal
    #[arg(long, global = true)]
    pub(crate) yes_sampling: bool,
}
