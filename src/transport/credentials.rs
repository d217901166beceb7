//! What proves to an HTTP server who we are: asked for with every request, and told of every refusal. `auth` implements
//! it; the transport knows no token from another.

use super::Headers;
use crate::failure::Failure;
use crate::sync::lock;
use reqwest::Url;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

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
    /// What is waited for just now before there are credentials, in a few words.
    fn waits_for(&self) -> Option<String>;
}

/// Where whoever gets credentials notes what is waited for; clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Waits(Arc<Mutex<Option<String>>>);

impl Waits {
    /// Notes it, until what this gives is dropped.
    pub(crate) fn begin(&self, what: String) -> Wait {
        *lock(&self.0) = Some(what);
        Wait(self.0.clone())
    }

    /// What was noted.
    pub(crate) fn what(&self) -> Option<String> {
        lock(&self.0).clone()
    }
}

/// A wait that lasts.
pub(crate) struct Wait(Arc<Mutex<Option<String>>>);

impl Drop for Wait {
    fn drop(&mut self) {
        *lock(&self.0) = None;
    }
}
