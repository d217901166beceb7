//! The command line as it was typed, read by the definition of its flags, and where secrets stand in it: `paste` puts
//! variables of the shell in their place, a report stars.

use crate::cli::Cli;
use crate::form::{self, Form};
use crate::output::report::Command;
use crate::secrets::{Piece, masked, names_secret, sounds_secret, url_pieces, words};
use crate::target::Target;
use crate::words::shell_quote;
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, CommandFactory};
use serde_json::{Map, Value};

/// A word, in pieces.
pub(super) type Word = Vec<Piece>;

/// One thing that was typed: a verb, a flag with what belongs to it, or an argument.
pub(super) struct Argument {
    /// Its name in the definition; empty for a verb.
    pub(super) id: String,
    /// The heading of the help under which it stands.
    pub(super) heading: Option<String>,
    /// The flag.
    pub(super) flag: Option<String>,
    /// Whether the value is tied to the flag by `=`.
    is_tied: bool,
    /// What it says.
    pub(super) value: Option<Word>,
    /// Where it stands in the definition.
    pub(super) rank: usize,
    /// Where it stood among those of its verb.
    place: usize,
}

/// A command line that has been read.
#[derive(Default)]
pub(super) struct Typed {
    /// In the order typed; the server's command comes last.
    pub(super) arguments: Vec<Argument>,
    /// The secrets in it.
    secrets: Vec<String>,
}

impl Typed {
    /// Reads the words as they were typed, without the program's name.
    pub(super) fn read(typed: &[String]) -> Typed {
        let mut command = Cli::command();
        command.build();
        let mut read = Typed::default();
        let argv = std::iter::once("mcpcall").chain(typed.iter().map(String::as_str));
        if let Ok(matches) = command.clone().try_get_matches_from(argv) {
            read.level(&command, &matches);
        }
        read
    }

    /// The arguments of a verb, then those of the verb below.
    fn level(&mut self, command: &clap::Command, matches: &ArgMatches) {
        let below = matches.subcommand();
        let first = self.arguments.len();
        for (rank, arg) in command.get_arguments().enumerate() {
            let id = arg.get_id().as_str();
            // Flags for all verbs are handed down.
            let is_elsewhere = arg.is_global_set() && below.is_some();
            if is_elsewhere || matches.value_source(id) != Some(ValueSource::CommandLine) {
                continue;
            }
            let flag = match (arg.get_short(), arg.get_long()) {
                (Some(short), _) => Some(format!("-{short}")),
                (None, long) => long.map(|long| format!("--{long}")),
            };
            let values = match (arg.get_action(), id) {
                (ArgAction::Set | ArgAction::Append, "command") => {
                    self.words(&raw(matches, id)).into_iter().map(Some).collect()
                }
                (ArgAction::Set | ArgAction::Append, _) => {
                    raw(matches, id).iter().map(|value| Some(self.value(id, value))).collect()
                }
                _ => vec![None],
            };
            let places = matches.indices_of(id).into_iter().flatten().chain(std::iter::repeat(usize::MAX));
            self.arguments.extend(values.into_iter().zip(places).map(|(value, place)| Argument {
                id: id.to_owned(),
                heading: arg.get_help_heading().map(str::to_owned),
                flag: flag.clone(),
                is_tied: arg.is_require_equals_set(),
                value,
                rank,
                place,
            }));
        }
        // Behind `--`, whatever its number.
        self.arguments[first..].sort_by_key(|argument| (argument.id == "command", argument.place));
        if let Some((name, matches)) = below
            && let Some(command) = command.find_subcommand(name)
        {
            let value = Some(vec![Piece::Plain(name.to_owned())]);
            let (id, heading, flag) = (String::new(), None, None);
            self.arguments.push(Argument { id, heading, flag, is_tied: false, value, rank: 0, place: 0 });
            self.level(command, matches);
        }
    }

    /// The line as a report shows it, and what it is to hide elsewhere.
    pub(super) fn command(mut self, target: &Target, more: &[String]) -> Command {
        let mut line = vec!["mcpcall".to_owned()];
        let mut is_behind = false;
        for argument in &self.arguments {
            if argument.id == "command" && !is_behind {
                line.push("--".into());
                is_behind = true;
            }
            let value = argument.value.as_deref().map(masked);
            match (&argument.flag, value) {
                (Some(flag), Some(value)) if argument.is_tied => {
                    line.push(shell_quote(&format!("{flag}={value}")).into())
                }
                (flag, value) => {
                    line.extend(flag.clone());
                    line.extend(value.map(|value| shell_quote(&value).into_owned()));
                }
            }
        }
        self.target(target);
        self.secrets.extend_from_slice(more);
        Command { line: line.join(" "), secrets: self.secrets }
    }

