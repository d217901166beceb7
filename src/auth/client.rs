//! Who we are to an authorization server: a client that the user names, one that a document describes, or one that is
//! registered on the spot (RFC 7591). What one server has given is never shown to another.

use super::discovery::AuthServer;
use super::store::Registered;
use super::{ClientKey, Secret, Settings, jws, refuse};
use crate::failure::Result;
use crate::transport::http::web::Web;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How a client proves at the token endpoint who it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Method {
    /// It does not: its name is all.
    None,
    /// Its secret in a header.
    ClientSecretBasic,
    /// Its secret in the form.
    ClientSecretPost,
    /// A signed statement.
    PrivateKeyJwt,
}

impl Method {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "none" => Method::None,
            "client_secret_basic" => Method::ClientSecretBasic,
            "client_secret_post" => Method::ClientSecretPost,
            "private_key_jwt" => Method::PrivateKeyJwt,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Method::None => "none",
            Method::ClientSecretBasic => "client_secret_basic",
            Method::ClientSecretPost => "client_secret_post",
            Method::PrivateKeyJwt => "private_key_jwt",
        }
    }

    /// What a server wants of a client with a secret; basic is what it is to take when it does not say.
    fn of_secret(server: &AuthServer) -> Self {
        let Some(methods) = &server.auth_methods else { return Method::ClientSecretBasic };
        let known = [Method::ClientSecretBasic, Method::ClientSecretPost, Method::None];
        let listed = known.into_iter().find(|method| methods.iter().any(|name| name == method.name()));
        listed.unwrap_or(Method::ClientSecretBasic)
    }
}

/// A client of one authorization server.
#[derive(Debug, Clone)]
pub(super) struct Client {
    pub(super) id: String,
    pub(super) secret: Option<Secret>,
    pub(super) method: Method,
}

impl Client {
    /// The client that the user names.
    pub(super) fn given(settings: &Settings, server: &AuthServer) -> Option<Self> {
        let id = settings.client_id.clone()?;
        let secret = settings.client_secret.clone();
        let method = match (&settings.client_key, &secret) {
            (Some(_), _) => Method::PrivateKeyJwt,
            (None, Some(_)) => Method::of_secret(server),
            (None, None) => Method::None,
        };
        Some(Client { id, secret, method })
    }

    /// The client that a document of the user describes, where the server reads such.
    pub(super) fn documented(settings: &Settings, server: &AuthServer) -> Option<Self> {
        let id = settings.client_metadata_url.clone().filter(|_| server.takes_documents)?;
        let method = if settings.client_key.is_some() { Method::PrivateKeyJwt } else { Method::None };
        Some(Client { id, secret: None, method })
    }

