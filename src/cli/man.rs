//! The man page, made of the definition of the command line; what that does not say is said here.

use super::help::{self, EXAMPLES};
use crate::failure::Kind;
use clap::{Arg, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, italic, roman};

const DESCRIPTION: &[&str] = &[
    "mcpcall calls a tool of an MCP server, answers what the server asks back, and prints the result. The server is named \
     by its address, or by the command that starts it.",
    "A server may ask for a form to be filled in (elicitation), for a message of a language model (sampling), and for \
     folders (roots). Forms are asked at the terminal, or answered from flags or a file; then nothing is asked.",
    "Standard output is the result and nothing else. Questions, logs, progress and errors go to standard error or the \
     terminal. Standard input is read only where - is given.",
];

const ARGUMENTS: &[(&str, &str)] = &[
    ("name=VALUE", "Typed by the tool's schema"),
    ("name:=JSON", "JSON as it is"),
    ("name=@FILE, name:=@FILE", "From a file; name=@@x is the text @x"),
    ("a.b=VALUE", "Nested, where the schema has an object a"),
    ("{...}, @FILE, -", "A JSON object as a base, from the line, a file or standard input"),
];

/// The exit codes: what ends a run so, and what that means. Help, man page and README say the same.
pub(crate) const EXIT: &[(Option<Kind>, &str)] = &[
    (None, "success"),
    (Some(Kind::Internal), "unexpected failure inside mcpcall"),
    (Some(Kind::Usage), "usage, answer file, or arguments that fail the tool's schema"),
    (Some(Kind::Auth), "authorization needed or refused"),
    (Some(Kind::Connect), "cannot connect; the transport or the handshake broke"),
    (Some(Kind::Tool), "the tool reported an error (0 with --ignore-tool-error, or where that is expected)"),
    (
        Some(Kind::Protocol),
        "a JSON-RPC error (0 where that is expected), an unknown tool, an invalid message, or too many rounds or questions",
    ),
    (Some(Kind::Unanswered), "the server asked and nobody answered"),
    (
        Some(Kind::Expectation),
        "an expectation failed, an answer was left unused, the results of --protocol both differ, a way of --matrix \
         looks wrong, there is no value to --select, or --check failed",
    ),
    (Some(Kind::Timeout), "--timeout or --max-time ran out"),
    (Some(Kind::Interrupted), "^C"),
    (Some(Kind::Terminated), "TERM"),
];

const ENVIRONMENT: &[(&str, &str)] = &[
    ("MCPCALL_URL", "The server, where the line names none"),
    ("MCPCALL_CONFIG, MCPCALL_SERVER", "The same for --config and --server"),
    ("MCPCALL_COMPLETE_TIMEOUT", "How many seconds a TAB waits for a server"),
    ("HOME, XDG_CACHE_HOME", "Where completion keeps what servers have, for a short while: mcpcall in there"),
    ("HOME, XDG_STATE_HOME", "Where logins are kept, and what is typed at the shell: mcpcall in there"),
    ("VISUAL, EDITOR", "The editor for longer texts"),
    ("TERM", "Where it is dumb, questions are plain lines"),
    ("TERM_PROGRAM, KITTY_WINDOW_ID, TMUX, STY", "What pictures the terminal shows, for --show-images"),
    ("NO_COLOR", "Where it is set, nothing is coloured"),
    ("RUST_BACKTRACE", "Where it is 1, a fault in mcpcall itself is told with its trace"),
    ("HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY", "Proxies, unless --proxy names one; in small letters, too"),
    ("MCPCALL_REQUEST_ID, MCPCALL_META, MCPCALL_TOOL, MCPCALL_SERVER", "Set for the command of --sampling-cmd"),
];

const FILES: &[(&str, &str)] = &[
    ("answer file", "JSON, for --auto-answer; mcpcall answers schema prints its JSON Schema"),
    ("configuration file", "JSON with mcpServers or servers, for --config; never written"),
    ("trace", "A JSON object a line, from --trace-file; mcpcall answers stub reads it"),
    ("state", "Where a call stands, from --save-state; mcpcall resume goes on from there. Readable by its owner only"),
    ("auth.json", "Logins, from mcpcall login. Readable by its owner only"),
    ("report", "A page for a browser, from --report"),
];

