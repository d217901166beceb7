//! Secrets that are known as they are, to be hidden wherever they come back.

use serde_json::Value;

/// Shorter ones are not looked for: they are words and numbers that may mean anything.
const SHORTEST: usize = 6;
/// How many are remembered.
pub(crate) const MOST: usize = 10_000;

/// The secrets that are known.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// The longest first, with their numbers in the order they came in: what holds another is hidden before it.
    values: Vec<(u64, String)>,
    n_values: u64,
}

impl Known {
    /// Begins with some.
    pub(crate) fn new(values: &[String]) -> Self {
        let mut known = Known::default();
        values.iter().for_each(|value| known.learn(value));
        known
    }

    /// Learns one more; of very many the oldest is forgotten.
    pub(crate) fn learn(&mut self, value: &str) {
        if value.len() < SHORTEST || self.values.iter().any(|(_, known)| known == value) {
            return;
        }
        if self.values.len() >= MOST
            && let Some(oldest) = (0..self.values.len()).min_by_key(|at| self.values[*at].0)
        {
            self.values.remove(oldest);
        }
        let at = self.values.partition_point(|(_, known)| known.len() >= value.len());
        self.values.insert(at, (self.n_values, value.to_owned()));
        self.n_values += 1;
    }

    /// A text without them, as they are and as JSON spells them.
    pub(crate) fn hide(&self, text: &str) -> String {
        let mut shown = text.to_owned();
        for (_, value) in &self.values {
            let mut spelled = value.clone();
            // JSON may hold JSON in a text.
            for _ in 0..3 {
                shown = shown.replace(&spelled, "***");
                let text = Value::from(spelled.as_str()).to_string();
                if text[1..text.len() - 1] == *spelled {
                    break;
                }
                spelled = text[1..text.len() - 1].to_owned();
            }
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_go_first_and_the_oldest_are_forgotten() {
        let mut known = Known::new(&["secret".into(), "short".into(), "a secret\"".into()]);
        assert_eq!(known.hide(r#"short secret, a secret", "a secret\"""#), r#"short ***, ***, "***""#);
        let twice = Value::from(Value::from("a secret\"").to_string()).to_string();
        assert_eq!(known.hide(&twice), r#""\"***\"""#);
        (0..MOST + 10).for_each(|n| known.learn(&format!("number {n}.")));
        assert_eq!(known.values.len(), MOST);
        assert_eq!(known.hide("number 10009. secret"), "*** secret");
    }
}
