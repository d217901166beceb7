//! What a field's limits are called: "from 1 to 5", "at most 20 characters". Pure.

use super::field::Bound;

/// How long a text may be; empty where there is nothing worth saying.
pub(super) fn length(min: Option<u64>, max: Option<u64>) -> String {
    match (min, max) {
        (None | Some(0 | 1), None) => String::new(),
        (None | Some(0), Some(max)) => format!("at most {max} characters"),
        (Some(min), None) => format!("at least {min} characters"),
        (Some(min), Some(max)) => format!("{min} to {max} characters"),
    }
}

/// How many there may be.
pub(super) fn how_many(min: u64, max: Option<u64>) -> String {
    match (min, max) {
        (0, None) => String::new(),
        (0, Some(max)) => format!("at most {max}"),
        (min, None) => format!("at least {min}"),
        (min, Some(max)) => format!("{min} to {max}"),
    }
}

/// Where a number may lie.
pub(super) fn range(min: Option<&Bound>, max: Option<&Bound>) -> String {
    let end = |words: [&str; 2], bound: &Bound| format!("{} {}", words[usize::from(bound.exclusive)], bound.value);
    let ends = [min.map(|min| end(["from", "above"], min)), max.map(|max| end(["to", "below"], max))];
    ends.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
