//! What is kept of a login between runs, and how it is made to last.

use super::super::client::Client;
use super::super::discovery::Guard;
use super::super::dpop::Dpop;
use super::super::store::{Book, Login, Unlocked};
use super::super::token::{Endpoint, Grant, Refused};
use super::super::{Secret, refuse, scope};
use super::{Authorizer, Current, Origin};
use crate::failure::{Failure, Kind, Result};
use crate::sync::lock;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::Url;

impl Authorizer {
    /// Takes up the login of an earlier run, if it is one of the client that the user names. A store that cannot be read
    /// is no reason to fail: the server may want no login.
    ///
    /// # Errors
    /// `auth`, when it lacks scopes that the user asks for, and no other can be had.
    pub(super) async fn load(&self) -> Result<()> {
        let login = match self.store.login(&self.name, &self.settings.profile()).await {
            Ok(login) => login,
            Err(failure) => {
                self.warn_once(&failure.message);
                return Ok(());
            }
        };
        let fits = |login: &Login| {
            let is_client = self.settings.client_id.as_ref().is_none_or(|id| *id == login.client_id);
            is_client && (!self.settings.dpop || login.is_dpop)
        };
        let Some(login) = login.filter(fits) else { return Ok(()) };
        let wanted = self.settings.scope.as_deref().map(scope::words).unwrap_or_default();
        match login.covers(&wanted) {
            true => self.take_up(login),
            // The refusal of a request without a token leads to a new one.
            false if self.may_ask() => {}
            false => {
                let (address, wanted) = (self.address(), wanted.join(" "));
                let why = format!("the login at {address} allows {:?}, not --scope {wanted:?}", login.scopes.join(" "));
                return Err(refuse(why).hint(format!("mcpcall login --url {address} --scope '{wanted}' logs in anew")));
            }
        }
        Ok(())
    }

    /// Warns, unless that has been said.
    fn warn_once(&self, text: &str) {
        let mut warned = lock(&self.warned);
        if !warned.iter().any(|said| said == text) {
            self.person.warn(text);
            warned.push(text.to_owned());
        }
    }

    /// Puts a stored login on requests.
    pub(super) fn take_up(&self, login: Login) {
        match dpop_of(&login) {
            Ok(dpop) => self.set(login, dpop, Origin::Stored),
            Err(failure) => self.person.warn(&format!("{failure}")),
        }
    }

    /// Changes what is stored. A store that cannot be written is told, and no reason to fail: there is a token.
    pub(in crate::auth) async fn keep(&self, change: impl FnOnce(&mut Book)) {
        if let Err(failure) = self.store.update(change).await {
            self.not_kept(&failure);
        }
    }

    /// Remembers that a client was registered for this server, so that a logout can forget it.
    pub(in crate::auth) async fn meet(&self, issuer: &str) {
        self.keep(|book| book.meet(&self.name, issuer, None)).await;
    }

    pub(super) fn not_kept(&self, why: &Failure) {
        let is_said = lock(&self.warned).contains(&why.message);
        self.warn_once(&if is_said {
            "the login is not kept".to_owned()
        } else {
            format!("the login is not kept: {why}")
        });
    }

    pub(super) fn login(
        &self,
        guard: &Guard,
        client: Client,
        grant: Grant,
        scopes: Vec<String>,
        dpop: Option<&Dpop>,
    ) -> Login {
        Login {
            server: self.name.clone(),
            profile: self.settings.profile(),
            issuer: guard.server.issuer.clone(),
            resource: guard.resource.clone(),
            client_id: client.id,
            client_secret: client.secret,
            client_method: client.method,
            token_endpoint: guard.server.token_endpoint.to_string(),
            revocation_endpoint: guard.server.revocation_endpoint.as_ref().map(Url::to_string),
            token: grant.token,
            is_dpop: grant.is_dpop,
            expires_at: grant.expires_at,
            lasts: grant.lasts,
            refresh: grant.refresh.filter(|_| !self.settings.is_machine()),
            scopes: grant.scope.as_deref().map_or_else(|| scopes.clone(), scope::words),
            asked: scopes,
            dpop_key: dpop.filter(|_| grant.is_dpop).map(|dpop| Secret(STANDARD.encode(dpop.pkcs8()))),
        }
    }

