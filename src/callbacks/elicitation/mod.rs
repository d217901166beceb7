//! Elicitation: the server asks the person, with a form or with a URL to open (client/elicitation). Answered, in
//! this order, by the answer file, by `--answer`, and then as `--on-elicit` says: at the terminal by default.

pub(crate) mod answer;
pub(crate) mod flags;
mod form_mode;
mod url_mode;
pub(crate) mod ways;

use super::desk::{Desk, about};
use super::{Callback, Speaking, Spoken};
use crate::answers::Entry;
use crate::failure::{Failure, Kind};
use crate::form::{self, Form};
use crate::session::host::{Ask, Capability, Event, Raw, Reply, RpcError};
use flags::{OnElicit, Open};
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use tokio::sync::watch;
use url_mode::Place;

/// The handler of this run.
pub(crate) struct Elicitation {
    desk: Arc<Desk>,
    /// Values for fields by name: the short form of the answer file, and `--answer`, which wins.
    values: Map<String, Value>,
    /// Whether the short form was given, which may also be `{}`.
    has_short_form: bool,
    otherwise: OnElicit,
    open: Open,
    /// The URL questions that came, by elicitation id: where they lead.
    visits: Mutex<HashMap<String, String>>,
    /// The ids that the server has reported complete.
    completed: watch::Sender<HashSet<String>>,
}

/// A question, understood.
pub(crate) enum Question {
    /// `mode: form`.
    Form {
        /// The text.
        message: String,
        /// The fields.
        form: Box<Form>,
    },
    /// `mode: url`.
    Url {
        /// The text.
        message: String,
        /// What to open, as sent.
        url: String,
        /// Where it leads; `None` when it is no address of the web.
        host: Option<String>,
    },
}

impl Elicitation {
    /// The handler; `otherwise` has been settled by what the run has: `Prompt` only where there is a person.
    pub(crate) fn new(
        desk: Arc<Desk>,
        short_form: Option<Map<String, Value>>,
        answers: Map<String, Value>,
        otherwise: OnElicit,
        open: Open,
    ) -> Self {
        let has_short_form = short_form.is_some();
        let mut values = short_form.unwrap_or_default();
        values.extend(answers);
        let completed = watch::Sender::new(HashSet::new());
        Elicitation { desk, values, has_short_form, otherwise, open, visits: Mutex::default(), completed }
    }

    async fn reply(&self, ask: &Ask) -> Spoken {
        let question = match Question::read(&ask.params) {
            Ok(question) => question,
            Err(why) => {
                self.note_malformed(ask, &why);
                return Spoken::by_nobody(RpcError::new(-32602, why));
            }
        };
        // `{}` means form only (2025-11-25 client/elicitation).
        let modes = ask.declared.get("elicitation").and_then(Value::as_object);
        let mode = question.mode();
        if !modes.is_some_and(|modes| modes.contains_key(mode) || mode == "form" && modes.is_empty()) {
            self.note_unanswered(ask, &question);
            return Spoken::by_nobody(RpcError::new(-32602, format!("{mode} elicitation was not declared")));
        }
        if let Question::Url { url, host, .. } = &question {
            let Some(host) = host else { return self.no_web_address(ask, url) };
            self.note_visit(ask, host);
        }
        if let Question::Form { form, .. } = &question {
            form.notes.iter().for_each(|note| (self.desk.show)(Event::Note(note)));
        }
        if let Some((at, entry)) = self.desk.ledger.take("elicitation", |entry| answer::fits(entry, ask, &question)) {
            return self.by_entry(at, entry, ask, &question).await;
        }
        match &question {
            Question::Form { message, form } => self.by_form(ask, &question, message, form).await,
            Question::Url { message, url, host } => {
                let place = Place { url, host: host.as_deref().unwrap_or_default() };
                self.by_url(ask, &question, message, &place).await
            }
        }
    }

