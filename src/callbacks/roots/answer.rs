//! What an `"on": "roots"` entry of an answer file says.

use super::Root;
use crate::answers::mistake::Wrong;
use crate::answers::place::step;
use crate::answers::{Entry, KindSpec};
use serde_json::Value;

/// The keys of this kind.
pub(crate) const SPEC: KindSpec = KindSpec { on: "roots", match_keys: &[], clause_keys: &["roots"], check };

fn check(entry: &mut Entry) -> Result<(), Wrong> {
    if entry.matching.has_message() {
        return Err(Wrong::new("/match/message", "never holds: a request for roots has no message"));
    }
    match (entry.clause.get("roots"), &entry.error) {
        (None, None) => Err(Wrong::new("", "needs \"roots\" or \"error\"")),
        (Some(_), Some(_)) => Err(Wrong::new("", "has \"roots\" and \"error\"; one of them")),
        (Some(_), None) => roots(entry).map(drop),
        (None, Some(_)) => Ok(()),
    }
}

/// The roots an entry gives: URIs, or objects with `uri` and `name`.
pub(super) fn roots(entry: &Entry) -> Result<Vec<Root>, Wrong> {
    let list = entry.clause.get("roots").and_then(Value::as_array);
    let list = list.ok_or_else(|| Wrong::new("/roots", "is not a list"))?;
    list.iter().enumerate().map(|(at, item)| root(item).map_err(|wrong| wrong.below(&format!("/roots/{at}")))).collect()
}

fn root(item: &Value) -> Result<Root, Wrong> {
    let (uri, name) = match item {
        Value::String(uri) => (uri, None),
        Value::Object(object) => {
            if let Some(key) = object.keys().find(|key| !matches!(key.as_str(), "uri" | "name")) {
                return Err(Wrong::new(step(key), "unknown key (known: uri, name)"));
            }
            match (object.get("uri"), object.get("name")) {
                (_, Some(name)) if !name.is_string() => return Err(Wrong::new("/name", "is not a string")),
                (Some(Value::String(uri)), name) => (uri, name.and_then(Value::as_str).map(str::to_owned)),
                _ => return Err(Wrong::new("", "needs a string \"uri\"")),
            }
        }
        _ => return Err(Wrong::new("", "is neither a URI nor an object with \"uri\"")),
    };
    if !uri.starts_with("file://") {
        return Err(Wrong::new("", format!("`{uri}` is no file:// URI")));
    }
    Ok(Root { uri: uri.clone(), name })
}
