//! Questions at a terminal that only prints lines (`TERM=dumb`), for a screen reader, a terminal inside an editor or a
//! log: a dialogue line by line, without an escape sequence. Lines that arrive meanwhile wait for the answer, since
//! what is half typed could not be drawn again.

use super::line::{columns, wrap, wrap_parts};
use super::prompter::{Asking, CheckRows, Choose, Edit, Leave, Line, Prompter, Said, with_colon};
use super::sanitize::{Lines, visible};
use super::typed::{self, Found, Text, Typed, Word, find, pieces, word};
use super::{Screen, Tty};
use std::fs::File;
use std::io::Write;
use std::sync::Arc;

/// The most options that are listed at once.
const LISTED: usize = 40;

/// A person at a terminal. Takes it over when made, gives it back when dropped.
pub(super) struct Plain {
    tty: Tty,
    out: File,
    /// None while an editor has the terminal.
    typed: Option<Typed>,
    screen: Arc<Screen>,
    /// The cursor stands behind what is being typed.
    is_in_line: bool,
    /// A line was there before.
    is_pending: bool,
    /// What is written at the end.
    parting: &'static str,
    /// There is no server to tell no.
    only_cancels: bool,
}

/// What is said before each answer.
struct Page<'a> {
    label: &'a str,
    help: &'a str,
    /// The lines between help and keys: options, or the text so far.
    body: Vec<String>,
    /// What can be typed beside the answer.
    words: Vec<String>,
    can_go_back: bool,
}

impl Plain {
    /// Takes the terminal over.
    ///
    /// # Errors
    /// When it is gone.
    pub(super) fn open(tty: &Tty, screen: Arc<Screen>) -> std::io::Result<Self> {
        let typed = typed::open(&tty.file, false)?;
        // An empty line sets the question off from what follows.
        Self::begin(tty, screen, typed, false, "\n")
    }

    /// The same for a line at a prompt, which may have been begun before that stood.
    ///
    /// # Errors
    /// When it is gone.
    pub(super) fn at_prompt(tty: &Tty, screen: Arc<Screen>) -> std::io::Result<Self> {
        let is_pending = typed::is_pending(&tty.file);
        let typed = typed::at_prompt(&tty.file)?;
        Self::begin(tty, screen, typed, is_pending, "")
    }

    fn begin(
        tty: &Tty,
        screen: Arc<Screen>,
        typed: Typed,
        is_pending: bool,
        parting: &'static str,
    ) -> std::io::Result<Self> {
        let tty = tty.try_clone()?;
        let out = tty.file.try_clone()?;
        screen.begin();
        Ok(Plain { tty, out, typed: Some(typed), screen, is_in_line: false, is_pending, parting, only_cancels: false })
    }

    /// Whether a line was there before this.
    pub(super) fn is_pending(&self) -> bool {
        self.is_pending
    }

    /// Ends the reading; gives the lines that were typed and not taken.
    pub(super) fn into_rest(mut self) -> Vec<Text> {
        self.typed.take().map(Typed::into_rest).unwrap_or_default()
    }

    fn width(&self) -> usize {
        self.tty.size().0.max(20)
    }

    pub(super) fn write(&mut self, text: &str) {
        // A terminal that is gone shows itself at the next line.
        let _ = self.out.write_all(text.as_bytes());
    }

    /// Prints a text of ours or the server's, each line after a mark.
    fn print(&mut self, mark: &str, text: &str) {
        for line in wrap(&visible(text, Lines::Many).replace('\t', "    "), self.width() - 1 - mark.len()) {
            self.write(&format!("{mark}{line}\n"));
        }
    }

    fn complain(&mut self, why: &str) {
        self.print("! ", &visible(why, Lines::One));
    }

    /// Prints the question and waits for what is said to it.
    async fn ask(&mut self, page: &Page<'_>) -> Said<Word> {
        self.print_page(page);
        self.next(page).await
    }

    /// The next line that is for the kind of question to deal with: an answer, `Dot`, `Empty`, `Edit`.
    async fn next(&mut self, page: &Page<'_>) -> Said<Word> {
        loop {
            self.write("> ");
            self.is_in_line = true;
            let text = self.typed().await;
            // The end of a line was echoed, ^C and ^D were not followed by one.
            if !matches!(text, Some(Text::Line(_))) {
                self.write("\n");
            }
            self.is_in_line = false;
            self.screen.flush();
            match text {
                None => return Said::Left(Leave::Gone),
                Some(Text::Interrupt) => return self.leave(Leave::Interrupt),
                Some(Text::End) => return self.leave(Leave::Cancel),
                Some(Text::Line(line)) => match word(&line) {
                    Word::Again => {
                        self.print_page(page);
                        self.print("  ", "An answer that begins with / or is ? is typed with one more / before it.");
                    }
                    Word::Back if page.can_go_back => return Said::Back,
                    Word::Back => self.complain("there is no question before this one"),
                    Word::Leave(how) => return self.leave(how),
                    Word::Unknown(text) => self.complain(&format!("there is no {text} here; as an answer: /{text}")),
                    word => return Said::Given(word),
                },
            }
        }
    }

