//! What differs from machine to machine and run to run, taken out of snapshots in one place.

use super::root;

/// The snapshot settings every test uses.
pub(crate) fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    for (pattern, replacement) in filters() {
        settings.add_filter(&pattern, replacement);
    }
    settings
}

fn filters() -> Vec<(String, &'static str)> {
    let temp = regex::escape(&std::env::temp_dir().display().to_string());
    let version = regex::escape(env!("CARGO_PKG_VERSION"));
    vec![
        (format!(r"{temp}/\.tmp\w+"), "[TEMP]"),
        (regex::escape(&root().display().to_string()), "[ROOT]"),
        (r"\b(127\.0\.0\.1|localhost):\d+".into(), "${1}:[PORT]"),
        (format!(r"\bmcpcall([ /]){version}\b"), "mcpcall${1}[VERSION]"),
        // Measured times have a fraction or are in milliseconds; a limit the user set, `1 s`, stays.
        (r"\b(\d+\.\d+ ?s|\d+(\.\d+)? ?ms)\b".into(), "[TIME]"),
        (r"\bpid \d+".into(), "pid [PID]"),
    ]
}
