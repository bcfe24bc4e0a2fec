//! The tables of `docs/validation.md` are those of the runs.

use std::{env, fs};

use crate::{check, coexistence, deadlines, hpcc, ns3, paper1, paper2, paper3, urgent};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/validation.md");

/// `text` with what stands between the marks of `table` replaced.
fn replace(text: &str, table: &str, content: &str) -> String {
    let (begin, end) = (format!("<!-- {table}: begin -->\n"), format!("<!-- {table}: end -->\n"));
    let (before, rest) = text.split_once(&begin).expect("the table has a beginning");
    let (_, after) = rest.split_once(&end).expect("the table has an end");
    format!("{before}{begin}\n{content}\n{end}{after}")
}

#[test]
fn the_tables_of_the_document_are_those_of_the_runs() {
    let written = fs::read_to_string(DOCUMENT).expect("the document is there");
    let tables = [
        ("paper 1", paper1::checks()),
        ("paper 1: coexistence", coexistence::checks()),
        ("paper 1: deadlines", deadlines::paper_1()),
        ("paper 1: urgent", urgent::checks()),
        ("paper 2", paper2::checks()),
        ("paper 2: deadlines", deadlines::paper_2()),
        ("paper 3", paper3::checks()),
        ("ns-3", ns3::checks()),
        ("hpcc", hpcc::checks()),
    ];
    let made = tables.iter().fold(written.clone(), |text, (name, checks)| replace(&text, name, &check::table(checks)));
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(DOCUMENT, made).expect("the document can be written");
    } else {
        assert!(written == made, "docs/validation.md is out of date: UPDATE_DOCS=1 cargo test --test validation");
    }
}
