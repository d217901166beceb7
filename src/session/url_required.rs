//! The error -32042 of 2025-11-25: a request that can only be met once the person has visited some URLs. Each is put
//! to the host like an elicitation; after consent and the visits the request is made again (client/elicitation).

use super::Call;
use super::core::Core;
use super::host::{Ask, Reply, current_call};
use crate::failure::{Failure, Result};
use crate::jsonrpc::RequestId;
use crate::sync::lock;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// How often one request is offered again.
pub(super) const MAX_ROUNDS: usize = 10;

/// Whether the failure asks for URLs to be visited, and they all were: then the request is worth making again.
///
/// # Errors
/// `interrupted` and `terminated`.
pub(super) async fn consented(core: &Core, call: &Call<'_>, failure: &Failure) -> Result<bool> {
    let Some(wanted) = wanted(failure) else { return Ok(false) };
    let mut last = None;
    let mut ids = Vec::new();
    for params in wanted {
        ids.extend(params.get("elicitationId").and_then(Value::as_str).map(str::to_owned));
        let ask = ask(core, call, params.clone());
        let accepted = tokio::select! {
            reply = core.host.answer(ask.clone()) => matches!(reply, Reply::Result(result) if result["action"] == "accept"),
            stopped = core.options.stop.stopped() => return Err(stopped),
        };
        if !accepted {
            return Ok(false);
        }
        last = Some(ask);
    }
    let Some(ask) = last else { return Ok(false) };
    tokio::select! {
        finished = core.host.finished(&ask, &ids) => Ok(finished),
        stopped = core.options.stop.stopped() => Err(stopped),
    }
}

/// The URL elicitations in the error's data; `None` when it is another error or its data is no such list.
fn wanted(failure: &Failure) -> Option<&Vec<Value>> {
    failure.code.as_ref().filter(|code| **code == -32042)?;
    let list = failure.data.as_ref()?.get("elicitations")?.as_array()?;
    // All are to be of mode url; anything else is no answer to give away.
    let all_urls = !list.is_empty() && list.iter().all(|item| item.get("mode").is_some_and(|mode| mode == "url"));
    all_urls.then_some(list)
}

/// There is no request of the server to answer, so the ask has an id of its own that goes nowhere.
fn ask(core: &Core, call: &Call<'_>, params: Value) -> Ask {
    Ask {
        id: RequestId::from(&json!(params.get("elicitationId"))),
        method: "elicitation/create".into(),
        params,
        tool: call.tool.map(str::to_owned),
        call: current_call(),
        key: None,
        round: None,
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

    #[test]
    fn only_a_list_of_elicitations_is_put_to_the_person() {
        let failure = |code: i64, data: Value| {
            let mut failure = Failure::protocol("no");
            (failure.code, failure.data) = (Some(code.into()), Some(data));
            failure
        };
        let list = json!({ "elicitations": [{ "mode": "url" }] });
        assert!(wanted(&failure(-32042, list.clone())).is_some());
        for failure in [
            failure(-32000, list),
            failure(-32042, json!({ "elicitations": [] })),
            failure(-32042, json!("x")),
            failure(-32042, json!({ "elicitations": [{ "mode": "form" }] })),
        ] {
            assert!(wanted(&failure).is_none(), "{failure:?}");
        }
    }
}
