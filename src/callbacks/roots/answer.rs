//! What an `"on": "roots"` entry of an answer file says.

use super::Root;
use crate::answers::mistake::Wrong;
use crate::answers::place::step;
use crate::answers::record::{Asked, Draft, Said, Scribe, exactly};
use crate::answers::{Entry, KindSpec};
use serde_json::{Map, Value};

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

/// How requests for roots are written down.
pub(crate) const SCRIBE: Scribe = Scribe { method: "roots/list", gist: |_| "roots/list".into(), draft };

fn draft(asked: &Asked<'_>, said: Option<Said<'_>>) -> Option<Draft> {
    let tool = asked.tool.map(|tool| ("tool".to_owned(), exactly(tool)));
    let draft = Draft::new(SPEC.on, Map::from_iter(tool));
    Some(match said {
        Some(Said::Error { code, message }) => draft.refusing(code, message),
        Some(Said::Result(result)) => {
            let roots = result.get("roots").and_then(Value::as_array).into_iter().flatten();
            // A root that is no more than its URI is written as such.
            let roots = roots.map(|root| match root.as_object() {
                Some(object) if object.len() == 1 => root.get("uri").unwrap_or(root).clone(),
                _ => root.clone(),
            });
            draft.with("roots", roots.collect::<Vec<_>>())
        }
        None => draft.with("roots", vec![Value::from("file:///")]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_entry_says_what_was_said() {
        let drafted = |said| Value::from(draft(&Asked { tool: Some("t"), params: &Value::Null }, said).unwrap().entry);
        let told = json!({ "roots": [{ "uri": "file:///a" }, { "uri": "file:///b", "name": "b" }] });
        let entry = drafted(Some(Said::Result(&told)));
        let expected = json!({ "on": "roots", "match": { "tool": "t" },
            "roots": ["file:///a", { "uri": "file:///b", "name": "b" }] });
        assert_eq!(entry, expected);
        assert_eq!(drafted(None)["roots"], json!(["file:///"]));
        assert_eq!(drafted(Some(Said::Error { code: 1, message: "no" }))["error"]["code"], 1);
    }
}
