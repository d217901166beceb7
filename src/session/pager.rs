//! Lists that come page by page (server/utilities/pagination).

use super::{Call, Session};
use crate::complexity;
use crate::failure::{Failure, Result};
use crate::jsonrpc::Raw;
use crate::sync::lock;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A list that a server may have.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Catalogue {
    /// The capability that stands for it.
    pub(crate) capability: &'static str,
    /// What asks for it.
    pub(crate) method: &'static str,
    /// Where it stands in the result.
    pub(crate) key: &'static str,
    /// What its items are known by.
    pub(crate) id: &'static str,
}

impl Catalogue {
    fn id_of(&self, item: &Raw) -> Option<String> {
        let [id] = item.members(&[self.id]).ok()?;
        id?.text().map(Cow::into_owned)
    }
}

/// `tools/list`.
pub(crate) const TOOLS: Catalogue = Catalogue { capability: "tools", method: "tools/list", key: "tools", id: "name" };
/// `resources/list`.
pub(crate) const RESOURCES: Catalogue =
    Catalogue { capability: "resources", method: "resources/list", key: "resources", id: "uri" };
/// `resources/templates/list`.
pub(crate) const TEMPLATES: Catalogue = Catalogue {
    capability: "resources",
    method: "resources/templates/list",
    key: "resourceTemplates",
    id: "uriTemplate",
};
/// `prompts/list`.
pub(crate) const PROMPTS: Catalogue =
    Catalogue { capability: "prompts", method: "prompts/list", key: "prompts", id: "name" };

/// One page of a list.
pub(crate) struct Page {
    /// The result as sent.
    pub(crate) raw: Raw,
    /// Its items, but for those that are not to be offered.
    pub(crate) items: Vec<Value>,
    /// The same as the server wrote them.
    pub(crate) written: Vec<Raw>,
    /// Some were left out.
    pub(crate) is_partial: bool,
}

/// More pages than this are a server gone round in circles.
const MAX_PAGES: usize = 1000;

impl Page {
    /// The items as the server wrote them, those left out included.
    pub(crate) fn raw_items(&self, list: &Catalogue) -> Vec<Raw> {
        let items = self.raw.members(&[list.key]).ok().and_then(|[items]| items);
        items.and_then(|items| items.items().ok()).unwrap_or_default()
    }
}

/// Follows `nextCursor` page by page. Only an absent or null cursor ends a list; an empty one does not.
pub(crate) struct Pager<'a> {
    session: &'a Session,
    list: &'a Catalogue,
    cursor: Option<Value>,
    seen: HashSet<String>,
    /// The pages that had something, by the hash of their items.
    pages: HashSet<u64>,
    /// How much of it has been read: values, and bytes.
    size: (usize, usize),
    ended: bool,
    /// Tools that were left out, and why.
    left_out: Vec<(String, String)>,
    /// The items are not read: one of them is looked for.
    is_search: bool,
}

impl<'a> Pager<'a> {
    /// The pages of a list.
    pub(crate) fn new(session: &'a Session, list: &'a Catalogue) -> Self {
        Pager {
            session,
            list,
            cursor: None,
            seen: HashSet::new(),
            pages: HashSet::new(),
            size: (0, 0),
            ended: false,
            left_out: Vec::new(),
            is_search: false,
        }
    }

    /// The same where one item is looked for: the others are not read, and nothing is told of them.
    fn search(session: &'a Session, list: &'a Catalogue) -> Self {
        Pager { is_search: true, ..Pager::new(session, list) }
    }

    /// All pages that are left.
    ///
    /// # Errors
    /// As `next`.
    pub(crate) async fn all(&mut self) -> Result<Vec<Page>> {
        let mut pages = Vec::new();
        while let Some(page) = self.next().await? {
            pages.push(page);
        }
        Ok(pages)
    }

    /// The next page; `None` after the last. A cursor or a page that comes again ends the list with a warning.
    ///
    /// # Errors
    /// `protocol` when the result is no such list, else as `Session::request`.
    pub(crate) async fn next(&mut self) -> Result<Option<Page>> {
        if self.ended {
            return Ok(None);
        }
        let method = self.list.method;
        let params = self.cursor.as_ref().map(|cursor| json!({ "cursor": cursor }));
        let raw = self.session.request(Call { method, params, tool: None }).await?;
        self.weigh(&raw)?;
        let [items, cursor] = raw.members(&[self.list.key, "nextCursor"]).unwrap_or_default();
        // One by one: an item that cannot be read costs no other.
        let mut is_again = false;
        let listed = items.and_then(|items| {
            let listed = items.items().ok()?;
            is_again = !listed.is_empty() && !self.pages.insert(hash(items.get()));
            Some(listed)
        });
        let Some(items) = listed else {
            let what = format!("{method}: the result has no list \"{}\"", self.list.key);
            return Err(Failure::protocol(what).detail(raw.excerpt()));
        };
        self.cursor = cursor.map(|cursor| cursor.readable()).and_then(|cursor| self.cursor_of(cursor));
        self.ended = match &self.cursor {
            None => true,
            Some(cursor) => {
                let why = if !self.seen.insert(cursor.to_string()) {
                    Some(format!("the cursor {cursor} came before"))
                } else if is_again {
                    Some("a page came before".to_owned())
                } else {
                    (self.seen.len() > MAX_PAGES).then(|| format!("these are {MAX_PAGES} pages, and more would follow"))
                };
                if let Some(why) = &why {
                    self.session.warn(&format!("{method}: the list does not end: {why}"));
                    // The same page again is no more of the list.
                    if is_again {
                        self.ended = true;
                        return Ok(None);
                    }
                }
                why.is_some()
            }
        };
        let mut page = Page { raw, items: Vec::new(), written: Vec::new(), is_partial: false };
        if self.is_search {
            return Ok(Some(page));
        }
        for written in items {
            let item = written.readable();
            if let Err(why) = self.admits(&item) {
                page.is_partial = true;
                let name = item.get("name").and_then(Value::as_str).unwrap_or("without a name");
                self.session.warn(&format!("the tool {name} is left out: {why}"));
                self.left_out.push((name.to_owned(), why));
                continue;
            }
            page.items.push(item);
            page.written.push(written);
        }
        Ok(Some(page))
    }