    async fn by_entry(&self, at: usize, entry: &Entry, ask: &Ask, question: &Question) -> Spoken {
        if let Err((code, message)) = entry.begin().await {
            return Spoken::by_entry(at, Reply::Error(RpcError::new(code, message)));
        }
        let flag = |key: &str| entry.clause.get(key).is_some_and(|value| value == true || value == "defaults");
        let action = entry.clause.get("action").and_then(Value::as_str).unwrap_or_default();
        let reply = match question {
            Question::Form { form, .. } if action == "accept" => {
                let given = entry.clause.get("content").and_then(Value::as_object).cloned().unwrap_or_default();
                match form_mode::complete(form, &given, flag("fill")) {
                    _ if flag("invalid") => accept(given),
                    Ok(content) => accept(content),
                    Err(why) => return self.by_misfit(at, ask, question, (form, &given, flag("fill")), &why),
                }
            }
            Question::Url { url, .. } if action == "accept" => {
                self.open_prepared(url);
                say(action)
            }
            _ => say(action),
        };
        Spoken::by_entry(at, reply)
    }

    /// An entry fits a form that its content does not. Where the form requires more than the entry knows of, it is the
    /// form that is new: nobody has answered it, and the entry for it is at hand. Else it is the entry that is wrong.
    fn by_misfit(
        &self,
        at: usize,
        ask: &Ask,
        question: &Question,
        (form, given, fills): (&Form, &Map<String, Value>, bool),
        why: &str,
    ) -> Spoken {
        let lacking = form::lacking(form, given, fills);
        if lacking.is_empty() {
            let why = format!("entry {at} of the answer file (/answers/{at}) does not fit the form: {why}");
            return self.misfit(ask, &why);
        }
        let lacking = lacking.join(", ");
        let what = format!("{} asked{} for more than /answers/{at} has ({lacking})", ask.server, about(ask));
        let what = format!("{what} and nobody answered: {}", question.message());
        let stub = answer::stub(ask.tool.as_deref(), question, given);
        let hint = format!("this entry can take the place of /answers/{at}:");
        self.desk.unanswered(ask, what, &stub, &hint);
        Spoken::by_nobody(RpcError::new(-32603, "nobody answered the question"))
    }

    /// The modes that can be answered in this run.
    fn modes(&self) -> &'static [&'static str] {
        let no_urls = self.open == Open::Never && !self.desk.ledger.has("elicitation");
        if no_urls { &["form"] } else { &["form", "url"] }
    }

    /// An answer that was given does not fit the question: the user's mistake, exit 2.
    fn misfit(&self, ask: &Ask, why: &str) -> Spoken {
        self.desk.fail(ask, Failure::usage(why));
        Spoken::by_nobody(RpcError::new(-32603, "the prepared answer does not fit the question"))
    }

    fn nobody(&self, ask: &Ask, question: &Question) -> Spoken {
        self.note_unanswered(ask, question);
        Spoken::by_nobody(RpcError::new(-32603, "nobody answered the question"))
    }

    fn note_malformed(&self, ask: &Ask, why: &str) {
        let what = format!("{} asked{} a malformed question, which was refused: {why}", ask.server, about(ask));
        let excerpt: String = ask.params.to_string().chars().take(300).collect();
        self.desk.fail(ask, Failure::new(Kind::Unanswered, what).detail(excerpt));
    }

    fn note_unanswered(&self, ask: &Ask, question: &Question) {
        let what = format!("{} asked{} and nobody answered: {}", ask.server, about(ask), question.message());
        let hint = "run it at a terminal, or put this entry into the \"answers\" of a file for --auto-answer:";
        let given = match question {
            Question::Form { form, .. } => form.pick(&self.values),
            Question::Url { .. } => Map::new(),
        };
        self.desk.unanswered(ask, what, &answer::stub(ask.tool.as_deref(), question, &given), hint);
    }
}

