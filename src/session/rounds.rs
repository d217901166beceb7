//! Rounds (multi round-trip requests, 2026-07-28 basic/patterns/mrtr): a request that ends with questions is made again
//! with their answers, under a new id, until it ends for good. The questions go to the same `Host` as those of the
//! handshake era.

use super::Call;
use super::core::{Core, lock};
use super::host::{Ask, Event, Reply};
use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::{Raw, RequestId};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// What a server wants to know before it goes on.
#[derive(Debug, Clone)]
pub(crate) struct Round {
    /// The questions, in the server's order.
    questions: Vec<Question>,
    /// `requestState` as its JSON text, which goes back as it is.
    state: Option<Raw>,
    /// The whole result, as sent.
    pub(crate) raw: Raw,
}

/// One entry of `inputRequests`.
#[derive(Debug, Clone)]
struct Question {
    key: String,
    method: String,
    params: Value,
}

/// The kinds of question a round may hold, in the order in which they are put: first what needs nobody, last what costs.
const KINDS: &[&str] = &["roots/list", "elicitation/create", "sampling/createMessage"];

impl Round {
    /// Reads a result of type `input_required`.
    ///
    /// # Errors
    /// One line, when it breaks the rules.
    pub(crate) fn read(result: &Raw) -> Result<Round, String> {
        let [requests, state] = result
            .members(&["inputRequests", "requestState"])
            .map_err(|e| e.to_string())?
            .map(|member| member.filter(|raw| raw.get() != "null"));
        let requests = requests.as_ref().map_or(Ok(Value::Null), Raw::value);
        let questions = match requests.map_err(|e| format!("has inputRequests that cannot be read: {e}"))? {
            Value::Null => Vec::new(),
            Value::Object(requests) => {
                requests.into_iter().map(|(key, request)| Question::read(key, request)).collect::<Result<_, _>>()?
            }
            other => return Err(format!("has inputRequests that are not an object: {other}")),
        };
        if questions.is_empty() && state.is_none() {
            return Err("asks for input, but has neither inputRequests nor requestState".into());
        }
        Ok(Round { questions, state, raw: result.clone() })
    }

    /// What is asked, in a few words.
    pub(crate) fn gist(&self) -> String {
        let asked: Vec<String> =
            self.questions.iter().map(|question| format!("{} ({})", question.method, question.key)).collect();
        if asked.is_empty() { "nothing, only to be called again".to_owned() } else { asked.join(", ") }
    }
}

impl Question {
    fn read(key: String, request: Value) -> Result<Self, String> {
        let Some(method) = request.get("method").and_then(Value::as_str) else {
            return Err(format!("has an input request without method: {key}"));
        };
        if !KINDS.contains(&method) {
            return Err(format!("has an input request of unknown method: {key} ({method})"));
        }
        let (method, params) = (method.to_owned(), request.get("params").cloned().unwrap_or_default());
        Ok(Question { key, method, params })
    }
}

/// What a request carries when it answers a round.
#[derive(Debug, Clone, Default)]
pub(crate) struct Retry {
    /// Answers by key; absent when nothing was asked.
    responses: Option<Map<String, Value>>,
    /// The state as JSON text.
    state: Option<Raw>,
}

impl Retry {
    /// The params that only a retry has.
    pub(crate) const KEYS: [&str; 2] = ["inputResponses", "requestState"];

    /// The text of these params with ours put in; the state stays byte for byte what it was.
    pub(crate) fn join(&self, params: &Value) -> String {
        let mut text = params.to_string();
        let Some('}') = text.pop() else { return params.to_string() };
        let responses = self.responses.as_ref().map(|responses| Value::from(responses.clone()).to_string());
        let members = [responses.as_deref(), self.state.as_ref().map(Raw::get)];
        for (key, member) in Self::KEYS.iter().zip(members) {
            if let Some(member) = member {
                let comma = if text == "{" { "" } else { "," };
                text.push_str(&format!("{comma}\"{key}\":{member}"));
            }
        }
        text + "}"
    }
}

/// The first pause before a request that was only to be made again, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// Answers a round, the `number`-th of its request.
///
/// # Errors
/// `unanswered`, when a question was refused: there is no way to tell the server, so the request ends here;
/// `interrupted` and `terminated`.
pub(super) async fn answer(core: &Arc<Core>, call: &Call<'_>, round: &Round, number: usize) -> Result<Retry> {
    core.host.event(Event::Note(&format!("round {number}: the server asks for {}", round.gist())));
    let state = round.state.clone();
    if round.questions.is_empty() {
        let pause = PAUSES.0.saturating_mul(1 << number.min(16)).min(PAUSES.1);
        return tokio::select! {
            () = tokio::time::sleep(pause) => Ok(Retry { responses: None, state }),
            stopped = core.options.stop.stopped() => Err(stopped),
        };
    }
    let mut replies = vec![None; round.questions.len()];
    for kind in KINDS {
        put(core, call, round, number, kind, &mut replies).await?;
    }
    let keys = round.questions.iter().map(|question| question.key.clone());
    let responses = keys.zip(replies).filter_map(|(key, reply)| Some((key, reply?))).collect();
    Ok(Retry { responses: Some(responses), state })
}

