//! Values that are never shown, such as tokens: whoever learns of one says so, and it is hidden wherever it comes back.

use crate::failure::Failure;
use crate::sync::lock;
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Mutex;

/// Shorter ones are words and numbers that may mean anything.
const SHORTEST: usize = 6;

/// How much of a value tells it where a text is cut within it.
const BEGINNING: usize = 8;

/// How many are remembered: renewed tokens come for ever, and old ones are of no use.
const MOST: usize = 1000;

/// The values that are known so far, in each way that they are written.
#[derive(Default)]
pub(crate) struct Concealed(Mutex<Vec<String>>);

impl Concealed {
    /// Hides a value from here on.
    pub(crate) fn add(&self, value: &str) {
        let json = Value::from(value).to_string();
        let forms = [
            value.to_owned(),
            json[1..json.len() - 1].to_owned(),
            form_urlencoded::byte_serialize(value.as_bytes()).collect(),
        ];
        let mut known = lock(&self.0);
        for form in forms {
            if value.len() >= SHORTEST && !known.contains(&form) {
                known.push(form);
            }
        }
        let n_old = known.len().saturating_sub(MOST);
        known.drain(..n_old);
    }

    /// A text without any of them.
    pub(crate) fn hide<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let known = lock(&self.0);
        let mut shown = Cow::Borrowed(text);
        // What holds another goes first.
        let mut known: Vec<&String> = known.iter().collect();
        known.sort_by_key(|value| std::cmp::Reverse(value.len()));
        for value in known {
            if let Some(less) = without(&shown, value) {
                shown = Cow::Owned(less);
            }
        }
        shown
    }

    /// The same for all texts in a value; numbers stay.
    pub(crate) fn hide_in(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Cow::Owned(less) = self.hide(text) {
                    *text = less;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.hide_in(item)),
            Value::Object(members) => {
                let all = std::mem::take(members).into_iter();
                members.extend(all.map(|(name, mut value)| {
                    self.hide_in(&mut value);
                    (self.hide(&name).into_owned(), value)
                }));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// The same for a failure, which may repeat what a server said.
    pub(crate) fn hide_of(&self, mut failure: Failure) -> Failure {
        let hide = |text: &str| self.hide(text).into_owned();
        failure.message = hide(&failure.message);
        failure.hints = failure.hints.iter().map(|hint| hide(hint)).collect();
        failure.detail = failure.detail.as_deref().map(hide);
        failure.data.iter_mut().for_each(|data| self.hide_in(data));
        failure
    }
}

/// `text` with `***` for each `value`, also where the end of the text, or `…`, cuts it; `None` when there is none.
fn without(text: &str, value: &str) -> Option<String> {
    let beginning = value.get(..BEGINNING).unwrap_or(value);
    let mut shown: Option<String> = None;
    let (mut next, mut done) = (0, 0);
    while let Some(at) = text[next..].find(beginning) {
        let at = next + at;
        let found = &text[at..];
        let same: usize = found.chars().zip(value.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
        let is_cut = matches!(found[same..].chars().next(), None | Some('…'));
        if same == value.len() || is_cut {
            let shown = shown.get_or_insert_default();
            shown.push_str(&text[done..at]);
            shown.push_str("***");
            (next, done) = (at + same, at + same);
        } else {
            // The value may begin within what looked like its beginning.
            next = at + found.chars().next().map_or(1, char::len_utf8);
        }
    }
    let mut shown = shown?;
    shown.push_str(&text[done..]);
    Some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_is_hidden_however_it_is_written() {
        let concealed = Concealed::default();
        ["t0ken-1234567890", "a\"b/c+d e", "short", "aaaaaaaaab"].iter().for_each(|value| concealed.add(value));
        for (text, expected) in [
            ("Bearer t0ken-1234567890, t0ken-1234567890!", "Bearer ***, ***!"),
            ("t0ken-1234 is another, t0ken-1234567890 is it", "t0ken-1234 is another, *** is it"),
            ("cut at t0ken-123", "cut at ***"),
            ("cut at t0ken-123…", "cut at ***…"),
            ("t0ken", "t0ken"),
            (r#"{"x":"a\"b/c+d e"}"#, r#"{"x":"***"}"#),
            ("x=a%22b%2Fc%2Bd+e&y", "x=***&y"),
            ("short é words", "short é words"),
            ("aaaaaaaaaaab aaaaaaaab", "aa*** aaaaaaaab"),
        ] {
            assert_eq!(concealed.hide(text), expected);
        }
        let mut value = json!({ "t0ken-1234567890": ["x t0ken-1234567890", 1] });
        concealed.hide_in(&mut value);
        assert_eq!(value, json!({ "***": ["x ***", 1] }));
        let failure = Failure::usage("t0ken-1234567890").hint("t0ken-1234567890").detail("t0ken-1234567890");
        assert!(!format!("{:?}", concealed.hide_of(failure)).contains("t0ken"));
    }

    #[test]
    fn only_the_newest_are_remembered() {
        let concealed = Concealed::default();
        (0..MOST * 2).for_each(|n| concealed.add(&format!("value-{n:08}")));
        assert_eq!(lock(&concealed.0).len(), MOST);
        assert_eq!(concealed.hide(&format!("value-{:08}", MOST * 2 - 1)), "***");
    }
}