impl Callback for Elicitation {
    fn name(&self) -> &'static str {
        "elicitation"
    }

    fn method(&self) -> &'static str {
        "elicitation/create"
    }

    fn capability(&self) -> Option<Capability> {
        let has_values = self.has_short_form || !self.values.is_empty() || self.desk.ledger.has("elicitation");
        (has_values || self.otherwise != OnElicit::Fail).then(|| Capability {
            name: "elicitation".into(),
            detail: self.modes().iter().map(|mode| ((*mode).to_owned(), json!({}))).collect(),
        })
    }

    fn whole(&self) -> Capability {
        let detail = ["form", "url"].iter().map(|mode| ((*mode).to_owned(), json!({}))).collect();
        Capability { name: self.name().into(), detail }
    }

    fn unsupported(&self) -> RpcError {
        RpcError::new(-32600, "Elicitation not supported")
    }

    fn unanswered(&self, ask: &Ask) {
        match Question::read(&ask.params) {
            Ok(question) => self.note_unanswered(ask, &question),
            Err(why) => self.note_malformed(ask, &why),
        }
    }

    fn remedy(&self) -> &'static str {
        "run it at a terminal, or give --auto-answer FILE or --answer FIELD=VALUE"
    }

    fn message(&self, ask: &Ask) -> String {
        ask.params.get("message").and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    fn answer<'a>(&'a self, ask: &'a Ask) -> Speaking<'a> {
        Box::pin(self.reply(ask))
    }

    fn hear(&self, method: &str, params: Option<&Raw>) -> bool {
        method == "notifications/elicitation/complete" && self.note_complete(params)
    }

    fn finished<'a>(&'a self, ask: &'a Ask, ids: &'a [String]) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        Box::pin(self.visited(ask, ids))
    }
}

impl Question {
    /// Reads the params; a missing `mode` means form.
    ///
    /// # Errors
    /// One line, when they are no elicitation.
    pub(crate) fn read(params: &Value) -> Result<Self, String> {
        let message = match params.get("message") {
            Some(Value::String(message)) => message.clone(),
            None => String::new(),
            Some(other) => return Err(format!("message is not a string: {other}")),
        };
        match params.get("mode").unwrap_or(&Value::Null) {
            Value::Null => Self::read_form(params, message),
            Value::String(mode) if mode == "form" => Self::read_form(params, message),
            Value::String(mode) if mode == "url" => match params.get("url") {
                Some(Value::String(url)) => Ok(Question::Url { message, url: url.clone(), host: url_mode::host(url) }),
                _ => Err("url is missing or not a string".into()),
            },
            other => Err(format!("unknown elicitation mode {other}")),
        }
    }

    fn read_form(params: &Value, message: String) -> Result<Self, String> {
        match params.get("requestedSchema") {
            Some(schema @ Value::Object(_)) => Ok(Question::Form { message, form: Box::new(Form::new(schema)) }),
            Some(other) => Err(format!("requestedSchema is not an object: {other}")),
            None => Err("requestedSchema is missing".into()),
        }
    }

    fn message(&self) -> &str {
        match self {
            Question::Form { message, .. } | Question::Url { message, .. } => message,
        }
    }

    fn mode(&self) -> &'static str {
        match self {
            Question::Form { .. } => "form",
            Question::Url { .. } => "url",
        }
    }

    fn url(&self) -> Option<&str> {
        match self {
            Question::Form { .. } => None,
            Question::Url { url, .. } => Some(url),
        }
    }

    fn host(&self) -> Option<&str> {
        match self {
            Question::Form { .. } => None,
            Question::Url { host, .. } => host.as_deref(),
        }
    }

    fn field_names(&self) -> Vec<&str> {
        match self {
            Question::Form { form, .. } => form.fields().iter().map(|field| field.name.as_str()).collect(),
            Question::Url { .. } => Vec::new(),
        }
    }
}

/// An accepted form. `content` is always there, if only `{}`; a decline or cancel never has one.
fn accept(content: Map<String, Value>) -> Reply {
    Reply::Result(json!({ "action": "accept", "content": content }))
}

/// An action without content.
fn say(action: &str) -> Reply {
    Reply::Result(json!({ "action": action }))
}
