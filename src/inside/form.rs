//! A schema as a form, filled in by hand, from prepared values and by itself.

use super::dice::Dice;
use super::{first_value, schemas};
use crate::form::ask::{Filled, fill_in};
use crate::form::{Form, Taste, complete, example, lacking, outline, secrets, unfit, value, wrong};
use crate::schema;
use crate::terminal::prompter::{Asking, CheckRows, Choose, Edit, Leave, Line, Prompter, Said};
use futures_util::FutureExt;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// Content that is said to fit does fit, whoever put it together.
pub(super) fn check(data: &[u8]) {
    let (schema, mut dice, is_subset) = match first_value(data) {
        Some((schema, rest)) => (schema, Dice(rest), false),
        None => {
            let mut dice = Dice(data);
            let is_subset = dice.one_in(2);
            (if is_subset { schemas::subset(&mut dice) } else { schemas::any(&mut dice, 0) }, dice, is_subset)
        }
    };
    let form = Form::new(&schema);
    for note in &form.notes {
        assert!(!note.is_empty() && !note.contains('\n') && note.chars().count() < 20_000, "{note}");
    }
    assert!(outline(&form).iter().all(|line| !line.sort.is_empty()));
    let _ = outline(&Form::arguments(&schema));

    let given = match first_value(dice.0) {
        Some((Value::Object(given), rest)) => {
            dice = Dice(rest);
            given
        }
        _ => content(&form, &mut dice),
    };
    let made = example(&form, &Map::new(), Taste::Lively);
    if is_subset {
        assert!(fits(&schema, &made) != Some(false), "{schema} is not met by the example {made:?}");
        assert!(complete(&form, &made, false).is_ok(), "{schema}: {made:?}");
    }
    for given in [&given, &made] {
        prepared(&schema, &form, given);
    }
    if fits(&schema, &made) == Some(true) {
        let mut names = HashSet::new();
        for (name, content) in wrong(&form, &made) {
            assert!(names.insert(name.clone()), "{name} twice");
            assert!(fits(&schema, &content) != Some(true), "{name}: {content:?} is not wrong");
        }
    }

    let mut person = Person { dice, n_asked: 0 };
    let filled = fill_in(&mut person, &form, &given).now_or_never().expect("a person who answers at once");
    if let Filled::Content(content) = filled {
        assert!(fits(&schema, &content) != Some(false), "{schema}: sent {content:?}");
    }
}

/// `None` where the schema cannot say.
fn fits(schema: &Value, content: &Map<String, Value>) -> Option<bool> {
    schema::check(schema, &content.clone().into()).ok().map(|problems| problems.is_empty())
}

fn prepared(schema: &Value, form: &Form, given: &Map<String, Value>) {
    let picked = form.pick(given);
    let _ = (form.covers(&picked), lacking(form, given, true), secrets(form, given), unfit(form, given));
    for defaults in [false, true] {
        let Ok(whole) = complete(form, given, defaults) else { continue };
        assert!(fits(schema, &whole) != Some(false), "{schema}: {given:?} is no {whole:?}");
        assert_eq!(complete(form, &whole, defaults).as_ref(), Ok(&whole), "{schema}: settled twice");
    }
    for taste in [Taste::Blank, Taste::Lively] {
        let _ = example(form, given, taste);
    }
}

/// Something for some of the fields.
fn content(form: &Form, dice: &mut Dice<'_>) -> Map<String, Value> {
    let mut given = Map::new();
    for field in form.fields().iter().take(50) {
        if dice.one_in(2) {
            let text = dice.text();
            if let Ok(value) = value::parse(field, &text) {
                assert_eq!(value::check(field, &value), Ok(()), "{}: {text}", field.name);
            }
            let value = if dice.one_in(2) { text.into() } else { schemas::value(dice, 0) };
            given.insert(field.name.clone(), value);
        }
    }
    given
}

/// A person who answers by dice, and leaves after a while.
struct Person<'a> {
    dice: Dice<'a>,
    n_asked: usize,
}

impl Person<'_> {
    fn leaves<T>(&mut self, can_go_back: bool) -> Option<Said<T>> {
        self.n_asked += 1;
        match () {
            () if self.n_asked > 300 => Some(Said::Left(Leave::Cancel)),
            () if can_go_back && self.dice.one_in(8) => Some(Said::Back),
            () => None,
        }
    }
}

impl Prompter for Person<'_> {
    fn say(&mut self, _: &str) {}
    fn only_cancels(&mut self, _: &'static str) {}
    fn line<'a>(&'a mut self, question: Line<'a>) -> Asking<'a, String> {
        let said = self.leaves(question.can_go_back).unwrap_or_else(|| {
            let mut texts =
                (0..4).map(|_| if self.dice.one_in(3) { question.initial.to_owned() } else { self.dice.text() });
            let text = texts.find(|text| (question.check)(text).is_ok());
            text.map_or(Said::Left(Leave::Decline), Said::Given)
        });
        Box::pin(std::future::ready(said))
    }
    fn edit<'a>(&'a mut self, question: Edit<'a>) -> Asking<'a, String> {
        let Edit { label, help, initial, check, can_go_back, .. } = question;
        self.line(Line { label, help, initial, check, enter: "next", can_go_back, in_editor: None, is_secret: false })
    }
    fn choose<'a>(&'a mut self, question: Choose<'a>) -> Asking<'a, usize> {
        assert!(question.at < question.options.len(), "{}", question.label);
        let said = self.leaves(question.can_go_back);
        let said = said.unwrap_or_else(|| match self.dice.is_over() {
            true => Said::Given(question.at),
            false => Said::Given(self.dice.below(question.options.len())),
        });
        Box::pin(std::future::ready(said))
    }
    fn choose_many<'a>(
        &'a mut self,
        question: Choose<'a>,
        ticked: &'a [usize],
        check: CheckRows<'a>,
    ) -> Asking<'a, Vec<usize>> {
        let said = self.leaves(question.can_go_back).unwrap_or_else(|| {
            let some: Vec<usize> = (0..question.options.len()).filter(|_| self.dice.one_in(2)).collect();
            let mut tries = [some, ticked.to_vec(), (0..question.options.len()).collect()].into_iter();
            tries.find(|rows| check(rows).is_ok()).map_or(Said::Left(Leave::Decline), Said::Given)
        });
        Box::pin(std::future::ready(said))
    }
}
