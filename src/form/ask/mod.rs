//! Puts a form to a person, question by question, with a look over it all before it is sent.
//!
//! `draft` holds what has been said, `steps` the questions that takes, `words` what stands around them; `question` puts
//! one, `look` the look over them all, whose rows `review` makes. What is decided here is only where to go next.

mod draft;
mod look;
mod question;
mod review;
mod steps;
#[cfg(test)]
mod tests;
mod words;

use super::field::{Field, Kind};
use super::value::settle;
use super::{Form, fill};
use crate::schema::Problem;
use crate::terminal::prompter::{Choose, Leave, Prompter, Said};
use draft::{Draft, Path};
use look::Next;
use question::{Answer, Page};
use serde_json::{Map, Value};
use std::collections::HashSet;
use steps::{Step, What};

/// What came of a form.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Filled {
    /// Content that fits the schema.
    Content(Map<String, Value>),
    /// The person left it.
    Left(Leave),
}

/// What the form is filled in for, in words.
struct Purpose {
    send: &'static str,
    enter: &'static str,
    question: &'static str,
    decline: Option<&'static str>,
    cancel: &'static str,
}

const REPLY: Purpose = Purpose {
    send: "Send",
    enter: "send",
    question: "Send this?",
    decline: Some("Decline: tell the server no"),
    cancel: "Cancel: dismiss the question",
};

const CALL: Purpose = Purpose {
    send: "Call",
    enter: "call",
    question: "Call it with this?",
    decline: None,
    cancel: "Cancel: do not call it",
};

/// Has a form filled in. `given` holds values known beforehand; they are offered, not assumed.
pub(crate) async fn fill_in(prompter: &mut dyn Prompter, form: &Form, given: &Map<String, Value>) -> Filled {
    if form.is_confirm() {
        return confirm(prompter, form).await;
    }
    Session::new(prompter, form, given, None, &REPLY).run().await
}

/// Has only the fields called `names` filled in, for a call; what else is `given` stays as it is. Should the schema then
/// ask for more fields, they are asked for too.
pub(crate) async fn fill_missing(
    prompter: &mut dyn Prompter,
    form: &Form,
    given: &Map<String, Value>,
    names: &[String],
) -> Filled {
    let fields = form.fields().iter().enumerate();
    prompter.only_cancels(CALL.cancel);
    let asked = fields.filter(|(_, field)| names.contains(&field.name)).map(|(n, _)| n).collect();
    Session::new(prompter, form, given, Some(asked), &CALL).run().await
}

/// A form without fields is a question for yes or no; for no alone, where its schema wants what it has no field for.
async fn confirm(prompter: &mut dyn Prompter, form: &Form) -> Filled {
    let mut options = vec!["Accept".to_owned(), "Decline: tell the server no".to_owned(), REPLY.cancel.to_owned()];
    if let Some(problem) = fill::remaining(form, &Map::new(), &[]).first() {
        prompter.say(&format!("  ! the form has no fields, but its schema takes no empty answer: {problem}"));
        options.remove(0);
    }
    let n_missing = 3 - options.len();
    let question = Choose { label: "Answer", help: "", options: &options, at: 0, can_go_back: false };
    match prompter.choose(question).await.map(|row| row + n_missing) {
        Said::Given(0) => Filled::Content(Map::new()),
        Said::Given(1) => Filled::Left(Leave::Decline),
        Said::Left(how) => Filled::Left(how),
        Said::Given(_) | Said::Back => Filled::Left(Leave::Cancel),
    }
}

/// A form being filled in.
struct Session<'a> {
    prompter: &'a mut dyn Prompter,
    form: &'a Form,
    given: &'a Map<String, Value>,
    draft: Draft,
    /// The fields that are asked for; all, without.
    asked: Option<HashSet<usize>>,
    purpose: &'static Purpose,
}

impl<'a> Session<'a> {
    fn new(
        prompter: &'a mut dyn Prompter,
        form: &'a Form,
        given: &'a Map<String, Value>,
        asked: Option<HashSet<usize>>,
        purpose: &'static Purpose,
    ) -> Self {
        // A text that is a value of the field (a title, "yes") is offered as that value.
        let mut offered = given.clone();
        for field in form.fields() {
            if let Some(value) = given.get(&field.name).and_then(|value| settle(field, value).ok()) {
                offered.insert(field.name.clone(), value);
            }
        }
        Session { prompter, form, given, draft: Draft::of_form(&form.top, &offered), asked, purpose }
    }

    async fn run(mut self) -> Filled {
        if let Said::Left(how) = self.walk(&[], 0, false).await {
            return Filled::Left(how);
        }
        loop {
            while !self.is_simple() {
                match self.review().await {
                    Next::Send => break,
                    Next::Look => {}
                    Next::Left(how) => return Filled::Left(how),
                }
            }
            // The fields fit one by one; the schema may ask for more of them together.
            let content = self.content();
            let problems = fill::remaining(self.form, &content, &[]);
            if problems.is_empty() {
                return Filled::Content(content);
            }
            let places: Vec<Path> = problems.iter().map(|problem| self.tell(problem)).collect();
            let place = match places.into_iter().find(|place| !place.is_empty()) {
                Some(place) => place,
                None if self.is_simple() => Path::new(),
                None => continue,
            };
            if let (Some(asked), Some(first)) = (&mut self.asked, place.first()) {
                asked.insert(*first);
            }
            if let Said::Left(how) = self.change(&place, 0).await {
                return Filled::Left(how);
            }
        }
    }

