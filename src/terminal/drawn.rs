//! Questions drawn at a terminal: what stands on the screen of the one that is being asked, and what all kinds of
//! question have in common. The kinds are in `ask_line`, `ask_edit` and `ask_list`.

use super::keys::{self, Key, Keys};
use super::line::{columns, fit, rows, wrap, wrap_parts};
use super::prompter::{Asking, CheckRows, Choose, Edit, Leave, Line, Prompter, Said, with_colon};
use super::sanitize::{Lines, visible};
use super::style::{Look, Style};
use super::{Screen, Tty};
use rustix::termios::OptionalActions;
use std::fs::File;
use std::io::Write;
use std::sync::Arc;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The narrowest window that is drawn for.
const NARROW: usize = 20;

/// A person at a terminal. Takes it over when made, gives it back when dropped.
pub(super) struct Drawn {
    pub(super) tty: Tty,
    out: File,
    /// None while an editor has the terminal.
    keys: Option<Keys>,
    resized: Signal,
    screen: Arc<Screen>,
    pub(super) style: Style,
    cursor: Option<Cursor>,
    /// What is written at the end.
    parting: &'static str,
    /// What leaving means, where it is no answer to a server.
    pub(super) cancel: Option<&'static str>,
}

/// Where the cursor is in what is drawn. The terminal may have become narrower since: then the lines above, and the
/// cursor's own, take more rows than they did.
struct Cursor {
    /// The columns of each line above.
    above: Vec<usize>,
    column: usize,
}

impl Cursor {
    /// How many rows the cursor is below the first.
    fn row(&self, width: usize) -> usize {
        self.above.iter().map(|columns| rows(*columns, width)).sum::<usize>() + self.column / width.max(1)
    }
}

/// What stands below a question.
pub(super) struct Foot<'a> {
    /// What is wrong with the answer.
    pub(super) wrong: Option<&'a str>,
    /// Explained.
    pub(super) help: &'a str,
    /// The keys that go on, or leave.
    pub(super) keys: &'a [String],
}

impl Drawn {
    /// What escape offers.
    pub(super) fn escape(&self, can_go_back: bool) -> String {
        match (self.cancel.is_some(), can_go_back) {
            (true, true) => "Esc: cancel or go back",
            (true, false) => "Esc: cancel",
            (false, true) => "Esc: decline, cancel or go back",
            (false, false) => "Esc: decline or cancel",
        }
        .to_owned()
    }

    /// Takes the terminal over.
    ///
    /// # Errors
    /// When it is gone.
    pub(super) fn open(tty: &Tty, screen: Arc<Screen>, style: Style) -> std::io::Result<Self> {
        // What was typed before the question stood is no answer to it. An empty line sets it off from what follows.
        Self::begin(tty, screen, style, OptionalActions::Flush, "\n")
    }

    /// The same for a line at a prompt, which may have been begun before that stood.
    ///
    /// # Errors
    /// When it is gone.
    pub(super) fn at_prompt(tty: &Tty, screen: Arc<Screen>, style: Style) -> std::io::Result<Self> {
        Self::begin(tty, screen, style, OptionalActions::Drain, "")
    }

    fn begin(
        tty: &Tty,
        screen: Arc<Screen>,
        style: Style,
        typed_before: OptionalActions,
        parting: &'static str,
    ) -> std::io::Result<Self> {
        let tty = tty.try_clone()?;
        let (out, keys) = (tty.file.try_clone()?, keys::open(&tty.file, typed_before)?);
        let resized = signal(SignalKind::window_change())?;
        screen.begin();
        let mut drawn =
            Drawn { tty, out, keys: Some(keys), resized, screen, style, cursor: None, parting, cancel: None };
        drawn.write(MARK_PASTES);
        Ok(drawn)
    }

    pub(super) fn write(&mut self, text: &str) {
        // A terminal that is gone shows itself at the next key.
        let _ = self.out.write_all(text.as_bytes());
    }

    /// Where lines are shown meanwhile.
    pub(super) fn screen(&self) -> Arc<Screen> {
        self.screen.clone()
    }

    /// Columns and rows to draw in.
    pub(super) fn size(&self) -> (usize, usize) {
        let (width, height) = self.tty.size();
        (width.max(NARROW), height.max(4))
    }

    /// What removes the question from the screen.
    fn wipe(&mut self) -> String {
        let Some(cursor) = self.cursor.take() else { return String::new() };
        let up = match cursor.row(self.tty.size().0) {
            0 => String::new(),
            n_rows => format!("\x1b[{n_rows}A"),
        };
        format!("\r{up}\x1b[J")
    }

