//! `--cap` and `--no-cap`: declare otherwise than what can be answered, to see how a server copes.

use crate::failure::{Failure, Result};
use crate::session::host::Capability;
use clap::Args;
use serde_json::{Map, Value, json};

/// What to declare otherwise.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Callbacks")]
pub(crate) struct CapabilityFlags {
    /// Declare this capability, with these sub-features, though nothing here may answer (repeatable)
    #[arg(long, value_name = "NAME[=SUB,...]", global = true)]
    pub(crate) cap: Vec<String>,

    /// Do not declare this capability (repeatable)
    #[arg(long, value_name = "NAME", global = true)]
    pub(crate) no_cap: Vec<String>,
}

/// How a sub-feature is declared: all of them as an object, but for this one.
fn feature(name: &str) -> Value {
    if name == "listChanged" { Value::Bool(true) } else { json!({}) }
}

/// The user's wishes, read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Declared {
    more: Vec<Capability>,
    less: Vec<String>,
}

impl Declared {
    /// Reads the flags.
    ///
    /// # Errors
    /// `usage`, when one names nothing, or a name is both wanted and not.
    pub(crate) fn new(flags: &CapabilityFlags) -> Result<Self> {
        let more = flags.cap.iter().map(|flag| {
            let (name, subs) = flag.split_once('=').unwrap_or((flag, ""));
            if name.is_empty() || flags.no_cap.iter().any(|other| other == name) {
                return Err(Failure::usage(format!("--cap {flag}: not NAME[=SUB,...], or --no-cap says the opposite")));
            }
            let detail: Map<_, _> =
                subs.split(',').filter(|sub| !sub.is_empty()).map(|sub| (sub.to_owned(), feature(sub))).collect();
            Ok(Capability { name: name.to_owned().into(), detail })
        });
        Ok(Declared { more: more.collect::<Result<_>>()?, less: flags.no_cap.clone() })
    }

    /// The capabilities with the wishes applied.
    pub(super) fn apply(&self, mut capabilities: Vec<Capability>) -> Vec<Capability> {
        capabilities.retain(|capability| !self.less.iter().any(|name| **name == capability.name));
        for wanted in &self.more {
            match capabilities.iter_mut().find(|capability| capability.name == wanted.name) {
                Some(capability) => capability.detail = wanted.detail.clone(),
                None => capabilities.push(wanted.clone()),
            }
        }
        capabilities
    }
}
