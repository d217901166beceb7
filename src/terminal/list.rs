//! A list to choose from: which options are searched for, which is marked, which are ticked, which part is in view.
//! Pure.

use super::keys::Key;
use std::ops::Range;

/// The state of a list.
#[derive(Debug, Clone)]
pub(crate) struct List {
    /// The options in small letters, to search.
    options: Vec<String>,
    search: String,
    /// The options that fit the search.
    found: Vec<usize>,
    /// The marked one: a place in `found`.
    at: usize,
    ticked: Option<Vec<bool>>,
    /// The part of `found` in view.
    from: usize,
    height: usize,
}

impl List {
    /// A list with one option marked; where several can be chosen, some are ticked.
    pub(crate) fn new(options: &[String], at: usize, ticked: Option<&[usize]>) -> Self {
        let ticked = ticked.map(|ticked| (0..options.len()).map(|option| ticked.contains(&option)).collect());
        List {
            options: options.iter().map(|option| option.to_lowercase()).collect(),
            search: String::new(),
            found: (0..options.len()).collect(),
            at: at.min(options.len().saturating_sub(1)),
            ticked,
            from: 0,
            height: options.len(),
        }
    }

    /// Applies a key that moves, ticks or searches; other keys change nothing.
    pub(crate) fn press(&mut self, key: Key) {
        let last = self.found.len().saturating_sub(1);
        match key {
            Key::Up | Key::Control('p') => self.at = self.at.checked_sub(1).unwrap_or(last),
            Key::Down | Key::Control('n') | Key::Tab => self.at = if self.at >= last { 0 } else { self.at + 1 },
            Key::PageUp => self.at = self.at.saturating_sub(self.height),
            Key::PageDown => self.at = (self.at + self.height).min(last),
            Key::Home => self.at = 0,
            Key::End => self.at = last,
            // A blank goes on with a search where that finds something, and else ticks what it has found.
            Key::Char(' ') if self.ticked.is_some() && !self.finds(' ') => {
                if let (Some(option), Some(ticked)) = (self.marked(), &mut self.ticked) {
                    ticked[option] = !ticked[option];
                }
            }
            Key::Char(' ') if self.search.is_empty() => {}
            Key::Char(c) if !c.is_control() => {
                self.search.push(c);
                self.find();
            }
            Key::Backspace if !self.search.is_empty() => {
                self.search.pop();
                self.find();
            }
            Key::Control('u') => self.search_all(),
            _ => {}
        }
    }

    /// Whether a search that is on, and goes on with `c`, finds anything.
    fn finds(&self, c: char) -> bool {
        let search = format!("{}{c}", self.search.to_lowercase());
        !self.search.is_empty() && self.options.iter().any(|option| option.contains(&search))
    }

    /// What is searched for.
    pub(crate) fn search(&self) -> &str {
        &self.search
    }

    /// Ends the search.
    pub(crate) fn search_all(&mut self) {
        self.search.clear();
        self.find();
    }

    /// Finds what fits the search, and marks the best of it; without a search the mark stays where it is.
    fn find(&mut self) {
        let marked = self.marked();
        let search = self.search.to_lowercase();
        self.found = (0..self.options.len()).filter(|option| self.options[*option].contains(&search)).collect();
        let place = |option: Option<usize>| self.found.iter().position(|found| Some(*found) == option);
        let begins = || self.found.iter().position(|found| self.options[*found].starts_with(&search));
        self.at = place(marked).filter(|_| search.is_empty()).or_else(begins).unwrap_or(0);
    }

    /// The options that fit the search.
    pub(crate) fn found(&self) -> &[usize] {
        &self.found
    }

    /// The marked option; none where nothing fits the search.
    pub(crate) fn marked(&self) -> Option<usize> {
        self.found.get(self.at).copied()
    }

    /// The part of `found` to show in a window of `height`, moved so that the marked option is in it.
    pub(crate) fn window(&mut self, height: usize) -> Range<usize> {
        let n_found = self.found.len();
        self.height = height.clamp(1, n_found.max(1));
        self.from = self.from.clamp((self.at + 1).saturating_sub(self.height), self.at);
        self.from = self.from.min(n_found.saturating_sub(self.height));
        self.from..(self.from + self.height).min(n_found)
    }

