//! `--select POINTER`: one value of what `--json` prints, by JSON pointer (RFC 6901).

use crate::failure::{Failure, Kind, Result};
use crate::jsonrpc::pick::{self, Astray, Steps};
use crate::terminal::sanitize::one_line;
use crate::words::nearest;

/// How many names a hint lists, and how long they may be together.
const NAMES: usize = 30;
const WIDTH: usize = 300;

/// Which value is wanted, and how it is printed.
#[derive(Debug)]
pub(crate) struct Select {
    steps: Vec<String>,
    /// A string is printed as the text it is, not as JSON.
    is_bare: bool,
}

impl Select {
    /// Reads a pointer.
    ///
    /// # Errors
    /// `usage`, when it is none.
    pub(crate) fn read(pointer: &str, is_bare: bool) -> Result<Self> {
        let wrong = |why: &str| Failure::usage(format!("--select {pointer}: {why}"));
        let rest = match pointer.strip_prefix('/') {
            Some(rest) => rest,
            None if pointer.is_empty() => return Ok(Select { steps: Vec::new(), is_bare }),
            None => {
                let bare = pointer.trim_start_matches(['#', '.', '$', '/']);
                let likely = bare.replace(['.', '['], "/").replace(']', "");
                return Err(wrong("not a JSON pointer, which begins with /").hint(format!("did you mean /{likely}?")));
            }
        };
        let steps = rest.split('/').map(|step| {
            let escapes_well = step.split('~').skip(1).all(|after| after.starts_with(['0', '1']));
            escapes_well.then(|| step.replace("~1", "/").replace("~0", "~"))
        });
        let steps: Option<Vec<String>> = steps.collect();
        let steps = steps.ok_or_else(|| wrong("in a JSON pointer ~ is written ~0, and / in a name ~1"))?;
        Ok(Select { steps, is_bare })
    }

    /// The value, as the text it has in `json`.
    ///
    /// # Errors
    /// `expectation`, when there is none.
    pub(crate) fn pick<'a>(&self, json: &'a str) -> Result<&'a str> {
        pick::at(json, &self.steps).map_err(|astray| self.lost(&astray))
    }

    /// The text of a string that is to be printed as what it says.
    pub(crate) fn bare<'a>(&self, value: &'a str) -> Option<std::borrow::Cow<'a, str>> {
        if self.is_bare { pick::text(value) } else { None }
    }

    fn lost(&self, astray: &Astray<'_>) -> Failure {
        let failure = Failure::new(
            Kind::Expectation,
            format!("--select {}: there is no such value", self.pointer(self.steps.len())),
        );
        let here = match astray.depth {
            0 => "the result".to_owned(),
            depth => self.pointer(depth),
        };
        let step = &self.steps[astray.depth];
        match pick::steps(astray.at) {
            Steps::Names(names) if names.is_empty() => failure.hint(format!("{here} is an empty object")),
            Steps::Names(names) => {
                let near = nearest(step, names.iter().map(String::as_str));
                let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
                let more = if names.len() > NAMES { ", ..." } else { "" };
                let listed = names.iter().take(NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
                failure.hint(format!("{here} has: {}{more}{near}", one_line(&listed, WIDTH)))
            }
            Steps::Items(0) => failure.hint(format!("{here} is an empty list")),
            Steps::Items(n) => failure.hint(format!("{here} is a list with the items 0 to {}", n - 1)),
            Steps::None => failure.hint(format!("{here} is {}, neither object nor list", kind(astray.at))),
        }
    }

    fn pointer(&self, depth: usize) -> String {
        self.steps[..depth].iter().map(|step| format!("/{}", step.replace('~', "~0").replace('/', "~1"))).collect()
    }
}

fn kind(json: &str) -> &'static str {
    match json.as_bytes().first() {
        Some(b'"') => "a string",
        Some(b't' | b'f') => "true or false",
        Some(b'n') => "null",
        _ => "a number",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_read_as_the_rfc_has_them() {
        for (pointer, steps) in
            [("", vec![]), ("/", vec![""]), ("/a/0", vec!["a", "0"]), ("/a~1b/~01", vec!["a/b", "~1"])]
        {
            assert_eq!(Select::read(pointer, true).unwrap().steps, steps, "{pointer}");
        }
        for (pointer, hint) in [("a", "/a"), (".content[0].text", "/content/0/text"), ("$.a", "/a"), ("#/a", "/a")] {
            let failure = Select::read(pointer, true).unwrap_err();
            assert_eq!((failure.kind, failure.hints), (Kind::Usage, vec![format!("did you mean {hint}?")]));
        }
        for pointer in ["/~", "/a~2", "/~/0"] {
            assert_eq!(Select::read(pointer, true).unwrap_err().kind, Kind::Usage, "{pointer}");
        }
    }

    #[test]
    fn what_is_there_is_told() {
        let json = r#"{"content":[{"text":"a"}],"structuredContent":{},"n":1}"#;
        for (pointer, hint) in [
            ("/contents", "the result has: content, structuredContent, n; did you mean content?"),
            ("/content/1", "/content is a list with the items 0 to 0"),
            ("/content/0/text/x", "/content/0/text is a string, neither object nor list"),
            ("/structuredContent/x", "/structuredContent is an empty object"),
        ] {
            let failure = Select::read(pointer, true).unwrap().pick(json).unwrap_err();
            assert_eq!((failure.kind, failure.hints), (Kind::Expectation, vec![hint.to_owned()]));
        }
    }
}
