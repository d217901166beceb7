//! `mcpcall request METHOD [JSON]`: any request, and its result as the server wrote it.

use super::Run;
use crate::context::Context;
use crate::failure::{Failure, Result};
use crate::output::content;
use crate::session::{Call, Session};
use serde_json::Value;

/// Reads the params, before a server is bothered.
///
/// # Errors
/// `usage`, when they are no JSON object.
pub(super) fn params(context: &Context, params: Option<&str>) -> Result<Option<Value>> {
    let Some(typed) = params else { return Ok(None) };
    let read = match typed.strip_prefix('@') {
        None if typed != "-" => Ok(typed.as_bytes().to_vec()),
        None | Some("-") => context.read_stdin(),
        Some(path) => std::fs::read(path),
    };
    let bytes = read.map_err(|e| Failure::usage(format!("{typed}: {e}")))?;
    let value: Value =
        serde_json::from_slice(&bytes).map_err(|e| Failure::usage(format!("the params are not JSON: {e}")))?;
    if !value.is_object() {
        return Err(Failure::usage("the params are not a JSON object"));
    }
    Ok(Some(value))
}

/// Makes the request and prints its result.
///
/// # Errors
/// As `Session::request`.
pub(super) async fn request(run: &Run<'_>, session: &Session, method: &str, params: Option<Value>) -> Result<()> {
    let tool = params.as_ref().filter(|_| method == "tools/call").and_then(|params| params.get("name")?.as_str());
    let result = session.request(Call { method, params: params.clone(), tool }).await;
    let result = result.map_err(|failure| run.explain(session, failure));
    run.screen.settle();
    let result = result?;
    // Printed as it is; bytes in it are kept all the same.
    let name = tool.unwrap_or(method);
    run.printer().print_json(name, &result, || content::of_any(&result))
}
