//! What goes into the program may be given away with it: each dependency's licence is one of `deny.toml`'s.

use std::process::Command;

use crate::support::root;

#[test]
fn dependencies_have_licences_that_are_allowed() {
    let deny = std::fs::read_to_string(root().join("deny.toml")).unwrap();
    let allowed: Vec<&str> = deny.split('"').skip(1).step_by(2).collect();
    let tree = ["tree", "--edges", "normal,build", "--prefix", "none", "--offline", "--locked", "--format", "{p}|{l}|"];
    let output = Command::new(env!("CARGO")).args(tree).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).unwrap();
    let mut used = Vec::new();
    for line in tree.lines().filter(|line| !line.is_empty()) {
        let mut parts = line.split('|');
        let (package, licence) = (parts.next().unwrap(), parts.next().unwrap());
        let found = needs(licence, &allowed);
        used.extend(
            found.unwrap_or_else(|| panic!("{package} is licensed as {licence:?}, which deny.toml does not allow")),
        );
    }
    assert!(used.len() > 100, "{tree}");
    for licence in &allowed {
        assert!(used.iter().any(|used| used == licence), "deny.toml allows {licence}, which nothing needs");
    }
}

#[test]
fn expressions_are_read() {
    let allowed = ["MIT", "ISC"];
    for (expression, fits) in [
        ("MIT", true),
        ("GPL-3.0 OR MIT", true),
        ("GPL-3.0/ISC", true),
        ("(GPL-3.0 OR MIT) AND ISC", true),
        ("MIT AND GPL-3.0", false),
        ("GPL-3.0 WITH MIT", false),
        ("", false),
    ] {
        assert_eq!(needs(expression, &allowed).is_some(), fits, "{expression}");
    }
}

/// Which of the allowed ones an SPDX expression takes, or `None` where they do not do. AND binds closer than OR.
fn needs(expression: &str, allowed: &[&str]) -> Option<Vec<String>> {
    let expression = expression.trim();
    for separator in [" OR ", "/"] {
        let parts = split(expression, separator);
        if parts.len() > 1 {
            return parts.into_iter().find_map(|part| needs(part, allowed));
        }
    }
    let parts = split(expression, " AND ");
    if parts.len() > 1 {
        let taken: Option<Vec<_>> = parts.into_iter().map(|part| needs(part, allowed)).collect();
        return taken.map(|taken| taken.concat());
    }
    match expression.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => needs(inner, allowed),
        None => allowed.contains(&expression).then(|| vec![expression.to_owned()]),
    }
}

/// The parts between separators that stand in no parentheses.
fn split<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let (mut parts, mut depth, mut begin) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 && at >= begin && text[at..].starts_with(separator) {
            parts.push(&text[begin..at]);
            begin = at + separator.len();
        }
    }
    parts.push(&text[begin..]);
    parts
}
