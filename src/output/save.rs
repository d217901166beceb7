//! `--out DIR`: pictures, sound and other bytes of a result as files. What a server calls them is a wish: a name that
//! leads elsewhere, hides or steers a terminal becomes one that does not, and no file is overwritten.

use super::content::Bytes;
use crate::failure::{Failure, Result};
use crate::files;
use crate::sync::lock;
use crate::terminal::sanitize::{Lines, visible};
use crate::words::percent_decoded;
use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The longest name without its extension, in bytes: file systems take 255.
const NAME: usize = 120;
/// The longest that an extension of the server's may be.
const EXTENSION: usize = 10;

/// The folder for files.
#[derive(Debug)]
pub(crate) struct Saver {
    folder: PathBuf,
    /// How often a name has been taken, by stem and extension.
    taken: Mutex<HashMap<(String, String), usize>>,
}

impl Saver {
    /// Makes the folder, and sure that it can be written to.
    ///
    /// # Errors
    /// `usage`, when it cannot.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let wrong = |why: String| Failure::usage(format!("--out {}: {why}", folder.display()));
        match std::fs::create_dir_all(folder) {
            Err(_) if folder.exists() && !folder.is_dir() => return Err(wrong("is no folder".into())),
            made => made.map_err(|error| wrong(error.to_string()))?,
        }
        match tempfile::tempfile_in(folder) {
            Ok(_) => Ok(Saver { folder: folder.to_owned(), taken: Mutex::default() }),
            Err(error) => Err(wrong(format!("cannot be written to: {}", error.kind()))),
        }
    }

    /// Keeps bytes; `name` is what they are called where they have no name of their own.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(crate) fn save(&self, name: &str, bytes: &Bytes, decoded: &[u8]) -> std::io::Result<PathBuf> {
        let (stem, own) = stem(bytes.uri.as_deref(), name);
        let extension = own.unwrap_or_else(|| extension(bytes.mime.as_deref(), decoded).to_owned());
        self.add(stem, extension, decoded)
    }

    /// Keeps what should have been base64 as the text it is.
    ///
    /// # Errors
    /// As `save`.
    pub(crate) fn save_text(&self, name: &str, bytes: &Bytes, text: &str) -> std::io::Result<PathBuf> {
        self.add(stem(bytes.uri.as_deref(), name).0, "base64".into(), text.as_bytes())
    }

    fn add(&self, stem: String, extension: String, bytes: &[u8]) -> std::io::Result<PathBuf> {
        let mut taken = lock(&self.taken);
        let key = (stem, extension);
        let mut n = taken.get(&key).copied().unwrap_or_default();
        let path = files::add(&self.folder, &key.0, &key.1, bytes, &mut n)?;
        taken.insert(key, n);
        Ok(path)
    }
}

/// The bytes that base64 stands for: with or without padding and line breaks, in either alphabet.
///
/// # Errors
/// Why it is no base64.
pub(crate) fn decode(base64: &str) -> Result<Vec<u8>, String> {
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let alphabet = if base64.contains(['-', '_']) { &alphabet::URL_SAFE } else { &alphabet::STANDARD };
    let engine = GeneralPurpose::new(alphabet, config);
    let decoded = match base64.contains(|c: char| c.is_ascii_whitespace()) {
        true => engine.decode(base64.split_ascii_whitespace().collect::<String>()),
        false => engine.decode(base64),
    };
    decoded.map_err(|error| error.to_string())
}

/// A name for a file without its extension, and the extension where the resource's own name has one.
fn stem(uri: Option<&str>, otherwise: &str) -> (String, Option<String>) {
    let last = uri.map(|uri| {
        let path = uri.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        // Without a path, what stands in the place of the host is the name: `note://todo`.
        let path = path.split_once("://").map_or(path, |(_, rest)| rest.split_once('/').map_or(rest, |(_, path)| path));
        harmless(path.rsplit('/').next().unwrap_or_default())
    });
    let name = last.filter(|name| !name.is_empty());
    let (name, is_own) = match name {
        Some(name) => (name, true),
        None => (harmless(otherwise), false),
    };
    let extension =
        name.rsplit_once('.').filter(|(stem, extension)| is_own && !stem.is_empty() && is_extension(extension));
    let (stem, extension) = match extension {
        Some((stem, extension)) => (stem, Some(extension.to_owned())),
        None => (name.as_str(), None),
    };
    let end = (0..=NAME.min(stem.len())).rev().find(|end| stem.is_char_boundary(*end)).unwrap_or_default();
    let stem = stem[..end].to_owned();
    (if stem.is_empty() { "content".into() } else { stem }, extension)
}

