//! HTTPS with a private authority, and a proxy.

use crate::support::http_script::{HttpScript, Reply};
use crate::support::run::mcpcall;
use rcgen::{BasicConstraints, Certificate, CertificateParams, CertifiedIssuer, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

/// Where a server ends a connection without a word.
#[derive(Clone, Copy, PartialEq)]
enum Cut {
    Never,
    InTheHandshake,
    InTheAnswer,
}

/// Starts an MCP server for one call behind TLS for the name `localhost`; gives its address and its authority's PEM.
fn secure_server(cut: Cut) -> (String, String) {
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let leaf = CertificateParams::new(vec!["localhost".into()]).unwrap().signed_by(&key, &authority).unwrap();

    let port = listen("127.0.0.1", leaf.into(), &key, cut);
    (format!("https://localhost:{port}/mcp"), authority.pem())
}

/// Serves behind TLS with this certificate; gives the port.
fn listen(at: &str, certificate: CertificateDer<'static>, key: &KeyPair, cut: Cut) -> u16 {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = Arc::new(config.with_no_client_auth().with_single_cert(vec![certificate], key).unwrap());
    let listener = TcpListener::bind((at, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let config = config.clone();
            std::thread::spawn(move || serve(stream, config, cut));
        }
    });
    port
}

/// A certificate for these names that its own key signed, as `openssl req -x509` makes them: it may sign others.
fn of_its_own(names: &[&str], change: impl FnOnce(&mut CertificateParams)) -> (Certificate, KeyPair) {
    let mut params = CertificateParams::new(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    change(&mut params);
    let key = KeyPair::generate().unwrap();
    (params.self_signed(&key).unwrap(), key)
}

/// Answers requests on one connection until it breaks, as it does where the client does not trust us.
fn serve(mut stream: TcpStream, config: Arc<ServerConfig>, cut: Cut) {
    if cut == Cut::InTheHandshake {
        return drop(stream.read(&mut [0; 64]));
    }
    let mut tls = StreamOwned::new(ServerConnection::new(config).unwrap(), stream);
    let mut text = String::new();
    let mut bytes = [0; 4096];
    while let Ok(n @ 1..) = tls.read(&mut bytes) {
        text.push_str(&String::from_utf8_lossy(&bytes[..n]));
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head
            .to_lowercase()
            .split("content-length: ")
            .nth(1)
            .map_or(0, |rest| rest.lines().next().unwrap().parse().unwrap());
        if body.len() < length {
            continue;
        }
        let message: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
        let result = match message["method"].as_str() {
            Some("initialize") => r#"{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s"}}"#,
            Some("tools/list") => r#"{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}"#,
            _ => r#"{"content":[{"type":"text","text":"secure"}]}"#,
        };
        let reply = match message["id"].as_u64() {
            Some(id) => {
                let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#);
                format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                    body.len()
                )
            }
            None if head.starts_with("POST") => "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n".to_owned(),
            None => "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n".to_owned(),
        };
        text.clear();
        let is_cut = cut == Cut::InTheAnswer && message["method"] == "tools/call";
        let reply = if is_cut { &reply[..reply.len() - 10] } else { &reply[..] };
        if tls.write_all(reply.as_bytes()).and_then(|()| tls.flush()).is_err() || is_cut {
            return;
        }
    }
}

const UNTRUSTED: &str = "/mcp: the certificate is self-signed, or from an authority that is not trusted here \
                         (--cacert FILE trusts it)\n";

#[test]
fn a_private_authority_is_trusted_where_the_user_says_so() {
    let (url, pem) = secure_server(Cut::Never);
    mcpcall(["t", "--url", &url]).code(4).stderr_has(UNTRUSTED).check();
    mcpcall(["t", "--url", &url, "--cacert", "ca.pem"]).file("ca.pem", &pem).stdout("secure\n").check();
    mcpcall(["t", "--url", &url, "--insecure"]).stdout("secure\n").check();
    // The certificate is for another name than this.
    let other = url.replace("localhost", "127.0.0.1");
    mcpcall(["t", "--url", &other, "--cacert", "ca.pem"])
        .file("ca.pem", &pem)
        .code(4)
        .stderr_has("/mcp: the certificate is not for 127.0.0.1, but for localhost\n")
        .check();
    mcpcall(["t", "--url", &url, "--cacert", "none.pem"]).code(2).stderr_has("--cacert none.pem: No such file").check();
}

