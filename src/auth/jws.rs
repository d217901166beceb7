//! Signed statements (JWS, RFC 7515) with the keys that clients have. They are signed by `ring`, which is here for TLS
//! anyway; a JWT is two JSON texts and a signature.

use crate::failure::{Failure, Result};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair,
    RSA_PKCS1_SHA256, RSA_PSS_SHA256, RsaKeyPair,
};
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject;
use serde_json::{Value, json};

/// A private key and what it signs with.
pub(super) struct Key {
    pair: Pair,
    algorithm: &'static str,
    /// Named in the header, where the server knows several.
    id: Option<String>,
}

enum Pair {
    Ec(EcdsaKeyPair),
    Ed(Ed25519KeyPair),
    Rsa(Box<RsaKeyPair>),
}

impl Key {
    /// A key in PEM form; `algorithm` is what the user demands of it.
    ///
    /// # Errors
    /// `usage`, when it is none of the kinds there are.
    pub(super) fn read(pem: &str, algorithm: Option<&str>, id: Option<String>) -> Result<Self> {
        let broken = |what: &str| Failure::usage(format!("--client-key {what}"));
        let der = PrivateKeyDer::from_pem_slice(pem.as_bytes()).map_err(|_| {
            broken("holds no private key in PEM form").hint("it begins with -----BEGIN PRIVATE KEY-----")
        })?;
        let (der, is_rsa) = match &der {
            PrivateKeyDer::Pkcs8(der) => (der.secret_pkcs8_der(), false),
            PrivateKeyDer::Pkcs1(der) => (der.secret_pkcs1_der(), true),
            _ => {
                return Err(broken("is in the older SEC1 form")
                    .hint("openssl pkcs8 -topk8 -nocrypt -in KEY -out NEW makes one that can be read"));
            }
        };
        let mut key = if is_rsa {
            let pair = RsaKeyPair::from_der(der).map_err(|why| broken(&format!("cannot be used: {why}")))?;
            Key { pair: Pair::Rsa(Box::new(pair)), algorithm: "RS256", id }
        } else {
            Key { id, ..Self::of_pkcs8(der).ok_or_else(|| broken("is of a kind that is not known here"))? }
        };
        match algorithm {
            Some("PS256") if key.algorithm == "RS256" => key.algorithm = "PS256",
            Some(wanted) if wanted != key.algorithm => {
                return Err(Failure::usage(format!("--client-key-alg {wanted}: the key signs with {}", key.algorithm))
                    .hint("known: ES256, ES384, EdDSA, RS256, PS256"));
            }
            _ => {}
        }
        Ok(key)
    }

