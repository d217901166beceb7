//! A list to choose from: which row is marked, which are ticked, which part is in view. Pure.

use super::keys::Key;
use std::ops::Range;

/// The state of a list.
#[derive(Debug, Clone)]
pub(crate) struct List {
    n_options: usize,
    /// The marked row.
    pub(crate) at: usize,
    /// The ticked rows (choices of several).
    pub(crate) ticked: Vec<bool>,
    from: usize,
}

impl List {
    /// A list with one row marked and some ticked.
    pub(crate) fn new(n_options: usize, at: usize, ticked: &[usize]) -> Self {
        let ticked = (0..n_options).map(|row| ticked.contains(&row)).collect();
        List { n_options, at: at.min(n_options.saturating_sub(1)), ticked, from: 0 }
    }

    /// Applies a key that moves or ticks; other keys change nothing.
    pub(crate) fn press(&mut self, key: Key) {
        let last = self.n_options.saturating_sub(1);
        match key {
            Key::Up | Key::Control('p') => self.at = self.at.checked_sub(1).unwrap_or(last),
            Key::Down | Key::Control('n') | Key::Tab => self.at = if self.at == last { 0 } else { self.at + 1 },
            Key::Home => self.at = 0,
            Key::End => self.at = last,
            Key::Char(' ') => self.ticked[self.at] = !self.ticked[self.at],
            _ => {}
        }
    }

    /// The rows to show in a window of `height`, moved so that the marked one is among them.
    pub(crate) fn window(&mut self, height: usize) -> Range<usize> {
        let height = height.clamp(1, self.n_options.max(1));
        self.from = self.from.clamp((self.at + 1).saturating_sub(height), self.at);
        self.from = self.from.min(self.n_options - height.min(self.n_options));
        self.from..(self.from + height).min(self.n_options)
    }

    /// The ticked rows.
    pub(crate) fn chosen(&self) -> Vec<usize> {
        (0..self.n_options).filter(|row| self.ticked[*row]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marked_row_goes_round_and_stays_in_view() {
        let mut list = List::new(5, 0, &[]);
        assert_eq!(list.window(3), 0..3);
        list.press(Key::Up);
        assert_eq!((list.at, list.window(3)), (4, 2..5));
        list.press(Key::Up);
        assert_eq!((list.at, list.window(3)), (3, 2..5));
        list.press(Key::Home);
        assert_eq!(list.window(3), 0..3);
        assert_eq!(list.window(30), 0..5);
    }

    #[test]
    fn space_ticks() {
        let mut list = List::new(3, 0, &[2]);
        list.press(Key::Char(' '));
        assert_eq!(list.chosen(), [0, 2]);
        list.press(Key::Char(' '));
        assert_eq!(list.chosen(), [2]);
    }
}
