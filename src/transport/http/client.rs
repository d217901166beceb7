//! Makes single HTTP requests: which headers go out, which TLS is spoken, which redirects are followed. What an answer
//! means is not decided here.

use super::HttpOptions;
use super::fault::{Fault, chain};
use super::redirect::{self, HOPS};
use super::trust;
use super::zone::Zoned;
use crate::failure::{Failure, Result};
use crate::transport::credentials::{Credentials, Refusal, Request};
use crate::transport::{Direction, Headers, Tap, Wire};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, USER_AGENT};
use reqwest::{Method, Proxy, Response, StatusCode, Url};
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

pub(super) const JSON: &str = "application/json";
pub(super) const EVENTS: &str = "text/event-stream";
pub(super) const JSON_OR_EVENTS: &str = "application/json, text/event-stream";

/// Idle connections are given up before common servers (Node, uvicorn: 5 s) close them under our next request.
const IDLE: Duration = Duration::from_secs(4);

/// How often one request is made anew with other credentials.
const AUTHORIZED_TRIES: usize = 8;

/// One endpoint and all that is needed to reach it.
pub(super) struct Client {
    pub(super) url: Url,
    /// From the user part of the URL.
    login: Option<HeaderValue>,
    /// From `-H`.
    user: HeaderMap,
    credentials: Option<Arc<dyn Credentials>>,
    /// How many requests wait for new credentials.
    n_waiting: AtomicUsize,
    pools: Pools,
    /// For TCP and TLS together.
    pub(super) connect_timeout: Duration,
    tap: Option<Tap>,
    /// Largest body or event in bytes.
    pub(super) max_message: usize,
}

/// An answer whose body has not been read.
pub(super) struct Reply {
    /// HTTP status.
    pub(super) status: StatusCode,
    /// Where it came from, after redirects.
    pub(super) url: Url,
    /// Response headers.
    pub(super) headers: Arc<Headers>,
    /// The rest of it.
    pub(super) response: Response,
}

impl Client {
    /// Checks what the user gave. Fails with a usage failure.
    pub(super) fn new(options: HttpOptions) -> Result<Self> {
        let unusable = |why| Failure::usage(format!("the server's URL {why}")).hint("write http://HOST:PORT/PATH");
        let mut url = legal_url(&options.url).map_err(unusable)?;
        url.set_fragment(None);
        let user = parse(&options.headers)
            .map_err(|name| Failure::usage(format!("the header {name:?} is not legal in HTTP")))?;
        let pools = Pools::new(&options, None)?;
        // reqwest turns the user part into a header; taken out here it can show up in no message.
        let request = pools.pick(&url).and_then(|pool| pool.get(url).build());
        let mut request = request.map_err(|error| Failure::usage(chain(&error.without_url())))?;
        Ok(Client {
            login: request.headers_mut().remove(AUTHORIZATION),
            url: request.url().clone(),
            user,
            credentials: options.credentials,
            n_waiting: AtomicUsize::new(0),
            pools,
            connect_timeout: options.connect_timeout,
            tap: options.tap,
            max_message: options.max_message,
        })
    }

    /// Whether a person may be waited for just now, who takes as long as it takes.
    pub(super) fn is_authorizing(&self) -> bool {
        self.n_waiting.load(Ordering::Relaxed) > 0
    }

    /// What the credentials wait for, in a few words.
    pub(super) fn waits_for(&self) -> Option<String> {
        self.credentials.as_ref()?.waits_for()
    }

    /// Opens an event stream.
    pub(super) async fn get(&self, headers: &Headers) -> Result<Reply, Fault> {
        let headers = self.headers(EVENTS, headers)?;
        self.request(Method::GET, &self.url, &headers, "").await
    }

    /// Posts a body, as JSON unless a header says otherwise.
    pub(super) async fn post(
        &self,
        to: &Url,
        accept: &'static str,
        headers: &Headers,
        body: &str,
    ) -> Result<Reply, Fault> {
        let mut headers = self.headers(accept, headers)?;
        headers.entry(CONTENT_TYPE).or_insert(HeaderValue::from_static(JSON));
        self.request(Method::POST, to, &headers, body).await
    }

    /// Ends a session.
    pub(super) async fn delete(&self, headers: &Headers) -> Result<Reply, Fault> {
        let headers = self.headers(JSON_OR_EVENTS, headers)?;
        self.request(Method::DELETE, &self.url, &headers, "").await
    }

