//! The text of one line being edited, and how text is cut and wrapped to columns. Pure.

use super::keys::Key;
use super::sanitize::{Lines, steers};
use unicode_width::UnicodeWidthChar;

/// A line and the place in it.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Input {
    chars: Vec<char>,
    at: usize,
}

impl Input {
    /// Begins with some text, at its end.
    pub(crate) fn new(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        Input { at: chars.len(), chars }
    }

    /// The whole text.
    pub(crate) fn text(&self) -> String {
        self.chars.iter().collect()
    }

    /// The same with a dot for each character, and the place kept.
    pub(crate) fn hidden(&self) -> Self {
        Input { chars: vec!['•'; self.chars.len()], at: self.at }
    }

    /// Whether there is no text.
    pub(crate) fn is_empty(&self) -> bool {
        self.chars.is_empty()
    }

    /// The text before the cursor.
    pub(crate) fn before_cursor(&self) -> String {
        self.chars[..self.at].iter().collect()
    }

    /// Puts something else in place of the text before the cursor, from this byte on.
    pub(crate) fn replace_before(&mut self, start: usize, with: &str) {
        let kept = self.before_cursor().char_indices().take_while(|(at, _)| *at < start).count();
        self.chars.splice(kept..self.at, with.chars());
        self.at = kept + with.chars().count();
    }

    /// Applies an editing key; other keys change nothing.
    pub(crate) fn press(&mut self, key: Key) {
        match key {
            Key::Char(c) => {
                self.chars.insert(self.at, c);
                self.at += 1;
            }
            Key::Backspace => {
                let start = self.before();
                self.chars.drain(start..self.at);
                self.at = start;
            }
            Key::Delete | Key::Control('d') => {
                self.chars.drain(self.at..self.after());
            }
            Key::Left | Key::Control('b') => self.at = self.before(),
            Key::Right | Key::Control('f') => self.at = self.after(),
            Key::Home | Key::Control('a') => self.at = 0,
            Key::End | Key::Control('e') => self.at = self.chars.len(),
            Key::Control('u') => {
                self.chars.drain(..self.at);
                self.at = 0;
            }
            Key::Control('k') => self.chars.truncate(self.at),
            Key::Control('w') => {
                let before = &self.chars[..self.at];
                let word_end = before.iter().rposition(|c| !c.is_whitespace()).map_or(0, |last| last + 1);
                let word_start =
                    before[..word_end].iter().rposition(|c| c.is_whitespace()).map_or(0, |space| space + 1);
                self.chars.drain(word_start..self.at);
                self.at = word_start;
            }
            _ => {}
        }
    }

    /// Where the character before the cursor begins; what combines with it goes with it.
    fn before(&self) -> usize {
        self.chars[..self.at].iter().rposition(|c| char_columns(*c) > 0).unwrap_or(0)
    }

    /// Where the character under the cursor ends.
    fn after(&self) -> usize {
        let rest = self.chars.get(self.at + 1..).unwrap_or_default();
        let marks = rest.iter().take_while(|c| char_columns(**c) == 0).count();
        (self.at + 1 + marks).min(self.chars.len())
    }

    /// What to show in `width` columns, and the column of the cursor: the text moves so that the cursor is in view.
    /// Line breaks are shown as `↵`, other control characters as `\u{fffd}`.
    pub(crate) fn view(&self, width: usize) -> (String, usize) {
        let width = width.max(2);
        let show = |c: &char| match *c {
            '\n' => '↵',
            c if steers(c, Lines::One) => '\u{fffd}',
            c => c,
        };
        let shown: Vec<char> = self.chars.iter().map(show).collect();
        let columns = |c: &char| char_columns(*c);
        // One column stays free for the cursor behind the last character. One walk from the cursor each way.
        let (mut start, mut column) = (self.at, 0);
        while start > 0 && column + columns(&shown[start - 1]) < width {
            start -= 1;
            column += columns(&shown[start]);
        }
        // A mark without what it combines with would land on something else.
        while start < self.at && columns(&shown[start]) == 0 {
            start += 1;
        }
        let (mut end, mut used) = (self.at, column);
        while end < shown.len() && used + columns(&shown[end]) < width {
            used += columns(&shown[end]);
            end += 1;
        }
        (shown[start..end].iter().collect(), column)
    }
}

