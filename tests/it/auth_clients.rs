//! Who mcpcall is to an authorization server, as the flags say it, and programs that log in without a person. What the
//! conformance suite sees of it is not repeated.

use crate::support::auth_server::{AuthServer, basic, browser};
use crate::support::run::mcpcall;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};

/// The payload and header of a signed statement.
fn opened(statement: &str) -> (Value, Value) {
    let part =
        |n: usize| serde_json::from_slice(&URL_SAFE_NO_PAD.decode(statement.split('.').nth(n).unwrap()).unwrap());
    (part(0).unwrap(), part(1).unwrap())
}

fn key() -> String {
    let key = rcgen::KeyPair::generate().unwrap();
    format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", STANDARD.encode(key.serialize_der()))
}

#[test]
fn a_client_of_the_users_logs_in_with_its_secret() {
    let server = AuthServer::start();
    let run = mcpcall(["t", "--client-id", "mine", "--client-secret-file", "secret", "--scope", "a b"]).args(browser());
    run.file("secret", "s3cret\n").url(&server.mcp()).stdout("let in\n").any_stderr().check();
    assert!(server.seen("POST /register").is_empty());
    let asked = server.seen("GET /authorize").remove(0).form;
    assert_eq!((asked["client_id"].as_str(), asked["scope"].as_str()), ("mine", "a b"));
    let token = server.seen("POST /token").remove(0);
    assert_eq!(token.headers["authorization"], basic("mine", "s3cret"));
    assert!(!token.form.contains_key("client_secret"));
}

#[test]
fn the_browser_comes_back_to_where_the_client_is_registered() {
    let server = AuthServer::start();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let uri = format!("http://localhost:{port}/back");
    let run = mcpcall(["t", "--client-id", "mine", "--redirect-uri", &uri]).args(browser());
    run.url(&server.mcp()).stdout("let in\n").any_stderr().check();
    assert_eq!(server.seen("GET /authorize").remove(0).form["redirect_uri"], uri);
    let taken = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
    let run = mcpcall(["t", "--client-id", "mine", "--redirect-uri", &uri]).args(browser()).url(&server.mcp());
    run.code(3).stderr_has(&format!("cannot listen at {uri}")).check();
    drop(taken);
}

#[test]
fn a_document_is_used_where_the_server_reads_such() {
    let server = AuthServer::start();
    let document = "https://client.example/mcpcall.json";
    let run = || mcpcall(["t", "--client-metadata-url", document]).args(browser()).url(&server.mcp());
    run().stdout("let in\n").any_stderr().check();
    assert_eq!(server.seen("POST /register").len(), 1);
    server.metadata("client_id_metadata_document_supported", json!(true));
    run().stdout("let in\n").any_stderr().check();
    assert_eq!(server.seen("POST /register").len(), 1);
    assert_eq!(server.seen("GET /authorize").pop().unwrap().form["client_id"], document);
}

#[test]
fn a_program_is_let_in_by_its_key_and_again_when_its_token_is_over() {
    let server = AuthServer::start();
    let folder = tempfile::tempdir().unwrap();
    let args = ["t", "--grant", "client-credentials", "--client-id", "robot", "--client-key", "key.pem"];
    let more = ["--client-key-id", "k7", "--client-key-alg", "ES256", "--state-dir"];
    let run = |file: &str| mcpcall(args).args(more).args([folder.path()]).file("key.pem", file).url(&server.mcp());
    let key = key();
    run(&key).stdout("let in\n").check();
    let form = server.seen("POST /token").remove(0).form;
    let (header, claims) = opened(&form["client_assertion"]);
    assert_eq!(header, json!({ "alg": "ES256", "kid": "k7", "typ": "JWT" }));
    assert_eq!(
        (&claims["iss"], &claims["sub"], &claims["aud"]),
        (&json!("robot"), &json!("robot"), &json!(server.origin))
    );
    assert_eq!((form["grant_type"].as_str(), form["resource"].as_str()), ("client_credentials", &*server.mcp()));
    assert_eq!(form["scope"], "read");
    // The token is kept, too; nothing is refreshed.
    run(&key).stdout("let in\n").check();
    assert_eq!(server.seen("POST /token").len(), 1);
    server.forget_tokens();
    run(&key).stdout("let in\n").check();
    let grants: Vec<String> = server.seen("POST /token").iter().map(|seen| seen.form["grant_type"].clone()).collect();
    assert_eq!(grants, ["client_credentials", "client_credentials"]);
    let wrong = mcpcall(args).args(["--client-key-alg", "RS256"]).file("key.pem", &key).url(&server.mcp()).code(2);
    wrong.stderr_has("--client-key-alg RS256: the key signs with ES256").check();
    run("nonsense").code(2).stderr_has("--client-key holds no private key in PEM form").check();
}

#[test]
fn an_identity_provider_vouches_with_a_secret_of_its_own() {
    let server = AuthServer::start();
    let provider = AuthServer::start();
    let run = mcpcall(["t", "--grant", "id-jag", "--client-id", "robot", "--client-secret-file", "secret"]);
    let run = run.args(["--idp-client-id", "idp-robot", "--idp-client-secret-file", "idp-secret"]);
    let run = run.args(["--idp-id-token-file", "id-token", "--idp-token-url", &format!("{}/token", provider.origin)]);
    let run = run.file("secret", "s3cret").file("idp-secret", "idp-s3cret").file("id-token", "1d-token");
    run.url(&server.mcp()).stdout("let in\n").check();
    let exchange = provider.seen("POST /token").remove(0);
    assert_eq!(exchange.headers["authorization"], basic("idp-robot", "idp-s3cret"));
    assert_eq!(
        (exchange.form["audience"].as_str(), exchange.form["subject_token"].as_str()),
        (&*server.origin, "1d-token")
    );
    let grant = server.seen("POST /token").remove(0);
    assert_eq!(grant.form["grant_type"], "urn:ietf:params:oauth:grant-type:jwt-bearer");
    assert!(grant.form["assertion"].starts_with("t0ken-"));
    assert_eq!(grant.headers["authorization"], basic("robot", "s3cret"));
}

#[test]
fn a_token_without_the_key_is_refused_where_one_is_demanded() {
    let server = AuthServer::start();
    let run = mcpcall(["t", "--dpop"]).args(browser()).url(&server.mcp()).code(3);
    run.stderr_has("is not bound to the key, as --dpop demands").check();
    let token = server.seen("POST /token").remove(0);
    let (header, claims) = opened(&token.headers["dpop"]);
    assert_eq!((&header["typ"], &claims["htm"]), (&json!("dpop+jwt"), &json!("POST")));
    assert_eq!(claims["htu"], format!("{}/token", server.origin));
    assert!(server.seen("GET /authorize").remove(0).form.contains_key("dpop_jkt"));
}
