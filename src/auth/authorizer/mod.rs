//! The credentials for one server, for as long as the program runs: what is on requests now, and what is done about a
//! refusal. One thing at a time is done about refusals, and a new token is asked for three times at most until one is taken.

mod kept;
mod verbs;

use super::challenge::Challenges;
use super::discovery::{self, Guard};
use super::dpop::{Dpop, Nonces};
use super::store::{Book, Login, Store};
use super::token::hidden;
use super::{Person, Secret, Settings, authorize, machine, refuse, scope};
use crate::failure::{Failure, Result};
use crate::sync::lock;
use crate::transport::credentials::{Credentials, Outlook, Refusal, Request, Waits};
use crate::transport::http::HttpOptions;
use crate::transport::http::web::Web;
use crate::transport::http::zone::{Zone, Zoned, check_scheme};
use crate::transport::{Headers, header};
use reqwest::Url;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::OnceCell;

/// How often a token is asked for, whatever the server says to it, until it takes one.
const MAX_AUTHORIZATIONS: usize = 3;

/// The credentials for one server.
pub(crate) struct Authorizer {
    server: Url,
    /// The server's address as the user writes it: what logins are kept under.
    name: String,
    options: HttpOptions,
    pub(in crate::auth) settings: Settings,
    pub(in crate::auth) store: Store,
    pub(in crate::auth) person: Arc<dyn Person>,
    pub(in crate::auth) nonces: Nonces,
    web: OnceCell<Web>,
    waits: Waits,
    current: Mutex<Option<Arc<Current>>>,
    is_loaded: AtomicBool,
    turn: tokio::sync::Mutex<Turn>,
    /// What was said of the store already.
    warned: Mutex<Vec<String>>,
}

/// What has been done about refusals.
#[derive(Default)]
struct Turn {
    n_authorizations: usize,
    /// Why there was no token: it is not tried again, nor a person asked again, before another call `begin`s.
    failed: Option<Failure>,
    /// All scopes that were asked for.
    asked: Vec<String>,
    /// Who gave the last token.
    issuer: Option<String>,
    /// A login that is not kept is none.
    must_keep: bool,
}

/// What is on requests now.
struct Current {
    login: Login,
    dpop: Option<Dpop>,
    origin: Origin,
    /// It has been on a request.
    is_used: AtomicBool,
    /// The server has taken it.
    is_proven: AtomicBool,
}

impl Current {
    /// Whether its time is over. However short that is, a token that was just given is tried once.
    fn is_over(&self) -> bool {
        let is_fresh = self.origin != Origin::Stored && !self.is_used.load(Ordering::Relaxed);
        !is_fresh && self.login.is_over()
    }

    fn is_proven(&self) -> bool {
        self.is_proven.load(Ordering::Relaxed)
    }
}

/// Where a token is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Stored,
    Login,
    Refresh,
}

impl Authorizer {
    /// Credentials for the server of these options; nothing is read or asked yet.
    ///
    /// # Errors
    /// `usage`, when the address is none.
    pub(crate) fn new(options: HttpOptions, settings: Settings, store: Store, person: Arc<dyn Person>) -> Result<Self> {
        let mut server = Url::parse(&options.url)
            .map_err(|error| Failure::usage(format!("the server's URL is not valid: {error}")))?;
        server.set_fragment(None);
        Ok(Authorizer {
            name: options.url.split('#').next().unwrap_or_default().to_owned(),
            server,
            options,
            settings,
            store,
            person,
            nonces: Nonces::default(),
            web: OnceCell::new(),
            waits: Waits::default(),
            current: Mutex::default(),
            is_loaded: AtomicBool::new(false),
            turn: tokio::sync::Mutex::default(),
            warned: Mutex::default(),
        })
    }

    /// The address without its query, where some put a key.
    fn address(&self) -> &str {
        self.name.split('?').next().unwrap_or_default()
    }

