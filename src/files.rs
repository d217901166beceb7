//! Files that are written whole or not at all: under a temporary name first, beside what they are to replace.

use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
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

/// Writes a new file into a folder: `stem.extension`, or where that is taken `stem-2.extension` and so on. Gives the path.
///
/// # Errors
/// When it cannot be written; then there is no such file.
pub(crate) fn add(folder: &Path, stem: &str, extension: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    // Readable for others, as any other file the user makes.
    let mut builder = tempfile::Builder::new();
    let mut file = builder.permissions(Permissions::from_mode(0o666)).tempfile_in(folder)?;
    file.write_all(bytes)?;
    let mut n = 1;
    loop {
        let number = if n == 1 { String::new() } else { format!("-{n}") };
        let path = folder.join(format!("{stem}{number}.{extension}"));
        match file.persist_noclobber(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => (file, n) = (error.file, n + 1),
            Err(error) => return Err(error.error),
        }
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
    fn a_file_that_is_added_takes_no_others_name() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("nowhere", folder.path().join("a-2.txt")).unwrap();
        for (bytes, name) in [("1", "a.txt"), ("2", "a-3.txt")] {
            let path = add(folder.path(), "a", "txt", bytes.as_bytes()).unwrap();
            assert_eq!(
                (path.as_path(), std::fs::read_to_string(&path).unwrap().as_str()),
                (folder.path().join(name).as_path(), bytes)
            );
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
    }

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
