//! Whose certificates are believed: those that the system trusts, and with `--cacert` those that it names, be they of an
//! authority or of the server itself; and in plain words why one is not.

use crate::failure::{Failure, Result};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{WebPkiSupportedAlgorithms, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, InvalidMessage, RootCertStore, SignatureScheme,
};
use rustls_platform_verifier::Verifier;
use std::sync::Arc;

/// How many names of a certificate are told.
const LISTED: usize = 5;

/// The certificates of a file for `--cacert`.
///
/// # Errors
/// `usage`, when it holds none, or one that cannot be read.
pub(super) fn read(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>> {
    let given: Vec<_> = CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().unwrap_or_default();
    if given.is_empty() {
        return Err(Failure::usage("the CA file holds no certificate in PEM form"));
    }
    let mut store = RootCertStore::empty();
    for certificate in &given {
        let added = store.add(certificate.clone());
        added.map_err(|why| Failure::usage(format!("the CA file holds a certificate that cannot be read: {why}")))?;
    }
    Ok(given)
}

/// TLS that trusts what was read, beside what the system does.
pub(super) fn config(given: Vec<CertificateDer<'static>>) -> ClientConfig {
    let provider = Arc::new(ring::default_provider());
    let algorithms = provider.signature_verification_algorithms;
    let usual = Verifier::new_with_extra_roots(given.clone(), provider.clone()).expect("they were read");
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("ring speaks the default versions");
    let verifier = Arc::new(Given { usual, given, algorithms });
    let mut config = config.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth();
    config.alpn_protocols = vec!["http/1.1".into()];
    config
}

/// The usual rules, but that the server may present one of the certificates that the user gave.
#[derive(Debug)]
struct Given {
    usual: Verifier,
    given: Vec<CertificateDer<'static>>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl Given {
    /// Nobody need vouch for a certificate that the user gave. Its time and its names are held to all the same.
    fn itself(
        &self,
        certificate: &CertificateDer<'_>,
        name: &ServerName<'_>,
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let parsed = ParsedCertificate::try_from(certificate)?;
        let nobody = RootCertStore::empty();
        // The time is looked at first, then whether it is an authority's, then who signed it.
        match verify_server_cert_signed_by_trust_anchor(&parsed, &nobody, &[], now, self.algorithms.all) {
            Err(Error::InvalidCertificate(CertificateError::UnknownIssuer)) => {}
            Err(Error::InvalidCertificate(why)) if is_an_authoritys(&why) => {}
            other => other?,
        }
        verify_server_name(&parsed, name)?;
        Ok(ServerCertVerified::assertion())
    }
}

impl ServerCertVerifier for Given {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        match self.usual.verify_server_cert(certificate, intermediates, name, ocsp, now) {
            Err(_) if self.given.contains(certificate) => self.itself(certificate, name, now),
            verdict => verdict,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.usual.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.usual.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.usual.supported_verify_schemes()
    }
}

/// Whether a certificate is refused because it may sign others, as those may that `openssl req -x509` makes.
fn is_an_authoritys(why: &CertificateError) -> bool {
    let CertificateError::Other(other) = why else { return false };
    matches!(other.0.downcast_ref(), Some(webpki::Error::CaUsedAsEndEntity))
}

/// Our words for what TLS found, where it has none that people know.
pub(super) fn words(error: &Error) -> Option<String> {
    let why = match error {
        Error::InvalidCertificate(why) => why,
        Error::InvalidMessage(InvalidMessage::InvalidContentType) => {
            return Some("no TLS is spoken there (is it http: instead of https:?)".into());
        }
        _ => return None,
    };
    let days = |seconds: u64| match seconds / 86_400 {
        0 => "less than a day".to_owned(),
        1 => "1 day".to_owned(),
        n => format!("{n} days"),
    };
    Some(match why {
        why if is_an_authoritys(why) => "the certificate is self-signed (--cacert FILE trusts it)".into(),
        CertificateError::UnknownIssuer => {
            "the certificate is self-signed, or from an authority that is not trusted here (--cacert FILE trusts it)"
                .into()
        }
        CertificateError::NotValidForNameContext { expected, presented } => {
            let expected = expected.to_str();
            let named = |name: &String| {
                let inner = name.split_once('(').and_then(|(_, inner)| inner.strip_suffix(')'));
                inner.unwrap_or(name).trim_matches('"').to_owned()
            };
            let names: Vec<String> = presented.iter().take(LISTED).map(named).collect();
            match presented.len() - names.len() {
                _ if names.is_empty() => {
                    format!("the certificate is not for {expected}, nor for any name (it has no subjectAltName)")
                }
                0 => format!("the certificate is not for {expected}, but for {}", names.join(", ")),
                more => format!("the certificate is not for {expected}, but for {} and {more} more", names.join(", ")),
            }
        }
        CertificateError::ExpiredContext { time, not_after } => {
            format!("the certificate expired {} ago", days(time.as_secs().saturating_sub(not_after.as_secs())))
        }
        CertificateError::NotValidYetContext { time, not_before } => {
            let wait = days(not_before.as_secs().saturating_sub(time.as_secs()));
            format!("the certificate is not valid yet, for another {wait} (is the clock right?)")
        }
        _ => return None,
    })
}