    /// Learns what a server is reached by, wherever that comes from.
    fn target(&mut self, target: &Target) {
        match target {
            Target::Url { url, headers, .. } => {
                self.url(url);
                headers.iter().for_each(|(name, value)| drop(self.header(&format!("{name}: {value}"))));
            }
            Target::Command(spawn) => {
                self.words(&[std::slice::from_ref(&spawn.program), &spawn.args].concat());
                self.secrets.extend(spawn.env.iter().map(|(_, value)| value.clone()));
            }
        }
    }

    /// What a flag or argument of ours says.
    fn value(&mut self, id: &str, value: &str) -> Word {
        match id {
            "headers" => self.header(value),
            // What variables are for.
            "env" | "input" => match value.split_once('=') {
                Some((name, value)) => {
                    self.secrets.push(value.to_owned());
                    let is_secret = id == "input" || names_secret(name);
                    let lead = Piece::Plain(format!("{name}="));
                    let (name, value) = (name.to_owned(), value.to_owned());
                    vec![lead, if is_secret { Piece::Secret { name, value } } else { Piece::Private(value) }]
                }
                None => vec![self.secret(id, value)],
            },
            "stdio" | "sampling_cmd" | "open" => self.line(value),
            "args" | "params" | "argument" | "others" | "answer" => self.pair(value, sounds_secret),
            _ => self.url(value),
        }
    }

    fn secret(&mut self, name: &str, value: &str) -> Piece {
        self.secrets.push(value.to_owned());
        Piece::Secret { name: name.to_owned(), value: value.to_owned() }
    }

    fn url(&mut self, text: &str) -> Word {
        let pieces = url_pieces(text);
        for piece in &pieces {
            if let Piece::Secret { value, .. } = piece {
                self.secrets.push(value.clone());
                self.secrets.extend(value.split_once(':').map(|(_, password)| password.to_owned()));
            }
        }
        pieces
    }

    /// `Name: value`.
    fn header(&mut self, header: &str) -> Word {
        let Some((name, value)) = header.split_once(':') else { return vec![self.secret("header", header)] };
        let value = value.trim();
        let mut word = vec![Piece::Plain(format!("{name}: "))];
        if names_secret(name) {
            // The last word is the token itself.
            self.secrets.extend(value.rsplit_once(' ').map(|(_, token)| token.to_owned()));
            word.push(self.secret(name.trim(), value));
        } else {
            word.extend(self.url(value));
        }
        word
    }

    /// `name=value`, JSON in itself or as a value, or something else.
    fn pair(&mut self, text: &str, is_secret: fn(&str) -> bool) -> Word {
        if let Some(shown) = self.json(text) {
            return vec![Piece::Plain(shown)];
        }
        let Some((name, value)) = text.split_once('=').filter(|(name, _)| !name.contains("://")) else {
            return self.url(text);
        };
        let lead = Piece::Plain(format!("{name}="));
        if is_secret(name) {
            return vec![lead, self.secret(name.trim_start_matches('-'), value)];
        }
        match self.json(value) {
            Some(shown) => vec![lead, Piece::Plain(shown)],
            None => self.url(text),
        }
    }

    /// A JSON object with secrets in it.
    fn json(&mut self, text: &str) -> Option<String> {
        let mut value: Value = serde_json::from_str(text).ok()?;
        let places = form::secrets(&Form::new(&Value::Object(Map::new())), value.as_object()?);
        for place in &places {
            let value = value.pointer_mut(place)?;
            self.secrets.push(value.as_str().map_or_else(|| value.to_string(), str::to_owned));
            *value = "***".into();
        }
        (!places.is_empty()).then(|| value.to_string())
    }

    /// A command in one word.
    fn line(&mut self, line: &str) -> Word {
        let Ok(words) = shell_words::split(line) else { return self.url(line) };
        let words = self.words(&words);
        if words.iter().flatten().all(|piece| matches!(piece, Piece::Plain(_))) {
            return vec![Piece::Plain(line.to_owned())];
        }
        let mut joined = Vec::new();
        for (at, word) in words.into_iter().enumerate() {
            joined.extend((at > 0).then(|| Piece::Plain(" ".into())));
            joined.extend(word.into_iter().map(|piece| match piece {
                Piece::Plain(text) => Piece::Plain(shell_quote(&text).into_owned()),
                secret => secret,
            }));
        }
        joined
    }

    /// The words of a command that is not ours: its flags are known by their looks alone.
    fn words(&mut self, words: &[String]) -> Vec<Word> {
        let mut before = "";
        let mut read = Vec::new();
        for word in words {
            read.push(self.word(before, word));
            before = word;
        }
        read
    }

    fn word(&mut self, before: &str, word: &str) -> Word {
        match before {
            "-H" | "--header" if word.contains(':') => return self.header(word),
            _ if is_secret_flag(before) && !before.contains('=') && !word.starts_with('-') => {
                return vec![self.secret(before.trim_start_matches('-'), word)];
            }
            _ => {}
        }
        for glued in ["--header=", "-H"] {
            if let Some(header) = word.strip_prefix(glued).filter(|header| header.contains(':')) {
                return [vec![Piece::Plain(glued.into())], self.header(header)].concat();
            }
        }
        self.pair(word, |name| if name.starts_with('-') { is_secret_flag(name) } else { names_secret(name) })
    }
}