/// Puts the questions of one kind, at the same time: who is asked sees how many there are.
async fn put(
    core: &Arc<Core>,
    call: &Call<'_>,
    round: &Round,
    number: usize,
    kind: &str,
    replies: &mut [Option<Value>],
) -> Result<()> {
    let mut asking = JoinSet::new();
    for (at, question) in round.questions.iter().enumerate().filter(|(_, question)| question.method == kind) {
        let (core, ask) = (core.clone(), ask(core, call, question, number));
        asking.spawn(async move { (at, settled(&core, ask).await) });
    }
    loop {
        let joined = tokio::select! {
            joined = asking.join_next() => joined,
            stopped = core.options.stop.stopped() => return Err(stopped),
        };
        match joined {
            None => return Ok(()),
            Some(Ok((at, Reply::Result(result)))) => replies[at] = Some(result),
            // Those still being put are withdrawn as the set is dropped.
            Some(Ok((at, Reply::Error(error)))) => {
                let question = &round.questions[at];
                let (method, key, date) = (&question.method, &question.key, lock(&core.era).date().unwrap_or_default());
                return Err(Failure::new(
                    Kind::Unanswered,
                    format!("{} asked {method} ({key}), and it was refused: {}", core.server_name(), error.message),
                )
                .hint(format!("in {date} a refusal cannot be told to the server, so the call ends here")));
            }
            Some(Err(error)) => return Err(Failure::new(Kind::Internal, format!("a question was lost: {error}"))),
        }
    }
}

/// The reply to a question; one that sends the person to a URL counts once the visit is over.
async fn settled(core: &Core, ask: Ask) -> Reply {
    let reply = core.host.answer(ask.clone()).await;
    let is_visit = ask.params.get("mode").is_some_and(|mode| mode == "url");
    match &reply {
        Reply::Result(result) if is_visit && result["action"] == "accept" && !core.host.finished(&ask, &[]).await => {
            Reply::Result(json!({ "action": "cancel" }))
        }
        _ => reply,
    }
}

fn ask(core: &Core, call: &Call<'_>, question: &Question, number: usize) -> Ask {
    Ask {
        id: RequestId::from(&Value::from(question.key.as_str())),
        method: question.method.clone(),
        params: question.params.clone(),
        tool: call.tool.map(str::to_owned),
        key: Some(question.key.clone()),
        round: Some(number),
        protocol: lock(&core.era).date(),
        declared: lock(&core.declared).clone(),
        server: core.server_name(),
        withdrawn: CancellationToken::new(),
        pause: core.pause.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Round, String> {
        Round::read(&Raw::new(text.to_owned()))
    }

    #[test]
    fn a_round_is_read_or_refused() {
        let round = read(
            r#"{"requestState":"s","inputRequests":{"b":{"method":"roots/list"},"a":{"method":"elicitation/create","params":{"message":"?"}}}}"#,
        )
        .unwrap();
        assert_eq!(round.gist(), "roots/list (b), elicitation/create (a)");
        assert!(read(r#"{"inputRequests":{},"requestState":"s"}"#).is_ok());
        for text in [
            "{}",
            r#"{"inputRequests":{}}"#,
            r#"{"inputRequests":null,"requestState":null}"#,
            r#"{"inputRequests":[],"requestState":"s"}"#,
            r#"{"inputRequests":{"a":{}}}"#,
            r#"{"inputRequests":{"a":7}}"#,
            r#"{"inputRequests":{"a":{"method":"ping"}}}"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_state_goes_back_byte_for_byte() {
        let state = r#""\ud800 \u00e9 é \/ 9007199254740993""#;
        let round = read(&format!(r#"{{"requestState":{state}}}"#)).unwrap();
        let responses = json!({ "k": { "roots": [] } }).as_object().cloned();
        let retry = Retry { responses, state: round.state };
        let expected = format!(r#"{{"name":"t","inputResponses":{{"k":{{"roots":[]}}}},"requestState":{state}}}"#);
        assert_eq!(retry.join(&json!({ "name": "t" })), expected);
        assert_eq!(Retry::default().join(&json!({})), "{}");
    }
}
