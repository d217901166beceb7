//! The look over a whole form before it is sent: what stands in it, as an indented tree, and what can be done about it.

use super::draft::{Draft, Path};
use super::steps::item_label;
use super::words::shown;
use crate::form::field::{Field, Kind};

/// A row of the look over the form: the text, and the field that choosing it changes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub(super) text: String,
    pub(super) path: Path,
    /// What to do about it.
    pub(super) does: Does,
}

/// What choosing a row does.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Does {
    /// Asks for the field again.
    Change,
    /// Asks what to do with a list or map that has something in it.
    Extend { may_grow: bool, may_go: bool },
    /// Asks what to do with an item or entry.
    Item { may_go: bool },
}

/// The rows of all that is asked for.
pub(super) fn rows(top: &Field, draft: &Draft, asked: &dyn Fn(usize) -> bool) -> Vec<Row> {
    let mut rows = Rows { rows: Vec::new(), path: Path::new(), depth: 0, asked };
    match draft {
        Draft::Either { .. } => rows.field(top, draft, "The answer", None),
        _ => rows.inside(top, draft),
    }
    rows.rows
}

/// What of a form looks like a secret, in words.
pub(super) fn warning(top: &Field, draft: &Draft) -> String {
    let mut labels = Vec::new();
    secrets(top, draft, &mut labels);
    match labels.as_slice() {
        [] => String::new(),
        [one] => format!("{one} looks like a secret, and will be sent as plain text."),
        many => format!("{} look like secrets, and will be sent as plain text.", many.join(", ")),
    }
}

fn secrets(field: &Field, draft: &Draft, labels: &mut Vec<String>) {
    match (draft, &field.kind) {
        (Draft::One(Some(_)), _) if field.secret => labels.push(field.label().to_owned()),
        (Draft::Group { wanted: true, members, entries, .. }, Kind::Group { fields, entries: entry }) => {
            fields.iter().zip(members).for_each(|(field, draft)| secrets(field, draft, labels));
            entry.iter().for_each(|entry| entries.iter().for_each(|(_, draft)| secrets(entry, draft, labels)));
        }
        (Draft::List(items), Kind::List { item, .. }) => items.iter().for_each(|draft| secrets(item, draft, labels)),
        (Draft::Either { at: Some(at), branches }, Kind::Either { branches: fields }) => {
            secrets(&fields[*at], &branches[*at], labels);
        }
        _ => {}
    }
}

struct Rows<'a> {
    rows: Vec<Row>,
    path: Path,
    /// How deep the rows are indented.
    depth: usize,
    asked: &'a dyn Fn(usize) -> bool,
}

impl Rows<'_> {
    /// A field with a row of its own. `item` is set for an item or entry: whether it may be removed.
    fn field(&mut self, field: &Field, draft: &Draft, label: &str, item: Option<bool>) {
        let may_go = !field.required;
        let does = match (draft, &field.kind, item) {
            (_, _, Some(may_go)) => Does::Item { may_go },
            (Draft::List(items), Kind::List { max_items, .. }, _) if !items.is_empty() => {
                let may_grow = max_items.is_none_or(|max| items.len() < max);
                Does::Extend { may_grow, may_go }
            }
            (Draft::Group { entries, .. }, _, _) if field.is_map() && !entries.is_empty() => {
                Does::Extend { may_grow: true, may_go }
            }
            _ => Does::Change,
        };
        // Rows of the form itself say what they do: a server may call a field "Send".
        let change = if self.depth == 0 { "Change " } else { "" };
        let text = format!("{}{change}{label}: {}", "  ".repeat(self.depth), shown(field, draft));
        self.rows.push(Row { text: text.trim_end().to_owned(), path: self.path.clone(), does });
        self.depth += 1;
        self.inside(field, draft);
        self.depth -= 1;
    }

    fn below(&mut self, n: usize, field: &Field, draft: &Draft, label: &str, item: Option<bool>) {
        self.path.push(n);
        self.field(field, draft, label, item);
        self.path.pop();
    }

    fn inside(&mut self, field: &Field, draft: &Draft) {
        match (draft, &field.kind) {
            (Draft::Group { wanted: true, members, entries, rest }, Kind::Group { fields, entries: entry }) => {
                // What no field is for is sent all the same, so it is shown.
                for (name, value) in rest {
                    let text = format!("{}{name}: {value}", "  ".repeat(self.depth));
                    self.rows.push(Row { text, path: self.path.clone(), does: Does::Change });
                }
                for (n, (field, draft)) in fields.iter().zip(members).enumerate() {
                    if !self.path.is_empty() || (self.asked)(n) {
                        self.below(n, field, draft, field.label(), None);
                    }
                }
                for (entry, (n, (name, draft))) in
                    entry.iter().flat_map(|e| entries.iter().enumerate().map(move |x| (e, x)))
                {
                    self.below(fields.len() + n, entry, draft, name, Some(true));
                }
            }
            (Draft::List(items), Kind::List { item, min_items, .. }) => {
                let may_go = items.len() > *min_items || items.len() == 1 && !field.required;
                for (n, draft) in items.iter().enumerate() {
                    self.below(n, item, draft, item_label("", n).trim_start(), Some(may_go));
                }
            }
            // What was chosen stands in the row already; only its parts have rows.
            (Draft::Either { at: Some(at), branches }, Kind::Either { branches: fields }) => {
                self.path.push(*at);
                self.inside(&fields[*at], &branches[*at]);
                self.path.pop();
            }
            _ => {}
        }
    }
}