    /// What goes into the form and the headers of a request to the token endpoint.
    ///
    /// # Errors
    /// When a statement cannot be signed.
    pub(super) fn prove(
        &self,
        settings: &Settings,
        issuer: &str,
        form: &mut Vec<(&'static str, String)>,
        headers: &mut Vec<(String, String)>,
    ) -> Result<()> {
        let secret = self.secret.as_ref().map(|secret| secret.0.as_str());
        match (self.method, secret) {
            (Method::ClientSecretBasic, Some(secret)) => {
                // Each is encoded by itself (RFC 6749 section 2.3.1).
                let encoded = |text: &str| -> String { form_urlencoded::byte_serialize(text.as_bytes()).collect() };
                let pair = STANDARD.encode(format!("{}:{}", encoded(&self.id), encoded(secret)));
                headers.push(("Authorization".into(), format!("Basic {pair}")));
            }
            (Method::ClientSecretPost, Some(secret)) => {
                form.push(("client_id", self.id.clone()));
                form.push(("client_secret", secret.to_owned()));
            }
            (Method::PrivateKeyJwt, _) => {
                let ClientKey(key) = settings.client_key.as_ref().ok_or_else(|| {
                    refuse("--client-key is missing, and this login's client proves itself with its key")
                })?;
                let now = jws::now();
                let claims = json!({
                    "iss": self.id, "sub": self.id, "aud": issuer,
                    "iat": now, "exp": now + 120, "jti": jws::random_text()?,
                });
                form.push(("client_id", self.id.clone()));
                form.push(("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer".into()));
                form.push(("client_assertion", key.sign(json!({ "typ": "JWT" }), &claims)?));
            }
            _ => form.push(("client_id", self.id.clone())),
        }
        Ok(())
    }
}

/// Registers a client for logins that come back to `redirect_uri`.
///
/// # Errors
/// `auth`, when the server does not want that.
pub(super) async fn register(web: &Web, server: &AuthServer, redirect_uri: &str, dpop: bool) -> Result<Registered> {
    let issuer = &server.issuer;
    let Some(url) = &server.registration_endpoint else {
        return Err(refuse(format!("{issuer} registers no clients by itself"))
            .hint("--client-id ID names a client that was registered there by hand"));
    };
    let methods = server.auth_methods.as_deref().unwrap_or_default();
    let known = [Method::None, Method::ClientSecretBasic, Method::ClientSecretPost];
    let wanted = known.into_iter().find(|method| methods.iter().any(|name| name == method.name()));
    let mut document = json!({
        "client_name": "mcpcall",
        "application_type": "native",
        "redirect_uris": [redirect_uri],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": wanted.unwrap_or(Method::None).name(),
    });
    if dpop {
        document["dpop_bound_access_tokens"] = true.into();
    }
    let posted = web.post(url, &Vec::new(), "application/json", document.to_string()).await;
    let page = posted.map_err(|why| refuse(format!("cannot register at {issuer}: {why}")))?;
    let answer: Value = serde_json::from_slice(&page.body).unwrap_or_default();
    let text = |key: &str| answer.get(key).and_then(Value::as_str).map(str::to_owned);
    let (200 | 201, Some(client_id)) = (page.status, text("client_id")) else {
        let given = ["client_secret", "registration_access_token"].map(|key| text(key).unwrap_or_default());
        let why = super::token::words(&answer, page.status, &given.each_ref().map(String::as_str));
        let mut failure = refuse(format!("{issuer} does not register this client: {why}"))
            .hint("--client-id ID names a client that was registered there by hand");
        failure.status = Some(page.status);
        return Err(failure);
    };
    let secret = text("client_secret");
    let method = match (text("token_endpoint_auth_method").as_deref().and_then(Method::of), &secret) {
        (Some(method), _) => method,
        (None, Some(_)) => Method::of_secret(server),
        (None, None) => Method::None,
    };
    let expires_at = answer.get("client_secret_expires_at").and_then(Value::as_u64).filter(|at| *at > 0);
    Ok(Registered {
        issuer: issuer.clone(),
        client_id,
        client_secret: secret.map(Secret),
        method,
        redirect_uri: redirect_uri.to_owned(),
        expires_at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::Url;

    fn server(methods: Option<&[&str]>) -> AuthServer {
        AuthServer {
            issuer: "https://as".into(),
            authorization_endpoint: None,
            token_endpoint: Url::parse("https://as/token").unwrap(),
            registration_endpoint: None,
            revocation_endpoint: None,
            names_itself: false,
            takes_documents: false,
            auth_methods: methods.map(|list| list.iter().map(|name| (*name).to_owned()).collect()),
            scopes: Vec::new(),
            has_pkce: true,
            is_guess: false,
        }
    }

    #[test]
    fn a_secret_goes_where_the_server_wants_it() {
        let settings = Settings {
            client_id: Some("a b".into()),
            client_secret: Some(Secret("s:1".into())),
            ..Settings::default()
        };
        for (methods, expected_form, expected_header) in [
            (None, "", Some("Basic YStiOnMlM0Ex")),
            (Some(&["client_secret_post"][..]), "client_id=a b client_secret=s:1", None),
            (Some(&["none"][..]), "client_id=a b", None),
        ] {
            let client = Client::given(&settings, &server(methods)).unwrap();
            let (mut form, mut headers) = (Vec::new(), Vec::new());
            client.prove(&settings, "https://as", &mut form, &mut headers).unwrap();
            let form: Vec<String> = form.iter().map(|(name, value)| format!("{name}={value}")).collect();
            assert_eq!(form.join(" "), expected_form);
            assert_eq!(headers.first().map(|(_, value)| value.as_str()), expected_header);
        }
        assert!(!format!("{settings:?}").contains("s:1"));
    }
}
