//! Lists that come page by page (server/utilities/pagination).

use super::{Call, Session};
use crate::failure::{Failure, Result};
use crate::jsonrpc::Raw;
use crate::sync::lock;
use serde_json::{Value, json};
use std::collections::HashSet;

/// One page of a list.
pub(crate) struct Page {
    /// The result as sent.
    pub(crate) raw: Raw,
    /// Its items, but for those that are not to be offered.
    pub(crate) items: Vec<Value>,
    /// Some were left out.
    pub(crate) is_partial: bool,
}

/// More pages than this are a server gone round in circles.
const MAX_PAGES: usize = 1000;

/// Follows `nextCursor` page by page. Only an absent or null cursor ends a list; an empty one does not.
pub(crate) struct Pager<'a> {
    session: &'a Session,
    method: &'a str,
    key: &'a str,
    cursor: Option<Value>,
    seen: HashSet<String>,
    ended: bool,
    /// Tools that were left out, and why.
    left_out: Vec<(String, String)>,
    /// One tool is looked for: nothing is told of others.
    looks_for_one: bool,
}

impl<'a> Pager<'a> {
    /// The pages of what `method` lists under `key`.
    pub(crate) fn new(session: &'a Session, method: &'a str, key: &'a str) -> Self {
        Pager {
            session,
            method,
            key,
            cursor: None,
            seen: HashSet::new(),
            ended: false,
            left_out: Vec::new(),
            looks_for_one: false,
        }
    }

    /// The tools.
    pub(crate) fn tools(session: &'a Session) -> Self {
        Self::new(session, "tools/list", "tools")
    }

    /// The next page; `None` after the last. A cursor that comes again ends the list with a warning.
    ///
    /// # Errors
    /// `protocol` when the result is no such list, else as `Session::request`.
    pub(crate) async fn next(&mut self) -> Result<Option<Page>> {
        if self.ended {
            return Ok(None);
        }
        let params = self.cursor.as_ref().map(|cursor| json!({ "cursor": cursor }));
        let raw = self.session.request(Call { method: self.method, params, tool: None }).await?;
        let unreadable =
            |why: &str| Failure::protocol(format!("{}: the result {why}", self.method)).detail(raw.excerpt());
        let mut value = raw.value().map_err(|e| unreadable(&format!("cannot be read: {e}")))?;
        let Some(Value::Array(mut items)) = value.get_mut(self.key).map(Value::take) else {
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
        let n_listed = items.len();
        if self.key == "tools" {
            items.retain(|tool| self.admits(tool));
        }
        Ok(Some(Page { raw, is_partial: items.len() < n_listed, items }))
    }

    /// A tool that breaks the rules of its era is left out, with a warning; the others stay.
    fn admits(&mut self, tool: &Value) -> bool {
        let era = lock(&self.session.core.era).clone();
        let Err(why) = era.learn_tool(tool) else { return true };
        let name = tool.get("name").and_then(Value::as_str).unwrap_or("without a name");
        if !self.looks_for_one {
            self.session.warn(&format!("the tool {name} is left out: {why}"));
        }
        self.left_out.push((name.to_owned(), why));
        false
    }
}

/// What became of looking a tool up.
#[derive(Debug)]
pub(crate) enum Lookup {
    /// It is there.
    Found(Value),
    /// It is there, and must not be called: why.
    LeftOut(String),
    /// It is not; these are.
    Unknown(Vec<String>),
}

impl Session {
    /// Looks a tool up, page by page until it is found.
    ///
    /// # Errors
    /// As `Session::request`.
    pub(crate) async fn find_tool(&self, name: &str) -> Result<Lookup> {
        let mut pager = Pager { looks_for_one: true, ..Pager::tools(self) };
        let mut names = Vec::new();
        while let Some(page) = pager.next().await? {
            for tool in page.items {
                match tool.get("name").and_then(Value::as_str) {
                    Some(found) if found == name => return Ok(Lookup::Found(tool)),
                    Some(other) => names.push(other.to_owned()),
                    None => {}
                }
            }
            if let Some((_, why)) = pager.left_out.iter().find(|(left_out, _)| left_out == name) {
                return Ok(Lookup::LeftOut(why.clone()));
            }
        }
        Ok(Lookup::Unknown(names))
    }
}
