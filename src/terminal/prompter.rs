//! Questions to a person: a line of text, one of a list, several of a list. The trait is what `form` asks
//! through; `Terminal` is the one with a screen. Every question can be declined or cancelled by hand, and says how.

use super::keys::{Key, Keys};
use super::line::{Editor, fit, wrap};
use super::list::List;
use super::sanitize::{Lines, visible};
use super::style::{Look, Style};
use super::{Screen, Tty};
use std::fs::File;
use std::future::Future;
use std::io::Write;
use std::pin::Pin;
use std::sync::Arc;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// What a person said to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said<T> {
    /// An answer.
    Given(T),
    /// Back to the question before.
    Back,
    /// No answer.
    Left(Leave),
}

/// How a person left a question without answering it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leave {
    /// An explicit no.
    Decline,
    /// Dismissed.
    Cancel,
    /// ^C: dismissed too, and a second one ends the run.
    Interrupt,
    /// The terminal is gone, or its input has ended.
    Gone,
}

/// What escape offers, on every question.
const ESCAPE: &str = "Esc: decline or cancel";

/// Says why a text is no answer, in words for the person; `Ok` accepts it.
pub(crate) type Check<'a> = &'a (dyn Fn(&str) -> Result<(), String> + Sync);

/// A question for a line of text.
pub(crate) struct Line<'a> {
    /// Its label.
    pub(crate) label: &'a str,
    /// Explained below, when there is something to explain.
    pub(crate) help: &'a str,
    /// To begin with.
    pub(crate) initial: &'a str,
    /// Whether to accept.
    pub(crate) check: Check<'a>,
    /// What Enter does with an answer: `send`, `next`.
    pub(crate) enter: &'a str,
    /// Whether there is a question to go back to.
    pub(crate) can_go_back: bool,
}

/// A question with a list of answers.
pub(crate) struct Choose<'a> {
    /// Its label.
    pub(crate) label: &'a str,
    /// Explained below, when there is something to explain.
    pub(crate) help: &'a str,
    /// The answers as shown.
    pub(crate) options: &'a [String],
    /// Marked at first.
    pub(crate) at: usize,
    /// Whether there is a question to go back to.
    pub(crate) can_go_back: bool,
}

/// An answer to come.
pub(crate) type Asking<'a, T> = Pin<Box<dyn Future<Output = Said<T>> + Send + 'a>>;

/// Says why a set of rows is no answer; `Ok` accepts it.
pub(crate) type CheckRows<'a> = &'a (dyn Fn(&[usize]) -> Result<(), String> + Sync);

/// Whatever can put questions to a person.
pub(crate) trait Prompter: Send {
    /// Shows text that stays.
    fn say(&mut self, text: &str);
    /// Asks for a line of text.
    fn line<'a>(&'a mut self, question: Line<'a>) -> Asking<'a, String>;
    /// Asks for one of a list; gives its index.
    fn choose<'a>(&'a mut self, question: Choose<'a>) -> Asking<'a, usize>;
    /// Asks for several of a list, some ticked at first; gives their indices.
    fn choose_many<'a>(
        &'a mut self,
        question: Choose<'a>,
        ticked: &'a [usize],
        check: CheckRows<'a>,
    ) -> Asking<'a, Vec<usize>>;
}

/// A person at a terminal. Takes it over when made, gives it back when dropped.
pub(crate) struct Terminal {
    tty: Tty,
    out: File,
    keys: Keys,
    resized: Signal,
    screen: Arc<Screen>,
    style: Style,
    /// The row of the block on screen that the cursor is in; `None` when nothing is drawn.
    cursor_row: Option<usize>,
}

impl Terminal {
    /// Takes the terminal over.
    ///
    /// # Errors
    /// When it is gone.
    pub(crate) fn open(tty: &Tty, screen: Arc<Screen>, style: Style) -> std::io::Result<Self> {
        let tty = Tty { file: tty.file.try_clone()? };
        let (out, keys) = (tty.file.try_clone()?, Keys::open(&tty.file)?);
        let resized = signal(SignalKind::window_change())?;
        screen.begin();
        Ok(Terminal { tty, out, keys, resized, screen, style, cursor_row: None })
    }

    /// Shows the server's own words. Several lines are marked as such, so that none passes for a line of ours.
    pub(crate) fn quote(&mut self, text: &str) {
        let text = text.trim_end();
        let lines = wrap(&visible(text, Lines::Many).replace('\t', "    "), self.tty.size().0.max(20) - 3);
        let mark = if lines.len() > 1 { "| " } else { "" };
        for line in lines {
            self.write(&format!("{}{line}\n", self.style.paint(Look::Dim, mark)));
        }
        self.write("\n");
    }

    fn write(&mut self, text: &str) {
        // A terminal that is gone shows itself at the next key.
        let _ = self.out.write_all(text.as_bytes());
    }

    /// Removes what is drawn of the question.
    fn clear(&mut self) {
        if let Some(row) = self.cursor_row.take() {
            let up = if row > 0 { format!("\x1b[{row}A") } else { String::new() };
            self.write(&format!("\r{up}\x1b[J"));
        }
    }

