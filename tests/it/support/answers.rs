//! The JSON Schema of answer files. Every answer file that a test gives to mcpcall, and that mcpcall takes, must be one
//! for the schema too, and so must every one that mcpcall writes.

use std::ffi::OsString;
use std::path::Path;
use std::sync::OnceLock;

use super::root;

/// The schema that ships with mcpcall.
pub(crate) fn schema() -> &'static jsonschema::Validator {
    static SCHEMA: OnceLock<jsonschema::Validator> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let text = std::fs::read_to_string(root().join("src/answers/schema.json")).expect("the schema is there");
        let value = serde_json::from_str(&text).expect("the schema is JSON");
        jsonschema::validator_for(&value).expect("the schema is one")
    })
}

/// Panics when a run took an answer file (it did not end with 2) or wrote one that the schema refuses.
#[track_caller]
pub(super) fn must_agree(args: &[OsString], work: &Path, code: i32) {
    let flags = [("--auto-answer", code != 2), ("--record-answers", true)];
    for (flag, _) in flags.into_iter().filter(|(_, counts)| *counts) {
        let Some(at) = args.iter().position(|arg| arg == flag) else { continue };
        let text = args.get(at + 1).and_then(|name| std::fs::read_to_string(work.join(name)).ok());
        let Some(text) = text else { continue };
        let Ok(value) = serde_json::from_str(text.trim_start_matches('\u{feff}')) else { continue };
        if let Err(error) = schema().validate(&value) {
            panic!("the schema refuses what goes with {flag}: {error} at {}\n{text}", error.instance_path());
        }
    }
}
