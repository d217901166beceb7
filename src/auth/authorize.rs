//! A person logs in: the authorization code flow with PKCE (RFC 6749, 7636, 8252, 9207). The browser is sent out with a
//! state of ours and what comes back is held against it before anything else is believed.

use super::client::{self, Client};
use super::discovery::{AuthServer, Guard};
use super::dpop::Dpop;
use super::loopback::Loopback;
use super::store::Registered;
use super::token::{Endpoint, Grant, hidden};
use super::{Authorizer, jws, refuse};
use crate::failure::{Failure, Kind, Result};
use crate::transport::http::web::Web;
use reqwest::Url;

/// The longest list of scopes that is asked for.
const MAX_SCOPE: usize = 8 * 1024;

/// Lets a person log in, and gives the client and the token that come of it.
///
/// # Errors
/// `auth`, when that does not work out.
pub(super) async fn log_in(
    authorizer: &Authorizer,
    web: &Web,
    guard: &Guard,
    scopes: &[String],
    dpop: Option<&Dpop>,
) -> Result<(Client, Grant)> {
    let server = &guard.server;
    let endpoint = server.authorization_endpoint.as_ref();
    let endpoint = endpoint.ok_or_else(|| refuse(format!("{} lets nobody log in by a browser", server.issuer)))?;
    if !server.has_pkce {
        return Err(refuse(format!("{} does not say that it takes PKCE with S256: no login there", server.issuer)));
    }
    let (client, loopback) = identify(authorizer, web, server, dpop.is_some()).await?;
    let (state, verifier) = (jws::random_text()?, jws::random_text()?);
    let mut url = endpoint.clone();
    let mut query = vec![
        ("response_type", "code".to_owned()),
        ("client_id", client.id.clone()),
        ("redirect_uri", loopback.uri.clone()),
        ("state", state.clone()),
        ("code_challenge", jws::hash(&verifier)),
        ("code_challenge_method", "S256".into()),
        ("resource", guard.resource.clone()),
    ];
    let scope: String = scopes.join(" ").chars().take(MAX_SCOPE).collect();
    if !scope.is_empty() {
        query.push(("scope", scope));
    }
    if scopes.iter().any(|scope| scope == "offline_access") {
        // Without asking the person, many servers give nothing to stay logged in with.
        query.push(("prompt", "consent".into()));
    }
    query.extend(dpop.map(|dpop| ("dpop_jkt", dpop.thumbprint())));
    url.query_pairs_mut().extend_pairs(&query);
    let redirect_uri = loopback.uri.clone();
    let came_back = wait(authorizer, &url, loopback, &state).await?;
    let code = check(&came_back, server, &state)?;
    let form = [
        ("grant_type", "authorization_code".to_owned()),
        ("code", code),
        ("redirect_uri", redirect_uri),
        ("code_verifier", verifier),
        ("resource", guard.resource.clone()),
    ];
    let endpoint = Endpoint::of(web, &authorizer.settings, server, &client, dpop, &authorizer.nonces);
    let grant = endpoint.ask(&form).await?;
    Ok((client, grant))
}

/// Who we are to this server, and where its answer comes to.
async fn identify(authorizer: &Authorizer, web: &Web, server: &AuthServer, dpop: bool) -> Result<(Client, Loopback)> {
    let settings = &authorizer.settings;
    let fixed = settings.redirect_uri.as_deref();
    if let Some(client) = Client::given(settings, server).or_else(|| Client::documented(settings, server)) {
        return Ok((client, Loopback::open(fixed).await?));
    }
    let known =
        authorizer.store.client(&server.issuer).await.filter(|known| fixed.is_none_or(|uri| known.redirect_uri == uri));
    if let Some(known) = known
        && let Ok(loopback) = Loopback::open(Some(&known.redirect_uri)).await
    {
        authorizer.meet(&server.issuer).await;
        return Ok((known.client(), loopback));
    }
    let loopback = Loopback::open(fixed).await?;
    let registered = client::register(web, server, &loopback.uri, dpop).await?;
    authorizer.keep(|book| book.register(registered.clone())).await;
    authorizer.meet(&server.issuer).await;
    Ok((Registered::client(&registered), loopback))
}

