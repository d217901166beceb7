//! What the program is made of may not grow unnoticed. How large its file is, `.ci/run` looks at.

use std::collections::BTreeSet;
use std::process::Command;

use crate::support::root;

/// The most crates that may go into the program, those that only help to compile it included.
const CRATES: usize = 206;

#[test]
fn the_program_is_made_of_few_crates() {
    let tree = ["tree", "--edges", "normal", "--prefix", "none", "--offline", "--locked", "--format", "{p}"];
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(tree).args(["--target", "x86_64-unknown-linux-gnu"]).current_dir(root());
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).unwrap();
    let name = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let crates: BTreeSet<_> = tree.lines().filter(|line| !line.is_empty()).map(name).collect();
    assert!(crates.contains(&format!("mcpcall v{}", env!("CARGO_PKG_VERSION"))), "{crates:?}");
    assert!(
        crates.len() <= CRATES,
        "{} crates, {CRATES} are allowed: `cargo tree -e normal` shows who brings what, and `cargo tree -e normal -d` what \
         comes twice. Where a new one is worth it, raise CRATES here",
        crates.len()
    );
}
