//! The text of a configuration file: JSON with comments and trailing commas, and where in it something stands.

use crate::answers::place::Position;
use crate::failure::{Failure, Result};
use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use std::path::Path;

/// JSON as editors write it, and nothing beyond.
const JSONC: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The longest file that is read.
const MAX_SIZE: u64 = 16 << 20;

/// Reads a file.
///
/// # Errors
/// `usage`.
pub(super) fn read(path: &Path) -> Result<String> {
    let wrong = |why: &str| Failure::usage(format!("--config {}: {why}", path.display()));
    match path.metadata() {
        Ok(meta) if meta.is_dir() => return Err(wrong("is a folder, not a file")),
        Ok(meta) if meta.len() > MAX_SIZE => return Err(wrong("is too long for a configuration file")),
        _ => {}
    }
    let text = std::fs::read_to_string(path).map_err(|e| wrong(&e.to_string()))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// A file that has been read.
pub(super) struct Document<'a> {
    /// Its name for messages.
    pub(super) name: String,
    text: &'a str,
    root: Object<'a>,
}

impl<'a> Document<'a> {
    /// Reads the text.
    ///
    /// # Errors
    /// `usage`, with the place.
    pub(super) fn parse(path: &Path, text: &'a str) -> Result<Self> {
        let name = path.display().to_string();
        let at = |offset: usize, why: &str| {
            let Position { line, column } = Position::of(text, offset);
            Failure::usage(format!("{name}:{line}:{column}: {why}"))
        };
        let parsed = parse_to_ast(text, &CollectOptions::default(), &JSONC);
        let parsed = parsed.map_err(|error| {
            let why = error.kind().to_string().to_lowercase();
            at(error.range().start, &format!("not JSON: {}", why.trim_end_matches('.')))
        })?;
        match parsed.value {
            Some(Value::Object(root)) => Ok(Document { name, text, root }),
            Some(other) => Err(at(other.range().start, "the file is not a JSON object")),
            None => Err(at(0, "the file is empty")),
        }
    }

    /// Something wrong at a byte of the text.
    pub(super) fn wrong(&self, offset: usize, why: impl AsRef<str>) -> Failure {
        let Position { line, column } = Position::of(self.text, offset);
        Failure::usage(format!("{}:{line}:{column}: {}", self.name, why.as_ref()))
    }

