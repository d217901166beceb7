//! Sampling: the server asks for a message of a language model (client/sampling). Answered, in this order, by the
//! answer file and by `--sampling-cmd` or `--sampling-text`; a person at a terminal approves what these two say.

pub(crate) mod answer;
mod approve;
mod check;
mod command;
pub(crate) mod flags;

use super::desk::{Desk, about};
use super::{Callback, Speaking, Spoken};
use crate::answers::Entry;
use crate::failure::{Failure, Result};
use crate::session::host::{Ask, Capability, Event, Reply, RpcError};
use crate::terminal::sanitize::one_line;
use answer::Clause;
use command::{Ended, Program};
use flags::SamplingFlags;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The handler of this run.
pub(crate) struct Sampling {
    desk: Arc<Desk>,
    source: Option<Source>,
    model: String,
    /// The names of the sub-features to declare.
    details: Vec<&'static str>,
    /// Whether a person is to see what goes out and what comes back.
    approval: bool,
}

/// The code of a refusal in the user's name (client/sampling).
const REFUSED: i64 = -1;

/// What the flags answer with.
enum Source {
    Text(String),
    Command(Program),
}

impl Sampling {
    /// The handler that the flags describe.
    ///
    /// # Errors
    /// `usage`, when they contradict each other.
    pub(crate) fn new(desk: Arc<Desk>, flags: &SamplingFlags) -> Result<Self> {
        let source = match (&flags.sampling_cmd, &flags.sampling_text) {
            (Some(_), Some(_)) => {
                return Err(Failure::usage("--sampling-cmd and --sampling-text: one of them"));
            }
            (Some(line), None) if line.trim().is_empty() => return Err(Failure::usage("--sampling-cmd is empty")),
            (Some(line), None) => Some(Source::Command(Program::Shell(line.clone()))),
            (None, Some(text)) => Some(Source::Text(text.clone())),
            (None, None) => None,
        };
        let details = [(flags.sampling_tools, "tools"), (flags.sampling_context, "context")];
        let details: Vec<&str> = details.into_iter().filter_map(|(given, name)| given.then_some(name)).collect();
        if let (None, Some(name), false) = (&source, details.first(), desk.ledger.has("sampling")) {
            return Err(Failure::usage(format!("--sampling-{name}: nothing here answers sampling requests"))
                .hint("--sampling-cmd CMD does, or an \"on\": \"sampling\" entry of an answer file"));
        }
        let approval = desk.person.is_some() && !flags.yes_sampling;
        Ok(Sampling { desk, source, model: flags.sampling_model.clone(), details, approval })
    }

    async fn reply(&self, ask: &Ask) -> Spoken {
        let Some(params) = ask.params.as_object() else {
            return Spoken::by_nobody(RpcError::new(-32602, "params is not an object"));
        };
        let given = |key: &&str| params.get(*key).is_some_and(|value| !value.is_null());
        let declared = ask.declared.get("sampling").and_then(Value::as_object);
        if let Some(key) = ["tools", "toolChoice"].into_iter().find(given)
            && !declared.is_some_and(|details| details.contains_key("tools"))
        {
            let what = format!("a sampling request with {key} was refused: sampling.tools was not declared");
            (self.desk.show)(Event::Warning(&format!("{what} (--sampling-tools declares it)")));
            return Spoken::by_nobody(RpcError::new(
                -32602,
                format!("{key} was sent, but sampling.tools was not declared"),
            ));
        }
        let text = answer::text_of(&ask.params);
        if let Some((at, entry)) = self.desk.ledger.take("sampling", |entry| answer::fits(entry, ask, &text)) {
            return self.by_entry(at, entry, ask).await;
        }
        let made = match &self.source {
            None => return self.nobody(ask),
            Some(source) if self.approval => return self.by_person(ask, source).await,
            Some(source) => self.make(ask, source).await,
        };
        made.map_or_else(|error| self.failed(error), |result| Spoken::by_flags(Reply::Result(result)))
    }

    /// A command that refuses speaks for its user; a reply that cannot be used speaks for nobody.
    fn failed(&self, error: RpcError) -> Spoken {
        if error.code == REFUSED { Spoken::by_flags(Reply::Error(error)) } else { Spoken::by_nobody(error) }
    }

    async fn by_entry(&self, at: usize, entry: &Entry, ask: &Ask) -> Spoken {
        if let Err((code, message)) = entry.begin().await {
            return Spoken::by_entry(at, Reply::Error(RpcError::new(code, message)));
        }
        let model = entry.clause.get("model").and_then(Value::as_str).unwrap_or(&self.model);
        let name = format!("entry {at} of the answer file (/answers/{at})");
        let made = match answer::clause(entry) {
            Ok(Clause::Text(text)) => Ok(text_reply(text, model)),
            Ok(Clause::Result(result)) => self.checked(result.clone(), model, ask, &name),
            Ok(Clause::Command(program)) => self.run(&program, ask, model, &format!("the command of {name}")).await,
            // Checked when the file was read.
            Err(wrong) => Err(self.misfit(ask, &name, &wrong.why)),
        };
        match made {
            Ok(result) => Spoken::by_entry(at, Reply::Result(result)),
            Err(error) if error.code == REFUSED => Spoken::by_entry(at, Reply::Error(error)),
            Err(error) => Spoken::by_nobody(error),
        }
    }

