//! `mcpcall show TOOL`: all that the server says of a tool, and a line to call it by.

use super::paste::call_line;
use super::{Run, known};
use crate::arguments::spell;
use crate::failure::{Failure, Result};
use crate::form::{Form, Line, Taste, example, outline, unfit};
use crate::output::tool::{self, Body, Row, Section, Sheet};
use crate::session::Session;
use crate::session::pager::{PROMPTS, Search, TOOLS};
use crate::terminal::sanitize::{Lines, visible};
use serde_json::{Map, Value, json};

/// Shows a tool, or prints it as the server wrote it.
///
/// # Errors
/// `protocol`, when the server has no such tool; and as `Session::request`.
pub(super) async fn show(run: &Run<'_>, session: &Session, name: &str) -> Result<()> {
    let (raw, left_out) = match session.find(&TOOLS, name).await? {
        Search::Found { raw, left_out } => (raw, left_out),
        Search::Unknown(names) => return Err(unknown(session, name, &names).await),
    };
    run.screen.settle();
    if run.cli.output.json {
        return run.stdout().json(raw.get());
    }
    let mut sheet = sheet(run, name, &raw.readable());
    if let Err(why) = raw.value() {
        let what = format!("not all that the server says can be read ({why}); --json prints it");
        sheet.sections.insert(0, Section { title: "Odd", body: Body::Lines(vec![what]) });
    }
    if let Some(why) = left_out {
        sheet.sections.insert(0, Section { title: "Must not be called", body: Body::Lines(vec![why]) });
    }
    run.stdout().text(&tool::text(&sheet))
}

async fn unknown(session: &Session, name: &str, names: &[String]) -> Failure {
    let failure = Failure::protocol(format!("the server has no tool {name}"));
    match known::has(session, &PROMPTS, name).await {
        true => failure.hint(format!("that is a prompt: mcpcall prompt {name}")),
        false => failure.hint(known::suggestion(name, names, "tools")),
    }
}

fn sheet(run: &Run<'_>, name: &str, tool: &Value) -> Sheet {
    let text = |pointer: &str| tool.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    let nothing = Value::Null;
    let [input, output] = ["inputSchema", "outputSchema"].map(|key| tool.get(key).unwrap_or(&nothing));
    let form = Form::arguments(input);
    let arguments = rows(&form);
    let takes_nothing = input.is_object() && arguments.is_empty();
    let mut notes: Vec<String> = form.notes.iter().map(|note| format!("inputSchema: {note}")).collect();
    if !input.is_object() {
        notes = vec!["inputSchema is missing, or no object: arguments go unchecked".into()];
    }
    let mut result = Vec::new();
    if !output.is_null() {
        let form = Form::arguments(output);
        result = rows(&form);
        notes.extend(form.notes.iter().map(|note| format!("outputSchema: {note}")));
    }
    let (line, notes_on_it) = match input.is_object() {
        true => to_call(&form, input),
        false => (Vec::new(), Vec::new()),
    };
    let takes = match takes_nothing {
        true if form.open => Body::Lines(vec!["any".into()]),
        true => Body::Lines(vec!["none".into()]),
        false => Body::Table(arguments),
    };
    let section = |title: &'static str, body: Body| Section { title, body };
    Sheet {
        name: name.to_owned(),
        title: text("/title").or_else(|| text("/annotations/title")),
        description: text("/description"),
        sections: vec![
            section("Arguments", takes),
            section("Structured result", Body::Table(result)),
            section("It is said to", Body::Lines(hints(tool))),
            section("Odd in its schema", Body::Lines(notes)),
            section("To call it", Body::Verbatim(call_line(&run.context.args, name, &line))),
            section("Mind", Body::Lines(notes_on_it)),
        ],
    }
}

/// Arguments that are made up, as they are typed, and what is to be known of them.
fn to_call(form: &Form, schema: &Value) -> (Vec<String>, Vec<String>) {
    let mut made_up = example(form, &Map::new(), Taste::Lively);
    let (names, explains) = unfit(form, &made_up);
    let marks: Map<String, Value> =
        names.iter().filter(|name| made_up.remove(*name).is_some()).map(|name| (name.clone(), MARK.into())).collect();
    let mut words = spell(&made_up, schema);
    words.extend(spell(&marks, &json!({})));
    let mut notes = Vec::new();
    if !names.is_empty() {
        notes.push(format!("put a value that fits in place of {MARK}: none could be made up"));
    } else if !explains {
        notes.push("these arguments do not fit yet: the schema has rules among them".into());
    }
    if words.iter().any(|word| word.starts_with('{')) {
        notes.push("an argument whose name or value cannot be typed goes into a JSON object".into());
    }
    (words, notes)
}

/// Stands for a value that is not known.
const MARK: &str = "...";

fn rows(form: &Form) -> Vec<Row> {
    let row = |line: Line| {
        let facts = visible(&line.facts.join("; "), Lines::One).into_owned();
        Row {
            name: line.path,
            sort: line.sort,
            required: line.required,
            about: line.description.into_iter().chain([facts]).collect(),
        }
    };
    outline(form).into_iter().map(row).collect()
}

/// The annotations in words. They are the server's claims, and not to be relied on.
fn hints(tool: &Value) -> Vec<String> {
    let words = [
        ("readOnlyHint", "change nothing (read-only)", "change things (not read-only)"),
        (
            "destructiveHint",
            "destroy or overwrite what is there (destructive)",
            "only add to what is there (not destructive)",
        ),
        (
            "idempotentHint",
            "do no more when called again (idempotent)",
            "do it again when called again (not idempotent)",
        ),
        ("openWorldHint", "reach out to the world outside (open world)", "stay within its own world (closed world)"),
    ];
    let hint = |key: &str| tool.get("annotations").and_then(|all| all.get(key)).and_then(Value::as_bool);
    words.into_iter().filter_map(|(key, yes, no)| Some(if hint(key)? { yes } else { no }.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn hints_are_told_where_they_are_given() {
        let tool =
            json!({"annotations": {"readOnlyHint": true, "openWorldHint": false, "destructiveHint": "odd", "x": true}});
        assert_eq!(hints(&tool), ["change nothing (read-only)", "stay within its own world (closed world)"]);
        assert!(hints(&json!({"annotations": 7})).is_empty());
    }
}
