//! Words that people mistype, and words as a shell takes and as an address spells them.

use std::borrow::Cow;

/// The known name that `name` is most likely a slip of.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |name: &str| name.to_lowercase().replace('-', "_").chars().take(64).collect::<Vec<_>>();
    let typed = plain(name);
    let slips = known.map(|known| (distance(&typed, &plain(known)), known));
    let (slips, known) = slips.min_by_key(|(slips, _)| *slips)?;
    // A name of one letter is no slip of another one.
    let near = slips <= (typed.len() / 3).clamp(1, 3) && slips * 2 <= typed.len().max(known.len());
    near.then_some(known)
}

/// A word as a shell reads it, quoted no more than it needs: no shell minds more than `shell_words` lets pass.
pub(crate) fn shell_quote(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:,@%+=".contains(c);
    let is_tame = !word.is_empty() && !word.starts_with('=') && word.chars().all(is_plain);
    if is_tame { word.into() } else { shell_words::quote(word) }
}

/// A text that an address spells with `%`; what is no such spelling stays.
pub(crate) fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let hex = after.get(..2).filter(|hex| byte == b'%' && hex.iter().all(u8::is_ascii_hexdigit));
        let value = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(value.unwrap_or(byte));
        rest = if value.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Insertions, deletions, replacements and swaps of neighbours between two words.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        for (word, quoted) in [
            ("a=b,c", "a=b,c"),
            ("=b", "'=b'"),
            ("", "''"),
            ("a b", "'a b'"),
            ("it's", "'it'\\''s'"),
            ("größe", "größe"),
        ] {
            assert_eq!(shell_quote(word), quoted);
        }
    }

    #[test]
    fn a_slip_is_recognised_and_a_stranger_is_not() {
        let known = ["issue_card", "list", "limit"];
        for (typed, expected) in [
            ("isue_card", Some("issue_card")),
            ("issue-card", Some("issue_card")),
            ("lsit", Some("list")),
            ("Limit", Some("limit")),
            ("zebra", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, known.into_iter()), expected, "{typed}");
        }
    }
}
