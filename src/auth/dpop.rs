//! Proofs that whoever sends a token also holds a key (DPoP, RFC 9449): one for each request, made of its method, its
//! address, the token, and the server's last nonce.

use super::jws::{self, Key, encode};
use crate::failure::{Failure, Kind, Result};
use crate::sync::lock;
use crate::transport::{Headers, header};
use reqwest::Url;
use serde_json::json;
use std::collections::HashMap;
use std::sync::Mutex;

/// A key that tokens are bound to, and what servers want to see in its proofs.
pub(super) struct Dpop {
    key: Key,
    pkcs8: Vec<u8>,
}

impl Dpop {
    /// A new key.
    pub(super) fn generate() -> Result<Self> {
        Self::of(Key::generate()?)
    }

    /// The key of an earlier run.
    pub(super) fn of(pkcs8: Vec<u8>) -> Result<Self> {
        let key = Key::of_pkcs8(&pkcs8).filter(|key| key.public_jwk().is_some());
        let key = key.ok_or_else(|| Failure::new(Kind::Auth, "the stored DPoP key cannot be used"))?;
        Ok(Dpop { key, pkcs8 })
    }

    /// To be kept.
    pub(super) fn pkcs8(&self) -> &[u8] {
        &self.pkcs8
    }

    /// The proof for one request.
    pub(super) fn proof(&self, method: &str, url: &Url, token: Option<&str>, nonces: &Nonces) -> Result<String> {
        let mut to = url.clone();
        to.set_query(None);
        to.set_fragment(None);
        let mut payload = json!({
            "jti": jws::random_text()?,
            "htm": method,
            "htu": to.as_str(),
            "iat": jws::now(),
        });
        if let Some(token) = token {
            payload["ath"] = jws::hash(token).into();
        }
        if let Some(nonce) = nonces.get(url) {
            payload["nonce"] = nonce.into();
        }
        self.key.sign(json!({ "typ": "dpop+jwt", "jwk": self.key.public_jwk() }), &payload)
    }

    /// The thumbprint of the key (RFC 7638).
    pub(super) fn thumbprint(&self) -> String {
        let jwk = self.key.public_jwk().unwrap_or_default();
        let [crv, kty, x, y] = ["crv", "kty", "x", "y"].map(|name| &jwk[name]);
        let text = format!(r#"{{"crv":{crv},"kty":{kty},"x":{x},"y":{y}}}"#);
        encode(ring::digest::digest(&ring::digest::SHA256, text.as_bytes()).as_ref())
    }
}

/// The last nonce of each server.
#[derive(Default)]
pub(super) struct Nonces(Mutex<HashMap<String, String>>);

impl Nonces {
    fn get(&self, url: &Url) -> Option<String> {
        lock(&self.0).get(&url.origin().ascii_serialization()).cloned()
    }

    /// Notes the nonce of an answer; false when it brings none, or none that is new.
    pub(super) fn note(&self, url: &Url, headers: &Headers) -> bool {
        let Some(nonce) = header(headers, "dpop-nonce").filter(|nonce| !nonce.is_empty()) else { return false };
        let known = lock(&self.0).insert(url.origin().ascii_serialization(), nonce.to_owned());
        known.as_deref() != Some(nonce)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use serde_json::Value;

    #[test]
    fn a_proof_names_the_request_the_token_and_the_nonce() {
        let dpop = Dpop::generate().unwrap();
        let nonces = Nonces::default();
        let url = Url::parse("https://h:1/mcp?key=1#f").unwrap();
        assert!(nonces.note(&url, &vec![("DPoP-Nonce".into(), "n1".into())]));
        assert!(!nonces.note(&url, &vec![("dpop-nonce".into(), "n1".into())]) && !nonces.note(&url, &Headers::new()));
        let proof = dpop.proof("POST", &url, Some("tok"), &nonces).unwrap();
        let read = |part: &str| -> Value { serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap() };
        let parts: Vec<&str> = proof.split('.').collect();
        let (header, payload) = (read(parts[0]), read(parts[1]));
        assert_eq!((header["typ"].as_str(), header["alg"].as_str()), (Some("dpop+jwt"), Some("ES256")));
        assert!(header["jwk"]["d"].is_null());
        assert_eq!(payload["htu"], "https://h:1/mcp");
        assert_eq!((payload["htm"].as_str(), payload["nonce"].as_str()), (Some("POST"), Some("n1")));
        assert_eq!(payload["ath"], jws::hash("tok"));
        let again = dpop.proof("POST", &url, Some("tok"), &nonces).unwrap();
        assert_ne!(read(again.split('.').nth(1).unwrap())["jti"], payload["jti"]);
        assert_eq!(dpop.thumbprint(), Dpop::of(dpop.pkcs8().to_vec()).unwrap().thumbprint());
    }
}
