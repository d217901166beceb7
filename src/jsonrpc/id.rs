//! What a request is called: its id.

use super::Raw;
use serde_json::Value;
use std::fmt;

/// A request id as the JSON text it came as, so that `92` and `"92"` stay apart and go back unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct RequestId(String);

impl RequestId {
    /// The id as JSON text.
    pub(crate) fn as_json(&self) -> &str {
        &self.0
    }

    /// Reads the id of a reply leniently: `1`, `"1"`, `1.0` and `1e0` all name our request 1.
    pub(crate) fn as_ours(&self) -> Option<u64> {
        let text = self.0.trim_matches('"').trim();
        let number = || text.parse::<f64>().ok().filter(|n| n.fract() == 0.0 && (0.0..1e15).contains(n));
        text.parse().ok().or_else(|| number().map(|n| n as u64))
    }

    /// Whether it is a text or a number, as an id must be.
    pub(crate) fn is_plausible(&self) -> bool {
        self.0.starts_with(|c: char| c == '"' || c == '-' || c.is_ascii_digit())
    }
}

impl From<&Raw> for RequestId {
    fn from(id: &Raw) -> Self {
        RequestId(id.get().to_owned())
    }
}

impl From<&Value> for RequestId {
    fn from(value: &Value) -> Self {
        RequestId(value.to_string())
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
