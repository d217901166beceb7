//! Rounds of 2026-07-28: a request that ends with questions is made again with their answers, under a new id, until it ends
//! for good. The questions go to the same `Host` as those of the handshake era.

use super::Call;
use super::core::Core;
use super::era::round::{KINDS, Question, Retry, Round};
use super::host::{Ask, Event, Reply, current_call};
use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::RequestId;
use crate::sync::lock;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Where a request stands that has ended with questions.
#[derive(Debug, Clone)]
pub(crate) struct Standing {
    /// What is asked.
    pub(crate) round: Round,
    /// For the how-manieth time, from 1.
    pub(crate) number: usize,
    /// How many of these times asked nothing but to be called again.
    pub(crate) n_empty: usize,
}

impl Standing {
    /// The first round, or the one after `before`.
    pub(super) fn next(round: Round, before: Option<&Standing>) -> Self {
        let (number, n_empty) = before.map_or((0, 0), |before| (before.number, before.n_empty));
        let n_empty = n_empty + usize::from(round.is_empty());
        Standing { round, number: number + 1, n_empty }
    }

    /// Whether there have been more rounds of either sort than allowed.
    pub(super) fn is_beyond(&self, max_rounds: usize) -> bool {
        self.number - self.n_empty > max_rounds || self.n_empty > max_rounds
    }
}

/// The first pause before a request that was only to be made again, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// How long to wait before the `n`-th time, from 1: longer each time, and not in step with other clients.
fn pause(n: usize) -> Duration {
    let whole = PAUSES.0.saturating_mul(1 << n.saturating_sub(1).min(16)).min(PAUSES.1);
    whole.mul_f64(0.5 + fastrand::f64() / 2.0)
}

/// Answers a round.
///
/// # Errors
/// `unanswered`, when a question was refused: there is no way to tell the server, so the request ends here;
/// `interrupted` and `terminated`.
pub(super) async fn answer(core: &Arc<Core>, call: &Call<'_>, at: &Standing) -> Result<Retry> {
    let Standing { round, number, n_empty } = at;
    core.host.event(Event::Note(&format!("round {number}: the server asks for {}", round.gist())));
    let state = round.state.clone();
    if round.is_empty() {
        return tokio::select! {
            () = tokio::time::sleep(pause(*n_empty)) => Ok(Retry { responses: None, state }),
            stopped = core.options.stop.stopped() => Err(stopped),
        };
    }
    if round.questions.len() > core.options.max_asks as usize {
        return Err(core.flooded(call.method));
    }
    let mut replies = vec![None; round.questions.len()];
    for kind in KINDS {
        put(core, call, round, *number, kind, &mut replies).await?;
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
        asking.spawn(async move { (at, reply(&core, ask).await) });
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
async fn reply(core: &Core, ask: Ask) -> Reply {
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
        call: current_call(),
        key: Some(question.key.clone()),
        round: Some(number),
        protocol: lock(&core.era).date(),
        declared: lock(&core.declared).clone(),
        server: core.server_name(),
        withdrawn: CancellationToken::new(),
        pause: core.pause.clone(),
    }
}
