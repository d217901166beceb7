//! Authorization of HTTP servers (2026-07-28 basic/authorization): finds out who guards a server, gets a token in the way
//! that the user has one, keeps it, and puts it on requests. The transport asks through `transport::credentials`; a
//! person is reached through the trait `Person`. Nothing secret leaves here but to whom it is meant for.
//!
//! - `challenge`, `discovery`: what a refusal asks for, and who can give it
//! - `client`, `authorize`, `loopback`: a client, and a person's login
//! - `machine`: programs, which need no person
//! - `token`, `jws`, `dpop`, `scope`: what is asked with, and proved by
//! - `store`: what is kept

mod authorize;
mod authorizer;
pub(crate) mod challenge;
mod client;
mod discovery;
mod dpop;
mod jws;
mod loopback;
mod machine;
mod scope;
mod store;
mod token;

pub(crate) use authorizer::Authorizer;
pub(crate) use loopback::parse as parse_redirect_uri;
pub(crate) use store::{Login, Store};

use crate::failure::{Failure, Kind, Result};
use crate::transport::http::zone::check_scheme;
use jws::Key;
use reqwest::Url;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

/// How a token is had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum How {
    /// A person logs in.
    #[default]
    Code,
    /// The client is trusted by itself.
    ClientCredentials,
    /// By a statement of somebody the server trusts (RFC 7523).
    JwtBearer,
    /// By way of the company's identity provider.
    IdJag,
}

impl How {
    fn name(self) -> &'static str {
        match self {
            How::Code => "code",
            How::ClientCredentials => "client-credentials",
            How::JwtBearer => "jwt-bearer",
            How::IdJag => "id-jag",
        }
    }
}

/// What the user has said about it.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    /// How a token is had.
    pub(crate) how: How,
    /// A client that is registered already.
    pub(crate) client_id: Option<String>,
    /// Its secret.
    pub(crate) client_secret: Option<Secret>,
    /// Its key.
    pub(crate) client_key: Option<ClientKey>,
    /// A document that describes this client.
    pub(crate) client_metadata_url: Option<String>,
    /// Where the browser comes back to.
    pub(crate) redirect_uri: Option<String>,
    /// The scopes to ask for.
    pub(crate) scope: Option<String>,
    /// The statement for `JwtBearer`.
    pub(crate) assertion: Option<Secret>,
    /// The identity provider for `IdJag`.
    pub(crate) provider: Option<Provider>,
    /// Whether tokens must be bound to a key.
    pub(crate) dpop: bool,
    /// Whether no token is asked for: what is stored must do.
    pub(crate) no_login: bool,
    /// Whether plain http may leave this machine.
    pub(crate) insecure_http: bool,
    /// The hosts of the proxies that requests may go through, wherever they stand.
    pub(crate) proxies: Vec<String>,
    /// Whether requests to the server itself go through none of them.
    pub(crate) is_direct: bool,
}

impl Settings {
    /// Whether no person is needed.
    fn is_machine(&self) -> bool {
        self.how != How::Code
    }

    /// All that is secret of it, but the key, which goes nowhere.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &Secret> {
        let provider =
            self.provider.iter().flat_map(|provider| provider.client_secret.iter().chain([&provider.id_token]));
        self.client_secret.iter().chain(&self.assertion).chain(provider)
    }

    /// What logins are told apart by, at one server.
    fn profile(&self) -> String {
        match (&self.client_id, self.is_machine()) {
            (Some(id), true) => format!("{} {id} {}", self.how.name(), self.fingerprint()),
            _ => self.how.name().to_owned(),
        }
    }

    /// A hash of all that a program proves itself with: a token is no use to who shows something else.
    fn fingerprint(&self) -> String {
        let secret = |secret: &Option<Secret>| secret.as_ref().map(|secret| secret.0.clone());
        let provider = self.provider.as_ref().map(|provider| {
            let id_token = &provider.id_token.0;
            (provider.token_url.as_str(), &provider.client_id, secret(&provider.client_secret), id_token)
        });
        let key = self.client_key.as_ref().map(|key| key.0.id());
        let shown = (secret(&self.client_secret), key, secret(&self.assertion), provider);
        // As JSON, so that no two of them run together.
        jws::hash(&serde_json::json!(shown).to_string())
    }
}

