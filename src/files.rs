//! Files that are written whole or not at all: under a temporary name first, beside what they are to replace.

use std::fs::{DirBuilder, File, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
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
        // Readable for others, as any other file the user makes.
        Draft::with_mode(path, 0o666)
    }

    /// Begins one that nobody else may read. What is no file is not written to.
    ///
    /// # Errors
    /// When there is no writing there.
    pub(crate) fn begin_private(path: &Path) -> io::Result<Self> {
        Draft::with_mode(path, 0o600)
    }

    fn with_mode(path: &Path, mode: u32) -> io::Result<Self> {
        let path = target(path)?;
        let made = tempfile::Builder::new().permissions(Permissions::from_mode(mode)).tempfile_in(folder(&path));
        let file = made.map_err(|error| not_made(folder(&path), error))?;
        Ok(Draft { path, place: Place::Temporary(file) })
    }

    /// Waits until what was written is on the disk.
    ///
    /// # Errors
    /// When it cannot be.
    pub(crate) fn sync(&self) -> io::Result<()> {
        match &self.place {
            Place::Written(file) => file.sync_all(),
            Place::Temporary(file) => file.as_file().sync_all(),
        }
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
            // Past `NamedTempFile`, whose errors name a path that nobody knows.
            Place::Temporary(file) => file.as_file_mut().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Why no file can be made in a folder; `tempfile` names a path of its own making.
fn not_made(folder: &Path, error: io::Error) -> io::Error {
    let why = match error.kind() {
        ErrorKind::NotFound => format!("there is no folder {}", folder.display()),
        ErrorKind::NotADirectory => format!("{} is no folder", folder.display()),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            format!("the folder {} cannot be written to", folder.display())
        }
        _ => return error,
    };
    io::Error::new(error.kind(), why)
}

/// Writes a file that nobody else may read.
///
/// # Errors
/// When it cannot be written; then what was there is left.
pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = Draft::begin_private(path)?;
    draft.write_all(bytes)?;
    draft.keep()
}

/// Makes sure of a folder; one that is made, and what it is in, is for nobody else.
///
/// # Errors
/// When it cannot be made.
pub(crate) fn private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// The file that is to be written: where a link leads, the file there.
///
/// # Errors
/// When there is something else than a file, such as a terminal or a pipe: it would be replaced, not written to.
fn target(path: &Path) -> io::Result<PathBuf> {
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
/// `taken` says, and learns, how many of these names are taken at least.
///
/// # Errors
/// When it cannot be written; then there is no such file.
pub(crate) fn add(folder: &Path, stem: &str, extension: &str, bytes: &[u8], taken: &mut usize) -> io::Result<PathBuf> {
    // Readable for others, as any other file the user makes.
    let mut builder = tempfile::Builder::new();
    let mut file = builder.permissions(Permissions::from_mode(0o666)).tempfile_in(folder)?;
    file.write_all(bytes)?;
    loop {
        *taken += 1;
        let number = if *taken == 1 { String::new() } else { format!("-{taken}") };
        let path = folder.join(format!("{stem}{number}.{extension}"));
        match file.persist_noclobber(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => file = error.file,
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
            let path = add(folder.path(), "a", "txt", bytes.as_bytes(), &mut 0).unwrap();
            assert_eq!(
                (path.as_path(), std::fs::read_to_string(&path).unwrap().as_str()),
                (folder.path().join(name).as_path(), bytes)
            );
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
        // Of many no name is tried twice.
        let mut taken = 9;
        for name in ["a-10.txt", "a-11.txt"] {
            let path = add(folder.path(), "a", "txt", b"", &mut taken).unwrap();
            assert_eq!(path, folder.path().join(name));
        }
    }

    #[test]
    fn a_private_file_takes_the_place_of_what_a_link_leads_to() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (link, file) = (folder.path().join("link"), other.path().join("file"));
        std::fs::write(&file, "before").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        drop(Draft::begin_private(&link).unwrap());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "before");
        write_private(&link, b"after").unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "after");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        let why = write_private(&folder.path().join("no/file"), b"").unwrap_err().to_string();
        assert_eq!(why, format!("there is no folder {}", folder.path().join("no").display()));
        assert!(write_private(Path::new("/dev/null"), b"").is_err());
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
