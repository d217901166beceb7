//! A question for a line of text.

use super::drawn::{Drawn, Foot};
use super::keys::Key;
use super::line::{Input, columns};
use super::prompter::{Leave, Line, Said, summary};

impl Drawn {
    pub(super) async fn ask_line(&mut self, question: Line<'_>) -> Said<String> {
        let Line { label, .. } = question;
        let mut input = Input::new(question.initial);
        let mut wrong: Option<String> = None;
        let help = self.lift(question.help);
        let extension = question.in_editor.filter(|_| self.tty.editor.is_some());
        let mut keys = vec![format!("Enter: {}", question.enter), self.escape(question.can_go_back)];
        if extension.is_some() {
            keys.insert(1, "^O: editor".to_owned());
        }
        loop {
            // A paste is drawn once, at its end.
            if !self.is_pending() {
                let (width, height) = self.size();
                let (mut lines, prefix) = self.heading(label, width);
                let indent = columns(&prefix);
                let shown = if question.is_secret { input.hidden() } else { input.clone() };
                let (text, column) = shown.view(width - indent);
                let cursor = (lines.len(), indent + column);
                lines.push(format!("{prefix}{text}"));
                let foot = Foot { wrong: wrong.as_deref(), help, keys: &keys };
                lines.extend(self.foot(&foot, (height - 1).saturating_sub(lines.len())));
                self.draw(&lines, Some(cursor));
            }
            let Some(key) = self.key().await else { continue };
            match (key, extension) {
                (Key::Enter, _) => match (question.check)(&input.text()) {
                    Ok(()) => {
                        let text = input.text();
                        let shown = match question.is_secret {
                            _ if text.is_empty() => "(left out)".to_owned(),
                            true => "••••••".to_owned(),
                            false => summary(&text),
                        };
                        self.conclude(label, &shown);
                        return Said::Given(text);
                    }
                    Err(why) => wrong = Some(why),
                },
                (Key::Control('o'), Some(extension)) => match self.in_editor(label, &input.text(), extension).await {
                    Ok(text) => (input, wrong) = (Input::new(&text), None),
                    Err(why) => wrong = Some(why),
                },
                (Key::Control('d'), _) if input.is_empty() => return self.leave(label, Leave::Cancel),
                (key, _) => match self.left(key, label, question.can_go_back).await {
                    Some(said) => return said,
                    None => input.press(key),
                },
            }
        }
    }
}
