//! `--matrix`: the tool is called once for each way to answer its first question, right and wrong, each time over a
//! connection of its own, and what the server made of it is shown in a table: a check for the author of a tool.

use super::Run;
use super::call::{self, Prepared};
use super::overlay::Overlay;
use super::registry::{answer_file, answer_flags, registry};
use super::run::for_many;
use crate::answers::Answers;
use crate::callbacks::desk::REFUSALS;
use crate::callbacks::elicitation::Question;
use crate::callbacks::elicitation::flags::OnElicit;
use crate::callbacks::elicitation::ways::{Sort, Way, ways};
use crate::callbacks::{Registry, Show};
use crate::cli::connection::Speak;
use crate::cli::{CallArgs, Cli, EndingArgs};
use crate::failure::{Failure, Kind, Result};
use crate::form::{self, Taste};
use crate::jsonrpc::Raw;
use crate::output::matrix::{self, Matrix, Outcome, Row};
use crate::output::result;
use crate::session::Session;
use crate::session::era::negotiate::Protocol;
use crate::session::era::revision::Revision;
use crate::session::host::{Answer, Ask, Event, Host, Reply, RpcError};
use crate::sync::lock;
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How long one call may take when nobody said how long.
const LIMIT: Duration = Duration::from_secs(30);

/// Whether these flags go together; found out before anything is started.
///
/// # Errors
/// `usage`.
pub(super) fn check(cli: &Cli, registry: &Registry, tool: &str, args: &CallArgs) -> Result<()> {
    let others = [
        (cli.connection.protocol == Speak::Both, "--protocol both"),
        (args.ending.stop_on_input, "--stop-on-input"),
        (args.ending.save_state.is_some(), "--save-state"),
        (cli.elicitation.record_answers.is_some(), "--record-answers"),
    ];
    if let Some((_, other)) = others.into_iter().find(|(given, _)| *given) {
        return Err(Failure::usage(format!("--matrix does not go with {other}")));
    }
    for_many(registry, "--matrix makes many")?;
    if !args.yes {
        let what = format!("--matrix calls {tool} many times, once for each way to answer its first question");
        return Err(Failure::usage(what).hint("--yes allows it"));
    }
    Ok(())
}

/// Calls the tool in every way and shows what came.
///
/// # Errors
/// `expectation`, when something looks wrong or nothing was asked; what the first call failed with when it came to no
/// question.
pub(super) async fn matrix(run: &Run<'_>, tool: &str, prepared: &Prepared<'_>) -> Result<()> {
    let Speak::One(protocol) = run.cli.connection.protocol else {
        return Err(Failure::usage("--matrix: one protocol"));
    };
    let calls = Calls { run, tool, prepared, protocol, given: given(run)? };
    let first = calls.make(None).await?;
    let Some(question) = first.question else {
        first.called?;
        return Err(Failure::new(Kind::Expectation, format!("{tool} asked nothing, so there are no ways to answer")));
    };
    let content = first.content?;
    let read = Question::read(&question).map_err(|why| Failure::protocol(format!("{tool} asked amiss: {why}")))?;
    let is_modern = first.date.and_then(Revision::find).is_some_and(|revision| revision.is_modern);
    // There is no way to tell a refusal to a server of that era.
    let tried: Vec<Way> = ways(&read, &content).into_iter().filter(|way| way.result.is_some() || !is_modern).collect();
    let mut rows = vec![row(&tried[0], first.called, 0, first.seconds)];
    for (at, way) in tried.iter().enumerate().skip(1) {
        if !run.cli.output.quiet && run.screen.redraws {
            run.screen.status(&format!("{}/{}: {}", at + 1, tried.len(), way.name));
        }
        let made = calls.make(Some(way)).await?;
        rows.push(row(way, made.called, made.n_again, made.seconds));
    }
    run.screen.settle();
    judge(&mut rows);
    let written = run.report.take().map_or(Ok(()), |report| report.ways(&rows));
    let matrix = Matrix { tool: tool.to_owned(), protocol: first.date, question, rows };
    match run.cli.output.json {
        true => run.stdout().json(&matrix::json(&matrix))?,
        false => run.stdout().text(&matrix::text(&matrix))?,
    }
    let doubtful: Vec<&str> =
        matrix.rows.iter().filter(|row| row.doubt.is_some()).map(|row| row.way.as_str()).collect();
    if doubtful.is_empty() {
        return written;
    }
    if let Err(failure) = written {
        run.registry.event(Event::Warning(&failure.message));
    }
    let what = format!("{} of {} ways look wrong: {}", doubtful.len(), matrix.rows.len(), doubtful.join(", "));
    Err(Failure::new(Kind::Expectation, what))
}

