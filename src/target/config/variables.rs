//! What `${…}` in an entry stands for: environment variables, with and without a default, in the spelling of each
//! program, the folders that editors know, and inputs.

use crate::context::Context;
use std::path::{Path, PathBuf};

/// Where things are.
pub(super) struct Folders {
    /// The folder of the project that the file belongs to.
    pub(super) workspace: PathBuf,
    /// Whether the file lies in an editor's folder within the project: then servers run in the project.
    pub(super) is_project: bool,
    home: Option<String>,
}

impl Folders {
    /// The folders that go with a file: a project's settings lie in a folder such as `.vscode` or `.cursor`.
    pub(super) fn of(file: &Path, context: &Context) -> Self {
        let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        let folder = file.parent().unwrap_or(Path::new("/"));
        let is_project = folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let workspace = folder.parent().filter(|_| is_project).unwrap_or(folder).to_owned();
        Folders { workspace, is_project, home: context.var("HOME").map(str::to_owned) }
    }
}

/// Why a text cannot be expanded.
#[derive(Debug, PartialEq)]
pub(super) struct Missing {
    /// One line.
    pub(super) why: String,
    /// What to try.
    pub(super) hint: Option<String>,
}

impl Missing {
    fn new(why: impl Into<String>) -> Self {
        Missing { why: why.into(), hint: None }
    }
}

/// Looks variables up.
pub(super) struct Variables<'a> {
    pub(super) context: &'a Context,
    pub(super) folders: &'a Folders,
    /// The value of an input.
    pub(super) input: &'a dyn Fn(&str) -> Option<String>,
    /// The values of inputs are not the true ones yet.
    pub(super) is_trial: bool,
}

impl Variables<'_> {
    /// Whether what a text stands for is not known yet.
    pub(super) fn leaves_open(&self, text: &str) -> bool {
        self.is_trial && text.contains("${input:")
    }

    /// Expands a text. What is no variable of a known spelling stays.
    ///
    /// # Errors
    /// Which variable has no value.
    pub(super) fn expand(&self, text: &str) -> Result<String, Missing> {
        let (mut expanded, mut at) = (String::new(), 0);
        while let Some(start) = text[at..].find("${").map(|found| at + found) {
            let Some(end) = end_of(&text[start..]).map(|length| start + length) else { break };
            expanded.push_str(&text[at..start]);
            match self.value(&text[start + 2..end - 1])? {
                Some(value) => expanded.push_str(&value),
                None => expanded.push_str(&text[start..end]),
            }
            at = end;
        }
        expanded.push_str(&text[at..]);
        Ok(expanded)
    }

    /// What stands between the braces; `None` when it is no variable.
    fn value(&self, inner: &str) -> Result<Option<String>, Missing> {
        let path = |path: &Path| Ok(Some(path.display().to_string()));
        match inner {
            "workspaceFolder" => return path(&self.folders.workspace),
            "workspaceFolderBasename" => {
                let name = self.folders.workspace.file_name();
                return Ok(Some(name.unwrap_or_default().to_string_lossy().into_owned()));
            }
            "userHome" => return self.folders.home.clone().map(Some).ok_or_else(|| Missing::new("HOME is not set")),
            "pathSeparator" | "/" => return Ok(Some("/".to_owned())),
            _ => {}
        }
        if let Some(id) = inner.strip_prefix("input:") {
            return (self.input)(id).map(Some).ok_or_else(|| Missing::new(format!("the input {id} has no value")));
        }
        let spec = inner.strip_prefix("env:").unwrap_or(inner);
        let (name, default) = match spec.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (spec, None),
        };
        if !is_name(name) {
            // An editor would run something, or look into its settings.
            let known = ["command:", "config:", "extensionInstallFolder"].iter().any(|kind| inner.starts_with(kind));
            return match known {
                true => Err(Missing::new(format!("${{{inner}}} is known to the editor alone"))),
                false => Ok(None),
            };
        }
        match (self.context.env.get(name), default) {
            (Some(value), None) => Ok(Some(value.clone())),
            (Some(value), Some(_)) if !value.is_empty() => Ok(Some(value.clone())),
            (_, Some(default)) => self.expand(default).map(Some),
            (None, None) => Err(Missing {
                why: format!("the environment variable {name} is not set"),
                hint: Some(format!("set it, or write ${{{name}:-DEFAULT}} in the file")),
            }),
        }
    }
}

/// Where a `${…}` ends, others within it counted.
fn end_of(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'$' if bytes.get(at + 1) == Some(&b'{') => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_expanded_and_the_rest_stays() {
        let env = [("A", "1"), ("EMPTY", ""), ("HOME", "/h")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        let context = Context { env: env.into_iter().collect(), ..Context::default() };
        let folders = Folders::of(Path::new("/p/q/.vscode/mcp.json"), &context);
        let input = |id: &str| (id == "k").then(|| "${A}".to_owned());
        let variables = Variables { context: &context, folders: &folders, input: &input, is_trial: false };
        for (text, expanded) in [
            ("${A}-${env:A}", "1-1"),
            ("${EMPTY}|${EMPTY:-x}|${NO:-}|${env:NO:-y z}", "|x||y z"),
            ("${NO:-${A}${NO:-2}}", "12"),
            // A value is not read again.
            ("${input:k}", "${A}"),
            ("${workspaceFolder}${/}a ${workspaceFolderBasename} ${userHome}", "/p/q/a q /h"),
            ("$A ${ ${1} ${#A} ${", "$A ${ ${1} ${#A} ${"),
            ("\u{e9}${A}\u{e9}", "\u{e9}1\u{e9}"),
        ] {
            assert_eq!(variables.expand(text).as_deref(), Ok(expanded), "{text}");
        }
        for (text, why) in [
            ("ab${NO}", "variable NO is not set"),
            ("${env:NO}", "variable NO is not set"),
            ("${NO:-${NOT}}", "variable NOT is not set"),
            ("${input:x}", "input x"),
            ("${command:a.b}", "known to the editor alone"),
        ] {
            let said = variables.expand(text).unwrap_err().why;
            assert!(said.contains(why), "{text}: {said}");
        }
        let other = Folders::of(Path::new("/p/q/mcp.json"), &context);
        assert!(other.workspace == Path::new("/p/q") && !other.is_project && folders.is_project);
    }
}
