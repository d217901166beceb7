//! Colour, where it helps: none with `NO_COLOR`, on a terminal that does not draw, or when the stream is no terminal.

use crate::context::Context;

/// How a piece of text looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// Stands out.
    Bold,
    /// Stands back.
    Dim,
    /// Something failed.
    Red,
    /// Something to mind.
    Yellow,
    /// The person's own choice.
    Cyan,
}

/// Whether a terminal understands more than lines of text: not where `TERM` is `dumb` or unset.
pub(crate) fn draws(context: &Context) -> bool {
    context.var("TERM").is_some_and(|term| term != "dumb")
}

/// Whether to colour at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Style {
    colour: bool,
}

impl Style {
    /// The style for a stream.
    pub(crate) fn new(context: &Context, is_terminal: bool) -> Self {
        let colour = is_terminal && context.var("NO_COLOR").is_none() && draws(context);
        Style { colour }
    }

    /// The text with its look.
    pub(crate) fn paint(self, look: Look, text: &str) -> String {
        if !self.colour || text.is_empty() {
            return text.to_owned();
        }
        let code = match look {
            Look::Bold => "1",
            Look::Dim => "2",
            Look::Red => "31",
            Look::Yellow => "33",
            Look::Cyan => "36",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}