/// Values for fields, by name, as the user gave them.
fn given(run: &Run<'_>) -> Result<Map<String, Value>> {
    let flags = &run.cli.elicitation;
    let mut given = match answer_file(flags, run.context)?.answers {
        Answers::Short(values) => values,
        Answers::List(_) => Map::new(),
    };
    given.extend(answer_flags(flags)?);
    Ok(given)
}

fn row(way: &Way, called: Result<Raw>, n_again: usize, seconds: f64) -> Row {
    let sort = match way.sort {
        Sort::Valid => "valid",
        Sort::Invalid => "invalid",
        Sort::No => "no",
    };
    let outcome = outcome(called);
    Row { way: way.name.clone(), sort, sent: way.result.clone(), outcome, n_again, seconds, doubt: None }
}

fn outcome(called: Result<Raw>) -> Outcome {
    match called {
        Ok(raw) => {
            let is_error = result::is_error(&raw);
            let mut value = raw.value().unwrap_or_else(|_| raw.get().into());
            if let Value::Object(object) = &mut value {
                object.retain(|key, value| !matches!(key.as_str(), "_meta" | "resultType") && *value != json!(false));
            }
            if is_error { Outcome::ToolError(value) } else { Outcome::Result(value) }
        }
        Err(failure) => match failure.kind {
            Kind::Timeout => Outcome::Hang,
            Kind::Connect => Outcome::Gone(failure.message),
            _ => Outcome::Error { code: failure.code, message: failure.message },
        },
    }
}

/// Says of each row what looks wrong about it. What a server makes of a no is taken to be what it makes of nothing.
fn judge(rows: &mut [Row]) {
    let as_result = |row: &Row| match &row.outcome {
        Outcome::Result(value) => Some(value.clone()),
        _ => None,
    };
    let valid = rows.iter().find(|row| row.sort == "valid").and_then(as_result);
    let of_no: Vec<Value> = rows.iter().filter(|row| row.sort == "no").filter_map(as_result).collect();
    for row in rows.iter_mut() {
        let doubt = match (&row.outcome, row.sort) {
            (Outcome::Hang, _) => "the call never ended",
            // Then nothing can be told from the others.
            (outcome, "valid") if !matches!(outcome, Outcome::Result(_) | Outcome::Gone(_)) => {
                "a valid answer fails too; --answer may give a better one"
            }
            (Outcome::Gone(_), _) => "the server is gone",
            (Outcome::Result(value), "no") if Some(value) == valid.as_ref() => "the same as for a valid answer",
            (Outcome::Result(value), "invalid") if row.n_again == 0 => {
                match of_no.contains(value) && Some(value) != valid.as_ref() {
                    true => continue,
                    false => "taken as if it were valid",
                }
            }
            _ => continue,
        };
        row.doubt = Some(doubt.to_owned());
    }
}

/// The calls to make.
struct Calls<'a> {
    run: &'a Run<'a>,
    tool: &'a str,
    prepared: &'a Prepared<'a>,
    protocol: Protocol,
    given: Map<String, Value>,
}

/// One of them, made.
struct Made {
    date: Option<&'static str>,
    /// The params of the first question, if there was one.
    question: Option<Value>,
    /// The valid content for it, where one was looked for.
    content: Result<Map<String, Value>>,
    n_again: usize,
    called: Result<Raw>,
    seconds: f64,
}

