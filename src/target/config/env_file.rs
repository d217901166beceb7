//! The file that an entry's `envFile` names: `NAME=VALUE` a line, as VS Code reads it.

use std::path::Path;

/// The variables of a file.
///
/// # Errors
/// What is wrong, without what stands in it: that is secret, mostly.
pub(super) fn read(path: &Path) -> Result<Vec<(String, String)>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    parse(&text).map_err(|line| format!("{}:{line}: not NAME=VALUE", path.display()))
}

/// The same of a text; the number of a line that is none.
fn parse(text: &str) -> Result<Vec<(String, String)>, usize> {
    let mut variables = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let line = line.strip_prefix("export ").unwrap_or(line);
        let (name, value) = line.split_once('=').ok_or(at + 1)?;
        let name = name.trim();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(at + 1);
        }
        variables.push((name.to_owned(), unquote(value.trim())));
    }
    Ok(variables)
}

/// Quotes around a value go, and with double ones `\n` is a line break; a comment may follow a value.
fn unquote(value: &str) -> String {
    let quoted = |quote: char| {
        let rest = value.strip_prefix(quote)?;
        let end = rest.find(quote)?;
        let after = rest[end + 1..].trim_start();
        (after.is_empty() || after.starts_with('#')).then(|| &rest[..end])
    };
    if let Some(inner) = quoted('"') {
        return inner.replace("\\n", "\n");
    }
    match quoted('\'') {
        Some(inner) => inner.to_owned(),
        None => value.split(" #").next().unwrap_or_default().trim_end().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        let text = "# c\n\nA=1\nexport B = two words # c\nC=\"x\\ny\" # c\nD='a # b'\nE=a#b=c\nF=\nG=\"it's\r\n";
        let expected =
            [("A", "1"), ("B", "two words"), ("C", "x\ny"), ("D", "a # b"), ("E", "a#b=c"), ("F", ""), ("G", "\"it's")];
        assert_eq!(parse(text).unwrap(), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        for (text, line) in [("A=1\nSECRET", 2), ("=x", 1), ("A B=x", 1)] {
            assert_eq!(parse(text), Err(line), "{text}");
        }
    }
}