    /// What is typed next; `None` when the terminal is gone.
    pub(super) async fn typed(&mut self) -> Option<Text> {
        match &mut self.typed {
            Some(typed) => typed.next().await,
            None => None,
        }
    }

    fn print_page(&mut self, page: &Page<'_>) {
        self.print("", &with_colon(&visible(page.label, Lines::One)));
        if !page.help.is_empty() {
            self.print("  ", page.help);
        }
        for line in &page.body {
            self.write(&format!("{line}\n"));
        }
        let back = page.can_go_back.then_some("/back");
        let decline = (!self.only_cancels).then_some("/decline");
        let rest = back.into_iter().chain(decline).chain(["/cancel", "?: the question again"]).map(str::to_owned);
        let words: Vec<String> = page.words.iter().cloned().chain(rest).collect();
        for line in wrap_parts(&words, self.width() - 3) {
            self.write(&format!("  {line}\n"));
        }
    }

    fn leave<T>(&mut self, how: Leave) -> Said<T> {
        // Whoever knows the word from other questions means the same.
        let how = if self.only_cancels && how == Leave::Decline { Leave::Cancel } else { how };
        self.write(if how == Leave::Decline { "(declined)\n" } else { "(cancelled)\n" });
        Said::Left(how)
    }

    /// Hands the terminal to the person's editor for a while.
    async fn in_editor(&mut self, text: &str, extension: &str) -> Result<String, String> {
        let Some(editor) = self.tty.editor.clone() else { return Err("EDITOR names no editor".to_owned()) };
        self.typed = None;
        let edited = editor.edit(&self.tty.file, text, extension).await;
        self.typed = typed::open(&self.tty.file, false).ok();
        edited
    }

    async fn ask_line(&mut self, question: Line<'_>) -> Said<String> {
        if !question.is_secret {
            return self.ask_shown(question).await;
        }
        // One after the other: each gives back what it found.
        self.typed = None;
        self.typed = typed::open(&self.tty.file, true).ok();
        let said = self.ask_shown(question).await;
        self.typed = None;
        self.typed = typed::open(&self.tty.file, false).ok();
        said
    }

    async fn ask_shown(&mut self, question: Line<'_>) -> Said<String> {
        let mut initial = question.initial.to_owned();
        loop {
            let mut words = Vec::new();
            if initial.is_empty() {
                words.push(format!("Enter: {}", question.enter));
            } else {
                let shown = if question.is_secret { "what is given".into() } else { visible(&initial, Lines::One) };
                words.push(format!("Enter alone: {shown}"));
                words.push("/empty: no text".to_owned());
            }
            let extension = question.in_editor.filter(|_| self.tty.editor.is_some());
            words.extend(extension.map(|_| "/edit: in the editor".to_owned()));
            let Line { label, help, can_go_back, .. } = question;
            let said = self.ask(&Page { label, help, body: Vec::new(), words, can_go_back }).await;
            let text = match (said, extension) {
                (Said::Given(Word::Answer(text)), _) if text.is_empty() => initial.clone(),
                (Said::Given(Word::Answer(text)), _) => text,
                (Said::Given(Word::Edit), Some(extension)) => match self.in_editor(&initial, extension).await {
                    Ok(text) => {
                        initial = text;
                        continue;
                    }
                    Err(why) => {
                        self.complain(&why);
                        continue;
                    }
                },
                (Said::Given(Word::Edit), None) => {
                    self.complain("there is no editor here");
                    continue;
                }
                (Said::Given(Word::Dot), _) => ".".to_owned(),
                (Said::Given(_), _) => String::new(),
                (Said::Back, _) => return Said::Back,
                (Said::Left(how), _) => return Said::Left(how),
            };
            match (question.check)(&text) {
                Ok(()) => return Said::Given(text),
                Err(why) => self.complain(&why),
            }
        }
    }

    /// A text of several lines, typed until a line with a dot, or written in the editor.
    async fn ask_edit(&mut self, question: Edit<'_>) -> Said<String> {
        let Edit { label, help, extension, can_go_back, .. } = question;
        let mut text = question.initial.to_owned();
        loop {
            let mut words = vec!["Type the text; a line with only . ends it".to_owned()];
            if !text.is_empty() {
                words = vec!["Type another text, or . alone to keep this one".to_owned(), "/empty: no text".to_owned()];
            }
            words.extend(self.tty.editor.as_ref().map(|editor| format!("/edit: in {}", editor.name())));
            let width = self.width() - 3;
            let so_far = if text.is_empty() { Vec::new() } else { wrap(&visible(&text, Lines::Many), width) };
            let body = so_far.iter().map(|line| format!("| {line}")).collect();
            let page = Page { label, help, body, words, can_go_back };
            let mut lines: Vec<String> = Vec::new();
            let mut said = self.ask(&page).await;
            let edited = loop {
                match said {
                    Said::Given(Word::Answer(line)) => lines.push(line),
                    Said::Given(Word::Dot) if lines.is_empty() => break Ok(text.clone()),
                    Said::Given(Word::Dot) => break Ok(lines.join("\n")),
                    Said::Given(Word::Edit) => break self.in_editor(&text, extension).await,
                    Said::Given(_) => break Ok(String::new()),
                    Said::Back => return Said::Back,
                    Said::Left(how) => return Said::Left(how),
                }
                said = self.next(&page).await;
            };
            match edited {
                Err(why) => self.complain(&why),
                Ok(edited) => {
                    text = edited;
                    match (question.check)(&text) {
                        Ok(()) => return Said::Given(text),
                        Err(why) => self.complain(&why),
                    }
                }
            }
        }
    }

