//! Questions with a list of answers, and the menu behind escape. Typing searches.

use super::drawn::{Drawn, Foot};
use super::keys::Key;
use super::line::{columns, fit};
use super::list::List;
use super::prompter::{CheckRows, Choose, Leave, Said};
use super::sanitize::{Lines, visible};
use super::style::Look;

/// The most options in view.
const WINDOW: usize = 12;

/// The least.
const LEAST: usize = 3;

impl Drawn {
    pub(super) async fn ask_list(
        &mut self,
        question: &Choose<'_>,
        ticked: Option<(&[usize], CheckRows<'_>)>,
    ) -> Said<Vec<usize>> {
        let Choose { label, can_go_back, .. } = *question;
        let options: Vec<String> =
            question.options.iter().map(|option| visible(option, Lines::One).into_owned()).collect();
        let mut list = List::new(&options, question.at, ticked.map(|(ticked, _)| ticked));
        let mut wrong: Option<String> = None;
        let help = self.lift(question.help);
        loop {
            let mut keys = match ticked {
                Some(_) => vec!["Space: tick".to_owned(), "Enter: done".to_owned()],
                None => vec!["Up/Down, Enter: choose".to_owned()],
            };
            if list.search().is_empty() {
                keys.push(self.escape(can_go_back));
            } else {
                keys.push("Esc: end the search".to_owned());
                keys.push(self.escape(can_go_back).replacen("Esc", "Esc again", 1));
            }
            let title = self.title(label, self.size().0);
            let foot = Foot { wrong: wrong.as_deref(), help, keys: &keys };
            self.draw_list(title, &options, &mut list, &foot);
            let Some(key) = self.key().await else { continue };
            wrong = wrong.filter(|_| !matches!(key, Key::Char(_) | Key::Backspace));
            match key {
                Key::Enter => {
                    let rows = list.chosen();
                    let checked = match ticked {
                        Some(_) if list.found().is_empty() => Err("nothing fits the search".to_owned()),
                        Some((_, check)) => check(&rows),
                        None if rows.is_empty() => Err("nothing is chosen".to_owned()),
                        None => Ok(()),
                    };
                    match checked {
                        Ok(()) => {
                            let shown: Vec<&str> = rows.iter().map(|row| question.options[*row].as_str()).collect();
                            self.conclude(label, &shown.join(", "));
                            return Said::Given(rows);
                        }
                        Err(why) => wrong = Some(why),
                    }
                }
                Key::Control('d') => return self.leave(label, Leave::Cancel),
                Key::Escape if !list.search().is_empty() => list.search_all(),
                key => match self.left(key, label, can_go_back).await {
                    Some(said) => return said,
                    None => list.press(key),
                },
            }
        }
    }

    /// The choice after escape; `None` goes on with the question.
    pub(super) async fn leave_menu<T>(&mut self, label: &str, can_go_back: bool) -> Option<Said<T>> {
        let mut ways = vec![
            ("Go on answering", None),
            ("Decline: tell the server no", Some(Said::Left(Leave::Decline))),
            (self.cancel.unwrap_or("Cancel: dismiss the question"), Some(Said::Left(Leave::Cancel))),
        ];
        if self.cancel.is_some() {
            ways.remove(1);
        }
        if can_go_back {
            ways.insert(1, ("Back to the question before", Some(Said::Back)));
        }
        let options: Vec<String> = ways.iter().map(|(text, _)| (*text).to_owned()).collect();
        let mut list = List::new(&options, 0, None);
        let keys = ["Up/Down, Enter: choose", "Esc: go on"].map(str::to_owned);
        loop {
            self.draw_list(Vec::new(), &options, &mut list, &Foot { wrong: None, help: "", keys: &keys });
            match self.key().await {
                Some(Key::Enter) => {
                    let Some(way) = list.marked() else { continue };
                    return match ways.swap_remove(way).1? {
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

    /// Draws a list between its title and its foot, as much of it as fits the window.
    fn draw_list(&mut self, title: Vec<String>, options: &[String], list: &mut List, foot: &Foot<'_>) {
        let (width, height) = self.size();
        let mut lines = title;
        if !list.search().is_empty() {
            let n_found = match list.found().len() {
                0 => "nothing fits".to_owned(),
                n_found => format!("{n_found} of {}", options.len()),
            };
            let search = fit(list.search(), (width - 6).saturating_sub("Search:  ".len() + n_found.len()).max(4));
            let n_found = self.style.paint(Look::Dim, &format!("({n_found})"));
            lines.push(format!("  Search: {}  {n_found}", self.style.paint(Look::Bold, &search)));
        }
        // What is cut off at the marked option is told below.
        let room = width - 5 - if list.has_ticks() { 4 } else { 0 };
        let cut = list.marked().map(|option| options[option].as_str()).filter(|option| columns(option) > room);
        let help = [cut.unwrap_or_default(), foot.help];
        let help = help.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
        // One row stays free, and one for what is out of view.
        let rest = (height - 2).saturating_sub(lines.len());
        let in_view = list.found().len().min(WINDOW);
        let least = in_view.min(LEAST);
        // Searching is told of where it helps.
        let is_long = list.found().len() > in_view || !list.search().is_empty();
        let search = is_long.then(|| "Type to search".to_owned());
        let keys: Vec<String> = search.into_iter().chain(foot.keys.iter().cloned()).collect();
        let foot = self.foot(&Foot { wrong: foot.wrong, help: &help, keys: &keys }, rest.saturating_sub(least));
        let window = list.window(in_view.min(rest.saturating_sub(foot.len())).max(1));
        let (above, below) = (window.start, list.found().len() - window.end);
        for option in &list.found()[window] {
            let tick = match list.is_ticked(*option) {
                None => "",
                Some(true) => "[x] ",
                Some(false) => "[ ] ",
            };
            let text = format!("{tick}{}", fit(&options[*option], room));
            lines.push(match list.marked() == Some(*option) {
                true => format!("  {}", self.style.paint(Look::Cyan, &format!("> {text}"))),
                false => format!("    {text}"),
            });
        }
        if above + below > 0 {
            let n_ticked = match list.chosen().len() {
                n_ticked @ 1.. if list.has_ticks() => format!(", {n_ticked} ticked"),
                _ => String::new(),
            };
            let more = format!("    ({above} more above, {below} below{n_ticked})");
            lines.push(self.style.paint(Look::Dim, &fit(&more, width - 1)));
        }
        lines.extend(foot);
        self.draw(&lines, None);
    }
}
