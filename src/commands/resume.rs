//! `mcpcall resume FILE`: goes on with a call that was put down.

use super::check::Definition;
use super::state::State;
use super::{Run, call};
use crate::cli::EndingArgs;
use crate::cli::connection::Speak;
use crate::failure::{Failure, Kind, Result};
use crate::session::era::negotiate::Protocol;
use crate::session::pager::{Search, TOOLS};
use crate::session::{Call, Session};

/// Answers what the call was put down at, and goes on from there.
///
/// # Errors
/// As a call.
pub(super) async fn resume(run: &Run<'_>, state: State, ending: &EndingArgs) -> Result<()> {
    match run.cli.connection.protocol {
        Speak::One(protocol) if protocol.allows(state.revision) => {}
        _ => {
            return Err(Failure::usage(format!(
                "the call was put down in {}, and goes on in that",
                state.revision.date
            )));
        }
    }
    if ending.stop_on_input {
        run.registry.put_down();
    }
    let session = run.connect_in(Protocol::Exactly(state.revision)).await?;
    let outcome = resume_on(run, &session, state, ending).await;
    session.close().await;
    outcome
}

async fn resume_on(run: &Run<'_>, session: &Session, state: State, ending: &EndingArgs) -> Result<()> {
    // For the headers that the tool wants; the call itself was checked when it began.
    let found = match session.find(&TOOLS, &state.tool).await {
        Ok(Search::Found { raw, left_out: None }) => raw.value().ok(),
        Err(failure) if failure.kind != Kind::Protocol => return Err(failure),
        _ => None,
    };
    let call = Call { method: "tools/call", params: Some(state.params), tool: Some(&state.tool) };
    let result = call::make(run, session, &call, Some(state.at), ending).await?;
    let known = found.as_ref().map_or(Definition::Unknown, Definition::Known);
    call::show(run, session, &state.tool, known, &result, ending)
}
