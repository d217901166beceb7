//! What a run as a whole ended with, from what the call did, what was answered and what was expected; and the report
//! of it.
//!
//! In this order: the user's stop; a question that nobody answered, which is the cause of whatever the server made of
//! it; the call's own failure, unless the answer file expects it; failed expectations and answers left unused.

use super::Run;
use crate::answers::expect::watch::{End, Judged};
use crate::callbacks::desk::REFUSALS;
use crate::cli::EndingArgs;
use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::Raw;
use crate::output::junit::{self, Case, Outcome};
use crate::output::matrix::Row;
use crate::session::host::{Event, Host};
use serde_json::json;
use std::time::{Duration, Instant};

/// The report that `--junit` asks for.
pub(super) struct Report {
    tool: String,
    begin: Instant,
    file: junit::Report,
}

impl Report {
    /// Begins the report of a call, where one is wanted.
    ///
    /// # Errors
    /// `usage`, when it could not be written.
    pub(super) fn begin(ending: &EndingArgs, tool: &str) -> Result<Option<Self>> {
        let Some(path) = &ending.junit else { return Ok(None) };
        let file = junit::Report::begin(path);
        let file = file.map_err(|e| Failure::usage(format!("--junit {}: {e}", path.display())))?;
        Ok(Some(Report { tool: tool.to_owned(), begin: Instant::now(), file }))
    }

    /// Writes a case for each way that a matrix tried.
    ///
    /// # Errors
    /// `internal`, when it cannot be written after all.
    pub(super) fn ways(self, rows: &[Row]) -> Result<()> {
        let case = |row: &Row| Case {
            class: self.tool.clone(),
            name: row.way.clone(),
            time: Some(Duration::from_secs_f64(row.seconds)),
            outcome: match &row.doubt {
                Some(doubt) => Outcome::Failed(doubt.clone(), row.outcome.words()),
                None => Outcome::Passed,
            },
        };
        let cases: Vec<Case> = rows.iter().map(case).collect();
        self.file.end(&self.tool, &cases).map_err(unwritten)
    }
}

/// The verdict on a run.
///
/// # Errors
/// What the run failed with.
pub(super) fn verdict(run: &Run<'_>, outcome: Result<()>, report: Option<Report>) -> Result<()> {
    let watch = &run.registry.desk().watch;
    let judged = watch.judge();
    let call = own(run, outcome).map_err(|failure| run.screen.concealed.hide_of(failure));
    let unused = match run.cli.elicitation.lenient_answers {
        true => Vec::new(),
        false => run.registry.desk().ledger.unused().iter().map(|at| format!("/answers/{at}")).collect(),
    };
    let written = report.map_or(Ok(()), |report| write(report, run, &call, judged.as_deref(), &unused));
    let failed: Vec<&Judged> = judged.iter().flatten().filter(|judged| judged.was.is_some()).collect();
    if let (Err(unwritten), false) = (&written, call.is_ok() && failed.is_empty() && unused.is_empty()) {
        run.registry.event(Event::Warning(&unwritten.message));
    }
    match call {
        Err(failure) => {
            for judged in failed {
                run.registry.event(Event::Warning(&format!("expectation failed: {}", line(judged))));
            }
            Err(failure)
        }
        Ok(()) if failed.is_empty() && unused.is_empty() => {
            if judged.is_none() && !watch.expect.is_empty() {
                run.registry.event(Event::Warning("\"expect\" of the answer file is for calls: it was not checked"));
            }
            written
        }
        Ok(()) => Err(unmet(&failed, judged.iter().flatten().count(), &unused)),
    }
}

/// What the call itself ended with: what is expected of it is no failure.
fn own(run: &Run<'_>, outcome: Result<()>) -> Result<()> {
    let desk = run.registry.desk();
    if let Err(failure) = &outcome
        && matches!(failure.kind, Kind::Interrupted | Kind::Terminated)
    {
        return outcome;
    }
    if let Some(failure) = desk.failure() {
        // What the server makes of the refusal is told where it is more than its echo.
        if let Err(other) = &outcome
            && !matches!(other.kind, Kind::Tool | Kind::Unanswered)
            && other.code.as_ref().is_none_or(|code| !REFUSALS.iter().any(|refusal| code == refusal))
        {
            run.registry.event(Event::Warning(&other.message));
        }
        return Err(failure);
    }
    match outcome {
        Err(failure) if failure.kind == Kind::Tool && desk.watch.expect.judges_is_error() => Ok(()),
        Err(failure) if failure.said.is_some() && desk.watch.ended_with_error() && desk.watch.expect.judges_error() => {
            Ok(())
        }
        other => other,
    }
}

