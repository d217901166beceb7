//! Who may import what (ARCHITECTURE.md, "The map"): every `crate::…` path under `src/` is held against the table.

use std::fs;
use std::path::{Path, PathBuf};

/// A part of the program, by the longest prefix of a file's path, and the parts it may use beside itself.
const MAY_USE: &[(&str, &[&str])] = &[
    ("main", &[]),
    ("lib", &["cli", "commands", "context"]),
    ("inside/", &["*"]),
    ("failure", &[]),
    ("files", &[]),
    ("guard", &[]),
    ("complexity", &[]),
    ("context", &[]),
    ("jsonrpc", &[]),
    ("schema", &[]),
    ("search", &[]),
    ("secrets", &[]),
    ("sync", &[]),
    ("words", &[]),
    (
        "cli/",
        &[
            "callbacks::declared",
            "callbacks::elicitation::flags",
            "callbacks::notifications::flags",
            "callbacks::roots::flags",
            "callbacks::sampling::flags",
            "session::era",
        ],
    ),
    ("commands/", &["*"]),
    ("target/", &["cli", "transport", "answers::place"]),
    ("arguments/", &["schema", "form"]),
    ("session/", &["transport", "jsonrpc"]),
    ("session/era/", &["transport", "jsonrpc", "session::host"]),
    ("transport/", &["jsonrpc"]),
    ("auth/", &["transport", "terminal"]),
    ("callbacks/", &["session::host", "session::Stop", "answers", "form", "terminal"]),
    ("answers/", &[]),
    ("form/", &["schema", "terminal"]),
    ("output/", &["session::host", "jsonrpc", "terminal"]),
    ("output/report/", &["session::host", "form", "schema", "terminal"]),
    ("terminal/", &[]),
];

/// What everybody may use.
const COMMON: &[&str] = &["complexity", "failure", "files", "context", "guard", "search", "secrets", "sync", "words"];

#[test]
fn modules_import_only_downwards() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    let files = rust_files(&src);
    assert!(files.len() > 30, "found only {} files under src/", files.len());
    for file in files {
        let name = file.strip_prefix(&src).unwrap().with_extension("");
        let name = name.to_str().unwrap().replace('\\', "/");
        let (part, allowed) = MAY_USE
            .iter()
            .filter(|(part, _)| name.starts_with(part))
            .max_by_key(|(part, _)| part.len())
            .unwrap_or_else(|| panic!("src/{name}.rs belongs to no part of ARCHITECTURE.md's map"));
        for path in crate_paths(&fs::read_to_string(&file).unwrap()) {
            let own = part.trim_end_matches('/').replace('/', "::");
            let permitted = |root: &str| path == *root || path.starts_with(&format!("{root}::"));
            let fine =
                allowed.contains(&"*") || permitted(&own) || allowed.iter().chain(COMMON).any(|root| permitted(root));
            if !fine {
                wrong.push(format!("src/{name}.rs imports crate::{path}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\nsee ARCHITECTURE.md", wrong.join("\n"));
}

#[test]
fn the_checker_sees_what_it_should() {
    let text = "use crate::{a::b, c::{d, e}};\n// crate::commented::out\nlet x = crate::f::g(); pub(crate) fn h() {}";
    assert_eq!(crate_paths(text), ["a::b", "c::d", "c::e", "f::g"]);
}

#[test]
fn every_file_says_what_it_is_for() {
    for folder in ["src", "tests/it", "examples"] {
        for file in rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)) {
            let text = fs::read_to_string(&file).unwrap();
            assert!(text.starts_with("//! "), "{} has no module documentation", file.display());
            let n_lines = text.lines().count();
            assert!(n_lines <= 500, "{} has {n_lines} lines: too many to hold in the head", file.display());
        }
    }
}

#[test]
fn no_test_is_ignored() {
    let ignore = concat!("#[ign", "ore");
    for folder in ["src", "tests", "examples"] {
        for file in rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)) {
            assert!(!fs::read_to_string(&file).unwrap().contains(ignore), "{}", file.display());
        }
    }
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // `.cache` holds the peers, which others wrote.
        if path.is_dir() && path.file_name().is_some_and(|name| name != ".cache") {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The paths behind each `crate::`, groups in braces resolved; comments are skipped.
fn crate_paths(text: &str) -> Vec<String> {
    let code: String = text.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n");
    code.split("crate::").skip(1).flat_map(|rest| expand("", rest).0).collect()
}

/// Reads one path or group; gives the paths and what follows.
fn expand<'a>(prefix: &str, text: &'a str) -> (Vec<String>, &'a str) {
    if let Some(mut rest) = text.strip_prefix('{') {
        let mut paths = Vec::new();
        loop {
            rest = rest.trim_start_matches([' ', '\n', ',']);
            if let Some(after) = rest.strip_prefix('}') {
                return (paths, after);
            }
            let (more, after) = expand(prefix, rest);
            assert!(after.len() < rest.len(), "cannot read {rest:.40}");
            paths.extend(more);
            rest = after;
        }
    }
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let path = format!("{prefix}{}", &text[..end]);
    match text[end..].strip_prefix("::") {
        Some(rest) if rest.starts_with(|c: char| c.is_alphabetic() || c == '{' || c == '_') => {
            expand(&format!("{path}::"), rest)
        }
        _ => (vec![path], &text[end..]),
    }
}
