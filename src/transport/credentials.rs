//! What proves to an HTTP server who we are: asked for with every request, and told of every refusal. `auth` implements
//! it; the transport knows no token from another.

use super::Headers;
use crate::failure::Failure;
use reqwest::Url;
use std::future::Future;
use std::pin::Pin;

/// A request that is to be made, or was.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    /// The HTTP method.
    pub(crate) method: &'a str,
    /// Where to, redirects followed.
    pub(crate) url: &'a Url,
}

/// A request that was answered with 401 or 403.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Refusal<'a> {
    /// The request.
    pub(crate) request: Request<'a>,
    /// HTTP status.
    pub(crate) status: u16,
    /// Response headers.
    pub(crate) headers: &'a Headers,
    /// What `authorize` gave for it.
    pub(crate) sent: &'a Headers,
}

/// Something to come, or why it does not.
pub(crate) type Outlook<'a, T> = Pin<Box<dyn Future<Output = Result<T, Failure>> + Send + 'a>>;

/// Whoever has the credentials for one server.
pub(crate) trait Credentials: Send + Sync {
    /// The headers that go with a request.
    fn authorize<'a>(&'a self, request: Request<'a>) -> Outlook<'a, Headers>;
    /// Hears of a refusal; true when the request is to be made again. A person may be waited for.
    fn refused<'a>(&'a self, refusal: Refusal<'a>) -> Outlook<'a, bool>;
    /// Sees the head of every answer.
    fn answered(&self, request: Request<'_>, status: u16, headers: &Headers);
}
