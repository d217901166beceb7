//! What an `"on": "roots"` entry of an answer file says.

use super::Root;
use crate::answers::{Entry, KindSpec};
use serde_json::Value;

/// The keys of this kind.
pub(crate) const SPEC: KindSpec = KindSpec { on: "roots", match_keys: &[], clause_keys: &["roots"], check };

fn check(entry: &Entry) -> Result<(), String> {
    match (entry.clause.get("roots"), &entry.error) {
        (None, None) => Err("needs \"roots\" or \"error\"".into()),
        (Some(_), Some(_)) => Err("has \"roots\" and \"error\"; one of them".into()),
        (Some(_), None) => roots(entry).map(|_| ()),
        (None, Some(_)) => Ok(()),
    }
}

/// The roots an entry gives: URIs, or objects with `uri` and `name`.
pub(super) fn roots(entry: &Entry) -> Result<Vec<Root>, String> {
    let list = entry.clause.get("roots").and_then(Value::as_array).ok_or("roots is not a list")?;
    let root = |(at, item): (usize, &Value)| {
        let field = |key: &str| item.get(key).and_then(Value::as_str).map(str::to_owned);
        let (uri, name) = match item {
            Value::String(uri) => (Some(uri.clone()), None),
            _ => (field("uri"), field("name")),
        };
        let uri = uri.ok_or_else(|| format!("roots/{at} is neither a URI nor an object with \"uri\""))?;
        if !uri.starts_with("file://") {
            return Err(format!("roots/{at}: `{uri}` is no file:// URI"));
        }
        Ok(Root { uri, name })
    };
    list.iter().enumerate().map(root).collect()
}