    /// Makes a login last, or takes what another process has made of it; false when it is over.
    pub(super) async fn refresh(&self, current: &Current) -> Result<bool> {
        let old = &current.login;
        // Held meanwhile: of two who use the same refresh token, the second may end the login of both.
        let wait = self.waits.begin("another process holds the logins locked".into());
        let held = match self.store.try_lock().await {
            Ok(held) => held,
            Err(Unlocked::Busy(failure)) => return Err(failure),
            Err(Unlocked::Failed(failure)) => {
                self.warn_once(&failure.message);
                None
            }
        };
        drop(wait);
        let stored = self.store.login(&self.name, &old.profile).await.ok().flatten();
        let stored = stored.filter(|stored| stored.issuer == old.issuer && stored.client_id == old.client_id);
        if let Some(stored) = &stored
            && stored.token != old.token
            && !stored.is_over()
        {
            self.take_up(stored.clone());
            return Ok(true);
        }
        let Some(refresh) = stored.and_then(|stored| stored.refresh).or_else(|| old.refresh.clone()) else {
            return Ok(false);
        };
        let url = Url::parse(&old.token_endpoint).map_err(|error| refuse(format!("the stored login: {error}")))?;
        let mut client = old.client();
        if client.secret.is_some() && self.settings.client_secret.is_some() {
            // It may have been changed since.
            client.secret.clone_from(&self.settings.client_secret);
        }
        let endpoint = Endpoint {
            web: self.web().await?,
            settings: &self.settings,
            issuer: &old.issuer,
            url: &url,
            client: &client,
            dpop: current.dpop.as_ref(),
            nonces: &self.nonces,
        };
        let form = [
            ("grant_type", "refresh_token".to_owned()),
            ("refresh_token", refresh.0.clone()),
            ("resource", old.resource.clone()),
        ];
        match endpoint.ask(&form).await {
            Ok(grant) if old.is_dpop && !grant.is_dpop => {
                Err(refuse(format!("the new token from {} is not bound to the key, as the old one was", old.issuer)))
            }
            Ok(grant) => {
                let login = Login {
                    client_secret: client.secret,
                    token: grant.token,
                    is_dpop: grant.is_dpop,
                    expires_at: grant.expires_at,
                    lasts: grant.lasts,
                    refresh: grant.refresh.or(Some(refresh)),
                    scopes: grant.scope.as_deref().map_or_else(|| old.scopes.clone(), scope::words),
                    ..old.clone()
                };
                if let Some(held) = &held
                    && let Err(failure) = self.store.change(held, |book| book.log_in(login.clone())).await
                {
                    self.not_kept(&failure);
                }
                let dpop = dpop_of(&login)?;
                self.set(login, dpop, Origin::Refresh);
                Ok(true)
            }
            Err(Refused::Over(failure)) => {
                self.person.tell(&format!("the login is over: {failure}"));
                if let Some(held) = &held {
                    let _ = self.store.change(held, |book| book.log_out(&self.name, Some(&old.profile))).await;
                }
                *lock(&self.current) = None;
                Ok(false)
            }
            Err(Refused::Unknown(failure)) => {
                if let Some(held) = held.as_ref().filter(|_| self.settings.client_id.is_none()) {
                    let _ = self.store.change(held, |book| book.forget(&old.issuer)).await;
                }
                Err(failure.hint(format!("mcpcall login --url {} logs in anew", self.address())))
            }
            Err(Refused::Broken(failure)) => Err(failure.hint("the login is kept; try again later")),
        }
    }
}

/// The key that a login is bound to.
fn dpop_of(login: &Login) -> Result<Option<Dpop>> {
    let Some(Secret(key)) = login.dpop_key.as_ref().filter(|_| login.is_dpop) else { return Ok(None) };
    let pkcs8 = STANDARD.decode(key).map_err(|_| Failure::new(Kind::Auth, "the stored DPoP key cannot be read"))?;
    Dpop::of(pkcs8).map(Some)
}
