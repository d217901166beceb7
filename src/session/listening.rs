//! Being told of changes: `subscriptions/listen` (2026-07-28 basic/patterns/subscriptions), or in the handshake era
//! `resources/subscribe` and the standing stream.

use super::clock::Limits;
use super::pending::Ending;
use super::{Call, Session, refusal};
use crate::failure::{Failure, Result};
use crate::sync::lock;
use serde_json::{Value, json};

impl Session {
    /// Asks to be told of what changes, these resources included, and returns when the server ends that. What it tells
    /// goes to the host.
    ///
    /// # Errors
    /// `connect` when the stream breaks or there is none, `interrupted`, and as `request` when the server refuses.
    pub(crate) async fn listen(&self, uris: &[String]) -> Result<()> {
        if lock(&self.core.era).has_back_channel() {
            self.subscribe(uris).await
        } else {
            self.listen_modern(uris).await
        }
    }

    async fn listen_modern(&self, uris: &[String]) -> Result<()> {
        let method = "subscriptions/listen";
        // First, since this request has no answer that a limit could be set for.
        self.prove_before(method).await?;
        let params = json!({ "notifications": wanted(uris) });
        let call = Call { method, params: Some(params), tool: None };
        match self.core.exchange(&call, None, Limits::default()).await? {
            // With `notifications/cancelled` instead of a result: the pages differ on which it should be.
            (Ending::Delivered, _) => Ok(()),
            (ending, era) => {
                let (result, _) = self.core.result(method, ending)?;
                let odd =
                    |why: String| Failure::protocol(format!("{method}: the result {why}")).detail(result.excerpt());
                era.read(method, &result).map(drop).map_err(odd)
            }
        }
    }

    async fn subscribe(&self, uris: &[String]) -> Result<()> {
        for uri in uris {
            let params = Some(json!({ "uri": uri }));
            let subscribed = self.request(Call { method: "resources/subscribe", params, tool: None }).await;
            // A server that speaks both eras may offer this in the other one only.
            subscribed.map_err(|failure| match failure.code {
                Some(_) => failure.hint("--protocol modern may work"),
                None => failure,
            })?;
        }
        let ended = tokio::select! {
            ended = self.standing_stream() => ended,
            stopped = self.core.options.stop.stopped() => stopped,
        };
        Err(ended)
    }

    /// Returns when nothing can come any more, with why.
    async fn standing_stream(&self) -> Failure {
        let core = &self.core;
        let standing = lock(&core.standing).take();
        let ending = match standing {
            // stdio and HTTP+SSE tell everything on the way they tell all else.
            Some(receiver) if core.carrier == super::Carrier::Usual => tokio::select! {
                ending = receiver => ending.ok(),
                () = core.gone.cancelled() => None,
            },
            _ => {
                core.gone.cancelled().await;
                None
            }
        };
        match ending {
            Some(Ending::Refused { status, body, .. }) => {
                let words = refusal::words(status, &body);
                Failure::connect(format!("{} offers no stream to listen on: {words}", core.options.address))
            }
            Some(Ending::Lost { reason, .. }) => Failure::connect(format!("the stream broke: {reason}")),
            Some(_) => Failure::connect("the server ended the stream"),
            None => Failure::connect(core.closed.get().cloned().unwrap_or_else(|| "the connection is gone".into())),
        }
    }
}

/// What to ask for: every list, and these resources.
fn wanted(uris: &[String]) -> Value {
    let mut wanted = json!({ "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true });
    if !uris.is_empty() {
        wanted["resourceSubscriptions"] = json!(uris);
    }
    wanted
}
