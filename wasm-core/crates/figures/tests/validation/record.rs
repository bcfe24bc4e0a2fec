//! What the page has of the last full run (`scenarios/results/figures.json`) is what the runs gave and the document says.

use std::fmt::Write;
use std::fs;
use std::sync::Mutex;

use libtest_mimic::Failed;
use qoscope_figures::{Figure, FigureRecord, Picture, Record, Results, RowView, Tally, digest};
use serde_json::to_string;

use crate::{SCENARIOS, asked, document};

/// What writes it.
const RENEW: &str = "UPDATE_DOCS=1 cargo test --test validation";

/// The file is written by one test at a time, and not while another reads it.
static WRITING: Mutex<()> = Mutex::new(());

fn file() -> String {
    format!("{SCENARIOS}/results/figures.json")
}

fn read_alone() -> Record {
    fs::read_to_string(file())
        .map_or_else(|_| Record::default(), |text| serde_json::from_str(&text).expect("it is a record"))
}

fn read() -> Record {
    let _writing = WRITING.lock().expect("nothing panics while it writes");
    read_alone()
}

/// Writes a change of it: a line for every figure, so that a change shows where it is.
fn write(change: impl FnOnce(&mut Record)) -> Result<(), Failed> {
    let _writing = WRITING.lock().expect("nothing panics while it writes");
    let mut record = read_alone();
    change(&mut record);
    let mut text = String::from("{\"figures\":{");
    for (number, (id, figure)) in record.figures.iter().enumerate() {
        write!(text, "{}\n{}:{}", if number > 0 { "," } else { "" }, to_string(id)?, to_string(figure)?)?;
    }
    write!(text, "}},\n\"tally\":{},\n\"causes\":{}}}\n", to_string(&record.tally)?, to_string(&record.causes)?)?;
    fs::create_dir_all(format!("{SCENARIOS}/results"))?;
    Ok(fs::write(file(), text)?)
}

/// What the runs of a figure give.
pub fn now(figure: &Figure, all: &Results, picture: Option<Picture>) -> Result<FigureRecord, Failed> {
    let rows = figure.rows(all)?.iter().map(|row| row.view()).collect();
    let (plot, events, digest) = (digest(&figure.plot), Figure::events(all), figure.digest(all)?);
    Ok(FigureRecord { rows, picture, plot, events, digest })
}

/// What is recorded of a figure.
pub fn of(figure: &Figure) -> Option<FigureRecord> {
    read().figures.remove(&figure.id)
}

/// Records what the runs of a figure give.
pub fn update(figure: &Figure, now: &FigureRecord) -> Result<(), Failed> {
    write(|record| drop(record.figures.insert(figure.id.clone(), now.clone())))
}

/// Fails where something else is recorded than the runs of all seeds give.
pub fn check(figure: &Figure, now: &FigureRecord) -> Result<(), Failed> {
    if of(figure).as_ref() == Some(now) {
        return Ok(());
    }
    Err(format!("scenarios/results/figures.json is out of date: {RENEW} {}", figure.id).into())
}

/// Fails where other rows are recorded than the document has, or a picture of another plot than the figure has.
pub fn check_as_documented(figure: &Figure) -> Result<(), Failed> {
    let FigureRecord { rows, plot, .. } = of(figure).ok_or("there are no results of it for the page")?;
    document::check(figure, &rows)?;
    if plot == digest(&figure.plot) {
        return Ok(());
    }
    Err(format!("scenarios/results/figures.json has a picture of another plot: {RENEW} {}", figure.id).into())
}

/// What became of the recorded rows, by paper.
pub fn tally(figures: &[Figure]) -> Vec<Tally> {
    let record = read();
    let rows = |figure: &Figure| record.figures.get(&figure.id).map_or(Vec::new(), |of| of.rows.clone());
    let rows: Vec<Vec<RowView>> = figures.iter().map(rows).collect();
    Tally::of(figures.iter().zip(rows.iter().map(Vec::as_slice)))
}

/// Writes what is not of one figure.
pub fn write_whole(figures: &[Figure]) -> Result<(), Failed> {
    let (tally, causes) = (tally(figures), document::causes(figures)?);
    write(|record| {
        record.figures.retain(|id, _| figures.iter().any(|figure| figure.id == *id));
        (record.tally, record.causes) = (tally, causes);
    })
}

/// Fails where it has other counts or explanations than rows and document, or figures that there are not.
pub fn check_whole(figures: &[Figure]) -> Result<(), Failed> {
    if asked("UPDATE_DOCS") {
        return Ok(()); // it is written when all figures have been
    }
    let record = read();
    let gone = record.figures.keys().find(|id| figures.iter().all(|figure| figure.id != **id));
    let as_documented = record.tally == tally(figures) && record.causes == document::causes(figures)?;
    if gone.is_none() && as_documented {
        return Ok(());
    }
    Err(format!("scenarios/results/figures.json has other counts, causes or figures than there are: {RENEW}").into())
}
