//! The measuring script runs: against rivals it is run by hand, its parts that need none are run here.

use std::path::Path;
use std::process::{Command, Output};

use crate::support::{on_path, root, setup};

/// Runs the script with the program under test; None, after saying so, where something it needs is missing.
fn compare(args: &[&str]) -> Option<Output> {
    let find = |name: &str| on_path(name).ok_or_else(|| format!("there is no {name} on PATH"));
    let python = setup::or_skip(find("python3"))?;
    for needed in ["cc", "curl"] {
        setup::or_skip(find(needed))?;
    }
    let mut script = Command::new(python);
    script.arg("-B").arg(root().join("benches/compare/compare.py")).args(args);
    script.args(["--mcpcall", env!("CARGO_BIN_EXE_mcpcall")]);
    script.env("MCPCALL_BENCH_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("compare"));
    Some(script.output().expect("python3 starts"))
}

#[test]
fn mcpcall_is_measured_beside_the_floors() {
    let Some(output) = compare(&["--only", "mcpcall,floor", "--rounds", "1", "--quick"]) else { return };
    let (said, complaints) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{complaints}");
    let tables: Vec<&str> = said.split("\n\n").collect();
    let (head, tables) = tables.split_first().unwrap();
    assert!(head.contains(&format!("mcpcall {}, curl ", env!("CARGO_PKG_VERSION"))), "{head}");
    for (table, title) in tables.iter().zip(["Wall time", "in times of mcpcall's", "CPU time", "Peak memory, MB"]) {
        let mut lines = table.lines();
        let columns = lines.next().unwrap().strip_prefix(title).expect(table);
        assert_eq!(columns.split_whitespace().collect::<Vec<_>>(), ["mcpcall", "floor", "curls"]);
        // On every piece of work both have their figures; curl where there is HTTP.
        let (mut works, mut over_http) = (0, 0);
        for line in lines {
            let words: Vec<&str> = line.split("  ").map(str::trim).filter(|word| !word.is_empty()).collect();
            let figures = words[1..].iter().filter(|word| word.starts_with(|c: char| c.is_ascii_digit())).count();
            assert!(words.len() == 4 && figures >= 2, "{table}");
            works += 1;
            over_http += figures - 2;
        }
        assert_eq!((works, over_http), (14, 2), "{table}");
    }
    assert_eq!(tables.len(), 4, "{said}");
}

#[test]
fn mistakes_are_told_before_anything_is_measured() {
    for (args, words) in [
        (&["--only", "mcpcal"][..], "there is no client mcpcal; there is: mcpcall, floor"),
        (&["--work", "stdio,htp"][..], "there is no work htp; there is: version, stdio, http"),
        (&["--rounds", "0"][..], "--rounds takes a number from 1"),
        (&["--write", "--quick"][..], "--write is for the whole"),
    ] {
        let Some(output) = compare(args) else { return };
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(words) && output.stdout.is_empty(), "{said}");
    }
}
