//! What is made of the definition of the command line; the man page is rewritten with `MCPCALL_BLESS=1`.

use std::process::Command;

use crate::support::run::mcpcall;
use crate::support::{env, on_path, root, setup};

#[test]
fn the_man_page_is_fresh_and_well_formed() {
    let page = mcpcall(["man"]).stdout_has("EXIT CODES").check().stdout;
    let path = root().join("man/mcpcall.1");
    if env("MCPCALL_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &page).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == page, "man/mcpcall.1 is stale: MCPCALL_BLESS=1 cargo test generated");

    let found = on_path("groff").ok_or_else(|| "there is no groff on PATH".to_owned());
    let Some(groff) = setup::or_skip(found) else { return };
    let run = Command::new(groff).args(["-man", "-Tutf8", "-ww", "-b", "-z"]).arg(&path).output().unwrap();
    assert!(run.stderr.is_empty(), "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn the_version_names_those_of_the_protocol() {
    let version = env!("CARGO_PKG_VERSION");
    mcpcall(["-V"]).stdout(format!("mcpcall {version}\n")).check();
    let long = mcpcall(["--version"]).any_stdout().check().stdout;
    let dates = "2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05";
    let mut sorted: Vec<&str> = long.lines().nth(1).unwrap().trim_start_matches("MCP ").split(", ").collect();
    sorted.sort_unstable();
    sorted.reverse();
    assert_eq!(
        (long.lines().next().unwrap(), sorted.join(", ").as_str()),
        (format!("mcpcall {version}").as_str(), dates)
    );
}

#[test]
fn the_short_help_reads_well() {
    snapshot!("help", mcpcall(["-h"]).run());
    snapshot!("help_of_a_verb", mcpcall(["list", "-h"]).run());
    snapshot!("help_without_a_server", mcpcall(["completions", "--help"]).run());
}

#[test]
fn help_is_complete_and_fits_a_terminal() {
    let help = mcpcall(["--help"]).stdout_has("Usage: mcpcall [OPTIONS] TOOL").check().stdout;
    for flag in [
        "--url",
        "--stdio",
        "--config",
        "--server",
        "--input",
        "--header",
        "--env",
        "--cwd",
        "--auto-answer",
        "--max-complexity",
        "--answer",
        "--on-elicit",
        "--no-input",
        "--lenient-answers",
        "--open",
        "--root",
        "--cap",
        "--no-cap",
        "--sampling-cmd",
        "--sampling-text",
        "--sampling-model",
        "--sampling-tools",
        "--sampling-context",
        "--yes-sampling",
        "--log-level",
        "--protocol",
        "--timeout",
        "--connect-timeout",
        "--cacert",
        "--insecure",
        "--proxy",
        "--max-message-size",
        "--bearer-env",
        "--no-login",
        "--no-browser",
        "--grant",
        "--client-id",
        "--client-secret-file",
        "--client-key",
        "--client-key-alg",
        "--client-key-id",
        "--client-metadata-url",
        "--redirect-uri",
        "--scope",
        "--assertion-file",
        "--idp-token-url",
        "--idp-client-id",
        "--idp-client-secret-file",
        "--idp-id-token-file",
        "--dpop",
        "--insecure-http",
        "--state-dir",
        "--json",
        "--select",
        "--out",
        "--show-images",
        "--check",
        "--quiet",
        "--verbose",
        "--trace",
        "--trace-file",
        "--report",
        "--no-validate",
        "--ignore-tool-error",
        "--junit",
    ] {
        assert!(help.contains(flag), "{flag}\n{help}");
    }
    let widest = help.lines().max_by_key(|line| line.chars().count()).unwrap();
    assert!(widest.chars().count() <= 120, "{widest}");
}