    /// The headers of a request: ours, then those of the caller, then the user's; later ones replace earlier ones.
    fn headers(&self, accept: &'static str, more: &Headers) -> Result<HeaderMap, Fault> {
        let more = parse(more).map_err(|name| Fault::unsendable(format!("the header {name} is not legal in HTTP")))?;
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        let agent = concat!("mcpcall/", env!("CARGO_PKG_VERSION"));
        headers.insert(USER_AGENT, HeaderValue::from_static(agent));
        headers.extend(self.login.clone().map(|login| (AUTHORIZATION, login)));
        // `extend` replaces a name that is there and appends values that come together.
        headers.extend(more);
        headers.extend(self.user.clone());
        Ok(headers)
    }

    /// Makes one request, and again where its credentials were refused and others can be had. Returns when the answer's
    /// headers are there.
    async fn request(&self, method: Method, to: &Url, headers: &HeaderMap, body: &str) -> Result<Reply, Fault> {
        let mut tries = 0;
        loop {
            let (reply, sent) = self.follow(&method, to, headers, body).await?;
            let Some(credentials) = &self.credentials else { return Ok(reply) };
            let (status, request) = (reply.status.as_u16(), Request { method: method.as_str(), url: &reply.url });
            credentials.answered(request, status, &reply.headers);
            tries += 1;
            if !matches!(status, 401 | 403) || tries > AUTHORIZED_TRIES {
                return Ok(reply);
            }
            let refusal = Refusal { request, status, headers: &reply.headers, sent: &sent };
            let waiting = Waiting::begin(&self.n_waiting);
            let is_worth_it = credentials.refused(refusal).await.map_err(Fault::unauthorized)?;
            drop(waiting);
            if !is_worth_it {
                return Ok(reply);
            }
        }
    }

    /// Makes one request, following redirects of the same origin; with the answer come the credentials that were sent.
    async fn follow(
        &self,
        method: &Method,
        to: &Url,
        headers: &HeaderMap,
        body: &str,
    ) -> Result<(Reply, Headers), Fault> {
        let mut url = to.clone();
        for _ in 0..=HOPS {
            let mut headers = headers.clone();
            let mut sent = Headers::new();
            if let Some(credentials) = &self.credentials {
                let request = Request { method: method.as_str(), url: &url };
                sent = credentials.authorize(request).await.map_err(Fault::unauthorized)?;
                let more = parse(&sent).map_err(|name| Fault::unsendable(format!("{name} is not legal in HTTP")))?;
                headers.extend(more);
            }
            let reply = self.hop(method, &url, &headers, body).await?;
            if !redirect::is_redirect(reply.status) {
                return Ok((reply, sent));
            }
            let location = reply.response.headers().get(LOCATION);
            url = redirect::target(&url, reply.status, location).map_err(Fault::lasting)?;
        }
        Err(Fault::lasting(format!("redirected more than {HOPS} times")))
    }

    async fn hop(&self, method: &Method, url: &Url, headers: &HeaderMap, body: &str) -> Result<Reply, Fault> {
        let fault = |error| Fault::of_request(error, self.connect_timeout);
        let pool = self.pools.pick(url).map_err(fault)?;
        let mut request = pool.request(method.clone(), url.clone()).headers(headers.clone());
        if *method == Method::POST {
            request = request.body(body.to_owned());
        }
        if self.tap.is_some() {
            self.trace(Direction::Sent, &format!("{method} {url}"), &listed(headers), body);
        }
        let response = request.send().await.map_err(fault)?;
        let (status, headers) = (response.status(), Arc::new(listed(response.headers())));
        self.trace(Direction::Received, &status.to_string(), &headers, "");
        Ok(Reply { status, url: url.clone(), headers, response })
    }

    /// Tells the tap, if there is one.
    pub(super) fn trace(&self, direction: Direction, line: &str, headers: &Headers, text: &str) {
        if let Some(tap) = &self.tap {
            tap(Wire { direction, line, headers, text });
        }
    }
}

/// Counts a request that waits for new credentials, for as long as it lives.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn begin(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Waiting(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Reply {
    /// Whether it is what a GET asks for.
    pub(super) fn is_event_stream(&self) -> bool {
        self.status.is_success() && self.media_type() == EVENTS
    }

    /// The content type in lower case and without parameters; empty when there is none.
    pub(super) fn media_type(&self) -> String {
        let value = self.response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
        let value = String::from_utf8_lossy(value.unwrap_or_default());
        value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }
}

