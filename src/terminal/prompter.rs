//! Questions to a person: a line of text, a longer text, one of a list, several of a list. The trait is what `form`
//! asks through; `drawn` is the one with a screen, `plain` the one for a terminal that only prints. Every question can
//! be declined or cancelled by hand, and says how.

use std::future::Future;
use std::pin::Pin;

/// What a person said to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said<T> {
    /// An answer.
    Given(T),
    /// Back to the question before.
    Back,
    /// No answer.
    Left(Leave),
}

impl<T> Said<T> {
    /// The same with another answer.
    pub(crate) fn map<U>(self, into: impl FnOnce(T) -> U) -> Said<U> {
        match self {
            Said::Given(value) => Said::Given(into(value)),
            Said::Back => Said::Back,
            Said::Left(how) => Said::Left(how),
        }
    }
}

/// How a person left a question without answering it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leave {
    /// An explicit no.
    Decline,
    /// Dismissed.
    Cancel,
    /// ^C: dismissed too, and a second one ends the run.
    Interrupt,
    /// The terminal is gone, or its input has ended.
    Gone,
}

/// Says why a text is no answer, in words for the person; `Ok` accepts it.
pub(crate) type Check<'a> = &'a (dyn Fn(&str) -> Result<(), String> + Sync);

/// A question for a line of text.
pub(crate) struct Line<'a> {
    /// Its label.
    pub(crate) label: &'a str,
    /// Explained below, when there is something to explain.
    pub(crate) help: &'a str,
    /// To begin with.
    pub(crate) initial: &'a str,
    /// Whether to accept.
    pub(crate) check: Check<'a>,
    /// What Enter does with an answer: `send`, `next`.
    pub(crate) enter: &'a str,
    /// Whether there is a question to go back to.
    pub(crate) can_go_back: bool,
    /// Whether the text can be taken into the person's editor: the extension of the file (`txt`).
    pub(crate) in_editor: Option<&'static str>,
    /// Whether what is typed must not be seen.
    pub(crate) is_secret: bool,
}

/// A question for a text of several lines, written in the person's editor.
pub(crate) struct Edit<'a> {
    /// Its label.
    pub(crate) label: &'a str,
    /// Explained below, when there is something to explain.
    pub(crate) help: &'a str,
    /// What stands in the file at first.
    pub(crate) initial: &'a str,
    /// What the file's name ends in: `txt`, `json`.
    pub(crate) extension: &'static str,
    /// Whether to accept.
    pub(crate) check: Check<'a>,
    /// Whether there is a question to go back to.
    pub(crate) can_go_back: bool,
}

/// A question with a list of answers.
pub(crate) struct Choose<'a> {
    /// Its label.
    pub(crate) label: &'a str,
    /// Explained below, when there is something to explain.
    pub(crate) help: &'a str,
    /// The answers as shown.
    pub(crate) options: &'a [String],
    /// Marked at first.
    pub(crate) at: usize,
    /// Whether there is a question to go back to.
    pub(crate) can_go_back: bool,
}

/// An answer to come.
pub(crate) type Asking<'a, T> = Pin<Box<dyn Future<Output = Said<T>> + Send + 'a>>;

/// Says why a set of rows is no answer; `Ok` accepts it.
pub(crate) type CheckRows<'a> = &'a (dyn Fn(&[usize]) -> Result<(), String> + Sync);

/// Whatever can put questions to a person.
pub(crate) trait Prompter: Send {
    /// Shows text that stays.
    fn say(&mut self, text: &str);
    /// Shows the server's own words, so that none of them passes for ours.
    fn quote(&mut self, text: &str) {
        self.say(text);
    }
    /// What is asked from here on is no question of a server's: there is nobody to tell no, and `cancel` says what leaving
    /// means ("Cancel: do not call it").
    fn only_cancels(&mut self, cancel: &'static str);
    /// Asks for a line of text.
    fn line<'a>(&'a mut self, question: Line<'a>) -> Asking<'a, String>;
    /// Asks for a text of several lines.
    fn edit<'a>(&'a mut self, question: Edit<'a>) -> Asking<'a, String>;
    /// Asks for one of a list; gives its index.
    fn choose<'a>(&'a mut self, question: Choose<'a>) -> Asking<'a, usize>;
    /// Asks for several of a list, some ticked at first; gives their indices.
    fn choose_many<'a>(
        &'a mut self,
        question: Choose<'a>,
        ticked: &'a [usize],
        check: CheckRows<'a>,
    ) -> Asking<'a, Vec<usize>>;
}

/// A label that is a question stands for itself.
pub(super) fn with_colon(label: &str) -> String {
    if label.ends_with(['?', '？', ':']) { label.to_owned() } else { format!("{label}:") }
}

/// A longer text in a few words: its first line, and how many there are.
pub(super) fn summary(text: &str) -> String {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim_end();
    match text.lines().count() {
        0 | 1 => first.to_owned(),
        n_lines => format!("{first} … ({n_lines} lines)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_named_by_its_first_line() {
        for (text, shown) in [("", ""), ("one", "one"), ("one\ntwo", "one … (2 lines)"), ("\n{\n}", "{ … (3 lines)")]
        {
            assert_eq!(summary(text), shown);
        }
    }
}