    /// Removes the question from the screen.
    pub(super) fn clear(&mut self) {
        let wipe = self.wipe();
        self.write(&wipe);
    }

    /// Draws the question anew with the cursor at (line, column). Without one it is hidden and waits at the top, where
    /// nothing above it can change its rows.
    pub(super) fn draw(&mut self, lines: &[String], cursor: Option<(usize, usize)>) {
        let mut text = self.wipe();
        let width = self.tty.size().0;
        let (line, column) = cursor.unwrap_or((0, 0));
        text.push_str(&lines.join("\n"));
        let n_rows = |lines: &[String]| lines.iter().map(|line| rows(columns(line), width)).sum::<usize>();
        let up = (n_rows(&lines[line..]) - 1).saturating_sub(column / width);
        if up > 0 {
            text.push_str(&format!("\x1b[{up}A"));
        }
        text.push('\r');
        if column % width > 0 {
            text.push_str(&format!("\x1b[{}C", column % width));
        }
        text.push_str(if cursor.is_some() { "\x1b[?25h" } else { "\x1b[?25l" });
        self.write(&text);
        self.cursor = Some(Cursor { above: lines[..line].iter().map(|line| columns(line)).collect(), column });
    }

    /// Leaves a line on the screen in place of the question.
    pub(super) fn conclude(&mut self, label: &str, answer: &str) {
        let wipe = self.wipe();
        let answer = self.style.paint(Look::Cyan, &visible(answer, Lines::One));
        self.write(&format!("{wipe}  {} {answer}\n\x1b[?25h", with_colon(&visible(label, Lines::One))));
    }

    /// The next key; `None` when the question must be drawn anew.
    pub(super) async fn key(&mut self) -> Option<Key> {
        let Some(keys) = &mut self.keys else { return Some(Key::Gone) };
        tokio::select! {
            key = keys.next() => Some(key.unwrap_or(Key::Gone)),
            _ = self.resized.recv() => None,
            () = self.screen.waiting.notified() => {
                self.clear();
                self.screen.flush();
                None
            }
        }
    }

    /// Ends the reading; gives the keys that were typed and not taken.
    pub(super) fn into_rest(mut self) -> Vec<Key> {
        self.keys.take().map(Keys::into_rest).unwrap_or_default()
    }

    /// Whether another key is there already: then drawing can wait.
    pub(super) fn is_pending(&self) -> bool {
        self.keys.as_ref().is_some_and(Keys::is_pending)
    }

    /// A label as it begins a question: lines above, and what stands before the answer. A long label has lines of its
    /// own.
    pub(super) fn heading(&self, label: &str, width: usize) -> (Vec<String>, String) {
        let label = with_colon(&visible(label, Lines::One));
        if columns(&label) + 3 <= width / 2 {
            return (Vec::new(), format!("  {} ", self.style.paint(Look::Bold, &label)));
        }
        (self.title(&label, width), "  > ".to_owned())
    }

    /// A label in lines of its own; one of more than a few is cut.
    pub(super) fn title(&self, label: &str, width: usize) -> Vec<String> {
        let label = fit(&with_colon(&visible(label, Lines::One)), 4 * (width - 4));
        wrap(&label, width - 3).iter().map(|line| format!("  {}", self.style.paint(Look::Bold, line))).collect()
    }

