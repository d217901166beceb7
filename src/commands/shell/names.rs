//! What the server has, by name, for completion. Listed in the background, and again when the server says that it changed.

use crate::callbacks::notifications::Level;
use crate::callbacks::roots::Folders;
use crate::cli::{What, shell};
use crate::commands::Run;
use crate::commands::completions::candidates;
use crate::commands::completions::line::{Line, Quoting};
use crate::context::Context;
use crate::session::Session;
use crate::session::host::{Event, Host};
use crate::session::pager::{Catalogue, PROMPTS, Pager, RESOURCES, TOOLS};
use crate::sync::lock;
use crate::terminal::command_line::Completion;
use clap::ValueEnum;
use serde_json::Value;
use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

/// Requests that need no more than their name, or are often made.
const METHODS: &[&str] = &[
    "completion/complete",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "tools/call",
    "tools/list",
];

/// The names.
#[derive(Default)]
pub(super) struct Names {
    lists: Mutex<Lists>,
    /// Told when they are to be listed again.
    pub(super) changed: Notify,
}

#[derive(Default)]
struct Lists {
    tools: Vec<Value>,
    prompts: Vec<Value>,
    resources: Vec<Value>,
    /// The tools are all that the server has now.
    is_known: bool,
}

impl Names {
    /// Hears a notification.
    pub(super) fn hear(self: &Arc<Self>) -> impl Fn(&str) + Send + Sync + 'static {
        let names = self.clone();
        move |method| {
            if method.ends_with("/list_changed") {
                names.changed.notify_one();
            }
        }
    }

    /// Lists what there is, now and whenever it has changed. Never returns.
    pub(super) async fn keep(&self, run: &Run<'_>, session: &Session) {
        loop {
            let capabilities = session.server().capabilities;
            // A server of 2026-07-28 that was not asked has told of none.
            let has = |name: &str| capabilities.is_empty() || capabilities.contains_key(name);
            if has("tools") {
                let tools = list(run, session, &TOOLS).await;
                let mut lists = lock(&self.lists);
                lists.is_known = tools.is_some();
                lists.tools = tools.unwrap_or(std::mem::take(&mut lists.tools));
            }
            if has("prompts")
                && let Some(prompts) = list(run, session, &PROMPTS).await
            {
                lock(&self.lists).prompts = prompts;
            }
            if has("resources")
                && let Some(resources) = list(run, session, &RESOURCES).await
            {
                lock(&self.lists).resources = resources;
            }
            self.changed.notified().await;
        }
    }

    /// Whether the server lists other tools, but not this one.
    pub(super) fn lacks(&self, tool: &str) -> bool {
        let lists = lock(&self.lists);
        lists.is_known && !names(&lists.tools, "name").iter().any(|name| name == tool)
    }

    /// What may follow a text.
    pub(super) fn complete(&self, text: &str, folders: &Folders) -> Completion {
        let line = Line::read(text, "", Quoting::Bare, &Context::default());
        let start = text.len() - line.typed.iter().map(|piece| piece.typed.len_utf8()).sum::<usize>();
        let word = line.word();
        let (before, flag) = without_flags(&line.words[..line.at]);
        let lists = lock(&self.lists);
        let options = match before.as_slice() {
            _ if flag == Some("--out") => folders_like(word),
            _ if flag.is_some() => Vec::new(),
            [] => [shell::verbs(), names(&lists.tools, "name")].concat(),
            ["help"] => shell::verbs(),
            ["call" | "show"] => names(&lists.tools, "name"),
            ["list"] => What::value_variants()
                .iter()
                .filter_map(|what| Some(what.to_possible_value()?.get_name().to_owned()))
                .collect(),
            ["log"] => Level::value_variants().iter().map(|level| level.word().to_owned()).collect(),
            ["root"] => ["add", "list", "remove"].map(str::to_owned).to_vec(),
            ["root", "add"] => folders_like(word),
            ["root", "remove"] => folders.all().into_iter().map(|root| root.name.unwrap_or(root.uri)).collect(),
            ["request"] => METHODS.iter().map(|method| (*method).to_owned()).collect(),
            ["read"] => names(&lists.resources, "uri"),
            ["prompt"] => names(&lists.prompts, "name"),
            ["prompt", prompt, given @ ..] => prompt_arguments(find(&lists.prompts, prompt), given),
            ["call", tool, given @ ..] => arguments(find(&lists.tools, tool), given, word),
            [verb, ..] if shell::verbs().iter().any(|known| known == verb) => Vec::new(),
            [tool, given @ ..] => arguments(find(&lists.tools, tool), given, word),
        };
        let mut seen = HashSet::new();
        let fits = |option: &&String| option.starts_with(word) && seen.insert((*option).clone());
        let options = options.iter().filter(fits).map(|option| quoted(option)).collect();
        Completion { start, options }
    }
}

/// The words that are no flags and no values of flags, and the flag whose value comes next.
fn without_flags(words: &[String]) -> (Vec<&str>, Option<&str>) {
    let (mut rest, mut flag) = (Vec::new(), None);
    for word in words {
        if flag.take().is_some() {
        } else if word.starts_with("--") {
            flag = shell::takes_value(word).then_some(word.as_str());
        } else {
            rest.push(word.as_str());
        }
    }
    (rest, flag)
}