    /// Draws the question anew with the cursor at (row, column); hidden without one.
    fn draw(&mut self, lines: &[String], cursor: Option<(usize, usize)>) {
        self.clear();
        let (row, column) = cursor.unwrap_or((lines.len() - 1, 0));
        let up = lines.len() - 1 - row;
        let mut text = lines.join("\n");
        if up > 0 {
            text.push_str(&format!("\x1b[{up}A"));
        }
        text.push('\r');
        if column > 0 {
            text.push_str(&format!("\x1b[{column}C"));
        }
        text.push_str(if cursor.is_some() { "\x1b[?25h" } else { "\x1b[?25l" });
        self.write(&text);
        self.cursor_row = Some(row);
    }

    /// Leaves a line on the screen in place of the question.
    fn conclude(&mut self, label: &str, answer: &str) {
        self.clear();
        let answer = self.style.paint(Look::Cyan, &visible(answer, Lines::One));
        self.write(&format!("  {} {answer}\n\x1b[?25h", with_colon(&visible(label, Lines::One))));
    }

    /// The next key; `None` when the question must be drawn anew.
    async fn key(&mut self) -> Option<Key> {
        tokio::select! {
            key = self.keys.next() => Some(key),
            _ = self.resized.recv() => None,
            () = self.screen.waiting.notified() => {
                self.clear();
                self.screen.flush();
                None
            }
        }
    }

    /// The lines below a question: what is wrong, help, and how to go on.
    fn foot(&self, wrong: Option<&str>, help: &str, how: &str, width: usize) -> Vec<String> {
        let mut foot = Vec::new();
        if let Some(wrong) = wrong {
            let lines = wrap(&visible(wrong, Lines::One), width - 4);
            foot.extend(lines.iter().map(|line| format!("  {}", self.style.paint(Look::Red, &format!("! {line}")))));
        }
        if !help.is_empty() {
            let lines = wrap(&visible(help, Lines::Many), width - 2);
            foot.extend(lines.iter().map(|line| format!("  {}", self.style.paint(Look::Dim, line))));
        }
        let lines = wrap(how, width - 2);
        foot.extend(lines.iter().map(|line| format!("  {}", self.style.paint(Look::Dim, line))));
        foot
    }

    async fn ask_line(&mut self, question: Line<'_>) -> Said<String> {
        let mut editor = Editor::new(question.initial);
        let mut wrong: Option<String> = None;
        let label = visible(question.label, Lines::One).into_owned();
        loop {
            let (width, _) = self.tty.size();
            let width = width.max(20);
            let label = fit(&label, width / 2);
            let prefix = format!("  {label}: ");
            let indent = unicode_width::UnicodeWidthStr::width(prefix.as_str());
            let (text, column) = editor.view(width - indent);
            let mut lines = vec![format!("  {}: {}", self.style.paint(Look::Bold, &label), text)];
            let how = format!("Enter: {}   {ESCAPE}", question.enter);
            lines.extend(self.foot(wrong.as_deref(), question.help, &how, width));
            // A paste is drawn once, at its end.
            if !self.keys.is_pending() {
                self.draw(&lines, Some((0, indent + column)));
            }
            let Some(key) = self.key().await else { continue };
            match key {
                Key::Enter => match (question.check)(&editor.text()) {
                    Ok(()) => {
                        let text = editor.text();
                        self.conclude(question.label, if text.is_empty() { "(left out)" } else { &text });
                        return Said::Given(text);
                    }
                    Err(why) => wrong = Some(why),
                },
                Key::Control('d') if editor.is_empty() => return self.leave(question.label, Leave::Cancel),
                key => match self.left(key, question.label, question.can_go_back).await {
                    Some(said) => return said,
                    None => editor.press(key),
                },
            }
        }
    }