    /// What the flags answer with.
    async fn make(&self, ask: &Ask, source: &Source) -> Result<Value, RpcError> {
        match source {
            Source::Text(text) => Ok(text_reply(text, &self.model)),
            Source::Command(program) => self.run(program, ask, &self.model, "the sampling command").await,
        }
    }

    /// What a program answers with: an object with `role` and `content` is a result, anything else is text.
    async fn run(&self, program: &Program, ask: &Ask, model: &str, name: &str) -> Result<Value, RpcError> {
        let printed = match command::run(program, ask, &self.desk.show).await {
            Ended::Printed(printed) => printed,
            Ended::Refused { status, why } => {
                let what = format!("exited with status {status}");
                (self.desk.show)(Event::Warning(&format!("{name} {what}: the request was refused")));
                return Err(RpcError::new(REFUSED, why.unwrap_or_else(|| format!("the sampling command {what}"))));
            }
            Ended::Broken(what) => {
                (self.desk.show)(Event::Warning(&format!("{name} {what}")));
                self.unanswered(ask);
                return Err(RpcError::new(-32603, format!("the sampling command {what}")));
            }
            Ended::NotStarted(why) => {
                self.desk.fail(ask, Failure::usage(format!("{name}: {why}")));
                return Err(RpcError::new(-32603, "the sampling command cannot be started"));
            }
        };
        let text = printed.trim_end_matches(['\n', '\r']);
        match serde_json::from_str(text) {
            Ok(Value::Object(result)) if result.contains_key("role") && result.contains_key("content") => {
                self.checked(result, model, ask, name)
            }
            _ => Ok(text_reply(text, model)),
        }
    }

    fn checked(&self, result: Map<String, Value>, model: &str, ask: &Ask, name: &str) -> Result<Value, RpcError> {
        let checked = check::result(result, model, ask.protocol)
            .and_then(|result| check::tools(&result, &ask.params).map(|()| result));
        checked.map_err(|why| self.misfit(ask, name, &why))
    }

    /// A reply that is no result: the user's mistake, exit 2.
    fn misfit(&self, ask: &Ask, name: &str, why: &str) -> RpcError {
        self.desk.fail(ask, Failure::usage(format!("the reply of {name} is no CreateMessageResult: {why}")));
        RpcError::new(-32603, "the reply at hand is no CreateMessageResult")
    }

    fn nobody(&self, ask: &Ask) -> Spoken {
        self.unanswered(ask);
        Spoken::by_nobody(RpcError::new(-32603, "nobody answered"))
    }
}

impl Callback for Sampling {
    fn name(&self) -> &'static str {
        "sampling"
    }

    fn method(&self) -> &'static str {
        "sampling/createMessage"
    }

    fn capability(&self) -> Option<Capability> {
        let can_answer = self.source.is_some() || self.desk.ledger.has("sampling");
        can_answer.then(|| Capability {
            name: self.name().into(),
            detail: self.details.iter().map(|name| ((*name).to_owned(), json!({}))).collect(),
        })
    }

    fn whole(&self) -> Capability {
        let detail = ["tools", "context"].iter().map(|name| ((*name).to_owned(), json!({}))).collect();
        Capability { name: self.name().into(), detail }
    }

    fn unsupported(&self) -> RpcError {
        RpcError::new(-32601, "Sampling not supported")
    }

    fn unanswered(&self, ask: &Ask) {
        let text = answer::text_of(&ask.params);
        let (about, said) = (about(ask), one_line(&text, 200));
        let what = format!("{} asked for sampling{about} and nobody answered: {said}", ask.server);
        let hint = "give --sampling-cmd or --sampling-text, or put this entry into the \"answers\" of a file for --auto-answer:";
        self.desk.unanswered(ask, what, &answer::stub(ask.tool.as_deref(), &text), hint);
    }

    fn remedy(&self) -> &'static str {
        "--sampling-cmd CMD or --sampling-text TEXT, with --sampling-tools or --sampling-context where that is required"
    }

    fn message(&self, ask: &Ask) -> String {
        answer::text_of(&ask.params)
    }

    fn answer<'a>(&'a self, ask: &'a Ask) -> Speaking<'a> {
        Box::pin(self.reply(ask))
    }
}

/// A result of one text block.
fn text_reply(text: &str, model: &str) -> Value {
    let content = json!({ "type": "text", "text": text });
    json!({ "role": "assistant", "content": content, "model": model, "stopReason": "endTurn" })
}

/// The blocks of a content, which is one block or a list of them.
fn blocks(content: Option<&Value>) -> &[Value] {
    match content {
        None => &[],
        Some(Value::Array(list)) => list,
        Some(one) => std::slice::from_ref(one),
    }
}
