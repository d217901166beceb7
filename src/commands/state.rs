//! Where a call stands that was put down (`--stop-on-input --save-state FILE`), written for `mcpcall resume`. The round
//! is kept as the server wrote it, so that its state goes back byte for byte. Headers and environment are not kept: they
//! may hold secrets.

use super::Run;
use crate::cli::{EndingArgs, ServerFlags, Started};
use crate::context::Context;
use crate::failure::{Failure, Kind, Result};
use crate::files::{self, Draft};
use crate::jsonrpc::Raw;
use crate::secrets::{url_has_secrets, url_without_userinfo};
use crate::session::era::revision::Revision;
use crate::session::era::round::Round;
use crate::session::rounds::Standing;
use crate::session::{Call, Session};
use crate::target::config::Named;
use crate::target::{Target, is_named};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A call that was put down.
pub(super) struct State {
    /// `url`, or `command` and `cwd`, or `config` and `name`.
    server: Value,
    /// The version it was made in.
    pub(super) revision: &'static Revision,
    /// The tool.
    pub(super) tool: String,
    /// The params of the call.
    pub(super) params: Value,
    /// What the server asks.
    pub(super) at: Standing,
}

/// The version of the file's format.
const FORMAT: u64 = 1;

impl EndingArgs {
    /// Finds out before the call what would be in the way of putting it down.
    ///
    /// # Errors
    /// `usage`, when flags do not go together, or the file cannot be written.
    pub(super) fn check(&self) -> Result<()> {
        let Some(path) = &self.save_state else { return Ok(()) };
        if !self.stop_on_input {
            return Err(Failure::usage("--save-state goes with --stop-on-input"));
        }
        let in_the_way = |why: &str| Failure::usage(format!("--save-state {}: {why}", path.display()));
        if path.as_os_str() == "-" {
            return Err(in_the_way("stdout is for results; give a file"));
        }
        // Removed again at once; only whether it can be made is of interest.
        Draft::begin_private(path).map(drop).map_err(|e| in_the_way(&e.to_string()))
    }
}

/// The failure that stopping for input is, after writing down where the call stands.
pub(super) fn stop(run: &Run<'_>, session: &Session, call: &Call<'_>, at: &Standing, ending: &EndingArgs) -> Failure {
    let what = format!("{} asks for input: {}", run.target.address(), at.round.gist());
    let mut failure = Failure::new(Kind::Unanswered, what);
    failure.data = at.round.raw.value().ok().and_then(|result| result.get("inputRequests").cloned());
    let Some(path) = &ending.save_state else {
        return failure.hint("--save-state FILE would write down where the call stands");
    };
    let text = text(run, session, call, at);
    match files::write_private(path, text.as_bytes()) {
        Ok(()) => failure.hint(format!("mcpcall resume {} goes on{}", path.display(), again(&run.cli.server))),
        // The server may have acted already, and this is all that is left of it.
        Err(error) => Failure::new(Kind::Internal, format!("--save-state {}: {error}", path.display()))
            .hint("what was to be written:")
            .detail(text),
    }
}

fn text(run: &Run<'_>, session: &Session, call: &Call<'_>, at: &Standing) -> String {
    let server = match &run.target {
        // What a configuration file says is read again: it may have secrets in it.
        _ if run.entry.is_some() => {
            json!({ "config": run.entry.as_ref().map(Named::path), "name": run.entry.as_ref().and_then(|entry| entry.server.clone()) })
        }
        // One with a secret in it is to be given again.
        Target::Url { url, .. } if url_has_secrets(url) => json!({}),
        Target::Url { url, .. } => json!({ "url": url_without_userinfo(url) }),
        Target::Command(spawn) => {
            let words: Vec<&String> = std::iter::once(&spawn.program).chain(&spawn.args).collect();
            let folder = std::path::absolute(spawn.cwd.as_deref().unwrap_or(Path::new(".")));
            json!({ "command": words, "cwd": folder.ok() })
        }
    };
    let head = json!({
        "mcpcall": FORMAT,
        "server": server,
        "protocol": session.date(),
        "params": call.params,
        "round": at.number,
    });
    let head = head.to_string();
    format!("{},\"result\":{}}}\n", head.strip_suffix('}').unwrap_or(&head), at.round.raw.get())
}

