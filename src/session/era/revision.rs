//! The protocol versions as data: one row a revision, and what each allows. A new version is a row.

use crate::session::host::Capability;
use serde_json::{Map, Value};

/// One dated version of the protocol and the rules that differ between them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Revision {
    /// Its name on the wire.
    pub(crate) date: &'static str,
    /// It has no handshake: each request says everything (`era::modern`).
    pub(crate) is_modern: bool,
    /// `MCP-Protocol-Version` goes with every HTTP request after the handshake (2025-06-18 basic/transports).
    pub(crate) version_header: bool,
    /// A server that completes arguments declares it (2025-03-26).
    pub(crate) declares_completions: bool,
    /// What is completed may say what the other arguments are (2025-06-18).
    pub(crate) completion_context: bool,
    /// Client capabilities it knows, with the sub-features it knows of each.
    capabilities: &'static [(&'static str, &'static [&'static str])],
}

/// Newest first.
pub(crate) const REVISIONS: &[Revision] = &[
    Revision {
        date: "2026-07-28",
        is_modern: true,
        version_header: true,
        declares_completions: true,
        completion_context: true,
        capabilities: &[("elicitation", &["form", "url"]), ("sampling", &["tools", "context"]), ("roots", &[])],
    },
    Revision {
        date: "2025-11-25",
        is_modern: false,
        version_header: true,
        declares_completions: true,
        completion_context: true,
        capabilities: &[
            ("elicitation", &["form", "url"]),
            ("sampling", &["tools", "context"]),
            ("roots", &["listChanged"]),
        ],
    },
    Revision {
        date: "2025-06-18",
        is_modern: false,
        version_header: true,
        declares_completions: true,
        completion_context: true,
        capabilities: &[("elicitation", &[]), ("sampling", &[]), ("roots", &["listChanged"])],
    },
    Revision {
        date: "2025-03-26",
        is_modern: false,
        version_header: false,
        declares_completions: true,
        completion_context: false,
        capabilities: &[("sampling", &[]), ("roots", &["listChanged"])],
    },
    Revision {
        date: "2024-11-05",
        is_modern: false,
        version_header: false,
        declares_completions: false,
        completion_context: false,
        capabilities: &[("sampling", &[]), ("roots", &["listChanged"])],
    },
];

impl Revision {
    /// The newest version of a generation: what is asked for when the user names none.
    pub(crate) fn newest(is_modern: bool) -> &'static Revision {
        let found = REVISIONS.iter().find(|revision| revision.is_modern == is_modern);
        found.unwrap_or_else(|| unreachable!("both generations have a row"))
    }

    /// The newest version that is in a server's list too and allowed.
    pub(crate) fn mutual(listed: &Value, is_allowed: impl Fn(&Revision) -> bool) -> Option<&'static Revision> {
        let listed = listed.as_array()?;
        let is_mutual = |revision: &&Revision| is_allowed(revision) && listed.iter().any(|date| date == revision.date);
        REVISIONS.iter().find(is_mutual)
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
            ("2026-07-28", json!({"elicitation": {"form": {}, "url": {}}, "roots": {}})),
            ("2025-11-25", json!({"elicitation": {"form": {}, "url": {}}, "roots": {"listChanged": true}})),
            ("2025-06-18", json!({"elicitation": {}, "roots": {"listChanged": true}})),
            ("2024-11-05", json!({"roots": {"listChanged": true}})),
        ];
        for (date, expected) in cases {
            assert_eq!(Revision::find(date).unwrap().declare(&all), detail(expected), "{date}");
        }
        assert!(Revision::newest(false).declare(&[]).is_empty());
    }
}