const MORE_EXAMPLES: &str = "\
mcpcall issue_card --url http://127.0.0.1:8000/mcp
mcpcall add a=2 b=3 -- python3 server.py
mcpcall issue_card --auto-answer answers.json --no-input --json -- python3 server.py
mcpcall issue_card --report run.html -- python3 server.py";

/// The page, for `man`.
pub(crate) fn page() -> String {
    let command = help::definition();
    let man = Man::new(command.clone()).title("MCPCALL").manual("User Commands");
    let mut page = Vec::new();
    let mut write = |part: &dyn Fn(&mut Vec<u8>) -> std::io::Result<()>| {
        // A vector takes everything.
        let _ = part(&mut page);
    };
    write(&|page| man.render_title(page));
    write(&|page| man.render_name_section(page));
    write(&|page| man.render_synopsis_section(page));
    write(&|page| described(&command).to_writer(page));
    write(&|page| options(&command).to_writer(page));
    write(&|page| tables().to_writer(page));
    String::from_utf8_lossy(&page).into_owned()
}

fn described(command: &Command) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["DESCRIPTION"]);
    for paragraph in DESCRIPTION {
        roff.control("PP", []).text([roman(*paragraph)]);
    }
    table(&mut roff, "ARGUMENTS", ARGUMENTS);
    roff.control("SH", ["VERBS"]);
    for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
        verb_section(&mut roff, verb.get_name(), verb);
    }
    roff
}

fn verb_section(roff: &mut Roff, name: &str, verb: &Command) {
    let own = |arg: &&Arg| !arg.is_global_set() && !arg.is_hide_set() && arg.get_id() != "help";
    let mut header = vec![bold(name)];
    for arg in verb.get_positionals().filter(own) {
        let dashes = if arg.is_last_set() { "-- " } else { "" };
        let value = arg.get_value_names().unwrap_or_default().join(" ");
        let dots = if arg.get_num_args().is_some_and(|n| n.max_values() > 1) { "..." } else { "" };
        let (left, right) = if arg.is_required_set() { ("", "") } else { ("[", "]") };
        header.extend([roman(format!(" {left}{dashes}")), italic(value), roman(format!("{right}{dots}"))]);
    }
    roff.control("TP", []).text(header);
    roff.text([roman(verb.get_about().map(ToString::to_string).unwrap_or_default())]);
    // The flags of a call stand among the options.
    let flags: Vec<&Arg> = verb.get_opts().chain(verb.get_arguments().filter(|arg| !arg.is_positional())).collect();
    let mut seen = Vec::new();
    for arg in flags.into_iter().filter(own).filter(|arg| arg.get_help_heading().is_none()) {
        if !seen.contains(&arg.get_id()) && !["call", "resume"].contains(&name) {
            seen.push(arg.get_id());
            roff.control("RS", []);
            flag(roff, arg);
            roff.control("RE", []);
        }
    }
    for sub in verb.get_subcommands().filter(|sub| sub.get_name() != "help") {
        verb_section(roff, &format!("{name} {}", sub.get_name()), sub);
    }
}

fn flag(roff: &mut Roff, arg: &Arg) {
    let names = [arg.get_short().map(|short| format!("-{short}")), arg.get_long().map(|long| format!("--{long}"))];
    let names: Vec<String> = names.into_iter().flatten().collect();
    let mut header = vec![bold(names.join(", "))];
    if arg.get_action().takes_values() {
        header.push(roman(" "));
        header.push(italic(arg.get_value_names().unwrap_or_default().join(" ")));
    }
    roff.control("TP", []).text(header);
    let mut text = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let values = arg.get_possible_values();
    if arg.get_action().takes_values() && !values.is_empty() {
        let values: Vec<&str> = values.iter().map(clap::builder::PossibleValue::get_name).collect();
        text.push_str(&format!(" [{}]", values.join(", ")));
    }
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if arg.get_action().takes_values() && !defaults.is_empty() {
        text.push_str(&format!(" [default: {}]", defaults.join(" ")));
    }
    roff.text([roman(text)]);
}

