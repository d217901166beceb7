//! The folders that the server may know of. At a shell they may change while the connection lasts.

use super::{Root, uri};
use crate::failure::{Failure, Result};
use crate::sync::lock;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// The roots of a run.
#[derive(Debug, Default)]
pub(crate) struct Folders {
    roots: Mutex<Vec<Root>>,
    may_change: AtomicBool,
}

impl Folders {
    /// The roots of `--root`; `warn` hears of a folder that is not there, which is told all the same.
    ///
    /// # Errors
    /// `usage`, naming the flag's value.
    pub(crate) fn new(flags: &[String], warn: impl Fn(&str)) -> Result<Self> {
        let folders = Folders::default();
        for flag in flags {
            let added = folders.add(flag).map_err(|failure| Failure::usage(format!("--root {}", failure.message)))?;
            if let Some(warning) = added {
                warn(&format!("--root {warning}"));
            }
        }
        Ok(folders)
    }

    /// From here on a person may change them, so that they are declared even where there are none.
    pub(crate) fn let_change(&self) {
        self.may_change.store(true, Ordering::Relaxed);
    }

    pub(super) fn may_change(&self) -> bool {
        self.may_change.load(Ordering::Relaxed)
    }

    /// All of them, in the order in which they were given.
    pub(crate) fn all(&self) -> Vec<Root> {
        lock(&self.roots).clone()
    }

    /// Adds `[NAME=]PATH|URI`, in place of the one with that URI; a warning, where there is no such folder.
    ///
    /// # Errors
    /// `usage`, naming what was typed.
    pub(crate) fn add(&self, typed: &str) -> Result<Option<String>> {
        let (root, is_missing) = uri::read(typed)?;
        let mut roots = lock(&self.roots);
        match roots.iter_mut().find(|known| known.uri == root.uri) {
            Some(known) => *known = root,
            None => roots.push(root),
        }
        Ok(is_missing.then(|| format!("{typed}: there is no such folder")))
    }

    /// Removes the root with this name, path or URI.
    ///
    /// # Errors
    /// `usage`, where there is none.
    pub(crate) fn remove(&self, typed: &str) -> Result<()> {
        let uri = uri::read(typed).map(|(root, _)| root.uri).ok();
        let mut roots = lock(&self.roots);
        let n = roots.len();
        roots.retain(|root| root.name.as_deref() != Some(typed) && Some(&root.uri) != uri.as_ref());
        if roots.len() < n { Ok(()) } else { Err(Failure::usage(format!("{typed}: is no root"))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_come_and_go_by_name_path_or_uri() {
        let folders = Folders::new(&["/a".into(), "b=/b".into()], |_| {}).unwrap();
        assert!(folders.add("c=file:///c").unwrap().is_none() && folders.add("new=/a").unwrap().is_some());
        let uris = || folders.all().iter().map(|root| root.uri.clone()).collect::<Vec<_>>();
        assert_eq!(uris(), ["file:///a", "file:///b", "file:///c"]);
        assert_eq!(folders.all()[0].name.as_deref(), Some("new"));
        for typed in ["b", "/c", "file:///a"] {
            folders.remove(typed).unwrap();
        }
        assert!(uris().is_empty() && folders.remove("b").is_err());
        assert!(Folders::new(&["https://x".into()], |_| {}).unwrap_err().message.starts_with("--root https://x: "));
    }
}
