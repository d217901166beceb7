//! Whether a tool keeps to its own `outputSchema` (server/tools): a warning, with `--check` a failure.

use crate::failure::{Failure, Kind, Result};
use crate::output::result::ToolResult;
use crate::schema;
use crate::session::Session;
use serde_json::{Value, json};

/// How many mistakes a warning lists.
const LISTED: usize = 3;

/// What is known of a tool.
#[derive(Clone, Copy)]
pub(super) enum Definition<'a> {
    /// All that the server lists.
    Known(&'a Value),
    /// Nothing.
    Unknown,
}

/// Holds a result that is no error against what the tool says of its results.
///
/// # Errors
/// `expectation`, when it does not fit, or that cannot be found out, and `strict` wants it to.
pub(super) fn check(
    session: &Session,
    tool: &str,
    known: Definition<'_>,
    result: &ToolResult,
    strict: bool,
) -> Result<()> {
    let schema = match known {
        Definition::Known(tool) => tool.get("outputSchema").filter(|schema| !schema.is_null()),
        Definition::Unknown if strict => {
            return Err(Failure::new(
                Kind::Expectation,
                format!("--check: what the result of {tool} should be is not known"),
            ));
        }
        Definition::Unknown => return Ok(()),
    };
    let Some(schema) = schema else {
        if strict {
            session.warn(&format!("--check has nothing to check: the tool {tool} has no outputSchema"));
        }
        return Ok(());
    };
    let Err((what, problems)) = fits(schema, result) else { return Ok(()) };
    if strict {
        let mut failure = Failure::new(Kind::Expectation, format!("the result of {tool} {what}"));
        if !problems.is_empty() {
            failure.data = Some(json!({ "problems": problems }));
            failure = failure.detail(problems.join("\n"));
        }
        return Err(failure);
    }
    let mut listed = problems.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join("; ");
    if problems.len() > LISTED {
        listed.push_str(&format!("; and {} more", problems.len() - LISTED));
    }
    let colon = if listed.is_empty() { "" } else { ": " };
    session.warn(&format!("the result of {tool} {what}{colon}{listed}"));
    Ok(())
}

/// What is wrong, as the predicate of a sentence, and the places where.
fn fits(schema: &Value, result: &ToolResult) -> Result<(), (String, Vec<String>)> {
    let Some(structured) = &result.structured else {
        return Err(("has no structuredContent, which its outputSchema asks for".into(), Vec::new()));
    };
    let unchecked =
        |why: &dyn std::fmt::Display| (format!("was not checked against its outputSchema: {why}"), Vec::new());
    let structured = structured.value().map_err(|error| unchecked(&error))?;
    let problems = schema::check(schema, &structured).map_err(|error| unchecked(&error))?;
    if problems.is_empty() {
        return Ok(());
    }
    let told = problems.iter().map(|problem| format!("structuredContent{} {}", problem.path, problem.message));
    Err(("breaks its outputSchema".into(), told.collect()))
}
