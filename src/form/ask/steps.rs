//! The questions that a half-filled form takes, in order. Pure: they are made anew after every answer, since an answer
//! may open a group, a list or a branch.

use super::draft::{Draft, MAX_MIN_ITEMS, Path};
use crate::form::field::{Field, Kind};
use serde_json::Value;

/// A longer path of labels loses its beginning.
const MAX_LABEL: usize = 48;

/// One question.
#[derive(Debug, Clone)]
pub(super) struct Step<'a> {
    /// What it is about.
    pub(super) path: Path,
    pub(super) field: &'a Field,
    /// `Address > City`.
    pub(super) label: String,
    /// What is said of the group that begins here.
    pub(super) intro: Option<&'a str>,
    pub(super) what: What,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum What {
    /// Its value; it may be none of these.
    Value { taken: Vec<Value> },
    /// Whether it is to be there.
    Wanted,
    /// Whether a list or map goes on after so many.
    More { so_far: usize },
    /// What an entry is called; nothing that is there already.
    Name { at: usize, taken: Vec<String> },
    /// Which of several.
    Branch,
}

/// All questions of a form. `asked` says which of its fields are put at all.
pub(super) fn steps<'a>(top: &'a Field, draft: &Draft, asked: &dyn Fn(usize) -> bool) -> Vec<Step<'a>> {
    let mut walk = Walk { steps: Vec::new(), labels: Vec::new(), path: Vec::new(), intro: None, asked };
    walk.inside(top, draft);
    walk.steps
}

/// The labels on a way, as one.
pub(super) fn joined(labels: &[String]) -> String {
    let mut from = 0;
    let long = |from: usize| labels[from..].iter().map(|label| label.chars().count() + 3).sum::<usize>() > MAX_LABEL;
    while from + 1 < labels.len() && long(from) {
        from += 1;
    }
    let mark = if from > 0 { "… > " } else { "" };
    format!("{mark}{}", labels[from..].join(" > "))
}

/// What one item of a list is called: by its own title, or as one of the list's.
pub(super) fn item_label(list: &str, n: usize) -> String {
    format!("{list} #{}", n + 1)
}

/// The label of what a path leads to; `None` for the whole form.
pub(super) fn label_at(top: &Field, draft: &Draft, path: &[usize]) -> Option<String> {
    let mut labels: Vec<String> = Vec::new();
    let (mut field, mut draft) = (top, draft);
    for n in path {
        (field, draft) = match (draft, &field.kind) {
            (Draft::Group { members, entries, .. }, Kind::Group { fields, entries: entry }) => match fields.get(*n) {
                Some(field) => {
                    labels.push(field.label().to_owned());
                    (field, members.get(*n)?)
                }
                None => {
                    let (name, draft) = entries.get(n - fields.len())?;
                    labels.push(name.clone());
                    (entry.as_deref()?, draft)
                }
            },
            (Draft::List(items), Kind::List { item, .. }) => {
                let list = labels.pop().unwrap_or_default();
                labels.push(item_label(&list, *n));
                (&**item, items.get(*n)?)
            }
            (Draft::Either { branches, .. }, Kind::Either { branches: fields }) => (fields.get(*n)?, branches.get(*n)?),
            _ => return None,
        };
    }
    (!labels.is_empty()).then(|| joined(&labels))
}

struct Walk<'a, 'w> {
    steps: Vec<Step<'a>>,
    labels: Vec<String>,
    path: Path,
    intro: Option<&'a str>,
    asked: &'w dyn Fn(usize) -> bool,
}

impl<'a> Walk<'a, '_> {
    fn step(&mut self, field: &'a Field, what: What) {
        let intro = self.intro.take();
        let step = Step { path: self.path.clone(), field, label: joined(&self.labels), intro, what };
        self.steps.push(step);
    }

    fn below(&mut self, n: usize, label: Option<String>, walk: impl FnOnce(&mut Self)) {
        let n_labels = self.labels.len();
        self.path.push(n);
        self.labels.extend(label);
        walk(self);
        self.labels.truncate(n_labels);
        self.path.pop();
    }

    fn field(&mut self, field: &'a Field, draft: &Draft) {
        if let Draft::Group { wanted, .. } = draft {
            if field.is_map() {
                // An empty one is left out, as with a list.
            } else if !field.required || field.nullable {
                self.step(field, What::Wanted);
            } else {
                self.intro = field.description.as_deref().or(self.intro);
            }
            if !wanted {
                return;
            }
        }
        self.inside(field, draft);
    }

    fn inside(&mut self, field: &'a Field, draft: &Draft) {
        match (draft, &field.kind) {
            (Draft::Group { members, entries, .. }, Kind::Group { fields, entries: entry }) => {
                for (n, (field, draft)) in fields.iter().zip(members).enumerate() {
                    if !self.path.is_empty() || (self.asked)(n) {
                        self.below(n, Some(field.label().to_owned()), |walk| walk.field(field, draft));
                    }
                }
                // Of the form itself, where only some fields are asked for, none of these are.
                if let Some(entry) = entry.as_deref().filter(|_| !self.path.is_empty() || (self.asked)(usize::MAX)) {
                    let names = || fields.iter().map(|field| &field.name).chain(entries.iter().map(|(name, _)| name));
                    for n in 0..=entries.len() {
                        self.step(field, What::More { so_far: n });
                        if let Some((name, draft)) = entries.get(n) {
                            let taken = names().enumerate().filter(|(at, _)| *at != fields.len() + n);
                            let taken = taken.map(|(_, name)| name.clone()).collect();
                            self.step(field, What::Name { at: n, taken });
                            let label = Some(name.clone()).filter(|name| !name.is_empty());
                            self.below(fields.len() + n, label, |walk| walk.field(entry, draft));
                        }
                    }
                }
            }
            (Draft::List(items), Kind::List { item, min_items, max_items, unique }) => {
                for n in 0..=items.len() {
                    // Beyond so many it is asked for more each time, and the look over the form tells what is lacking.
                    let may_end = n >= (*min_items).min(MAX_MIN_ITEMS) || n == 0 && !field.required;
                    if may_end && max_items.is_none_or(|max| n < max) {
                        self.step(field, What::More { so_far: n });
                    }
                    let Some(draft) = items.get(n) else { continue };
                    let list = self.labels.pop();
                    let label = item_label(list.as_deref().unwrap_or_default(), n);
                    let begin = self.steps.len();
                    self.below(n, Some(label), |walk| walk.field(item, draft));
                    self.labels.extend(list);
                    if let (true, Some(Step { what: What::Value { taken }, .. })) = (*unique, self.steps.get_mut(begin))
                    {
                        let others = items.iter().enumerate().filter(|(other, _)| *other != n);
                        *taken = others.filter_map(|(_, other)| other.content(item)).collect();
                    }
                }
            }
            (Draft::Either { at, branches }, Kind::Either { branches: fields }) => {
                self.step(field, What::Branch);
                if let Some(at) = *at {
                    self.below(at, None, |walk| walk.field(&fields[at], &branches[at]));
                }
            }
            // What needs no answer, see `Draft::new`.
            _ if field.only_value().is_some() && self.path.len() > 1 => {}
            _ => self.step(field, What::Value { taken: Vec::new() }),
        }
    }
}
