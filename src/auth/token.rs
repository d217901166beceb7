//! The token endpoint: one form goes there, a token or a refusal comes back (RFC 6749 section 5). What is refused is told
//! without the secrets that were in play, also where the server repeats them.

use super::client::Client;
use super::discovery::AuthServer;
use super::dpop::{Dpop, Nonces};
use super::{Secret, Settings, refuse};
use crate::failure::{Failure, Result};
use crate::transport::Headers;
use crate::transport::http::web::{Page, Web};
use reqwest::Url;
use serde_json::Value;

/// A token as it was given.
#[derive(Debug)]
pub(super) struct Grant {
    pub(super) token: Secret,
    /// Bound to a key.
    pub(super) is_dpop: bool,
    /// Seconds since 1970.
    pub(super) expires_at: Option<u64>,
    /// How many seconds it was given for.
    pub(super) lasts: Option<u64>,
    pub(super) refresh: Option<Secret>,
    /// The scopes that were granted, where they are not what was asked for.
    pub(super) scope: Option<String>,
    /// The kind of what was issued in an exchange.
    pub(super) issued: Option<String>,
}

/// Why there is no token.
pub(super) enum Refused {
    /// What was shown for a token is of no use any more (invalid_grant).
    Over(Failure),
    /// The server does not know the client, or does not believe it (invalid_client).
    Unknown(Failure),
    /// Anything else, which says nothing of what was shown: too many requests, a server in trouble, no answer.
    Broken(Failure),
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Over(failure) | Refused::Unknown(failure) | Refused::Broken(failure) => failure,
        }
    }
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Self {
        Refused::Broken(failure)
    }
}

/// One token endpoint, and who asks.
pub(super) struct Endpoint<'a> {
    pub(super) web: &'a Web,
    pub(super) settings: &'a Settings,
    pub(super) issuer: &'a str,
    pub(super) url: &'a Url,
    pub(super) client: &'a Client,
    /// The key that the token is to be bound to.
    pub(super) dpop: Option<&'a Dpop>,
    pub(super) nonces: &'a Nonces,
}

impl<'a> Endpoint<'a> {
    /// That of an authorization server.
    pub(super) fn of(
        web: &'a Web,
        settings: &'a Settings,
        server: &'a AuthServer,
        client: &'a Client,
        dpop: Option<&'a Dpop>,
        nonces: &'a Nonces,
    ) -> Self {
        Endpoint { web, settings, issuer: &server.issuer, url: &server.token_endpoint, client, dpop, nonces }
    }

