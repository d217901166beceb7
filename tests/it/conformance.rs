//! The official conformance suite, scenario by scenario, against the servers it brings.
//!
//! Judged more strictly than the suite does it: a scenario counts only if the suite exits with 0 and its checks hold at
//! least one SUCCESS and no FAILURE or WARNING. (Several pass there for a client that does nothing.) How a scenario
//! becomes command lines stands in `tests/conformance/driver`.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::Value;

use crate::support::process::{Capture, Process, tethered};
use crate::support::run::PIPES_END;
use crate::support::{root, say, setup};

/// The versions of the protocol that the suite is run at, each with the scenarios it has for a client.
const WIRES: &[&str] = &["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/// Where extensions are run: they belong to no version. (Those about skills are left out, since a client that knows
/// nothing of skills passes them.)
const EXTENSION: &str = "extension";

/// The versions whose scored scenarios the suite has frozen.
const FROZEN: &[&str] = &["2025-11-25", "2026-07-28"];

/// Its check is a time window, and a busy machine may miss it: measured alone, and a WARNING gets one more try.
const MEASURES_TIME: &str = "sse-retry";

/// How many run beside each other.
const AT_ONCE: usize = 2;

#[test]
fn every_scenario_passes() {
    let Some(suite) = setup::or_skip(suite()) else { return };
    let mut tasks: Vec<(String, &str)> = Vec::new();
    for wire in WIRES {
        tasks.extend(suite.scenarios(wire).into_iter().map(|scenario| (scenario, *wire)));
    }
    tasks.extend(suite.extensions().into_iter().map(|scenario| (scenario, EXTENSION)));
    assert!(tasks.len() >= 65, "the suite lists only {tasks:?}");
    let (alone, tasks): (Vec<_>, Vec<_>) = tasks.into_iter().partition(|(scenario, _)| scenario == MEASURES_TIME);
    let verdicts = Mutex::new(BTreeMap::new());
    for (scenario, wire) in alone {
        let mut verdict = suite.run(&scenario, wire);
        if verdict.only_warned() {
            say(&format!("conformance: {scenario} came late once, tried again"));
            verdict = suite.run(&scenario, wire);
        }
        verdicts.lock().unwrap().insert((scenario, wire), verdict);
    }
    let tasks = Mutex::new(tasks);
    let work = || {
        loop {
            let Some((scenario, wire)) = tasks.lock().unwrap().pop() else { break };
            let verdict = suite.run(&scenario, wire);
            verdicts.lock().unwrap().insert((scenario, wire), verdict);
        }
    };
    std::thread::scope(|scope| (0..AT_ONCE).for_each(|_| drop(scope.spawn(work))));
    let verdicts = verdicts.into_inner().unwrap();
    say(&table(&verdicts));
    for wire in FROZEN {
        let scored = suite.scored(wire);
        assert!(!scored.is_empty(), "the suite has no scored scenarios at {wire}");
        let passed = |name: &&String| verdicts.get(&((*name).clone(), *wire)).is_some_and(Verdict::passed);
        let n_passed = scored.iter().filter(passed).count();
        say(&format!("  scored at {wire}: {n_passed} of {}", scored.len()));
        assert_eq!(n_passed, scored.len(), "{scored:?}");
    }
    let failed: Vec<String> = verdicts
        .iter()
        .filter(|(_, verdict)| !verdict.passed())
        .map(|((scenario, wire), verdict)| verdict.story(scenario, wire))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

/// A line a scenario, a column a version; in each the number of checks that succeeded.
fn table(verdicts: &BTreeMap<(String, &str), Verdict>) -> String {
    let names: std::collections::BTreeSet<&String> = verdicts.keys().map(|(scenario, _)| scenario).collect();
    let mut table =
        format!("conformance {:36}{}\n", "(client, checks passed)", columns().collect::<Vec<_>>().join("  "));
    for name in names {
        let cells = columns().map(|wire| match verdicts.get(&(name.clone(), wire)) {
            None => format!("{:10}", "-"),
            Some(verdict) if verdict.passed() => format!("{:10}", verdict.count("SUCCESS")),
            Some(_) => format!("{:10}", "FAILED"),
        });
        table.push_str(&format!("  {name:46}{}\n", cells.collect::<Vec<_>>().join("  ")));
    }
    let n_passed = verdicts.values().filter(|verdict| verdict.passed()).count();
    table + &format!("  {n_passed} of {} pass", verdicts.len())
}

fn columns() -> impl Iterator<Item = &'static str> {
    WIRES.iter().copied().chain([EXTENSION])
}

/// The installed suite.
struct Suite {
    node: std::path::PathBuf,
    program: std::path::PathBuf,
}

/// What the suite made of one scenario.
struct Verdict {
    code: Option<i32>,
    checks: Vec<Value>,
    /// What the suite, the driver and mcpcall printed.
    output: String,
}

fn suite() -> Result<Suite, setup::Missing> {
    let program = setup::node_modules()?.join("@modelcontextprotocol/conformance/dist/index.js");
    Ok(Suite { node: setup::node_program()?, program })
}

impl Suite {
    /// The client scenarios of a version. (The ones of extensions are in no version.)
    fn scenarios(&self, wire: &str) -> Vec<String> {
        names(&self.list(&["--spec-version", wire]))
    }

    /// The client scenarios of extensions that are about authorization.
    fn extensions(&self) -> Vec<String> {
        let listed = self.list(&[]);
        let lines: Vec<&str> =
            listed.lines().filter(|line| line.contains("auth/") && line.contains("[extension]")).collect();
        names(&lines.join("\n"))
    }

    /// The client scenarios that are scored at a version.
    fn scored(&self, wire: &str) -> Vec<String> {
        let listed = self.list(&["--requirements", wire]);
        let (_, of_client) = listed.split_once("Client scenarios").expect("the list has a part for clients");
        names(of_client.split("\n\n").next().unwrap_or_default())
    }

    fn list(&self, args: &[&str]) -> String {
        let mut command = std::process::Command::new(&self.node);
        let output = command.arg(&self.program).args(["list", "--client"]).args(args).output().expect("node starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Run one scenario in the suite's single mode, the only one in which the client's exit code counts.
    fn run(&self, scenario: &str, wire: &str) -> Verdict {
        let dir = tempfile::tempdir().expect("there is a place for temporary files");
        let driver = root().join("tests/conformance/driver");
        let driver = shell_words::quote(driver.to_str().expect("the checkout's path is Unicode")).into_owned();
        let mut command = tethered(&self.node);
        command.arg(&self.program).args(["client", "--command", &driver, "--scenario", scenario]);
        if wire != EXTENSION {
            command.args(["--spec-version", wire]);
        }
        command.args(["--timeout", "30000", "-o"]).arg(dir.path());
        command.env("MCPCALL", env!("CARGO_BIN_EXE_mcpcall")).env("NODE", &self.node).env("HOME", dir.path());
        for proxy in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
            command.env_remove(proxy);
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("node starts");
        let stdout = Capture::of(child.stdout.take().expect("piped"));
        let stderr = Capture::of(child.stderr.take().expect("piped"));
        let mut process = Process::watch(child, None);
        let code = process.wait(Duration::from_secs(60)).and_then(|status| status.code());
        // Killed now, so that an orphan cannot hold the pipes.
        drop(process);
        let _ = stdout.wait_for_end(PIPES_END) && stderr.wait_for_end(PIPES_END);
        let read = |name: &str| read_result(dir.path(), name);
        let output = [stdout.text(), stderr.text(), read("stdout.txt"), read("stderr.txt")].join("\n");
        let checks = serde_json::from_str(&read("checks.json")).unwrap_or_default();
        Verdict { code, checks, output }
    }
}

/// The names in a list of the suite's.
fn names(listed: &str) -> Vec<String> {
    let names = listed.lines().filter_map(|line| line.trim().strip_prefix("- ")?.split(' ').next());
    names.map(str::to_owned).collect()
}

impl Verdict {
    fn count(&self, status: &str) -> usize {
        self.checks.iter().filter(|check| check["status"] == status).count()
    }

    fn passed(&self) -> bool {
        self.code == Some(0) && self.count("SUCCESS") > 0 && self.count("FAILURE") + self.count("WARNING") == 0
    }

    /// What went wrong. (What the server saw and sent is told by hundreds of INFO entries; only verdicts are of interest.)
    fn story(&self, scenario: &str, wire: &str) -> String {
        let checks: Vec<Value> = self.checks.iter().filter(|check| check["status"] != "INFO").cloned().collect();
        let checks = Value::from(checks);
        format!("{scenario} at {wire}: the suite's exit code is {:?}\nchecks: {checks:#}\n{}", self.code, self.output)
    }

    fn only_warned(&self) -> bool {
        self.count("WARNING") > 0 && self.count("SUCCESS") > 0 && self.count("FAILURE") == 0
    }
}

/// A file of the one result folder below `dir`; the folders of a scenario named `a/b` are nested.
fn read_result(dir: &std::path::Path, name: &str) -> String {
    if let Ok(text) = std::fs::read_to_string(dir.join(name)) {
        return text;
    }
    let folders = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    folders
        .filter(|path| path.is_dir())
        .map(|path| read_result(&path, name))
        .find(|text| !text.is_empty())
        .unwrap_or_default()
}
