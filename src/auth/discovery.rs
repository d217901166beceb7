//! Who guards a server, and what its authorization server can do (RFC 9728, RFC 8414, OpenID Connect Discovery; of MCP
//! 2025-03-26 the server's own origin). What is compared later is kept as it was written.

use crate::failure::{Failure, Kind, Result};
use crate::transport::http::web::Web;
use reqwest::Url;
use serde_json::{Map, Value};

/// What guards the server.
#[derive(Debug)]
pub(super) struct Guard {
    /// The resource that tokens are for, as written.
    pub(super) resource: String,
    /// The scopes it knows.
    pub(super) scopes: Vec<String>,
    /// Whether its tokens must be bound to a key.
    pub(super) wants_dpop: bool,
    /// Who gives tokens for it.
    pub(super) server: AuthServer,
}

/// An authorization server.
#[derive(Debug)]
pub(super) struct AuthServer {
    /// Its identifier, as written.
    pub(super) issuer: String,
    /// Where a person logs in.
    pub(super) authorization_endpoint: Option<Url>,
    /// Where tokens come from.
    pub(super) token_endpoint: Url,
    /// Where clients register themselves.
    pub(super) registration_endpoint: Option<Url>,
    /// Where tokens are given back.
    pub(super) revocation_endpoint: Option<Url>,
    /// Whether its answers to a login name it.
    pub(super) names_itself: bool,
    /// Whether it takes the address of a document for a client id.
    pub(super) takes_documents: bool,
    /// How clients prove who they are; `None`: it does not say.
    pub(super) auth_methods: Option<Vec<String>>,
    /// The scopes it knows.
    pub(super) scopes: Vec<String>,
    /// Whether it takes PKCE with S256.
    pub(super) has_pkce: bool,
    /// Whether all of it is a guess, since it says nothing of itself.
    pub(super) is_guess: bool,
}

/// What the server's documents say of who guards it.
struct Protected {
    resource: Option<String>,
    issuer: Option<String>,
    scopes: Vec<String>,
    wants_dpop: bool,
}

/// Finds out what guards `server`; `link` is where a refusal said that it is written. Where nobody says anything, its own
/// origin is guessed to be its authorization server (`is_guess`).
///
/// # Errors
/// `auth`, when what is written must not be used.
pub(super) async fn discover(web: &Web, server: &Url, link: Option<&str>) -> Result<Guard> {
    let protected = protected(web, server, link).await?;
    let canonical = canonical(server);
    let (resource, scopes, wants_dpop, issuer) = match protected {
        Some(protected) => {
            let resource = protected.resource.unwrap_or_else(|| canonical.clone());
            (resource, protected.scopes, protected.wants_dpop, protected.issuer)
        }
        None => (canonical, Vec::new(), false, None),
    };
    let found = match issuer {
        Some(issuer) => auth_server(web, &issuer, true).await?,
        // A server of 2025-03-26 is its own authorization server.
        None => auth_server(web, &server.origin().ascii_serialization(), false).await?,
    };
    Ok(Guard { resource, scopes, wants_dpop, server: found })
}

/// The server's address as tokens name it: without a query, where some put a key.
fn canonical(server: &Url) -> String {
    let mut url = server.clone();
    url.set_fragment(None);
    url.set_query(None);
    let text = url.as_str();
    match url.path() {
        "/" => text.trim_end_matches('/').to_owned(),
        _ => text.to_owned(),
    }
}

/// Reads who protects the server: where the refusal said, then at the two places where it would be.
async fn protected(web: &Web, server: &Url, link: Option<&str>) -> Result<Option<Protected>> {
    let mut places = Vec::new();
    if let Some(link) = link {
        let url = server.join(link).map_err(|e| refuse(format!("the refusal names no metadata URL: {e}")))?;
        web.check(&url).map_err(|why| refuse(format!("the metadata of {} is not read: {why}", origin(server))))?;
        places.push(url);
    }
    let path = server.path().trim_end_matches('/');
    if !path.is_empty() {
        places.push(well_known(server, &format!("/.well-known/oauth-protected-resource{path}")));
    }
    places.push(well_known(server, "/.well-known/oauth-protected-resource"));
    match first(web, &places).await? {
        Some(document) => read_protected(server, &document).map(Some),
        None => Ok(None),
    }
}

fn read_protected(server: &Url, document: &Map<String, Value>) -> Result<Protected> {
    let text = |key: &str| document.get(key).and_then(Value::as_str).map(str::to_owned);
    let resource = text("resource");
    if let Some(resource) = &resource
        && !covers(resource, server)
    {
        return Err(refuse(format!("the metadata of {} is that of another resource, {resource}", origin(server))));
    }
    Ok(Protected {
        resource,
        issuer: list(document, "authorization_servers").unwrap_or_default().into_iter().next(),
        scopes: list(document, "scopes_supported").unwrap_or_default(),
        wants_dpop: document.get("dpop_bound_access_tokens_required") == Some(&Value::Bool(true)),
    })
}

/// Whether a token for `resource` is one for the server: the same origin, and its path or one above it.
fn covers(resource: &str, server: &Url) -> bool {
    let Ok(resource) = Url::parse(resource) else { return false };
    let (above, path) = (resource.path().trim_end_matches('/'), server.path().trim_end_matches('/'));
    let is_above = path == above || path.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'));
    resource.origin() == server.origin() && is_above && matches!(resource.scheme(), "http" | "https")
}

