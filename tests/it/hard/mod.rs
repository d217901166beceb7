//! Hard servers: whatever a server does, nothing hangs, crashes, misleads or leaks. The table has a row for each way in which
//! one is hard, with all that must come of it; its last line says how many ran.
//!
//! - [`table`] what a row says, and the run of all of them
//! - [`cases`] the servers drawn from public bug reports (`tests/cases`, by name); [`on_stdio`] and [`over_http`] those made up (`stdio_hard.py`, `http_hard.py`)
//!   to break a reader; [`said`] what a server says, word for word (`stdio_says.py`, `http_says.py`)
//! - [`screens`] and [`places`] nothing of a server steers a terminal; [`ends`] what breaks on our side: a closed stdout, a terminal that goes away;
//!   [`disks`] a full one, and what is left in files; [`killed`] `kill -9`
//!
//! `KINDS.md` lists the public faults that all this comes from, and where each is held.
//!
//! `MCPCALL_HARD=TEXT` runs only the rows whose server and mode contain the text.

mod cases;
mod disks;
mod ends;
mod killed;
mod on_stdio;
mod over_http;
mod places;
mod said;
mod screens;
mod table;

use std::collections::BTreeSet;

fn rows() -> Vec<table::Row> {
    let mut rows = [cases::ROWS, on_stdio::ROWS, over_http::ROWS].concat();
    rows.extend(said::rows());
    rows
}

#[test]
fn every_row_of_the_table_comes_out_as_it_must() {
    table::run(&rows(), cases::ELSEWHERE);
}

#[test]
fn every_odd_server_is_in_the_table_or_pointed_to() {
    let folder = crate::support::root().join("tests/cases");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let known: BTreeSet<&str> =
        rows().iter().map(|row| row.server).chain(cases::ELSEWHERE.iter().map(|(server, ..)| *server)).collect();
    let missing: Vec<String> = files
        .filter_map(|file| file.strip_suffix(".py").map(str::to_owned))
        .filter(|name| name.starts_with("stdio_") || name.starts_with("http_"))
        .filter(|name| !known.contains(name.as_str()))
        .collect();
    assert!(missing.is_empty(), "neither in the table nor pointed to: {missing:?}");
    for (server, _, file) in cases::ELSEWHERE {
        let text = std::fs::read_to_string(crate::support::root().join("tests/it").join(file)).unwrap();
        assert!(text.contains(&format!("\"{server}\"")), "{file} does not run {server}");
    }
}

#[test]
fn every_place_that_the_list_of_kinds_names_is_there() {
    let list = std::fs::read_to_string(crate::support::root().join("tests/it/hard/KINDS.md")).unwrap();
    let rows: Vec<Vec<&str>> =
        list.lines().filter(|line| line.starts_with("| B")).map(|line| line.split(" | ").collect()).collect();
    assert_eq!(rows.len(), 86);
    for row in &rows {
        for place in row[2].trim_end_matches(" |").split("; ").filter(|place| place.starts_with('`')) {
            let (file, names) = place[1..].split_once("` ").unwrap();
            let path = if file.starts_with("src/") { file.to_owned() } else { format!("tests/it/{file}") };
            let text =
                std::fs::read_to_string(crate::support::root().join(&path)).unwrap_or_else(|e| panic!("{path}: {e}"));
            for name in names.split(", ") {
                let is_there = |name: &str| text.contains(name);
                // Several modes may follow a server, with blanks between; a text of a row has blanks itself.
                assert!(is_there(name) || name.split(' ').all(is_there), "{}: {name} is not in {path}", row[0]);
            }
        }
    }
}