/// "2 of 5 expectations failed", and each in a line.
fn unmet(failed: &[&Judged], n_judged: usize, unused: &[String]) -> Failure {
    let expectations = if n_judged == 1 { "expectation" } else { "expectations" };
    let words = [
        (!failed.is_empty()).then(|| format!("{} of {n_judged} {expectations} failed", failed.len())),
        (!unused.is_empty()).then(|| format!("answers left unused: {}", unused.join(", "))),
    ];
    let words: Vec<String> = words.into_iter().flatten().collect();
    let mut failure = Failure::new(Kind::Expectation, words.join("; "));
    let told = |judged: &&Judged| json!({ "name": judged.name, "expected": judged.expected, "was": judged.was });
    failure.data = Some(json!({ "failed": failed.iter().map(told).collect::<Vec<_>>(), "unused": unused }));
    if !failed.is_empty() {
        failure = failure.detail(failed.iter().map(|judged| line(judged)).collect::<Vec<_>>().join("\n"));
    }
    if unused.is_empty() { failure } else { failure.hint("--lenient-answers lets them be") }
}

/// "elicitations: expected 2, was 1".
fn line(judged: &Judged) -> String {
    let was = judged.was.as_deref().unwrap_or_default();
    format!("{}: expected {}, was {was}", judged.name, judged.expected)
}

/// Notes how a call ended, for its expectations.
pub(super) fn note_end(run: &Run<'_>, called: &Result<Raw>) {
    let watch = &run.registry.desk().watch;
    if watch.expect.is_empty() {
        return;
    }
    match called {
        Ok(result) => watch.ended(End::Result(result.value().unwrap_or_else(|_| result.get().into()))),
        Err(Failure { said: Some(message), code, .. }) => {
            watch.ended(End::Error { code: code.clone(), message: message.clone() });
        }
        Err(_) => {}
    }
}

/// Writes the report: a case for the call, one for each expectation, and one for the answers.
fn write(report: Report, run: &Run<'_>, call: &Result<()>, judged: Option<&[Judged]>, unused: &[String]) -> Result<()> {
    let Report { tool, begin, file } = report;
    let case = |name: String, outcome: Outcome| Case { class: tool.clone(), name, time: None, outcome };
    let mut cases = vec![case("call".into(), Outcome::Passed)];
    cases[0].time = Some(begin.elapsed());
    if let Err(failure) = call {
        let more: Vec<&str> = failure.hints.iter().map(String::as_str).chain(failure.detail.as_deref()).collect();
        cases[0].outcome = match failure.kind {
            Kind::Tool | Kind::Expectation => Outcome::Failed(failure.message.clone(), more.join("\n")),
            _ => Outcome::Broken(failure.message.clone(), more.join("\n")),
        };
    }
    let desk = run.registry.desk();
    for (at, check) in desk.watch.expect.checks.iter().enumerate() {
        let outcome = match judged.and_then(|judged| judged.get(at)) {
            None => Outcome::Skipped("the call did not come to its end".into()),
            Some(Judged { was: None, .. }) => Outcome::Passed,
            Some(judged) => Outcome::Failed(line(judged), String::new()),
        };
        cases.push(case(format!("{}: {check}", check.name()), outcome));
    }
    if !desk.ledger.is_empty() && !run.cli.elicitation.lenient_answers {
        let outcome = match (unused.is_empty(), call.is_ok()) {
            (true, _) => Outcome::Passed,
            (false, true) => Outcome::Failed(format!("answers left unused: {}", unused.join(", ")), String::new()),
            (false, false) => Outcome::Skipped("the call did not come to its end".into()),
        };
        cases.push(case("answers are used".into(), outcome));
    }
    file.end("mcpcall", &cases).map_err(unwritten)
}

fn unwritten(error: std::io::Error) -> Failure {
    Failure::new(Kind::Internal, format!("cannot write the report of --junit: {error}"))
}