/// An option as it is typed. One that would need a quote amid the word is typed with a backslash instead.
fn quoted(option: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:=@%+,{}?&#~".contains(c);
    let mut quoted = String::new();
    for c in option.chars() {
        if !is_plain(c) {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted
}

/// A whole list; where it cannot be had, that is no reason to complain aloud.
async fn list(run: &Run<'_>, session: &Session, catalogue: &Catalogue) -> Option<Vec<Value>> {
    let (mut pager, mut items) = (Pager::new(session, catalogue), Vec::new());
    loop {
        match pager.next().await {
            Ok(Some(page)) => items.extend(page.items),
            Ok(None) => return Some(items),
            Err(failure) => {
                let what = format!("{} for completion: {}", catalogue.method, failure.message);
                run.registry.event(Event::Note(&what));
                return None;
            }
        }
    }
}

fn names(items: &[Value], key: &str) -> Vec<String> {
    items.iter().filter_map(|item| item.get(key)?.as_str().map(str::to_owned)).collect()
}

fn find<'a>(items: &'a [Value], name: &str) -> Option<&'a Value> {
    items.iter().find(|item| item.get("name").is_some_and(|found| found == name))
}

/// Names of arguments that are not given yet, or what the one that is being typed may be.
fn arguments(tool: Option<&Value>, given: &[&str], word: &str) -> Vec<String> {
    let Some(schema) = tool.and_then(|tool| tool.get("inputSchema")) else { return Vec::new() };
    let given = given.iter().filter_map(|word| word.split(['=', ':']).next()).map(str::to_owned).collect();
    let found = candidates::arguments(schema, &given, word);
    found.iter().filter_map(|found| found.get_value().to_str().map(str::to_owned)).collect()
}

fn prompt_arguments(prompt: Option<&Value>, given: &[&str]) -> Vec<String> {
    let arguments = prompt.and_then(|prompt| prompt.get("arguments")?.as_array());
    let names = arguments.into_iter().flatten().filter_map(|argument| argument.get("name")?.as_str());
    names.filter(|name| !is_given(given, name)).map(|name| format!("{name}=")).collect()
}

fn is_given(given: &[&str], name: &str) -> bool {
    given.iter().any(|word| word.split(['=', ':']).next() == Some(name))
}

/// Folders that a path may go on with; `NAME=` stays.
fn folders_like(word: &str) -> Vec<String> {
    let (name, path) = word.split_once('=').map_or(("", word), |(name, path)| (&word[..name.len() + 1], path));
    let (folder, _) = path.rsplit_once('/').map_or(("", path), |(folder, rest)| (&path[..folder.len() + 1], rest));
    let entries = std::fs::read_dir(if folder.is_empty() { "." } else { folder }).into_iter().flatten().flatten();
    let entries = entries.filter(|entry| entry.path().is_dir());
    entries.filter_map(|entry| Some(format!("{name}{folder}{}/", entry.file_name().to_str()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn options(text: &str) -> Vec<String> {
        let tool = json!({ "name": "print", "inputSchema": { "properties": {
            "bold": { "type": "boolean" }, "size": { "enum": ["small", "large one", "large two"] },
            "ink": { "oneOf": [{ "const": "red" }, { "const": "blue" }] } }, "required": ["size"] } });
        let prompt = json!({ "name": "greet", "arguments": [{ "name": "who" }, { "name": "how" }] });
        let lists = Lists {
            tools: vec![tool, json!({ "name": "list" }), json!(7)],
            prompts: vec![prompt],
            resources: vec![json!({ "uri": "res://a b" })],
            is_known: true,
        };
        let names = Names { lists: Mutex::new(lists), changed: Notify::new() };
        let folders = Folders::new(&["/".into(), "src=src".into()], |_| {}).unwrap();
        names.complete(text, &folders).options
    }

    #[test]
    fn what_may_follow_is_what_the_server_has() {
        let cases: [(&str, &[&str]); 24] = [
            ("pri", &["print"]),
            ("li", &["list"]),
            ("q", &["quit"]),
            ("call l", &["list"]),
            ("print ", &["size=", "bold=", "ink="]),
            ("print size=small --json ", &["bold=", "ink="]),
            ("print size:=1 b", &["bold="]),
            ("call print size=s", &["size=small"]),
            ("print size=l", &["size=large\\ one", "size=large\\ two"]),
            ("print size=large\\ o", &["size=large\\ one"]),
            ("print 'size=large t", &["size=large\\ two"]),
            ("print size=\"large one\" ", &["bold=", "ink="]),
            ("--out pictures pri", &["print"]),
            ("print --select /a --out=x size=s", &["size=small"]),
            ("print --select s", &[]),
            ("print --out src/com", &["src/commands/"]),
            ("print size=$HOME; ink=r", &["ink=red"]),
            ("print bold=", &["bold=true", "bold=false"]),
            ("print ink=", &["ink=red", "ink=blue"]),
            ("nope ", &[]),
            ("list re", &["resources"]),
            ("log e", &["error", "emergency"]),
            ("root remove ", &["file:///", "src"]),
            ("info ", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(options(text), expected, "{text}");
        }
        assert!(options("root add s").contains(&"src/".to_owned()));
        assert!(options("root add n=src/com").contains(&"n=src/commands/".to_owned()));
    }
}
