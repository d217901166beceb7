//! What a form asks for, as a tree of fields. `read` makes it of a schema; this is only what it looks like.

use super::value;
use crate::schema::{self, Checker, Problem};
use serde_json::{Map, Number, Value};
use std::sync::Arc;

/// One thing a form asks for.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    /// The property's name, the key in the content; empty for an item, an entry or an alternative.
    pub(crate) name: String,
    /// What the server calls it for people.
    pub(crate) title: Option<String>,
    /// What the server says about it.
    pub(crate) description: Option<String>,
    /// Whether the content must have it.
    pub(crate) required: bool,
    /// Whether `null` is a value too (`Optional[T]`).
    pub(crate) nullable: bool,
    /// What sort of answer it takes.
    pub(crate) kind: Kind,
    /// A default that passes the field's own schema.
    pub(crate) default: Option<Value>,
    /// The first of the schema's `examples`, unchecked.
    pub(crate) example: Option<Value>,
    /// Whether the name looks like a password, a token and the like.
    pub(crate) secret: bool,
    /// The name of its schema in `checker`.
    pub(super) key: String,
    /// Checks the fields of this form one by one.
    pub(super) checker: Option<Arc<Checker>>,
}

/// What sort of answer a field takes.
#[derive(Debug, Clone)]
pub(crate) enum Kind {
    /// Text; lengths count code points.
    Text {
        /// `format`: "email", "date" and the like.
        format: Option<String>,
        /// The fewest characters.
        min: Option<u64>,
        /// The most characters.
        max: Option<u64>,
    },
    /// A whole number of any size.
    Integer {
        /// The lower end.
        min: Option<Bound>,
        /// The upper end.
        max: Option<Bound>,
    },
    /// A decimal number; its spelling is kept.
    Number {
        /// The lower end.
        min: Option<Bound>,
        /// The upper end.
        max: Option<Bound>,
    },
    /// Yes or no.
    Boolean,
    /// One of the options.
    Choice {
        /// In the server's order.
        options: Vec<Choice>,
    },
    /// Some of the options.
    Choices {
        /// In the server's order.
        options: Vec<Choice>,
        /// The fewest that may be chosen.
        min_items: Option<u64>,
        /// The most that may be chosen.
        max_items: Option<u64>,
    },
    /// An object with fields of its own.
    Group {
        /// In the server's order.
        fields: Vec<Field>,
        /// What any further member is, where names are free (`dict[str, T]`).
        entries: Option<Box<Field>>,
    },
    /// Any number of the same.
    List {
        /// What each is.
        item: Box<Field>,
        /// The fewest.
        min_items: usize,
        /// The most.
        max_items: Option<usize>,
        /// Whether none may come twice.
        unique: bool,
    },
    /// One of several things that are asked for in different ways.
    Either {
        /// In the server's order.
        branches: Vec<Field>,
    },
    /// Any JSON that the schema allows.
    Raw {
        /// Something of the right type with nothing in it.
        blank: Value,
    },
}

/// One end of a range.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bound {
    /// The limit as the server spelled it.
    pub(crate) value: Number,
    /// Whether the limit itself is outside.
    pub(crate) exclusive: bool,
}

/// An option: the value that is sent and the title that is shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Choice {
    /// What is sent.
    pub(crate) value: Value,
    /// What is shown, when the server gave one.
    pub(crate) title: Option<String>,
}

impl Choice {
    /// What people see.
    pub(crate) fn label(&self) -> String {
        self.title.clone().unwrap_or_else(|| value::show(&self.value))
    }
}

impl Field {
    /// What people see.
    pub(crate) fn label(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }

    /// Whether one question asks for all of it.
    pub(crate) fn is_leaf(&self) -> bool {
        !matches!(self.kind, Kind::Group { .. } | Kind::List { .. } | Kind::Either { .. })
    }

    /// Whether it has entries alone: as free as a list, and as empty.
    pub(super) fn is_map(&self) -> bool {
        matches!(&self.kind, Kind::Group { fields, entries: Some(_) } if fields.is_empty())
    }

    /// What is wrong with `value` by the property's schema; `None` when that cannot be used.
    pub(super) fn problems(&self, value: &Value) -> Option<Vec<Problem>> {
        let checker = self.checker.as_ref()?;
        checker.schema().get("properties")?.get(&self.key)?;
        let alone = Map::from_iter([(self.key.clone(), value.clone())]);
        let mut found = checker.check(&alone.into()).ok()?;
        let here = schema::pointer("", &self.key);
        for problem in &mut found {
            problem.path = problem.path.strip_prefix(&here).unwrap_or(&problem.path).to_owned();
        }
        Some(found)
    }

    /// What the property's schema says under `keyword`, where it is no reference.
    pub(super) fn keyword(&self, keyword: &str) -> Option<&Value> {
        self.checker.as_ref()?.schema().get("properties")?.get(&self.key)?.get(keyword)
    }

    /// The options of a choice of one or of many.
    pub(crate) fn options(&self) -> &[Choice] {
        match &self.kind {
            Kind::Choice { options } | Kind::Choices { options, .. } => options,
            _ => &[],
        }
    }

    /// The fields of a group, none of anything else.
    pub(crate) fn fields(&self) -> &[Field] {
        match &self.kind {
            Kind::Group { fields, .. } => fields,
            _ => &[],
        }
    }

    /// The fields below it, whatever it is, all looked at alike.
    pub(super) fn children_mut(&mut self) -> impl Iterator<Item = &mut Field> {
        let (many, one) = match &mut self.kind {
            Kind::Group { fields, entries } => (fields.as_mut_slice(), entries.as_deref_mut()),
            Kind::List { item, .. } => (Default::default(), Some(&mut **item)),
            Kind::Either { branches } => (branches.as_mut_slice(), None),
            _ => (Default::default(), None),
        };
        many.iter_mut().chain(one)
    }

    /// The only value it can have, where there is but one: what tells the shapes of a union apart, mostly.
    pub(super) fn only_value(&self) -> Option<&Value> {
        match &self.kind {
            Kind::Choice { options } if self.required && !self.nullable => match options.as_slice() {
                [only] => Some(&only.value),
                _ => None,
            },
            _ => None,
        }
    }
}
