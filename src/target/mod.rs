//! Which server: exactly one, and never a guess.

use crate::cli::{ServerFlags, Started};
use crate::failure::{Failure, Result};
use crate::transport::Headers;
use crate::transport::process::Spawn;

/// The server of this run.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    /// At an address.
    Url {
        /// As the user wrote it.
        url: String,
        /// The user's headers.
        headers: Headers,
    },
    /// To be started.
    Command(Spawn),
}

impl Target {
    /// Finds out which server the flags name.
    ///
    /// # Errors
    /// `usage`, when it is none or more than one, or a flag does not go with it.
    pub(crate) fn find(flags: &ServerFlags, started: &Started) -> Result<Target> {
        let named = [flags.url.is_some(), flags.stdio.is_some(), !started.command.is_empty()];
        match named.iter().filter(|given| **given).count() {
            1 => {}
            0 => return Err(Failure::usage("which server? give --url URL, --stdio 'CMD ARGS', or -- CMD ARGS")),
            _ => {
                return Err(Failure::usage("more than one server given; --url, --stdio and -- CMD exclude each other"));
            }
        }
        let Some(url) = &flags.url else {
            if !flags.headers.is_empty() {
                return Err(Failure::usage("-H goes with --url only"));
            }
            return Ok(Target::Command(command(flags, started)?));
        };
        if !flags.env.is_empty() || flags.cwd.is_some() {
            return Err(Failure::usage("-e and --cwd go with a started server only, not with --url"));
        }
        let headers = flags.headers.iter().map(|header| parse_header(header)).collect::<Result<_>>()?;
        Ok(Target::Url { url: url.clone(), headers })
    }

    /// A short name for messages.
    pub(crate) fn address(&self) -> String {
        match self {
            // Without the query too, where some put a key.
            Target::Url { url, .. } => without_userinfo(url.split('?').next().unwrap_or(url)),
            Target::Command(spawn) => format!("`{}`", spawn.program),
        }
    }
}

fn command(flags: &ServerFlags, started: &Started) -> Result<Spawn> {
    let words = match &flags.stdio {
        Some(line) => shell_words::split(line).map_err(|e| Failure::usage(format!("--stdio '{line}': {e}")))?,
        None => started.command.clone(),
    };
    let mut words = words.into_iter();
    let program =
        words.next().filter(|program| !program.is_empty()).ok_or_else(|| Failure::usage("--stdio names no program"))?;
    let env = flags.env.iter().map(|pair| match pair.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(Failure::usage(format!("-e {pair}: not NAME=VALUE"))),
    });
    Ok(Spawn { program, args: words.collect(), env: env.collect::<Result<_>>()?, cwd: flags.cwd.clone() })
}

/// `Name: value`; the value may be empty.
fn parse_header(header: &str) -> Result<(String, String)> {
    match header.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        // The value may be a secret: only the beginning is shown.
        _ => Err(Failure::usage(format!("-H {}…: not NAME: VALUE", header.chars().take(8).collect::<String>()))),
    }
}

/// Whether a URL has a query parameter that is named like a secret.
pub(crate) fn has_secrets(url: &str) -> bool {
    let names = ["key", "token", "secret", "auth", "password", "session", "sig", "code"];
    let query = url.split_once('?').map_or("", |(_, query)| query).to_ascii_lowercase();
    let mut parameters = query.split('&').map(|pair| pair.split('=').next().unwrap_or_default());
    parameters.any(|parameter| names.iter().any(|name| parameter.contains(name)))
}

/// The URL without `user:password@`.
pub(crate) fn without_userinfo(url: &str) -> String {
    match url.split_once("://") {
        Some((scheme, rest)) => {
            let authority_end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
            let host = rest[..authority_end].rfind('@').map_or(0, |at| at + 1);
            format!("{scheme}://{}", &rest[host..])
        }
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(url: Option<&str>, stdio: Option<&str>, command: &[&str]) -> std::result::Result<Target, String> {
        let flags = ServerFlags { url: url.map(Into::into), stdio: stdio.map(Into::into), ..ServerFlags::default() };
        let started = Started { command: command.iter().map(|word| (*word).to_owned()).collect() };
        Target::find(&flags, &started).map_err(|failure| failure.message)
    }

    #[test]
    fn exactly_one_server() {
        assert!(find(None, None, &[]).unwrap_err().contains("which server?"));
        assert!(find(Some("http://x"), None, &["srv"]).unwrap_err().contains("more than one"));
        assert!(matches!(find(Some("http://x"), None, &[]), Ok(Target::Url { .. })));
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
