//! The tables of `docs/rack.md` say what the writers say: of every target which fields go where, exactly, roughly or not at all, and why; and what the
//! reader of job files says of every option.
//! `UPDATE_DOCS=1 cargo test -p qoscope-interop --test docs` writes them anew.

use std::fmt::Write;
use std::path::Path;
use std::sync::Mutex;
use std::{env, fs};

use qoscope_interop::{How, Target, fio};

const BEGIN: &str = "<!-- Tables made by the engine: begin -->\n";
const END: &str = "<!-- Tables made by the engine: end -->\n";
const JOBS_BEGIN: &str = "<!-- Table of job files made by the engine: begin -->\n";
const JOBS_END: &str = "<!-- Table of job files made by the engine: end -->\n";

fn how(how: How) -> &'static str {
    match how {
        How::Exactly => "exactly",
        How::Roughly => "roughly",
        How::NotAtAll => "not at all",
    }
}

/// A text within a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn tables() -> String {
    let mut text = String::new();
    for target in Target::ALL {
        let about = target.about();
        write!(text, "\n### {} (`--to {}`)\n\nHolds {}. ", about.title, about.id, about.holds).unwrap();
        if target.mappings().is_empty() {
            text.push_str("Not written yet.\n");
            continue;
        }
        write!(text, "Written for {}.\n\n| Fields | There | How | Why |\n|---|---|---|---|\n", about.version).unwrap();
        for row in target.mappings() {
            let fields: Vec<String> = row.from.split(", ").map(|path| format!("`{path}`")).collect();
            let to = if row.to.is_empty() { "–".into() } else { cell(row.to) };
            writeln!(text, "| {} | {to} | {} | {} |", fields.join(", "), how(row.how), cell(row.why)).unwrap();
        }
    }
    text.push('\n');
    text
}

/// What becomes of every option of a job file.
fn readings() -> String {
    let mut text = String::from("\n| Options | Fields | How | Why |\n|---|---|---|---|\n");
    for reading in fio::READINGS {
        let code = |names: Vec<&str>| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let fields = if reading.field.is_empty() { "–".into() } else { code(reading.field.split(", ").collect()) };
        let options = code(reading.options.to_vec());
        writeln!(text, "| {options} | {fields} | {} | {} |", how(reading.how), cell(reading.why)).unwrap();
    }
    text.push('\n');
    text
}

#[test]
fn the_tables_are_those_of_the_writers() {
    compare(BEGIN, END, &tables());
}

#[test]
fn the_table_of_job_files_is_that_of_the_reader() {
    compare(JOBS_BEGIN, JOBS_END, &readings());
}

/// Compares what stands between two marks with what the crate says, or writes it anew.
fn compare(begin: &str, end: &str, tables: &str) {
    // Both tests write the same file.
    static FILE: Mutex<()> = Mutex::new(());
    let _one_by_one = FILE.lock();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/rack.md");
    let text = fs::read_to_string(&path).expect("docs/rack.md");
    let (before, rest) = text.split_once(begin).expect("the mark before the tables");
    let (found, after) = rest.split_once(end).expect("the mark behind the tables");
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, format!("{before}{begin}{tables}{end}{after}")).expect("docs/rack.md can be written");
    } else {
        assert!(
            found == tables,
            "docs/rack.md is out of date: UPDATE_DOCS=1 cargo test -p qoscope-interop --test docs"
        );
    }
}
