//! From flags to the credentials for a server: what the user says about authorization, and the person who may log in.

use super::dial;
use crate::auth::{Authorizer, ClientKey, Coming, How, Person, Provider, Secret, Settings, Store, parse_redirect_uri};
use crate::callbacks::Registry;
use crate::callbacks::elicitation::flags::Open;
use crate::cli::Cli;
use crate::cli::auth::{AuthFlags, Grant};
use crate::context::Context;
use crate::failure::{Failure, Result};
use crate::secrets::{names_secret, url_without_userinfo};
use crate::session::host::{Event, Host, Pause};
use crate::target::Target;
use crate::terminal::prompter::{Choose, Leave, Line, Said};
use crate::terminal::sanitize::{Lines, visible};
use crate::terminal::{Screen, browser};
use crate::transport::{Tap, Wire};
use reqwest::Url;
use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long a login by a command is waited for when nobody said how long.
const COMMANDED_TIMEOUT: Duration = Duration::from_secs(300);

/// The way out of a question about a login.
const GIVE_UP: &str = "Give up: do not log in";

/// Puts the token of `--bearer-env` among the headers, and refuses flags that contradict each other.
///
/// # Errors
/// `usage`.
pub(super) fn fixed(cli: &Cli, context: &Context, target: &mut Target) -> Result<()> {
    let flags = &cli.auth;
    let Target::Url { headers, .. } = target else {
        let named = flags.bearer_env.is_some().then_some("--bearer-env").or(flags.named());
        return named.map_or(Ok(()), |flag| Err(Failure::usage(format!("{flag} goes with --url only"))));
    };
    let has_header = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"));
    if let Some(variable) = &flags.bearer_env {
        if has_header {
            return Err(Failure::usage("--bearer-env and -H Authorization exclude each other"));
        }
        let token = context.var(variable).map(str::trim).filter(|token| !token.is_empty());
        let token =
            token.ok_or_else(|| Failure::usage(format!("--bearer-env {variable}: there is no such variable")))?;
        headers.push(("Authorization".into(), format!("Bearer {token}")));
    }
    match (flags.named(), has_header || flags.bearer_env.is_some()) {
        (Some(flag), true) => Err(Failure::usage(format!("{flag} does not go with a token of your own"))),
        _ => Ok(()),
    }
}

/// Hides what the user's own headers and address prove, wherever it comes back.
pub(super) fn conceal(target: &Target, screen: &Screen) {
    let Target::Url { url, headers, .. } = target else { return };
    if let Ok(url) = Url::parse(url) {
        let keys = url.query_pairs().filter(|(name, _)| names_secret(name));
        keys.for_each(|(_, value)| screen.concealed.add(&value));
    }
    for (_, value) in headers.iter().filter(|(name, _)| names_secret(name)) {
        // The last word is the token itself.
        [value, value.rsplit(' ').next().unwrap_or(value)].iter().for_each(|value| screen.concealed.add(value));
    }
}

