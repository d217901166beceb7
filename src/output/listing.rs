//! Lists of what a server has, one line each.

use crate::jsonrpc::Raw;
use crate::terminal::line::{columns, fit, wrap};
use crate::terminal::sanitize::{Lines, visible};
use serde_json::{Value, json};

/// The widest column of names; what is longer has a line of its own.
const COLUMN: usize = 32;

/// What each item is known by, and a line about it beside it, or below where there is no room; below that what a
/// prompt takes. At a terminal of so many columns a line has room there, but for what an item is known by, which is for
/// pasting; elsewhere nothing is cut.
pub(crate) fn items(items: &[Value], id: &str, width: Option<usize>) -> String {
    let one_line = |text: &str| visible(text, Lines::One).into_owned();
    let name = |item: &Value| text(item, id).map_or_else(|| item.to_string(), str::to_owned);
    let names: Vec<String> = items.iter().map(|item| one_line(&name(item))).collect();
    let widths = names.iter().map(|name| columns(name));
    let column = widths.filter(|width| *width <= COLUMN).max().unwrap_or(0);
    let mut lines = Vec::new();
    for (item, name) in items.iter().zip(&names) {
        let about = one_line(&about(item, id));
        let beside = column >= columns(name);
        let indent = if beside { column + 2 } else { 4 };
        // Of a narrow terminal something is left for words.
        let room = width.map_or(usize::MAX, |width| width.max(indent + 20) - indent);
        match about.as_str() {
            "" => lines.push(name.clone()),
            about if beside => {
                let blank = " ".repeat(column - columns(name));
                lines.push(format!("{name}{blank}  {}", fit(about, room)));
            }
            about => lines.extend([name.clone(), format!("    {}", fit(about, room))]),
        }
        if let Some(arguments) = arguments(item) {
            let arguments = wrap(&one_line(&arguments), room);
            lines.extend(arguments.iter().map(|line| format!("{}{line}", " ".repeat(indent))));
        }
    }
    lines.join("\n")
}

fn text<'a>(item: &'a Value, key: &str) -> Option<&'a str> {
    item.get(key).and_then(Value::as_str)
}

/// "README (text/markdown, 2.1 kB): The first page", as far as the server says; of what has a name anyway the first line
/// of its description.
fn about(item: &Value, id: &str) -> String {
    let first = |key: &str| text(item, key)?.lines().map(str::trim).find(|line| !line.is_empty());
    let description = first("description");
    if id == "name" {
        return description.or_else(|| first("title")).unwrap_or_default().to_owned();
    }
    let name = first("title").or_else(|| first("name")).filter(|name| text(item, id) != Some(name));
    let facts = [first("mimeType").map(str::to_owned), item.get("size").and_then(Value::as_u64).map(size)];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    let facts = if facts.is_empty() { String::new() } else { format!("({})", facts.join(", ")) };
    let head: Vec<&str> = [name.unwrap_or_default(), &facts].into_iter().filter(|part| !part.is_empty()).collect();
    match (head.join(" "), description) {
        (head, None) => head,
        (head, Some(description)) if head.is_empty() => description.to_owned(),
        (head, Some(description)) => format!("{head}: {description}"),
    }
}

/// What a prompt takes, as it is typed: "city=… [state=…]".
fn arguments(item: &Value) -> Option<String> {
    let arguments = item.get("arguments")?.as_array()?;
    let typed = arguments.iter().filter_map(|argument| {
        let name = text(argument, "name")?;
        let required = argument.get("required") == Some(&Value::Bool(true));
        Some(if required { format!("{name}=…") } else { format!("[{name}=…]") })
    });
    Some(typed.collect::<Vec<_>>().join(" ")).filter(|typed| !typed.is_empty())
}

/// A number of bytes for people.
fn size(bytes: u64) -> String {
    let units = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    match units.into_iter().find(|(unit, _)| bytes as f64 >= *unit) {
        Some((unit, name)) => format!("{:.1} {name}", bytes as f64 / unit),
        None => format!("{bytes} bytes"),
    }
}

/// Values one a line, texts as they are.
pub(crate) fn values(values: &[Value]) -> String {
    let line = |value: &Value| match value {
        Value::String(text) => text.replace(['\n', '\r'], " "),
        other => other.to_string(),
    };
    values.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Roots, one a line: the URI, and the name where it has one.
pub(crate) fn roots<'a>(roots: impl Iterator<Item = (Option<&'a str>, &'a str)>) -> String {
    let lines = roots.map(|(name, uri)| name.map_or_else(|| uri.to_owned(), |name| format!("{uri}  {name}")));
    lines.collect::<Vec<_>>().join("\n")
}

/// The same as the server is told of them.
pub(crate) fn roots_json<'a>(roots: impl Iterator<Item = (Option<&'a str>, &'a str)>) -> String {
    let roots = roots.map(|(name, uri)| match name {
        Some(name) => json!({ "uri": uri, "name": name }),
        None => json!({ "uri": uri }),
    });
    json!({ "roots": roots.collect::<Vec<Value>>() }).to_string()
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

    #[test]
    fn names_are_aligned_and_odd_items_shown() {
        let list = [
            json!({"name": "add", "description": "\n  Adds two numbers.\nMore."}),
            json!({"name": "issue_card", "title": "Issue"}),
            json!({"name": "日本", "title": "wide"}),
            json!({"name": "bare"}),
            json!(7),
        ];
        let expected = "add         Adds two numbers.\nissue_card  Issue\n日本        wide\nbare\n7";
        assert_eq!(items(&list, "name", Some(80)), expected);
    }

    #[test]
    fn a_long_name_is_whole_and_nothing_else_is_wider_than_a_terminal() {
        let uri = format!("file:///{}", "x".repeat(100));
        let list = [
            json!({"uri": uri, "name": "x", "description": "y".repeat(200)}),
            json!({"uri": "a:b", "name": "a:b", "mimeType": "text/plain", "size": 2100, "description": "Short"}),
            json!({"uri": "a:c", "title": "C", "name": "c", "size": 7}),
            json!({"uri": "a:d", "size": "?", "mimeType": 1}),
        ];
        let listed = items(&list, "uri", Some(80));
        let lines: Vec<&str> = listed.lines().collect();
        assert_eq!((lines[0], columns(lines[1])), (uri.as_str(), 80));
        assert!(items(&list, "uri", Some(100)).lines().nth(1).is_some_and(|line| columns(line) == 100));
        assert!(items(&list, "uri", None).contains(&format!("    x: {}\n", "y".repeat(200))));
        assert_eq!(lines[2..], ["a:b  (text/plain, 2.1 kB): Short", "a:c  C (7 bytes)", "a:d"]);
    }

    #[test]
    fn a_prompt_shows_what_it_takes() {
        let list = [
            json!({"name": "p", "description": "About", "arguments": [
                {"name": "city", "required": true}, {"name": "state"}, {"nameless": 1}, 7]}),
            json!({"name": "q", "arguments": []}),
            json!({"name": "r", "arguments": "odd"}),
        ];
        assert_eq!(items(&list, "name", None), "p  About\n   city=… [state=…]\nq\nr");
    }
}
