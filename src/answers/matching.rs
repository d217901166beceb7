//! Which question an entry fits: all given keys must hold; without any it is the catch-all.

use super::mistake::{Reader, Wrong, kind};
use super::number::whole;
use regex::{Regex, RegexBuilder};
use serde_json::Value;
use std::fmt;

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

/// A key of `match` that only one kind has.
pub(crate) enum MatchKey {
    /// A pattern.
    Pattern(&'static str),
    /// A list of names.
    Names(&'static str),
    /// One of these words.
    Word(&'static str, &'static [&'static str]),
}

/// The `match` object of an entry.
#[derive(Debug, Clone, Default)]
pub(crate) struct Matching {
    tool: Option<Pattern>,
    message: Option<Pattern>,
    key: Option<Pattern>,
    round: Option<u64>,
    own: Vec<(&'static str, Own)>,
}

/// What a key of one kind says.
#[derive(Debug, Clone)]
enum Own {
    Pattern(Pattern),
    Names(Vec<String>),
}

/// A plain string, which must be equal, or `/re/flags`; compiled once.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    text: String,
    regex: Option<Regex>,
}

impl MatchKey {
    fn name(&self) -> &'static str {
        match self {
            MatchKey::Pattern(name) | MatchKey::Names(name) | MatchKey::Word(name, _) => name,
        }
    }

    fn read(&self, value: &Value) -> Result<Own, String> {
        match self {
            MatchKey::Pattern(_) => Pattern::read(value).map(Own::Pattern),
            MatchKey::Names(_) => {
                let names = value.as_array().map(|names| names.iter().map(|name| name.as_str().map(str::to_owned)));
                names.and_then(Iterator::collect).map(Own::Names).ok_or_else(|| "is not a list of names".to_owned())
            }
            MatchKey::Word(_, words) => match value.as_str() {
                Some(word) if words.contains(&word) => Ok(Own::Pattern(Pattern::exact(word))),
                _ => Err(format!("{} is none of {}", kind(value), words.join(", "))),
            },
        }
    }
}

impl Matching {
    /// Reads the object.
    pub(super) fn read(value: Option<Value>, pointer: String, keys: &[MatchKey], wrongs: &mut Vec<Wrong>) -> Self {
        let Some(value) = value else { return Matching::default() };
        let Some(mut reader) = Reader::new(value, pointer, "match", wrongs) else { return Matching::default() };
        let pattern = |value: Value| Pattern::read(&value);
        let (tool, message) = (reader.take("tool", pattern), reader.take("message", pattern));
        let key = reader.take("key", pattern);
        let round = reader.take("round", |value| match whole(&value) {
            Some(round) if round > 0 => Ok(round),
            _ => Err(format!("{} is not a number from 1", kind(&value))),
        });
        let own = keys.iter().filter_map(|key| Some((key.name(), reader.take(key.name(), |value| key.read(&value))?)));
        let own = own.collect();
        reader.rest(&[]);
        Matching { tool, message, key, round, own }
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

    /// Whether a key of its kind holds for a text: when it is not given, in any case.
    pub(crate) fn holds(&self, key: &str, text: Option<&str>) -> bool {
        self.pattern(key).is_none_or(|pattern| text.is_some_and(|text| pattern.fits(text)))
    }

    /// The pattern of a key of its kind.
    pub(crate) fn pattern(&self, key: &str) -> Option<&Pattern> {
        self.own.iter().find_map(|(name, own)| match own {
            Own::Pattern(pattern) if *name == key => Some(pattern),
            _ => None,
        })
    }

    /// The names that a key of its kind lists.
    pub(crate) fn names(&self, key: &str) -> &[String] {
        let names = self.own.iter().find_map(|(name, own)| match own {
            Own::Names(names) if *name == key => Some(names.as_slice()),
            _ => None,
        });
        names.unwrap_or_default()
    }

    /// Gives a key of its kind a word, unless it has one: what its entry says only makes sense so.
    pub(crate) fn imply(&mut self, key: &'static str, word: &str) {
        if self.pattern(key).is_none() {
            self.own.push((key, Own::Pattern(Pattern::exact(word))));
        }
    }

    /// Whether there is a pattern for the message.
    pub(crate) fn has_message(&self) -> bool {
        self.message.is_some()
    }

    /// Whether it fits all that the other one fits. False where that cannot be told from the patterns.
    pub(crate) fn covers(&self, other: &Matching) -> bool {
        let covers = |one: &Option<Pattern>, other: &Option<Pattern>| match (one, other) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(one), Some(other)) => one.covers(other),
        };
        let own = |(key, own): &(&'static str, Own)| match own {
            Own::Pattern(pattern) => other.pattern(key).is_some_and(|other| pattern.covers(other)),
            Own::Names(names) => names.iter().all(|name| other.names(key).contains(name)),
        };
        covers(&self.tool, &other.tool)
            && covers(&self.message, &other.message)
            && covers(&self.key, &other.key)
            && self.round.is_none_or(|round| other.round == Some(round))
            && self.own.iter().all(own)
    }
}

impl Pattern {
    fn exact(text: &str) -> Self {
        Pattern { text: text.to_owned(), regex: None }
    }

    /// Reads a string of an answer file.
    ///
    /// # Errors
    /// One line, when it is no string or no regular expression.
    pub(crate) fn read(value: &Value) -> Result<Self, String> {
        let text = value.as_str().ok_or_else(|| format!("{} is not a string", kind(value)))?;
        let Some((body, flags)) = text.strip_prefix('/').and_then(|rest| rest.rsplit_once('/')) else {
            return Ok(Pattern::exact(text));
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
                _ => return Ok(Pattern::exact(text)),
            };
        }
        let why = |e: regex::Error| {
            // The lines before the last draw what the last one says.
            let words = e.to_string();
            let last = words.lines().last().unwrap_or_default();
            format!("`{text}` is no regular expression: {}", last.strip_prefix("error: ").unwrap_or(last))
        };
        let regex = builder.build().map(Some).map_err(why)?;
        Ok(Pattern { text: text.to_owned(), regex })
    }

    /// Whether it is a regular expression.
    pub(crate) fn is_regex(&self) -> bool {
        self.regex.is_some()
    }

    /// Whether a text fits.
    pub(crate) fn fits(&self, text: &str) -> bool {
        match &self.regex {
            None => self.text == text,
            Some(regex) => regex.is_match(text),
        }
    }

    fn covers(&self, other: &Pattern) -> bool {
        match other.regex {
            None => self.fits(&other.text),
            Some(_) => self.regex.is_some() && self.text == other.text,
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.regex {
            None => write!(f, "{}", Value::from(self.text.as_str())),
            Some(_) => f.write_str(&self.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const KEYS: &[MatchKey] =
        &[MatchKey::Pattern("host"), MatchKey::Names("fields"), MatchKey::Word("mode", &["form", "url"])];

    fn read(value: &Value) -> Result<Matching, String> {
        let mut wrongs = Vec::new();
        let matching = Matching::read(Some(value.clone()), String::new(), KEYS, &mut wrongs);
        wrongs.first().map_or(Ok(matching), |wrong| Err(format!("{}: {}", wrong.path, wrong.why)))
    }

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
        assert_eq!(Pattern::read(&json!("/(/")).unwrap_err(), "`/(/` is no regular expression: unclosed group");
        assert_eq!(Pattern::read(&json!(1)).unwrap_err(), "1 is not a string");
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
            (json!({"round": 2.0}), true),
            (json!({"key": "/^x/"}), false),
            (json!({"round": 1}), false),
        ];
        for (value, fits) in cases {
            assert_eq!(read(&value).unwrap().fits(subject), fits, "{value}");
        }
        for value in [json!({"tool": "t"}), json!({"key": "k"}), json!({"round": 1})] {
            assert!(!read(&value).unwrap().fits(Subject::default()));
        }
    }

    #[test]
    fn the_keys_of_a_kind_hold_for_what_it_has() {
        let matching = read(&json!({"host": "/example/", "fields": ["a", "b"], "mode": "url"})).unwrap();
        assert!(matching.holds("host", Some("pay.example.com")) && matching.holds("url", None));
        assert!(!matching.holds("host", Some("other")) && !matching.holds("host", None));
        assert!(matching.holds("mode", Some("url")) && !matching.holds("mode", Some("form")));
        assert_eq!(matching.names("fields"), ["a", "b"]);
        assert!(matching.names("mode").is_empty());
    }

    #[test]
    fn what_makes_no_sense_is_a_mistake() {
        for (value, words) in [
            (json!(1), ": match is an object, not 1"),
            (json!({"round": 0}), "/round: 0 is not a number from 1"),
            (json!({"round": "1"}), "/round: \"1\" is not a number from 1"),
            (json!({"key": 1}), "/key: 1 is not a string"),
            (json!({"fields": ["a", 1]}), "/fields: is not a list of names"),
            (json!({"mode": "uri"}), "/mode: \"uri\" is none of form, url"),
            (
                json!({"mesage": "x"}),
                "/mesage: unknown key, did you mean message? (known: tool, message, key, round, host, fields, mode)",
            ),
        ] {
            assert_eq!(read(&value).unwrap_err(), words);
        }
    }

    #[test]
    fn one_covers_another_where_it_can_be_told() {
        for (one, other, covers) in [
            (json!({}), json!({"tool": "t", "round": 2}), true),
            (json!({"tool": "t"}), json!({}), false),
            (json!({"tool": "t"}), json!({"tool": "t", "message": "m"}), true),
            (json!({"message": "/name/"}), json!({"message": "What name?"}), true),
            (json!({"message": "/name/"}), json!({"message": "/name/"}), true),
            (json!({"message": "/name/"}), json!({"message": "/names/"}), false),
            (json!({"message": "name"}), json!({"message": "/name/"}), false),
            (json!({"round": 1}), json!({"round": 2}), false),
            (json!({"fields": ["a"]}), json!({"fields": ["b", "a"]}), true),
            (json!({"fields": ["a", "c"]}), json!({"fields": ["b", "a"]}), false),
            (json!({"mode": "form"}), json!({}), false),
        ] {
            assert_eq!(read(&one).unwrap().covers(&read(&other).unwrap()), covers, "{one} {other}");
        }
    }
}
