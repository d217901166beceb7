//! What a server did with each way to answer its first question, as a table or as JSON.

use super::result;
use crate::jsonrpc::Raw;
use crate::terminal::line::fit;
use crate::terminal::sanitize::{Lines, one_line, visible};
use serde_json::{Value, json};

/// The calls of a matrix.
pub(crate) struct Matrix {
    /// The tool that was called.
    pub(crate) tool: String,
    /// The version it was called in.
    pub(crate) protocol: Option<&'static str>,
    /// The params of its first question.
    pub(crate) question: Value,
    /// One for each way, that of a valid answer first.
    pub(crate) rows: Vec<Row>,
}

/// One call.
pub(crate) struct Row {
    /// How the question was answered, in a few words.
    pub(crate) way: String,
    /// `valid`, `invalid` or `no`.
    pub(crate) sort: &'static str,
    /// The result that was sent; `None` for a refusal.
    pub(crate) sent: Option<Value>,
    /// What came of it.
    pub(crate) outcome: Outcome,
    /// How often the same question was asked again; a valid answer was given then.
    pub(crate) n_again: usize,
    /// How long it took.
    pub(crate) seconds: f64,
    /// What looks wrong about it.
    pub(crate) doubt: Option<String>,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    /// A result; without what says nothing of the answer.
    Result(Value),
    /// A result with `isError`.
    ToolError(Value),
    /// A JSON-RPC error, or a reply that breaks the protocol.
    Error {
        /// Its code, if it has one.
        code: Option<Value>,
        /// Its message.
        message: String,
    },
    /// Nothing, for as long as a call may take.
    Hang,
    /// The connection broke.
    Gone(String),
}

impl Outcome {
    fn name(&self) -> &'static str {
        match self {
            Outcome::Result(_) => "result",
            Outcome::ToolError(_) => "tool error",
            Outcome::Error { .. } => "error",
            Outcome::Hang => "no answer",
            Outcome::Gone(_) => "gone",
        }
    }

    /// What came, in words: `result: Issued.`
    pub(crate) fn words(&self) -> String {
        let text = self.text();
        let colon = if text.trim().is_empty() { "" } else { ": " };
        format!("{}{colon}{text}", self.name())
    }

    fn text(&self) -> String {
        match self {
            Outcome::Result(value) | Outcome::ToolError(value) => result::text(&Raw::new(value.to_string())),
            Outcome::Error { message, .. } | Outcome::Gone(message) => message.clone(),
            Outcome::Hang => String::new(),
        }
    }
}

/// How wide the table is, and its column of ways at most.
const WIDTH: usize = 100;
const WAYS: usize = 40;

/// The table; a row that looks wrong is marked, and says why below.
pub(crate) fn text(matrix: &Matrix) -> String {
    let message = matrix.question.get("message").and_then(Value::as_str).unwrap_or_default();
    let mut text = format!("{} asks: {}\n\n", one_line(&matrix.tool, WAYS), one_line(message, WIDTH));
    let way = |row: &Row| fit(&visible(&row.way, Lines::One), WAYS);
    let columns = |text: &str| unicode_width::UnicodeWidthStr::width(text);
    let widest = matrix.rows.iter().map(|row| columns(&way(row))).max().unwrap_or_default();
    for row in &matrix.rows {
        let (mark, way) = (if row.doubt.is_some() { '!' } else { ' ' }, way(row));
        let again = if row.n_again > 0 { "asked again, then " } else { "" };
        let outcome = format!("{again}{}", one_line(&row.outcome.words(), 4 * WIDTH));
        let pad = " ".repeat(widest - columns(&way));
        text.push_str(fit(&format!("{mark} {way}{pad}  {outcome}"), WIDTH).trim_end());
        text.push('\n');
        if let Some(doubt) = &row.doubt {
            text.push_str(&format!("  {}  ({doubt})\n", " ".repeat(widest)));
        }
    }
    text
}

/// The same with all there is to know.
pub(crate) fn json(matrix: &Matrix) -> String {
    let rows = matrix.rows.iter().map(|row| {
        let mut entry = json!({ "way": row.way, "sort": row.sort, "sent": row.sent, "outcome": row.outcome.name() });
        match &row.outcome {
            Outcome::Result(value) | Outcome::ToolError(value) => entry["result"] = value.clone(),
            Outcome::Error { code, message } => {
                entry["code"] = code.clone().unwrap_or_default();
                entry["message"] = message.clone().into();
            }
            Outcome::Gone(message) => entry["message"] = message.clone().into(),
            Outcome::Hang => {}
        }
        entry["asked_again"] = row.n_again.into();
        entry["seconds"] = json!((row.seconds * 1000.0).round() / 1000.0);
        entry["doubt"] = json!(row.doubt);
        entry
    });
    let rows: Vec<Value> = rows.collect();
    let whole = json!({ "tool": matrix.tool, "protocol": matrix.protocol, "question": matrix.question, "ways": rows });
    result::pretty(&whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix() -> Matrix {
        let said = |text: &str| json!({ "content": [{ "type": "text", "text": text }] });
        let row = |way: &str, outcome, doubt: Option<&str>| Row {
            way: way.into(),
            sort: "no",
            sent: None,
            outcome,
            n_again: usize::from(way == "again"),
            seconds: 0.12345,
            doubt: doubt.map(str::to_owned),
        };
        let error = Outcome::Error { code: Some(json!(-7)), message: "a\u{1b}[31m\nb".into() };
        let rows = vec![
            row("accept", Outcome::Result(said("Issued.")), None),
            row("decline", Outcome::Result(said("Issued.")), Some("the same as for a valid answer")),
            row("again", Outcome::ToolError(said("No.")), None),
            row("refuse", error, None),
            row("x", Outcome::Hang, Some("it never ended")),
        ];
        Matrix { tool: "t".into(), protocol: Some("2025-11-25"), question: json!({ "message": "Who?" }), rows }
    }

    #[test]
    fn the_table_has_a_row_for_each_way_and_what_looks_wrong_below() {
        let expected = "\
t asks: Who?

  accept   result: Issued.
! decline  result: Issued.
           (the same as for a valid answer)
  again    asked again, then tool error: No.
  refuse   error: a\\u{1b}[31m\\nb
! x        no answer
           (it never ended)
";
        assert_eq!(text(&matrix()), expected);
    }

    #[test]
    fn json_has_all_of_it() {
        let value: Value = serde_json::from_str(&json(&matrix())).unwrap();
        assert_eq!((&value["question"]["message"], &value["protocol"]), (&json!("Who?"), &json!("2025-11-25")));
        assert_eq!(value["ways"][1]["doubt"], "the same as for a valid answer");
        assert_eq!((&value["ways"][3]["code"], &value["ways"][3]["seconds"]), (&json!(-7), &json!(0.123)));
        assert_eq!(value["ways"][0]["result"]["content"][0]["text"], "Issued.");
    }
}
