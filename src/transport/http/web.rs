//! Single requests to other servers than the one we talk to, such as those that say how to log in: small answers, read
//! whole, within bounds of size, time, redirects and addresses. None of the user's headers go with them.

use super::HttpOptions;
use super::body::Body;
use super::client::{JSON, Pools, listed, parse};
use super::fault::{Fault, chain};
use super::redirect::{self, HOPS};
use super::zone::Zoned;
use crate::failure::Result;
use crate::secrets::url_masked;
use crate::transport::credentials::{Wait, Waits};
use crate::transport::{Direction, Headers, Tap, Wire};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION, USER_AGENT};
use reqwest::{Method, Response, Url};
use std::time::Duration;
use tokio::time::timeout;

/// The largest answer.
const LARGEST: usize = 1 << 20;

/// How long one request may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// An answer, read whole.
#[derive(Debug)]
pub(crate) struct Page {
    /// HTTP status.
    pub(crate) status: u16,
    /// Response headers.
    pub(crate) headers: Headers,
    /// The body.
    pub(crate) body: Vec<u8>,
}

/// The way to other servers.
pub(crate) struct Web {
    pools: Pools,
    zoned: Zoned,
    connect_timeout: Duration,
    tap: Option<Tap>,
    waits: Waits,
}

impl Web {
    /// With the TLS and proxy settings of the options, to where the zone allows. Notes whose answer is waited for.
    ///
    /// # Errors
    /// When an option cannot be used.
    pub(crate) fn new(options: &HttpOptions, zoned: Zoned, waits: Waits) -> Result<Self> {
        let pools = Pools::new(options, Some(zoned.clone()))?;
        Ok(Web { pools, zoned, connect_timeout: options.connect_timeout, tap: options.tap.clone(), waits })
    }

    /// Whether a URL may be asked or opened; else why not.
    ///
    /// # Errors
    /// Why not, in one line.
    pub(crate) fn check(&self, url: &Url) -> std::result::Result<(), String> {
        self.zoned.check(url)
    }

    /// Reads a public document, following a few redirects.
    ///
    /// # Errors
    /// Why there is none, in one line.
    pub(crate) async fn get(&self, url: &Url) -> std::result::Result<Page, String> {
        let mut url = url.clone();
        for _ in 0..=HOPS {
            let _wait = self.wait(&url);
            let response = self.send(Method::GET, &url, &Headers::new(), None).await?;
            if !redirect::is_redirect(response.status()) {
                return self.page(response, true).await;
            }
            let location = response.headers().get(LOCATION).map(HeaderValue::as_bytes).unwrap_or_default();
            let to = url.join(&String::from_utf8_lossy(location));
            url = to.map_err(|error| format!("redirected to a Location that is no URL: {error}"))?;
        }
        Err(format!("redirected more than {HOPS} times"))
    }

    /// Asks without reading or following anything: what a server says to somebody without credentials.
    ///
    /// # Errors
    /// Why there is no answer, in one line.
    pub(crate) async fn look(&self, url: &Url) -> std::result::Result<Page, String> {
        let _wait = self.wait(url);
        let response = self.send(Method::GET, url, &Headers::new(), None).await?;
        let (status, headers) = (response.status().as_u16(), listed(response.headers()));
        Ok(Page { status, headers, body: Vec::new() })
    }

    /// Posts what may hold secrets: not traced, nor sent on by a redirect.
    ///
    /// # Errors
    /// Why there is no answer, in one line.
    pub(crate) async fn post(
        &self,
        url: &Url,
        headers: &Headers,
        content_type: &'static str,
        body: String,
    ) -> std::result::Result<Page, String> {
        let _wait = self.wait(url);
        let response = self.send(Method::POST, url, headers, Some((content_type, body))).await?;
        if redirect::is_redirect(response.status()) {
            return Err(format!("redirected ({}), and secrets are not sent on", response.status().as_u16()));
        }
        self.page(response, false).await
    }

    fn wait(&self, url: &Url) -> Wait {
        self.waits.begin(format!("no answer from {}", url_masked(url.as_str())))
    }

    async fn send(
        &self,
        method: Method,
        url: &Url,
        headers: &Headers,
        body: Option<(&'static str, String)>,
    ) -> std::result::Result<Response, String> {
        self.check(url)?;
        let mut all = HeaderMap::new();
        all.insert(ACCEPT, HeaderValue::from_static(JSON));
        all.insert(USER_AGENT, HeaderValue::from_static(concat!("mcpcall/", env!("CARGO_PKG_VERSION"))));
        all.extend(parse(headers).map_err(|name| format!("the header {name} is not legal in HTTP"))?);
        let mut text = None;
        if let Some((content_type, body)) = body {
            all.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
            text = Some(body);
        }
        let line = format!("{method} {url}");
        let pool = self.pools.pick(url).map_err(|error| chain(&error.without_url()))?;
        let mut request = pool.request(method, url.clone()).headers(all.clone());
        if let Some(text) = text {
            request = request.body(text);
        }
        self.trace(Direction::Sent, &line, &listed(&all), "");
        let response = timeout(PATIENCE, request.send()).await;
        let response = response.map_err(|_| format!("no answer within {} s", PATIENCE.as_secs()))?;
        let response = response.map_err(|error| Fault::of_request(error, self.connect_timeout).reason)?;
        self.trace(Direction::Received, &response.status().to_string(), &listed(response.headers()), "");
        Ok(response)
    }

    async fn page(&self, response: Response, is_public: bool) -> std::result::Result<Page, String> {
        let (status, headers) = (response.status().as_u16(), listed(response.headers()));
        let body = timeout(PATIENCE, Body::new(response).whole(LARGEST)).await;
        let body = body.map_err(|_| format!("no whole answer within {} s", PATIENCE.as_secs()))??;
        if is_public && !body.is_empty() {
            self.trace(Direction::Received, "body", &Headers::new(), &String::from_utf8_lossy(&body));
        }
        Ok(Page { status, headers, body })
    }

    fn trace(&self, direction: Direction, line: &str, headers: &Headers, text: &str) {
        if let Some(tap) = &self.tap {
            tap(Wire { direction, line, headers, text });
        }
    }
}