    /// The object with `servers` and `inputs`: the whole, or what a settings file has under `mcp`.
    fn home(&self) -> &Object<'a> {
        let is_home = |object: &Object<'_>| member(object, "mcpServers").or(member(object, "servers")).is_some();
        match member(&self.root, "mcp") {
            Some(Value::Object(mcp)) if is_home(mcp) && !is_home(&self.root) => mcp,
            _ => &self.root,
        }
    }

    /// The servers, in their order.
    ///
    /// # Errors
    /// `usage`, when the file has no such list.
    pub(super) fn servers(&self) -> Result<Vec<Server<'_, 'a>>> {
        let home = self.home();
        let mut lists = Vec::new();
        for key in ["mcpServers", "servers"] {
            match member(home, key) {
                None => {}
                Some(Value::Object(servers)) => lists.push(servers),
                Some(other) => return Err(self.wrong(other.range().start, format!("{key} is not an object"))),
            }
        }
        if lists.is_empty() {
            return Err(Failure::usage(format!("{} has neither \"mcpServers\" nor \"servers\"", self.name)));
        }
        let all = lists.into_iter().flat_map(|servers| &servers.properties);
        Ok(all
            .map(|property| Server {
                name: property.name.as_str(),
                place: property.range.start,
                entry: &property.value,
            })
            .collect())
    }

    /// The server of a name, which must not stand there twice: programs would differ in which one they take.
    ///
    /// # Errors
    /// `usage`, with both places.
    pub(super) fn server(&self, name: &str) -> Result<&Value<'a>> {
        let servers = self.servers()?;
        let mut found = servers.iter().filter(|server| server.name == name);
        match (found.next(), found.next()) {
            (Some(only), None) => Ok(only.entry),
            (Some(first), Some(second)) => {
                let Position { line, column } = Position::of(self.text, first.place);
                let what = format!("server {name}: there is another one of this name at {line}:{column}");
                Err(self.wrong(second.place, what).hint("rename or remove one of them"))
            }
            (None, _) => Err(self.wrong(0, format!("there is no server {name}"))),
        }
    }

    /// The list of inputs; none, where there is none.
    ///
    /// # Errors
    /// `usage`, when it is something else.
    pub(super) fn inputs(&self) -> Result<&[Value<'a>]> {
        match member(self.home(), "inputs") {
            None => Ok(&[]),
            Some(Value::Array(inputs)) => Ok(&inputs.elements),
            Some(other) => Err(self.wrong(other.range().start, "inputs is not a list")),
        }
    }

    /// The servers with what they are, a line each, and what is wrong with them; only what stands in the file, which has
    /// its secrets elsewhere.
    pub(super) fn describe(&self, flaw: impl Fn(&Server<'_, 'a>) -> Option<Failure>) -> String {
        let servers = self.servers().unwrap_or_default();
        let width = servers.iter().map(|server| server.name.chars().count()).max().unwrap_or_default().min(30);
        let what = |entry: &Value<'_>| {
            let Value::Object(entry) = entry else { return "not an object".to_owned() };
            let text = |key| member(entry, key).and_then(Value::as_string_lit).map(|text| text.value.to_string());
            let url = text("url").or_else(|| text("serverUrl")).or_else(|| text("httpUrl"));
            match (text("command"), url) {
                (Some(command), _) => format!("starts {command}"),
                (None, Some(url)) => crate::secrets::url_without_userinfo(url.split('?').next().unwrap_or(&url)),
                (None, None) => "neither a command nor a url".to_owned(),
            }
        };
        let lines = servers.iter().map(|server| {
            let flaw = flaw(server).map_or_else(String::new, |flaw| format!("\n{:width$}  ! {}", "", flaw.message));
            format!("{:width$}  {}{flaw}", server.name, what(server.entry))
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// A server of a file.
pub(super) struct Server<'b, 'a> {
    /// Its name.
    pub(super) name: &'b str,
    /// What is said of it.
    pub(super) entry: &'b Value<'a>,
    /// Where its name stands.
    place: usize,
}

/// A member of an object; the last of several with one name.
pub(super) fn member<'b, 'a>(object: &'b Object<'a>, name: &str) -> Option<&'b Value<'a>> {
    object.properties.iter().rev().find(|property| property.name.as_str() == name).map(|property| &property.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> std::result::Result<Vec<String>, String> {
        let document = Document::parse(Path::new("f.json"), text).map_err(|failure| failure.message)?;
        let servers = document.servers().map_err(|failure| failure.message)?;
        Ok(servers.iter().map(|server| server.name.to_owned()).collect())
    }

    #[test]
    fn every_shape_is_found_and_comments_are_no_matter() {
        for text in [
            r#"{"mcpServers": {"a": {}, "b": {}}}"#,
            "{ // one\n \"servers\": { /* two */ \"a\": {}, \"b\": {}, }, }",
            r#"{"editor.x": 1, "mcp": {"inputs": [], "servers": {"a": {}, "b": {}}}}"#,
        ] {
            assert_eq!(names(text).unwrap(), ["a", "b"], "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (text, why) in [
            ("{\n  \"mcpServers\": {,}\n}", "f.json:2:18: not JSON: "),
            ("{'mcpServers': {}}", "f.json:1:2: not JSON: "),
            ("", "f.json:1:1: the file is empty"),
            ("[]", "f.json:1:1: the file is not a JSON object"),
            ("{\"servers\":\n 3}", "f.json:2:2: servers is not an object"),
            ("{\"a\": {}}", "f.json has neither \"mcpServers\" nor \"servers\""),
        ] {
            let said = names(text).unwrap_err();
            assert!(said.starts_with(why), "{text}: {said}");
        }
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(names(&deep).is_err());
    }
}
