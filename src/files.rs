//! Files that are written whole or not at all: under a temporary name first, beside what they are to replace.

use std::io;
use std::path::{Path, PathBuf};

/// The file that is to be written: where a link leads, the file there.
///
/// # Errors
/// When there is something else than a file, such as a terminal or a pipe: it would be replaced, not written to.
pub(crate) fn target(path: &Path) -> io::Result<PathBuf> {
    let no_file = || io::Error::other("is there, and is no plain file");
    if is_device(path) {
        return Err(no_file());
    }
    match std::fs::canonicalize(path) {
        Ok(target) if target.is_file() => Ok(target),
        Ok(_) => Err(no_file()),
        // A link that leads nowhere would be lost.
        Err(_) if path.is_symlink() => Err(io::Error::other("is a link that leads nowhere")),
        Err(_) => Ok(path.to_owned()),
    }
}

/// Whether a path names something of the system's, such as `/dev/stdout`, which may lead to a file that somebody else
/// has open.
pub(crate) fn is_device(path: &Path) -> bool {
    path.starts_with("/dev") || path.starts_with("/proc")
}

/// The folder that a file is in.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_and_what_is_no_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        std::fs::write(place("file"), "").unwrap();
        for (name, to) in [("link", "file"), ("nowhere", "nothing"), ("out", "/dev/stdout")] {
            std::os::unix::fs::symlink(to, place(name)).unwrap();
        }
        assert_eq!(target(&place("link")).unwrap(), place("file").canonicalize().unwrap());
        assert_eq!(target(&place("new")).unwrap(), place("new"));
        for path in [place("nowhere"), folder.path().to_owned(), "/dev/stdout".into(), "/dev/null".into()] {
            assert!(target(&path).is_err(), "{}", path.display());
        }
    }
}
