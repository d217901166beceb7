//! What came of a run, the folder it ran in, and how both become a snapshot.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tempfile::TempDir;

use super::poll;
use super::process::{self, Process};

/// A temporary folder with a home and a working directory; its name marks the run's processes.
pub(crate) struct Folder {
    dir: TempDir,
    number: u32,
}

impl Folder {
    pub(crate) fn new() -> Folder {
        static RUNS: AtomicU32 = AtomicU32::new(0);
        let dir = tempfile::tempdir().expect("there is a place for temporary files");
        for name in ["home", "work"] {
            std::fs::create_dir(dir.path().join(name)).expect("the temporary folder takes folders");
        }
        Folder { dir, number: RUNS.fetch_add(1, Ordering::Relaxed) }
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.dir.path().join("work")
    }

    #[track_caller]
    pub(super) fn nothing_left_running(&self, report: impl Fn() -> String) {
        let mark = self.mark();
        let gone = poll(Duration::from_secs(1), || process::marked(&mark).is_empty().then_some(()));
        assert!(gone.is_some(), "processes live on: {:?}\n{}", process::marked(&mark), report());
    }

    pub(crate) fn mark(&self) -> String {
        format!("{}-{}", std::process::id(), self.number)
    }
}

/// What came of a run. While it lives, the run's folder does too.
pub(crate) struct Output {
    /// The exit code; -N for a death by signal N.
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(super) command: String,
    pub(super) server: String,
    pub(super) folder: Folder,
    /// Its group, and what carries its mark, are killed with it.
    pub(super) _process: Process,
}

impl Output {
    /// Where a file of the working directory is.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.work().join(name)
    }

    /// A file of the working directory, for instance a trace.
    pub(crate) fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.work().join(name))
            .unwrap_or_else(|error| panic!("{name}: {error}\n{}", self.report()))
    }

    /// The same as bytes.
    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.folder.work().join(name))
            .unwrap_or_else(|error| panic!("{name}: {error}\n{}", self.report()))
    }

    /// The permissions of a file of the working directory.
    pub(crate) fn mode(&self, name: &str) -> u32 {
        let metadata = self.folder.work().join(name).metadata();
        metadata.unwrap_or_else(|error| panic!("{name}: {error}\n{}", self.report())).permissions().mode() & 0o777
    }

    /// The names in the working directory, in order.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.work()).expect("the working directory can be read");
        let mut names: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// stdout as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("stdout is not JSON: {error}\n{}", self.report()))
    }

    /// Code and both streams in one block, for snapshots.
    pub(crate) fn block(&self) -> String {
        format!("code: {}\n--- stdout\n{}--- stderr\n{}", self.code, self.stdout, self.stderr)
    }

    /// What the processes of this run carry in their environment.
    pub(crate) fn mark(&self) -> String {
        self.folder.mark()
    }

    /// Demand that no process of this run lives on, in whatever group it is.
    #[track_caller]
    pub(crate) fn nothing_left_running(&self) -> &Self {
        self.folder.nothing_left_running(|| self.report());
        self
    }

    /// All that is known of the run, for a failed test.
    pub(crate) fn report(&self) -> String {
        format!("$ {}\n{}--- server\n{}", self.command, self.block(), self.server)
    }
}

/// Snapshot an [`Output`], or a terminal's screen or end: all there is to see in one block. `snapshot!(output, @"...")`
/// keeps it inline. In `each_peer!` all peers are held to the one snapshot.
macro_rules! snapshot {
    ($name:literal, $output:expr) => {
        $crate::support::filters::settings().bind(|| {
            insta::allow_duplicates! { insta::assert_snapshot!($name, $output.block()) }
        })
    };
    ($output:expr $(, $inline:tt $($rest:tt)*)?) => {
        $crate::support::filters::settings().bind(|| {
            insta::allow_duplicates! { insta::assert_snapshot!($output.block() $(, $inline $($rest)*)?) }
        })
    };
}
