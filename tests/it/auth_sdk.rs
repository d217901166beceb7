//! The Python SDK's protected server, as its documentation builds one, with the test's authorization server: from the
//! first login to the last.

use crate::support::auth_server::{AuthServer, browser};
use crate::support::run::mcpcall;
use crate::support::scripted::{Served, serve};
use crate::support::{root, setup};

fn protected(server: &AuthServer) -> Option<Served> {
    let python = setup::or_skip(setup::python_v2())?;
    let script = root().join("tests/peers/python-v2/protected.py");
    Some(serve(python, &script, &[&server.origin]))
}

#[test]
fn its_whole_life() {
    let server = AuthServer::start();
    let Some(peer) = protected(&server) else { return };
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| mcpcall(args).url(&peer.url).args(["--state-dir"]).args([folder.path()]);
    run(&["whoami"]).code(3).stderr_has("mcpcall login").check();
    run(&["login"]).args(browser()).any_stdout().any_stderr().check();
    let asked = server.seen("GET /authorize").remove(0).form;
    assert_eq!((asked["resource"].as_str(), asked["scope"].as_str()), (&*peer.url, "user"));
    for protocol in ["legacy", "modern", "auto"] {
        run(&["whoami", "--protocol", protocol, "--no-login"]).stdout("the test's user\n").check();
    }
    // Over, and renewed.
    server.forget_tokens();
    run(&["whoami", "--no-login"]).stdout("the test's user\n").check();
    assert_eq!(server.seen("POST /token").last().unwrap().form["grant_type"], "refresh_token");
    // Two at once.
    server.forget_tokens();
    let both = [(); 2].map(|()| run(&["whoami", "--no-login"]).stdout("the test's user\n").start());
    both.into_iter().for_each(|run| drop(run.check()));
    assert_eq!(server.seen("POST /token").len(), 3);
    // Taken back, and logged in again.
    server.forget_tokens();
    server.forget_refresh();
    run(&["whoami", "--no-login"]).code(3).stderr_has("the login is over").check();
    run(&["whoami"]).args(browser()).stdout("the test's user\n").any_stderr().check();
    assert_eq!(server.seen("GET /authorize").len(), 2);
}