    async fn ask_list(&mut self, question: &Choose<'_>, ticked: Option<(&[usize], CheckRows<'_>)>) -> Said<Vec<usize>> {
        let mut list = List::new(question.options.len(), question.at, ticked.map_or(&[], |(rows, _)| rows));
        let mut wrong: Option<String> = None;
        loop {
            let lines = self.list_lines(question, &mut list, ticked.is_some(), wrong.as_deref());
            self.draw(&lines, None);
            let Some(key) = self.key().await else { continue };
            match key {
                Key::Enter => {
                    let rows = if ticked.is_some() { list.chosen() } else { vec![list.at] };
                    match ticked.map_or(Ok(()), |(_, check)| check(&rows)) {
                        Ok(()) => {
                            let shown: Vec<&str> = rows.iter().map(|row| question.options[*row].as_str()).collect();
                            self.conclude(question.label, &shown.join(", "));
                            return Said::Given(rows);
                        }
                        Err(why) => wrong = Some(why),
                    }
                }
                Key::Control('d') => return self.leave(question.label, Leave::Cancel),
                key => match self.left(key, question.label, question.can_go_back).await {
                    Some(said) => return said,
                    None => list.press(key),
                },
            }
        }
    }

    fn list_lines(&self, question: &Choose<'_>, list: &mut List, ticks: bool, wrong: Option<&str>) -> Vec<String> {
        let (width, height) = self.tty.size();
        let width = width.max(20);
        let label = fit(&visible(question.label, Lines::One), width - 4);
        let mut lines = vec![format!("  {}", self.style.paint(Look::Bold, &with_colon(&label)))];
        let window = list.window(height.saturating_sub(8).clamp(3, 12));
        let (above, below) = (window.start, question.options.len() - window.end);
        for row in window {
            let marked = row == list.at;
            let tick = match (ticks, list.ticked.get(row)) {
                (false, _) => "",
                (true, Some(true)) => "[x] ",
                (true, _) => "[ ] ",
            };
            let text = fit(&format!("{tick}{}", visible(&question.options[row], Lines::One)), width - 5);
            lines.push(match marked {
                true => format!("  {}", self.style.paint(Look::Cyan, &format!("> {text}"))),
                false => format!("    {text}"),
            });
        }
        if above + below > 0 {
            let more = format!("    ({above} more above, {below} below)");
            lines.push(self.style.paint(Look::Dim, &fit(&more, width - 1)));
        }
        let how = if ticks {
            format!("Space: tick   Enter: done   {ESCAPE}")
        } else {
            format!("Up/Down, Enter: choose   {ESCAPE}")
        };
        lines.extend(self.foot(wrong, question.help, &how, width));
        lines
    }

    /// Whether a key leaves the question: ^C, a gone terminal, or escape and then a choice.
    async fn left<T>(&mut self, key: Key, label: &str, can_go_back: bool) -> Option<Said<T>> {
        match key {
            Key::Control('c') => Some(self.leave(label, Leave::Interrupt)),
            Key::Gone => Some(self.leave(label, Leave::Gone)),
            Key::Escape => self.leave_menu(label, can_go_back).await,
            _ => None,
        }
    }

    /// The choice after escape; `None` goes on with the question.
    async fn leave_menu<T>(&mut self, label: &str, can_go_back: bool) -> Option<Said<T>> {
        let mut rows = vec![
            ("Go on answering", None),
            ("Decline: tell the server no", Some(Said::Left(Leave::Decline))),
            ("Cancel: dismiss the question", Some(Said::Left(Leave::Cancel))),
        ];
        if can_go_back {
            rows.insert(1, ("Back to the question before", Some(Said::Back)));
        }
        let mut list = List::new(rows.len(), 0, &[]);
        loop {
            let mut lines: Vec<String> = Vec::new();
            for (row, (text, _)) in rows.iter().enumerate() {
                lines.push(match row == list.at {
                    true => format!("  {}", self.style.paint(Look::Cyan, &format!("> {text}"))),
                    false => format!("    {text}"),
                });
            }
            lines.push(format!("  {}", self.style.paint(Look::Dim, "Up/Down, Enter: choose   Esc: go on")));
            self.draw(&lines, None);
            match self.key().await {
                Some(Key::Enter) => {
                    return match rows.swap_remove(list.at).1? {
                        Said::Left(how) => Some(self.leave(label, how)),
                        other => {
                            self.clear();
                            Some(other)
                        }
                    };
                }
                Some(Key::Escape) => return None,
                Some(Key::Control('c')) => return Some(self.leave(label, Leave::Interrupt)),
                Some(Key::Gone) => return Some(self.leave(label, Leave::Gone)),
                Some(key) => list.press(key),
                None => {}
            }
        }
    }

    fn leave<T>(&mut self, label: &str, how: Leave) -> Said<T> {
        let word = if how == Leave::Decline { "(declined)" } else { "(cancelled)" };
        self.conclude(label, word);
        Said::Left(how)
    }
}

/// A label that is a question stands for itself.
fn with_colon(label: &str) -> String {
    if label.ends_with('?') { label.to_owned() } else { format!("{label}:") }
}

impl Prompter for Terminal {
    fn say(&mut self, text: &str) {
        self.clear();
        let (width, _) = self.tty.size();
        for line in wrap(&visible(text, Lines::Many), width.max(20) - 1) {
            self.write(&format!("{line}\n"));
        }
    }

    fn line<'a>(&'a mut self, question: Line<'a>) -> Asking<'a, String> {
        Box::pin(self.ask_line(question))
    }

    fn choose<'a>(&'a mut self, question: Choose<'a>) -> Asking<'a, usize> {
        Box::pin(async move {
            match self.ask_list(&question, None).await {
                Said::Given(rows) => Said::Given(rows[0]),
                Said::Back => Said::Back,
                Said::Left(how) => Said::Left(how),
            }
        })
    }

    fn choose_many<'a>(
        &'a mut self,
        question: Choose<'a>,
        ticked: &'a [usize],
        check: CheckRows<'a>,
    ) -> Asking<'a, Vec<usize>> {
        Box::pin(async move { self.ask_list(&question, Some((ticked, check))).await })
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.clear();
        // An empty line sets the question off from what follows.
        self.write("\n\x1b[?25h");
        self.screen.end();
    }
}
