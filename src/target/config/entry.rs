//! One server's entry, with its variables expanded.

use super::env_file;
use super::file::{Document, member};
use super::variables::{Folders, Variables};
use crate::failure::{Failure, Result};
use crate::target::Target;
use crate::transport::Headers;
use crate::transport::http::{is_legal_header, legal_url};
use crate::transport::process::Spawn;
use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use std::path::PathBuf;

/// What an entry may call the address of a server.
const URLS: [&str; 3] = ["url", "serverUrl", "httpUrl"];

/// An entry being read.
pub(super) struct Entry<'a> {
    document: &'a Document<'a>,
    server: &'a str,
    object: &'a Object<'a>,
    variables: &'a Variables<'a>,
    place: usize,
}

/// How a server is reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Stdio,
    Http,
    Sse,
}

impl<'a> Entry<'a> {
    /// Begins with an entry.
    ///
    /// # Errors
    /// `usage`, when it is no object.
    pub(super) fn read(
        document: &'a Document<'a>,
        server: &'a str,
        value: &'a Value<'a>,
        variables: &'a Variables<'a>,
    ) -> Result<Self> {
        let place = value.range().start;
        match value {
            Value::Object(object) => Ok(Entry { document, server, object, variables, place }),
            _ => Err(document.wrong(place, format!("server {server}: is not an object"))),
        }
    }

    /// The server it names.
    ///
    /// # Errors
    /// `usage`, with the place.
    pub(super) fn target(&self, folders: &Folders) -> Result<Target> {
        match self.kind()? {
            Kind::Stdio => self.command(folders).map(Target::Command),
            kind => {
                let headers = self.headers()?;
                Ok(Target::Url { url: self.url()?, headers, is_sse: kind == Kind::Sse })
            }
        }
    }

    /// What variables put into headers and into the query of the address: secrets, mostly.
    ///
    /// # Errors
    /// `usage`, with the place.
    pub(super) fn secrets(&self) -> Result<Vec<String>> {
        let mut secrets = Vec::new();
        if let Some(Value::Object(headers)) = member(self.object, "headers") {
            for property in headers.properties.iter().filter(|property| has_variable(&property.value)) {
                let value = self.expand("headers", &property.value)?;
                // The last word is the token itself.
                secrets.extend(value.rsplit_once(' ').map(|(_, token)| token.to_owned()));
                secrets.push(value);
            }
        }
        if let Some(Value::StringLit(url)) = URLS.iter().find_map(|key| member(self.object, key))
            && let Some((_, query)) = url.value.split_once('?')
        {
            for (_, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
                if value.contains("${") {
                    secrets.extend(self.variables.expand(value).ok());
                }
            }
        }
        Ok(secrets)
    }

    fn url(&self) -> Result<String> {
        let is_given = |value: &&Value<'_>| !matches!(value, Value::NullKeyword(_));
        let given = URLS.iter().find_map(|key| Some((*key, member(self.object, key).filter(is_given)?)));
        let url = given.map(|(key, _)| self.text(key)).transpose()?.flatten();
        let (Some((key, value)), Some(url)) = (given, url) else {
            return Err(self.wrong(self.place, "has no \"url\""));
        };
        match legal_url(&url) {
            Err(why) if self.is_known(value) => {
                Err(self.wrong(value.range().start, format!("{key} {why}")).hint("write http://HOST:PORT/PATH"))
            }
            _ => Ok(url),
        }
    }

    fn headers(&self) -> Result<Headers> {
        let mut headers = Headers::new();
        for (property, value) in self.map("headers")? {
            let (name, Some(value)) = (property.name.as_str(), value) else { continue };
            if self.is_known(&property.value) && !is_legal_header(name, &value) {
                let what = if is_legal_header(name, "") { "value" } else { "name" };
                let why = format!("headers/{name}: this {what} is not legal in HTTP");
                return Err(self.wrong(property.range.start, why));
            }
            headers.push((name.to_owned(), value));
        }
        Ok(headers)
    }

    /// Whether a value holds nothing that is yet to be asked for.
    fn is_known(&self, value: &Value<'_>) -> bool {
        !value.as_string_lit().is_some_and(|text| self.variables.leaves_open(&text.value))
    }

    /// Whether it is switched off in the program that the file belongs to.
    ///
    /// # Errors
    /// `usage`, when that is no yes or no.
    pub(super) fn is_disabled(&self) -> Result<bool> {
        match member(self.object, "disabled") {
            Some(Value::BooleanLit(is)) => Ok(is.value),
            None | Some(Value::NullKeyword(_)) => Ok(false),
            Some(other) => Err(self.wrong(other.range().start, "disabled is neither true nor false")),
        }
    }