    /// Asks for a token; once more where a nonce is wanted in the proof.
    pub(super) async fn ask(&self, form: &[(&'static str, String)]) -> Result<Grant, Refused> {
        let (mut secrets, page) = self.post(form).await?;
        let wants_nonce = matches!(page.status, 400 | 401) && error(&page) == Some("use_dpop_nonce".into());
        let page = match self.dpop {
            Some(_) if wants_nonce && self.nonces.note(self.url, &page.headers) => {
                let (more, page) = self.post(form).await?;
                secrets.extend(more);
                page
            }
            _ => page,
        };
        self.nonces.note(self.url, &page.headers);
        self.read(&secrets, &page)
    }

    /// The answer, and all that is secret of what was sent.
    async fn post(&self, form: &[(&'static str, String)]) -> Result<(Vec<String>, Page)> {
        let (mut form, mut headers) = (form.to_vec(), Vec::new());
        self.client.prove(self.settings, self.issuer, &mut form, &mut headers)?;
        if let Some(dpop) = self.dpop {
            headers.push(("DPoP".into(), dpop.proof("POST", self.url, None, self.nonces)?));
        }
        let secrets = in_play(self.client, &form, &headers);
        let posted = self.web.post(self.url, &headers, "application/x-www-form-urlencoded", encoded(&form)).await;
        let page = posted.map_err(|why| refuse(format!("cannot get a token from {}: {why}", self.issuer)))?;
        Ok((secrets, page))
    }

    fn read(&self, secrets: &[String], page: &Page) -> Result<Grant, Refused> {
        let answer: Value = serde_json::from_slice(&page.body).unwrap_or_default();
        if !(200..300).contains(&page.status) {
            let secrets: Vec<&str> = secrets.iter().map(String::as_str).collect();
            let failure = refuse(format!("{} gives no token: {}", self.issuer, words(&answer, page.status, &secrets)));
            return Err(match error(page).as_deref().filter(|_| page.status < 500) {
                Some("invalid_grant") => Refused::Over(failure),
                Some("invalid_client") => Refused::Unknown(failure),
                _ => Refused::Broken(failure),
            });
        }
        let text = |key: &str| answer.get(key).and_then(Value::as_str).map(str::to_owned);
        let odd = |what: &str| Refused::Broken(refuse(format!("the token from {} {what}", self.issuer)));
        let token = text("access_token").filter(|token| !token.is_empty()).ok_or_else(|| odd("is missing"))?;
        if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(odd("has characters that no token may have"));
        }
        let kind = text("token_type").unwrap_or_else(|| "Bearer".into());
        let is_dpop = kind.eq_ignore_ascii_case("dpop");
        if !is_dpop && !kind.eq_ignore_ascii_case("bearer") && !kind.eq_ignore_ascii_case("n_a") {
            let secrets: Vec<&str> = secrets.iter().map(String::as_str).chain([token.as_str()]).collect();
            let kind = hidden(&kind, &secrets);
            return Err(odd(&format!("is of type {kind:?}, which is not known here")));
        }
        if self.dpop.is_some() && self.settings.dpop && !is_dpop {
            return Err(odd("is not bound to the key, as --dpop demands"));
        }
        if self.dpop.is_none() && is_dpop {
            return Err(odd("is bound to a key that was never shown"));
        }
        let seconds = answer.get("expires_in");
        let seconds = seconds.and_then(|value| value.as_u64().or_else(|| value.as_str()?.parse().ok()));
        Ok(Grant {
            token: Secret(token),
            is_dpop,
            expires_at: seconds.map(|seconds| super::jws::now().saturating_add(seconds)),
            lasts: seconds,
            refresh: text("refresh_token").filter(|token| !token.is_empty()).map(Secret),
            scope: text("scope"),
            issued: text("issued_token_type"),
        })
    }
}

/// The form as it is sent.
pub(super) fn encoded(form: &[(&'static str, String)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish()
}

fn error(page: &Page) -> Option<String> {
    let answer: Value = serde_json::from_slice(&page.body).ok()?;
    answer.get("error").and_then(Value::as_str).map(str::to_owned)
}

fn is_secret(name: &str) -> bool {
    ["code", "code_verifier", "refresh_token", "assertion", "subject_token", "client_secret", "client_assertion"]
        .contains(&name)
}

/// All that is secret of what a client sends to a token endpoint.
fn in_play(client: &Client, form: &[(&'static str, String)], headers: &Headers) -> Vec<String> {
    let fields = form.iter().filter(|(name, _)| is_secret(name)).map(|(_, value)| value.as_str());
    // All headers are proofs; of `Basic …` it is the last word.
    let proofs = headers.iter().map(|(_, value)| value.rsplit(' ').next().unwrap_or(value));
    let own = client.secret.iter().map(|Secret(value)| value.as_str());
    fields.chain(proofs).chain(own).map(str::to_owned).collect()
}

/// What a refusal says, without these secrets.
pub(super) fn words(answer: &Value, status: u16, secrets: &[&str]) -> String {
    let text = |key: &str| answer.get(key).and_then(Value::as_str);
    let words = match (text("error"), text("error_description")) {
        (Some(error), Some(description)) => format!("{error}: {description}"),
        (Some(error), None) => error.to_owned(),
        _ => format!("HTTP {status}"),
    };
    hidden(&words, secrets)
}

/// A text of the server's, without these secrets.
pub(super) fn hidden(text: &str, secrets: &[&str]) -> String {
    // One of a few letters is none, and would take them out of every word.
    let secrets = secrets.iter().filter(|secret| secret.len() >= 4);
    let text = secrets.fold(text.to_owned(), |text, secret| {
        let encoded: String = form_urlencoded::byte_serialize(secret.as_bytes()).collect();
        let forms = [(*secret).to_owned(), encoded.replace('+', "%20"), encoded];
        forms.iter().fold(text, |text, form| text.replace(form.as_str(), "***"))
    });
    text.chars().take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::super::client::Method;
    use super::*;
    use serde_json::json;

    #[test]
    fn a_refusal_is_told_without_secrets() {
        let answer = json!({ "error": "invalid_grant", "error_description": "code c0de is used up" });
        assert_eq!(words(&answer, 400, &["c0de", ""]), "invalid_grant: code *** is used up");
        assert_eq!(words(&json!("x"), 502, &[]), "HTTP 502");
        let echo = json!({ "error": "e", "error_description": "s3cret/+ x, s3cret%2F%2B+x, s3cret%2F%2B%20x" });
        assert_eq!(words(&echo, 400, &["s3cret/+ x"]), "e: ***, ***, ***");
    }

    #[test]
    fn all_that_proves_a_client_is_secret() {
        let client = Client { id: "me".into(), secret: Some(Secret("s3cret".into())), method: Method::None };
        let form = [("client_id", "me".to_owned()), ("client_assertion", "signed".into()), ("code", "c0de".into())];
        let headers = vec![("Authorization".to_owned(), "Basic bWU6czNjcmV0".to_owned())];
        assert_eq!(in_play(&client, &form, &headers), ["signed", "c0de", "bWU6czNjcmV0", "s3cret"]);
    }

    #[test]
    fn a_form_is_encoded() {
        assert_eq!(encoded(&[("a", "x y&z=é".into()), ("b", String::new())]), "a=x+y%26z%3D%C3%A9&b=");
    }
}
