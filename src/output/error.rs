//! The end of a run that failed: for people, or as one line of JSON.

use crate::failure::{Failure, Kind};
use crate::terminal::Screen;
use crate::terminal::sanitize::{Lines, one_line, visible, visible_json};
use crate::terminal::style::Look;

/// Shows a failure on stderr.
pub(crate) fn show(screen: &Screen, failure: &Failure, json: bool) {
    let failure = &screen.concealed.hide_of(failure.clone());
    if json {
        return screen.line(&visible_json(&failure.to_json().to_string()));
    }
    let label = screen.style.paint(Look::Red, "error:");
    screen.line(&format!("mcpcall: {label} {}", one_line(&failure.message, 4000)));
    // The stub of an unanswered question has a form of its own, below; mistakes in a file and expectations have words.
    if let (Some(data), None) = (&failure.data, &failure.detail)
        && !matches!(failure.kind, Kind::Usage | Kind::Expectation)
    {
        screen.line(&format!("  data: {}", one_line(&data.to_string(), 4000)));
    }
    for hint in &failure.hints {
        screen.line(&format!("  {}", screen.style.paint(Look::Dim, &visible(hint, Lines::One))));
    }
    if let Some(detail) = &failure.detail {
        let text = visible(detail.trim_end(), Lines::Many);
        text.lines().for_each(|line| screen.line(&format!("    {line}")));
    }
}
