//! Which server: exactly one, and never a guess.

pub(crate) mod config;

use crate::cli::{ServerFlags, Started};
use crate::context::Context;
use crate::failure::{Failure, Result};
use crate::secrets::url_without_userinfo;
use crate::transport::Headers;
use crate::transport::process::Spawn;
use config::input::Given;
use config::{Ask, Named};

/// The server of this run.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    /// At an address.
    Url {
        /// As the user wrote it.
        url: String,
        /// The user's headers.
        headers: Headers,
        /// Known to speak the HTTP+SSE transport of 2024-11-05.
        is_sse: bool,
    },
    /// To be started.
    Command(Spawn),
}

/// What was found out.
#[derive(Debug)]
pub(crate) struct Found {
    /// The server.
    pub(crate) target: Target,
    /// The entry of a configuration file that it comes from.
    pub(crate) entry: Option<Named>,
    /// What the file asked for and was told, and what variables put into it where secrets stand.
    pub(crate) secrets: Vec<String>,
    /// What to tell the user about it, one line.
    pub(crate) warning: Option<String>,
}

/// What names a server: one of these.
enum Source<'a> {
    Url(&'a str),
    Stdio(&'a str),
    Started(&'a [String]),
    Config(Named),
}

impl Target {
    /// Finds out which server the flags name or, where they name none, the environment. `ask` puts the questions of a
    /// configuration file to a person.
    ///
    /// # Errors
    /// `usage`, when it is none or more than one, or a flag does not go with it; `interrupted`.
    pub(crate) fn find(flags: &ServerFlags, started: &Started, context: &Context, ask: &Ask<'_>) -> Result<Found> {
        let source = source(flags, started, context)?;
        if !flags.input.is_empty() && !matches!(source, Source::Config(_)) {
            return Err(Failure::usage("--input goes with --config only"));
        }
        let alone = |target| Found { target, entry: None, secrets: Vec::new(), warning: None };
        let mut found = match source {
            Source::Url(url) => alone(Target::Url { url: url.to_owned(), headers: Headers::new(), is_sse: false }),
            Source::Stdio(line) => {
                let words = shell_words::split(line).map_err(|e| Failure::usage(format!("--stdio '{line}': {e}")))?;
                alone(Target::Command(command(words)?))
            }
            Source::Started(words) => alone(Target::Command(command(words.to_vec())?)),
            Source::Config(named) => {
                let check = |mut target: Target| target.refine(flags);
                config::find(named, &Given::read(&flags.input)?, context, ask, &check)?
            }
        };
        found.target.refine(flags)?;
        Ok(found)
    }

    /// Adds what the flags say beside which server it is; they have the last word.
    fn refine(&mut self, flags: &ServerFlags) -> Result<()> {
        match self {
            Target::Command(_) if !flags.headers.is_empty() => {
                Err(Failure::usage("-H goes with a server at a URL only, not with one that is started"))
            }
            Target::Command(spawn) => {
                for pair in &flags.env {
                    match pair.split_once('=') {
                        Some((name, value)) if !name.is_empty() => spawn.env.push((name.to_owned(), value.to_owned())),
                        // What stands there may be a secret.
                        _ => return Err(Failure::usage(format!("-e {}: not NAME=VALUE", beginning(pair)))),
                    }
                }
                spawn.cwd = flags.cwd.clone().or(spawn.cwd.take());
                Ok(())
            }
            Target::Url { .. } if !flags.env.is_empty() || flags.cwd.is_some() => {
                Err(Failure::usage("-e and --cwd go with a started server only, not with one at a URL"))
            }
            Target::Url { headers, .. } => {
                let given = flags.headers.iter().map(|header| parse_header(header)).collect::<Result<Headers>>()?;
                headers.retain(|(name, _)| !given.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)));
                headers.extend(given);
                Ok(())
            }
        }
    }

    /// A short name for messages.
    pub(crate) fn address(&self) -> String {
        match self {
            // Without the query too, where some put a key.
            Target::Url { url, .. } => url_without_userinfo(url.split('?').next().unwrap_or(url)),
            Target::Command(spawn) => format!("`{}`", spawn.program),
        }
    }
}

