//! Runs what the figures of `scenarios/figures/` need, and holds the results against what was published.
//!
//! Every figure is a test of its own, by its id: `cargo test --test validation paper1-fig8`. It fails where a verdict is no
//! longer what it was, and where `docs/validation.md` says something else than the runs do.
//! `UPDATE_DOCS=1 cargo test --test validation` writes the tables anew.

mod document;
mod runs;

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use libtest_mimic::{Arguments, Failed, Trial};
use qoscope_engine::figures::{Figure, Row};

const FIGURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenarios/figures");

/// Reads the figure of a file, whose name is its id.
fn figure(file: &Path) -> Result<Figure, Failed> {
    let figure = Figure::read(&fs::read_to_string(file)?).map_err(|diagnostics| {
        let lines = diagnostics.iter().map(|found| format!("\n{} {}. {}", found.path, found.reason, found.hint));
        format!("{}:{}", file.display(), lines.collect::<String>())
    })?;
    if file.file_stem().is_some_and(|stem| *stem == *figure.id) {
        Ok(figure)
    } else {
        Err(format!("{} is named otherwise than its id, {}", file.display(), figure.id).into())
    }
}

/// Every figure, by file.
fn figures() -> Vec<(String, Result<Figure, Failed>)> {
    let files =
        fs::read_dir(FIGURES).expect("the folder is there").map(|entry| entry.expect("a readable entry").path());
    let name = |file: &Path| file.file_stem().expect("a named file").to_string_lossy().into_owned();
    files.map(|file| (name(&file), figure(&file))).collect()
}

/// Fails with all that is wrong with the rows of a figure at once.
fn check(rows: &[Row]) -> Result<(), Failed> {
    let diagnostics: Vec<String> = rows.iter().filter_map(Row::diagnostic).collect();
    if diagnostics.is_empty() {
        return Ok(());
    }
    Err(format!("{}\n\nall results:\n{}", diagnostics.join("\n"), document::table(rows)).into())
}

fn validate(figure: &Figure) -> Result<(), Failed> {
    let rows = figure.rows(&runs::results(figure)?)?;
    if env::var_os("UPDATE_DOCS").is_some() {
        document::update(figure, &rows)?;
    }
    check(&rows)?;
    document::check(figure, &rows)
}

fn main() -> ExitCode {
    let figures = figures();
    let readable: Vec<Figure> = figures.iter().filter_map(|(_, figure)| figure.as_ref().ok().cloned()).collect();
    let mut trials =
        vec![Trial::test("the_document_holds_the_figures_there_are", move || document::check_whole(&readable))];
    trials.extend(figures.into_iter().map(|(name, figure)| Trial::test(name, move || validate(&figure?))));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