    /// The way to other servers, for what this one names.
    async fn web(&self) -> Result<&Web> {
        let make = async || {
            let insecure = self.settings.insecure_http;
            check_scheme(&self.server, insecure)
                .map_err(|why| refuse(format!("no login: {why}")).hint("--insecure-http allows it"))?;
            Web::new(
                &self.options,
                Zoned::of_server(&self.server, insecure, &self.settings.proxies, self.settings.is_direct).await,
                self.waits.clone(),
            )
        };
        self.web.get_or_try_init(make).await
    }

    /// The way to other servers, for what the user names.
    pub(in crate::auth) fn own_web(&self) -> Result<Web> {
        Web::new(
            &self.options,
            Zoned {
                zone: Zone::Loopback,
                insecure_http: self.settings.insecure_http,
                proxies: self.settings.proxies.clone(),
                own: None,
            },
            self.waits.clone(),
        )
    }

    fn current(&self) -> Option<Arc<Current>> {
        lock(&self.current).clone()
    }

    fn set(&self, login: Login, dpop: Option<Dpop>, origin: Origin) {
        let secrets =
            [Some(&login.token), login.refresh.as_ref(), login.client_secret.as_ref(), login.dpop_key.as_ref()];
        secrets.into_iter().flatten().for_each(|Secret(value)| self.person.conceal(value));
        let (is_used, is_proven) = (AtomicBool::new(false), AtomicBool::new(false));
        *lock(&self.current) = Some(Arc::new(Current { login, dpop, origin, is_used, is_proven }));
    }

    /// What is on requests now, made to last where its time is over.
    async fn ready(&self) -> Result<Option<Arc<Current>>> {
        if check_scheme(&self.server, self.settings.insecure_http).is_err() {
            return Ok(None);
        }
        if self.is_loaded.load(Ordering::Acquire) {
            match self.current() {
                Some(current) if current.is_over() => {}
                other => return Ok(other),
            }
        }
        let mut turn = self.turn.lock().await;
        if !self.is_loaded.load(Ordering::Acquire) {
            self.load().await?;
            self.is_loaded.store(true, Ordering::Release);
        }
        if let Some(current) = self.current().filter(|current| current.is_over()) {
            if current.is_proven() {
                turn.n_authorizations = 0;
            }
            let refreshed = current.login.renews() && self.refresh(&current).await?;
            if !refreshed {
                *lock(&self.current) = None;
            }
        }
        Ok(self.current())
    }

    async fn discover(&self, web: &Web, challenges: &Challenges) -> Result<Guard> {
        discovery::discover(web, &self.server, challenges.get("resource_metadata")).await
    }

    fn first_scopes(&self, challenges: &Challenges, guard: &Guard) -> Vec<String> {
        scope::initial(
            self.settings.scope.as_deref(),
            challenges.scope(),
            &guard.scopes,
            &guard.server.scopes,
            !self.settings.is_machine(),
        )
    }

    /// Another call begins: what failed for the one before it may be tried again.
    pub(crate) fn begin(&self) {
        // Whoever is at it just now begins no sooner.
        if let Ok(mut turn) = self.turn.try_lock() {
            turn.failed = None;
        }
    }

    /// Whether a new token can be asked for without being told to.
    fn may_ask(&self) -> bool {
        !self.settings.no_login && (self.settings.is_machine() || self.person.may_log_in())
    }

    /// Does what there is to do about a refusal; true when the request is to be made again.
    async fn deal_with(&self, refusal: Refusal<'_>) -> Result<bool> {
        // Not to say goodbye.
        if refusal.request.method == "DELETE" {
            return Ok(false);
        }
        let challenges = Challenges::of(refusal.headers);
        let error = challenges.get("error");
        let mut turn = self.turn.lock().await;
        let current = self.current();
        let sent = header(refusal.sent, "authorization");
        if let Some(current) = &current
            && sent.is_none_or(|sent| !sent.ends_with(&format!(" {}", current.login.token.0)))
        {
            // Somebody else was refused, too, and has got it meanwhile.
            return Ok(true);
        }
        match (refusal.status, error, current) {
            (401, Some("use_dpop_nonce"), Some(current)) if current.dpop.is_some() => {
                Ok(header(refusal.headers, "dpop-nonce").is_some())
            }
            (401, _, current) => self.renew(&mut turn, &challenges, current).await,
            (403, Some("insufficient_scope"), Some(current)) => self.step_up(&mut turn, &challenges, &current).await,
            _ => Ok(false),
        }
    }