/// A flag such as `--api-key` or `--token`; not one that says where such a thing is, or which kind.
fn is_secret_flag(flag: &str) -> bool {
    const OTHERS: &[&str] = &["file", "path", "dir", "env", "var", "url", "mode", "type", "format", "ttl", "timeout"];
    let words = words(flag);
    flag.starts_with('-')
        && names_secret(flag)
        && words.first().is_none_or(|first| first != "no")
        && words.last().is_none_or(|last| !OTHERS.contains(&last.as_str()))
}

fn raw(matches: &ArgMatches, id: &str) -> Vec<String> {
    let values = matches.try_get_raw(id).ok().flatten();
    values.into_iter().flatten().map(|value| value.to_string_lossy().into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::process::Spawn;

    #[test]
    fn what_is_named_like_a_secret_is_masked() {
        let nobody = Target::Command(Spawn::default());
        for (typed, shown) in [
            ("t a=1 --url http://u:p@h/?key=k&x=1", "t a=1 --url 'http://***@h/?key=***&x=1'"),
            ("t -H 'Authorization: Bearer S1' -H 'X-A: b'", "t -H 'Authorization: ***' -H 'X-A: b'"),
            ("t '-HX-Api-Key: S1' '--header=Cookie: S1'", "t -H 'X-Api-Key: ***' -H 'Cookie: ***'"),
            ("t -vH 'Authorization: Bearer S1'", "t -v -H 'Authorization: ***'"),
            ("t -qeMYTOK=S1 -e TOK=S1", "t -q -e 'MYTOK=***' -e 'TOK=***'"),
            ("t -e A=S1 --env B=S1 --env=C=S1 -eD=S1", "t -e 'A=***' -e 'B=***' -e 'C=***' -e 'D=***'"),
            ("t --input id=S1 --input=key=S1", "t --input 'id=***' --input 'key=***'"),
            ("t password=S1 db.api_key:=1 name=Ada", "t 'password=***' 'db.api_key:=***' name=Ada"),
            (
                "t --answer password=S1 --answer=pin=S1 --answer a=b",
                "t --answer 'password=***' --answer 'pin=***' --answer a=b",
            ),
            (r#"t '{"token":"S1","n":1}' 'x:={"pin":1}'"#, r#"t '{"token":"***","n":1}' 'x:={"pin":"***"}'"#),
            ("t --stdio 'srv --token S1 \"a b\" -p 1'", "t --stdio 'srv --token *** '\\''a b'\\'' -p 1'"),
            ("t --stdio 'srv  x' --show-images=kitty", "t --stdio 'srv  x' --show-images=kitty"),
            ("t -- srv --api-key=S1 KEY --api-key S1", "t -- srv '--api-key=***' KEY --api-key '***'"),
            ("t -- srv --key-file k -H 'Cookie: S1'", "t -- srv --key-file k -H 'Cookie: ***'"),
            ("t -- docker -e DB_PASS=S1 --no-auth x", "t -- docker -e 'DB_PASS=***' --no-auth x"),
            ("t --proxy=http://u:p@h --auto-answer a.json", "t --proxy 'http://***@h' --auto-answer a.json"),
            ("-v call --url u t --check a=1", "call -v --url u t --check a=1"),
            ("complete r secret=S1 x=y -- srv -v", "complete r 'secret=***' x=y -- srv -v"),
        ] {
            let args = shell_words::split(typed).unwrap();
            let command = Typed::read(&args).command(&nobody, &[]);
            assert_eq!(command.line, format!("mcpcall {shown}"));
            assert!(!command.line.contains("S1"), "{typed}");
            assert_eq!(command.secrets.iter().any(|secret| secret == "S1"), typed.contains("S1"), "{typed}");
        }
    }

    #[test]
    fn what_a_server_is_reached_by_is_known() {
        let secrets = |target: &Target| Typed::default().command(target, &["more".into()]).secrets;
        let headers = [("X-Api-Key", "S1"), ("X-Plain", "plain"), ("Authorization", "Bearer S2")];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let known = secrets(&Target::Url { url: "http://u:S3@h/?sig=S4&a=b".into(), headers, is_sse: false });
        assert_eq!(known, ["u:S3", "S3", "S4", "S1", "S2", "Bearer S2", "more"]);
        let args = ["--token", "S1", "x"].map(str::to_owned).to_vec();
        let spawn = Spawn { program: "srv".into(), args, env: vec![("A".into(), "S2".into())], ..Spawn::default() };
        assert_eq!(secrets(&Target::Command(spawn)), ["S1", "S2", "more"]);
    }
}
