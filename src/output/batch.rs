//! A line of a batch's output: one JSON object, the server's result in it as the server wrote it.

use super::events::bar;
use crate::failure::{Failure, Kind};
use crate::jsonrpc::Raw;
use serde_json::Value;
use std::fmt;

/// What came of a line.
pub(crate) struct Row<'a> {
    /// Its number, from 1.
    pub(crate) line: usize,
    /// Its id, where it has one.
    pub(crate) id: Option<&'a Value>,
    /// The server's result, where it gave one.
    pub(crate) result: Option<&'a Raw>,
    /// What failed.
    pub(crate) failure: Option<&'a Failure>,
}

impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, r#"{{"line":{}"#, self.line)?;
        if let Some(id) = self.id {
            write!(f, r#","id":{id}"#)?;
        }
        write!(f, r#","exit":{}"#, self.failure.map_or(0, |failure| failure.kind.exit()))?;
        if let Some(result) = self.result {
            write!(f, r#","result":{}"#, result.on_one_line())?;
        }
        // A tool that failed says so in its result.
        if let Some(failure) = self.failure.filter(|failure| failure.kind != Kind::Tool) {
            write!(f, r#","error":{}"#, failure.to_json()["error"])?;
        }
        f.write_str("}")
    }
}

/// How far a batch has come, for a line that is drawn over.
pub(crate) fn progress(n_done: usize, total: Option<usize>, n_failed: usize) -> String {
    let failed = if n_failed == 0 { String::new() } else { format!(", {n_failed} failed") };
    match total {
        Some(total) => format!("{} {n_done}/{total}{failed}", bar(n_done as f64 / total.max(1) as f64)),
        None => format!("{n_done} done{failed}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_row_is_one_line_with_the_result_as_it_was_written() {
        let result = Raw::new("{\"a\": 1.50,\n  \"b\" : \"x \\n y\"}".into());
        let id = json!(7);
        let row = Row { line: 3, id: Some(&id), result: Some(&result), failure: None };
        assert_eq!(row.to_string(), r#"{"line":3,"id":7,"exit":0,"result":{"a":1.50,"b":"x \n y"}}"#);
        let failure = Failure::usage("no");
        let row = Row { line: 1, id: None, result: None, failure: Some(&failure) };
        let expected =
            r#"{"line":1,"exit":2,"error":{"kind":"usage","exit":2,"code":null,"message":"no","data":null}}"#;
        assert_eq!(row.to_string(), expected);
        assert_eq!(progress(1, Some(2), 1), format!("[{}{}] 1/2, 1 failed", "#".repeat(10), "-".repeat(10)));
        assert_eq!(progress(1, None, 0), "1 done");
    }
}