    /// The token is none, or of no use any more.
    async fn renew(&self, turn: &mut Turn, challenges: &Challenges, current: Option<Arc<Current>>) -> Result<bool> {
        // What was just renewed and is refused at once is not renewed again.
        let renews = current.as_ref().is_some_and(|current| {
            current.login.renews() && (current.origin != Origin::Refresh || current.is_proven())
        });
        if !renews && !self.may_ask() {
            return Ok(false);
        }
        if let Some(current) = current.as_ref().filter(|current| current.origin == Origin::Login)
            && !current.is_proven()
        {
            let why = challenges.get("error_description").or(challenges.get("error")).unwrap_or("HTTP 401");
            let why = hidden(why, &[&current.login.token.0]);
            let issuer = &current.login.issuer;
            return Err(refuse(format!("{} refuses the token that {issuer} has just given: {why}", self.address())));
        }
        let web = self.web().await?;
        let guard = self.discover(web, challenges).await?;
        if let Some(current) = &current {
            let is_same = current.login.issuer == guard.server.issuer;
            if is_same && renews && self.refresh(current).await? {
                return Ok(true);
            }
        }
        if !self.may_ask() {
            return Ok(false);
        }
        let scopes = scope::union(self.first_scopes(challenges, &guard), &turn.asked);
        match self.ask(turn, web, &guard, scopes, challenges.wants_dpop()).await {
            Ok(()) => Ok(true),
            // Nothing was known of it but that it wants credentials: it may be no token that it wants.
            Err(failure) if guard.server.is_guess && failure.status.is_some() => Ok(false),
            Err(failure) => Err(failure),
        }
    }

    /// The token is good, and allows too little.
    async fn step_up(&self, turn: &mut Turn, challenges: &Challenges, current: &Current) -> Result<bool> {
        let challenged = challenges.scope().map(scope::words).unwrap_or_default();
        let before = scope::union(turn.asked.clone(), &current.login.scopes);
        let all = scope::union(before.clone(), &challenged);
        if !self.may_ask() {
            if challenged.is_empty() {
                return Ok(false);
            }
            let (address, scopes) = (self.address(), all.join(" ").replace('\'', ""));
            let what = format!("{address} wants more than the login allows: the scope {:?}", challenged.join(" "));
            return Err(refuse(what).hint(format!("mcpcall login --url {address} --scope '{scopes}' asks for it")));
        }
        if all.len() == before.len() && current.origin == Origin::Login {
            let scopes = challenged.join(" ");
            return Err(refuse(format!("{} refuses the call though {scopes:?} was asked for", self.address()))
                .hint("--scope 'SCOPE ...' asks for others"));
        }
        let web = self.web().await?;
        let guard = self.discover(web, challenges).await?;
        self.ask(turn, web, &guard, all, current.login.is_dpop).await?;
        Ok(true)
    }

    /// Gets a token from the guard, for these scopes, and keeps it.
    async fn ask(
        &self,
        turn: &mut Turn,
        web: &Web,
        guard: &Guard,
        scopes: Vec<String>,
        wants_dpop: bool,
    ) -> Result<()> {
        self.check_issuer(turn, &guard.server.issuer).await?;
        if self.current().is_some_and(|current| current.is_proven()) {
            turn.n_authorizations = 0;
        }
        if turn.n_authorizations == MAX_AUTHORIZATIONS {
            let what = format!("{} still refuses after {MAX_AUTHORIZATIONS} authorizations", self.address());
            return Err(refuse(what));
        }
        if let Some(failure) = &turn.failed {
            return Err(failure.clone());
        }
        turn.n_authorizations += 1;
        let asked = self.ask_once(turn, web, guard, scopes, wants_dpop).await;
        turn.failed = asked.as_ref().err().cloned();
        asked
    }

