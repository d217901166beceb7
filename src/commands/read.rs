//! `mcpcall read URI`: the contents of a resource.

use super::{Run, known};
use crate::failure::{Failure, Result};
use crate::output::{content, contents};
use crate::session::pager::{Catalogue, RESOURCES, Search, TEMPLATES};
use crate::session::{Call, Session};
use crate::words::nearest;
use serde_json::json;

const METHOD: &str = "resources/read";

/// What is kept is called so where it has no name of its own.
const NAME: &str = "resource";

/// Reads a resource and prints what is in it.
///
/// # Errors
/// `usage`, when it is binary and stdout is a terminal; and as `Session::request`.
pub(super) async fn read(run: &Run<'_>, session: &Session, uri: &str) -> Result<()> {
    let params = Some(json!({ "uri": uri }));
    let read = session.request(Call { method: METHOD, params, tool: None }).await;
    let result = match read {
        Ok(result) => result,
        Err(failure) => {
            let failure = run.explain(session, failure);
            return Err(explained(session, uri, failure).await);
        }
    };
    run.screen.settle();
    let printer = run.printer();
    if printer.json {
        return printer.print_json(NAME, &result, || content::of_any(&result));
    }
    let Some(blocks) = contents::blocks(&result) else {
        let what = format!("{METHOD}: the result has no list \"contents\"");
        return Err(Failure::protocol(what).detail(result.excerpt()));
    };
    if blocks.is_empty() && !run.cli.output.quiet {
        run.screen.line("mcpcall: the resource has no contents");
    }
    match printer.saver.is_some() || printer.canvas.is_some() {
        true => printer.print(NAME, &result, || blocks),
        false => contents::show(&printer.stdout, &blocks),
    }
}

/// What may be meant instead, where the server has answered with an error. Its code says little: -32002 and -32602 both
/// stand for a resource that is not there, and servers have others.
async fn explained(session: &Session, uri: &str, failure: Failure) -> Failure {
    if failure.code.is_none() {
        return failure;
    }
    if session.declares(RESOURCES.capability) == Some(false) {
        return failure.hint("the server does not declare that it has resources");
    }
    let Some(uris) = known::ids(session, &RESOURCES).await else { return failure };
    if uris.iter().any(|known| known == uri) {
        return failure;
    }
    if let Some(by_name) = by_name(session, uri).await {
        return failure.hint(format!("did you mean {by_name}?"));
    }
    match nearest(uri, uris.iter().map(String::as_str)) {
        Some(near) => failure.hint(format!("did you mean {near}?")),
        None => {
            let templates = known::ids(session, &TEMPLATES).await.unwrap_or_default();
            let lists: Vec<&str> = [("resources", !uris.is_empty()), ("templates", !templates.is_empty())]
                .into_iter()
                .filter_map(|(list, has_some)| has_some.then_some(list))
                .collect();
            match lists.is_empty() {
                true => failure.hint("the server lists no resources"),
                false => failure.hint(format!("mcpcall list {} says what there is", lists.join("|"))),
            }
        }
    }
}

/// The URI of the resource that is called so.
async fn by_name(session: &Session, name: &str) -> Option<String> {
    let named = Catalogue { id: "name", ..RESOURCES };
    match session.find(&named, name).await.ok()? {
        Search::Found { raw, .. } => raw.value().ok()?.get("uri")?.as_str().map(str::to_owned),
        Search::Unknown(_) => None,
    }
}
