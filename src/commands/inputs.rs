//! What a configuration file wants to be asked for, before the server is started.

use super::signals;
use crate::failure::{Failure, Kind, Result};
use crate::session::Stop;
use crate::target::config::input::Input;
use crate::terminal::prompter::{Choose, Leave, Line, Prompter, Said};
use crate::terminal::sanitize::one_line;
use crate::terminal::style::Style;
use crate::terminal::{Screen, Tty};
use std::sync::Arc;

/// Asks a person for each; gives the values in the same order.
///
/// # Errors
/// `usage`, when one is left without a value; `interrupted`, `terminated`.
pub(super) fn ask(
    tty: &Tty,
    screen: &Arc<Screen>,
    style: Style,
    file: &str,
    server: &str,
    inputs: &[Input],
) -> Result<Vec<String>> {
    let fault = |e: std::io::Error| Failure::new(Kind::Internal, format!("cannot ask: {e}"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(fault)?;
    let outcome = runtime.block_on(async {
        let stop = Stop::default();
        let _signals = signals::Signals::listen(stop.clone())?;
        let mut prompter = tty.ask(screen.clone(), style).map_err(fault)?;
        prompter.only_cancels("Cancel: do not start it");
        prompter.say(&format!("\n{} needs ({}):\n", one_line(server, 80), one_line(file, 200)));
        tokio::select! {
            said = ask_all(prompter.as_mut(), inputs) => said,
            failure = stop.stopped() => Err(failure),
        }
    });
    runtime.shutdown_background();
    outcome
}

async fn ask_all(prompter: &mut dyn Prompter, inputs: &[Input]) -> Result<Vec<String>> {
    let mut values: Vec<String> = Vec::new();
    while let Some(input) = inputs.get(values.len()) {
        match ask_one(prompter, input, !values.is_empty(), values.len() + 1 == inputs.len()).await {
            Said::Given(value) => values.push(value),
            Said::Back => drop(values.pop()),
            Said::Left(Leave::Interrupt) => return Err(Stop::failure(Kind::Interrupted)),
            Said::Left(_) => {
                let what = format!("the input {} was given no value", input.id);
                return Err(Failure::usage(what).hint(format!("--input {}=VALUE gives it", input.id)));
            }
        }
    }
    Ok(values)
}

async fn ask_one(prompter: &mut dyn Prompter, input: &Input, can_go_back: bool, is_last: bool) -> Said<String> {
    let (label, help) = (input.label(), if input.label() == input.id { "" } else { input.id.as_str() });
    let initial = input.default.as_deref().unwrap_or_default();
    if !input.options.is_empty() {
        let options: Vec<String> = input.options.iter().map(|(label, _)| label.clone()).collect();
        let at = input.options.iter().position(|(_, value)| value == initial).unwrap_or_default();
        let question = Choose { label, help, options: &options, at, can_go_back };
        return prompter.choose(question).await.map(|row| input.options[row].1.clone());
    }
    let check = |text: &str| if text.is_empty() { Err("a value is needed here".to_owned()) } else { Ok(()) };
    let enter = if is_last { "start" } else { "next" };
    let is_secret = input.is_secret;
    prompter.line(Line { label, help, initial, check: &check, enter, can_go_back, in_editor: None, is_secret }).await
}

/// The failure that it is when nobody can be asked.
pub(super) fn unasked(file: &str, server: &str, inputs: &[Input]) -> Failure {
    let ids: Vec<&str> = inputs.iter().map(|input| input.id.as_str()).collect();
    let what = format!("{file}: server {server} needs the input {}, and nobody can be asked", ids.join(", "));
    let flags: Vec<String> = ids.iter().map(|id| format!("--input {id}=VALUE")).collect();
    Failure::usage(what).hint(format!("give {}", flags.join(" ")))
}