fn options(command: &Command) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["OPTIONS"]);
    let flags: Vec<&Arg> = command.get_arguments().filter(|arg| !arg.is_positional() && !arg.is_hide_set()).collect();
    let mut headings: Vec<&str> = Vec::new();
    for heading in flags.iter().map(|arg| arg.get_help_heading().unwrap_or("General")) {
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    for heading in headings {
        roff.control("SS", [heading]);
        flags
            .iter()
            .filter(|arg| arg.get_help_heading().unwrap_or("General") == heading)
            .for_each(|arg| flag(&mut roff, arg));
    }
    roff
}

fn tables() -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["EXIT CODES"]);
    for (kind, text) in EXIT {
        let code = kind.map_or(0, Kind::exit).to_string();
        let name = kind.map_or_else(String::new, |kind| format!(" ({})", kind.name()));
        roff.control("TP", []).text([bold(code), roman(name)]).text([roman(*text)]);
    }
    table(&mut roff, "ENVIRONMENT", ENVIRONMENT);
    table(&mut roff, "FILES", FILES);
    roff.control("SH", ["EXAMPLES"]);
    for text in [MORE_EXAMPLES].into_iter().chain(EXAMPLES.iter().map(|(_, text)| *text)) {
        roff.control("PP", []).control("nf", []);
        for line in text.lines() {
            roff.text([roman(line)]);
        }
        roff.control("fi", []);
    }
    roff
}

fn table(roff: &mut Roff, title: &str, rows: &[(&str, &str)]) {
    roff.control("SH", [title]);
    for (name, text) in rows {
        roff.control("TP", []).text([bold(*name)]).text([roman(*text)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_says_all_that_the_definition_does() {
        let page = page().replace("\\-", "-");
        let command = help::definition();
        for arg in command.get_arguments().filter_map(Arg::get_long) {
            assert!(page.contains(&format!("--{arg}\\fR")), "--{arg}\n{page}");
        }
        for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
            assert!(page.contains(&format!("\\fB{}\\fR", verb.get_name())), "{}", verb.get_name());
        }
    }

    #[test]
    fn the_readme_and_the_help_tell_the_same_exit_codes() {
        use clap::CommandFactory as _;
        let readme = include_str!("../../README.md").replace('`', "");
        let help = crate::cli::Cli::command().render_help().to_string();
        for (kind, text) in EXIT {
            let (code, name) = (kind.map_or(0, Kind::exit), kind.map_or("", |kind| kind.name()));
            let row = format!("| {code} | {name} | {text} |").replace("|  |", "| |");
            assert!(readme.contains(&row), "README.md lacks: {row}");
            let codes = help.split("Exit codes:").nth(1).unwrap();
            assert!(codes.split_whitespace().any(|word| word == code.to_string()), "--help lacks exit code {code}");
        }
        let n_rows = readme.split("| exit | kind | meaning |").nth(1).unwrap().lines().skip(2);
        assert_eq!(n_rows.take_while(|line| line.starts_with('|')).count(), EXIT.len());
    }

    #[test]
    fn every_variable_that_is_read_is_told() {
        let src = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut folders = vec![src];
        let told: Vec<&str> = ENVIRONMENT.iter().flat_map(|(names, _)| names.split(", ")).collect();
        let mut n_read = 0;
        while let Some(folder) = folders.pop() {
            for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    for name in text.split(concat!(".va", "r(\"")).skip(1).map(|rest| rest.split('"').next().unwrap()) {
                        n_read += 1;
                        assert!(
                            told.contains(&name.to_uppercase().as_str()),
                            "{} reads {name}, and the man page does not tell",
                            path.display()
                        );
                    }
                }
            }
        }
        assert!(n_read >= 4);
    }
}
