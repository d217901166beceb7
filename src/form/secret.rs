//! Does a field ask for something that should be hidden and kept out of recordings? A guess by name; it hides nothing.

use super::Kind;
use serde_json::{Map, Value};

/// Said by the schema, or by a word of the name or title; a choice or a yes is no secret.
pub(super) fn is_secret(name: &str, schema: &Map<String, Value>, kind: &Kind) -> bool {
    const WORDS: &[&str] = &[
        "password",
        "passwd",
        "pwd",
        "passphrase",
        "passcode",
        "secret",
        "token",
        "apikey",
        "pin",
        "otp",
        "cvv",
        "cvc",
        "credential",
        "credentials",
    ];
    const PAIRS: &[[&str; 2]] = &[["api", "key"], ["access", "key"], ["private", "key"], ["secret", "key"]];
    let title = schema.get("title").and_then(Value::as_str).unwrap_or_default();
    let words = [words(name), words(title)];
    let says = schema.get("format").is_some_and(|format| format == "password")
        || schema.get("writeOnly") == Some(&Value::Bool(true))
        || words.iter().flatten().any(|word| WORDS.contains(&word.as_str()))
        || words.iter().any(|words| words.windows(2).any(|pair| PAIRS.iter().any(|known| known == pair)));
    says && matches!(kind, Kind::Text { .. } | Kind::Integer { .. } | Kind::Number { .. } | Kind::Raw { .. })
}

/// `apiKey`, `api_key` and "API key" are the same two words.
fn words(name: &str) -> Vec<String> {
    let mut spaced = String::new();
    let mut after_lower = false;
    for c in name.chars() {
        if after_lower && c.is_uppercase() {
            spaced.push(' ');
        }
        after_lower = c.is_lowercase() || c.is_ascii_digit();
        spaced.push(if c.is_alphanumeric() { c } else { ' ' });
    }
    spaced.to_lowercase().split_whitespace().map(str::to_owned).collect()
}