/// Sends the person out and waits until the browser, or what the person pastes, brings the answer.
async fn wait(authorizer: &Authorizer, url: &Url, loopback: Loopback, state: &str) -> Result<String> {
    let person = &*authorizer.person;
    let _held = person.hold();
    let host = url.host_str().unwrap_or_default();
    if !person.invite(url.as_str(), host).await {
        return Err(refuse("the login was given up"));
    }
    let patience = async {
        match person.patience() {
            Some(limit) => tokio::time::sleep(limit).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        query = loopback.answer(state) => Ok(query),
        pasted = person.pasted() => match pasted {
            Some(text) => Ok(text.trim().split_once('?').map_or(text.trim(), |(_, query)| query).to_owned()),
            None => Err(refuse("the login was given up")),
        },
        () = patience => Err(Failure::new(Kind::Timeout, "nobody logged in within the time that there was")
            .hint("--timeout SECONDS waits longer")
            .hint("if the page does not know the client: mcpcall logout --url URL forgets it, and a new login makes another")),
    }
}

/// The code that came back, if it is the answer to what was asked and comes from whom it was asked of.
fn check(query: &str, server: &AuthServer, state: &str) -> Result<String> {
    let query = query.split('#').next().unwrap_or_default();
    let pairs = form_urlencoded::parse(query.as_bytes());
    let answer: Vec<(String, String)> = pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
    let all = |name: &'static str| answer.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str());
    if let Some(name) = ["state", "code", "iss", "error"].into_iter().find(|name| all(name).count() > 1) {
        return Err(refuse(format!("what came back is no answer to this login: it has {name} more than once")));
    }
    let get = |name: &'static str| all(name).next().filter(|value| !value.is_empty());
    if get("state") != Some(state) {
        return Err(refuse("what came back is no answer to this login: its state is another one"));
    }
    let issuer = &server.issuer;
    match get("iss") {
        Some(named) if named != issuer => {
            let secrets: Vec<&str> = [Some(state), get("code")].into_iter().flatten().collect();
            let named = hidden(named, &secrets);
            return Err(refuse(format!("the answer to the login at {issuer} comes from {named:?}: not used")));
        }
        None if server.names_itself => {
            return Err(refuse(format!(
                "the answer to the login at {issuer} does not say that it is from there (iss)"
            )));
        }
        _ => {}
    }
    if let Some(error) = get("error") {
        let description = get("error_description").map_or_else(String::new, |text| format!(": {text}"));
        let secrets: Vec<&str> = [Some(state), get("code")].into_iter().flatten().collect();
        return Err(refuse(format!(
            "{issuer} refused the login: {}",
            hidden(&format!("{error}{description}"), &secrets)
        )));
    }
    get("code").map(str::to_owned).ok_or_else(|| refuse(format!("the answer to the login at {issuer} has no code")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(names_itself: bool) -> AuthServer {
        let url = Url::parse("https://as/token").unwrap();
        AuthServer {
            issuer: "https://as".into(),
            authorization_endpoint: None,
            token_endpoint: url,
            registration_endpoint: None,
            revocation_endpoint: None,
            names_itself,
            takes_documents: false,
            auth_methods: None,
            scopes: Vec::new(),
            has_pkce: true,
            is_guess: false,
        }
    }

    #[test]
    fn an_answer_is_held_against_the_question() {
        for (query, names_itself, expected) in [
            ("code=c&state=s", false, Ok("c")),
            ("code=c&state=s&iss=https%3A%2F%2Fas", true, Ok("c")),
            ("code=c&state=s#x", false, Ok("c")),
            ("code=c&state=t", false, Err("state is another one")),
            ("code=c&state=s&code=d", false, Err("it has code more than once")),
            ("code=c&state=t&state=s", false, Err("it has state more than once")),
            ("code=c&state=s&iss=https%3A%2F%2Fevil&iss=https%3A%2F%2Fas", true, Err("it has iss more than once")),
            ("code=c", false, Err("state is another one")),
            ("code=c&state=s", true, Err("does not say that it is from there")),
            ("code=c&state=s&iss=https%3A%2F%2Fas%2F", false, Err("comes from \"https://as/\"")),
            // Whose error it is must be known first.
            ("error=e&error_description=lies&state=s&iss=https%3A%2F%2Fevil", false, Err("comes from")),
            ("error=access_denied&error_description=no&state=s", false, Err("refused the login: access_denied: no")),
            ("state=s", false, Err("has no code")),
            ("", false, Err("state is another one")),
        ] {
            match (check(query, &server(names_itself), "s"), expected) {
                (Ok(code), Ok(expected)) => assert_eq!(code, expected),
                (Err(failure), Err(part)) => {
                    assert!(failure.message.contains(part), "{query}: {failure}");
                    assert!(!failure.message.contains("lies"), "{failure}");
                }
                (got, _) => panic!("{query}: {got:?}"),
            }
        }
    }
}
