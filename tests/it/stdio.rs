//! A server as a child process.

use crate::support::run::mcpcall;
use crate::support::scripted::case;

#[test]
fn control_c_reaches_the_server_only_as_a_message() {
    let Some(server) = case("stdio_timeout", &["ctrlc"]) else { return };
    let run = mcpcall(["t"]).on(&server).signal_after_log("tools/call", rustix::process::Signal::INT);
    run.code(130).any_stderr().check().nothing_left_running();
    assert!(!server.log().iter().any(|entry| entry.get("sig").is_some()), "{:?}", server.log());
    assert!(server.methods().contains(&"notifications/cancelled".to_owned()));
}

#[test]
fn environment_and_folder_are_the_servers() {
    let script = r#"echo "$WHO in $(pwd)" >&2; exit 3"#;
    let run = mcpcall(["t", "-e", "WHO=Ada", "--cwd", "/", "--", "sh", "-c", script]);
    run.code(4).stderr("[server] Ada in /\nmcpcall: error: initialize: the server exited with status 3\n").check();
}

each_peer!([python_v2_stdio, rust_stdio, everything_stdio] fn a_server_can_be_one_string_quoted_as_in_a_shell(server) {
    let command = shell_words::join(server.stdio_command());
    if server.peer.server == crate::support::peers::Server::Everything {
        mcpcall(["echo", "message=hi"]).stdio(&command).stdout("Echo: hi\n").any_stderr().check().nothing_left_running();
    } else {
        let run = mcpcall(["issue_card", "--answer", "name=Ada"]).stdio(&command);
        run.stdout("Card issued to Ada.\n").check().nothing_left_running();
    }
});

#[test]
fn quotes_in_that_string_make_words_and_no_shell_reads_it() {
    let script = r#"printf '%s\n' "$@" >&2; exit 3"#;
    let command = format!("sh -c {} sh 'two words' \"it's\" $HOME \\; '*'", shell_words::quote(script));
    let run = mcpcall(["t", "--stdio", &command]).code(4);
    let words = ["two words", "it's", "$HOME", ";", "*"].map(|word| format!("[server] {word}\n")).concat();
    run.stderr(format!("{words}mcpcall: error: initialize: the server exited with status 3\n")).check();
}

#[test]
fn a_message_over_the_limit_is_told_and_ends_its_call() {
    // The server lives on: nothing but the size can end the call.
    let script = r#"read x; printf '{"jsonrpc":"2.0","method":"big","params":{"pad":"%03000d"}}\n' 1
        printf '{"jsonrpc":"2.0","id":1,"result":{"pad":"%03000d"}}\n' 1; cat >/dev/null"#;
    let run = mcpcall(["t", "--max-message-size", "2K", "--", "sh", "-c", script]).code(4);
    let run = run.stderr_has("warning: a message of more than 2048 bytes was dropped, which began with: {\"jsonrpc\"");
    run.stderr_has("error: initialize: the answer is too large (--max-message-size raises the limit)").check();
}
