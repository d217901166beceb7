//! The odd servers of `tests/cases`: small Python scripts with one fault each, whose head comment says what is right.
//!
//! ```ignore
//! let Some(server) = case("stdio_noise", &["all"]) else { return };
//! mcpcall(["t"]).on(&server).stdout("clean\n").any_stderr().check();
//! assert!(server.log().iter().any(|entry| entry["eof"] == true));
//! ```

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tempfile::TempDir;

use super::process::{self, Process};
use super::{Target, on_path, read_ndjson, root, setup, wait_for_entry};

/// An odd server: a command over stdio, or already listening for HTTP.
pub(crate) struct Case {
    target: Vec<String>,
    log: PathBuf,
    dir: TempDir,
    _process: Option<Process>,
}

/// The case in `tests/cases/NAME.py`; one whose name begins with `http_` is started. None where python3 is missing.
pub(crate) fn case(name: &str, args: &[&str]) -> Option<Case> {
    let found = on_path("python3").ok_or_else(|| "there is no python3 on PATH".to_owned());
    let python = setup::or_skip(found)?;
    let script = root().join("tests/cases").join(format!("{name}.py"));
    assert!(script.exists(), "there is no case {name}");
    let dir = tempfile::tempdir().expect("there is a place for temporary files");
    let log = dir.path().join("log.ndjson");
    std::fs::write(&log, "").expect("the temporary folder takes files");
    let (target, process) = if name.starts_with("http_") {
        let (url, process) = listen(&python, &script, args, &log, &dir.path().join("stderr"));
        (vec!["--url".into(), url], Some(process))
    } else {
        let words = [Path::new("env"), &python, &script].map(|path| path.display().to_string());
        let [env, python, script] = words;
        let mut target = vec!["--".into(), env, format!("CASE_LOG={}", log.display()), python, script];
        target.extend(args.iter().map(|arg| (*arg).into()));
        (target, None)
    };
    Some(Case { target, log, dir, _process: process })
}

impl Case {
    /// Tell a server that waits for it to go on: a file of this name appears beside its log.
    pub(crate) fn tell(&self, what: &str) {
        std::fs::write(self.dir.path().join(what), "").expect("the temporary folder takes files");
    }

    /// What the server logged.
    pub(crate) fn log(&self) -> Vec<serde_json::Value> {
        read_ndjson(&self.log)
    }

    /// The messages the server received, in order.
    pub(crate) fn received(&self) -> Vec<serde_json::Value> {
        self.log().iter().filter_map(|entry| entry.get("got")).cloned().collect()
    }

    /// The methods of those messages; a response is `response`.
    pub(crate) fn methods(&self) -> Vec<String> {
        let method = |message: &serde_json::Value| message["method"].as_str().unwrap_or("response").to_owned();
        self.received().iter().map(method).collect()
    }

    /// Wait for an entry of the log: it may be written after the client has ended.
    #[track_caller]
    pub(crate) fn wait_for_entry(&self, wanted: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
        wait_for_entry(&self.log, wanted)
    }
}

impl Target for Case {
    fn args(&self) -> Vec<String> {
        self.target.clone()
    }

    fn log_file(&self) -> Option<&Path> {
        Some(&self.log)
    }

    fn story(&self) -> String {
        let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
        format!(
            "{}\nlog:\n{}stderr:\n{}",
            self.target.join(" "),
            read(&self.log),
            read(&self.dir.path().join("stderr"))
        )
    }
}

/// A script that serves HTTP until this is dropped.
pub(crate) struct Served {
    pub(crate) url: String,
    _process: Process,
    _dir: TempDir,
}

/// Start a script that serves HTTP and prints its address.
pub(crate) fn serve(python: &Path, script: &Path, args: &[&str]) -> Served {
    let dir = tempfile::tempdir().expect("there is a place for temporary files");
    let (url, process) = listen(python, script, args, &dir.path().join("log"), &dir.path().join("stderr"));
    Served { url, _process: process, _dir: dir }
}

/// Start an HTTP case on a port of its choice; its first line is its address.
fn listen(python: &Path, script: &Path, args: &[&str], log: &Path, stderr: &Path) -> (String, Process) {
    let mut command = process::tethered(python);
    command.arg("-u").arg(script).arg("0").args(args).env("CASE_LOG", log);
    let errors = std::fs::File::create(stderr).expect("the temporary folder takes files");
    let mut child = command.stdout(Stdio::piped()).stderr(errors).spawn().expect("python3 starts");
    let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
    let process = Process::watch(child, None);
    let mut url = String::new();
    let read = stdout.read_line(&mut url);
    let said = || std::fs::read_to_string(stderr).unwrap_or_default();
    assert!(matches!(read, Ok(1..)), "{} printed no address:\n{}", script.display(), said());
    // Nothing more is expected, but a server must not die of a closed stdout.
    process::Capture::of(stdout);
    (url.trim().to_owned(), process)
}
