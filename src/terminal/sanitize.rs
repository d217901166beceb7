//! Makes what a server sent harmless for a terminal: control characters, escape sequences and the bidirectional
//! controls that reorder text are shown, never sent.

use std::borrow::Cow;

/// Whether line breaks and tabs are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lines {
    /// One line: a line break is shown as `\n`.
    One,
    /// Text of several lines.
    Many,
}

/// The text with everything that could steer a terminal made visible (`\x1b` becomes `\u{1b}`).
pub(crate) fn visible(text: &str, lines: Lines) -> Cow<'_, str> {
    // What most texts are is told without decoding it.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) || !text.chars().any(|c| steers(c, lines)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            _ if !steers(c, lines) => shown.push(c),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            _ => shown.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(shown)
}

/// JSON text, as JSON: what could steer a terminal becomes a `\uXXXX` escape. Outside strings JSON has no such
/// characters but line breaks and tabs, which stay.
pub(crate) fn visible_json(json: &str) -> Cow<'_, str> {
    if !json.chars().any(|c| steers(c, Lines::Many)) {
        return Cow::Borrowed(json);
    }
    let mut shown = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        match c {
            // White space between JSON's parts.
            '\r' => {}
            _ if steers(c, Lines::Many) => {
                let mut units = [0; 2];
                c.encode_utf16(&mut units).iter().for_each(|unit| shown.push_str(&format!("\\u{unit:04x}")));
            }
            _ => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// One line of at most `max` characters.
pub(crate) fn one_line(text: &str, max: usize) -> String {
    let shown = visible(text, Lines::One);
    if shown.chars().count() <= max {
        return shown.into_owned();
    }
    shown.chars().take(max.saturating_sub(1)).chain(['…']).collect()
}

/// Whether a character could steer a terminal.
pub(crate) fn steers(c: char, lines: Lines) -> bool {
    match c {
        '\n' | '\t' => lines == Lines::One,
        // C0, DEL and C1.
        '\0'..='\x1f' | '\x7f'..='\u{9f}' => true,
        // Line and paragraph separators, bidirectional embeddings, overrides, isolates and marks.
        '\u{2028}'
        | '\u{2029}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{061c}' => true,
        // Invisible tag characters and the byte order mark.
        '\u{e0000}'..='\u{e007f}' | '\u{feff}' => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown() {
        let cases = [
            ("plain é 日本 🙂", "plain é 日本 🙂"),
            ("\x1b[31mred", "\\u{1b}[31mred"),
            ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
            ("\u{202e}txt.exe", "\\u{202e}txt.exe"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("bell\x07", "bell\\u{7}"),
        ];
        for (text, shown) in cases {
            assert_eq!(visible(text, Lines::One), shown);
        }
        assert_eq!(visible("a\nb\tc\rd", Lines::Many), "a\nb\tc\\rd");
        assert_eq!(one_line("abcdef", 4), "abc…");
    }

    #[test]
    fn json_stays_json() {
        let text = serde_json::json!({"a": "\u{200f}\u{7f}\u{9b}31m\u{e0041}é"}).to_string();
        let shown = visible_json(&text);
        assert!(shown.is_ascii() || shown.contains('é'));
        assert!(!shown.chars().any(|c| steers(c, Lines::Many)), "{shown}");
        let (before, after): (serde_json::Value, serde_json::Value) =
            (serde_json::from_str(&text).unwrap(), serde_json::from_str(&shown).unwrap());
        assert_eq!(before, after);
    }
}
