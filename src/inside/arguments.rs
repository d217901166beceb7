//! What is typed behind a tool.

use super::{dice::Dice, first_value, schemas};
use crate::arguments::{Files, Item, build, check as complaints, needs_schema, spell};
use crate::words::shell_quote;
use serde_json::{Map, Value};

struct Made;

impl Files for Made {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        if path.len().is_multiple_of(2) { Ok(path.as_bytes().to_vec()) } else { Err("not there".into()) }
    }
    fn stdin(&self) -> Result<Vec<u8>, String> {
        Ok(b"{\"a\": 1}\n".to_vec())
    }
}

/// What is typed becomes arguments or a line that says why not; arguments that are spelled mean themselves.
pub(super) fn check(data: &[u8]) {
    let (schema, rest) = match first_value(data) {
        Some(found) => found,
        None => {
            let mut dice = Dice(data);
            (schemas::any(&mut dice, 0), dice.0)
        }
    };
    let text = String::from_utf8_lossy(rest);
    let mut items = Vec::new();
    for word in text.split('\n').filter(|word| !word.is_empty()) {
        match Item::parse(word) {
            Ok(item) => items.push(item),
            Err(failure) => assert!(failure.message.chars().count() < 1_000, "{}", failure.message),
        }
    }
    let _ = needs_schema(&items);
    for lenient in [false, true] {
        if let Ok(arguments) = build(&items, Some(&schema), &Made, lenient) {
            let found = complaints(&items, &arguments, &schema);
            let _ = (found.to_ask(), found.verdict());
            spelled(&arguments, &schema);
        }
    }
    // One by one there is more to see.
    for item in items.into_iter().take(20) {
        if let Ok(arguments) = build(&[item], Some(&schema), &Made, true) {
            spelled(&arguments, &schema);
        }
    }
}

fn spelled(arguments: &Map<String, Value>, schema: &Value) {
    let words = spell(arguments, schema);
    let items: Vec<Item> = words.iter().map(|word| Item::parse(word).expect("an item")).collect();
    let made = build(&items, Some(schema), &Made, false).map_err(|failure| failure.message);
    assert_eq!(made.as_ref(), Ok(arguments), "{words:?}");
    for word in &words {
        assert_eq!(shell_words::split(&shell_quote(word)).ok(), Some(vec![word.clone()]));
    }
}
