//! `mcpcall ping`: how long the server takes to say that it is there.

use super::Run;
use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::Raw;
use crate::session::{Call, Session};
use serde_json::Value;
use std::time::{Duration, Instant};

/// The pause between two pings.
const PAUSE: Duration = Duration::from_secs(1);

/// Pings so often and prints the time that each takes.
///
/// # Errors
/// `timeout`, when no answer comes within `--timeout`, else `--connect-timeout`; and as `Session::request`.
pub(super) async fn ping(run: &Run<'_>, session: &Session, count: u64) -> Result<()> {
    let is_modern = session.revision().is_some_and(|revision| revision.is_modern);
    let method = if is_modern { "server/discover" } else { "ping" };
    if is_modern && !run.cli.output.quiet {
        run.screen.line("mcpcall: 2026-07-28 has no ping; server/discover is asked instead");
    }
    // What the first answer of all may take, the start of a server included, is not what is asked for.
    session.prove().await?;
    let address = run.target.address();
    for n in 0..count {
        if n > 0 {
            tokio::select! {
                () = tokio::time::sleep(PAUSE) => {}
                stopped = run.stop.stopped() => return Err(stopped),
            }
        }
        let begin = Instant::now();
        let result = within(run, session.request(Call { method, params: None, tool: None }), method).await?;
        let ms = begin.elapsed().as_secs_f64() * 1000.0;
        run.screen.settle();
        let goes_on = match run.cli.output.json {
            true => {
                let head = format!(r#"{{"ms":{ms:.3},"method":{}"#, Value::from(method));
                run.stdout().each_json(&format!(r#"{head},"result":{}}}"#, result.on_one_line()))?
            }
            false => run.stdout().more_text(&format!("{address} answered in {ms:.1} ms"))?,
        };
        if !goes_on {
            break;
        }
    }
    Ok(())
}

/// Nobody waits for ever for a ping, not even at a terminal.
async fn within(run: &Run<'_>, work: impl Future<Output = Result<Raw>>, method: &str) -> Result<Raw> {
    if run.timeout.is_some() {
        return work.await;
    }
    let limit = run.cli.connection.connect_timeout;
    let late = |_| {
        let what = format!("no answer to {method} within {} s", limit.as_secs_f64());
        Failure::new(Kind::Timeout, what).hint("--timeout SECONDS waits longer")
    };
    tokio::time::timeout(limit, work).await.map_err(late)?
}
