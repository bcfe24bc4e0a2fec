//! Traces from files, plain or gzip, and `qoscope trace`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use qoscope_engine::scenario::{Scenario, TraceFormat, Traffic, trace_format};
use qoscope_engine::simulation::replays::{described, trace_needs};
use qoscope_engine::workload::traces::{Format, Selection, Statistics, Trace, TraceReader, Traces};

use crate::RunFormat;
use crate::failure::Failure;
use crate::table::{duration, grouped, number, table};

/// Bytes read at once.
const PIECE_BYTES: usize = 1 << 18;
/// Most requests that are kept of a file for a run.
const MAXIMUM_KEPT: usize = 20_000_000;
/// Volumes that the table lists.
const LISTED_VOLUMES: usize = 20;

/// The traces that a scenario replays: files beside it, or those that `places` names, `NAME=PATH`.
pub fn of_scenario(scenario: &Scenario, beside: &Path, places: &[String]) -> Result<Traces, Failure> {
    let places = places.iter().map(|place| {
        place.split_once('=').map(|(name, path)| (name, PathBuf::from(path))).ok_or_else(|| {
            Failure::Input(format!(
                "--trace takes NAME=PATH, as in --trace web.spc=/data/web.spc.gz; {place:?} has no `=`."
            ))
        })
    });
    let places: BTreeMap<&str, PathBuf> = places.collect::<Result<_, _>>()?;
    // One file may be replayed by several workloads: it is read once, with what any of them needs.
    let mut wanted: BTreeMap<String, (TraceFormat, Selection)> = BTreeMap::new();
    for need in trace_needs(scenario) {
        let Traffic::Trace { format, .. } = scenario.workloads[need.workload].traffic else { continue };
        let volumes: Vec<String> = need.volume.into_iter().collect();
        let all = volumes.is_empty();
        let (_, selection) = wanted.entry(need.file).or_insert_with(|| {
            let (from_ps, until_ps) = (need.from_ps, need.until_ps);
            (format, Selection { volumes: volumes.clone(), from_ps, until_ps, max_requests: MAXIMUM_KEPT })
        });
        selection.from_ps = selection.from_ps.min(need.from_ps);
        selection.until_ps = selection.until_ps.max(need.until_ps);
        if all || selection.volumes.is_empty() {
            selection.volumes.clear();
        } else {
            selection.volumes.extend(volumes);
        }
    }
    let mut traces = Traces::default();
    for (name, (format, selection)) in wanted {
        let path = places.get(name.as_str()).cloned().unwrap_or_else(|| beside.join(&name));
        let (trace, statistics) = read(&path, trace_format(format), selection, true)?;
        report_bad(&path, &statistics);
        traces.insert(name, trace);
    }
    Ok(traces)
}

/// Says on standard error which lines could not be read.
fn report_bad(path: &Path, statistics: &Statistics) {
    if statistics.bad > 0 {
        eprintln!("{}: {} lines could not be read and were passed over.", path.display(), grouped(statistics.bad));
        statistics.bad_lines.iter().for_each(|bad| eprintln!("{bad}"));
    }
}

/// Reads a trace, to its end or until nothing more is needed.
fn read(
    path: &Path,
    format: Option<Format>,
    selection: Selection,
    only_what_is_needed: bool,
) -> Result<(Trace, Statistics), Failure> {
    let failed = |why: String| Failure::Input(format!("{}: {why}", path.display()));
    let mut bytes = open(path).map_err(|error| failed(format!("The trace could not be opened: {error}.")))?;
    let mut reader = TraceReader::new(format, selection);
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        let length =
            bytes.read(&mut piece).map_err(|error| failed(format!("The trace could not be read: {error}.")))?;
        if length == 0 || (only_what_is_needed && reader.is_satisfied()) {
            break;
        }
        reader.feed(&piece[..length]).map_err(|error| failed(error.to_string()))?;
    }
    reader.finish().map_err(|error| failed(error.to_string()))
}

/// The text of a file, unpacked where it is packed.
fn open(path: &Path) -> std::io::Result<Box<dyn Read>> {
    let mut file = BufReader::with_capacity(PIECE_BYTES, File::open(path)?);
    let is_packed = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    Ok(if is_packed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) })
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
            return Err(Failure::Input(format!("{}: The trace has no volume {missing:?}.", path.display())));
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
    statistics.bad_lines.iter().try_for_each(|bad| writeln!(out, "  {bad}"))?;
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
