//! The tables of `docs/validation.md` are those of the runs.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::{env, fs};

use crate::deviations;
use crate::row::{self, Row};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/validation.md");

/// Tables are written one at a time.
static WRITING: Mutex<()> = Mutex::new(());

fn read() -> String {
    fs::read_to_string(DOCUMENT).expect("the document is there")
}

/// `text` with what stands between the marks of `table` replaced.
fn replace(text: &str, table: &str, content: &str) -> String {
    let (begin, end) = (format!("<!-- {table}: begin -->\n"), format!("<!-- {table}: end -->\n"));
    let (before, rest) = text.split_once(&begin).expect("the table has a beginning");
    let (_, after) = rest.split_once(&end).expect("the table has an end");
    format!("{before}{begin}\n{content}\n{end}{after}")
}

/// Fails where a verdict is not what it was, or where the table of that name says something else than `rows`, which it is made
/// to say if `UPDATE_DOCS` is set.
pub fn assert_table(table: &str, rows: &[Row]) {
    if env::var_os("UPDATE_DOCS").is_some() {
        let _writing = WRITING.lock().expect("nothing panics while it writes");
        fs::write(DOCUMENT, replace(&read(), table, &row::table(rows))).expect("the document can be written");
    }
    row::assert_all(rows);
    let written = read();
    let made = replace(&written, table, &row::table(rows));
    assert!(written == made, "docs/validation.md is out of date: UPDATE_DOCS=1 cargo test --test validation");
}

#[test]
fn every_cause_has_a_section() {
    let written = read();
    for deviation in deviations::all() {
        let mut headings = written.lines().filter_map(|line| line.strip_prefix("### "));
        assert!(headings.any(|heading| heading == deviation.cause), "no section {:?}", deviation.cause);
    }
}

#[test]
fn every_deviation_is_that_of_a_row() {
    let (written, mut case) = (read(), String::new());
    let mut names = BTreeSet::new();
    for line in written.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if !cells[1].is_empty() {
            case = cells[1].into();
        }
        names.insert((case.clone(), cells[2].to_owned()));
    }
    for deviation in deviations::all() {
        let name = (deviation.case.to_owned(), deviation.quantity.to_owned());
        assert!(names.contains(&name), "no row of the document is that of {deviation:?}");
    }
}
