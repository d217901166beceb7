//! Fields to questions: puts a form to a person, field by field, with a look over it all before it is sent.

use super::{Bound, Choice, Field, Form, Kind, check, complete, parse, settle, show};
use crate::terminal::prompter::{Choose, Leave, Line, Prompter, Said};
use serde_json::{Map, Value};

/// What came of a form.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Filled {
    /// Content that fits the schema.
    Content(Map<String, Value>),
    /// The person left it.
    Left(Leave),
}

/// The answer to one field: a value, or nothing for an optional field that was skipped.
type Answer = Said<Option<Value>>;

/// Has a form filled in. `given` holds values known beforehand; they are offered, not assumed.
pub(crate) async fn fill_in(prompter: &mut dyn Prompter, form: &Form, given: &Map<String, Value>) -> Filled {
    if form.is_confirm() {
        return confirm(prompter).await;
    }
    // A text that is a value of the field (a title, "yes") is offered as that value.
    let mut content: Map<String, Value> = given.clone();
    for field in &form.fields {
        if let Some(value) = given.get(&field.name).and_then(|value| settle(field, value).ok()) {
            content.insert(field.name.clone(), value);
        }
    }
    let mut at = 0;
    while at < form.fields.len() {
        match ask_field(prompter, form, at, &content).await {
            Said::Given(value) => {
                set(&mut content, &form.fields[at], value);
                at += 1;
            }
            Said::Back => at -= 1,
            Said::Left(how) => return Filled::Left(how),
        }
    }
    loop {
        if form.fields.len() > 1 {
            match review(prompter, form, &content).await {
                Said::Given(None) => {}
                Said::Given(Some(at)) => {
                    match ask_field(prompter, form, at, &content).await {
                        Said::Given(value) => set(&mut content, &form.fields[at], value),
                        Said::Back => {}
                        Said::Left(how) => return Filled::Left(how),
                    }
                    continue;
                }
                Said::Left(how) => return Filled::Left(how),
                Said::Back => continue,
            }
        }
        // The fields fit one by one; the schema may ask for more of them together.
        let problems = match complete(form, &content, false) {
            Ok(content) => return Filled::Content(content),
            Err(problems) => problems,
        };
        for problem in &problems {
            prompter.say(&format!("  ! {problem}"));
        }
        if form.fields.len() == 1 {
            match ask_field(prompter, form, 0, &content).await {
                Said::Given(value) => set(&mut content, &form.fields[0], value),
                Said::Back => {}
                Said::Left(how) => return Filled::Left(how),
            }
        }
    }
}

fn set(content: &mut Map<String, Value>, field: &Field, value: Option<Value>) {
    match value {
        Some(value) => content.insert(field.name.clone(), value),
        None => content.remove(&field.name),
    };
}

/// A form without fields is a question for yes or no.
async fn confirm(prompter: &mut dyn Prompter) -> Filled {
    let options =
        ["Accept".to_owned(), "Decline: tell the server no".to_owned(), "Cancel: dismiss the question".to_owned()];
    let question = Choose { label: "Answer", help: "", options: &options, at: 0, can_go_back: false };
    match prompter.choose(question).await {
        Said::Given(0) => Filled::Content(Map::new()),
        Said::Given(1) => Filled::Left(Leave::Decline),
        Said::Left(how) => Filled::Left(how),
        Said::Given(_) | Said::Back => Filled::Left(Leave::Cancel),
    }
}

/// The look over the whole form: send it (`None`), or change the field at an index.
async fn review(prompter: &mut dyn Prompter, form: &Form, content: &Map<String, Value>) -> Said<Option<usize>> {
    let mut options = vec!["Send".to_owned()];
    options.extend(form.fields.iter().map(|field| {
        let shown = content.get(&field.name).map_or_else(|| "(left out)".to_owned(), |value| shown(field, value));
        format!("Change {}: {shown}", field.label())
    }));
    let n_fields = form.fields.len();
    options.extend(["Decline: tell the server no".to_owned(), "Cancel: dismiss the question".to_owned()]);
    let question = Choose { label: "Send this?", help: "", options: &options, at: 0, can_go_back: false };
    match prompter.choose(question).await {
        Said::Given(0) => Said::Given(None),
        Said::Given(row) if row <= n_fields => Said::Given(Some(row - 1)),
        Said::Given(row) if row == n_fields + 1 => Said::Left(Leave::Decline),
        Said::Given(_) => Said::Left(Leave::Cancel),
        Said::Back => Said::Back,
        Said::Left(how) => Said::Left(how),
    }
}

