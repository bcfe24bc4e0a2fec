//! `qoscope figure`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use qoscope_figures::{Figure, Reproduction, Row, RowView};
use serde::Serialize;
use serde_json::Value;

use qoscope_native::files::{self, Kind};

use crate::RunFormat;
use crate::failure::Failure;
use crate::parallel::on_every_core;
use crate::table::{grouped, table};

/// What a figure gave.
#[derive(Serialize)]
struct Report {
    id: String,
    rows: Vec<RowView>,
    /// Events of all runs.
    events: u64,
    digest: String,
}

/// Runs a figure again and prints its table.
pub fn figure(file: &Path, seeds: Option<u32>, format: RunFormat, out: &mut impl Write) -> Result<(), Failure> {
    let (file, text) = Kind::Figure.open(file)?;
    let figure = Figure::read(&text).map_err(|found| Kind::Figure.named(found))?;
    let is_cut = seeds.is_some_and(|seeds| figure.runs.iter().any(|run| run.seeds > seeds));
    let again = run(figure, seeds, file.parent().unwrap_or(Path::new(""))).map_err(Failure::Input)?;
    let results = again.results();
    let rows: Vec<Row> = again.figure().rows(&results).map_err(Failure::Input)?;
    let report = Report {
        id: again.figure().id.clone(),
        rows: rows.iter().map(Row::view).collect(),
        events: Figure::events(&results),
        digest: again.figure().digest(&results).map_err(Failure::Input)?,
    };
    match format {
        RunFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, &report).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        RunFormat::Table => print(&again, &report, out)?,
    }
    let wrong: Vec<String> = rows.iter().filter_map(Row::diagnostic).collect();
    if is_cut || wrong.is_empty() {
        return Ok(());
    }
    wrong.iter().for_each(|sentence| eprintln!("{sentence}."));
    Err(Failure::Told)
}

/// Makes everything that a figure needs.
fn run(figure: Figure, seeds: Option<u32>, folder: &Path) -> Result<Reproduction, String> {
    let mut again = Reproduction::new(figure, seeds);
    let mut scenarios: BTreeMap<String, Value> = BTreeMap::new();
    let figure = again.figure().clone();
    let names = figure.runs.iter().map(|run| run.scenario.as_str());
    for name in names.chain(figure.models.iter().filter_map(|model| model.scenario())) {
        if !scenarios.contains_key(name) {
            scenarios.insert(name.to_owned(), files::scenario_near(folder, name)?);
        }
    }
    let needs = figure.runs.iter().flat_map(|run| (1..=run.seeds).map(move |seed| (run, seed)));
    let needs: Vec<_> = needs.collect();
    let made = on_every_core(&needs, |(run, seed)| {
        run.summaries(&scenarios[&run.scenario], Some(*seed)).map_err(|reason| format!("{}: {reason}", run.name))
    });
    for ((run, seed), summaries) in needs.into_iter().zip(made) {
        again.put(&run.name, seed, summaries?)?;
    }
    for model in &figure.models {
        again.model(model.name(), model.scenario().map(|name| &scenarios[name]))?;
    }
    Ok(again)
}

fn print(again: &Reproduction, report: &Report, out: &mut impl Write) -> io::Result<()> {
    let Figure { source, title, claim, .. } = again.figure();
    writeln!(out, "{source}: {title}. {claim}\n")?;
    let mut last = "";
    let rows = report.rows.iter().map(|row| {
        let case = if row.case == last { "" } else { row.case.as_str() };
        last = row.case.as_str();
        let verdict =
            row.cause.as_ref().map_or_else(|| row.verdict.clone(), |cause| format!("{}: {cause}", row.verdict));
        [case, &row.quantity, &row.reference, &row.ours, &row.band, &row.distance, &verdict].map(str::to_owned).to_vec()
    });
    let header = ["case", "quantity", "reference", "ours", "band", "distance", "verdict"];
    write!(out, "{}", table(header, header.len(), rows))?;
    let runs: u32 = again.needs().iter().map(|need| need.seeds).sum();
    writeln!(out, "\n{runs} runs of {} events, digest {}", grouped(report.events), report.digest)
}
