//! Files that are written whole or not at all: under a temporary name first, beside what they are to replace.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// A file that is being made. It is begun before there is anything to say, so that a wrong path is found before a tool is
/// called, and put in place once it is whole; dropped before that, it leaves what was there.
#[derive(Debug)]
pub(crate) struct Draft {
    path: PathBuf,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// To be renamed.
    Temporary(tempfile::NamedTempFile),
    /// No file to be replaced: a pipe or a device.
    Written(File),
}

impl Draft {
    /// Begins one.
    ///
    /// # Errors
    /// When there is no writing there.
    pub(crate) fn begin(path: &Path) -> io::Result<Self> {
        let is_there = |is: fn(&std::fs::Metadata) -> bool| std::fs::metadata(path).is_ok_and(|found| is(&found));
        if is_device(path) || is_there(|found| !found.is_file() && !found.is_dir()) {
            // Added to, since it may be a file that somebody else is writing.
            let file = File::options().append(true).open(path)?;
            return Ok(Draft { path: path.to_owned(), place: Place::Written(file) });
        }
        let path = target(path)?;
        // Readable for others, as any other file the user makes.
        let mut builder = tempfile::Builder::new();
        let file = builder.permissions(Permissions::from_mode(0o666)).tempfile_in(folder(&path))?;
        Ok(Draft { path, place: Place::Temporary(file) })
    }

    /// Puts it in place.
    ///
    /// # Errors
    /// When it cannot be.
    pub(crate) fn keep(self) -> io::Result<()> {
        match self.place {
            Place::Written(_) => Ok(()),
            Place::Temporary(file) => file.persist(&self.path).map(drop).map_err(|error| error.error),
        }
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.place {
            Place::Written(file) => file.write(bytes),
            Place::Temporary(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

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
