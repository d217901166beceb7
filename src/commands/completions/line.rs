//! A command line while it is typed: its words, and the one at the cursor. Quotes may be open, and nothing is run.

use crate::context::Context;

/// How a shell quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quoting {
    /// bash and zsh.
    Posix,
    /// fish: a backslash means something between single quotes too.
    Fish,
    /// Our own shell: a word is quoted as in bash, and nothing else means more than it is.
    Bare,
}

/// A line and the cursor in it.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Line {
    /// The words of the command, the program first; of the word at the cursor only what stands before it.
    pub(crate) words: Vec<String>,
    /// Which of them is at the cursor.
    pub(crate) at: usize,
    /// The word at the cursor as it was typed, a piece a character: what was typed, and whether in quotes.
    pub(crate) typed: Vec<Piece>,
    /// The quote that is open at the cursor.
    pub(crate) quote: Option<char>,
    /// The environment that is given before the program: `NAME=value`.
    pub(crate) environment: Vec<(String, String)>,
}

/// A character of the word at the cursor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Piece {
    /// What it means; a quote means nothing.
    pub(crate) means: Option<char>,
    /// As typed.
    pub(crate) typed: char,
    /// Neither quoted nor escaped.
    pub(crate) is_bare: bool,
}

impl Line {
    /// Reads what stands before and behind the cursor. Variables are looked up, as far as we know them.
    pub(crate) fn read(before: &str, after: &str, quoting: Quoting, context: &Context) -> Line {
        let mut reader = Reader { quoting, context, ..Reader::new() };
        let mut chars = before.chars().peekable();
        while let Some(c) = chars.next() {
            reader.push(c, &mut chars);
        }
        // The word at the cursor, though there may be nothing of it yet.
        let word = reader.word.take().unwrap_or_default();
        let (mut words, at) = (std::mem::take(&mut reader.words), reader.skips);
        let (typed, quote) = (std::mem::take(&mut reader.typed), reader.quote);
        if at {
            // A file that output goes to.
            return Line::default();
        }
        let at = words.len();
        words.push(word);
        // The rest of that word is of no interest.
        let mut rest = Reader { quote, quoting, context, word: Some(String::new()), stops: true, ..Reader::new() };
        let mut chars = after.chars().peekable();
        while let Some(c) = chars.next() {
            if rest.is_over {
                break;
            }
            rest.push(c, &mut chars);
        }
        rest.end();
        words.extend(rest.words.into_iter().skip(1));
        let assignments = words[..at].iter().take_while(|word| is_assignment(word)).count();
        let rest = words.split_off(assignments);
        let pair = |word: String| word.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
        let environment = words.into_iter().filter_map(pair).collect();
        Line { words: rest, at: at - assignments, typed, quote, environment }
    }

    /// A line that the shell has cut into words, the cursor at the end of the last.
    pub(crate) fn of_words(words: &[&str]) -> Line {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        Line { at: words.len().saturating_sub(1), words, ..Line::default() }
    }

    /// The word at the cursor, up to there.
    pub(crate) fn word(&self) -> &str {
        self.words.get(self.at).map_or("", String::as_str)
    }
}

/// `NAME=value` before the program.
fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

struct Reader<'a> {
    quoting: Quoting,
    context: &'a Context,
    words: Vec<String>,
    word: Option<String>,
    typed: Vec<Piece>,
    quote: Option<char>,
    /// The next word is no argument.
    skips: bool,
    /// At the end of the command there is nothing more to read; else the next command begins.
    stops: bool,
    is_over: bool,
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