impl Calls<'_> {
    /// Makes a call, its first question answered in this way, or validly.
    async fn make(&self, way: Option<&Way>) -> Result<Made> {
        let start = Instant::now();
        let player = Arc::new(Player {
            given: self.given.clone(),
            registry: self.registry()?,
            shows: self.run.cli.output.verbose,
            way: way.cloned(),
            seen: Mutex::default(),
        });
        let mut options = self.run.options(self.protocol);
        let limit = self.run.cli.connection.timeout.filter(|limit| !limit.is_zero()).unwrap_or(LIMIT);
        options.timeout = Some(limit);
        options.handshake_timeout = Some(limit.max(self.run.cli.connection.connect_timeout));
        let (date, called) = match self.run.open(player.clone(), options).await {
            Err(failure) => (None, Err(failure)),
            Ok(session) => {
                let called = self.call(&session).await;
                let date = session.date();
                session.close().await;
                (date, called)
            }
        };
        if let Err(failure) = &called
            && matches!(failure.kind, Kind::Interrupted | Kind::Terminated | Kind::Usage)
        {
            return Err(failure.clone());
        }
        let seen = std::mem::take(&mut *player.seen());
        let content = seen.content.unwrap_or_else(|| Ok(Map::new()));
        let seconds = start.elapsed().as_secs_f64();
        Ok(Made { date, question: seen.question, content, n_again: seen.n_again, called, seconds })
    }

    async fn call(&self, session: &Session) -> Result<Raw> {
        let ready = call::ready(self.run, session, self.tool, self.prepared).await?;
        call::make(self.run, session, &ready.call(self.tool), None, &EndingArgs::default()).await
    }

    /// Who answers all other questions: what the user gave, unused so far; else the schema's defaults.
    fn registry(&self) -> Result<Arc<Registry>> {
        let mut cli = self.run.cli.clone();
        cli.elicitation.on_elicit = match cli.elicitation.on_elicit {
            None | Some(OnElicit::Prompt | OnElicit::Fail) => Some(OnElicit::Defaults),
            other => other,
        };
        let (shown, shows) = (self.run.show.clone(), cli.output.verbose);
        let show: Show = Arc::new(move |event: Event<'_>| {
            if shows || matches!(event, Event::Wire(..)) {
                shown(event);
            }
        });
        let wants_wire = self.run.registry.wants_wire();
        registry(&cli, self.run.context, None, show, wants_wire, self.run.stop.clone()).map(Arc::new)
    }
}

/// Answers the first question in the way that is tried, and all others as well as it can.
struct Player {
    given: Map<String, Value>,
    registry: Arc<Registry>,
    shows: bool,
    /// `None` for a valid answer, to be found.
    way: Option<Way>,
    seen: Mutex<Seen>,
}

/// What was asked.
#[derive(Default)]
struct Seen {
    question: Option<Value>,
    content: Option<Result<Map<String, Value>>>,
    n_again: usize,
}

