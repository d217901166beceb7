//! Which question an entry fits: all given keys must hold; without any it is the catch-all.

use regex::{Regex, RegexBuilder};
use serde_json::{Map, Value};

/// What is known of a question, whatever its kind.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Subject<'a> {
    /// The tool whose call is under way.
    pub(crate) tool: Option<&'a str>,
    /// The text put to the person.
    pub(crate) message: Option<&'a str>,
    /// Its key, where it belongs to a round.
    pub(crate) key: Option<&'a str>,
    /// The number of the round.
    pub(crate) round: Option<usize>,
}

/// The `match` object of an entry.
#[derive(Debug, Clone, Default)]
pub(crate) struct Matching {
    tool: Option<Pattern>,
    message: Option<Pattern>,
    key: Option<Pattern>,
    round: Option<u64>,
    /// The keys its kind owns.
    pub(crate) own: Map<String, Value>,
}

/// A plain string, which must be equal, or `/re/flags`.
#[derive(Debug, Clone)]
pub(crate) enum Pattern {
    /// Equal to the whole.
    Exact(String),
    /// Found somewhere.
    Regex(Regex),
}

impl Matching {
    /// Reads the object; the error is a place below `match` and one line.
    pub(crate) fn read(value: Option<Value>, own_keys: &[&str]) -> Result<Self, (String, String)> {
        let Some(value) = value else { return Ok(Matching::default()) };
        let Value::Object(mut own) = value else { return Err((String::new(), "is not an object".into())) };
        let mut pattern = |key: &str| match own.remove(key) {
            None => Ok(None),
            Some(value) => Pattern::read(&value).map(Some).map_err(|why| (format!("/{key}"), why)),
        };
        let (tool, message, key) = (pattern("tool")?, pattern("message")?, pattern("key")?);
        let round = own.remove("round").map(|value| match value.as_u64() {
            Some(round) if round > 0 => Ok(round),
            _ => Err(("/round".to_owned(), "is not a number from 1".to_owned())),
        });
        let round = round.transpose()?;
        if let Some(key) = own.keys().find(|key| !own_keys.contains(&key.as_str())) {
            let known: Vec<&str> = ["tool", "message", "key", "round"].iter().chain(own_keys).copied().collect();
            return Err((format!("/{key}"), format!("unknown key (known: {})", known.join(", "))));
        }
        Ok(Matching { tool, message, key, round, own })
    }

    /// Whether the common keys hold.
    pub(crate) fn fits(&self, subject: Subject<'_>) -> bool {
        let holds = |pattern: &Option<Pattern>, text: Option<&str>| {
            pattern.as_ref().is_none_or(|pattern| text.is_some_and(|text| pattern.fits(text)))
        };
        holds(&self.tool, subject.tool)
            && holds(&self.message, subject.message)
            && holds(&self.key, subject.key)
            && self.round.is_none_or(|round| subject.round.is_some_and(|number| number as u64 == round))
    }
}

impl Pattern {
    /// Reads a string of an answer file.
    ///
    /// # Errors
    /// One line, when it is no string or no regular expression.
    pub(crate) fn read(value: &Value) -> Result<Self, String> {
        let text = value.as_str().ok_or("is not a string")?;
        let Some((body, flags)) = text.strip_prefix('/').and_then(|rest| rest.rsplit_once('/')) else {
            return Ok(Pattern::Exact(text.to_owned()));
        };
        let mut builder = RegexBuilder::new(body);
        for flag in flags.chars() {
            match flag {
                'i' => builder.case_insensitive(true),
                'm' => builder.multi_line(true),
                's' => builder.dot_matches_new_line(true),
                'x' => builder.ignore_whitespace(true),
                // What JavaScript needs, regular expressions here do anyway.
                'g' | 'u' => &mut builder,
                // No known flag: a path such as `/usr/bin`, to be taken as it is.
                _ => return Ok(Pattern::Exact(text.to_owned())),
            };
        }
        let why = |e: regex::Error| format!("`{text}` is no regular expression: {}", e.to_string().replace('\n', " "));
        builder.build().map(Pattern::Regex).map_err(why)
    }

    /// Whether a text fits.
    pub(crate) fn fits(&self, text: &str) -> bool {
        match self {
            Pattern::Exact(exact) => exact == text,
            Pattern::Regex(regex) => regex.is_match(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn plain_strings_are_exact_and_slashes_make_a_regular_expression() {
        let cases = [
            ("name", "name", true),
            ("name", "What name?", false),
            ("/name/", "What name?", true),
            ("/NAME/", "What name?", false),
            ("/NAME/i", "What name?", true),
            ("/usr/bin", "/usr/bin", true),
            ("/^a.b$/s", "a\nb", true),
        ];
        for (pattern, text, fits) in cases {
            assert_eq!(Pattern::read(&json!(pattern)).unwrap().fits(text), fits, "{pattern} {text}");
        }
        assert!(Pattern::read(&json!("/(/")).is_err() && Pattern::read(&json!(1)).is_err());
    }

    #[test]
    fn all_given_keys_must_hold_and_none_is_the_catch_all() {
        let subject = Subject { tool: Some("t"), message: Some("What name?"), key: Some("k"), round: Some(2) };
        let cases = [
            (json!({}), true),
            (json!({"tool": "t"}), true),
            (json!({"tool": "t", "message": "/name/"}), true),
            (json!({"tool": "u", "message": "/name/"}), false),
            (json!({"key": "k", "round": 2}), true),
            (json!({"key": "/^x/"}), false),
            (json!({"round": 1}), false),
        ];
        for (value, fits) in cases {
            assert_eq!(Matching::read(Some(value.clone()), &[]).unwrap().fits(subject), fits, "{value}");
        }
        for value in [json!({"tool": "t"}), json!({"key": "k"}), json!({"round": 1})] {
            assert!(!Matching::read(Some(value), &[]).unwrap().fits(Subject::default()));
        }
        for value in [json!({"round": 0}), json!({"round": "1"}), json!({"key": 1})] {
            assert!(Matching::read(Some(value), &[]).is_err());
        }
    }
}
