//! Texts on their way to a terminal, and lines typed at a shell.

use crate::commands::completions::line::{Line, Quoting};
use crate::context::Context;
use crate::secrets::{url_masked, url_pieces};
use crate::terminal::line::{columns, fit, wrap};
use crate::terminal::sanitize::{Lines, one_line, steers, visible, visible_json};
use crate::words::shell_quote;
use serde_json::Value;

/// Nothing that reaches a terminal steers it, and nothing is lost by it; a word that we quote is the word that we read.
pub(super) fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for lines in [Lines::One, Lines::Many] {
        let clean = visible(&text, lines);
        assert!(!clean.chars().any(|c| steers(c, lines) || c.is_control() && !"\n\t".contains(c)), "{clean:?}");
        assert_eq!(visible(&clean, lines), clean);
    }
    let json = visible_json(&text);
    assert!(!json.chars().any(|c| steers(c, Lines::Many)));
    if let Ok(value) = serde_json::from_str::<Value>(&text) {
        assert_eq!(serde_json::from_str::<Value>(&json).ok(), Some(value));
    }

    let (first, rest) = data.split_first().unwrap_or((&0, &[]));
    let width = usize::from(*first).max(1);
    let line = one_line(&text, width);
    assert!(line.chars().count() <= width && !line.contains('\n'));
    let line = visible(&text, Lines::One);
    assert!(columns(&fit(&line, width)) <= width, "{line:?} {width}");
    let (wrapped, wide) = (wrap(&line, width), width.max(8));
    assert!(wrapped.iter().all(|row| columns(row) <= wide), "{wrapped:?} {width}");
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    assert_eq!(letters(&wrapped.concat()), letters(&line));

    let masked = url_masked(&text);
    assert_eq!(url_pieces(&masked).len(), url_pieces(&text).len(), "{masked}");

    let context = Context::default();
    let word = String::from_utf8_lossy(rest).replace('\0', "");
    let typed = format!("mcpcall {} x", shell_quote(&word));
    for quoting in [Quoting::Posix, Quoting::Bare] {
        let read = Line::read(&typed, "", quoting, &context);
        assert_eq!((read.words, read.at), (vec!["mcpcall".into(), word.clone(), "x".into()], 2), "{typed}");
    }
    let cut = text.char_indices().nth(usize::from(*first) % 64).map_or(text.len(), |(at, _)| at);
    for quoting in [Quoting::Posix, Quoting::Fish, Quoting::Bare] {
        let read = Line::read(&text[..cut], &text[cut..], quoting, &context);
        assert!(read.at <= read.words.len() && read.word().len() <= cut);
    }
}
