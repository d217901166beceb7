//! Which version to speak: what the user wants, and what a server's words mean for it. The steps stand in
//! `session::opening`.

use super::revision::Revision;
use crate::failure::Failure;

/// What the user wants to speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// The handshake era, and 2026-07-28 where the handshake is refused.
    Auto,
    /// The handshake era.
    Legacy,
    /// The era without a handshake.
    Modern,
    /// This version.
    Exactly(&'static Revision),
}

impl Protocol {
    /// Reads `--protocol`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        match text {
            "auto" => Some(Protocol::Auto),
            "legacy" => Some(Protocol::Legacy),
            "modern" => Some(Protocol::Modern),
            date => Revision::find(date).map(Protocol::Exactly),
        }
    }

    /// The version to ask for first.
    pub(crate) fn revision(self) -> &'static Revision {
        match self {
            Protocol::Auto | Protocol::Legacy => Revision::newest(false),
            Protocol::Modern => Revision::newest(true),
            Protocol::Exactly(revision) => revision,
        }
    }
}

/// What a failure says of the server's era.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// It lists its versions (-32022, and the error with the same data that the page on the handshake shows); this is the
    /// newest that we speak too.
    Versions(Option<&'static Revision>),
    /// A code that only 2026-07-28 has (2026-07-28 basic/versioning).
    Modern,
    /// It does not know the method, or not without what its own era begins with.
    Refused,
    /// Nothing: it was busy, down, or wants credentials first. No reason to try another era.
    Nothing,
}

impl Sign {
    /// Reads a failure.
    pub(crate) fn of(failure: &Failure) -> Self {
        let supported = failure.data.as_ref().and_then(|data| data.get("supported"));
        match (failure.code.as_ref().and_then(serde_json::Value::as_i64), failure.status) {
            (Some(_), _) if supported.is_some_and(serde_json::Value::is_array) => {
                Sign::Versions(supported.and_then(Revision::mutual))
            }
            (Some(-32022), _) => Sign::Versions(None),
            (Some(-32020 | -32021), _) => Sign::Modern,
            (Some(_), _) | (None, Some(400 | 404 | 405)) => Sign::Refused,
            _ => Sign::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn a_failure_is_read_for_the_era() {
        let failure = |code: Option<i64>, status: Option<u16>, data: Value| {
            let mut failure = Failure::protocol("no");
            (failure.code, failure.status, failure.data) = (code.map(Value::from), status, Some(data));
            Sign::of(&failure)
        };
        let modern = json!({ "supported": ["2026-07-28", "2025-11-25"] });
        let rows = [
            (failure(Some(-32022), None, modern), Sign::Versions(Revision::find("2026-07-28"))),
            (failure(Some(-32602), None, json!({ "supported": ["2024-11-05"] })), {
                Sign::Versions(Revision::find("2024-11-05"))
            }),
            (failure(Some(-32022), None, json!({ "supported": ["2099-01-01"] })), Sign::Versions(None)),
            (failure(Some(-32022), None, Value::Null), Sign::Versions(None)),
            (failure(Some(-32020), None, Value::Null), Sign::Modern),
            (failure(Some(-32601), None, Value::Null), Sign::Refused),
            (failure(None, Some(404), Value::Null), Sign::Refused),
            (failure(None, Some(503), Value::Null), Sign::Nothing),
            (failure(None, Some(401), Value::Null), Sign::Nothing),
            (failure(None, None, Value::Null), Sign::Nothing),
        ];
        for (sign, expected) in rows {
            assert_eq!(sign, expected);
        }
    }

    #[test]
    fn the_flag_names_an_era_or_a_version() {
        assert_eq!(Protocol::read("modern").unwrap().revision().date, "2026-07-28");
        assert_eq!(Protocol::read("auto").unwrap().revision().date, "2025-11-25");
        assert_eq!(Protocol::read("2025-03-26").unwrap().revision().date, "2025-03-26");
        assert_eq!(Protocol::read("2026"), None);
    }
}
