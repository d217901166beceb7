//! `--record-answers FILE`: what was answered in a run, written when it is over, however it ends.

use crate::answers::record::{self, Recording};
use crate::failure::{Failure, Kind, Result};
use crate::files;
use crate::sync::lock;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tempfile::NamedTempFile;

/// The recording of a run and the file it is for.
pub(super) struct Recorder {
    /// What is answered goes here.
    pub(super) recording: Arc<Recording>,
    path: PathBuf,
    /// A private file beside it, until it is written and takes its name.
    draft: Mutex<Option<NamedTempFile>>,
}

impl Recorder {
    /// Makes sure that the file can be written, before anything is asked.
    ///
    /// # Errors
    /// `usage`, when it cannot.
    pub(super) fn open(path: &Path) -> Result<Recorder> {
        let wrong = |why: String| Failure::usage(format!("--record-answers {}: {why}", path.display()));
        let target = files::target(path).map_err(|e| wrong(e.to_string()))?;
        let folder = files::folder(&target);
        let draft = NamedTempFile::new_in(folder).map_err(|e| wrong(no_file(folder, &e)))?;
        Ok(Recorder { recording: Arc::default(), path: target, draft: Mutex::new(Some(draft)) })
    }

    /// Writes what was answered; gives the variables that stand in it for secrets. A run that failed before anything was
    /// asked leaves an earlier recording as it is.
    ///
    /// # Errors
    /// `internal`, when it cannot be written after all.
    pub(super) fn finish(&self, is_success: bool) -> Result<Vec<String>> {
        let drafts = self.recording.drafts();
        let taken = lock(&self.draft).take();
        let Some(mut file) = taken.filter(|_| is_success || !drafts.is_empty()) else { return Ok(Vec::new()) };
        let (text, variables) = record::file(drafts);
        let written = file.write_all(text.as_bytes()).and_then(|()| file.persist(&self.path).map_err(|e| e.error));
        match written {
            Ok(_) => Ok(variables),
            Err(e) => {
                let why = format!("--record-answers {}: {}", self.path.display(), e.kind());
                Err(Failure::new(Kind::Internal, why))
            }
        }
    }

    /// The name of the file.
    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }
}

/// Why no file can be made in a folder; `tempfile` names a path of its own making.
fn no_file(folder: &Path, error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => format!("there is no folder {}", folder.display()),
        ErrorKind::PermissionDenied => format!("the folder {} cannot be written to", folder.display()),
        _ => error.to_string(),
    }
}
