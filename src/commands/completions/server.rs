//! The server that a line names, also behind the cursor, and what it has.

use super::super::complete::METHOD as COMPLETE;
use super::super::{credentials, dial};
use super::cache::Slot;
use super::line::Line;
use crate::auth;
use crate::cli::connection::Speak;
use crate::cli::{AuthFlags, Cli, ConnectionFlags, ServerFlags, Started};
use crate::context::Context;
use crate::failure::{Failure, Kind, Result};
use crate::secrets::url_without_userinfo;
use crate::session::era::negotiate::Protocol;
use crate::session::host::{Answer, Ask, Capability, Event, Host, Pause, Reply, RpcError};
use crate::session::pager::{Catalogue, Pager};
use crate::session::{Call, Options, Session, Stop};
use crate::sync::lock;
use crate::target::config::input::Input;
use crate::target::{Target, config};
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long a TAB may take, unless MCPCALL_COMPLETE_TIMEOUT says otherwise.
const LIMIT: Duration = Duration::from_secs(2);
/// How long a server has to end by itself.
const GOODBYE: Duration = Duration::from_millis(300);

/// What a line says.
pub(super) struct Facts {
    context: Context,
    flags: ServerFlags,
    started: Started,
    connection: Option<ConnectionFlags>,
    auth: Option<AuthFlags>,
    /// The tool or prompt.
    pub(super) subject: Option<String>,
    /// Its arguments.
    pub(super) args: Vec<String>,
    /// `None` is a list that could not be had.
    lists: Mutex<HashMap<&'static str, Option<Arc<Vec<Value>>>>>,
    begin: Instant,
}

impl Facts {
    /// Reads the line, as far as it can be read.
    pub(super) fn of(line: &Line, context: &Context) -> Facts {
        let words = line.words.iter().enumerate();
        // Half a flag would be a mistake that ends the reading.
        let is_half = |at: usize, word: &str| at == line.at && word.starts_with('-');
        let words: Vec<&String> = words.filter(|(at, word)| !is_half(*at, word)).map(|(_, word)| word).collect();
        let matches = Cli::command().ignore_errors(true).try_get_matches_from(words).unwrap_or_default();
        let mut inner = &matches;
        while let Some((_, verb)) = inner.subcommand() {
            inner = verb;
        }
        let mut context = context.clone();
        context.env.extend(line.environment.iter().cloned());
        let many = |name: &str| inner.try_get_many::<String>(name).ok().flatten().into_iter().flatten().cloned();
        Facts {
            context,
            auth: AuthFlags::from_arg_matches(inner).ok(),
            flags: ServerFlags::from_arg_matches(inner).unwrap_or_default(),
            started: Started { command: many("command").collect() },
            connection: ConnectionFlags::from_arg_matches(inner).ok(),
            subject: ["tool", "name", "reference"].iter().find_map(|id| text(inner, id)),
            args: ["args", "argument", "others"].into_iter().flat_map(many).collect(),
            lists: Mutex::default(),
            begin: Instant::now(),
        }
    }

    /// The names in the configuration file.
    pub(super) fn config_names(&self) -> Vec<String> {
        self.config().and_then(|file| config::names(&file).ok()).unwrap_or_default()
    }

    /// What the configuration file asks for.
    pub(super) fn config_inputs(&self) -> Vec<Input> {
        self.config().and_then(|file| config::inputs(&file).ok()).unwrap_or_default()
    }

    fn config(&self) -> Option<PathBuf> {
        let from_environment = || self.context.var("MCPCALL_CONFIG").map(PathBuf::from);
        let file = self.flags.config.clone().or_else(from_environment);
        // What is no file might never end.
        file.filter(|file| file.is_file())
    }

    /// All that a server lists; nothing, where that cannot be found out in time.
    pub(super) fn list(&self, list: &'static Catalogue) -> Arc<Vec<Value>> {
        let mut lists = lock(&self.lists);
        let known = lists.get(list.method).cloned();
        // A server that did not answer is not asked for something else.
        let is_lost = lists.values().any(Option::is_none);
        let found = known.unwrap_or_else(|| (!is_lost).then(|| self.find_list(list)).flatten().map(Arc::new));
        lists.insert(list.method, found.clone());
        found.unwrap_or_default()
    }

    /// Puts a token on requests that is there already. Nobody logs in, and no login is made to last: TAB may be over
    /// before the answer to that is kept.
    fn log_in(&self, target: &mut Target) {
        let (Target::Url { url, headers, .. }, Some(flags)) = (target, &self.auth) else { return };
        if headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"))
            || url_without_userinfo(url) != *url
        {
            return;
        }
        let token = match &flags.bearer_env {
            Some(variable) => self.context.var(variable).map(|token| format!("Bearer {}", token.trim())),
            None => auth::stored(
                &credentials::store(flags, &self.context),
                url,
                flags.client_id.as_deref(),
                flags.insecure_http,
            ),
        };
        headers.extend(token.map(|token| ("Authorization".to_owned(), token)));
    }

    fn find_list(&self, list: &Catalogue) -> Option<Vec<Value>> {
        self.ask(list.method, async |session| listed(session, list).await)
    }

