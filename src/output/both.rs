//! Two results of the same call beside each other, and what differs.

use super::result;
use crate::failure::{Failure, Result};
use crate::jsonrpc::Raw;
use crate::terminal::line::{fit, wrap};
use crate::terminal::sanitize::{Lines, visible};
use serde_json::{Value, json};

/// One of the two calls.
pub(crate) struct Half {
    /// The version it was made in; `None` when the era is not spoken.
    pub(crate) date: Option<&'static str>,
    /// What it ended with.
    pub(crate) outcome: Result<Raw>,
}

impl Half {
    /// What is compared: the result without what only one of the eras has.
    fn value(&self) -> Value {
        match &self.outcome {
            Ok(raw) => {
                let mut value = raw.value().unwrap_or_else(|_| raw.get().into());
                if let Value::Object(object) = &mut value {
                    object.retain(|key, _| !matches!(key.as_str(), "_meta" | "resultType"));
                    // Absent means false.
                    if object.get("isError") == Some(&Value::Bool(false)) {
                        object.remove("isError");
                    }
                }
                value
            }
            Err(failure) => failed(failure),
        }
    }

    fn text(&self) -> String {
        match &self.outcome {
            Ok(raw) => {
                let text = result::text(raw);
                if result::is_error(raw) { format!("the tool reported an error:\n{text}") } else { text }
            }
            Err(failure) => format!("error: {}", failure.message),
        }
    }
}

fn failed(failure: &Failure) -> Value {
    json!({ "error": { "kind": failure.kind.name(), "code": failure.code, "message": failure.message } })
}

/// A place where two values differ; `None` where there is nothing.
pub(crate) struct Difference {
    at: String,
    old: Option<Value>,
    new: Option<Value>,
}

/// Where the outcomes differ, as JSON pointers.
pub(crate) fn differences(old: &Half, new: &Half) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(&mut String::new(), Some(&old.value()), Some(&new.value()), &mut found);
    found
}

fn compare(at: &mut String, old: Option<&Value>, new: Option<&Value>, found: &mut Vec<Difference>) {
    let mut below = |step: &str, old: Option<&Value>, new: Option<&Value>| {
        let length = at.len();
        at.push('/');
        at.push_str(&step.replace('~', "~0").replace('/', "~1"));
        compare(at, old, new, found);
        at.truncate(length);
    };
    match (old, new) {
        (old, new) if old == new => {}
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            let more = b.keys().filter(|key| !a.contains_key(*key));
            a.keys().chain(more).for_each(|key| below(key, a.get(key), b.get(key)));
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) => {
            (0..a.len().max(b.len())).for_each(|index| below(&index.to_string(), a.get(index), b.get(index)));
        }
        (old, new) => found.push(Difference { at: at.clone(), old: old.cloned(), new: new.cloned() }),
    }
}

/// How wide the two columns are together with what is between them, and how many differences are listed.
const WIDTH: usize = 100;
const COLUMN: usize = (WIDTH - 3) / 2;
const LISTED: usize = 20;

/// Both results in columns, and the differences in words.
pub(crate) fn text(old: &Half, new: &Half) -> String {
    let mut text = String::new();
    let mut row = |left: &str, right: &str| {
        let pad = COLUMN.saturating_sub(unicode_width::UnicodeWidthStr::width(left));
        text.push_str(format!("{left}{} | {right}", " ".repeat(pad)).trim_end());
        text.push('\n');
    };
    let head = |half: &Half| half.date.unwrap_or("not spoken");
    row(head(old), head(new));
    row(&"-".repeat(COLUMN), &"-".repeat(COLUMN));
    let column = |half: &Half| -> Vec<String> {
        let text = visible(&half.text(), Lines::Many).into_owned();
        text.lines().flat_map(|line| wrap(line, COLUMN)).collect()
    };
    let (left, right) = (column(old), column(new));
    for at in 0..left.len().max(right.len()) {
        row(left.get(at).map_or("", String::as_str), right.get(at).map_or("", String::as_str));
    }
    let differences = differences(old, new);
    text.push('\n');
    if differences.is_empty() {
        text.push_str("The results are the same.\n");
        return text;
    }
    text.push_str("The results differ:\n");
    for difference in differences.iter().take(LISTED) {
        let shown = |value: &Option<Value>| value.as_ref().map_or_else(|| "nothing".to_owned(), Value::to_string);
        let at = if difference.at.is_empty() { "/" } else { difference.at.as_str() };
        let line = format!("  {at}: {} | {}", shown(&difference.old), shown(&difference.new));
        text.push_str(&fit(&visible(&line, Lines::One), WIDTH));
        text.push('\n');
    }
    if differences.len() > LISTED {
        text.push_str(&format!("  and in {} more places\n", differences.len() - LISTED));
    }
    text
}

/// Both results as they came, and the differences.
pub(crate) fn json(old: &Half, new: &Half) -> String {
    let raw = |half: &Half| half.outcome.as_ref().map_or_else(|f| failed(f).to_string(), |raw| raw.get().to_owned());
    let differs = differences(old, new).into_iter().map(|difference| {
        let mut entry = json!({ "at": difference.at });
        for (date, value) in [("legacy", difference.old), ("modern", difference.new)] {
            if let Some(value) = value {
                entry[date] = value;
            }
        }
        entry
    });
    let differs = Value::from(differs.collect::<Vec<_>>());
    format!(r#"{{"legacy":{},"modern":{},"differs":{differs}}}"#, raw(old), raw(new))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half(date: &'static str, text: &str) -> Half {
        Half { date: Some(date), outcome: Ok(Raw::new(text.to_owned())) }
    }

    #[test]
    fn what_only_one_era_says_is_no_difference() {
        let old = half("2025-11-25", r#"{"content":[],"isError":false}"#);
        let new = half("2026-07-28", r#"{"resultType":"complete","content":[],"_meta":{"a":1}}"#);
        assert!(differences(&old, &new).is_empty());
    }

    #[test]
    fn differences_are_told_by_place() {
        let old = half("2025-11-25", r#"{"content":[{"type":"text","text":"a"}],"x":1}"#);
        let new = half("2026-07-28", r#"{"content":[{"type":"text","text":"b"},{"type":"text","text":"c"}]}"#);
        let expected = "\
2025-11-25                                       | 2026-07-28
------------------------------------------------ | ------------------------------------------------
a                                                | b
                                                 | c

The results differ:
  /content/0/text: \"a\" | \"b\"
  /content/1: nothing | {\"type\":\"text\",\"text\":\"c\"}
  /x: 1 | nothing
";
        assert_eq!(text(&old, &new), expected);
    }

    #[test]
    fn a_failure_differs_from_a_result() {
        let old = Half { date: Some("2025-11-25"), outcome: Err(Failure::protocol("no")) };
        let new = half("2026-07-28", r#"{"content":[]}"#);
        assert!(!differences(&old, &new).is_empty());
        assert!(text(&old, &new).contains("error: no"));
        let json: Value = serde_json::from_str(&json(&old, &new)).unwrap();
        assert_eq!(json["legacy"]["error"]["kind"], "protocol");
    }
}
