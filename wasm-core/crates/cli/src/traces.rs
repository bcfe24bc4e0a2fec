//! Where the command line has traces, and `qoscope trace`.

use std::io::Write;
use std::path::{Path, PathBuf};

use qoscope_engine::scenario::quoted;
use qoscope_engine::simulation::replays::described;
use qoscope_engine::workload::traces::{Format, Selection, Statistics};
use qoscope_host::traces::{Shelf, read};

use crate::RunFormat;
use crate::failure::Failure;
use crate::table::{duration, grouped, number, table};

/// Volumes that the table lists.
const LISTED_VOLUMES: usize = 20;

/// Traces of scenarios in a folder, and of what `places` names, `NAME=PATH`.
pub fn shelf(beside: &Path, places: &[String]) -> Result<Shelf, Failure> {
    let places = places.iter().map(|place| {
        place.split_once('=').map(|(name, path)| (name.to_owned(), PathBuf::from(path))).ok_or_else(|| {
            Failure::Input(format!(
                "--trace takes NAME=PATH, as in --trace web.spc=/data/web.spc.gz; {} has no `=`.",
                quoted(place)
            ))
        })
    });
    Ok(Shelf::new(beside, places.collect::<Result<_, _>>()?))
}

/// Says on standard error what there is to know of the traces that were read.
pub fn tell(traces: &Shelf) {
    traces.told().iter().for_each(|line| eprintln!("{line}"));
}

/// Prints what there is in a trace.
pub fn describe(
    path: &Path,
    format: Option<Format>,
    volumes: &[String],
    output: RunFormat,
    out: &mut impl Write,
) -> Result<(), Failure> {
    // What is kept is not needed: only the counts are.
    let selection = Selection { volumes: volumes.to_vec(), max_requests: 0, ..Selection::default() };
    let (_, mut statistics) = read(path, format, selection, false)?;
    if !volumes.is_empty() {
        let missing = volumes.iter().find(|name| statistics.volumes.iter().all(|volume| volume.name != **name));
        if let Some(missing) = missing {
            return Err(Failure::Input(format!("{}: The trace has no volume {}.", path.display(), quoted(missing))));
        }
        statistics.volumes.retain(|volume| volumes.contains(&volume.name));
    }
    statistics.busiest_first();
    match output {
        RunFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, &described(&statistics)).map_err(std::io::Error::from)?;
            writeln!(out)?;
        }
        RunFormat::Table => print(path, &statistics, out)?,
    }
    Ok(())
}

fn print(path: &Path, statistics: &Statistics, out: &mut impl Write) -> std::io::Result<()> {
    let counts = &statistics.counts;
    writeln!(out, "{}, format {}", path.display(), statistics.format)?;
    let span_s = statistics.span_ps as f64 / 1e12;
    let rate = (span_s > 0.0).then(|| counts.requests() as f64 / span_s);
    let facts = [
        ("lines", grouped(statistics.lines)),
        ("requests", grouped(counts.requests())),
        ("time", duration(span_s * 1e6)),
        ("requests/s", number(rate, 1)),
        ("reads", format!("{} %", number(counts.read_fraction().map(|share| 100.0 * share), 2))),
        ("mean size", format!("{} bytes", number(counts.mean_bytes(), 0))),
        ("trims", grouped(counts.trims)),
        ("left out", grouped(statistics.skipped)),
        ("out of order", format!("{}, of which {} too late", grouped(statistics.reordered), grouped(statistics.late))),
        ("bad lines", grouped(statistics.bad)),
    ];
    facts.iter().try_for_each(|(name, value)| writeln!(out, "{name:<16}{value}"))?;
    statistics.remarks.iter().try_for_each(|remark| writeln!(out, "{remark}"))?;
    statistics.bad_lines.iter().try_for_each(|bad| writeln!(out, "  {bad}"))?;
    let recorded = [("reads", &statistics.recorded.reads), ("writes", &statistics.recorded.writes)];
    let rows: Vec<_> = recorded
        .into_iter()
        .filter(|(_, latencies)| latencies.count() > 0)
        .map(|(name, latencies)| {
            let us = |value: Option<f64>| number(value, 1);
            let quantile = |share: f64| us(latencies.quantile_us(share));
            vec![
                name.to_owned(),
                grouped(latencies.count()),
                us(latencies.mean_us()),
                quantile(0.5),
                quantile(0.99),
                us(latencies.max_us()),
            ]
        })
        .collect();
    if !rows.is_empty() {
        let header = ["as recorded", "requests\n", "mean\nµs", "p50\nµs", "p99\nµs", "maximum\nµs"];
        writeln!(out, "\n{}", table(header, 1, rows).trim_end())?;
    }
    let rows = statistics.volumes.iter().take(LISTED_VOLUMES).map(|volume| {
        let counts = &volume.counts;
        vec![
            volume.name.clone(),
            grouped(counts.requests()),
            number(counts.read_fraction().map(|share| 100.0 * share), 1),
            number(counts.mean_bytes(), 0),
            number(counts.end_address as f64 / 1e9, 3),
        ]
    });
    let header = ["volume", "requests\n", "reads\n%", "mean size\nbytes", "addresses to\nGB"];
    writeln!(out, "\n{}", table(header, 1, rows).trim_end())?;
    let further = statistics.volumes.len().saturating_sub(LISTED_VOLUMES);
    if further > 0 {
        writeln!(out, "and {further} more volumes")?;
    }
    Ok(())
}
