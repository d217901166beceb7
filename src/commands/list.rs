//! `mcpcall list`: what a server has, all pages of it.

use super::Run;
use crate::cli::What;
use crate::failure::{Failure, Result};
use crate::jsonrpc::Raw;
use crate::output::{listing, result};
use crate::session::{Call, Session};
use serde_json::{Value, json};
use std::collections::HashSet;

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
            [only] => run.stdout().json(only.raw.get()),
            _ => run.stdout().json(&result::pretty(&json!({ key: items(&pages) }))),
        };
    }
    let items = items(&pages);
    if items.is_empty() {
        if !run.cli.output.quiet {
            run.screen.line(&format!("mcpcall: the server has no {key}"));
        }
        return Ok(());
    }
    run.stdout().text(&listing::items(&items, name_key))
}

/// One page of a list.
struct Page {
    raw: Raw,
    items: Vec<Value>,
}

fn items(pages: &[Page]) -> Vec<Value> {
    pages.iter().flat_map(|page| page.items.iter().cloned()).collect()
}

/// More pages than this are a server gone round in circles.
const MAX_PAGES: usize = 1000;

/// Follows `nextCursor` page by page. Only an absent or null cursor ends a list; an empty one does not.
struct Pager<'a> {
    session: &'a Session,
    method: &'a str,
    key: &'a str,
    cursor: Option<Value>,
    seen: HashSet<String>,
    ended: bool,
}

impl<'a> Pager<'a> {
    fn new(session: &'a Session, method: &'a str, key: &'a str) -> Self {
        Pager { session, method, key, cursor: None, seen: HashSet::new(), ended: false }
    }

    /// The next page; `None` after the last. A cursor that comes again ends the list with a warning.
    async fn next(&mut self) -> Result<Option<Page>> {
        if self.ended {
            return Ok(None);
        }
        let params = self.cursor.as_ref().map(|cursor| json!({ "cursor": cursor }));
        let raw = self.session.request(Call { method: self.method, params, tool: None }).await?;
        let unreadable =
            |why: &str| Failure::protocol(format!("{}: the result {why}", self.method)).detail(raw.excerpt());
        let mut value = raw.value().map_err(|e| unreadable(&format!("cannot be read: {e}")))?;
        let Some(Value::Array(items)) = value.get_mut(self.key).map(Value::take) else {
            return Err(unreadable(&format!("has no list \"{}\"", self.key)));
        };
        self.cursor = value.get("nextCursor").filter(|cursor| !cursor.is_null()).cloned();
        self.ended = match &self.cursor {
            None => true,
            Some(cursor) if self.seen.len() == MAX_PAGES || !self.seen.insert(cursor.to_string()) => {
                let what = format!("{}: the list does not end (cursor {cursor} again, or too many pages)", self.method);
                self.session.warn(&what);
                true
            }
            Some(_) => false,
        };
        Ok(Some(Page { raw, items }))
    }
}

async fn pages(session: &Session, method: &str, key: &str) -> Result<Vec<Page>> {
    let (mut pager, mut pages) = (Pager::new(session, method, key), Vec::new());
    while let Some(page) = pager.next().await? {
        pages.push(page);
    }
    Ok(pages)
}

/// Looks a tool up, page by page until it is found; gives it, or the names of all that there are.
///
/// # Errors
/// As `Session::request`.
pub(super) async fn find_tool(session: &Session, name: &str) -> Result<(Option<Value>, Vec<String>)> {
    let (mut pager, mut names) = (Pager::new(session, "tools/list", "tools"), Vec::new());
    while let Some(page) = pager.next().await? {
        for tool in page.items {
            match tool.get("name").and_then(Value::as_str) {
                Some(found) if found == name => return Ok((Some(tool), names)),
                Some(other) => names.push(other.to_owned()),
                None => {}
            }
        }
    }
    Ok((None, names))
}