/// Connection pools, made when needed: reading the system's certificates takes time that plain HTTP need not spend.
pub(super) struct Pools {
    connect_timeout: Duration,
    insecure: bool,
    /// What is trusted beside what the system does.
    trusted: Vec<CertificateDer<'static>>,
    proxy: Option<String>,
    /// Which addresses may be connected to, where not all.
    resolver: Option<Zoned>,
    plain: OnceLock<reqwest::Client>,
    secure: OnceLock<reqwest::Client>,
}

impl Pools {
    pub(super) fn new(options: &HttpOptions, resolver: Option<Zoned>) -> Result<Self> {
        let trusted = options.cacert.as_deref().map(trust::read).transpose()?.unwrap_or_default();
        Ok(Pools {
            connect_timeout: options.connect_timeout,
            insecure: options.insecure,
            trusted,
            proxy: options.proxy.clone(),
            resolver,
            plain: OnceLock::new(),
            secure: OnceLock::new(),
        })
    }

    pub(super) fn pick(&self, url: &Url) -> reqwest::Result<reqwest::Client> {
        let tls_proxy = self.proxy.as_ref().is_some_and(|proxy| proxy.starts_with("https:"));
        let secure = url.scheme() == "https" || tls_proxy;
        let slot = if secure { &self.secure } else { &self.plain };
        if let Some(pool) = slot.get() {
            return Ok(pool.clone());
        }
        let pool = self.build(secure)?;
        Ok(slot.get_or_init(|| pool).clone())
    }

    fn build(&self, secure: bool) -> reqwest::Result<reqwest::Client> {
        let mut builder = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(self.connect_timeout)
            .pool_idle_timeout(IDLE)
            // Else small requests wait for the peer's delayed acknowledgement, 40 ms each.
            .tcp_nodelay(true);
        if let Some(resolver) = &self.resolver {
            builder = builder.dns_resolver(resolver.clone());
        }
        builder = match self.proxy.as_deref() {
            Some("") => builder.no_proxy(),
            Some(proxy) => builder.proxy(Proxy::all(proxy)?),
            None => builder,
        };
        if !secure {
            builder = builder.tls_backend_preconfigured(no_tls());
        } else if !self.trusted.is_empty() && !self.insecure {
            builder = builder.tls_backend_preconfigured(trust::config(self.trusted.clone()));
        } else {
            // reqwest takes the process default; it fails only when there is one already.
            let _ = ring::default_provider().install_default();
            builder = builder.tls_danger_accept_invalid_certs(self.insecure);
        }
        builder.build()
    }
}

/// A TLS set-up that trusts nobody, for connections which do not use it.
fn no_tls() -> ClientConfig {
    ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring speaks the default versions")
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth()
}

/// The address of a server.
///
/// # Errors
/// Why it is none.
pub(crate) fn legal_url(url: &str) -> Result<Url, String> {
    // Browsers mend `http:/host` and `http:///host`. A login in such an address would not be seen for one, nor hidden.
    let host = url.split_once("://").map(|(_, host)| host);
    let is_mended = host.is_none_or(|host| host.starts_with(['/', '\\'])) || url.contains(['\t', '\r', '\n']);
    let url = Url::parse(url).map_err(|error| format!("is not valid: {error}"))?;
    match url.scheme() {
        "http" | "https" if is_mended => Err("is not valid: no host stands behind `://`".into()),
        "http" | "https" => Ok(url),
        other => Err(format!("is {other}:, not http or https")),
    }
}

/// Whether this can be a header.
pub(crate) fn is_legal_header(name: &str, value: &str) -> bool {
    parse(&vec![(name.to_owned(), value.to_owned())]).is_ok()
}

/// Headers as reqwest wants them, or the name of the first that is not legal.
pub(super) fn parse(headers: &Headers) -> Result<HeaderMap, String> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let legal = HeaderName::from_bytes(name.as_bytes()).ok();
        // Characters outside ASCII go out as UTF-8.
        let value = HeaderValue::from_bytes(value.as_bytes()).ok();
        let (Some(legal), Some(value)) = (legal, value) else {
            return Err(name.clone());
        };
        map.append(legal, value);
    }
    Ok(map)
}

pub(super) fn listed(headers: &HeaderMap) -> Headers {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect()
}
