//! `mcpcall list`: what a server has, all pages of it.

use super::Run;
use crate::cli::What;
use crate::failure::Result;
use crate::output::{listing, result};
use crate::session::Session;
use crate::session::pager::{Page, Pager};
use serde_json::{Value, json};

/// Lists, as lines or as the server's own JSON.
///
/// # Errors
/// As `Session::request`.
pub(super) async fn list(run: &Run<'_>, session: &Session, what: What) -> Result<()> {
    let (method, key, name_key) = match what {
        What::Tools => ("tools/list", "tools", "name"),
        What::Resources => ("resources/list", "resources", "uri"),
        What::Templates => ("resources/templates/list", "resourceTemplates", "uriTemplate"),
        What::Prompts => ("prompts/list", "prompts", "name"),
    };
    let pages = pages(session, method, key).await?;
    run.screen.settle();
    if run.cli.output.json {
        // One page is printed as the server wrote it; several, and one with items left out, become a list in an object.
        return match pages.as_slice() {
            [only] if !only.is_partial => run.stdout().json(only.raw.get()),
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

fn items(pages: &[Page]) -> Vec<Value> {
    pages.iter().flat_map(|page| page.items.iter().cloned()).collect()
}

async fn pages(session: &Session, method: &str, key: &str) -> Result<Vec<Page>> {
    let (mut pager, mut pages) = (Pager::new(session, method, key), Vec::new());
    while let Some(page) = pager.next().await? {
        pages.push(page);
    }
    Ok(pages)
}
