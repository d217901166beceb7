//! A line that a person types at a prompt of ours: with what was typed before, and with completion. It makes room for a
//! question of the server at once while nothing is typed; else that waits for the end of the line.
//!
//! The editors for lines that others wrote read on a thread that cannot be called off, and on a dumb terminal from stdin
//! and to stdout.

use super::drawn::Drawn;
use super::keys::Key;
use super::line::{Input, columns, fit, wrap_parts};
use super::plain::Plain;
use super::sanitize::{Lines, visible};
use super::style::{Look, Style};
use super::typed::Text;
use super::{Screen, Tty};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::Notify;

/// What may follow, or stand in place of, the end of a text.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Completion {
    /// The byte from which on the text would be replaced.
    pub(crate) start: usize,
    /// By one of these.
    pub(crate) options: Vec<String>,
}

/// Finds what may follow a text.
pub(crate) type Complete<'a> = &'a (dyn Fn(&str) -> Completion + Sync);

/// The prompt.
pub(crate) struct Prompt<'a> {
    /// What stands before the line.
    pub(crate) label: &'a str,
    /// What was typed before, oldest first.
    pub(crate) past: &'a [String],
    /// What the tabulator does.
    pub(crate) complete: Complete<'a>,
    /// Told when a question waits.
    pub(crate) called: &'a Notify,
}

/// What a person typed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Entered {
    /// A line; a paste may hold several.
    Line(String),
    /// ^C: another line.
    Interrupt,
    /// ^D, or the terminal is gone.
    End,
    /// Nothing yet, and a question waits.
    Called,
}

/// What was typed ahead of the next prompt.
#[derive(Debug, Default)]
pub(crate) struct Ahead {
    keys: VecDeque<Key>,
    /// Where the terminal gives whole lines.
    texts: VecDeque<Text>,
}

/// The longest label.
const LABEL: usize = 24;

/// What is said of a question that comes amid a line.
const WAITS: &str = "the server asks something; it is put to you when this line is done";

impl Tty {
    /// Asks for a line.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(crate) async fn command(
        &self,
        screen: Arc<Screen>,
        style: Style,
        prompt: &Prompt<'_>,
        ahead: &mut Ahead,
    ) -> std::io::Result<Entered> {
        let label = fit(&visible(prompt.label, Lines::One), LABEL);
        if self.draws {
            let mut drawn = Drawn::at_prompt(self, screen, style)?;
            let entered = drawn.command(&label, prompt, &mut ahead.keys).await;
            ahead.keys.extend(drawn.into_rest());
            Ok(entered)
        } else {
            let mut plain = Plain::at_prompt(self, screen)?;
            let entered = plain.command(&label, prompt.called, &mut ahead.texts).await;
            ahead.texts.extend(plain.into_rest());
            Ok(entered)
        }
    }
}

impl Drawn {
    async fn command(&mut self, label: &str, prompt: &Prompt<'_>, ahead: &mut VecDeque<Key>) -> Entered {
        let mut input = Input::new("");
        let mut recall = Recall::new(prompt.past);
        let mut options: Vec<String> = Vec::new();
        let screen = self.screen();
        // A question that is put once nothing is typed any more.
        let mut waits = false;
        loop {
            if waits && input.is_empty() {
                self.clear();
                return Entered::Called;
            }
            if ahead.is_empty() && !self.is_pending() {
                self.draw_command(label, &input, &options);
            }
            let key = tokio::select! {
                biased;
                key = std::future::ready(ahead.pop_front()), if !ahead.is_empty() => key,
                key = self.key() => key,
                () = prompt.called.notified() => {
                    if input.is_empty() {
                        self.clear();
                        return Entered::Called;
                    }
                    waits = true;
                    screen.line(&format!("mcpcall: {WAITS}"));
                    continue;
                }
            };
            let Some(key) = key else { continue };
            if key != Key::Tab {
                options.clear();
            }
            match key {
                Key::Enter => {
                    let text = input.text();
                    self.leave_line(label, &text);
                    return Entered::Line(text);
                }
                Key::Control('c') => {
                    self.leave_line(label, &format!("{}^C", input.text()));
                    return Entered::Interrupt;
                }
                Key::Control('d') if input.is_empty() => {
                    self.leave_line(label, "");
                    return Entered::End;
                }
                Key::Gone => return Entered::End,
                Key::Control('l') => {
                    self.clear();
                    self.write("\x1b[H\x1b[2J");
                }
                Key::Up | Key::Control('p') => input = recall.older(&input).unwrap_or(input),
                Key::Down | Key::Control('n') => input = recall.newer().unwrap_or(input),
                Key::Tab => options = complete(&mut input, prompt.complete),
                key => {
                    input.press(key);
                    recall = Recall::new(prompt.past);
                }
            }
        }
    }

    fn draw_command(&mut self, label: &str, input: &Input, options: &[String]) {
        let (width, height) = self.size();
        let indent = columns(label);
        let (text, column) = input.view(width - indent);
        let mut lines = vec![format!("{}{text}", self.style.paint(Look::Bold, label))];
        if !options.is_empty() {
            let shown: Vec<String> =
                options.iter().map(|option| fit(&visible(option, Lines::One), width - 3)).collect();
            let mut listed = wrap_parts(&shown, width - 3);
            let room = (height / 2).max(2);
            if listed.len() > room {
                listed.truncate(room - 1);
                listed.push(format!("… ({} in all)", shown.len()));
            }
            lines.extend(listed.iter().map(|line| format!("  {}", self.style.paint(Look::Dim, line))));
        }
        self.draw(&lines, Some((0, indent + column)));
    }

