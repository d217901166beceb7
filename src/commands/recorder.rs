//! `--record-answers FILE`: what was answered in a run, written when it is over, however it ends.

use crate::answers::record::{self, Recording};
use crate::failure::{Failure, Kind, Result};
use crate::files::Draft;
use crate::sync::lock;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The recording of a run and the file it is for.
pub(super) struct Recorder {
    /// What is answered goes here.
    pub(super) recording: Arc<Recording>,
    path: PathBuf,
    /// A private file beside it, until it is written and takes its name.
    draft: Mutex<Option<Draft>>,
}

impl Recorder {
    /// Makes sure that the file can be written, before anything is asked.
    ///
    /// # Errors
    /// `usage`, when it cannot.
    pub(super) fn open(path: &Path) -> Result<Recorder> {
        let draft = Draft::begin_private(path);
        let draft = draft.map_err(|e| Failure::usage(format!("--record-answers {}: {e}", path.display())))?;
        Ok(Recorder { recording: Arc::default(), path: path.to_owned(), draft: Mutex::new(Some(draft)) })
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
        let written = file.write_all(text.as_bytes()).and_then(|()| file.keep());
        match written {
            Ok(()) => Ok(variables),
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