    /// What the server proposes for an argument, if it says that it does.
    pub(super) fn proposals(
        &self,
        reference: &Value,
        (name, prefix): (&str, &str),
        others: &[(&str, &str)],
    ) -> Vec<String> {
        let argument = json!({ "name": name, "value": prefix });
        let mut params = json!({ "ref": reference, "argument": argument });
        let others: Map<String, Value> =
            others.iter().map(|(name, value)| ((*name).to_owned(), (*value).into())).collect();
        let what = format!("{COMPLETE} {params} {}", Value::from(others.clone()));
        let found = self.ask(&what, async |session| {
            if session.declares("completions") != Some(true) {
                return Ok(Vec::new());
            }
            if !others.is_empty() && session.revision().is_none_or(|revision| revision.completion_context) {
                params["context"] = json!({ "arguments": others });
            }
            let result = session.request(Call { method: COMPLETE, params: Some(params), tool: None }).await?.readable();
            let values = result.pointer("/completion/values").and_then(Value::as_array).cloned();
            Ok(values.unwrap_or_default())
        });
        found.unwrap_or_default().iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// Asks the server on a connection of its own, unless the answer is kept; `what` is what is asked for.
    fn ask(&self, what: &str, asking: impl AsyncFnOnce(&Session) -> Result<Vec<Value>>) -> Option<Vec<Value>> {
        let connection = self.connection.as_ref()?;
        let nobody = |_: &str, _: &str, _: &[Input]| Err(Failure::usage("nobody is asked"));
        let mut target = Target::find(&self.flags, &self.started, &self.context, &nobody).ok()?.target;
        self.log_in(&mut target);
        let protocol = match connection.protocol {
            Speak::One(protocol) => protocol,
            Speak::Both => Protocol::Auto,
        };
        let slot = Slot::of(&target, &format!("{protocol:?}"), what, &self.context);
        if let Some(kept) = slot.as_ref().and_then(Slot::read) {
            return Some(kept);
        }
        let given = self.context.var("MCPCALL_COMPLETE_TIMEOUT").and_then(|text| text.parse().ok());
        let limit = given.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or(LIMIT);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
        let listed = runtime.block_on(async {
            let listed = async {
                let session = open(&target, connection, protocol, limit).await?;
                let items = asking(&session).await?;
                Ok((session, items))
            };
            let listed: std::result::Result<Result<_>, _> =
                tokio::time::timeout(limit.saturating_sub(self.begin.elapsed()), listed).await;
            let (session, items) = match listed.ok()? {
                Ok(listed) => listed,
                // It answers, and has no such list.
                Err(failure) if failure.kind == Kind::Protocol => return Some(Vec::new()),
                Err(_) => return None,
            };
            let _ = tokio::time::timeout(GOODBYE, session.close()).await;
            Some(items)
        });
        // Tasks are dropped, which ends a child.
        runtime.shutdown_background();
        let listed = listed?;
        if let Some(slot) = slot {
            // Without, the next TAB takes as long as this one.
            let _ = slot.write(&listed);
        }
        Some(listed)
    }
}

fn text(matches: &ArgMatches, name: &str) -> Option<String> {
    matches.try_get_one::<String>(name).ok().flatten().cloned()
}

async fn open(target: &Target, connection: &ConnectionFlags, protocol: Protocol, limit: Duration) -> Result<Session> {
    let options = Options {
        protocol,
        carrier: dial::carrier(target, protocol),
        address: target.address(),
        timeout: Some(limit),
        max_time: None,
        handshake_timeout: Some(limit),
        probe_timeout: limit,
        max_rounds: 0,
        max_asks: connection.max_asks,
        max_list: connection.max_message_size,
        log_level: None,
        pause: Pause::new(),
        stop: Stop::default(),
    };
    let dial = dial::dial(target, connection, None)?;
    Session::open(&dial, Arc::new(Nobody), options).await
}

async fn listed(session: &Session, list: &Catalogue) -> Result<Vec<Value>> {
    let pages = Pager::new(session, list).all().await?;
    Ok(pages.into_iter().flat_map(|page| page.items).filter_map(slim).collect())
}

/// What of an item is of use here.
fn slim(mut item: Value) -> Option<Value> {
    const KEPT: [&str; 8] =
        ["name", "title", "description", "uri", "uriTemplate", "mimeType", "arguments", "inputSchema"];
    let members = item.as_object_mut()?;
    let kept = KEPT.iter().filter_map(|key| Some(((*key).to_owned(), members.remove(*key)?)));
    Some(Value::Object(kept.collect::<Map<_, _>>()))
}

/// An audience that says nothing.
struct Nobody;

impl Host for Nobody {
    fn capabilities(&self) -> Vec<Capability> {
        Vec::new()
    }

    fn answer(&self, ask: Ask) -> Answer<'_> {
        Box::pin(async move { Reply::Error(RpcError::new(-32600, format!("{} is not answered here", ask.method))) })
    }

    fn finished<'a>(&'a self, _: &'a Ask, _: &'a [String]) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        Box::pin(async { false })
    }

    fn event(&self, _: Event<'_>) {}

    fn wants_wire(&self) -> bool {
        false
    }
}
