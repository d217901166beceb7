//! The text of one line being edited, and the part of it that fits the window. Pure.

use super::keys::Key;
use super::sanitize::{Lines, steers};
use unicode_width::UnicodeWidthChar;

/// A line and the place in it.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Editor {
    chars: Vec<char>,
    at: usize,
}

impl Editor {
    /// Begins with some text, at its end.
    pub(crate) fn new(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        Editor { at: chars.len(), chars }
    }

    /// The whole text.
    pub(crate) fn text(&self) -> String {
        self.chars.iter().collect()
    }

    /// Whether there is no text.
    pub(crate) fn is_empty(&self) -> bool {
        self.chars.is_empty()
    }

    /// Applies an editing key; other keys change nothing.
    pub(crate) fn press(&mut self, key: Key) {
        match key {
            Key::Char(c) => {
                self.chars.insert(self.at, c);
                self.at += 1;
            }
            Key::Backspace if self.at > 0 => {
                self.at -= 1;
                self.chars.remove(self.at);
            }
            Key::Delete | Key::Control('d') if self.at < self.chars.len() => {
                self.chars.remove(self.at);
            }
            Key::Left | Key::Control('b') => self.at = self.at.saturating_sub(1),
            Key::Right | Key::Control('f') => self.at = (self.at + 1).min(self.chars.len()),
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

    /// What to show (control characters as `\u{fffd}`) in `width` columns, and the column of the cursor: the text moves so that the cursor is in view.
    pub(crate) fn view(&self, width: usize) -> (String, usize) {
        let width = width.max(2);
        let shown: Vec<char> =
            self.chars.iter().map(|c| if steers(*c, Lines::One) { '\u{fffd}' } else { *c }).collect();
        let columns = |c: &char| c.width().unwrap_or(0);
        // One column stays free for the cursor behind the last character. One walk from the cursor each way.
        let (mut start, mut column) = (self.at, 0);
        while start > 0 && column + columns(&shown[start - 1]) < width {
            start -= 1;
            column += columns(&shown[start]);
        }
        let (mut end, mut used) = (self.at, column);
        while end < shown.len() && used + columns(&shown[end]) < width {
            used += columns(&shown[end]);
            end += 1;
        }
        (shown[start..end].iter().collect(), column)
    }
}

/// The text cut to `width` columns, with an ellipsis where something is missing.
pub(crate) fn fit(text: &str, width: usize) -> String {
    let total: usize = text.chars().map(|c| c.width().unwrap_or(0)).sum();
    if total <= width {
        return text.to_owned();
    }
    let mut used = 0;
    let kept = text.chars().take_while(|c| {
        used += c.width().unwrap_or(0);
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
            let columns: usize = word.chars().map(|c| c.width().unwrap_or(0)).sum();
            if used > 0 && used + columns - usize::from(word.ends_with(' ')) > width {
                lines.push(std::mem::take(&mut line).trim_end().to_owned());
                used = 0;
            }
            for c in word.chars() {
                let wide = c.width().unwrap_or(0);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(start: &str, keys: &[Key]) -> Editor {
        let mut editor = Editor::new(start);
        keys.iter().for_each(|key| editor.press(*key));
        editor
    }

    #[test]
    fn editing_keys_do_what_shells_have_taught() {
        let cases: [(&str, &[Key], &str); 7] = [
            ("ab", &[Key::Char('c')], "abc"),
            ("ab", &[Key::Left, Key::Char('x')], "axb"),
            ("ab", &[Key::Home, Key::Delete], "b"),
            ("日本", &[Key::Backspace], "日"),
            ("one two  ", &[Key::Control('w')], "one "),
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
        assert_eq!(Editor::new("abc").view(10), ("abc".into(), 3));
        assert_eq!(Editor::new("abcdefgh").view(5), ("efgh".into(), 4));
        assert_eq!(Editor::new("日本語日本語").view(5), ("本語".into(), 4));
        assert_eq!(typed("abcdefgh", &[Key::Home]).view(5), ("abcd".into(), 0));
        assert_eq!(Editor::new("a\x1b[31m\n").view(20), ("a\u{fffd}[31m\u{fffd}".into(), 7));
    }

    #[test]
    fn text_is_cut_and_wrapped_by_columns() {
        assert_eq!(fit("abcdef", 4), "abc…");
        assert_eq!(fit("日本語", 4), "日…");
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("a\n\nb", 8), ["a", "", "b"]);
        assert_eq!(wrap("abcdefghijkl", 8), ["abcdefgh", "ijkl"]);
    }
}
