//! Programs that need no person: a client trusted by itself, one with a statement of somebody else's (RFC 7523), and one
//! that the company's identity provider vouches for (identity assertion grant, RFC 8693 and 7523).

use super::client::{Client, Method};
use super::discovery::Guard;
use super::dpop::Dpop;
use super::token::{Endpoint, Grant, hidden};
use super::{Authorizer, How, Provider, Secret, refuse};
use crate::failure::Result;
use crate::transport::http::web::Web;

const ID_JAG: &str = "urn:ietf:params:oauth:token-type:id-jag";
const ID_TOKEN: &str = "urn:ietf:params:oauth:token-type:id_token";
const TOKEN_EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/// Gets a token, and says as which client.
///
/// # Errors
/// `auth`, when there is none.
pub(super) async fn get(
    authorizer: &Authorizer,
    web: &Web,
    guard: &Guard,
    scopes: &[String],
    dpop: Option<&Dpop>,
) -> Result<(Client, Grant)> {
    let settings = &authorizer.settings;
    let server = &guard.server;
    let missing = |flag: &str| refuse(format!("--grant {} needs {flag}", settings.how.name()));
    let client = Client::given(settings, server).ok_or_else(|| missing("--client-id"))?;
    let endpoint = Endpoint::of(web, settings, server, &client, dpop, &authorizer.nonces);
    let mut form = match settings.how {
        How::Code => return Err(refuse("a person is needed")),
        How::ClientCredentials => vec![("grant_type", "client_credentials".to_owned())],
        How::JwtBearer => {
            let assertion = settings.assertion.clone().ok_or_else(|| missing("--assertion-file"))?;
            vec![("grant_type", JWT_BEARER.to_owned()), ("assertion", assertion.0)]
        }
        How::IdJag => {
            let provider = settings.provider.as_ref().ok_or_else(|| missing("--idp-token-url"))?;
            let assertion = vouched_for(authorizer, provider, guard, scopes).await?;
            vec![("grant_type", JWT_BEARER.to_owned()), ("assertion", assertion.0)]
        }
    };
    form.push(("resource", guard.resource.clone()));
    if !scopes.is_empty() {
        form.push(("scope", scopes.join(" ")));
    }
    let grant = endpoint.ask(&form).await?;
    Ok((client, grant))
}

/// The identity provider's statement for this authorization server.
async fn vouched_for(authorizer: &Authorizer, provider: &Provider, guard: &Guard, scopes: &[String]) -> Result<Secret> {
    // It is the user who names the provider, so it may stand in a network of their own.
    let web = authorizer.own_web()?;
    let secret = provider.client_secret.clone();
    let method = if secret.is_some() { Method::ClientSecretBasic } else { Method::None };
    let client = Client { id: provider.client_id.clone(), secret, method };
    let endpoint = Endpoint {
        web: &web,
        settings: &authorizer.settings,
        issuer: provider.token_url.as_str(),
        url: &provider.token_url,
        client: &client,
        dpop: None,
        nonces: &authorizer.nonces,
    };
    let mut form = vec![
        ("grant_type", TOKEN_EXCHANGE.to_owned()),
        ("requested_token_type", ID_JAG.to_owned()),
        ("audience", guard.server.issuer.clone()),
        ("resource", guard.resource.clone()),
        ("subject_token", provider.id_token.0.clone()),
        ("subject_token_type", ID_TOKEN.to_owned()),
    ];
    if !scopes.is_empty() {
        form.push(("scope", scopes.join(" ")));
    }
    let grant = endpoint.ask(&form).await?;
    match grant.issued.as_deref() {
        Some(ID_JAG) | None => Ok(grant.token),
        Some(other) => {
            let other = hidden(other, &[&grant.token.0]);
            Err(refuse(format!("{} gives a {other}, not an identity assertion", provider.token_url)))
        }
    }
}
