//! The inputs that are kept for a target, once more.

use super::TARGETS;
use std::fs;
use std::path::Path;

#[test]
fn what_fuzzing_found_keeps_what_is_promised() {
    for (name, target) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name);
        let inputs = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut n_inputs = 0;
        for input in inputs {
            let path = input.unwrap().path();
            let data = fs::read(&path).unwrap();
            if std::panic::catch_unwind(|| target(&data)).is_err() {
                panic!("{}: `{name}` does not keep what it promises", path.display());
            }
            n_inputs += 1;
        }
        assert!(n_inputs >= 20, "{} has {n_inputs} inputs", folder.display());
    }
}
