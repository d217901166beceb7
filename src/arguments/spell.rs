//! An `arguments` object → the items that make it: what to type, the other way round.

use super::nested::Known;
use super::{Files, Item, build_by};
use serde_json::{Map, Value};

/// An argument of more items than this is JSON.
const MAX_ITEMS: usize = 50;

/// The shortest items that make each of the arguments by this schema; JSON where nothing shorter does. What cannot be typed
/// as an item, or would steer a terminal, goes into an object before them.
pub(crate) fn spell(arguments: &Map<String, Value>, schema: &Value) -> Vec<String> {
    let (mut words, mut base) = (Vec::new(), Map::new());
    let known = Known::new(schema);
    for (name, value) in arguments {
        let mut plain = Vec::new();
        pairs(&key(name), value, &mut plain);
        let expected = Map::from_iter([(name.clone(), value.clone())]);
        if plain.len() > MAX_ITEMS || !made(&plain, &known).is_some_and(|made| made == expected) {
            plain = vec![format!("{}:={value}", key(name))];
        }
        match name.is_empty() || plain.iter().any(|word| word.contains(is_unseen)) {
            true => drop(base.insert(name.clone(), value.clone())),
            false => words.extend(plain),
        }
    }
    if !base.is_empty() {
        words.insert(0, seen(&Value::from(base).to_string()));
    }
    words
}

/// Characters that are not seen for what they are.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// JSON with such characters escaped.
fn seen(json: &str) -> String {
    let one = |c: char| if is_unseen(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    json.chars().map(one).collect()
}

fn pairs(key_so_far: &str, value: &Value, words: &mut Vec<String>) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            members.iter().for_each(|(name, value)| pairs(&format!("{key_so_far}.{}", key(name)), value, words));
        }
        Value::String(text) if text.starts_with('@') => words.push(format!("{key_so_far}=@{text}")),
        Value::String(text) => words.push(format!("{key_so_far}={text}")),
        other => words.push(format!("{key_so_far}={other}")),
    }
}

/// What the words make.
fn made(words: &[String], known: &Known<'_>) -> Option<Map<String, Value>> {
    let items = words.iter().map(|word| Item::parse(word)).collect::<crate::failure::Result<Vec<_>>>().ok()?;
    build_by(&items, known, &NoFiles, false).ok()
}

/// A name with whatever would separate something made ordinary.
fn key(name: &str) -> String {
    let mut key = String::new();
    for (at, c) in name.char_indices() {
        let is_last = at + c.len_utf8() == name.len();
        if "=.\\".contains(c) || at == 0 && "@{-".contains(c) || is_last && c == ':' {
            key.push('\\');
        }
        key.push(c);
    }
    key
}

struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _path: &str) -> Result<Vec<u8>, String> {
        Err("no files here".into())
    }
    fn stdin(&self) -> Result<Vec<u8>, String> {
        Err("no files here".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_spelled_is_read_as_it_was() {
        let schema = json!({ "type": "object", "properties": {
            "text": { "type": "string" }, "n": { "type": "integer" }, "yes": { "type": "boolean" },
            "to": { "type": "object", "properties": { "city": { "type": "string" } } },
            "list": { "type": "array", "items": { "type": "integer" } }, "a.b": { "type": "string" },
            "=": { "type": "string" }, "@x": { "type": "string" }, "-": { "type": "string" }, "e:": { "type": "string" },
            "any": {} } });
        for (arguments, expected) in [
            (json!({"text": "a b"}), vec!["text=a b"]),
            (json!({"text": "@file"}), vec!["text=@@file"]),
            (json!({"text": ""}), vec!["text="]),
            (json!({"n": 5, "yes": true}), vec!["n=5", "yes=true"]),
            (json!({"to": {"city": "x"}}), vec!["to.city=x"]),
            (json!({"to": {}}), vec!["to={}"]),
            (json!({"list": [1, 2]}), vec!["list=[1,2]"]),
            (
                json!({"a.b": "x", "=": "y", "@x": "z", "-": "-", "e:": ":"}),
                vec![r"a\.b=x", r"\==y", r"\@x=z", r"\-=-", r"e\:=:"],
            ),
            (json!({"any": 1, "n": "odd"}), vec!["any:=1", "n:=\"odd\""]),
        ] {
            let words = spell(arguments.as_object().unwrap(), &schema);
            assert_eq!(words, expected);
        }
        // Whatever is spelled means what it was made of.
        let arguments = json!({"text": "null", "any": {"deep": [null]}, "to": {"city": "@", "zip": 1}});
        let words = spell(arguments.as_object().unwrap(), &schema);
        assert_eq!(Value::from(made(&words, &Known::new(&schema)).unwrap()), arguments, "{words:?}");
    }
}
