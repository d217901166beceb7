//! `mcpcall list`: what a server has, all pages of it.

use super::{Run, known};
use crate::cli::What;
use crate::failure::Result;
use crate::jsonrpc::Raw;
use crate::output::listing;
use crate::session::Session;
use crate::session::pager::{Catalogue, PROMPTS, Page, Pager, RESOURCES, TEMPLATES, TOOLS};
use serde_json::Value;

impl What {
    fn catalogue(self) -> &'static Catalogue {
        match self {
            What::Tools => &TOOLS,
            What::Resources => &RESOURCES,
            What::Templates => &TEMPLATES,
            What::Prompts => &PROMPTS,
        }
    }

    fn word(self) -> &'static str {
        match self {
            What::Tools => "tools",
            What::Resources => "resources",
            What::Templates => "templates",
            What::Prompts => "prompts",
        }
    }
}

/// Lists, as lines or as the server's own JSON.
///
/// # Errors
/// `protocol`, when the server declares that it has no such list; and as `Session::request`.
pub(super) async fn list(run: &Run<'_>, session: &Session, what: What) -> Result<()> {
    let list = what.catalogue();
    // Tools are what a server is for: one that declares nothing is asked for them all the same.
    if what != What::Tools && session.declares(list.capability) == Some(false) {
        return Err(known::undeclared(list.capability, list.method));
    }
    let pages = Pager::new(session, list).all().await.map_err(|failure| known::explained(failure, list.capability))?;
    run.screen.settle();
    if run.cli.output.json {
        // One page is printed as the server wrote it; several, and one with items left out, become a list in an object.
        return match pages.as_slice() {
            [only] if !only.is_partial => run.stdout().json(only.raw.get()),
            _ => run.stdout().json(&joined(list, &pages)),
        };
    }
    let items = items(&pages);
    if items.is_empty() {
        if !run.cli.output.quiet {
            run.screen.line(&format!("mcpcall: the server has no {}{}", what.word(), instead(session, what)));
        }
        return Ok(());
    }
    run.stdout().text(&listing::items(&items, list.id, run.context.stdout_columns))
}

/// What it may have instead.
fn instead(session: &Session, what: What) -> String {
    if what == What::Resources {
        return "; it may have templates: mcpcall list templates".into();
    }
    let others = [What::Tools, What::Resources, What::Prompts].into_iter().filter(|other| {
        other.catalogue().capability != what.catalogue().capability
            && session.declares(other.catalogue().capability) == Some(true)
    });
    let others: Vec<&str> = others.map(What::word).collect();
    if others.is_empty() { String::new() } else { format!("; mcpcall list {} may say more", others.join("|")) }
}

/// One object with all items, each on a line as the server wrote it.
fn joined(list: &Catalogue, pages: &[Page]) -> String {
    let written: Vec<&str> = pages.iter().flat_map(|page| page.written.iter().map(Raw::get)).collect();
    format!("{{{}:[\n{}\n]}}", Value::from(list.key), written.join(",\n"))
}

fn items(pages: &[Page]) -> Vec<Value> {
    pages.iter().flat_map(|page| page.items.iter().cloned()).collect()
}