/// What goes into `Authorization` by the login that is kept for a server, as long as its token lasts. A token that needs a
/// proof with each request is none.
pub(crate) fn stored(store: &Store, url: &str, client_id: Option<&str>, insecure_http: bool) -> Option<String> {
    check_scheme(&Url::parse(url).ok()?, insecure_http).ok()?;
    let (server, logins) = (url.split('#').next()?, store.logins().ok()?);
    let login = logins.into_iter().find(|login| login.server == server && login.profile == How::Code.name())?;
    let fits = client_id.is_none_or(|id| id == login.client_id) && !login.is_over() && !login.is_bound();
    fits.then(|| format!("Bearer {}", login.token.0))
}

/// A company's identity provider.
#[derive(Debug)]
pub(crate) struct Provider {
    /// Its token endpoint.
    pub(crate) token_url: Url,
    /// Who we are there.
    pub(crate) client_id: String,
    /// How that is proved, where it is.
    pub(crate) client_secret: Option<Secret>,
    /// Who the person is, in the provider's words.
    pub(crate) id_token: Secret,
}

/// A private key of a client.
pub(crate) struct ClientKey(Key);

impl ClientKey {
    /// A key in PEM form; `algorithm` and `id` are what the user demands of it.
    ///
    /// # Errors
    /// `usage`, when it cannot be used.
    pub(crate) fn read(pem: &str, algorithm: Option<&str>, id: Option<String>) -> Result<Self> {
        Key::read(pem, algorithm, id).map(ClientKey)
    }
}

impl fmt::Debug for ClientKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

/// A text that is shown nowhere.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Secret(pub(crate) String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

/// Something to come.
pub(crate) type Coming<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The person who may log in, as far as there is one.
pub(crate) trait Person: Send + Sync {
    /// Whether a login may begin by itself.
    fn may_log_in(&self) -> bool;
    /// Hides a value from here on, whoever repeats it.
    fn conceal(&self, secret: &str);
    /// Tells something worth knowing.
    fn tell(&self, text: &str);
    /// Tells something that is odd.
    fn warn(&self, text: &str);
    /// Shows where to log in and opens it as far as the person wants that; false when they do not want to.
    fn invite<'a>(&'a self, url: &'a str, host: &'a str) -> Coming<'a, bool>;
    /// The address that the browser was sent to, as the person gives it; never, where that is not the way.
    fn pasted(&self) -> Coming<'_, Option<String>>;
    /// How long a login may take.
    fn patience(&self) -> Option<Duration>;
    /// Stops the clocks of calls until what it gives is dropped.
    fn hold(&self) -> Box<dyn Any + Send>;
}

fn refuse(why: impl Into<String>) -> Failure {
    Failure::new(Kind::Auth, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_shows_something_else_has_another_profile() {
        let secret = |text: &str| Some(Secret(text.into()));
        let provider = |host: &str, client_id: &str, key: Option<&str>, id_token: &str| {
            Some(Provider {
                token_url: Url::parse(host).unwrap(),
                client_id: client_id.into(),
                client_secret: key.map(|key| Secret(key.into())),
                id_token: Secret(id_token.into()),
            })
        };
        let base = || Settings { how: How::IdJag, client_id: Some("c".into()), ..Settings::default() };
        let key = || {
            let key = rcgen::KeyPair::generate().unwrap().serialize_pem();
            Some(ClientKey::read(&key, None, None).unwrap())
        };
        let all = [
            base(),
            Settings { client_secret: secret("a"), ..base() },
            Settings { client_secret: secret("b"), ..base() },
            Settings { assertion: secret("a"), ..base() },
            Settings { assertion: secret("b"), ..base() },
            Settings { client_key: key(), ..base() },
            Settings { client_key: key(), ..base() },
            Settings { provider: provider("https://a", "i", None, "t"), ..base() },
            Settings { provider: provider("https://b", "i", None, "t"), ..base() },
            Settings { provider: provider("https://a", "j", None, "t"), ..base() },
            Settings { provider: provider("https://a", "i", Some("k"), "t"), ..base() },
            Settings { provider: provider("https://a", "i", None, "u"), ..base() },
        ];
        let profiles: std::collections::HashSet<String> = all.iter().map(Settings::profile).collect();
        assert_eq!(profiles.len(), all.len());
        assert!(profiles.iter().all(|profile| profile.starts_with("id-jag c ")));
        let again = Settings { client_secret: secret("a"), ..base() };
        assert_eq!(again.profile(), all[1].profile());
        assert_eq!(Settings { client_secret: secret("a"), ..Settings::default() }.profile(), "code");
    }
}