    /// Whether one question is all there is, so that its answer can be sent without another look.
    fn is_simple(&self) -> bool {
        let fields = self.form.fields().iter().enumerate().filter(|(n, _)| self.is_asked(*n)).map(|(_, field)| field);
        let mut fields = fields.map(Field::is_leaf);
        fields.next() == Some(true)
            && fields.next().is_none()
            && (self.asked.is_some() || self.form.entries().is_none())
    }

    fn is_asked(&self, n: usize) -> bool {
        self.asked.as_ref().is_none_or(|asked| asked.contains(&n))
    }

    fn steps(&self) -> Vec<Step<'a>> {
        steps::steps(&self.form.top, &self.draft, &|n| self.is_asked(n))
    }

    fn content(&self) -> Map<String, Value> {
        let content = match self.draft.content(&self.form.top) {
            Some(Value::Object(content)) => content,
            _ => Map::new(),
        };
        let Some(asked) = &self.asked else { return content };
        let mut whole = self.given.clone();
        for field in self.form.fields().iter().enumerate().filter(|(n, _)| asked.contains(n)).map(|(_, field)| field) {
            match content.get(&field.name) {
                Some(value) => whole.insert(field.name.clone(), value.clone()),
                None => whole.shift_remove(&field.name),
            };
        }
        whole
    }

    /// Says what is wrong with the whole, and gives the way to the field that it is about.
    fn tell(&mut self, problem: &Problem) -> Path {
        let names: Vec<String> =
            problem.path.split('/').skip(1).map(|name| name.replace("~1", "/").replace("~0", "~")).collect();
        let place = self.draft.locate(&self.form.top, &names);
        let label = match steps::label_at(&self.form.top, &self.draft, &place) {
            // The place itself, rather than something around it.
            Some(label) if place.len() >= names.len() => format!("{label} {}", problem.message),
            _ => problem.to_string(),
        };
        self.prompter.say(&format!("  ! {label}"));
        place
    }

    /// Asks what there is to ask below `prefix`, from the question number `skip`. `again`: after a look at it all.
    async fn walk(&mut self, prefix: &[usize], skip: usize, again: bool) -> Said<()> {
        let is_simple = self.is_simple();
        let mut at = skip;
        loop {
            let steps = self.steps();
            let below = steps.iter().enumerate().filter(|(_, step)| step.path.starts_with(prefix));
            let Some((n, step)) = below.skip(at).map(|(n, step)| (n, step.clone())).next() else {
                return Said::Given(());
            };
            let number = if is_simple { String::new() } else { format!("({}/{}) ", n + 1, steps.len()) };
            let page = Page {
                number: &number,
                label: &format!("{number}{}", words::label(&step)),
                help: &words::help(&step),
                enter: if is_simple { self.purpose.enter } else { "next" },
                can_go_back: at > skip || again && !is_simple,
                again,
            };
            let Some(draft) = self.draft.at(&self.form.top, &step.path).map(|(draft, _)| draft.clone()) else {
                return Said::Given(());
            };
            match question::ask(self.prompter, &step, &draft, &page).await {
                Said::Given(answer) => {
                    self.apply(&step, answer);
                    at += 1;
                }
                Said::Back if at == skip => return Said::Back,
                Said::Back => at -= 1,
                Said::Left(how) => return Said::Left(how),
            }
        }
    }

    /// The same from the look over the form: one who goes back to it has changed nothing.
    async fn change(&mut self, prefix: &[usize], skip: usize) -> Said<()> {
        let before = self.draft.clone();
        let said = self.walk(prefix, skip, true).await;
        if said == Said::Back {
            self.draft = before;
        }
        said
    }

    fn apply(&mut self, step: &Step<'_>, answer: Answer) {
        let Some((draft, field)) = self.draft.at(&self.form.top, &step.path) else { return };
        match (answer, &step.what, &mut *draft, &field.kind) {
            (Answer::Value(value), _, draft, _) => *draft = Draft::One(value),
            (Answer::Yes(yes), What::Wanted, Draft::Group { wanted, .. }, _) => *wanted = yes,
            (Answer::Yes(true), What::More { so_far }, Draft::List(items), Kind::List { item, .. }) => {
                items.resize_with(items.len().max(so_far + 1), || Draft::blank(item));
                draft.pad(field);
            }
            (Answer::Yes(false), What::More { so_far }, Draft::List(items), _) => items.truncate(*so_far),
            (
                Answer::Yes(true),
                What::More { so_far },
                Draft::Group { entries, .. },
                Kind::Group { entries: Some(entry), .. },
            ) => {
                entries.resize_with(entries.len().max(so_far + 1), || (String::new(), Draft::blank(entry)));
            }
            (Answer::Yes(false), What::More { so_far }, Draft::Group { entries, .. }, _) => entries.truncate(*so_far),
            (Answer::Name(name), What::Name { at, .. }, Draft::Group { entries, .. }, _) => {
                if let Some(entry) = entries.get_mut(*at) {
                    entry.0 = name;
                }
            }
            (Answer::Branch(chosen), _, Draft::Either { at, .. }, _) => *at = chosen,
            _ => {}
        }
    }
}
