//! What breaks on our side while a server is called.

use crate::support::run::mcpcall;
use crate::support::scripted::case;
use crate::support::terminal::keys::CTRL_C;

#[test]
fn a_form_of_every_shape_shows_titles_at_a_terminal() {
    let Some(server) = case("stdio_elicit_zoo", &["interactive"]) else { return };
    let mut terminal = mcpcall(["t"]).on(&server).terminal_of_size(60, 100);
    terminal.wait_for("(1/20) legacy:").wait_for("    Medium").wait_for("Enter: choose").send(CTRL_C);
    let end = terminal.finish();
    assert!(!end.cursor_hidden && end.cooked, "{}", end.screen);
}
