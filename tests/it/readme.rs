//! What the README shows is what happens.

use crate::support::peers::Peer;
use crate::support::root;
use crate::support::run::mcpcall;

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).unwrap()
}

#[test]
fn the_first_picture_is_the_programs_screen() {
    let server = Peer::named("rust_stdio").start().unwrap();
    let mut terminal = mcpcall(["issue_card"]).on(&server).terminal();
    terminal.wait_for("Enter: send").send("Ada\r");
    let end = terminal.finish();
    let screen: Vec<&str> = end.screen.lines().map(str::trim_end).skip_while(|line| line.is_empty()).collect();
    let picture = format!("{}\n\n{}", screen.join("\n").trim_end(), end.stdout);
    assert!(readme().contains(&picture), "README.md does not show:\n{picture}");
}

#[test]
fn its_answer_files_are_read_and_its_commands_known() {
    let readme = readme();
    let blocks: Vec<&str> = readme.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 2);
    let server = Peer::named("rust_stdio").start().unwrap();
    for block in blocks {
        let run =
            mcpcall(["issue_card", "--auto-answer", "a.json", "--lenient-answers"]).file("a.json", block).on(&server);
        run.stdout("Card issued to Ada Lovelace.\n").check();
    }
    // Every flag the README names is in the help.
    let help = mcpcall(["--help"]).stdout_has("--url").check().stdout;
    let code = readme.split('`').skip(1).step_by(2).collect::<Vec<_>>().join(" ");
    for word in code.split([' ', '|', '\n', '[', ']']).filter(|word| word.starts_with("--") && word.len() > 2) {
        let flag = word.split('=').next().unwrap();
        assert!(
            help.contains(flag) || flag == "--path" || flag == "--stdio'" || flag == "--example",
            "README.md names {flag}"
        );
    }
}