/// Whether the flags name a server.
pub(crate) fn is_named(flags: &ServerFlags, started: &Started) -> bool {
    let by_config = flags.config.is_some() || flags.server.is_some();
    flags.url.is_some() || flags.stdio.is_some() || !started.command.is_empty() || by_config
}

/// Makes sure that exactly one server is named, before arguments are waited for.
///
/// # Errors
/// `usage`.
pub(crate) fn check_server(flags: &ServerFlags, started: &Started, context: &Context) -> Result<()> {
    source(flags, started, context).map(drop)
}

fn source<'a>(flags: &'a ServerFlags, started: &'a Started, context: &'a Context) -> Result<Source<'a>> {
    let by_config = flags.config.is_some() || flags.server.is_some();
    let named = [flags.url.is_some(), flags.stdio.is_some(), !started.command.is_empty(), by_config];
    if named.iter().filter(|given| **given).count() > 1 {
        let what = "more than one server given; --url, --stdio, -- CMD and --config exclude each other";
        return Err(Failure::usage(what));
    }
    if let Some(url) = &flags.url {
        return Ok(Source::Url(url));
    }
    if let Some(line) = &flags.stdio {
        return Ok(Source::Stdio(line));
    }
    if !started.command.is_empty() {
        return Ok(Source::Started(&started.command));
    }
    // A command that answers for a model finds the name of the server that asks in MCPCALL_SERVER.
    let is_answering = context.var("MCPCALL_REQUEST_ID").is_some();
    let server = context.var("MCPCALL_SERVER").filter(|_| !is_answering);
    let (file, url) = (context.var("MCPCALL_CONFIG"), context.var("MCPCALL_URL"));
    match (url, file.or(server)) {
        (Some(_), Some(_)) if !by_config => {
            let other = if file.is_some() { "MCPCALL_CONFIG" } else { "MCPCALL_SERVER" };
            return Err(Failure::usage(format!("the environment names two servers: MCPCALL_URL and {other} are set"))
                .hint("unset one of them, or name the server by a flag"));
        }
        (Some(url), None) if !by_config => return Ok(Source::Url(url)),
        _ => {}
    }
    let by_flag = flags.server.as_deref().map(|name| (name, "--server"));
    if by_flag.is_some_and(|(name, _)| name.is_empty()) {
        return Err(Failure::usage("--server is empty; it takes the name of a server in the file"));
    }
    // The variable is about the file that stands beside it, and says nothing of another one.
    let by_variable = server.filter(|_| flags.config.is_none()).map(|name| (name, "MCPCALL_SERVER"));
    let server = by_flag.or(by_variable);
    match (flags.config.clone().or(file.map(Into::into)), server) {
        (Some(file), server) => Ok(Source::Config(Named::new(file, server))),
        (None, Some((name, how))) => Err(Failure::usage(format!("{how} {name}: in which file?"))
            .hint("--config FILE or MCPCALL_CONFIG names it; none is looked for")),
        (None, None) => Err(Failure::usage(
            "which server? give --url URL, --stdio 'CMD ARGS', -- CMD ARGS, or --config FILE --server NAME",
        )),
    }
}

fn command(words: Vec<String>) -> Result<Spawn> {
    let mut words = words.into_iter();
    let program =
        words.next().filter(|program| !program.is_empty()).ok_or_else(|| Failure::usage("--stdio names no program"))?;
    Ok(Spawn { program, args: words.collect(), ..Spawn::default() })
}

/// `Name: value`; the value may be empty.
fn parse_header(header: &str) -> Result<(String, String)> {
    match header.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err(Failure::usage(format!("-H {}: not NAME: VALUE", beginning(header)))),
    }
}

