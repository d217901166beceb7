//! A form half filled in: what has been said so far, in the shape of the fields. Pure.

use crate::form::field::{Field, Kind};
use crate::form::value::check;
use serde_json::{Map, Value};

/// What a list needs at least is asked for one by one; that many at most.
pub(super) const MAX_MIN_ITEMS: usize = 100;

/// The state of one field.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Draft {
    /// A field that one question asks for: its value, if it has one.
    One(Option<Value>),
    /// The fields of a group.
    Group {
        /// Whether it is to be there at all.
        wanted: bool,
        /// One a field.
        members: Vec<Draft>,
        /// The members with free names.
        entries: Vec<(String, Draft)>,
        /// Members that were given and that no field is for.
        rest: Map<String, Value>,
    },
    /// The items of a list.
    List(Vec<Draft>),
    /// One of several, and what was said to the others before.
    Either {
        /// Which.
        at: Option<usize>,
        /// One a branch.
        branches: Vec<Draft>,
    },
}

/// The way to a field: the place among the fields, entries, items or branches, level by level.
pub(super) type Path = Vec<usize>;

impl Draft {
    /// The draft of the whole form.
    pub(super) fn of_form(top: &Field, given: &Map<String, Value>) -> Draft {
        let given = Value::Object(given.clone());
        let fits = |branch: &Field| branch.problems(&given).is_some_and(|problems| problems.is_empty());
        match &top.kind {
            // Without a field given there is nothing to tell a branch by.
            Kind::Either { branches } if !branches.iter().any(fits) => Draft::new(top, None, 0),
            _ => Draft::new(top, Some(&given), 0),
        }
    }

    /// The draft of a field at a depth, with the value it has, or else its default. One that stands in another and can
    /// have but one value has it: it tells the shapes of a union apart.
    pub(super) fn new(field: &Field, value: Option<&Value>, depth: usize) -> Draft {
        let value = value.or(field.default.as_ref());
        match &field.kind {
            Kind::Group { fields, entries } => {
                let object = value.and_then(Value::as_object);
                let member = |name: &str| object.and_then(|object| object.get(name));
                let members = fields.iter().map(|field| Draft::new(field, member(&field.name), depth + 1)).collect();
                let others = object.into_iter().flatten().filter(|(name, _)| fields.iter().all(|f| f.name != **name));
                let (mut named, mut rest) = (Vec::new(), Map::new());
                for (name, value) in others {
                    match entries {
                        Some(entry) => named.push((name.clone(), Draft::new(entry, Some(value), depth + 1))),
                        None => {
                            rest.insert(name.clone(), value.clone());
                        }
                    }
                }
                let wanted = object.is_some() || field.required && !field.nullable || field.is_map();
                Draft::Group { wanted, members, entries: named, rest }
            }
            Kind::List { item, .. } => {
                let items = value.and_then(Value::as_array).into_iter().flatten();
                let mut list = Draft::List(items.map(|value| Draft::new(item, Some(value), depth + 1)).collect());
                list.pad(field);
                list
            }
            Kind::Either { branches } => {
                let fits = |branch: &Field| value.is_some_and(|value| check(branch, value).is_ok());
                let at = branches.iter().position(fits);
                let draft = |(n, branch)| Draft::new(branch, value.filter(|_| at == Some(n)), depth + 1);
                Draft::Either { at, branches: branches.iter().enumerate().map(draft).collect() }
            }
            _ => Draft::One(value.or(field.only_value().filter(|_| depth > 1)).cloned()),
        }
    }

    /// The draft of one more item or entry.
    pub(super) fn blank(field: &Field) -> Draft {
        Draft::new(field, None, 2)
    }

    /// Makes a list as long as it must be: one that has to be there, or has begun.
    pub(super) fn pad(&mut self, field: &Field) {
        if let (Draft::List(items), Kind::List { item, min_items, .. }) = (self, &field.kind)
            && (field.required || !items.is_empty())
        {
            let blank = || Draft::blank(item);
            while items.len() < (*min_items).min(MAX_MIN_ITEMS) {
                items.push(blank());
            }
        }
    }

    /// What it comes to; `None` leaves the field out.
    pub(super) fn content(&self, field: &Field) -> Option<Value> {
        let nothing = || (field.required && field.nullable).then_some(Value::Null);
        match (self, &field.kind) {
            (Draft::Group { wanted: false, .. }, _) => nothing(),
            (Draft::Group { members, entries, rest, .. }, Kind::Group { fields, entries: entry }) => {
                let mut object = rest.clone();
                let members = fields.iter().zip(members);
                object.extend(members.filter_map(|(field, one)| Some((field.name.clone(), one.content(field)?))));
                let entry = entry.as_deref();
                let entries = entries.iter().filter_map(|(name, one)| Some((name.clone(), one.content(entry?)?)));
                object.extend(entries);
                (field.required || !field.is_map() || !object.is_empty()).then_some(Value::Object(object))
            }
            (Draft::List(items), Kind::List { item, .. }) => {
                let items: Vec<Value> = items.iter().filter_map(|one| one.content(item)).collect();
                (field.required || !items.is_empty()).then(|| items.into())
            }
            (Draft::Either { at: Some(at), branches }, Kind::Either { branches: fields }) => {
                branches.get(*at)?.content(fields.get(*at)?)
            }
            (Draft::Either { .. }, _) => nothing(),
            (Draft::One(value), _) => value.clone(),
            _ => None,
        }
    }

    /// The draft and the field that a path leads to.
    pub(super) fn at<'a>(&'a mut self, field: &'a Field, path: &[usize]) -> Option<(&'a mut Draft, &'a Field)> {
        let Some((first, rest)) = path.split_first() else { return Some((self, field)) };
        match (self, &field.kind) {
            (Draft::Group { members, entries, .. }, Kind::Group { fields, entries: entry }) => {
                match first.checked_sub(fields.len()) {
                    None => members.get_mut(*first)?.at(&fields[*first], rest),
                    Some(n) => entries.get_mut(n)?.1.at(entry.as_deref()?, rest),
                }
            }
            (Draft::List(items), Kind::List { item, .. }) => items.get_mut(*first)?.at(item, rest),
            (Draft::Either { branches, .. }, Kind::Either { branches: fields }) => {
                branches.get_mut(*first)?.at(fields.get(*first)?, rest)
            }
            _ => None,
        }
    }

    /// The way to what a pointer into the content names, or as far as there is a way.
    pub(super) fn locate(&self, field: &Field, names: &[String]) -> Path {
        let below = |n: usize, draft: &Draft, field: &Field, names: &[String]| {
            std::iter::once(n).chain(draft.locate(field, names)).collect()
        };
        match (self, &field.kind, names) {
            (Draft::Either { at: Some(at), branches }, Kind::Either { branches: fields }, _) => {
                below(*at, &branches[*at], &fields[*at], names)
            }
            (Draft::Group { members, entries, .. }, Kind::Group { fields, entries: entry }, [name, rest @ ..]) => {
                if let Some(n) = fields.iter().position(|field| field.name == *name) {
                    return below(n, &members[n], &fields[n], rest);
                }
                match (entries.iter().position(|(known, _)| known == name), entry) {
                    (Some(n), Some(entry)) => below(fields.len() + n, &entries[n].1, entry, rest),
                    _ => Path::new(),
                }
            }
            (Draft::List(items), Kind::List { item, .. }, [index, rest @ ..]) => {
                match index.parse().ok().and_then(|n: usize| Some((n, items.get(n)?))) {
                    Some((n, one)) => below(n, one, item, rest),
                    None => Path::new(),
                }
            }
            _ => Path::new(),
        }
    }
}
