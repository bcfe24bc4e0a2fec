//! `qoscope figure`.

use std::io::{self, Write};
use std::path::Path;

use qoscope_campaign::Campaign;
use qoscope_figures::{Figure, FigureAnswer, Reproduction, Row};

use qoscope_host::files::{self, Kind};

use crate::RunFormat;
use crate::drive::DriveOptions;
use crate::failure::Failure;
use crate::table::{grouped, table};

/// Runs a figure and prints its table.
pub fn figure(
    file: &Path,
    seeds: Option<u32>,
    options: &DriveOptions,
    format: RunFormat,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let (file, text) = Kind::Figure.open(file)?;
    let figure = Figure::read(&text).map_err(|found| Kind::Figure.named(found))?;
    let is_cut = seeds.is_some_and(|seeds| figure.runs.iter().any(|run| run.seeds > seeds));
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut campaign = options.drive(Reproduction::new(figure, seeds, &|name| files::scenario_near(folder, name))?)?;
    let runs = campaign.progress().known;
    let answer = campaign.answer().expect("a driver that was not stopped made all runs")?;
    match format {
        RunFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, &answer).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        RunFormat::Table => print(campaign.figure(), &answer, runs, out)?,
    }
    let rows: Vec<Row> = campaign.figure().rows(&campaign.results()).map_err(Failure::Input)?;
    let wrong: Vec<String> = rows.iter().filter_map(Row::diagnostic).collect();
    if is_cut || wrong.is_empty() {
        return Ok(());
    }
    wrong.iter().for_each(|sentence| eprintln!("{sentence}."));
    Err(Failure::Told)
}

fn print(figure: &Figure, answer: &FigureAnswer, runs: u64, out: &mut impl Write) -> io::Result<()> {
    let Figure { source, title, claim, .. } = figure;
    writeln!(out, "{source}: {title}. {claim}\n")?;
    let mut last = "";
    let rows = answer.rows.iter().map(|row| {
        let case = if row.case == last { "" } else { row.case.as_str() };
        last = row.case.as_str();
        let verdict =
            row.cause.as_ref().map_or_else(|| row.verdict.clone(), |cause| format!("{}: {cause}", row.verdict));
        [case, &row.quantity, &row.reference, &row.ours, &row.band, &row.distance, &verdict].map(str::to_owned).to_vec()
    });
    let header = ["case", "quantity", "reference", "ours", "band", "distance", "verdict"];
    write!(out, "{}", table(header, header.len(), rows))?;
    writeln!(out, "\n{runs} runs of {} events, digest {}", grouped(answer.events), answer.digest)
}