/// The beginning of something that may hold a secret.
fn beginning(text: &str) -> String {
    format!("{}…", text.chars().take(8).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(url: Option<&str>, stdio: Option<&str>, command: &[&str]) -> std::result::Result<Target, String> {
        let flags = ServerFlags { url: url.map(Into::into), stdio: stdio.map(Into::into), ..ServerFlags::default() };
        let started = Started { command: command.iter().map(|word| (*word).to_owned()).collect() };
        let found = Target::find(&flags, &started, &Context::default(), &|_, _, _| unreachable!());
        found.map(|found| found.target).map_err(|failure| failure.message)
    }

    #[test]
    fn exactly_one_server() {
        assert!(find(None, None, &[]).unwrap_err().contains("which server?"));
        assert!(find(Some("http://x"), None, &["srv"]).unwrap_err().contains("more than one"));
        assert!(matches!(find(Some("http://x"), None, &[]), Ok(Target::Url { .. })));
    }

    #[test]
    fn the_environment_serves_where_no_flag_names_a_server() {
        let source = |flags: &[(&str, &str)], env: &[(&str, &str)]| {
            let flag =
                |name: &str| flags.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
            let (url, server, config) = (flag("url"), flag("server"), flag("config").map(Into::into));
            let flags = ServerFlags { url, server, config, ..ServerFlags::default() };
            let env = env.iter().map(|(name, value)| (format!("MCPCALL_{name}"), (*value).to_owned())).collect();
            let context = Context { env, ..Context::default() };
            match super::source(&flags, &Started::default(), &context) {
                Ok(Source::Url(url)) => url.to_owned(),
                Ok(Source::Config(named)) => format!("{}#{}", named.file.display(), named.server.unwrap_or_default()),
                Ok(_) => unreachable!(),
                Err(failure) => failure.message,
            }
        };
        assert_eq!(source(&[], &[("URL", "u")]), "u");
        assert_eq!(source(&[("url", "v")], &[("URL", "u"), ("CONFIG", "f"), ("SERVER", "s")]), "v");
        assert_eq!(source(&[], &[("CONFIG", "f"), ("SERVER", "s"), ("URL", "")]), "f#s");
        assert_eq!(source(&[("server", "t")], &[("CONFIG", "f"), ("SERVER", "s"), ("URL", "u")]), "f#t");
        assert_eq!(source(&[("config", "g")], &[("CONFIG", "f")]), "g#");
        assert_eq!(source(&[("config", "g")], &[("CONFIG", "f"), ("SERVER", "s")]), "g#");
        assert_eq!(source(&[], &[("CONFIG", "f"), ("SERVER", "s"), ("REQUEST_ID", "1")]), "f#");
        assert!(source(&[("config", "g"), ("server", "")], &[]).contains("--server is empty"));
        assert!(source(&[], &[("URL", "u"), ("CONFIG", "f")]).contains("MCPCALL_URL and MCPCALL_CONFIG"));
        assert!(source(&[], &[("URL", "u"), ("SERVER", "s")]).contains("MCPCALL_URL and MCPCALL_SERVER"));
        assert!(source(&[("server", "s")], &[]).contains("--server s: in which file?"));
    }

    #[test]
    fn a_command_is_split_as_a_shell_would() {
        let Ok(Target::Command(spawn)) = find(None, Some("srv 'a b' c\\ d"), &[]) else { panic!() };
        assert_eq!((spawn.program.as_str(), spawn.args), ("srv", vec!["a b".to_owned(), "c d".to_owned()]));
        assert!(find(None, Some("srv 'a"), &[]).is_err() && find(None, Some(""), &[]).is_err());
    }

    #[test]
    fn passwords_in_urls_are_not_shown() {
        assert_eq!(find(Some("http://u:p@h/x?api_key=1"), None, &[]).unwrap().address(), "http://h/x");
    }
}