/// The columns a character takes: two for wide ones, none for what combines with the one before.
fn char_columns(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// The columns a text takes on a terminal; the colours that `style` paints take none.
pub(crate) fn columns(text: &str) -> usize {
    let (mut columns, mut is_paint) = (0, false);
    for c in text.chars() {
        match c {
            '\x1b' => is_paint = true,
            'm' if is_paint => is_paint = false,
            _ if is_paint => {}
            c => columns += char_columns(c),
        }
    }
    columns
}

/// The rows that a line of so many columns takes where it does not fit.
pub(crate) fn rows(columns: usize, width: usize) -> usize {
    columns.div_ceil(width.max(1)).max(1)
}

/// The text cut to `width` columns, with an ellipsis where something is missing.
pub(crate) fn fit(text: &str, width: usize) -> String {
    let total: usize = text.chars().map(char_columns).sum();
    if total <= width {
        return text.to_owned();
    }
    let mut used = 0;
    let kept = text.chars().take_while(|c| {
        used += char_columns(*c);
        used < width
    });
    kept.chain(['…']).collect()
}

/// The text in lines of at most `width` columns, broken at spaces where there are any.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(8);
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let (mut line, mut used) = (String::new(), 0);
        for word in paragraph.split_inclusive(' ') {
            let columns: usize = word.chars().map(char_columns).sum();
            if used > 0 && used + columns - usize::from(word.ends_with(' ')) > width {
                lines.push(std::mem::take(&mut line).trim_end().to_owned());
                used = 0;
            }
            for c in word.chars() {
                let wide = char_columns(c);
                if used + wide > width && c != ' ' {
                    lines.push(std::mem::take(&mut line));
                    used = 0;
                }
                line.push(c);
                used += wide;
            }
        }
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// Parts in lines of at most `width` columns, three spaces between them; a part is broken only where it fits no line.
pub(crate) fn wrap_parts(parts: &[impl AsRef<str>], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        for piece in wrap(part.as_ref(), width) {
            match lines.last_mut() {
                Some(line) if columns(line) + 3 + columns(&piece) <= width => {
                    line.push_str("   ");
                    line.push_str(&piece);
                }
                _ => lines.push(piece),
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(start: &str, keys: &[Key]) -> Input {
        let mut input = Input::new(start);
        keys.iter().for_each(|key| input.press(*key));
        input
    }

    #[test]
    fn editing_keys_do_what_shells_have_taught() {
        let cases: [(&str, &[Key], &str); 10] = [
            ("ab", &[Key::Char('c')], "abc"),
            ("ab", &[Key::Left, Key::Char('x')], "axb"),
            ("ab", &[Key::Home, Key::Delete], "b"),
            ("日本", &[Key::Backspace], "日"),
            ("one two  ", &[Key::Control('w')], "one "),
            // A mark goes with its letter.
            ("ae\u{301}", &[Key::Backspace], "a"),
            ("ae\u{301}b", &[Key::Home, Key::Right, Key::Delete], "ab"),
            ("ae\u{301}b", &[Key::Left, Key::Left, Key::Char('x')], "axe\u{301}b"),
            ("one two", &[Key::Left, Key::Control('u')], "o"),
            ("one two", &[Key::Home, Key::Right, Key::Control('k')], "o"),
        ];
        for (start, keys, text) in cases {
            assert_eq!(typed(start, keys).text(), text);
        }
        assert!(typed("", &[Key::Backspace, Key::Delete, Key::Left, Key::Right, Key::Control('w')]).is_empty());
    }

    #[test]
    fn the_cursor_stays_in_view() {
        assert_eq!(Input::new("abc").view(10), ("abc".into(), 3));
        assert_eq!(Input::new("abcdefgh").view(5), ("efgh".into(), 4));
        assert_eq!(Input::new("日本語日本語").view(5), ("本語".into(), 4));
        assert_eq!(typed("abcdefgh", &[Key::Home]).view(5), ("abcd".into(), 0));
        assert_eq!(Input::new("a\x1b[31m\n").view(20), ("a\u{fffd}[31m↵".into(), 7));
        // Hebrew letters take a column each, points none.
        assert_eq!(Input::new("שָׁלוֹם").view(20), ("שָׁלוֹם".into(), 4));
        assert_eq!(Input::new("abe\u{301}cd").view(3), ("cd".into(), 2));
    }

    #[test]
    fn text_is_cut_and_wrapped_by_columns() {
        assert_eq!(fit("abcdef", 4), "abc…");
        assert_eq!(fit("日本語", 4), "日…");
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("a\n\nb", 8), ["a", "", "b"]);
        assert_eq!(wrap("abcdefghijkl", 8), ["abcdefgh", "ijkl"]);
        assert_eq!(wrap("日本語 日本語", 10), ["日本語", "日本語"]);
        assert_eq!(wrap_parts(&["Enter: send", "Esc: leave"], 80), ["Enter: send   Esc: leave"]);
        assert_eq!(wrap_parts(&["Enter: send", "Esc: leave"], 20), ["Enter: send", "Esc: leave"]);
        assert_eq!(wrap_parts(&["one two three"], 8), ["one two", "three"]);
        assert_eq!(columns("\x1b[1mlabel\x1b[0m: 日"), 9);
        assert_eq!([rows(0, 10), rows(10, 10), rows(11, 10)], [1, 1, 2]);
    }
}
