//! The odd servers that ask for nothing special here: each mode with what must come of it.

use crate::support::run::mcpcall;
use crate::support::scripted::case;

/// Case, mode, exit code, stdout, words on stderr.
const TABLE: &[(&str, &str, i32, &str, &str)] = &[
    // -32042 without URLs is a plain error.
    ("stdio_url_required", "malformed", 6, "", "-32042"),
];

#[test]
fn each_mode_comes_out_as_it_must() {
    for (name, mode, code, stdout, words) in TABLE {
        let Some(server) = case(name, &[mode]) else { return };
        let output = mcpcall(["t"]).on(&server).any_stderr().run();
        assert_eq!((output.code, output.stdout.as_str()), (*code, *stdout), "{name} {mode}\n{}", output.report());
        assert!(output.stderr.contains(words), "{name} {mode}\n{}", output.report());
        output.nothing_left_running();
    }
}
