//! One file a verb. Here: which verb, and the one `match` that turns the outcome into an exit code; `run` has what
//! verbs share, `verdict` decides what the outcome is.

mod answers;
mod batch;
mod both;
mod call;
mod check;
mod complete;
pub(crate) mod completions;
mod credentials;
mod dial;
mod fault;
mod info;
mod inputs;
mod known;
mod list;
mod listen;
mod login;
mod man;
mod matrix;
mod overlay;
mod paste;
mod ping;
mod prompt;
mod read;
mod recorder;
mod registry;
mod request;
mod resume;
mod run;
mod shell;
mod show;
mod signals;
mod state;
mod traced;
mod typed;
mod verdict;

use crate::cli::auth::AuthVerb;
use crate::cli::{self, CallArgs, Cli, Started, Verb};
use crate::context::Context;
use crate::failure::{Failure, Result};
use crate::output::error;
use crate::target::check_server;
use crate::terminal::Screen;
pub(crate) use completions::complete;
pub(crate) use fault::watch;
use run::{Run, check_files, for_many};
use std::sync::Arc;

/// Runs the verb and says how it ended: the exit code.
pub(crate) fn run(mut cli: Cli, context: Context) -> u8 {
    let screen = Arc::new(Screen::new(&context));
    let json = cli.output.settle();
    let outcome = verb(cli, &context, &screen);
    screen.settle();
    match outcome {
        Ok(()) => 0,
        Err(failure) => {
            error::show(&screen, &failure, json);
            failure.kind.exit()
        }
    }
}

/// What clap could not turn into a command line: help and version go to stdout, mistakes become a failure.
pub(crate) fn not_understood(error: &clap::Error, context: &Context) -> u8 {
    if error.exit_code() == 0 {
        // A closed stdout is no reason to complain.
        let _ = error.print();
        return 0;
    }
    let failure = cli::mistake(error);
    error::show(&Screen::new(context), &failure, asks_for_json(context));
    failure.kind.exit()
}

/// Whether `--json` is among the arguments, before they are understood.
fn asks_for_json(context: &Context) -> bool {
    context.args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--json")
}

