//! Form mode: prepared values first, then the person, then the policy.

use super::flags::OnElicit;
use super::{Elicitation, Question, accept, say};
use crate::callbacks::Spoken;
use crate::form::ask::{Filled, fill_in};
use crate::form::{self, Form};
use crate::session::host::Ask;
use crate::terminal::prompter::Leave;
use serde_json::{Map, Value};

impl Elicitation {
    /// Answers a form that no entry of the answer file fits.
    pub(super) async fn by_form(&self, ask: &Ask, question: &Question, message: &str, form: &Form) -> Spoken {
        let given = form.pick(&self.values);
        let prepared = self.has_short_form || !given.is_empty();
        if prepared && form.covers(&given) {
            return match complete(form, &given, true) {
                Ok(content) => Spoken::by_flags(accept(content)),
                Err(why) => {
                    self.misfit(ask, &format!("the prepared answer does not fit the form \"{message}\": {why}"))
                }
            };
        }
        match self.otherwise {
            OnElicit::Prompt => self.by_person(ask, question, message, form, &given).await,
            OnElicit::Fail => self.nobody(ask, question),
            OnElicit::Defaults => match complete(form, &given, true) {
                Ok(content) => Spoken::by_flags(accept(content)),
                Err(_) => self.nobody(ask, question),
            },
            OnElicit::Decline => Spoken::by_flags(say("decline")),
            OnElicit::Cancel => Spoken::by_flags(say("cancel")),
        }
    }

    async fn by_person(
        &self,
        ask: &Ask,
        question: &Question,
        message: &str,
        form: &Form,
        given: &Map<String, Value>,
    ) -> Spoken {
        let Some(mut turn) = self.desk.turn(ask, message).await else { return self.nobody(ask, question) };
        match fill_in(turn.terminal.as_mut(), form, given).await {
            Filled::Content(content) => {
                self.desk.answered();
                Spoken::by_person(accept(content))
            }
            Filled::Left(how) => {
                drop(turn);
                self.desk.left(how).await;
                Spoken::by_person(say(if how == Leave::Decline { "decline" } else { "cancel" }))
            }
        }
    }
}

/// The content to send, or one line on what is wrong with it.
pub(super) fn complete(form: &Form, given: &Map<String, Value>, defaults: bool) -> Result<Map<String, Value>, String> {
    form::complete(form, given, defaults)
        .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
}
