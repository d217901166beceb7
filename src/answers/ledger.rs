//! Strict accounting: which entry was used how often. The first that fits, from the top, answers; what is left
//! unused at the end fails the run.

use super::Entry;
use crate::sync::lock;
use std::sync::Mutex;

/// The entries of a run with their counts.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    entries: Vec<Entry>,
    used: Mutex<Used>,
}

#[derive(Debug, Default)]
struct Used {
    times: Vec<u64>,
    /// So many from the top are used up: a long script is not gone through anew for each question.
    n_spent: usize,
}

impl Ledger {
    /// All unused.
    pub(crate) fn new(entries: Vec<Entry>) -> Self {
        let used = Used { times: vec![0; entries.len()], n_spent: 0 };
        Ledger { entries, used: Mutex::new(used) }
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether some entry answers this kind.
    pub(crate) fn has(&self, on: &str) -> bool {
        self.entries.iter().any(|entry| entry.on == on)
    }

    /// Takes the first entry of a kind that fits and is not used up; its place counts from 0.
    pub(crate) fn take(&self, on: &str, fits: impl Fn(&Entry) -> bool) -> Option<(usize, &Entry)> {
        let mut used = lock(&self.used);
        let Used { times, n_spent } = &mut *used;
        let free = |at: usize, entry: &Entry| entry.times.is_none_or(|most| times[at] < most);
        while self.entries.get(*n_spent).is_some_and(|entry| !free(*n_spent, entry)) {
            *n_spent += 1;
        }
        let mut left = self.entries.iter().enumerate().skip(*n_spent);
        let (at, entry) = left.find(|(at, entry)| entry.on == on && free(*at, entry) && fits(entry))?;
        times[at] += 1;
        Some((at, entry))
    }

    /// The places of entries that were never used.
    pub(crate) fn unused(&self) -> Vec<usize> {
        let used = lock(&self.used);
        (0..self.entries.len()).filter(|at| used.times[*at] == 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::matching::Matching;
    use serde_json::Map;

    fn entry(on: &str, times: Option<u64>) -> Entry {
        Entry { on: on.into(), matching: Matching::default(), times, error: None, delay_ms: 0, clause: Map::new() }
    }

    #[test]
    fn entries_are_used_from_the_top_as_often_as_they_allow() {
        let ledger = Ledger::new(vec![entry("a", Some(2)), entry("b", Some(1)), entry("a", None), entry("a", Some(1))]);
        let take = || ledger.take("a", |_| true).map(|(at, _)| at);
        assert_eq!([take(), take(), take(), take()], [Some(0), Some(0), Some(2), Some(2)]);
        assert_eq!(ledger.unused(), [1, 3]);
        assert!(ledger.has("b") && !ledger.has("c"));
        assert!(ledger.take("b", |_| false).is_none());
    }
}