    async fn ask_list(&mut self, question: &Choose<'_>, ticked: Option<(&[usize], CheckRows<'_>)>) -> Said<Vec<usize>> {
        let Choose { label, help, can_go_back, .. } = *question;
        let options = question.options;
        let at_first = ticked
            .map_or_else(|| vec![question.at.min(options.len().saturating_sub(1))], |(ticked, _)| ticked.to_vec());
        let names =
            |rows: &[usize]| rows.iter().filter_map(|row| options.get(*row)).cloned().collect::<Vec<_>>().join(", ");
        let mut words = match ticked {
            Some(_) => vec!["Type numbers or names, with commas between".to_owned()],
            None => vec!["Type a number or a name".to_owned()],
        };
        if options.len() > LISTED {
            words.push("a part of a name searches".to_owned());
        }
        let shown = if at_first.is_empty() { "none".to_owned() } else { names(&at_first) };
        words.push(format!("Enter alone: {}", visible(&shown, Lines::One)));
        if !at_first.is_empty() && ticked.is_some() {
            words.push("/none".to_owned());
        }
        let all: Vec<usize> = (0..options.len()).collect();
        let page = Page { label, help, body: self.listed(options, &all, &at_first), words, can_go_back };
        let mut said = self.ask(&page).await;
        loop {
            let rows = match said {
                Said::Given(Word::Answer(text)) if text.trim().is_empty() => Ok(at_first.clone()),
                Said::Given(Word::Answer(text)) => self.chosen(options, &text, ticked.is_some()),
                Said::Given(Word::Empty) if ticked.is_some() => Ok(Vec::new()),
                Said::Given(_) => Err("one of the list is needed here".to_owned()),
                Said::Back => return Said::Back,
                Said::Left(how) => return Said::Left(how),
            };
            match rows.and_then(|rows| ticked.map_or(Ok(()), |(_, check)| check(&rows)).map(|()| rows)) {
                Ok(rows) => {
                    let shown = if rows.is_empty() { "none".to_owned() } else { names(&rows) };
                    self.print("  ", &format!("{} {shown}", with_colon(&visible(label, Lines::One))));
                    return Said::Given(rows);
                }
                Err(why) => self.complain(&why),
            }
            said = self.next(&page).await;
        }
    }

    /// The options that a text names; where it names none, what to say.
    fn chosen(&mut self, options: &[String], text: &str, several: bool) -> Result<Vec<usize>, String> {
        let pieces = if several { pieces(options, text) } else { vec![text.trim()] };
        let mut rows = Vec::new();
        for piece in pieces {
            match find(options, piece) {
                Found::One(row) => rows.push(row),
                Found::Several(found) => {
                    for line in self.listed(options, &found, &[]) {
                        self.write(&format!("{line}\n"));
                    }
                    return Err(format!("{} options fit \"{piece}\"; which one?", found.len()));
                }
                Found::Both(number, name) => {
                    let (number, name) = (number + 1, name + 1);
                    return Err(format!("{piece} is the name of number {name}: type #{name} for it, or #{number}"));
                }
                Found::None => return Err(format!("no option fits \"{piece}\"")),
            }
        }
        rows.sort_unstable();
        rows.dedup();
        Ok(rows)
    }

    /// Options with their numbers, a star at those that Enter alone means.
    fn listed(&self, options: &[String], rows: &[usize], marked: &[usize]) -> Vec<String> {
        let digits = options.len().to_string().len();
        let mut lines = Vec::new();
        for row in rows.iter().take(LISTED) {
            let mark = if marked.contains(row) { '*' } else { ' ' };
            let text = wrap(&visible(&options[*row], Lines::One), self.width().saturating_sub(digits + 6));
            for (n, text) in text.iter().enumerate() {
                lines.push(match n {
                    0 => format!(" {mark} {:>digits$}. {text}", row + 1),
                    _ => format!("   {:>digits$}  {text}", ""),
                });
            }
        }
        if rows.len() > LISTED {
            lines.push(format!("   (and {} more)", rows.len() - LISTED));
        }
        lines
    }
}

impl Prompter for Plain {
    fn only_cancels(&mut self, _: &'static str) {
        self.only_cancels = true;
    }

    fn say(&mut self, text: &str) {
        self.print("", text);
    }

    /// Several lines are marked as such.
    fn quote(&mut self, text: &str) {
        let text = text.trim_end();
        let fits = !text.contains('\n') && columns(text) < self.width();
        self.print(if fits { "" } else { "| " }, text);
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

impl Drop for Plain {
    fn drop(&mut self) {
        if self.is_in_line {
            self.write("\n");
        }
        self.write(self.parting);
        self.screen.end();
    }
}