async fn ask_field(prompter: &mut dyn Prompter, form: &Form, at: usize, content: &Map<String, Value>) -> Answer {
    let field = &form.fields[at];
    let label = match form.fields.len() {
        1 => field.label().to_owned(),
        n_fields => format!("({}/{n_fields}) {}", at + 1, field.label()),
    };
    let current = content.get(&field.name).or(field.default.as_ref());
    let help = help(field);
    let enter = if form.fields.len() == 1 { "send" } else { "next" };
    let page = Page { label: &label, help: &help, enter, can_go_back: at > 0 };
    match &field.kind {
        Kind::Boolean => ask_boolean(prompter, field, &page, current).await,
        Kind::Choice { options } => ask_choice(prompter, field, &page, options, current).await,
        Kind::Choices { options, .. } => ask_choices(prompter, field, &page, options, current).await,
        _ => ask_text(prompter, field, &page, current).await,
    }
}

/// A value in the words in which it was asked for.
fn shown(field: &Field, value: &Value) -> String {
    let option = |value: &Value| field.options().iter().find(|option| option.value == *value).map(Choice::label);
    match (&field.kind, value) {
        (Kind::Boolean, Value::Bool(yes)) => YES_NO[usize::from(!yes)].to_owned(),
        (Kind::Choices { .. }, Value::Array(items)) => {
            items.iter().map(|item| option(item).unwrap_or_else(|| show(item))).collect::<Vec<_>>().join(", ")
        }
        _ => option(value).unwrap_or_else(|| show(value)),
    }
}

const YES_NO: [&str; 2] = ["Yes", "No"];

/// What all questions for a field have in common.
struct Page<'a> {
    label: &'a str,
    help: &'a str,
    enter: &'a str,
    can_go_back: bool,
}

async fn ask_text(prompter: &mut dyn Prompter, field: &Field, page: &Page<'_>, current: Option<&Value>) -> Answer {
    let initial = current.map(show).unwrap_or_default();
    let accept = |text: &str| match (text.is_empty(), field.required) {
        (true, false) => Ok(()),
        (true, true) => Err("an answer is needed here".to_owned()),
        (false, _) => parse(field, text).map(|_| ()),
    };
    let question = Line {
        label: page.label,
        help: page.help,
        initial: &initial,
        check: &accept,
        enter: page.enter,
        can_go_back: page.can_go_back,
        in_editor: None,
    };
    match prompter.line(question).await {
        // An optional field left empty is left out, never sent as "" or null.
        Said::Given(text) if text.is_empty() => Said::Given(None),
        Said::Given(text) => Said::Given(parse(field, &text).ok()),
        Said::Back => Said::Back,
        Said::Left(how) => Said::Left(how),
    }
}

const SKIP: &str = "(leave out)";

async fn ask_boolean(prompter: &mut dyn Prompter, field: &Field, page: &Page<'_>, current: Option<&Value>) -> Answer {
    let options =
        [true, false].map(|yes| Choice { value: yes.into(), title: Some(YES_NO[usize::from(!yes)].to_owned()) });
    // Without a default nothing is agreed to by a mere Enter.
    let no = Value::Bool(false);
    let current = current.or_else(|| field.required.then_some(&no));
    ask_choice(prompter, field, page, &options, current).await
}

async fn ask_choice(
    prompter: &mut dyn Prompter,
    field: &Field,
    page: &Page<'_>,
    options: &[Choice],
    current: Option<&Value>,
) -> Answer {
    let mut rows: Vec<String> = options.iter().map(|option| option.label()).collect();
    if !field.required {
        rows.push(SKIP.to_owned());
    }
    let chosen = current.and_then(|current| options.iter().position(|option| option.value == *current));
    let at = chosen.unwrap_or(if field.required { 0 } else { rows.len() - 1 });
    let question = Choose { label: page.label, help: page.help, options: &rows, at, can_go_back: page.can_go_back };
    match prompter.choose(question).await {
        Said::Given(row) => Said::Given(options.get(row).map(|option| option.value.clone())),
        Said::Back => Said::Back,
        Said::Left(how) => Said::Left(how),
    }
}