    /// A client that the user names belongs to one issuer: another one that the server names is shown nothing of it.
    async fn check_issuer(&self, turn: &Turn, issuer: &str) -> Result<()> {
        let Some(client_id) = &self.settings.client_id else { return Ok(()) };
        let known = match turn.issuer.clone() {
            Some(known) => Some(known),
            None => self.store.issuer(&self.name, client_id).await,
        };
        let Some(known) = known.filter(|known| known != issuer) else { return Ok(()) };
        let address = self.address();
        Err(refuse(format!("{address} is guarded by {issuer} now, and --client-id is a client of {known}"))
            .hint(format!("mcpcall logout --url {address} forgets that, if the client is known at both")))
    }

    async fn ask_once(
        &self,
        turn: &mut Turn,
        web: &Web,
        guard: &Guard,
        scopes: Vec<String>,
        wants_dpop: bool,
    ) -> Result<()> {
        let dpop = match self.settings.dpop || guard.wants_dpop || wants_dpop {
            true => Some(Dpop::generate()?),
            false => None,
        };
        let got = match self.settings.is_machine() {
            true => machine::get(self, web, guard, &scopes, dpop.as_ref()).await,
            false => authorize::log_in(self, web, guard, &scopes, dpop.as_ref()).await,
        };
        let (client, grant) = match got {
            // It has forgotten the client that we know: another one is registered next time.
            Err(failure) if failure.message.contains("invalid_client") && self.settings.client_id.is_none() => {
                self.keep(|book| book.forget(&guard.server.issuer)).await;
                return Err(failure.hint("its registration is forgotten here; try again"));
            }
            got => got?,
        };
        let issuer = &guard.server.issuer;
        if guard.wants_dpop && !grant.is_dpop {
            let address = self.address();
            return Err(refuse(format!(
                "{address} wants tokens that are bound to a key, and {issuer} gives one that is not"
            )));
        }
        turn.asked = scope::union(std::mem::take(&mut turn.asked), &scopes);
        turn.issuer = Some(issuer.clone());
        let login = self.login(guard, client, grant, scopes, dpop.as_ref());
        let keep = |book: &mut Book| {
            book.log_in(login.clone());
            if let Some(client_id) = &self.settings.client_id {
                book.meet(&self.name, issuer, Some(client_id));
            }
        };
        match self.store.update(keep).await {
            Err(failure) if turn.must_keep => return Err(failure),
            Err(failure) => self.not_kept(&failure),
            Ok(()) => {}
        }
        let dpop = dpop.filter(|_| login.is_dpop);
        self.set(login, dpop, Origin::Login);
        self.is_loaded.store(true, Ordering::Release);
        Ok(())
    }
}

impl Credentials for Authorizer {
    fn authorize<'a>(&'a self, request: Request<'a>) -> Outlook<'a, Headers> {
        Box::pin(async move {
            let Some(current) = self.ready().await? else { return Ok(Headers::new()) };
            let token = &current.login.token.0;
            current.is_used.store(true, Ordering::Relaxed);
            Ok(match &current.dpop {
                None => vec![("Authorization".into(), format!("Bearer {token}"))],
                Some(dpop) => vec![
                    ("Authorization".into(), format!("DPoP {token}")),
                    ("DPoP".into(), dpop.proof(request.method, request.url, Some(token), &self.nonces)?),
                ],
            })
        })
    }

    fn refused<'a>(&'a self, refusal: Refusal<'a>) -> Outlook<'a, bool> {
        Box::pin(self.deal_with(refusal))
    }

    fn answered(&self, request: Request<'_>, status: u16, headers: &Headers) {
        self.nonces.note(request.url, headers);
        // An answer of another kind may be one to anybody.
        if (200..300).contains(&status)
            && let Some(current) = self.current()
        {
            current.is_proven.store(true, Ordering::Relaxed);
        }
    }

    fn waits_for(&self) -> Option<String> {
        self.waits.what()
    }
}
