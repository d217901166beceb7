//! Lists of what a server has, one line each.

use crate::jsonrpc::Raw;
use crate::terminal::line::fit;
use crate::terminal::sanitize::{Lines, visible};
use serde_json::Value;

/// How wide a listing may get: the width people have, in pipes too.
const WIDTH: usize = 100;

/// One line an item: its name, padded, and the first line of its description.
pub(crate) fn items(items: &[Value], name_key: &str) -> String {
    let field = |item: &Value, key: &str| item.get(key).and_then(Value::as_str).map(str::to_owned);
    let name = |item: &Value| field(item, name_key).unwrap_or_else(|| item.to_string());
    let names: Vec<String> = items.iter().map(|item| visible(&name(item), Lines::One).into_owned()).collect();
    let column = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(40);
    let lines = items.iter().zip(&names).map(|(item, name)| {
        let about = field(item, "description").or_else(|| field(item, "title")).unwrap_or_default();
        let about = about.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let line = format!("{name:column$}  {about}");
        fit(line.trim_end(), WIDTH)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A notification as one line: its method and params.
pub(crate) fn notification(method: &str, params: Option<&Raw>) -> String {
    let params = params.map_or_else(String::new, |raw| format!(" {}", raw.get()));
    format!("{method}{params}").replace(['\n', '\r'], " ")
}

/// The same as JSON, the params as the server wrote them.
pub(crate) fn notification_json(method: &str, params: Option<&Raw>) -> String {
    let params = params.map_or("null", Raw::get).replace(['\n', '\r'], " ");
    format!(r#"{{"method":{},"params":{params}}}"#, Value::from(method))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_are_aligned_and_odd_items_shown() {
        let list = [
            json!({"name": "add", "description": "\n  Adds two numbers.\nMore."}),
            json!({"name": "issue_card", "title": "Issue"}),
            json!({"name": "bare"}),
            json!(7),
        ];
        let expected = "add         Adds two numbers.\nissue_card  Issue\nbare\n7";
        assert_eq!(items(&list, "name"), expected);
    }
}
