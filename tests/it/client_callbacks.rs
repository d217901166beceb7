//! The main job as it was set: the server of the SDK's page "Client callbacks", as it stands there, asks for a name and
//! issues a card. At a terminal a person answers; in a script a file does. SDK 1.x does the same.

use crate::support::run::{Stdin, mcpcall};

each_peer!([page_http, page_stdio, python_v1_http, python_v1_stdio] fn a_person_answers_at_the_terminal(server) {
    let mut terminal = mcpcall(["issue_card"]).on(server).terminal();
    terminal.wait_for("What name should go on the card?").wait_for("Enter: send").send("Ada\r");
    let end = terminal.finish();
    assert_eq!((end.code, end.stdout.as_str()), (0, "Card issued to Ada.\n"), "{}", end.screen);
    assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
});

each_peer!([page_http, page_stdio, python_v1_http, python_v1_stdio] fn a_file_answers_in_a_script(server) {
    mcpcall(["issue_card", "--auto-answer", "answers.json"])
        .file("answers.json", r#"{"name": "Ada Lovelace"}"#)
        .stdin(Stdin::Null)
        .on(server)
        .stdout("Card issued to Ada Lovelace.\n")
        .any_stderr()
        .check()
        .nothing_left_running();
});

each_peer!([page_http, page_stdio] fn it_is_called_by_its_name_with_its_one_tool(server) {
    let output = mcpcall(["list"]).on(server).any_stdout().any_stderr().check();
    assert_eq!(output.stdout, "issue_card  Issue a new library card.\n");
});