/// Where logins are kept.
pub(super) fn store(flags: &AuthFlags, context: &Context) -> Store {
    let absolute = |name: &str| context.var(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")));
    Store::new(flags.state_dir.clone().or_else(|| Some(state?.join("mcpcall"))))
}

/// Who may log in, and how they are reached.
pub(super) struct Seat {
    pub(super) registry: Arc<Registry>,
    pub(super) screen: Arc<Screen>,
    pub(super) pause: Pause,
    pub(super) patience: Option<Duration>,
}

/// The credentials for a server; `None` where it is none that takes them, or the user has a fixed token.
///
/// # Errors
/// `usage`, when a flag cannot be used.
pub(super) fn authorizer(cli: &Cli, context: &Context, target: &Target, seat: Seat) -> Result<Option<Arc<Authorizer>>> {
    let Target::Url { url, headers, .. } = target else { return Ok(None) };
    let is_fixed = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"));
    if is_fixed || url_without_userinfo(url) != *url {
        return Ok(None);
    }
    let registry = seat.registry.clone();
    let tap: Option<Tap> =
        registry.wants_wire().then(|| Arc::new(move |wire: Wire<'_>| registry.event(Event::Wire(wire, "auth"))) as Tap);
    let options = dial::http_options(url, &cli.connection, dial::cacert(&cli.connection)?, tap);
    let person = AtDesk {
        is_wanted: cli.auth.is_wanted,
        no_login: cli.auth.no_login,
        no_browser: cli.auth.no_browser,
        open: cli.elicitation.open.clone(),
        default_patience: default_patience(cli),
        address: target.address(),
        seat,
    };
    if cli.auth.no_browser && person.is_wanted && person.seat.registry.desk().person.is_none() {
        return Err(Failure::usage("--no-browser needs a terminal to paste the address at"));
    }
    let is_direct = cli.connection.proxy.is_none() && is_without_proxy(context, url);
    let settings = Settings { proxies: proxies(cli, context), is_direct, ..settings(&cli.auth)? };
    settings.secrets().for_each(|Secret(value)| person.seat.screen.concealed.add(value));
    Ok(Some(Arc::new(Authorizer::new(options, settings, store(&cli.auth, context), Arc::new(person))?)))
}

/// The hosts of the proxies that the user names, by flag or in the environment.
fn proxies(cli: &Cli, context: &Context) -> Vec<String> {
    let host = |text: &str| {
        let url = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
        Some(Url::parse(&url).ok()?.host_str()?.to_owned())
    };
    if let Some(proxy) = &cli.connection.proxy {
        return host(proxy).into_iter().collect();
    }
    let names = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
    names.into_iter().filter_map(|name| host(context.var(name)?)).collect()
}

/// Whether `NO_PROXY` names the host of a URL: `*`, a name, or one that it ends in.
fn is_without_proxy(context: &Context, url: &str) -> bool {
    let listed = context.var("no_proxy").or_else(|| context.var("NO_PROXY")).unwrap_or_default();
    let Some(host) = Url::parse(url).ok().and_then(|url| Some(url.host_str()?.to_owned())) else { return false };
    listed.split(',').map(|name| name.trim().to_ascii_lowercase()).any(|name| {
        let bare = name.trim_start_matches('.');
        name == "*"
            || !bare.is_empty() && host.strip_suffix(bare).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    })
}

/// Whether a flag is given that the way to a token has no use for.
fn check_use(flags: &AuthFlags) -> Result<()> {
    let (is_code, is_jag) = (flags.grant == Grant::Code, flags.grant == Grant::IdJag);
    let lost = |flag: &str, with: &str| Err(Failure::usage(format!("{flag} goes with {with} only")));
    let of_provider = [
        ("--idp-token-url", flags.idp_token_url.is_some()),
        ("--idp-client-id", flags.idp_client_id.is_some()),
        ("--idp-client-secret-file", flags.idp_client_secret_file.is_some()),
        ("--idp-id-token-file", flags.idp_id_token_file.is_some()),
    ];
    let of_person = [
        ("--redirect-uri", flags.redirect_uri.is_some()),
        ("--client-metadata-url", flags.client_metadata_url.is_some()),
        ("--no-browser", flags.no_browser),
    ];
    if let Some((flag, _)) = of_provider.into_iter().find(|(_, is_given)| *is_given && !is_jag) {
        return lost(flag, "--grant id-jag");
    }
    if let Some((flag, _)) = of_person.into_iter().find(|(_, is_given)| *is_given && !is_code) {
        return lost(flag, "--grant code");
    }
    if flags.assertion_file.is_some() && flags.grant != Grant::JwtBearer {
        return lost("--assertion-file", "--grant jwt-bearer");
    }
    if flags.client_key.is_some() && flags.client_id.is_none() && flags.client_metadata_url.is_none() {
        return lost("--client-key", "--client-id or --client-metadata-url");
    }
    Ok(())
}

fn settings(flags: &AuthFlags) -> Result<Settings> {
    let need = |is_given: bool, flag: &str, grant: &str| match is_given {
        true => Ok(()),
        false => Err(Failure::usage(format!("--grant {grant} needs {flag}"))),
    };
    let how = match flags.grant {
        Grant::Code => How::Code,
        Grant::ClientCredentials => {
            let has_proof = flags.client_secret_file.is_some() || flags.client_key.is_some();
            need(flags.client_id.is_some(), "--client-id", "client-credentials")?;
            need(has_proof, "--client-secret-file or --client-key", "client-credentials")?;
            How::ClientCredentials
        }
        Grant::JwtBearer => {
            need(flags.client_id.is_some(), "--client-id", "jwt-bearer")?;
            need(flags.assertion_file.is_some(), "--assertion-file", "jwt-bearer")?;
            How::JwtBearer
        }
        Grant::IdJag => {
            need(flags.client_id.is_some(), "--client-id", "id-jag")?;
            need(flags.idp_token_url.is_some(), "--idp-token-url", "id-jag")?;
            need(flags.idp_client_id.is_some(), "--idp-client-id", "id-jag")?;
            need(flags.idp_id_token_file.is_some(), "--idp-id-token-file", "id-jag")?;
            How::IdJag
        }
    };
    check_use(flags)?;
    if let Some(url) = &flags.client_metadata_url {
        let parsed = Url::parse(url).ok().filter(|url| url.scheme() == "https" && url.path() != "/");
        parsed.ok_or_else(|| Failure::usage(format!("--client-metadata-url {url}: not an https URL with a path")))?;
    }
    if let Some(uri) = &flags.redirect_uri {
        parse_redirect_uri(uri).map_err(Failure::usage)?;
    }
    let key = secret(flags.client_key.as_deref(), "--client-key")?;
    let key = key.map(|pem| ClientKey::read(&pem.0, flags.client_key_alg.as_deref(), flags.client_key_id.clone()));
    let id_token = secret(flags.idp_id_token_file.as_deref(), "--idp-id-token-file")?;
    let provider = match (&flags.idp_token_url, &flags.idp_client_id, id_token) {
        (Some(url), Some(client_id), Some(id_token)) => Some(Provider {
            token_url: Url::parse(url).map_err(|e| Failure::usage(format!("--idp-token-url {url}: {e}")))?,
            client_id: client_id.clone(),
            client_secret: secret(flags.idp_client_secret_file.as_deref(), "--idp-client-secret-file")?,
            id_token,
        }),
        _ => None,
    };
    Ok(Settings {
        how,
        client_id: flags.client_id.clone(),
        client_secret: secret(flags.client_secret_file.as_deref(), "--client-secret-file")?,
        client_key: key.transpose()?,
        client_metadata_url: flags.client_metadata_url.clone(),
        redirect_uri: flags.redirect_uri.clone(),
        scope: flags.scope.clone(),
        assertion: secret(flags.assertion_file.as_deref(), "--assertion-file")?,
        provider,
        dpop: flags.dpop,
        no_login: flags.no_login,
        insecure_http: flags.insecure_http,
        proxies: Vec::new(),
        is_direct: false,
    })
}

/// The content of a file that holds a secret.
fn secret(path: Option<&Path>, flag: &str) -> Result<Option<Secret>> {
    let Some(path) = path else { return Ok(None) };
    let wrong = |why: String| Failure::usage(format!("{flag} {}: {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
    let text = text.trim();
    if text.is_empty() { Err(wrong("is empty".into())) } else { Ok(Some(Secret(text.to_owned()))) }
}

fn default_patience(cli: &Cli) -> Option<Duration> {
    let is_commanded = matches!(cli.elicitation.open, Open::Command(_)) && !cli.auth.no_browser;
    (is_commanded && cli.connection.timeout.is_none()).then_some(COMMANDED_TIMEOUT)
}

/// The person of this run.
struct AtDesk {
    seat: Seat,
    is_wanted: bool,
    no_login: bool,
    no_browser: bool,
    open: Open,
    /// How long to wait when neither the user nor the run says how long.
    default_patience: Option<Duration>,
    /// The server, for messages.
    address: String,
}

impl AtDesk {
    /// Always shown, however quiet the run is: nobody can log in without it.
    fn show(&self, text: &str) {
        self.seat.screen.line(&format!("[login] {text}"));
    }

    async fn asked(&self, url: &str, host: &str) -> bool {
        let desk = self.seat.registry.desk();
        // In one line, whatever the width: it is to be copied.
        self.show(&format!("to log in, visit {}", visible(url, Lines::One)));
        let Some(mut turn) = desk.page(&format!("{} wants you to log in", self.address)).await else { return true };
        turn.terminal.say(&format!("  Host: {}", visible(host, Lines::One)));
        turn.terminal.say("");
        let options =
            ["Open it in the browser".to_owned(), "I open it myself".to_owned(), "No: do not log in".to_owned()];
        let choose = Choose { label: "Log in?", help: "", options: &options, at: 0, can_go_back: false };
        turn.terminal.only_cancels(GIVE_UP);
        let said = turn.terminal.choose(choose).await;
        drop(turn);
        match said {
            Said::Given(row @ (0 | 1)) => {
                desk.answered();
                self.show("waiting for the browser; ^C gives up");
                if row == 0 {
                    self.start(None, url);
                }
                true
            }
            Said::Left(how) => {
                match how {
                    Leave::Interrupt => desk.interrupt().await,
                    how => desk.left(how).await,
                }
                false
            }
            _ => false,
        }
    }

    fn start(&self, command: Option<&[String]>, url: &str) {
        if let Err(why) = browser::open(command, url) {
            self.warn(&why);
        }
    }

    async fn paste(&self) -> Option<String> {
        if !self.no_browser {
            return std::future::pending().await;
        }
        let desk = self.seat.registry.desk();
        let mut turn = desk.page("Log in there, then paste the address that the browser was sent to").await?;
        let check = |text: &str| match text.contains("state=") {
            true => Ok(()),
            false => Err("it has code= and state= in it".to_owned()),
        };
        let line = Line {
            label: "Address",
            help: "",
            initial: "",
            check: &check,
            enter: "send",
            can_go_back: false,
            in_editor: None,
            is_secret: false,
        };
        turn.terminal.only_cancels(GIVE_UP);
        let said = turn.terminal.line(line).await;
        drop(turn);
        match said {
            Said::Given(text) => {
                desk.answered();
                Some(text)
            }
            Said::Left(how) => {
                match how {
                    Leave::Interrupt => desk.interrupt().await,
                    how => desk.left(how).await,
                }
                None
            }
            Said::Back => None,
        }
    }
}

impl Person for AtDesk {
    fn may_log_in(&self) -> bool {
        let is_there = self.seat.registry.desk().person.is_some();
        // A command that opens addresses is somebody who is there.
        let may = self.is_wanted || is_there || (matches!(self.open, Open::Command(_)) && !self.no_browser);
        may && !self.no_login
    }

    fn conceal(&self, secret: &str) {
        self.seat.screen.concealed.add(secret);
    }

    fn tell(&self, text: &str) {
        self.seat.registry.event(Event::Said { label: "login", text });
    }

    fn warn(&self, text: &str) {
        self.seat.registry.event(Event::Warning(text));
    }

    fn invite<'a>(&'a self, url: &'a str, host: &'a str) -> Coming<'a, bool> {
        Box::pin(async move {
            let shown = visible(url, Lines::One);
            match &self.open {
                _ if self.no_browser => self.show(&format!("to log in, visit {shown}")),
                Open::Command(words) => {
                    self.show(&format!("opening {shown}"));
                    self.start(Some(words), url);
                }
                Open::Ask if self.seat.registry.desk().person.is_some() => return self.asked(url, host).await,
                Open::Ask | Open::Never => self.show(&format!("to log in, visit {shown}")),
            }
            true
        })
    }

    fn pasted(&self) -> Coming<'_, Option<String>> {
        Box::pin(self.paste())
    }

    fn patience(&self) -> Option<Duration> {
        // Nobody may be looking whom a command opens an address for.
        self.seat.patience.or(self.default_patience)
    }

    fn hold(&self) -> Box<dyn Any + Send> {
        Box::new(self.seat.pause.hold())
    }
}
