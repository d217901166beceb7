//! A question for a text of several lines: it is written in the person's editor, or typed in one line after all.

use super::drawn::{Drawn, Foot};
use super::keys::Key;
use super::line::{columns, fit};
use super::prompter::{Edit, Leave, Line, Said, summary};
use super::sanitize::{Lines, visible};

impl Drawn {
    pub(super) async fn ask_edit(&mut self, question: Edit<'_>) -> Said<String> {
        let Edit { label, check, extension, can_go_back, .. } = question;
        let mut text = question.initial.to_owned();
        let mut wrong: Option<String> = None;
        let help = self.lift(question.help);
        let editor = self.tty.editor.as_ref().map_or_else(String::new, |editor| editor.name().to_owned());
        loop {
            let keeps =
                check(&text).is_ok().then_some(if text.is_empty() { "s: leave out" } else { "s: send as it is" });
            let mut keys = vec![format!("Enter: open {}", visible(&editor, Lines::One)), "t: type one line".to_owned()];
            keys.extend(keeps.map(str::to_owned));
            keys.push(self.escape(can_go_back));
            let (width, height) = self.size();
            let (mut lines, prefix) = self.heading(label, width);
            let shown = if text.is_empty() { "(empty)".to_owned() } else { summary(&text) };
            let shown = fit(&visible(&shown, Lines::One), width.saturating_sub(columns(&prefix) + 1));
            lines.push(format!("{prefix}{shown}"));
            let foot = Foot { wrong: wrong.as_deref(), help, keys: &keys };
            lines.extend(self.foot(&foot, (height - 1).saturating_sub(lines.len())));
            self.draw(&lines, None);
            let Some(key) = self.key().await else { continue };
            match key {
                Key::Enter => match self.in_editor(label, &text, extension).await {
                    Err(why) => wrong = Some(why),
                    Ok(edited) => {
                        let is_changed = edited != text;
                        text = edited;
                        match check(&text) {
                            Err(why) => wrong = Some(why),
                            // An editor that returns at once, without waiting for the person, has answered nothing.
                            Ok(()) if !is_changed => wrong = Some("nothing was changed".to_owned()),
                            Ok(()) => return self.given(label, text),
                        }
                    }
                },
                Key::Char('s' | 'S') if keeps.is_some() => return self.given(label, text),
                Key::Char('t' | 'T') => {
                    let initial = &text;
                    let in_editor = Some(extension);
                    let line =
                        Line { label, help, initial, check, enter: "done", can_go_back, in_editor, is_secret: false };
                    return self.ask_line(line).await;
                }
                Key::Control('d') => return self.leave(label, Leave::Cancel),
                key => {
                    if let Some(said) = self.left(key, label, can_go_back).await {
                        return said;
                    }
                }
            }
        }
    }

    fn given(&mut self, label: &str, text: String) -> Said<String> {
        self.conclude(label, &if text.is_empty() { "(left out)".to_owned() } else { summary(&text) });
        Said::Given(text)
    }
}
