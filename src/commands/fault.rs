//! How a run ends from where there is no way back to `main`: by a panic, of which one line tells, with the exit code of
//! `internal`; or by a signal that it does not hear. The terminal is given back. Nothing else is tidied up; what was
//! started is ended by the guard.

use super::asks_for_json;
use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::output::error;
use crate::terminal::{Screen, lent};
use std::panic::{self, PanicHookInfo};

/// From now on faults end the run like that, on whatever thread they happen.
#[expect(clippy::disallowed_methods, reason = "there is no way back to main from here")]
pub(crate) fn watch(context: &Context) {
    let json = asks_for_json(context);
    let screen = Screen::new(context);
    let is_traced = context.var("RUST_BACKTRACE").is_some_and(|value| value != "0");
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        lent::give_back();
        if is_traced {
            usual(panic);
        }
        error::show(&screen, &failure(panic), json);
        std::process::exit(Kind::Internal.exit().into());
    }));
}

/// Ends a run that hears nothing any more, without a word: stderr may be what it is stuck at.
#[expect(clippy::disallowed_methods, reason = "there is no way back to main from here")]
pub(super) fn leave(kind: Kind) -> ! {
    lent::give_back();
    std::process::exit(kind.exit().into())
}

/// What is told has nothing of what a server sent in it: words that were made for the occasion are left out.
fn failure(panic: &PanicHookInfo<'_>) -> Failure {
    let place = panic.location().map(|place| format!(" at {}:{}", place.file(), place.line()));
    let words = panic.payload().downcast_ref::<&str>().map(|words| format!(": {words}"));
    let message = format!("a fault in mcpcall{}{}", place.unwrap_or_default(), words.unwrap_or_default());
    Failure::new(Kind::Internal, message).hint("this should not happen; with RUST_BACKTRACE=1 it says more")
}
