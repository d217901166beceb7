//! Trust in the certificates that the user names (`--cacert`) beside the system's. Such a one may be the server's own: what
//! `openssl req -x509` makes calls itself an authority, and webpki takes no authority for a server.

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::verify_server_name;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, SignatureScheme};
use rustls_platform_verifier::Verifier;
use std::sync::Arc;

/// The TLS set-up that trusts the certificates of a PEM text too.
///
/// # Errors
/// One line why not.
pub(super) fn config(pem: &[u8]) -> Result<ClientConfig, String> {
    let named: Vec<CertificateDer<'static>> =
        CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().unwrap_or_default();
    if named.is_empty() {
        return Err("the CA file holds no certificate in PEM form".into());
    }
    let provider = Arc::new(ring::default_provider());
    let wrong = |error: Error| format!("a certificate of the CA file cannot be used: {error}");
    let usual = Verifier::new_with_extra_roots(named.iter().cloned(), provider.clone()).map_err(wrong)?;
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().map_err(wrong)?;
    let config = config.dangerous().with_custom_certificate_verifier(Arc::new(Trusted { usual, named }));
    let mut config = config.with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

#[derive(Debug)]
struct Trusted {
    usual: Verifier,
    named: Vec<CertificateDer<'static>>,
}

impl ServerCertVerifier for Trusted {
    fn verify_server_cert(
        &self,
        server: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let usual = self.usual.verify_server_cert(server, between, name, ocsp, now);
        match usual {
            // webpki's own words, among them that it is an authority; by then its dates have been looked at.
            Err(Error::InvalidCertificate(CertificateError::Other(_)))
                if self.named.iter().any(|named| named == server) =>
            {
                verify_server_name(&ParsedCertificate::try_from(server)?, name)?;
                Ok(ServerCertVerified::assertion())
            }
            usual => usual,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        server: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.usual.verify_tls12_signature(message, server, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        server: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.usual.verify_tls13_signature(message, server, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.usual.supported_verify_schemes()
    }
}
