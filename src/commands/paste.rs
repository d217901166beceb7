//! The command line that calls a tool on the server of this run: the flags that say which server and how to talk to it,
//! as they were typed, with secrets replaced by variables of the shell.

use super::typed::Typed;
use crate::cli::Cli;
use crate::output::WIDTH;
use crate::secrets::Piece;
use crate::terminal::line::columns;
use crate::words::shell_quote;
use clap::CommandFactory;

/// The headings of the help under which such flags stand.
const HEADINGS: [&str; 2] = ["Server", "Connection"];

/// The command line in lines that a shell takes together.
pub(super) fn call_line(typed: &[String], tool: &str, arguments: &[String]) -> Vec<String> {
    let command = Cli::command();
    let is_verb = command.get_subcommands().any(|verb| verb.get_name() == tool) || tool == "help";
    let mut words = vec!["mcpcall".to_owned()];
    words.extend(is_verb.then(|| "call".to_owned()));
    words.push(shell_quote(tool).into_owned());
    words.extend(arguments.iter().map(|argument| quote_value(argument, "=")));
    words.extend(server(typed));
    fill(&words)
}

/// The flags of the server as typed, in the order of the help, then its command.
fn server(typed: &[String]) -> Vec<String> {
    let mut words = Vec::new();
    let mut started = Vec::new();
    let mut typed = Typed::read(typed).arguments;
    typed.sort_by_key(|argument| argument.rank);
    for argument in &typed {
        let value = argument.value.as_deref();
        let is_servers =
            argument.heading.as_ref().is_some_and(|heading| HEADINGS.iter().any(|own| heading.starts_with(own)));
        match (&argument.flag, value) {
            (None, Some(value)) if argument.id == "command" => started.push(shown("command", value)),
            (Some(flag), Some(value)) if is_servers => words.push(format!("{flag} {}", shown(&argument.id, value))),
            (Some(flag), None) if is_servers => words.push(flag.clone()),
            _ => {}
        }
    }
    words.extend((!started.is_empty()).then(|| format!("-- {}", started.join(" "))));
    words
}

/// A value for a shell; variables stand for the secrets in it.
fn shown(id: &str, value: &[Piece]) -> String {
    let is_secret = value.iter().any(|piece| matches!(piece, Piece::Secret { .. }));
    let mut text = String::new();
    let mut name_before = false;
    for piece in value {
        let begins = text.len();
        match piece {
            Piece::Plain(plain) | Piece::Private(plain) if !is_secret => text.push_str(plain),
            Piece::Plain(plain) | Piece::Private(plain) => {
                // A letter would be taken for the variable's.
                if name_before && plain.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
                    text.push_str("\"\"");
                }
                for c in plain.chars() {
                    text.extend(['"', '\\', '$', '`'].contains(&c).then_some('\\').into_iter().chain([c]));
                }
            }
            Piece::Secret { name, .. } => text.push_str(&format!("${}", variable(name))),
        }
        name_before = matches!(piece, Piece::Secret { .. }) && text.len() > begins;
    }
    match (is_secret, id) {
        (true, _) => format!("\"{text}\""),
        (false, "env") => quote_value(&text, "="),
        (false, _) => shell_quote(&text).into_owned(),
    }
}

/// `X-Api-Key` → `X_API_KEY`.
fn variable(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    let name: String = name.chars().map(letter).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// `name='a value'`: only what needs it is quoted.
fn quote_value(word: &str, separator: &str) -> String {
    match word.split_once(separator) {
        Some((name, value)) if !value.is_empty() && shell_quote(name) == name => {
            format!("{name}{separator}{}", shell_quote(value))
        }
        _ => shell_quote(word).into_owned(),
    }
}

/// The words in lines of a width to read; each but the last ends in a backslash.
fn fill(words: &[String]) -> Vec<String> {
    let room = WIDTH - 2;
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + columns(word) + 2 <= room => {
                line.push(' ');
                line.push_str(word);
            }
            Some(line) => {
                line.push_str(" \\");
                lines.push(format!("  {word}"));
            }
            None => lines.push(word.clone()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(typed: &[&str], tool: &str, arguments: &[&str]) -> String {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        call_line(&words(typed), tool, &words(arguments)).join("\n")
    }

    #[test]
    fn the_server_is_named_as_it_was() {
        for (typed, tool, arguments, expected) in [
            (&["show", "t", "--url", "http://h/mcp"][..], "t", &["a=1"][..], "mcpcall t a=1 --url http://h/mcp"),
            (&["--url=http://h/mcp", "show", "t"], "t", &[], "mcpcall t --url http://h/mcp"),
            (&["show", "t", "--stdio", "srv x"], "t", &["a=b c", "b:=[\"x\"]"], {
                "mcpcall t a='b c' b:='[\"x\"]' --stdio 'srv x'"
            }),
            (&["show", "t", "--", "srv", "--url", "x y"], "t", &[], "mcpcall t -- srv --url 'x y'"),
            (&["show", "list", "--json", "--url", "u"], "list", &[], "mcpcall call list --url u"),
            (&["show", "t", "--protocol", "modern", "-v", "--insecure", "--url", "u"], "t", &[], {
                "mcpcall t --url u --protocol modern --insecure"
            }),
        ] {
            assert_eq!(line(typed, tool, arguments), expected);
        }
    }

    #[test]
    fn secrets_become_variables() {
        let typed =
            ["show", "t", "--url", "https://me:pw@h/?api_key=1&x=2", "-H", "X-Api-Key: s3", "-H", "X-Plain: v w"];
        let text = line(&typed, "t", &[]);
        assert_eq!(
            text,
            "mcpcall t --url \"https://$USERINFO@h/?api_key=$API_KEY&x=2\" \\\n  -H \"X-Api-Key: $X_API_KEY\" -H 'X-Plain: v w'"
        );
        let text = line(&["show", "t", "--config", "c.json", "--server", "s", "--input", "pin=1234"], "t", &[]);
        assert_eq!(text, "mcpcall t --config c.json --server s --input \"pin=$PIN\"");
        let text = line(&["show", "t", "-e", "TOKEN=abc", "-e", "LOG=1", "--", "srv"], "t", &[]);
        assert_eq!(text, "mcpcall t -e \"TOKEN=$TOKEN\" -e LOG=1 -- srv");
    }

    #[test]
    fn so_do_those_of_a_command() {
        let text = line(&["show", "t", "--stdio", "srv --api-key S1 '$x y'"], "t", &[]);
        assert_eq!(text, r#"mcpcall t --stdio "srv --api-key $API_KEY '\$x y'""#);
        let text = line(&["show", "t", "--", "docker", "-e", "TOKEN=S1", "--key=S2"], "t", &[]);
        assert_eq!(text, r#"mcpcall t -- docker -e "TOKEN=$TOKEN" "--key=$KEY""#);
    }

    #[test]
    fn long_lines_are_broken_where_a_shell_goes_on() {
        let arguments: Vec<String> = (0..20).map(|n| format!("argument{n}=example")).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let text = line(&["show", "t", "--url", "u"], "t", &arguments);
        assert!(text.lines().all(|line| columns(line) <= WIDTH - 2), "{text}");
        assert_eq!(shell_words::split(&text.replace(" \\\n", "")).unwrap().len(), 24);
    }
}