    /// All pages are held at one time: together they may be no more than one message may be.
    fn weigh(&mut self, page: &Raw) -> Result<()> {
        let (values, bytes) = &mut self.size;
        *values += complexity::values(page.get());
        *bytes += page.get().len();
        let max = self.session.core.options.max_list;
        let too_large = |what, hint| {
            Err(Failure::protocol(format!("{}: the list has more than {what}", self.list.method)).hint(hint))
        };
        match (*values > complexity::limit(), *bytes > max) {
            (true, _) => too_large(format!("{} values", complexity::limit()), complexity::REMEDY),
            (_, true) => too_large(format!("{max} bytes"), "--max-message-size raises the limit"),
            _ => Ok(()),
        }
    }

    /// Where the next page begins. A number was meant to go on, anything else that is no text was not.
    fn cursor_of(&self, cursor: Value) -> Option<Value> {
        if cursor.is_string() || cursor.is_null() {
            return Some(cursor).filter(Value::is_string);
        }
        let taken = if cursor.is_number() { "it is sent back as it is" } else { "taken for the end of the list" };
        let cursor_shown: String = cursor.to_string().chars().take(80).collect();
        self.session.warn(&format!("{}: nextCursor is {cursor_shown} and not a text; {taken}", self.list.method));
        Some(cursor).filter(Value::is_number)
    }

    /// Notes what the era wants to know of a tool; one that breaks its rules is left out, and the others stay.
    fn admits(&self, item: &Value) -> Result<(), String> {
        let era = lock(&self.session.core.era).clone();
        if *self.list == TOOLS { era.learn_tool(item) } else { Ok(()) }
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// All tools of a server.
pub(crate) struct Listed {
    tools: Vec<Value>,
    left_out: Vec<(String, String)>,
}

impl Listed {
    /// The tool of this name.
    pub(crate) fn find(&self, name: &str) -> Option<&Value> {
        self.tools.iter().find(|tool| tool.get("name").is_some_and(|found| found == name))
    }

    /// Why the tool of this name must not be called, where that is so.
    pub(crate) fn left_out(&self, name: &str) -> Option<&str> {
        self.left_out.iter().find(|(left_out, _)| left_out == name).map(|(_, why)| why.as_str())
    }
}

/// What became of looking something up in a list.
#[derive(Debug)]
pub(crate) enum Search {
    /// It is there.
    Found {
        /// As the server wrote it.
        raw: Raw,
        /// Why it must not be used, where that is so.
        left_out: Option<String>,
    },
    /// It is not; these are.
    Unknown(Vec<String>),
}

impl Session {
    /// Lists all tools.
    ///
    /// # Errors
    /// As `Session::request`.
    pub(crate) async fn list_tools(&self) -> Result<Listed> {
        let mut pager = Pager::new(self, &TOOLS);
        let tools = pager.all().await?.into_iter().flat_map(|page| page.items).collect();
        Ok(Listed { tools, left_out: pager.left_out })
    }

    /// Looks up in a list what is known by this id, page by page until it is found.
    ///
    /// # Errors
    /// As `Session::request`.
    pub(crate) async fn find(&self, list: &Catalogue, id: &str) -> Result<Search> {
        let mut pager = Pager::search(self, list);
        let mut known = Vec::new();
        while let Some(page) = pager.next().await? {
            for item in page.raw_items(list) {
                match list.id_of(&item) {
                    Some(found) if found == id => {
                        let left_out = pager.admits(&item.readable()).err();
                        return Ok(Search::Found { raw: item, left_out });
                    }
                    Some(found) => known.push(found),
                    None => {}
                }
            }
        }
        Ok(Search::Unknown(known))
    }

    /// What the items of a list are known by, those left out included.
    ///
    /// # Errors
    /// As `Session::request`.
    pub(crate) async fn ids(&self, list: &Catalogue) -> Result<Vec<String>> {
        let pages = Pager::search(self, list).all().await?;
        Ok(pages.iter().flat_map(|page| page.raw_items(list)).filter_map(|item| list.id_of(&item)).collect())
    }

    /// Whether the server declares a capability; `None` when it has not been asked.
    pub(crate) fn declares(&self, capability: &str) -> Option<bool> {
        let server = self.server();
        server.told.as_ref()?;
        let declared = server.capabilities.get(capability);
        Some(declared.is_some_and(|declared| !declared.is_null() && *declared != false))
    }
}
