//! The look over a form, put to the person: send it, change a field, add to a list or take from it, or leave.

use super::Session;
use super::draft::Draft;
use super::review::{self, Does};
use super::steps::{self, Step, What};
use crate::terminal::prompter::{Choose, Leave, Said};

/// What the look over the form led to.
pub(super) enum Next {
    Send,
    Look,
    Left(Leave),
}

impl Session<'_> {
    /// The look over the whole form, and a change where one is wanted.
    pub(super) async fn review(&mut self) -> Next {
        let rows = review::rows(&self.form.top, &self.draft, &|n| self.is_asked(n));
        let mut options = vec![self.purpose.send.to_owned()];
        options.extend(rows.iter().map(|row| row.text.clone()));
        options.extend(self.purpose.decline.map(str::to_owned));
        options.push(self.purpose.cancel.to_owned());
        let help = review::warning(&self.form.top, &self.draft);
        let question =
            Choose { label: self.purpose.question, help: &help, options: &options, at: 0, can_go_back: false };
        let chosen = match self.prompter.choose(question).await {
            Said::Given(0) => return Next::Send,
            Said::Given(chosen) => chosen,
            Said::Back => return Next::Look,
            Said::Left(how) => return Next::Left(how),
        };
        let said = match rows.into_iter().nth(chosen - 1) {
            Some(row) => match row.does {
                Does::Change => self.change(&row.path, 0).await,
                Does::Extend { may_grow, may_go } => self.extend(&row.path, may_grow, may_go).await,
                Does::Item { may_go } => self.change_item(&row.path, may_go).await,
            },
            None if chosen + 1 < options.len() => Said::Left(Leave::Decline),
            None => Said::Left(Leave::Cancel),
        };
        match said {
            Said::Left(how) => Next::Left(how),
            _ => Next::Look,
        }
    }

    async fn extend(&mut self, path: &[usize], may_grow: bool, may_go: bool) -> Said<()> {
        const ADD: &str = "Add another";
        const GO: &str = "Remove all: leave it out";
        let rows = [("Go through all", true), (ADD, may_grow), (GO, may_go)];
        let rows: Vec<String> = rows.iter().filter(|(_, may)| *may).map(|(row, _)| (*row).to_owned()).collect();
        let label = self.label_at(path);
        let question = Choose { label: &label, help: "", options: &rows, at: 0, can_go_back: true };
        match self.prompter.choose(question).await {
            Said::Given(row) if rows[row] == ADD => {
                let steps: Vec<Step<'_>> =
                    self.steps().into_iter().filter(|step| step.path.starts_with(path)).collect();
                let goes_on = |step: &Step<'_>| matches!(step.what, What::More { .. }) && step.path == path;
                let last = steps.iter().rposition(goes_on).unwrap_or(steps.len());
                self.change(path, last).await
            }
            Said::Given(row) if rows[row] == GO => {
                match self.draft.at(&self.form.top, path) {
                    Some((Draft::List(items), _)) => items.clear(),
                    Some((Draft::Group { entries, .. }, _)) => entries.clear(),
                    _ => {}
                }
                Said::Given(())
            }
            Said::Given(_) => self.change(path, 0).await,
            Said::Back => Said::Back,
            Said::Left(how) => Said::Left(how),
        }
    }

    async fn change_item(&mut self, path: &[usize], may_go: bool) -> Said<()> {
        let options = ["Change".to_owned(), "Remove".to_owned()];
        let label = self.label_at(path);
        let question = Choose { label: &label, help: "", options: &options, at: 0, can_go_back: true };
        let row = if may_go { self.prompter.choose(question).await } else { Said::Given(0) };
        match (row, path.split_last()) {
            (Said::Given(1), Some((last, list))) => {
                match self.draft.at(&self.form.top, list) {
                    Some((Draft::List(items), _)) => {
                        items.remove(*last);
                    }
                    Some((Draft::Group { members, entries, .. }, _)) => {
                        entries.remove(last - members.len());
                    }
                    _ => {}
                }
                Said::Given(())
            }
            (Said::Given(_), _) => self.change(path, 0).await,
            (Said::Back, _) => Said::Back,
            (Said::Left(how), _) => Said::Left(how),
        }
    }

    fn label_at(&self, path: &[usize]) -> String {
        steps::label_at(&self.form.top, &self.draft, path).unwrap_or_default()
    }
}