/// What the file does not hold, and is to be given again.
fn again(flags: &ServerFlags) -> String {
    let url = flags.url.as_deref().is_some_and(|url| url_has_secrets(url) || url_without_userinfo(url) != url);
    let kept_out = [
        (url, "--url"),
        (!flags.headers.is_empty(), "-H"),
        (!flags.env.is_empty(), "-e"),
        (!flags.input.is_empty(), "--input"),
    ];
    let kept_out: Vec<&str> = kept_out.into_iter().filter_map(|(given, flag)| given.then_some(flag)).collect();
    if kept_out.is_empty() { String::new() } else { format!(", with {} given again", kept_out.join(", ")) }
}

impl State {
    /// Reads what `stop` wrote.
    ///
    /// # Errors
    /// `usage`, naming the file and what is wrong with it.
    pub(super) fn read(path: &Path) -> Result<State> {
        let wrong = |why: &str| Failure::usage(format!("{}: {why}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|e| wrong(&e.to_string()))?;
        let raw = Raw::new(text);
        let names = ["mcpcall", "server", "protocol", "params", "round", "result"];
        let members = raw.members(&names).map_err(|e| wrong(&format!("is not what --save-state writes: {e}")))?;
        let [Some(format), Some(server), Some(protocol), Some(params), Some(number), Some(result)] = members else {
            return Err(wrong(&format!("is not what --save-state writes, which has {}", names.join(", "))));
        };
        if format.get() != FORMAT.to_string() {
            return Err(wrong(&format!("mcpcall is {}, which another version of mcpcall wrote", format.get())));
        }
        let value = |name: &str, raw: &Raw| raw.value().map_err(|e| wrong(&format!("{name} cannot be read: {e}")));
        let date = value("protocol", &protocol)?;
        let revision = date.as_str().and_then(Revision::find).filter(|revision| revision.is_modern);
        let revision = revision.ok_or_else(|| wrong(&format!("protocol is {date}, in which no call is put down")))?;
        let params = value("params", &params)?;
        let tool = params.get("name").and_then(Value::as_str).ok_or_else(|| wrong("params has no name"))?.to_owned();
        let number = number.get().parse().map_err(|_| wrong("round is not a number"))?;
        let kind = result.members(&["resultType"]).ok().and_then(|[kind]| kind);
        if kind.is_none_or(|kind| kind.get() != r#""input_required""#) {
            return Err(wrong("result is not of resultType \"input_required\""));
        }
        let round = Round::read(&result).map_err(|why| wrong(&format!("result {why}")))?;
        let server = value("server", &server)?;
        if let Some(command) = server.get("command")
            && !command.as_array().is_some_and(|words| words.iter().all(Value::is_string))
        {
            return Err(wrong("server/command is not a list of words"));
        }
        let at = Standing { round, number, n_empty: 0 };
        Ok(State { server, revision, tool, params, at })
    }

    /// The server flags of this run, or those of the call that was put down where the user gives no server.
    ///
    /// # Errors
    /// `usage`, when the file names no server.
    pub(super) fn server(
        &self,
        given: &ServerFlags,
        started: &Started,
        context: &Context,
    ) -> Result<(ServerFlags, Started)> {
        let (mut flags, mut started) = (given.clone(), started.clone());
        if is_named(&flags, &started) {
            return Ok((flags, started));
        }
        let text = |key: &str| self.server.get(key).and_then(Value::as_str).map(str::to_owned);
        if let (Some(file), Some(name)) = (text("config"), text("name")) {
            (flags.config, flags.server) = (Some(file.into()), Some(name));
            return Ok((flags, started));
        }
        let words = self.server.get("command").and_then(Value::as_array).into_iter().flatten();
        started.command = words.filter_map(|word| word.as_str().map(str::to_owned)).collect();
        flags.url = text("url");
        let folder = text("cwd").map(PathBuf::from);
        flags.cwd = flags.cwd.or(folder.filter(|_| flags.url.is_none()));
        match flags.url.is_some() || !started.command.is_empty() {
            true => Ok((flags, started)),
            // The environment may name it.
            false if context.var("MCPCALL_URL").is_some() => Ok((flags, started)),
            false => Err(Failure::usage("the saved call names no server; give --url, --stdio or --config")),
        }
    }
}