    fn kind(&self) -> Result<Kind> {
        let typed = ["type", "transport"].iter().find_map(|key| member(self.object, key));
        if let Some(Value::StringLit(kind)) = typed {
            return match kind.value.to_lowercase().replace(['-', '_'], "").as_str() {
                "stdio" | "local" => Ok(Kind::Stdio),
                "http" | "streamablehttp" | "remote" => Ok(Kind::Http),
                "sse" => Ok(Kind::Sse),
                _ => Err(self
                    .wrong(kind.range.start, format!("type {} is not known", kind.value))
                    .hint("known: stdio, http, streamable-http, sse")),
            };
        }
        let has = |key: &&str| member(self.object, key).is_some();
        match (has(&"command"), URLS.iter().any(has)) {
            (true, true) => Err(self.wrong(self.place, "has a command and a url, and no type to say which")),
            (true, false) => Ok(Kind::Stdio),
            (false, true) => Ok(Kind::Http),
            (false, false) => Err(self.wrong(self.place, "has neither a \"command\" nor a \"url\"")),
        }
    }

    fn command(&self, folders: &Folders) -> Result<Spawn> {
        let program = self.text("command")?.filter(|program| !program.is_empty());
        let program = program.ok_or_else(|| self.wrong(self.place, "has no \"command\""))?;
        let below = |path: String| folders.workspace.join(path);
        let project = folders.is_project.then(|| folders.workspace.clone());
        let cwd = self.text("cwd")?.map(below).or(project);
        let mut env = match (self.text("envFile")?.map(below), member(self.object, "envFile")) {
            // Which file it is will be known later.
            (_, Some(Value::StringLit(text))) if self.variables.leaves_open(&text.value) => Vec::new(),
            (Some(path), Some(value)) => self.env_file(path, value.range().start)?,
            _ => Vec::new(),
        };
        let mut unset = Vec::new();
        for (property, value) in self.map("env")? {
            let name = property.name.as_str().to_owned();
            if name.is_empty() || name.contains(['=', '\0']) {
                let why = format!("env: {name:?} cannot be the name of a variable");
                return Err(self.wrong(property.range.start, why));
            }
            match value {
                Some(value) => env.push((name, value)),
                None => {
                    env.retain(|(known, _)| *known != name);
                    unset.push(name);
                }
            }
        }
        Ok(Spawn { program, args: self.list("args")?, env, unset, cwd })
    }

    fn env_file(&self, path: PathBuf, place: usize) -> Result<Vec<(String, String)>> {
        env_file::read(&path).map_err(|why| self.wrong(place, format!("envFile {why}")))
    }

    fn text(&self, key: &str) -> Result<Option<String>> {
        match member(self.object, key) {
            None | Some(Value::NullKeyword(_)) => Ok(None),
            Some(value @ Value::StringLit(_)) => self.expand(key, value).map(Some),
            Some(other) => Err(self.wrong(other.range().start, format!("{key} is not a text"))),
        }
    }

    fn list(&self, key: &str) -> Result<Vec<String>> {
        match member(self.object, key) {
            None | Some(Value::NullKeyword(_)) => Ok(Vec::new()),
            Some(Value::Array(list)) => {
                let items = list.elements.iter().enumerate();
                items.map(|(at, item)| self.expand(&format!("{key}/{at}"), item)).collect()
            }
            Some(other) => Err(self.wrong(other.range().start, format!("{key} is not a list"))),
        }
    }

    fn map(&self, key: &str) -> Result<Vec<(&'a ObjectProp<'a>, Option<String>)>> {
        match member(self.object, key) {
            None | Some(Value::NullKeyword(_)) => Ok(Vec::new()),
            Some(Value::Object(map)) => {
                let pairs = map.properties.iter().map(|property| {
                    let value = match &property.value {
                        Value::NullKeyword(_) => None,
                        value => Some(self.expand(&format!("{key}/{}", property.name.as_str()), value)?),
                    };
                    Ok((property, value))
                });
                pairs.collect()
            }
            Some(other) => Err(self.wrong(other.range().start, format!("{key} is not an object"))),
        }
    }

    /// A value as text. The value itself is never shown: it may be a secret.
    fn expand(&self, key: &str, value: &Value<'_>) -> Result<String> {
        let start = value.range().start;
        let expanded = match value {
            Value::StringLit(text) => self.variables.expand(&text.value).map_err(|missing| {
                let failure = self.wrong(start, format!("{key}: {}", missing.why));
                missing.hint.into_iter().fold(failure, Failure::hint)
            }),
            Value::NumberLit(number) => Ok(number.value.to_owned()),
            Value::BooleanLit(is) => Ok(is.value.to_string()),
            _ => Err(self.wrong(start, format!("{key} is not a text"))),
        }?;
        match expanded.contains('\0') {
            true => Err(self.wrong(start, format!("{key} has a NUL character in it"))),
            false => Ok(expanded),
        }
    }

    fn wrong(&self, place: usize, why: impl AsRef<str>) -> Failure {
        self.document.wrong(place, format!("server {}: {}", self.server, why.as_ref()))
    }
}

fn has_variable(value: &Value<'_>) -> bool {
    matches!(value, Value::StringLit(text) if text.value.contains("${"))
}