    /// Whether several can be chosen.
    pub(crate) fn has_ticks(&self) -> bool {
        self.ticked.is_some()
    }

    /// Whether an option is ticked; `None` where only one can be chosen.
    pub(crate) fn is_ticked(&self, option: usize) -> Option<bool> {
        self.ticked.as_ref().map(|ticked| ticked[option])
    }

    /// What is chosen: the ticked options, in or out of sight, or the marked one.
    pub(crate) fn chosen(&self) -> Vec<usize> {
        match &self.ticked {
            Some(ticked) => (0..ticked.len()).filter(|option| ticked[*option]).collect(),
            None => self.marked().into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(options: &[&str], ticked: Option<&[usize]>) -> List {
        List::new(&options.iter().map(|option| (*option).to_owned()).collect::<Vec<_>>(), 0, ticked)
    }

    fn type_in(list: &mut List, text: &str) {
        text.chars().for_each(|c| list.press(Key::Char(c)));
    }

    #[test]
    fn a_blank_goes_on_with_a_search_or_ticks() {
        let options = ["new delhi", "new york", "oslo"].map(str::to_owned);
        let mut list = List::new(&options, 0, Some(&[]));
        "new y".chars().for_each(|c| list.press(Key::Char(c)));
        assert_eq!((list.search(), list.found()), ("new y", &[1][..]));
        list.press(Key::Char(' '));
        assert_eq!(list.chosen(), [1]);
    }

    #[test]
    fn the_mark_goes_round_and_stays_in_view() {
        let mut list = list(&["a", "b", "c", "d", "e"], None);
        assert_eq!(list.window(3), 0..3);
        list.press(Key::Up);
        assert_eq!((list.marked(), list.window(3)), (Some(4), 2..5));
        list.press(Key::Up);
        assert_eq!((list.marked(), list.window(3)), (Some(3), 2..5));
        list.press(Key::Home);
        assert_eq!(list.window(3), 0..3);
        for (key, at) in [(Key::PageDown, 3), (Key::PageDown, 4), (Key::PageUp, 1), (Key::PageUp, 0), (Key::End, 4)] {
            list.press(key);
            assert_eq!(list.marked(), Some(at), "{key:?}");
        }
        assert_eq!(list.window(30), 0..5);
    }

    #[test]
    fn typing_searches_whatever_the_case() {
        let mut list = list(&["Unknown", "No", "New York", "Ünter"], None);
        type_in(&mut list, "n");
        // What begins with it is the better find.
        assert_eq!((list.found(), list.marked()), (&[0, 1, 2, 3][..], Some(1)));
        type_in(&mut list, "EW y");
        assert_eq!((list.found(), list.chosen()), (&[2][..], vec![2]));
        type_in(&mut list, "x");
        assert_eq!((list.found(), list.chosen()), (&[][..], vec![]));
        assert_eq!(list.window(5), 0..0);
        for key in [Key::Up, Key::Down, Key::End, Key::PageDown] {
            list.press(key);
            assert_eq!(list.marked(), None);
        }
        list.press(Key::Backspace);
        assert_eq!(list.marked(), Some(2));
        list.search_all();
        assert_eq!((list.found().len(), list.marked(), list.window(2)), (4, Some(2), 1..3));
        type_in(&mut list, "ü");
        assert_eq!(list.marked(), Some(3));
    }

    #[test]
    fn space_ticks_and_ticks_outlast_a_search() {
        let mut list = list(&["red", "green", "blue"], Some(&[2]));
        list.press(Key::Char(' '));
        assert_eq!(list.chosen(), [0, 2]);
        type_in(&mut list, "gr");
        list.press(Key::Char(' '));
        assert_eq!((list.search(), list.chosen()), ("gr", vec![0, 1, 2]));
        type_in(&mut list, "zz");
        list.press(Key::Char(' '));
        list.press(Key::Control('u'));
        list.press(Key::Home);
        list.press(Key::Char(' '));
        assert_eq!(list.chosen(), [1, 2]);
    }
}
