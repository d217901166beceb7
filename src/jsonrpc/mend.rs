//! JSON that serde_json does not read: halves of characters (`"\\ud800"`), and what is nested deeper than it goes.

/// Deeper than this is not read; serde_json's own limit is 127, and what is read is recursed into.
const MAX_DEPTH: usize = 100;

/// A text that differs from this one, which is JSON, only where it must to be read: halves of characters become U+FFFD,
/// lists and objects that are nested too deep become `null`.
pub(super) fn mended(json: &str) -> String {
    let (mut mended, mut rest) = (String::with_capacity(json.len()), json);
    let (mut depth, mut in_string) = (0_usize, false);
    while let Some(c) = rest.chars().next() {
        let mut piece = &rest[..c.len_utf8()];
        let mut shown = None;
        match c {
            '"' => in_string = !in_string,
            '\\' => {
                let (length, is_half) = escape(rest);
                piece = rest.get(..length).unwrap_or(rest);
                shown = is_half.then_some("\\ufffd");
            }
            '{' | '[' if !in_string => {
                depth += 1;
                shown = (depth == MAX_DEPTH + 1).then_some("null");
            }
            _ => {}
        }
        if depth <= MAX_DEPTH || shown == Some("null") {
            mended.push_str(shown.unwrap_or(piece));
        }
        if matches!(c, '}' | ']') && !in_string {
            depth = depth.saturating_sub(1);
        }
        rest = &rest[piece.len()..];
    }
    mended
}

/// How long the escape is that a text begins with, and whether it stands for half of a character.
fn escape(text: &str) -> (usize, bool) {
    match (unit(text), text.get(6..).and_then(unit)) {
        (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (12, false),
        (Some(0xd800..=0xdfff), _) => (6, true),
        (Some(_), _) => (6, false),
        (None, _) => (2, false),
    }
}

fn unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_cannot_be_read_is_changed() {
        for (json, expected) in [
            (
                r#"{"a":"\ud800 x","b":[1E400,"\ud83d\ude00\n\\ud800"]}"#,
                r#"{"a":"\ufffd x","b":[1E400,"\ud83d\ude00\n\\ud800"]}"#,
            ),
            (r#"{"\udc00":"\uD800\uD800é"}"#, r#"{"\ufffd":"\ufffd\ufffdé"}"#),
            (r#"["[[\"{","\u00e9"] "#, r#"["[[\"{","\u00e9"] "#),
            ("\\", "\\"),
            ("\"\\ud8", "\"\\ud8"),
        ] {
            assert_eq!(mended(json), expected);
        }
        let nested = |depth: usize, core: &str| format!("{}{core}{}", "[".repeat(depth), "]".repeat(depth));
        let inner = |depth: usize| format!(r#"{{"x":{},"y":2}}"#, nested(depth, r#""]""#));
        assert_eq!(mended(&inner(MAX_DEPTH - 1)), inner(MAX_DEPTH - 1));
        let cut = format!(r#"{{"x":{},"y":2}}"#, nested(MAX_DEPTH - 1, "null"));
        assert_eq!(mended(&inner(100_000)), cut);
        assert!(serde_json::from_str::<serde_json::Value>(&cut).is_ok());
    }
}