impl Player {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        lock(&self.seen)
    }

    async fn reply(&self, ask: Ask) -> Reply {
        if ask.method != "elicitation/create" {
            return self.registry.answer(ask).await;
        }
        let is_first = {
            let mut seen = self.seen();
            match &seen.question {
                None => {
                    seen.question = Some(ask.params.clone());
                    true
                }
                Some(first) => {
                    seen.n_again += usize::from(is_same(first, &ask.params));
                    false
                }
            }
        };
        match &self.way {
            Some(way) if is_first => match &way.result {
                Some(result) => Reply::Result(result.clone()),
                None => Reply::Error(RpcError::new(-1, "refused, to see what comes of it")),
            },
            None if is_first => self.valid(ask).await,
            _ => self.other(ask).await,
        }
    }

    /// An answer that fits, noted down; nothing is sent as if it did.
    async fn valid(&self, ask: Ask) -> Reply {
        let reply = self.registry.answer(ask.clone()).await;
        let action = |reply: &Reply| match reply {
            Reply::Result(result) => result.get("action").cloned(),
            Reply::Error(_) => None,
        };
        let reply = if action(&reply).is_some_and(|action| action == "accept") { reply } else { self.made_up(&ask) };
        let content = match &reply {
            Reply::Result(result) => Ok(result.get("content").and_then(Value::as_object).cloned().unwrap_or_default()),
            Reply::Error(error) => {
                Err(Failure::usage(format!("no valid answer to the first question: {}", error.message))
                    .hint("--answer FIELD=VALUE gives one"))
            }
        };
        self.seen().content = Some(content);
        reply
    }

    /// What the user gave, else what can be made up.
    async fn other(&self, ask: Ask) -> Reply {
        match self.registry.answer(ask.clone()).await {
            Reply::Error(error) if REFUSALS.iter().any(|code| error.code == *code) => self.made_up(&ask),
            reply => reply,
        }
    }

    /// Content of our own making, with what is given for its fields.
    fn made_up(&self, ask: &Ask) -> Reply {
        let refused = |why: String| Reply::Error(RpcError::new(-32603, why));
        let form = match Question::read(&ask.params) {
            Ok(Question::Form { form, .. }) => form,
            Ok(Question::Url { .. }) => return Reply::Result(json!({ "action": "accept" })),
            Err(why) => return refused(why),
        };
        let content = form::example(&form, &form.pick(&self.given), Taste::Lively);
        match form::complete(&form, &content, true) {
            Ok(content) => Reply::Result(json!({ "action": "accept", "content": content })),
            Err(problems) => refused(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")),
        }
    }
}

/// Whether a question is the same one again; what a server says beside it may tell what was wrong.
fn is_same(first: &Value, other: &Value) -> bool {
    let schema = |params: &Value| params.get("requestedSchema").or(params.get("url")).cloned();
    schema(first) == schema(other)
}

impl Overlay for Player {
    fn below(&self) -> &dyn Host {
        &*self.registry
    }
    fn answer(&self, ask: Ask) -> Answer<'_> {
        Box::pin(self.reply(ask))
    }
    fn passes(&self, event: &Event<'_>) -> bool {
        self.shows || matches!(event, Event::Wire(..))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_wrong_is_told() {
        let said = |text: &str| Outcome::Result(text.into());
        let no = || Outcome::ToolError("no".into());
        let error = || Outcome::Error { code: None, message: "no".into() };
        let valid = "taken as if it were valid";
        let same = "the same as for a valid answer";
        let cases = [
            // accept, an invalid answer, decline: what the last two are blamed for
            ([said("yes"), no(), said("no")], [None, None]),
            ([said("yes"), said("no"), said("no")], [None, None]),
            ([said("yes"), said("yes"), no()], [Some(valid), None]),
            ([said("yes"), said("oh"), error()], [Some(valid), None]),
            ([said("yes"), said("yes"), said("yes")], [Some(valid), Some(same)]),
            ([no(), no(), no()], [None, None]),
            (
                [said("yes"), Outcome::Hang, Outcome::Gone("x".into())],
                [Some("the call never ended"), Some("the server is gone")],
            ),
        ];
        for (outcomes, expected) in cases {
            let row = |(sort, outcome)| Row {
                way: String::new(),
                sort,
                sent: None,
                outcome,
                n_again: 0,
                seconds: 0.0,
                doubt: None,
            };
            let mut rows: Vec<Row> = ["valid", "invalid", "no"].into_iter().zip(outcomes.clone()).map(row).collect();
            judge(&mut rows);
            let doubts: Vec<Option<&str>> = rows.iter().skip(1).map(|row| row.doubt.as_deref()).collect();
            assert_eq!(doubts, expected, "{outcomes:?}");
            // Asked again, it was answered validly.
            rows.iter_mut().for_each(|row| (row.doubt, row.n_again) = (None, 1));
            judge(&mut rows);
            assert!(rows[1].doubt.as_deref().is_none_or(|doubt| doubt != valid));
        }
    }
}