    /// A help text that the window has no room for is shown once, above; the rest is for the foot.
    pub(super) fn lift<'a>(&mut self, help: &'a str) -> &'a str {
        let (width, height) = self.size();
        let lines = wrap(&visible(help, Lines::Many), width - 3);
        if lines.len() <= (height / 2).max(3) {
            return help;
        }
        for line in lines {
            self.write(&format!("  {}\n", self.style.paint(Look::Dim, &line)));
        }
        ""
    }

    /// The lines below a question, where there is room for so many: what is wrong, help, and how to go on. Help gives
    /// way to the others.
    pub(super) fn foot(&self, foot: &Foot<'_>, room: usize) -> Vec<String> {
        let width = self.size().0;
        let dim = |line: &String| format!("  {}", self.style.paint(Look::Dim, line));
        let mut lines: Vec<String> = Vec::new();
        if let Some(wrong) = foot.wrong {
            let mut wrapped = wrap(&visible(wrong, Lines::One), width - 5);
            // The line that is typed stays in view, whatever is wrong with it.
            wrapped.truncate((room / 2).max(1));
            lines.extend(wrapped.iter().map(|line| format!("  {}", self.style.paint(Look::Red, &format!("! {line}")))));
        }
        let keys = wrap_parts(foot.keys, width - 3);
        let room = room.saturating_sub(lines.len() + keys.len());
        if !foot.help.is_empty() {
            let mut help = wrap(&visible(foot.help, Lines::Many), width - 3);
            if help.len() > room {
                help.truncate(room);
                if let Some(last) = help.last_mut() {
                    *last = "…".to_owned();
                }
            }
            lines.extend(help.iter().map(dim));
        }
        lines.extend(keys.iter().map(dim));
        lines
    }

    /// Hands the terminal to the person's editor for a while. The text as edited, or why there is none.
    pub(super) async fn in_editor(&mut self, label: &str, text: &str, extension: &str) -> Result<String, String> {
        let Some(editor) = self.tty.editor.clone() else { return Err("there is no editor".to_owned()) };
        let wipe = self.wipe();
        let what = fit(&format!("{} is open", editor.name()), self.size().0 / 2);
        let line = format!("  {} ({what}) ", fit(&with_colon(&visible(label, Lines::One)), self.size().0 / 3));
        self.write(&format!("{wipe}{line}{MARK_NO_PASTES}\x1b[?25h"));
        self.keys = None;
        let edited = editor.edit(&self.tty.file, text, extension).await;
        self.keys = keys::open(&self.tty.file, OptionalActions::Flush).ok();
        self.write(&format!("{MARK_PASTES}\r\x1b[K"));
        edited
    }

    /// Leaves the question without an answer.
    pub(super) fn leave<T>(&mut self, label: &str, how: Leave) -> Said<T> {
        let word = if how == Leave::Decline { "(declined)" } else { "(cancelled)" };
        self.conclude(label, word);
        Said::Left(how)
    }

    /// Whether a key leaves the question: ^C, a gone terminal, or escape and then a choice.
    pub(super) async fn left<T>(&mut self, key: Key, label: &str, can_go_back: bool) -> Option<Said<T>> {
        match key {
            Key::Control('c') => Some(self.leave(label, Leave::Interrupt)),
            Key::Gone => Some(self.leave(label, Leave::Gone)),
            Key::Escape => self.leave_menu(label, can_go_back).await,
            _ => None,
        }
    }
}

impl Prompter for Drawn {
    fn only_cancels(&mut self, cancel: &'static str) {
        self.cancel = Some(cancel);
    }

    fn say(&mut self, text: &str) {
        self.clear();
        for line in wrap(&visible(text, Lines::Many), self.size().0 - 1) {
            self.write(&format!("{line}\n"));
        }
    }

    /// Several lines are marked as such.
    fn quote(&mut self, text: &str) {
        let lines = wrap(&visible(text.trim_end(), Lines::Many).replace('\t', "    "), self.size().0 - 3);
        let mark = if lines.len() > 1 { "| " } else { "" };
        for line in lines {
            self.write(&format!("{}{line}\n", self.style.paint(Look::Dim, mark)));
        }
        self.write("\n");
    }

    fn line<'a>(&'a mut self, question: Line<'a>) -> Asking<'a, String> {
        Box::pin(self.ask_line(question))
    }

    fn edit<'a>(&'a mut self, question: Edit<'a>) -> Asking<'a, String> {
        Box::pin(self.ask_edit(question))
    }

    fn choose<'a>(&'a mut self, question: Choose<'a>) -> Asking<'a, usize> {
        Box::pin(async move { self.ask_list(&question, None).await.map(|rows| rows[0]) })
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

/// Has the terminal mark what is pasted (bracketed paste), so that its line breaks answer no questions.
const MARK_PASTES: &str = "\x1b[?2004h";
const MARK_NO_PASTES: &str = "\x1b[?2004l";

impl Drop for Drawn {
    fn drop(&mut self) {
        let wipe = self.wipe();
        self.write(&format!("{wipe}{}{MARK_NO_PASTES}\x1b[?25h", self.parting));
        self.screen.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrower_window_puts_the_cursor_further_down() {
        let cursor = Cursor { above: vec![30, 0, 10], column: 25 };
        for (width, row) in [(80, 3), (30, 3), (29, 4), (20, 5), (10, 7)] {
            assert_eq!(cursor.row(width), row, "{width}");
        }
    }
}
