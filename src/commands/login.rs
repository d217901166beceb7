//! `mcpcall login`, `mcpcall logout` and `mcpcall auth status`: logins are made, ended and listed; no tool is called.

use super::Run;
use super::credentials;
use crate::auth::{Authorizer, Login};
use crate::cli::Cli;
use crate::context::Context;
use crate::failure::{Failure, Kind, Result};
use crate::output::Stdout;
use crate::output::logins;
use crate::secrets::url_masked;

/// Logs in at the server and says so.
///
/// # Errors
/// `auth`, when that does not work out; `usage`, when there is nothing to log in to.
pub(super) async fn login(run: &Run<'_>) -> Result<()> {
    let authorizer = authorizer(run)?;
    if run.cli.auth.no_login {
        return Err(Failure::usage("--no-login does not go with login"));
    }
    let login = tokio::select! {
        login = authorizer.log_in() => login?,
        failure = run.stop.stopped() => return Err(failure),
    };
    print(run.stdout(), run.cli, &[login])
}

/// Forgets the logins at the server.
///
/// # Errors
/// `auth`, when there are none.
pub(super) async fn logout(run: &Run<'_>) -> Result<()> {
    match authorizer(run)?.log_out().await? {
        (0, false) => Err(none(&run.target.address())),
        (0, true) => run.stdout().text(&format!("forgot the client that was registered for {}", run.target.address())),
        _ => run.stdout().text(&format!("logged out of {}", run.target.address())),
    }
}

fn authorizer<'a>(run: &'a Run<'_>) -> Result<&'a Authorizer> {
    let missing = || Failure::usage("there is nothing to log in to").hint("give --url URL, and no token of your own");
    run.authorizer.as_deref().ok_or_else(missing)
}

/// Lists what is kept, of one server or of all.
///
/// # Errors
/// `auth`, when the server is not among them.
pub(super) fn status(cli: &Cli, context: &Context) -> Result<()> {
    let mut logins = credentials::store(&cli.auth, context).logins()?;
    if let Some(url) = &cli.server.url {
        logins.retain(|login| login.server == url.split('#').next().unwrap_or_default());
        if logins.is_empty() {
            return Err(none(url));
        }
    }
    print(Stdout::new(context), cli, &logins)
}

fn print(stdout: Stdout, cli: &Cli, logins: &[Login]) -> Result<()> {
    let logins: Vec<logins::Login<'_>> = logins.iter().map(told).collect();
    if cli.output.json { stdout.json(&logins::json(&logins)) } else { stdout.text(&logins::text(&logins)) }
}

/// What may be told of it; its address may hold a key.
fn told(login: &Login) -> logins::Login<'_> {
    logins::Login {
        server: url_masked(&login.server),
        issuer: &login.issuer,
        client: &login.client_id,
        grant: login.profile.split(' ').next().unwrap_or_default(),
        scopes: &login.scopes,
        expires_at: login.expires_at,
        seconds_left: login.seconds_left(),
        renews: login.renews(),
        is_bound: login.is_bound(),
    }
}

fn none(url: &str) -> Failure {
    let url = url.split('?').next().unwrap_or_default();
    Failure::new(Kind::Auth, format!("there is no login at {url}")).hint(format!("mcpcall login --url {url} makes one"))
}