fn is_extension(word: &str) -> bool {
    word.len() <= EXTENSION
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// A name that stays in its folder, is seen there, and is harmless wherever it is shown.
fn harmless(name: &str) -> String {
    let decoded = percent_decoded(name);
    let name = decoded.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_odd = |c: char| "/\\:*?\"<>|'`$;&".contains(c) || c.is_control();
    let name: String = visible(name, Lines::One).chars().map(|c| if is_odd(c) { '_' } else { c }).collect();
    name.trim().trim_start_matches(['.', '-', '~']).trim_end_matches('.').trim().to_owned()
}

/// By what the bytes are where that can be seen and the server says nothing or something else, else by what it says.
fn extension(mime: Option<&str>, bytes: &[u8]) -> &'static str {
    let seen = image::guess_format(bytes).ok();
    let mime = mime.map(|mime| mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
    match (&mime, seen) {
        (Some(mime), Some(seen)) if mime.starts_with("image/") || mime == "application/octet-stream" => {
            image_extension(seen)
        }
        (None, Some(seen)) => image_extension(seen),
        (Some(mime), _) => match mime2ext::mime2ext(mime) {
            Some("jpeg") => "jpg",
            Some(extension) => extension,
            None => "bin",
        },
        (None, None) => "bin",
    }
}

fn image_extension(format: image::ImageFormat) -> &'static str {
    format.extensions_str().first().copied().unwrap_or("bin")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read_as_servers_write_it() {
        for base64 in ["aGk/Pz8=", "aGk/Pz8", "aGk_Pz8=", "aGk/\r\nPz8=\n"] {
            assert_eq!(decode(base64).unwrap(), b"hi???", "{base64}");
        }
        for base64 in ["aGk*", "a", "data:x;base64,aGk"] {
            assert!(decode(base64).is_err(), "{base64}");
        }
    }

    #[test]
    fn names_are_the_servers_but_harmless() {
        let long = format!("x:/{}.txt", "é".repeat(500));
        for (uri, stem_is, extension) in [
            ("file:///a/report.pdf", "report", Some("pdf")),
            ("file:///a/report.pdf?x=/y.png#/z", "report", Some("pdf")),
            ("file:///a/b%20c.txt", "b c", Some("txt")),
            ("demo://text/1", "1", None),
            ("x://v1.2", "v1.2", None),
            ("file:///a/..", "t", None),
            ("file:///a/%2e%2e%2f%2e%2e%2fpasswd", "passwd", None),
            ("file:///a/..%5c..%5cboot.ini", "boot", Some("ini")),
            ("file:///.bashrc", "bashrc", None),
            ("file:///-rf.sh", "rf", Some("sh")),
            ("file:///a%00b%1b%5b2Jc%0a.txt", "a_u{0}b_u{1b}[2Jc_n", Some("txt")),
            ("file:///%e2%80%aetxt.exe", "_u{202e}txt", Some("exe")),
            ("", "t", None),
            ("note://todo/", "todo", None),
            (&long, &"é".repeat(60), Some("txt")),
        ] {
            let (stem, found) = stem(Some(uri), "t");
            assert!(!stem.contains(['/', '\\', '\0', '\u{1b}', '\n']) && !stem.starts_with('.'), "{stem}");
            assert_eq!((stem, found.as_deref()), (stem_is.to_owned(), extension), "{uri}");
        }
        assert_eq!(stem(None, "../x.y").0, "x.y");
        assert_eq!(stem(None, "..").0, "content");
    }

    #[test]
    fn the_extension_is_what_the_bytes_are() {
        let png = b"\x89PNG\r\n\x1a\nxx".as_slice();
        for (mime, bytes, is) in [
            (Some("image/png"), png, "png"),
            (Some("image/jpeg"), png, "png"),
            (None, png, "png"),
            (Some("application/octet-stream"), png, "png"),
            (Some("text/plain"), png, "txt"),
            (Some("image/jpeg"), b"x", "jpg"),
            (Some("IMAGE/SVG+XML; charset=utf-8"), b"x", "svg"),
            (Some("audio/wav"), b"x", "wav"),
            (Some("application/pdf"), b"x", "pdf"),
            (Some("odd"), b"x", "bin"),
            (None, b"x", "bin"),
        ] {
            assert_eq!(extension(mime, bytes), is, "{mime:?}");
        }
    }
}
