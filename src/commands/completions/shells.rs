//! Candidates in the words of each shell, one a line. What a server calls its things is written with nothing in it that
//! steers a terminal or means something to the shell.

use super::candidates::{self, Candidate};
use super::line::Line;
use crate::context::Context;
use clap_complete::Shell;
use clap_complete::env::{Elvish, EnvCompleter, Powershell};

/// bash replaces a part of the word: what stands behind the last of the characters in `breaks`, or an open quote. Two of
/// them it replaces along with it, and a quote that is open it closes, unless the last character is one.
pub(super) fn bash(line: &Line, candidates: &[Candidate], breaks: &str) -> String {
    let is_break = |c: char| breaks.contains(c);
    let start = match line.quote {
        Some(_) => line.typed.iter().rposition(|piece| piece.means.is_none() && Some(piece.typed) == line.quote),
        None => line.typed.iter().rposition(|piece| piece.is_bare && is_break(piece.typed)),
    };
    let is_replaced = |at: usize| line.quote.is_none() && matches!(line.typed[at].typed, '@' | '$');
    let start = start.map_or(0, |at| if is_replaced(at) { at } else { at + 1 });
    let kept: String = line.typed[..start].iter().filter_map(|piece| piece.means).collect();
    // A variable that was expanded has more characters than were typed: then there is no telling.
    let rests = candidates.iter().filter_map(|candidate| candidate.value.strip_prefix(&kept));
    let quoted = rests.filter_map(|rest| match line.quote {
        Some('\'') => (!rest.contains('\'')).then(|| rest.to_owned()),
        Some(_) => {
            let end = if rest.ends_with('"') { "\"" } else { "" };
            Some(escape(rest, |c| matches!(c, '"' | '$' | '`' | '\\')) + end)
        }
        None => Some(escape(rest, |c| c.is_ascii() && !c.is_ascii_alphanumeric() && !"_@%+=:,./-".contains(c))),
    });
    quoted.collect::<Vec<_>>().join("\n")
}

fn escape(text: &str, needs: impl Fn(char) -> bool) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if needs(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// zsh quotes by itself; `_describe` parts value and description at a colon.
pub(super) fn zsh(candidates: &[Candidate]) -> String {
    let line = |candidate: &Candidate| {
        let value = escape(&candidate.value, |c| matches!(c, '\\' | ':'));
        match &candidate.help {
            Some(help) => format!("{value}:{}", escape(help, |c| c == '\\')),
            None => value,
        }
    };
    candidates.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// fish quotes by itself.
pub(super) fn fish(candidates: &[Candidate]) -> String {
    let line = |candidate: &Candidate| match &candidate.help {
        Some(help) => format!("{}\t{help}", candidate.value),
        None => candidate.value.clone(),
    };
    candidates.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The script that makes a shell ask us what may stand at the cursor, where that script is clap's.
pub(super) fn registration(shell: Shell, variable: &str) -> String {
    let mut script = Vec::new();
    let completer: &dyn EnvCompleter = if shell == Shell::Elvish { &Elvish } else { &Powershell };
    // A text that is kept in memory takes all that is written.
    let _ = completer.write_registration(variable, "mcpcall", "mcpcall", "mcpcall", &mut script);
    String::from_utf8_lossy(&script).trim().to_owned() + "\n"
}

/// What such a script is answered.
pub(super) fn other(shell: &str, line: &Line, context: &Context) -> String {
    let mut command = candidates::command(line, context);
    let words = line.words.iter().map(Into::into).collect();
    let mut answer = Vec::new();
    let written = match shell {
        "elvish" => Elvish.write_complete(&mut command, words, None, &mut answer),
        "powershell" => Powershell.write_complete(&mut command, words, None, &mut answer),
        _ => return String::new(),
    };
    written.map(|()| String::from_utf8_lossy(&answer).into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::line::Quoting;
    use super::*;

    #[test]
    fn bash_is_given_what_it_replaces() {
        let found = |before: &str, values: &[&str]| {
            let line = Line::read(before, "", Quoting::Posix, &Context::default());
            let one = |value: &&str| Candidate { value: (*value).to_owned(), help: None };
            bash(&line, &values.iter().map(one).collect::<Vec<_>>(), " \t\n\"'@><=;|&(:")
        };
        assert_eq!(found("mcpcall t a=@no", &["a=@notes.txt"]), "@notes.txt");
        assert_eq!(found("mcpcall t a=\"@no", &["a=@notes.txt"]), "@notes.txt");
        assert_eq!(found("mcpcall t @no", &["@notes.txt"]), "@notes.txt");
        assert_eq!(found("mcpcall t a=\"say", &["a=say \"hi\"", "a=say no"]), "say \\\"hi\\\"\"\nsay no");
        assert_eq!(found("mcpcall iss", &["issue_card"]), "issue_card");
        assert_eq!(found("mcpcall t city=Par", &["city=Paris", "city=Par is"]), "Paris\nPar\\ is");
        assert_eq!(found("mcpcall t city='Par", &["city=Par $is", "city=Par'is"]), "Par $is");
        assert_eq!(found("mcpcall t \"city=Par", &["city=Par $is"]), "city=Par \\$is");
        assert_eq!(found("mcpcall read file://", &["file:///a"]), "///a");
        assert_eq!(found("mcpcall t a=$(x", &["a=$(xy"]), "xy");
    }
}