/// Reads what an authorization server says of itself. `is_named`: somebody said so; else its address is a guess, and it
/// may be one that says nothing.
async fn auth_server(web: &Web, issuer: &str, is_named: bool) -> Result<AuthServer> {
    let url = Url::parse(issuer).map_err(|e| refuse(format!("the authorization server {issuer:?} is no URL: {e}")))?;
    web.check(&url).map_err(|why| refuse(format!("the authorization server {issuer} is not used: {why}")))?;
    let path = url.path().trim_end_matches('/');
    let mut places = vec![
        well_known(&url, &format!("/.well-known/oauth-authorization-server{path}")),
        well_known(&url, &format!("/.well-known/openid-configuration{path}")),
    ];
    if !path.is_empty() {
        places.push(well_known(&url, &format!("{path}/.well-known/openid-configuration")));
    }
    if let Some(document) = first(web, &places).await? {
        return read_auth_server(web, issuer, is_named, &document);
    }
    if is_named {
        return Err(refuse(format!("the authorization server {issuer} says nothing of itself"))
            .hint("it has no document under /.well-known/oauth-authorization-server or /openid-configuration"));
    }
    Ok(AuthServer {
        issuer: issuer.to_owned(),
        authorization_endpoint: Some(well_known(&url, "/authorize")),
        token_endpoint: well_known(&url, "/token"),
        registration_endpoint: Some(well_known(&url, "/register")),
        revocation_endpoint: None,
        names_itself: false,
        takes_documents: false,
        auth_methods: None,
        scopes: Vec::new(),
        has_pkce: true,
        is_guess: true,
    })
}

fn read_auth_server(web: &Web, issuer: &str, is_named: bool, document: &Map<String, Value>) -> Result<AuthServer> {
    let named = document.get("issuer").and_then(Value::as_str).unwrap_or_default();
    // What we guessed ourselves may be written with a slash at its end.
    let is_same = named == issuer || !is_named && named.trim_end_matches('/') == issuer;
    if !is_same {
        return Err(refuse(format!("the authorization server {issuer} calls itself {named:?}: not used")));
    }
    let endpoint = |key: &str| -> Result<Option<Url>> {
        let Some(text) = document.get(key).and_then(Value::as_str) else { return Ok(None) };
        let url = Url::parse(text).map_err(|e| refuse(format!("{key} of {issuer} is no URL: {e}")))?;
        web.check(&url).map_err(|why| refuse(format!("{key} of {issuer} is not used: {why}")))?;
        Ok(Some(url))
    };
    let is_true = |key: &str| document.get(key) == Some(&Value::Bool(true));
    let token_endpoint = endpoint("token_endpoint")?;
    let pkce = list(document, "code_challenge_methods_supported").unwrap_or_default();
    Ok(AuthServer {
        issuer: named.to_owned(),
        authorization_endpoint: endpoint("authorization_endpoint")?,
        token_endpoint: token_endpoint.ok_or_else(|| refuse(format!("{issuer} names no token_endpoint")))?,
        registration_endpoint: endpoint("registration_endpoint")?,
        revocation_endpoint: endpoint("revocation_endpoint")?,
        names_itself: is_true("authorization_response_iss_parameter_supported"),
        takes_documents: is_true("client_id_metadata_document_supported"),
        auth_methods: list(document, "token_endpoint_auth_methods_supported"),
        scopes: list(document, "scopes_supported").unwrap_or_default(),
        has_pkce: pkce.iter().any(|method| method == "S256"),
        is_guess: false,
    })
}

/// The document at the first place that has one. A place that is in trouble counts only when no other has it.
async fn first(web: &Web, places: &[Url]) -> Result<Option<Map<String, Value>>> {
    let mut trouble = None;
    for place in places {
        match document(web, place).await {
            Ok(Some(document)) => return Ok(Some(document)),
            Ok(None) => {}
            Err(failure) => drop(trouble.get_or_insert(failure)),
        }
    }
    trouble.map_or(Ok(None), Err)
}

/// A JSON object; `None` when there is none at this place.
async fn document(web: &Web, place: &Url) -> Result<Option<Map<String, Value>>> {
    let page = web.get(place).await.map_err(|why| refuse(format!("cannot read {place}: {why}")))?;
    match page.status {
        200 => {}
        500.. => return Err(refuse(format!("cannot read {place}: HTTP {}", page.status))),
        _ => return Ok(None),
    }
    // Many servers answer every path with a page.
    Ok(serde_json::from_slice(&page.body).ok())
}

fn list(document: &Map<String, Value>, key: &str) -> Option<Vec<String>> {
    let items = document.get(key)?.as_array()?;
    Some(items.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

fn well_known(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(path);
    url.set_query(None);
    url.set_fragment(None);
    url
}

fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

fn refuse(why: String) -> Failure {
    Failure::new(Kind::Auth, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resource_covers_what_is_below_it() {
        let server = Url::parse("http://h:1/a/mcp").unwrap();
        for (resource, expected) in [
            ("http://h:1/a/mcp", true),
            ("http://h:1/a/mcp/", true),
            ("http://h:1/a", true),
            ("http://h:1", true),
            ("http://H:1/", true),
            ("http://h:1/a/mc", false),
            ("http://h:1/a/mcp/x", false),
            ("http://h:2/a/mcp", false),
            ("https://h:1/a/mcp", false),
            ("http://h.evil:1/a/mcp", false),
            ("no url", false),
        ] {
            assert_eq!(covers(resource, &server), expected, "{resource}");
        }
    }

    #[test]
    fn a_bare_origin_has_no_slash() {
        for (url, expected) in [
            ("http://h:1", "http://h:1"),
            ("http://h:1/mcp#f", "http://h:1/mcp"),
            ("http://h:1/mcp/", "http://h:1/mcp/"),
            ("http://h:1/mcp?api_key=k", "http://h:1/mcp"),
            ("http://h:1?k", "http://h:1"),
        ] {
            assert_eq!(canonical(&Url::parse(url).unwrap()), expected);
        }
    }
}