#[test]
fn a_server_may_present_what_the_user_trusts() {
    let names = ["localhost", "127.0.0.1", "::1"];
    let (certificate, key) = of_its_own(&names, |_| {});
    let port = listen("127.0.0.1", certificate.der().clone(), &key, Cut::Never);
    for host in ["localhost", "127.0.0.1"] {
        let url = format!("https://{host}:{port}/mcp");
        let run = mcpcall(["t", "--url", &url, "--cacert", "own.pem"]).file("own.pem", certificate.pem());
        run.stdout("secure\n").check();
    }
    if TcpListener::bind("[::1]:0").is_ok() {
        let port = listen("::1", certificate.der().clone(), &key, Cut::Never);
        let run = mcpcall(["t", "--url", &format!("https://[::1]:{port}/mcp"), "--cacert", "own.pem"]);
        run.file("own.pem", certificate.pem()).stdout("secure\n").check();
    }
    let url = format!("https://localhost:{port}/mcp");
    let run = mcpcall(["t", "--url", &url]).code(4);
    run.stderr_has("/mcp: the certificate is self-signed (--cacert FILE trusts it)\n").check();
    // The same in all but its key.
    let (other, _) = of_its_own(&names, |_| {});
    let run = mcpcall(["t", "--url", &url, "--cacert", "own.pem"]).file("own.pem", other.pem()).code(4);
    run.stderr_has("the certificate is self-signed").check();
    let run = mcpcall(["t", "--url", &url, "--cacert", "own.pem"]).file("own.pem", other.pem() + &certificate.pem());
    run.stdout("secure\n").check();
}

#[test]
fn a_certificate_that_an_authority_signed_is_trusted_by_itself() {
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let issuer = Issuer::new(authority, KeyPair::generate().unwrap());
    let key = KeyPair::generate().unwrap();
    let leaf = CertificateParams::new(vec!["localhost".into()]).unwrap().signed_by(&key, &issuer).unwrap();
    let port = listen("127.0.0.1", leaf.der().clone(), &key, Cut::Never);
    let url = format!("https://localhost:{port}/mcp");
    let run = mcpcall(["t", "--url", &url, "--cacert", "leaf.pem"]).file("leaf.pem", leaf.pem());
    run.stdout("secure\n").check();
}

#[test]
fn a_trusted_certificate_holds_for_its_names_and_its_time() {
    type Change = fn(&mut CertificateParams);
    let rows: [(&[&str], Change, &str); 4] = [
        (&["example.com", "127.0.0.2"], |_| {}, "the certificate is not for localhost, but for example.com, 127.0.0.2"),
        (&[], |_| {}, "the certificate is not for localhost, nor for any name (it has no subjectAltName)"),
        (&["localhost"], |params| params.not_after = date_time_ymd(2001, 1, 1), "the certificate expired "),
        (
            &["localhost"],
            |params| params.not_before = date_time_ymd(2900, 1, 1),
            "the certificate is not valid yet, for another ",
        ),
    ];
    for (names, change, expected) in rows {
        let (certificate, key) = of_its_own(names, change);
        let port = listen("127.0.0.1", certificate.der().clone(), &key, Cut::Never);
        let run = mcpcall(["t", "--url", &format!("https://localhost:{port}/mcp"), "--cacert", "own.pem"]);
        run.file("own.pem", certificate.pem()).code(4).stderr_has(expected).check();
    }
}

#[test]
fn what_is_no_tls_and_no_certificate_is_told() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/mcp", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        }
    });
    let run = mcpcall(["t", "--url", &url]).code(4);
    run.stderr_has("/mcp: no TLS is spoken there (is it http: instead of https:?)\n").check();
    let odd = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    let run = mcpcall(["t", "--url", &url, "--cacert", "odd.pem"]).file("odd.pem", odd).code(2);
    run.stderr_has("the CA file holds a certificate that cannot be read: ").check();
}

#[test]
fn a_connection_that_is_cut_off_is_told() {
    let (url, pem) = secure_server(Cut::InTheHandshake);
    let run = mcpcall(["t", "--url", &url, "--cacert", "ca.pem"]).file("ca.pem", &pem).code(4);
    run.stderr_has("mcpcall: error: cannot connect to https://localhost:").check();
    // Without the farewell of TLS: whoever sits between could have cut it.
    let (url, pem) = secure_server(Cut::InTheAnswer);
    let run = mcpcall(["t", "--url", &url, "--cacert", "ca.pem"]).file("ca.pem", &pem).code(4);
    run.stderr_has("mcpcall: error: tools/call: peer closed connection without sending TLS close_notify\n").check();
}

#[test]
fn a_proxy_is_asked_in_place_of_the_server() {
    let proxy = HttpScript::new()
        .always("GET", Reply::status(405))
        .handshake()
        .step("POST tools/list", Reply::result(r#"{"tools":[]}"#))
        .step("POST tools/call", Reply::result(r#"{"content":[{"type":"text","text":"by proxy"}]}"#))
        .start();
    let address = proxy.url().replace("/mcp", "");
    let run = mcpcall(["t", "--url", "http://mcp.invalid/x", "--proxy", &address]);
    run.stdout("by proxy\n").check();
    assert!(proxy.requests().iter().all(|request| request.path == "http://mcp.invalid/x"), "{:?}", proxy.requests());
    let run = mcpcall(["t", "--url", "http://127.0.0.1:9/x", "--proxy", "http://127.0.0.1:9"]).code(4);
    run.stderr_has("by way of the proxy http://127.0.0.1:9").check();
}
