//! The protocol versions as data: one row a revision, and what each allows. A new handshake version is a row.

use crate::session::host::Capability;
use serde_json::{Map, Value};

/// One dated version of the protocol and the rules that differ between them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Revision {
    /// Its name on the wire.
    pub(crate) date: &'static str,
    /// `MCP-Protocol-Version` goes with every HTTP request after the handshake (2025-06-18 basic/transports).
    pub(crate) version_header: bool,
    /// Client capabilities it knows, with the sub-features it knows of each.
    capabilities: &'static [(&'static str, &'static [&'static str])],
}

/// Newest first.
pub(crate) const REVISIONS: &[Revision] = &[
    Revision {
        date: "2025-11-25",
        version_header: true,
        capabilities: &[
            ("elicitation", &["form", "url"]),
            ("sampling", &["tools", "context"]),
            ("roots", &["listChanged"]),
        ],
    },
    Revision {
        date: "2025-06-18",
        version_header: true,
        capabilities: &[("elicitation", &[]), ("sampling", &[]), ("roots", &["listChanged"])],
    },
    Revision {
        date: "2025-03-26",
        version_header: false,
        capabilities: &[("sampling", &[]), ("roots", &["listChanged"])],
    },
    Revision {
        date: "2024-11-05",
        version_header: false,
        capabilities: &[("sampling", &[]), ("roots", &["listChanged"])],
    },
];

impl Revision {
    /// The newest handshake version: what is asked for when the user names none.
    pub(crate) fn newest() -> &'static Revision {
        &REVISIONS[0]
    }

    /// The dates, newest first.
    pub(crate) fn dates() -> Vec<&'static str> {
        REVISIONS.iter().map(|revision| revision.date).collect()
    }

    /// The row of a date.
    pub(crate) fn find(date: &str) -> Option<&'static Revision> {
        REVISIONS.iter().find(|revision| revision.date == date)
    }

    /// The `capabilities` object to declare: what can be answered, narrowed to what this version knows.
    /// Names that no version knows pass through, so that a server's reaction to them can be tried.
    pub(crate) fn declare(&self, capabilities: &[Capability]) -> Map<String, Value> {
        let declared = capabilities.iter().filter_map(|capability| {
            let known_anywhere =
                REVISIONS.iter().flat_map(|row| row.capabilities).any(|(name, _)| **name == capability.name);
            let here = self.capabilities.iter().find(|(name, _)| **name == capability.name);
            let detail: Map<String, Value> = match here {
                Some((_, known)) => {
                    let detail = capability.detail.iter().filter(|(sub, _)| known.contains(&sub.as_str()));
                    detail.map(|(sub, value)| (sub.clone(), value.clone())).collect()
                }
                None if known_anywhere => return None,
                None => capability.detail.clone(),
            };
            Some((capability.name.clone().into_owned(), Value::Object(detail)))
        });
        declared.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_version_declares_only_what_it_knows() {
        let detail = |value: Value| value.as_object().cloned().unwrap();
        let all = [
            Capability { name: "elicitation".into(), detail: detail(json!({"form": {}, "url": {}})) },
            Capability { name: "roots".into(), detail: detail(json!({"listChanged": true})) },
        ];
        let cases = [
            ("2025-11-25", json!({"elicitation": {"form": {}, "url": {}}, "roots": {"listChanged": true}})),
            ("2025-06-18", json!({"elicitation": {}, "roots": {"listChanged": true}})),
            ("2024-11-05", json!({"roots": {"listChanged": true}})),
        ];
        for (date, expected) in cases {
            assert_eq!(Revision::find(date).unwrap().declare(&all), detail(expected), "{date}");
        }
        assert!(Revision::newest().declare(&[]).is_empty());
    }
}