async fn ask_choices(
    prompter: &mut dyn Prompter,
    field: &Field,
    page: &Page<'_>,
    options: &[Choice],
    current: Option<&Value>,
) -> Answer {
    let rows: Vec<String> = options.iter().map(|option| option.label()).collect();
    let is_current = |value: &Value| current.and_then(Value::as_array).is_some_and(|list| list.contains(value));
    let ticked: Vec<usize> = (0..options.len()).filter(|row| is_current(&options[*row].value)).collect();
    let chosen = |rows: &[usize]| Value::Array(rows.iter().map(|row| options[*row].value.clone()).collect());
    // Nothing ticked leaves an optional field out.
    let accept = |rows: &[usize]| if rows.is_empty() && !field.required { Ok(()) } else { check(field, &chosen(rows)) };
    let question = Choose { label: page.label, help: page.help, options: &rows, at: 0, can_go_back: page.can_go_back };
    match prompter.choose_many(question, &ticked, &accept).await {
        Said::Given(rows) if rows.is_empty() && !field.required => Said::Given(None),
        Said::Given(rows) => Said::Given(Some(chosen(&rows))),
        Said::Back => Said::Back,
        Said::Left(how) => Said::Left(how),
    }
}

/// What is explained below the question: the server's words, what is expected, and whether it may be skipped.
fn help(field: &Field) -> String {
    let mut help: Vec<String> = field.description.iter().cloned().collect();
    let expected = expected(field);
    let optional = match field.kind {
        Kind::Boolean | Kind::Choice { .. } => "",
        _ if field.required => "",
        Kind::Choices { .. } => "optional: none leaves it out",
        _ => "optional: leave empty to skip",
    };
    let line = [expected.as_str(), optional].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
    help.extend(Some(line).filter(|line| !line.is_empty()));
    if field.secret {
        help.push(
            "This looks like a secret. Servers must not ask for secrets in a form; it will be sent as plain text."
                .into(),
        );
    }
    help.join("\n")
}

/// What sort of answer is expected, where the kind of question does not show it.
fn expected(field: &Field) -> String {
    match &field.kind {
        Kind::Text { format, min, max, .. } => {
            let what = match format.as_deref() {
                Some("email") => "an e-mail address",
                Some("uri") => "a URI",
                Some("date") => "a date: YYYY-MM-DD",
                Some("date-time") => "a date and time: YYYY-MM-DDTHH:MM:SSZ",
                _ => "",
            };
            let length = match (min, max) {
                (None | Some(0 | 1), None) => String::new(),
                (None | Some(0), Some(max)) => format!("at most {max} characters"),
                (Some(min), None) => format!("at least {min} characters"),
                (Some(min), Some(max)) => format!("{min} to {max} characters"),
            };
            [what, &length].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
        }
        Kind::Integer { min, max } => range("a whole number", min.as_ref(), max.as_ref()),
        Kind::Number { min, max } => range("a number", min.as_ref(), max.as_ref()),
        Kind::Choices { min_items, max_items, .. } => match (min_items.unwrap_or(0), max_items) {
            (0, None) => String::new(),
            (0, Some(max)) => format!("at most {max}"),
            (min, None) => format!("at least {min}"),
            (min, Some(max)) => format!("{min} to {max}"),
        },
        Kind::Raw => "JSON".into(),
        Kind::Boolean | Kind::Choice { .. } => String::new(),
    }
}

