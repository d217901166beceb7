//! Which version to speak: what the user wants, and what a server's words mean for it. The steps stand in
//! `session::opening`.

use super::revision::Revision;
use crate::failure::Failure;
use serde_json::Value;

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

    /// Whether a version that the server names may be spoken instead of the one asked for.
    pub(crate) fn allows(self, revision: &Revision) -> bool {
        self == Protocol::Auto || revision.is_modern == self.revision().is_modern
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

/// The error that says that headers and body do not fit (2026-07-28 basic/transports/streamable-http).
pub(crate) const HEADER_MISMATCH: i64 = -32020;
/// The error of a server that needs a capability which was not declared (2026-07-28 basic).
pub(crate) const MISSING_CAPABILITY: i64 = -32021;
/// The error of a server that does not speak the version (2026-07-28 basic/versioning).
const UNSUPPORTED_VERSION: i64 = -32022;

/// What a failure says of the server's era.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// It lists its versions.
    Versions(Value),
    /// A code that only 2026-07-28 has.
    Modern,
    /// It does not know the method, or not without what its own era begins with.
    Refused,
    /// Nothing: it was busy, down, or wants credentials first. No reason to try another era.
    Nothing,
}

impl Sign {
    /// Reads a failure.
    pub(crate) fn of(failure: &Failure) -> Self {
        let listed = failure.data.as_ref().and_then(|data| data.get("supported")).filter(|listed| listed.is_array());
        match (failure.code.as_ref().and_then(Value::as_i64), failure.status, listed) {
            (Some(UNSUPPORTED_VERSION), _, Some(listed)) => Sign::Versions(listed.clone()),
            (Some(UNSUPPORTED_VERSION | HEADER_MISMATCH | MISSING_CAPABILITY), ..) => Sign::Modern,
            (_, Some(401 | 403 | 408 | 429 | 500..=599), _) => Sign::Nothing,
            (Some(_), ..) | (None, Some(400..=499), _) => Sign::Refused,
            _ => Sign::Nothing,
        }
    }

    /// Reads the failure of a handshake, whose page shows a list of versions under another code too.
    pub(crate) fn of_handshake(failure: &Failure) -> Self {
        let listed = failure.data.as_ref().and_then(|data| data.get("supported")).filter(|listed| listed.is_array());
        match listed {
            Some(listed) if failure.code.is_some() => Sign::Versions(listed.clone()),
            _ => Sign::of(failure),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_failure_is_read_for_the_era() {
        let failure = |code: Option<i64>, status: Option<u16>, data: Value| {
            let mut failure = Failure::protocol("no");
            (failure.code, failure.status, failure.data) = (code.map(Value::from), status, Some(data));
            failure
        };
        let listed = json!({ "supported": ["2024-11-05"] });
        let versions = || Sign::Versions(json!(["2024-11-05"]));
        let rows = [
            (failure(Some(-32022), Some(400), listed.clone()), versions(), versions()),
            // Other errors may have such data too; only a handshake's is about versions.
            (failure(Some(-32602), None, listed.clone()), Sign::Refused, versions()),
            (failure(None, Some(400), listed), Sign::Refused, Sign::Refused),
            (failure(Some(-32022), None, Value::Null), Sign::Modern, Sign::Modern),
            (failure(Some(-32020), None, Value::Null), Sign::Modern, Sign::Modern),
            (failure(Some(-32601), Some(404), Value::Null), Sign::Refused, Sign::Refused),
            (failure(Some(-32603), Some(503), Value::Null), Sign::Nothing, Sign::Nothing),
            (failure(None, Some(404), Value::Null), Sign::Refused, Sign::Refused),
            (failure(None, Some(406), Value::Null), Sign::Refused, Sign::Refused),
            (failure(None, Some(503), Value::Null), Sign::Nothing, Sign::Nothing),
            (failure(None, Some(401), Value::Null), Sign::Nothing, Sign::Nothing),
            (failure(None, None, Value::Null), Sign::Nothing, Sign::Nothing),
        ];
        for (failure, sign, of_handshake) in rows {
            assert_eq!(Sign::of(&failure), sign, "{failure:?}");
            assert_eq!(Sign::of_handshake(&failure), of_handshake, "{failure:?}");
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