fn verb(mut cli: Cli, context: &Context, screen: &Arc<Screen>) -> Result<()> {
    let verb = cli.verb.take();
    if let (Some(_), Some(tool)) = (&verb, &cli.tool) {
        return Err(Failure::usage(format!("two things to do: {tool} and a verb"))
            .hint("the arguments of a tool are name=VALUE; a tool that is named like a verb is called with `mcpcall call TOOL`"));
    }
    if let Some(flag) = cli::lost_flag(&cli, &context.args) {
        return Err(Failure::usage(format!("{flag} stands on both sides of the verb; give it on one side")));
    }
    // What a matrix uses of the answers is not what it leaves unused.
    let is_matrix = cli.call.matrix || matches!(&verb, Some(Verb::Call { call, .. }) if call.matrix);
    // Nor does a shell have to come to the end of them.
    cli.elicitation.lenient_answers |= is_matrix || matches!(verb, Some(Verb::Shell { .. }));
    cli.auth.is_wanted = matches!(verb, Some(Verb::Login));
    crate::complexity::allow(cli.connection.max_complexity);
    let run = |started: &Started| Run::new(&cli, context, screen, started, &|_| Ok(()));
    let run_many = |started: &Started, what: &str| {
        Run::new(&cli, context, screen, started, &|registry| for_many(registry, &format!("{what} makes many")))
    };
    match verb {
        Some(Verb::Call { tool, mut call }) => {
            call.add(&cli.call);
            call_tool(&cli, context, screen, &tool, &call)
        }
        Some(Verb::List { what, started }) => {
            let run = run(&started)?;
            run.to_the_end(run.connected(async |session| list::list(&run, session, what).await))
        }
        Some(Verb::Show { tool, started }) => {
            let run = run(&started)?;
            run.to_the_end(run.connected(async |session| show::show(&run, session, &tool).await))
        }
        Some(Verb::Read { uri, started }) => {
            let run = run(&started)?;
            run.to_the_end(run.connected(async |session| read::read(&run, session, &uri).await))
        }
        Some(Verb::Prompt { name, args, no_validate, started }) => {
            let mut call = CallArgs { args, no_validate, ..CallArgs::default() };
            call.add(&cli.call);
            check_server(&cli.server, &started, context)?;
            let prepared = call::prepare(context, &call)?;
            let run = run(&started)?;
            run.to_the_end(run.connected(async |session| prompt::prompt(&run, session, &name, &prepared).await))
        }
        Some(Verb::Complete { reference, argument, others, started }) => {
            let wanted = complete::wanted(&reference, &argument, &others)?;
            let run = run(&started)?;
            run.to_the_end(run.connected(async |session| complete::complete(&run, session, &wanted).await))
        }
        Some(Verb::Ping { count, started }) => {
            let run = run(&started)?;
            run.to_the_end(run.connected(async |session| ping::ping(&run, session, count).await))
        }
        Some(Verb::Resume { file, mut ending, started }) => {
            ending.add(&cli.call.ending);
            let state = state::State::read(&file)?;
            let (flags, started) = state.server(&cli.server, &started, context)?;
            cli.server = flags;
            check_files(&cli, &ending)?;
            ending.check()?;
            let run = Run::new(&cli, context, screen, &started, &|_| Ok(()))?.reporting(&ending, &state.tool)?;
            run.to_the_end(resume::resume(&run, state, &ending))
        }
        Some(Verb::Listen { uris, count, started }) => {
            let run = run(&started)?;
            run.to_the_end(listen::listen(&run, &uris, count))
        }
        Some(Verb::Request { method, params, started }) => {
            check_server(&cli.server, &started, context)?;
            let params = request::params(context, params.as_deref())?;
            let run = run(&started)?;
            run.to_the_end(run.connected(async |session| request::request(&run, session, &method, params).await))
        }
        Some(Verb::Info { started }) => {
            let run = run(&started)?;
            run.to_the_end(info::info(&run))
        }
        Some(Verb::Batch { file, args, started }) => {
            let plan = batch::Plan::new(&cli, context, &file, &args)?;
            let run = run_many(&started, "a batch")?;
            run.to_the_end(run.connected(async |session| batch::batch(&run, session, plan).await))
        }
        Some(Verb::Shell { no_history, started }) => {
            let seat = shell::Seat::find(context, screen, !no_history)?;
            let run = run_many(&started, "a shell")?;
            run.registry.folders().let_change();
            run.to_the_end(run.connected(async |session| shell::shell(&run, session, seat).await))
        }
        Some(Verb::Login) => {
            let run = run(&Started::default())?;
            run.to_the_end(login::login(&run))
        }
        Some(Verb::Logout) => {
            let run = run(&Started::default())?;
            run.to_the_end(login::logout(&run))
        }
        Some(Verb::Auth { verb: AuthVerb::Status }) => login::status(&cli, context),
        Some(Verb::Answers { verb }) => answers::answers(&cli, context, screen, &verb),
        Some(Verb::Completions { shell }) => completions::completions(context, shell),
        Some(Verb::Man) => man::man(context),
        None => match &cli.tool {
            Some(tool) => call_tool(&cli, context, screen, tool, &cli.call),
            None => Err(Failure::usage("which tool? mcpcall TOOL [ARG]... --url URL").hint("mcpcall --help says more")),
        },
    }
}

fn call_tool(cli: &Cli, context: &Context, screen: &Arc<Screen>, tool: &str, call: &CallArgs) -> Result<()> {
    call.ending.check()?;
    check_files(cli, &call.ending)?;
    check_server(&cli.server, &call.started, context)?;
    let prepared = call::prepare(context, call)?;
    let check = |registry: &_| call::check(cli, registry, tool, call);
    let run = Run::new(cli, context, screen, &call.started, &check)?.reporting(&call.ending, tool)?;
    run.to_the_end(call::call(&run, tool, &prepared))
}