impl Reader<'_> {
    fn new() -> Self {
        static NOTHING: std::sync::LazyLock<Context> = std::sync::LazyLock::new(Context::default);
        Reader {
            quoting: Quoting::Posix,
            context: &NOTHING,
            words: Vec::new(),
            word: None,
            typed: Vec::new(),
            quote: None,
            skips: false,
            stops: false,
            is_over: false,
        }
    }

    fn push(&mut self, c: char, rest: &mut Chars<'_>) {
        let is_bare = self.quoting == Quoting::Bare;
        match (self.quote, c) {
            (Some(quote), c) if c == quote => {
                self.quote = None;
                self.mark(c);
            }
            (Some('\''), '\\') if self.quoting == Quoting::Fish && matches!(rest.peek(), Some('\'' | '\\')) => {
                self.escaped(rest);
            }
            (Some('"'), '\\') if matches!(rest.peek(), Some('"' | '\\' | '$' | '`')) => self.escaped(rest),
            (None | Some('"'), '$') if !is_bare => self.variable(rest),
            (Some(_), c) => self.add(c, false),
            (None, '\\') => self.escaped(rest),
            (None, '\'' | '"') => {
                self.word.get_or_insert_default();
                self.quote = Some(c);
                self.mark(c);
            }
            (None, ' ' | '\t') => self.end(),
            (None, '\n') if is_bare => self.end(),
            (None, '\n' | ';' | '|' | '&') if !is_bare => self.command_ends(),
            (None, '<' | '>') if !is_bare => {
                // A number before it is no argument.
                if self.word.as_deref().is_some_and(|word| word.chars().all(|c| c.is_ascii_digit())) {
                    self.word = None;
                }
                self.end();
                self.skips = true;
            }
            (None, '~') if !is_bare && self.word.is_none() && matches!(rest.peek(), None | Some('/' | ' ')) => {
                match self.context.var("HOME") {
                    Some(home) => self.insert(home, &['~']),
                    None => self.add(c, true),
                }
            }
            (None, c) => self.add(c, true),
        }
    }

    fn add(&mut self, c: char, is_bare: bool) {
        self.word.get_or_insert_default().push(c);
        self.typed.push(Piece { means: Some(c), typed: c, is_bare });
    }

    /// What is typed but means nothing by itself.
    fn mark(&mut self, c: char) {
        self.typed.push(Piece { means: None, typed: c, is_bare: false });
    }

    fn escaped(&mut self, rest: &mut Chars<'_>) {
        self.mark('\\');
        match rest.next() {
            Some('\n') => self.mark('\n'),
            Some(c) => self.add(c, false),
            None => drop(self.word.get_or_insert_default()),
        }
    }

    /// What stands for something that was typed otherwise.
    fn insert(&mut self, text: &str, typed: &[char]) {
        typed.iter().for_each(|c| self.mark(*c));
        self.word.get_or_insert_default().push_str(text);
    }

    fn variable(&mut self, rest: &mut Chars<'_>) {
        let mut typed = vec!['$'];
        let is_braced = rest.peek() == Some(&'{');
        typed.extend(rest.next_if(|c| is_braced && *c == '{'));
        let mut name = String::new();
        while let Some(c) = rest.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
            name.push(c);
            typed.push(c);
        }
        let is_whole = !is_braced || rest.peek() == Some(&'}');
        typed.extend(rest.next_if(|c| is_braced && *c == '}'));
        match self.context.env.get(&name).filter(|_| is_whole) {
            Some(value) => self.insert(value, &typed),
            None => typed.into_iter().for_each(|c| self.add(c, false)),
        }
    }

    fn end(&mut self) {
        if let Some(word) = self.word.take() {
            match std::mem::take(&mut self.skips) {
                true => {}
                false => self.words.push(word),
            }
        }
        self.typed.clear();
    }

    fn command_ends(&mut self) {
        self.end();
        self.skips = false;
        match self.stops {
            true => self.is_over = true,
            false => self.words.clear(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(before: &str, after: &str, quoting: Quoting) -> (Vec<String>, usize) {
        let env = [("URL", "http://h/a b"), ("HOME", "/h")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        let context = Context { env: env.into_iter().collect(), ..Context::default() };
        let line = Line::read(before, after, quoting, &context);
        (line.words, line.at)
    }

    #[test]
    fn what_stands_before_the_program_is_its_environment() {
        let line = Line::read("x; A=1 B='b c' mcpcall D=2 ", "", Quoting::Posix, &Context::default());
        assert_eq!(line.environment, [("A", "1"), ("B", "b c")].map(|(k, v)| (k.to_owned(), v.to_owned())));
    }

    #[test]
    fn words_are_cut_as_the_shell_would() {
        for (before, after, words, at) in [
            ("mcpcall iss", " --stdio 'a b' x", &["mcpcall", "iss", "--stdio", "a b", "x"][..], 1),
            ("mcpcall ", "", &["mcpcall", ""], 1),
            ("mcpcall is", "sue --url u", &["mcpcall", "is", "--url", "u"], 1),
            ("cd x && A=1 mcpcall t n='Pa", "r' -v | cat y", &["mcpcall", "t", "n=Pa", "-v"], 2),
            ("mcpcall t a\\ b \"c\\\"$URL\" ", "", &["mcpcall", "t", "a b", "c\"http://h/a b", ""], 4),
            ("mcpcall --url ${URL} ~/x $NO ", "$(date)", &["mcpcall", "--url", "http://h/a b", "/h/x", "$NO", ""], 5),
            ("mcpcall t 2>/dev/null >x y", " <z w", &["mcpcall", "t", "y", "w"], 2),
            ("mcpcall \u{e9}\u{1f600}", "\u{e9} z", &["mcpcall", "\u{e9}\u{1f600}", "z"], 1),
            ("mcpcall t", "'u v' w", &["mcpcall", "t", "w"], 1),
        ] {
            assert_eq!(read(before, after, Quoting::Posix), (words.iter().map(|w| (*w).to_owned()).collect(), at));
        }
        let fish = read("mcpcall 'it\\'s' ", "", Quoting::Fish);
        assert_eq!(fish, (vec!["mcpcall".to_owned(), "it's".to_owned(), String::new()], 2));
        assert_eq!(read("mcpcall t > fi", "le", Quoting::Posix), (Vec::new(), 0));
        assert_eq!(read("", "", Quoting::Posix), (vec![String::new()], 0));
    }
}
