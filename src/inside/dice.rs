//! Choices, made of the bytes of a fuzzer.

/// Words that mean something somewhere.
const WORDS: &[&str] = &[
    "a",
    "b",
    "a.b",
    "name",
    "",
    "0",
    "1",
    "-1",
    "true",
    "null",
    "yes",
    "1.0",
    "1e400",
    "-0",
    "9007199254740993",
    "[1]",
    "{}",
    "[]",
    "\"a\"",
    "a,b",
    " ",
    "é",
    "2026-02-28",
    "x@example.com",
    "https://example.com/",
    "@a",
    "~1/",
    "key",
    "\u{202e}",
    "\u{1b}[31m",
    "line\nline",
    "2026-02-28T13:45:00Z",
    "password",
];

/// Bytes that choose; when they run out, the first of everything.
pub(super) struct Dice<'a>(pub(super) &'a [u8]);

impl Dice<'_> {
    /// A number below `n`; 0 for none.
    pub(super) fn below(&mut self, n: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(*first) % n.max(1)
    }

    /// True once in `n`, and never in the end.
    pub(super) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 1
    }

    /// Whether there is nothing more to choose by.
    pub(super) fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    /// One of several.
    pub(super) fn pick<'b, T: ?Sized>(&mut self, all: &[&'b T]) -> &'b T {
        all[self.below(all.len())]
    }

    /// A word that means something, or any text.
    pub(super) fn text(&mut self) -> String {
        if !self.one_in(4) {
            return self.pick(WORDS).to_owned();
        }
        let length = self.below(24).min(self.0.len());
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8_lossy(text).into_owned()
    }
}
