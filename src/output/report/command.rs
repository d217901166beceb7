//! The command line as a report shows it: what is named like a secret is masked, and given to be looked for elsewhere.

use super::secrets::hidden;
use crate::form::sounds_secret;
use crate::output::mask;
use serde_json::Value;

/// A command line without its secrets, and they.
#[derive(Debug, Default)]
pub(crate) struct Command {
    pub(crate) line: String,
    pub(super) secrets: Vec<String>,
}

impl Command {
    /// Reads the words as they were typed, without the program's name.
    pub(crate) fn new(args: &[String]) -> Self {
        let mut command = Command::default();
        let words = command.words(args);
        command.line = format!("mcpcall {}", joined(&words));
        command
    }

    fn words(&mut self, args: &[String]) -> Vec<String> {
        let mut before = "";
        let mut words = Vec::new();
        for arg in args {
            words.push(self.word(before, arg));
            before = arg;
        }
        words
    }

    fn word(&mut self, before: &str, arg: &str) -> String {
        match before {
            "-H" | "--header" => return self.header(arg),
            "-e" | "--env" | "--input" => return self.variable(arg),
            "--stdio" | "--sampling-cmd" | "--open" => return self.line(arg),
            _ if names_secret(before) && !before.contains('=') && !arg.starts_with('-') => return self.secret(arg),
            _ => {}
        }
        for (flag, is_header) in
            [("--header=", true), ("--env=", false), ("--input=", false), ("-H", true), ("-e", false)]
        {
            if let Some(value) = arg.strip_prefix(flag).filter(|value| !value.is_empty()) {
                let value = if is_header { self.header(value) } else { self.variable(value) };
                return format!("{flag}{value}");
            }
        }
        if let Some((flag, value)) = arg.split_once('=')
            && ["--stdio", "--sampling-cmd", "--open"].contains(&flag)
        {
            return format!("{flag}={}", self.line(value));
        }
        if let Some(masked) = self.json(arg) {
            return masked;
        }
        let Some((name, value)) = arg.split_once('=') else { return mask::url(arg) };
        if !name.contains("://") {
            if sounds_secret(name) || names_secret(name) {
                return format!("{name}={}", self.secret(value));
            }
            if let Some(masked) = self.json(value) {
                return format!("{name}={masked}");
            }
            // `--answer=password=…`.
            if name.starts_with("--") && value.contains('=') && !value.contains("://") {
                return format!("{name}={}", self.word("", value));
            }
        }
        mask::url(arg)
    }

    fn secret(&mut self, value: &str) -> String {
        self.secrets.push(value.to_owned());
        "***".into()
    }

    /// `Name: value`.
    fn header(&mut self, header: &str) -> String {
        let Some((name, value)) = header.split_once(':') else { return self.secret(header) };
        let value = value.trim();
        if mask::is_secret(name) {
            // The last word is the token itself.
            self.secrets.extend([value, value.rsplit(' ').next().unwrap_or(value)].map(str::to_owned));
        }
        format!("{name}: {}", mask::header(name, value))
    }

    /// `NAME=value`: masked whatever its name, since that is what variables are for.
    fn variable(&mut self, pair: &str) -> String {
        let Some((name, value)) = pair.split_once('=') else { return pair.to_owned() };
        if mask::is_secret(name) || sounds_secret(name) {
            self.secrets.push(value.to_owned());
        }
        format!("{name}=***")
    }

    /// A command in one word.
    fn line(&mut self, line: &str) -> String {
        let Ok(words) = shell_words::split(line) else { return mask::url(line) };
        let masked = self.words(&words);
        if masked == words { line.to_owned() } else { joined(&masked) }
    }

    /// A JSON object with secrets in it.
    fn json(&mut self, text: &str) -> Option<String> {
        let mut value: Value = serde_json::from_str(text).ok()?;
        let places = hidden(None, value.as_object()?);
        for place in &places {
            let value = value.pointer_mut(place)?;
            self.secrets.push(value.as_str().map_or_else(|| value.to_string(), str::to_owned));
            *value = "***".into();
        }
        (!places.is_empty()).then(|| value.to_string())
    }
}

/// As a shell would read it, and quoted no more than that needs.
fn joined(words: &[String]) -> String {
    let is_plain =
        |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "_-./:=,@%+".contains(c));
    let quoted = words.iter().map(|word| match is_plain(word) {
        true => word.as_str().into(),
        false => shell_words::quote(word),
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// A flag such as `--api-key` or `--token`, of ours or of the server's.
fn names_secret(word: &str) -> bool {
    word.starts_with('-') && mask::is_secret(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_like_a_secret_is_masked() {
        for (typed, shown) in [
            ("t a=1 --url http://u:p@h/?key=k&x=1", "t a=1 --url 'http://***@h/?key=***&x=1'"),
            ("t -H 'Authorization: Bearer S1' -H 'X-A: b'", "t -H 'Authorization: ***' -H 'X-A: b'"),
            ("t '-HX-Api-Key: S1' '--header=Cookie: S1'", "t '-HX-Api-Key: ***' '--header=Cookie: ***'"),
            ("t -e A=S1 --env B=S1 --env=C=S1 -eD=S1", "t -e 'A=***' --env 'B=***' '--env=C=***' '-eD=***'"),
            ("t --input id=S1 --input=key=S1", "t --input 'id=***' '--input=key=***'"),
            ("t password=S1 db.api_key:=1 name=Ada", "t 'password=***' 'db.api_key:=***' name=Ada"),
            (
                "t --answer password=S1 --answer=pin=S1 --answer a=b",
                "t --answer 'password=***' '--answer=pin=***' --answer a=b",
            ),
            (r#"t '{"token":"S1","n":1}' 'x:={"pin":1}'"#, r#"t '{"token":"***","n":1}' 'x:={"pin":"***"}'"#),
            ("t --stdio 'srv --token S1 --port 1'", "t --stdio 'srv --token '\\''***'\\'' --port 1'"),
            ("t --stdio 'srv  x'", "t --stdio 'srv  x'"),
            ("t -- srv --api-key=S1 KEY --api-key S1", "t -- srv '--api-key=***' KEY --api-key '***'"),
            ("t --proxy=http://u:p@h --auto-answer a.json", "t '--proxy=http://***@h' --auto-answer a.json"),
        ] {
            let args = shell_words::split(typed).unwrap();
            let command = Command::new(&args);
            assert_eq!(command.line, format!("mcpcall {shown}"));
            assert!(!command.line.contains("S1"), "{typed}");
            let hidden = typed.contains("S1") && !typed.contains("-e A");
            assert_eq!(command.secrets.iter().any(|secret| secret == "S1"), hidden, "{typed}: {:?}", command.secrets);
        }
    }
}
