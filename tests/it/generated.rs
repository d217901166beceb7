//! Files made from the program: compared with what it says now, rewritten with `MCPCALL_BLESS=1`.

use crate::support::run::mcpcall;
use crate::support::{env, root};

#[test]
fn completion_scripts_are_fresh() {
    for (shell, file) in [("bash", "mcpcall.bash"), ("zsh", "_mcpcall"), ("fish", "mcpcall.fish")] {
        let path = root().join("completions").join(file);
        let script = mcpcall(["completions", shell]).stdout_has("mcpcall").check().stdout;
        if env("MCPCALL_BLESS").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &script).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == script, "completions/{file} is stale: MCPCALL_BLESS=1 cargo test generated");
    }
}

#[test]
fn help_is_complete_and_fits_a_terminal() {
    let help = mcpcall(["--help"]).stdout_has("Usage: mcpcall [OPTIONS] TOOL").check().stdout;
    for flag in [
        "--url",
        "--stdio",
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
