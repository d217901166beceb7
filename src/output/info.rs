//! What a server is, for people and as JSON.

use super::result::pretty;
use crate::jsonrpc::Raw;
use crate::terminal::sanitize::{Lines, one_line, visible};
use serde_json::{Map, Value, json};

/// What was found out.
pub(crate) struct Told {
    /// How the server was reached.
    pub(crate) address: String,
    /// By which transport.
    pub(crate) transport: &'static str,
    /// Every version that was tried, newest first.
    pub(crate) versions: Vec<Version>,
    /// The result of `initialize`.
    pub(crate) legacy: Option<Raw>,
    /// The result of `server/discover`.
    pub(crate) modern: Option<Raw>,
}

/// A protocol version and whether it is spoken.
pub(crate) struct Version {
    /// Its date.
    pub(crate) date: &'static str,
    /// Whether it is spoken.
    pub(crate) answer: Spoken,
}

/// Whether a version is spoken.
pub(crate) enum Spoken {
    /// It is.
    Yes,
    /// It is not: what came instead.
    No(String),
    /// What came says nothing about it.
    Unknown(String),
}

/// How much of a refusal is shown.
const REASON: usize = 70;

/// The server's name and version, protocol versions, capabilities and instructions.
pub(crate) fn text(told: &Told) -> String {
    let (legacy, modern) = (read(told.legacy.as_ref()), read(told.modern.as_ref()));
    let (name, lines) = (name(&legacy, &modern), |text: &str| visible(text, Lines::One).into_owned());
    let mut text = format!("{}\n{}, {}\n\nProtocol versions\n", lines(&name), lines(&told.address), told.transport);
    for version in &told.versions {
        let answer = match &version.answer {
            Spoken::Yes => "yes".to_owned(),
            Spoken::No(why) => one_line(&format!("no: {why}"), REASON),
            Spoken::Unknown(why) => one_line(&format!("unknown: {why}"), REASON),
        };
        text.push_str(&format!("  {}  {answer}\n", version.date));
    }
    let (old, new) = (capabilities(&legacy), capabilities(&modern));
    match (&old, &new) {
        (Some(old), Some(new)) if old != new => {
            text.push_str(&listed("Capabilities in the handshake era", old));
            text.push_str(&listed("Capabilities in 2026-07-28", new));
        }
        (Some(any), _) | (None, Some(any)) => text.push_str(&listed("Capabilities", any)),
        (None, None) => {}
    }
    let instructions = [&modern, &legacy].into_iter().find_map(|value| value.get("instructions")?.as_str());
    if let Some(instructions) = instructions.map(str::trim).filter(|text| !text.is_empty()) {
        let instructions = visible(instructions, Lines::Many).replace('\n', "\n  ");
        text.push_str(&format!("\nInstructions\n  {instructions}\n"));
    }
    text
}

/// The same as one JSON object, the server's own results as they came.
pub(crate) fn json(told: &Told) -> String {
    let versions = told.versions.iter().map(|version| {
        let answer = match &version.answer {
            Spoken::Yes => json!({ "answers": true }),
            Spoken::No(why) => json!({ "answers": false, "reason": why }),
            Spoken::Unknown(why) => json!({ "answers": null, "reason": why }),
        };
        (version.date.to_owned(), answer)
    });
    let versions: Map<String, Value> = versions.collect();
    let head = json!({ "address": told.address, "transport": told.transport, "protocols": versions }).to_string();
    let raw = |raw: &Option<Raw>| raw.as_ref().map_or("null", |raw| raw.get()).to_owned();
    let head = head.strip_suffix('}').unwrap_or(&head);
    format!("{head},\"legacy\":{},\"modern\":{}}}", raw(&told.legacy), raw(&told.modern))
}

fn read(raw: Option<&Raw>) -> Value {
    raw.and_then(|raw| raw.value().ok()).unwrap_or_default()
}

/// "name version (title)", as far as the server says.
fn name(legacy: &Value, modern: &Value) -> String {
    let infos = [modern.pointer("/_meta/io.modelcontextprotocol~1serverInfo"), legacy.get("serverInfo")];
    let info = infos.into_iter().flatten().next().unwrap_or(&Value::Null);
    let field = |key: &str| info.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let version = field("version").map_or_else(String::new, |version| format!(" {version}"));
    let title = field("title").map_or_else(String::new, |title| format!(" ({title})"));
    format!("{}{version}{title}", field("name").unwrap_or("A server without a name"))
}

/// Each capability with its sub-features; `None` when the server did not say.
fn capabilities(result: &Value) -> Option<Vec<(String, String)>> {
    let capabilities = result.get("capabilities")?.as_object()?;
    let detail = |value: &Value| match value {
        Value::Object(detail) => {
            let is_on = |value: &&Value| !matches!(value, Value::Bool(false) | Value::Null);
            let names = detail.iter().filter(|(_, value)| is_on(value)).map(|(name, _)| name.as_str());
            names.collect::<Vec<_>>().join(", ")
        }
        other => pretty(other),
    };
    let mut listed: Vec<(String, String)> =
        capabilities.iter().map(|(name, value)| (name.clone(), detail(value))).collect();
    listed.sort();
    Some(listed)
}

fn listed(title: &str, capabilities: &[(String, String)]) -> String {
    let column = capabilities.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).min(40);
    let mut text = format!("\n{title}\n");
    if capabilities.is_empty() {
        text.push_str("  none\n");
    }
    for (name, detail) in capabilities {
        let line = format!("  {name:column$}  {detail}");
        text.push_str(&format!("{}\n", visible(line.trim_end(), Lines::One)));
    }
    text
}