fn range(what: &str, min: Option<&Bound>, max: Option<&Bound>) -> String {
    let end = |words: [&str; 2], bound: &Bound| format!("{} {}", words[usize::from(bound.exclusive)], bound.value);
    let ends = [min.map(|min| end(["from", "above"], min)), max.map(|max| end(["to", "below"], max))];
    let ends: Vec<String> = ends.into_iter().flatten().collect();
    if ends.is_empty() { what.to_owned() } else { format!("{what} {}", ends.join(" ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::prompter::{Asking, CheckRows, Edit};
    use serde_json::json;
    use std::collections::VecDeque;

    /// A person who answers from a script: text, rows, "back", "decline".
    #[derive(Default)]
    struct Script {
        says: VecDeque<Value>,
        shown: Vec<String>,
    }

    impl Script {
        fn next<T>(&mut self, label: &str, read: impl Fn(&Value) -> Option<T>) -> Said<T> {
            self.shown.push(label.to_owned());
            let said = self.says.pop_front().expect("the script has run out");
            match said.as_str() {
                Some("<back>") => Said::Back,
                Some("<decline>") => Said::Left(Leave::Decline),
                _ => Said::Given(read(&said).unwrap_or_else(|| panic!("{label}: {said}"))),
            }
        }
    }

    impl Prompter for Script {
        fn say(&mut self, text: &str) {
            self.shown.push(text.to_owned());
        }
        fn line<'a>(&'a mut self, question: Line<'a>) -> Asking<'a, String> {
            Box::pin(async move {
                loop {
                    let said = self.next(question.label, |said| said.as_str().map(str::to_owned));
                    match &said {
                        Said::Given(text) => match (question.check)(text) {
                            Ok(()) => return said,
                            Err(why) => self.shown.push(why),
                        },
                        _ => return said,
                    }
                }
            })
        }
        fn edit<'a>(&'a mut self, question: Edit<'a>) -> Asking<'a, String> {
            let Edit { label, help, initial, check, can_go_back, extension } = question;
            self.line(Line { label, help, initial, check, enter: "done", can_go_back, in_editor: Some(extension) })
        }
        fn choose<'a>(&'a mut self, question: Choose<'a>) -> Asking<'a, usize> {
            Box::pin(async move {
                self.next(question.label, |said| {
                    question
                        .options
                        .iter()
                        .position(|option| said.as_str().is_some_and(|said| option.starts_with(said)))
                })
            })
        }
        fn choose_many<'a>(
            &'a mut self,
            question: Choose<'a>,
            _: &'a [usize],
            check: CheckRows<'a>,
        ) -> Asking<'a, Vec<usize>> {
            Box::pin(async move {
                loop {
                    let said = self.next(question.label, |said| {
                        said.as_array().map(|rows| {
                            rows.iter().filter_map(Value::as_u64).map(|row| row as usize).collect::<Vec<_>>()
                        })
                    });
                    match &said {
                        Said::Given(rows) => match check(rows) {
                            Ok(()) => return said,
                            Err(why) => self.shown.push(why),
                        },
                        _ => return said,
                    }
                }
            })
        }
    }

    async fn fill(schema: Value, says: Value) -> (Filled, Vec<String>) {
        let mut script = Script { says: says.as_array().unwrap().iter().cloned().collect(), shown: Vec::new() };
        let filled = fill_in(&mut script, &Form::new(&schema), &Map::new()).await;
        assert!(script.says.is_empty(), "left over: {:?}", script.says);
        (filled, script.shown)
    }

    fn content(value: Value) -> Filled {
        Filled::Content(value.as_object().cloned().unwrap())
    }

    #[tokio::test]
    async fn one_field_is_asked_and_sent_without_a_review() {
        let schema = json!({"type": "object", "properties": {"name": {"type": "string", "title": "Name"}}, "required": ["name"]});
        let (filled, shown) = fill(schema, json!(["", "Ada"])).await;
        assert_eq!(filled, content(json!({"name": "Ada"})));
        assert_eq!(shown, ["Name", "an answer is needed here", "Name"]);
    }

    #[tokio::test]
    async fn every_kind_of_field_gives_its_type_and_skipped_ones_are_left_out() {
        let schema = json!({"type": "object", "required": ["n", "b"], "properties": {
            "n": {"type": "integer", "minimum": 1}, "x": {"type": "number"}, "b": {"type": "boolean"},
            "c": {"enum": ["a", "b"]}, "m": {"type": "array", "items": {"enum": ["p", "q"]}}, "s": {"type": "string"}}});
        let says = json!(["0", "2", "", "Yes", "(leave out)", [1], "", "Send"]);
        let (filled, _) = fill(schema, says).await;
        assert_eq!(filled, content(json!({"n": 2, "b": true, "m": ["q"]})));
    }

    #[tokio::test]
    async fn one_can_go_back_change_and_decline() {
        let schema = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}});
        let (filled, shown) = fill(schema.clone(), json!(["1", "<back>", "2", "3", "Change b", "4", "Send"])).await;
        assert_eq!(filled, content(json!({"a": "2", "b": "4"})));
        assert_eq!(shown[0], "(1/2) a");
        let (filled, _) = fill(schema, json!(["1", "2", "Decline"])).await;
        assert_eq!(filled, Filled::Left(Leave::Decline));
    }

    #[tokio::test]
    async fn a_form_without_fields_asks_for_yes_or_no() {
        let schema = json!({"type": "object", "properties": {}});
        assert_eq!(fill(schema.clone(), json!(["Accept"])).await.0, content(json!({})));
        assert_eq!(fill(schema, json!(["Decline"])).await.0, Filled::Left(Leave::Decline));
    }
}
