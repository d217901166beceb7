//! What the server answers, whatever carries it.

use crate::Options;
use crate::json::{at, member};
use std::fmt::Write as _;
use std::io::Result;
use std::sync::atomic::{AtomicU64, Ordering};

/// A piece of a message that may be long.
pub enum Part<'a> {
    Text(&'a str),
    /// A text so many times.
    Times(&'a str, usize),
}

impl Part<'_> {
    pub fn len(&self) -> usize {
        match self {
            Part::Text(text) => text.len(),
            Part::Times(text, times) => text.len() * times,
        }
    }
}

/// The way back to the client while one of its requests is answered.
pub trait Client {
    /// Sends a message before the answer; it may wait in a buffer.
    fn tell(&mut self, message: &str) -> Result<()>;
    /// Sends a request whose id is the string `id`, and waits for the client's answer to it.
    fn ask(&mut self, id: &str, message: &str) -> Result<String>;
    /// Sends the answer.
    fn answer(&mut self, message: &[Part]) -> Result<()>;
}

/// The first text of what `big` returns, as JSON writes it: lines of a log, quotes among them.
const LINE: &str = r#"2026-11-30T12:00:00Z INFO  parcel accepted at the counter, weight 512 g, \"fragile\"\n"#;

/// Answers a request, an object with an id.
pub fn answer(request: &str, options: Options, client: &mut dyn Client) -> Result<()> {
    let id = member(request, "id").unwrap_or("null");
    let result = |result: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#);
    let answered = match member(request, "method").unwrap_or_default().trim_matches('"') {
        "initialize" => result(&initialize(at(request, &["params", "protocolVersion"]))),
        "ping" | "logging/setLevel" => result("{}"),
        "tools/list" => result(&list(options.more_tools)),
        "tools/call" => return call(request, id, client),
        _ => format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32601,"message":"Method not found"}}}}"#),
    };
    client.answer(&[Part::Text(&answered)])
}

fn initialize(wanted: Option<&str>) -> String {
    let known = ["\"2024-11-05\"", "\"2025-03-26\"", "\"2025-06-18\"", "\"2025-11-25\""];
    let version = wanted.filter(|version| known.contains(version)).unwrap_or("\"2025-11-25\"");
    format!(
        r#"{{"protocolVersion":{version},"capabilities":{{"tools":{{}},"logging":{{}}}},"serverInfo":{{"name":"bench","version":"1.0.0"}}}}"#
    )
}

fn list(more: usize) -> String {
    let mut tools = String::from(concat!(
        r#"{"tools":[{"name":"echo","description":"Gives the text back","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}},"#,
        r#"{"name":"ask","description":"Asks for a name","inputSchema":{"type":"object","properties":{}}},"#,
        r#"{"name":"asks","description":"Asks for a name n times","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}},"#,
        r#"{"name":"big","description":"A text of so many megabytes","inputSchema":{"type":"object","properties":{"megabytes":{"type":"integer"}}}},"#,
        r#"{"name":"logs","description":"Logs n messages, then answers","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}"#,
    ));
    for number in 0..more {
        let _ = write!(
            tools,
            concat!(
                r#",{{"name":"tool_{:04}","title":"Tool {}","description":"Looks a parcel up by its number and says where it was seen last, and when.","#,
                r#""inputSchema":{{"type":"object","properties":{{"parcel":{{"type":"string","description":"The number on the label","minLength":4}},"#,
                r#""days":{{"type":"integer","description":"How far back to look","minimum":1,"maximum":90,"default":7}},"#,
                r#""detail":{{"type":"string","enum":["short","full"]}}}},"required":["parcel"]}},"annotations":{{"readOnlyHint":true}}}}"#
            ),
            number, number
        );
    }
    tools.push_str("]}");
    tools
}

fn call(request: &str, id: &str, client: &mut dyn Client) -> Result<()> {
    let argument = |name: &str| at(request, &["params", "arguments", name]);
    let count = |name: &str, otherwise: usize| argument(name).and_then(|text| text.parse().ok()).unwrap_or(otherwise);
    let head = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"#);
    let head = Part::Text(&head);
    let tail = Part::Text("}]}}");
    let tool = at(request, &["params", "name"]).unwrap_or_default().trim_matches('"');
    let text = match tool {
        "echo" => argument("text").filter(|text| text.starts_with('"')).unwrap_or("\"\"").to_owned(),
        "ask" => format!("\"Hello, {}.\"", ask(client, 1)?),
        "asks" => {
            let n = count("n", 1);
            let mut name = String::new();
            for number in 1..=n {
                name = ask(client, number)?;
            }
            format!("\"{n} answers, the last is {name}.\"")
        }
        "big" => {
            // As near to whole megabytes as the lines go, written in blocks of a megabyte.
            let block = LINE.repeat((1 << 20) / LINE.len());
            let times = count("megabytes", 50);
            return client.answer(&[head, Part::Text("\""), Part::Times(&block, times), Part::Text("\""), tail]);
        }
        "logs" => {
            let n = count("n", 1);
            let mut message = String::new();
            for number in 0..n {
                message.clear();
                let _ = write!(
                    message,
                    r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"info","logger":"bench","data":"parcel {number} accepted"}}}}"#
                );
                client.tell(&message)?;
            }
            format!("\"{n} logged.\"")
        }
        _ => {
            let error = format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32602,"message":"Unknown tool"}}}}"#);
            return client.answer(&[Part::Text(&error)]);
        }
    };
    client.answer(&[head, Part::Text(&text), tail])
}

/// Asks for a name; the text between the quotes of the answer, or `nobody`.
fn ask(client: &mut dyn Client, number: usize) -> Result<String> {
    // Over HTTP the answers to all calls come in at one door.
    static ASKED: AtomicU64 = AtomicU64::new(1);
    let id = format!("ask-{}", ASKED.fetch_add(1, Ordering::Relaxed));
    let message = format!(
        concat!(
            r#"{{"jsonrpc":"2.0","id":"{}","method":"elicitation/create","params":{{"message":"Who is number {}?","#,
            r#""requestedSchema":{{"type":"object","properties":{{"name":{{"type":"string","title":"Name"}}}},"required":["name"]}}}}}}"#
        ),
        id, number
    );
    let answer = client.ask(&id, &message)?;
    Ok(at(&answer, &["result", "content", "name"]).unwrap_or("nobody").trim_matches('"').to_owned())
}