    /// The line stays on the screen as it was typed.
    fn leave_line(&mut self, label: &str, text: &str) {
        self.clear();
        let text = visible(text, Lines::Many);
        let line = format!("{}{text}\n", self.style.paint(Look::Bold, label));
        self.write(&line);
    }
}

impl Plain {
    async fn command(&mut self, label: &str, called: &Notify, ahead: &mut VecDeque<Text>) -> Entered {
        // A line that was there before the prompt was echoed where it came.
        let is_echoed = ahead.is_empty() && !self.is_pending();
        self.write(label);
        loop {
            let text = tokio::select! {
                biased;
                text = std::future::ready(ahead.pop_front()), if !ahead.is_empty() => text,
                text = self.typed() => text,
                () = called.notified() => {
                    // What is half typed cannot be seen from here.
                    self.write(&format!("\nmcpcall: {WAITS}\n{label}"));
                    continue;
                }
            };
            return match text {
                Some(Text::Line(line)) => {
                    if !is_echoed {
                        self.write(&format!("{}\n", visible(&line, Lines::One)));
                    }
                    Entered::Line(line)
                }
                Some(Text::Interrupt) => {
                    self.write("\n");
                    Entered::Interrupt
                }
                Some(Text::End) | None => {
                    self.write("\n");
                    Entered::End
                }
            };
        }
    }
}

/// Completes what stands before the cursor as far as there is no choice; gives the choices that are left.
fn complete(input: &mut Input, complete: Complete<'_>) -> Vec<String> {
    let before = input.before_cursor();
    let Completion { start, options } = complete(&before);
    let Some(first) = options.first() else { return Vec::new() };
    let mut common = first.as_str();
    for option in &options[1..] {
        let n: usize = common.chars().zip(option.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
        common = &common[..n];
    }
    // An escape is not cut in two.
    if options.len() > 1 && common.chars().rev().take_while(|c| *c == '\\').count() % 2 == 1 {
        common = &common[..common.len() - 1];
    }
    if options.len() == 1 {
        let end = if common.ends_with(['=', '/']) { "" } else { " " };
        input.replace_before(start, &format!("{common}{end}"));
        return Vec::new();
    }
    if common.len() > before.len() - start {
        input.replace_before(start, common);
    }
    options
}

/// A walk through what was typed before: the lines that begin as the one at which it began.
struct Recall<'a> {
    past: &'a [String],
    at: usize,
    /// Where the walk began.
    begin: Option<Input>,
}

impl<'a> Recall<'a> {
    fn new(past: &'a [String]) -> Self {
        Recall { past, at: past.len(), begin: None }
    }

    fn older(&mut self, now: &Input) -> Option<Input> {
        let begin = self.begin.get_or_insert_with(|| now.clone()).text();
        let shown = now.text();
        let at = self.past[..self.at].iter().rposition(|line| line.starts_with(&begin) && *line != shown)?;
        self.at = at;
        Some(Input::new(&self.past[at]))
    }

    fn newer(&mut self) -> Option<Input> {
        let begin = self.begin.clone()?;
        let text = begin.text();
        let next = (self.at + 1..self.past.len()).find(|at| self.past[*at].starts_with(&text));
        match next {
            Some(at) => {
                self.at = at;
                Some(Input::new(&self.past[at]))
            }
            None => {
                *self = Recall::new(self.past);
                Some(begin)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_through_the_past_keeps_to_what_it_began_with() {
        let past = ["add a=1", "list", "add a=2", "add a=2"].map(str::to_owned);
        let mut recall = Recall::new(&past);
        let mut input = Input::new("ad");
        let mut seen = Vec::new();
        while let Some(older) = recall.older(&input) {
            seen.push(older.text());
            input = older;
        }
        assert_eq!(seen, ["add a=2", "add a=1"]);
        assert_eq!(recall.newer().unwrap().text(), "add a=2");
        while let Some(newer) = recall.newer() {
            input = newer;
        }
        assert_eq!(input.text(), "ad");
        assert!(Recall::new(&[]).older(&input).is_none());
    }

    #[test]
    fn completion_goes_as_far_as_there_is_no_choice() {
        let among = |names: &'static [&'static str]| {
            move |text: &str| {
                let start = text.rfind(' ').map_or(0, |space| space + 1);
                let fits = |name: &&&str| name.starts_with(&text[start..]);
                Completion { start, options: names.iter().filter(fits).map(|name| (*name).to_owned()).collect() }
            }
        };
        let cases: [(&str, &'static [&'static str], &str, usize); 7] = [
            ("is", &["issue_card", "list"], "issue_card ", 0),
            ("t s", &["size="], "t size=", 0),
            ("", &["add", "adopt"], "ad", 2),
            ("ad", &["add", "adopt"], "ad", 2),
            ("x", &["add"], "x", 0),
            ("a", &["ab\\ c", "ab\\$"], "ab", 2),
            ("é", &["éa", "éb", "é日"], "é", 3),
        ];
        for (typed, names, text, n_left) in cases {
            let mut input = Input::new(typed);
            let left = complete(&mut input, &among(names));
            assert_eq!((input.text().as_str(), left.len()), (text, n_left), "{typed}");
        }
    }
}
