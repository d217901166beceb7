//! `[NAME=]PATH|URI` to a root: absolute, percent-encoded, `file://` (client/roots). Pure but for a look whether the
//! folder is there.

use super::Root;
use crate::failure::{Failure, Result};
use std::fmt::Write;
use std::path::{Component, Path};

/// Reads one root as typed; true when there is no such folder.
///
/// # Errors
/// `usage`, when it is a URI of another scheme, or empty.
pub(super) fn read(flag: &str) -> Result<(Root, bool)> {
    let (name, place) = match flag.split_once('=') {
        // A name is no path and no URI: `./a=b` is the way to a folder called so.
        Some((name, place)) if !name.is_empty() && !name.contains(['/', '\\', ':']) => (Some(name.to_owned()), place),
        _ => (None, flag),
    };
    if place.is_empty() {
        return Err(Failure::usage(format!("{flag}: names no folder")));
    }
    if place.starts_with("file://") {
        return Ok((Root { uri: place.to_owned(), name }, false));
    }
    if place.contains("://") {
        return Err(Failure::usage(format!("{flag}: a root is a path or a file:// URI")));
    }
    if is_windows_drive(place) {
        return Ok((Root { uri: format!("file:///{}", encode(&place.replace('\\', "/"))), name }, false));
    }
    let path = std::path::absolute(place).map_err(|e| Failure::usage(format!("{flag}: {e}")))?;
    Ok((Root { uri: format!("file://{}", encode(&tidy(&path))), name }, !path.exists()))
}

/// The path without `.`, `..` and a slash at the end. Links are not followed: the user's name for a folder counts.
fn tidy(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
            Component::ParentDir => {
                parts.pop();
            }
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    format!("/{}", parts.join("/"))
}

fn is_windows_drive(place: &str) -> bool {
    let bytes = place.as_bytes();
    bytes.len() >= 3 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && matches!(bytes[2], b'\\' | b'/')
}

/// Percent-encodes all bytes but unreserved ones (RFC 3986), slashes and a drive's colon.
fn encode(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' => {
                encoded.push(byte.into())
            }
            // Writing to a string cannot fail.
            _ => drop(write!(encoded, "%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_absolute_encoded_uris_and_uris_pass() {
        let cases = [
            ("/srv/a b#c%d/é", "file:///srv/a%20b%23c%25d/%C3%A9", None),
            ("/srv/x/", "file:///srv/x", None),
            ("/", "file:///", None),
            ("/a/./b/../c", "file:///a/c", None),
            ("notes=/srv/ü", "file:///srv/%C3%BC", Some("notes")),
            ("/srv/a=b", "file:///srv/a%3Db", None),
            ("file:///already%20encoded", "file:///already%20encoded", None),
            ("n=file:///x", "file:///x", Some("n")),
            (r"C:\Users\Ada L", "file:///C:/Users/Ada%20L", None),
            ("win=c:/x", "file:///c:/x", Some("win")),
        ];
        for (flag, uri, name) in cases {
            let (root, _) = read(flag).unwrap();
            assert_eq!((root.uri.as_str(), root.name.as_deref()), (uri, name), "{flag}");
        }
        let (relative, missing) = read("src").unwrap();
        assert!(relative.uri.starts_with("file:///") && relative.uri.ends_with("/src") && !missing);
        assert!(read("/no/such/folder").unwrap().1);
        for flag in ["", "name=", "https://x/y"] {
            assert!(read(flag).is_err(), "{flag}");
        }
    }
}
