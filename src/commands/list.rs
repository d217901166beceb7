//! `mcpcall list`: what a server has, all pages of it.

use super::Run;
use crate::cli::What;
use crate::failure::{Failure, Result};
use crate::jsonrpc::Raw;
use crate::output::{listing, result};
use crate::session::{Call, Session};
use serde_json::{Value, json};

/// Lists, as lines or as the server's own JSON.
///
/// # Errors
/// As `Session::request`.
pub(super) async fn list(run: &Run<'_>, what: What) -> Result<()> {
    let (method, key, name_key) = match what {
        What::Tools => ("tools/list", "tools", "name"),
        What::Resources => ("resources/list", "resources", "uri"),
        What::Templates => ("resources/templates/list", "resourceTemplates", "uriTemplate"),
        What::Prompts => ("prompts/list", "prompts", "name"),
    };
    let session = run.connect().await?;
    let pages = pages(&session, method, key).await;
    session.close().await;
    let pages = pages?;
    if run.cli.output.json {
        // One page is printed as the server wrote it; several become one list in one object.
        return match pages.as_slice() {
            [only] => run.stdout().text(only.raw.get()),
            _ => run.stdout().text(&result::pretty(&json!({ key: items(&pages) }))),
        };
    }
    let items = items(&pages);
    if items.is_empty() {
        run.screen.line(&format!("mcpcall: the server has no {key}"));
        return Ok(());
    }
    run.stdout().text(&listing::items(&items, name_key))
}

/// One page of a list.
pub(super) struct Page {
    raw: Raw,
    items: Vec<Value>,
}

fn items(pages: &[Page]) -> Vec<Value> {
    pages.iter().flat_map(|page| page.items.iter().cloned()).collect()
}

/// Follows `nextCursor` to the end; a cursor that comes again ends the list with a warning.
async fn pages(session: &Session, method: &str, key: &str) -> Result<Vec<Page>> {
    let (mut pages, mut seen) = (Vec::new(), Vec::<Value>::new());
    loop {
        let (page, next) = page(session, method, key, seen.last()).await?;
        pages.push(page);
        let Some(next) = next else { return Ok(pages) };
        if seen.contains(&next) {
            session.warn(&format!("{method}: the cursor {next} came twice; the list may be incomplete"));
            return Ok(pages);
        }
        seen.push(next);
    }
}

/// One page, and the cursor of the next. Only an absent or null cursor ends a list; an empty one does not.
async fn page(session: &Session, method: &str, key: &str, cursor: Option<&Value>) -> Result<(Page, Option<Value>)> {
    let params = cursor.map(|cursor| json!({ "cursor": cursor }));
    let raw = session.request(Call { method, params, tool: None }).await?;
    let mut value = raw.value().map_err(|e| Failure::protocol(format!("{method}: the result cannot be read: {e}")))?;
    let items = match value.get_mut(key).map(Value::take) {
        Some(Value::Array(items)) => items,
        _ => return Err(Failure::protocol(format!("{method}: the result has no list \"{key}\"")).detail(excerpt(&raw))),
    };
    let next = value.get("nextCursor").filter(|cursor| !cursor.is_null()).cloned();
    Ok((Page { raw, items }, next))
}

fn excerpt(raw: &Raw) -> String {
    raw.get().chars().take(300).collect()
}

/// Looks a tool up, page by page until it is found; gives it, and the names seen.
///
/// # Errors
/// As `Session::request`.
pub(super) async fn find_tool(session: &Session, name: &str) -> Result<(Option<Value>, Vec<String>)> {
    let (mut names, mut seen) = (Vec::new(), Vec::<Value>::new());
    loop {
        let (page, next) = page(session, "tools/list", "tools", seen.last()).await?;
        for tool in page.items {
            match tool.get("name").and_then(Value::as_str) {
                Some(found) if found == name => return Ok((Some(tool), names)),
                Some(other) => names.push(other.to_owned()),
                None => {}
            }
        }
        match next {
            Some(next) if !seen.contains(&next) => seen.push(next),
            _ => return Ok((None, names)),
        }
    }
}