    /// A key in PKCS#8 form, whatever kind it is.
    pub(super) fn of_pkcs8(der: &[u8]) -> Option<Self> {
        let random = SystemRandom::new();
        let key = |pair, algorithm| Some(Key { pair, algorithm, id: None });
        if let Ok(pair) = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, der, &random) {
            return key(Pair::Ec(pair), "ES256");
        }
        if let Ok(pair) = EcdsaKeyPair::from_pkcs8(&ECDSA_P384_SHA384_FIXED_SIGNING, der, &random) {
            return key(Pair::Ec(pair), "ES384");
        }
        if let Ok(pair) = Ed25519KeyPair::from_pkcs8_maybe_unchecked(der) {
            return key(Pair::Ed(pair), "EdDSA");
        }
        RsaKeyPair::from_pkcs8(der).ok().and_then(|pair| key(Pair::Rsa(Box::new(pair)), "RS256"))
    }

    /// A new key for ES256, in PKCS#8 form.
    pub(super) fn generate() -> Result<Vec<u8>> {
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
        let pkcs8 = pkcs8.map_err(|_| no_random())?;
        Ok(pkcs8.as_ref().to_vec())
    }

    /// Its public half, hashed: what keys are told apart by.
    pub(super) fn id(&self) -> String {
        let public = match &self.pair {
            Pair::Ec(pair) => pair.public_key().as_ref(),
            Pair::Ed(pair) => pair.public_key().as_ref(),
            Pair::Rsa(pair) => pair.public_key().as_ref(),
        };
        hash(&encode(public))
    }

    /// The public half as a JWK, of an ES256 key.
    pub(super) fn public_jwk(&self) -> Option<Value> {
        let Pair::Ec(pair) = &self.pair else { return None };
        // An uncompressed point: a byte of form, then both coordinates.
        let point = pair.public_key().as_ref();
        let (x, y) = point.get(1..)?.split_at_checked(32).filter(|(_, y)| y.len() == 32)?;
        Some(json!({ "kty": "EC", "crv": "P-256", "x": encode(x), "y": encode(y) }))
    }

    /// The statement, signed; `header` may add to the header's members.
    pub(super) fn sign(&self, header: Value, payload: &Value) -> Result<String> {
        let mut all = json!({ "alg": self.algorithm });
        if let (Some(all), Value::Object(more)) = (all.as_object_mut(), header) {
            all.extend(self.id.clone().map(|id| ("kid".to_owned(), id.into())));
            all.extend(more);
        }
        let text = format!("{}.{}", encode(all.to_string().as_bytes()), encode(payload.to_string().as_bytes()));
        let random = SystemRandom::new();
        let signature = match &self.pair {
            Pair::Ec(pair) => pair.sign(&random, text.as_bytes()).map_err(|_| no_random())?.as_ref().to_vec(),
            Pair::Ed(pair) => pair.sign(text.as_bytes()).as_ref().to_vec(),
            Pair::Rsa(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                let done = match self.algorithm {
                    "PS256" => pair.sign(&RSA_PSS_SHA256, &random, text.as_bytes(), &mut signature),
                    _ => pair.sign(&RSA_PKCS1_SHA256, &random, text.as_bytes(), &mut signature),
                };
                done.map_err(|_| no_random())?;
                signature
            }
        };
        Ok(format!("{text}.{}", encode(&signature)))
    }
}

/// Base64 as it goes into tokens and URLs.
pub(super) fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// 32 random bytes, as text.
pub(super) fn random_text() -> Result<String> {
    let mut bytes = [0; 32];
    SystemRandom::new().fill(&mut bytes).map_err(|_| no_random())?;
    Ok(encode(&bytes))
}

/// The hash of a text, as text.
pub(super) fn hash(text: &str) -> String {
    encode(ring::digest::digest(&ring::digest::SHA256, text.as_bytes()).as_ref())
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

fn no_random() -> Failure {
    Failure::new(crate::failure::Kind::Internal, "the system gives no random numbers")
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::engine::general_purpose::STANDARD;
    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

    fn pem(der: &[u8]) -> String {
        format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", STANDARD.encode(der))
    }

    #[test]
    fn what_is_signed_can_be_checked() {
        let der = Key::generate().unwrap();
        let key = Key::read(&pem(&der), Some("ES256"), Some("k1".into())).unwrap();
        let token = key.sign(json!({ "typ": "t" }), &json!({ "a": 1 })).unwrap();
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let Pair::Ec(pair) = &key.pair else { panic!() };
        let public = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, pair.public_key().as_ref());
        public.verify(signed.as_bytes(), &URL_SAFE_NO_PAD.decode(signature).unwrap()).unwrap();
        let header = URL_SAFE_NO_PAD.decode(signed.split('.').next().unwrap()).unwrap();
        assert_eq!(String::from_utf8(header).unwrap(), r#"{"alg":"ES256","kid":"k1","typ":"t"}"#);
        let jwk = key.public_jwk().unwrap();
        assert_eq!(jwk["x"].as_str().map(str::len), Some(43));
    }

    #[test]
    fn keys_that_cannot_be_used_are_named() {
        let der = Key::generate().unwrap();
        for (pem, algorithm, part) in [
            ("nothing".to_owned(), None, "no private key in PEM form"),
            (pem(b"junk"), None, "not known here"),
            (pem(&der), Some("RS256"), "the key signs with ES256"),
            (pem(&der).replace("PRIVATE", "EC PRIVATE"), None, "SEC1"),
        ] {
            let why = Key::read(&pem, algorithm, None).err().unwrap().message;
            assert!(why.contains(part), "{why}");
        }
    }
}
