//! Everything there is to know of a tool, for people.

use super::WIDTH;
use crate::terminal::line::{columns, wrap};
use crate::terminal::sanitize::{Lines, visible};

/// What is shown of a tool.
pub(crate) struct Sheet {
    /// What it is called by.
    pub(crate) name: String,
    /// What it is called for people.
    pub(crate) title: Option<String>,
    /// What it does.
    pub(crate) description: Option<String>,
    /// What else there is, in order; those with nothing in them are left out.
    pub(crate) sections: Vec<Section>,
}

/// A part of the sheet with a heading.
pub(crate) struct Section {
    /// The heading.
    pub(crate) title: &'static str,
    /// What stands below it.
    pub(crate) body: Body,
}

/// What a section is made of.
pub(crate) enum Body {
    /// A row a field.
    Table(Vec<Row>),
    /// Sentences, wrapped.
    Lines(Vec<String>),
    /// Lines that stay as they are, since they are for pasting.
    Verbatim(Vec<String>),
}

/// A field of a schema.
pub(crate) struct Row {
    /// Its place: `a.b`.
    pub(crate) name: String,
    /// Its type.
    pub(crate) sort: String,
    /// Whether it must be there.
    pub(crate) required: bool,
    /// What else is said of it, each a line of its own.
    pub(crate) about: Vec<String>,
}

/// The widest column of names, and of types; what is longer moves its own row only.
const NAME: usize = 28;
const SORT: usize = 18;

/// The least room that is enough for words beside the columns.
const ENOUGH: usize = 30;

/// The sheet as text.
pub(crate) fn text(sheet: &Sheet) -> String {
    let one_line = |text: &str| visible(text, Lines::One).into_owned();
    let title = sheet.title.as_ref().filter(|title| **title != sheet.name);
    let title = title.map_or_else(String::new, |title| format!(" ({})", one_line(title)));
    let mut lines = vec![format!("{}{title}", one_line(&sheet.name))];
    let description = sheet.description.as_deref().map(undented).unwrap_or_default();
    if !description.is_empty() {
        // Indented, so that no server can draw a section of ours.
        let description = wrap(&visible(&description, Lines::Many), WIDTH - 2);
        lines.extend(description.iter().map(|line| format!("  {line}").trim_end().to_owned()));
    }
    for Section { title, body } in &sheet.sections {
        let below = match body {
            Body::Table(rows) => table(rows),
            Body::Lines(sentences) => {
                let wrapped = sentences.iter().flat_map(|sentence| wrap(&one_line(sentence), WIDTH - 2));
                wrapped.map(|line| format!("  {line}")).collect()
            }
            Body::Verbatim(lines) => lines.iter().map(|line| format!("  {}", one_line(line))).collect(),
        };
        if !below.is_empty() {
            lines.push(String::new());
            lines.push((*title).to_owned());
            lines.extend(below);
        }
    }
    lines.join("\n")
}

/// The text without the margin that its lines but the first have in common: many come from a program's comments.
fn undented(text: &str) -> String {
    let blank = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let margin = text.lines().skip(1).filter(|line| !line.trim().is_empty()).map(blank).min().unwrap_or(0);
    let lines = text.lines().enumerate().map(|(at, line)| match at {
        0 => line.trim(),
        _ => line.get(margin..).unwrap_or_default().trim_end(),
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn table(rows: &[Row]) -> Vec<String> {
    let shown = |text: &str| visible(text, Lines::One).into_owned();
    let widest = |cell: fn(&Row) -> &str, most: usize| {
        rows.iter().map(|row| columns(&shown(cell(row)))).filter(|width| *width <= most).max().unwrap_or(0)
    };
    let (names, sorts) = (widest(|row| &row.name, NAME), widest(|row| &row.sort, SORT));
    let required = if rows.iter().any(|row| row.required) { "required".len() } else { 0 };
    let beside = 2 + names + 2 + sorts + if required > 0 { 2 + required } else { 0 } + 2;
    let is_beside = WIDTH.saturating_sub(beside) >= ENOUGH;
    let indent = if is_beside { beside } else { 6 };
    let mut lines = Vec::new();
    for row in rows {
        let pad = |text: &str, width: usize| format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))));
        let mut head = format!("  {}  {}", pad(&shown(&row.name), names), pad(&shown(&row.sort), sorts));
        if required > 0 {
            head.push_str("  ");
            head.push_str(&pad(if row.required { "required" } else { "" }, required));
        }
        let about = row.about.iter().filter(|about| !about.trim().is_empty());
        let mut about = about.flat_map(|about| wrap(visible(about, Lines::Many).trim(), WIDTH - indent)).peekable();
        // Only where the columns have room for what stands in them.
        if is_beside && columns(&head) == beside - 2 && about.peek().is_some() {
            head.push_str("  ");
            head.push_str(&about.next().unwrap_or_default());
        }
        lines.push(head.trim_end().to_owned());
        lines.extend(about.map(|line| format!("{}{line}", " ".repeat(indent)).trim_end().to_owned()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, sort: &str, required: bool, about: &[&str]) -> Row {
        let about = about.iter().map(|about| (*about).to_owned()).collect();
        Row { name: name.into(), sort: sort.into(), required, about }
    }

    #[test]
    fn columns_are_aligned_and_words_wrapped_beside_them() {
        let long = "word ".repeat(12);
        let rows = [row("a", "string", true, &[&long, "1 to 5"]), row("to.city", "integer", false, &[])];
        let expected = [
            "  a        string   required  word word word word word word word word word word",
            "                              word word",
            "                              1 to 5",
            "  to.city  integer",
        ];
        assert_eq!(table(&rows), expected);
        assert_eq!(table(&[row("a", "string", false, &["x"])]), ["  a  string  x"]);
    }

    #[test]
    fn where_there_is_no_room_beside_words_stand_below() {
        let name = "n".repeat(28);
        let rows = [row(&name, "array of string", true, &["about"]), row("b", "any", false, &["\u{1b}[2J\nx"])];
        let lines = table(&rows);
        assert_eq!(lines[1], "      about");
        assert_eq!(lines[3..], ["      \\u{1b}[2J", "      x"]);
        let rows = [row("a", "string", true, &["x"]), row(&"n".repeat(40), "string", true, &["y"])];
        assert_eq!(table(&rows)[2], format!("{}y", " ".repeat(23)));
    }

    #[test]
    fn the_margin_of_a_comment_is_taken_off() {
        assert_eq!(undented("One.\n\n    Two:\n      - three\n    "), "One.\n\nTwo:\n  - three");
        assert_eq!(undented("\n  One\n  Two"), "One\nTwo");
        assert_eq!(undented("One\n\u{a0}é\n  x"), "One\n\u{a0}é\n  x");
        assert_eq!(undented(""), "");
    }

    #[test]
    fn what_is_empty_is_left_out() {
        let sections = [
            Section { title: "Nothing", body: Body::Lines(Vec::new()) },
            Section { title: "Paste", body: Body::Verbatim(vec!["x ".repeat(60)]) },
        ];
        let sheet = Sheet {
            name: "t".into(),
            title: Some("t".into()),
            description: Some(" \n ".into()),
            sections: sections.into(),
        };
        assert_eq!(text(&sheet), format!("t\n\nPaste\n  {}", "x ".repeat(60)));
    }
}
