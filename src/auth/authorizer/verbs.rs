//! `mcpcall login` and `mcpcall logout`.

use super::super::challenge::Challenges;
use super::super::store::{Book, Login};
use super::super::{refuse, token};
use super::Authorizer;
use crate::failure::{Failure, Result};
use crate::transport::Headers;
use reqwest::Url;

impl Authorizer {
    /// Gets a new token though nothing has been refused yet, and gives the login.
    ///
    /// # Errors
    /// `auth`, when that does not work out.
    pub(crate) async fn log_in(&self) -> Result<Login> {
        // Nobody logs in for nothing.
        self.store.check().await?;
        let web = self.web().await?;
        let page = web.look(&self.server).await;
        let page = page.map_err(|why| Failure::connect(format!("cannot connect to {}: {why}", self.address())))?;
        let challenges = Challenges::of(&page.headers);
        let mut turn = self.turn.lock().await;
        turn.must_keep = true;
        let guard = self.discover(web, &challenges).await?;
        let scopes = self.first_scopes(&challenges, &guard);
        self.ask(&mut turn, web, &guard, scopes, challenges.wants_dpop()).await?;
        self.current().map(|current| current.login.clone()).ok_or_else(|| refuse("there is no login"))
    }

    /// Forgets the logins at this server, here and where they were given, and the clients that were registered for it;
    /// gives how many logins there were, and whether there was such a client.
    ///
    /// # Errors
    /// When the store cannot be changed.
    pub(crate) async fn log_out(&self) -> Result<(usize, bool)> {
        let forget = |book: &mut Book| (book.log_out(&self.name, None), book.part(&self.name));
        let (logins, had_client) = self.store.update(forget).await?;
        for login in &logins {
            if let Err(failure) = self.revoke(login).await {
                self.person.warn(&format!("{} was not told: {failure}", login.issuer));
            }
        }
        Ok((logins.len(), had_client))
    }

    async fn revoke(&self, login: &Login) -> Result<()> {
        let Some(endpoint) = &login.revocation_endpoint else { return Ok(()) };
        let url = Url::parse(endpoint).map_err(|error| refuse(format!("its revocation endpoint: {error}")))?;
        let (token, hint) = match &login.refresh {
            Some(refresh) => (refresh, "refresh_token"),
            None => (&login.token, "access_token"),
        };
        let mut form = vec![("token", token.0.clone()), ("token_type_hint", hint.to_owned())];
        let mut headers = Headers::new();
        login.client().prove(&self.settings, &login.issuer, &mut form, &mut headers)?;
        let form = token::encoded(&form);
        let posted = self.web().await?.post(&url, &headers, "application/x-www-form-urlencoded", form).await;
        match posted.map_err(refuse)?.status {
            200..=299 => Ok(()),
            status => Err(refuse(format!("HTTP {status}"))),
        }
    }
}
