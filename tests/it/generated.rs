//! What is made of the definition of the command line.

use crate::support::run::mcpcall;

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
        "--json",
        "--select",
        "--out",
        "--show-images",
        "--check",
        "--quiet",
        "--verbose",
        "--trace",
        "--trace-file",
        "--no-validate",
        "--ignore-tool-error",
        "--junit",
    ] {
        assert!(help.contains(flag), "{flag}\n{help}");
    }
    let widest = help.lines().max_by_key(|line| line.chars().count()).unwrap();
    assert!(widest.chars().count() <= 120, "{widest}");
    mcpcall(["--version"]).stdout(format!("mcpcall {}\n", env!("CARGO_PKG_VERSION"))).check();
}
