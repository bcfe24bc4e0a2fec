//! Traces from files, plain or gzip, and `qoscope trace`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

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

/// Traces of scenarios: files beside them, or those that the command line names. Each is read when it is first needed, and again only
/// where more of it is.
pub struct Shelf {
    beside: PathBuf,
    places: BTreeMap<String, PathBuf>,
    read: Mutex<(BTreeMap<String, Need>, Traces)>,
}

/// What is needed of a file.
type Need = (TraceFormat, Selection);

impl Shelf {
    /// Of scenarios in a folder, and of what `places` names, `NAME=PATH`.
    pub fn new(beside: &Path, places: &[String]) -> Result<Self, Failure> {
        let places = places.iter().map(|place| {
            place.split_once('=').map(|(name, path)| (name.to_owned(), PathBuf::from(path))).ok_or_else(|| {
                Failure::Input(format!(
                    "--trace takes NAME=PATH, as in --trace web.spc=/data/web.spc.gz; {place:?} has no `=`."
                ))
            })
        });
        Ok(Self { beside: beside.to_owned(), places: places.collect::<Result<_, _>>()?, read: Mutex::default() })
    }

    /// Where a trace is.
    pub fn path(&self, name: &str) -> PathBuf {
        self.places.get(name).cloned().unwrap_or_else(|| self.beside.join(name))
    }

    /// The traces that a scenario replays.
    pub fn of(&self, scenario: &Scenario) -> Result<Traces, Failure> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let (needs, traces) = &mut *read;
        for (name, mut need) in needed(scenario) {
            if let Some(before) = needs.get(&name) {
                let whole = widened(before.clone(), &need);
                if whole == *before {
                    continue;
                }
                need = whole;
            }
            let path = self.path(&name);
            let (trace, statistics) = self::read(&path, trace_format(need.0), need.1.clone(), true)?;
            report_bad(&path, &statistics);
            traces.insert(name.clone(), trace);
            needs.insert(name, need);
        }
        Ok(traces.clone())
    }
}

/// What a scenario needs of traces, by name. One file may be replayed by several workloads: it is read once, with what any of them needs.
fn needed(scenario: &Scenario) -> BTreeMap<String, Need> {
    let mut needs: BTreeMap<String, Need> = BTreeMap::new();
    for need in trace_needs(scenario) {
        let Traffic::Trace { format, .. } = scenario.workloads[need.workload].traffic else { continue };
        let volumes: Vec<String> = need.volume.into_iter().collect();
        let (from_ps, until_ps) = (need.from_ps, need.until_ps);
        let of = (format, Selection { volumes, from_ps, until_ps, max_requests: MAXIMUM_KEPT });
        let all = needs.remove(&need.file).map_or_else(|| of.clone(), |before| widened(before, &of));
        needs.insert(need.file, all);
    }
    needs
}

/// What is needed where two are: all volumes where one needs all.
fn widened((format, mut all): Need, (_, other): &Need) -> Need {
    all.from_ps = all.from_ps.min(other.from_ps);
    all.until_ps = all.until_ps.max(other.until_ps);
    if other.volumes.is_empty() {
        all.volumes.clear();
    } else if !all.volumes.is_empty() {
        let missing: Vec<_> = other.volumes.iter().filter(|name| !all.volumes.contains(name)).cloned().collect();
        all.volumes.extend(missing);
    }
    (format, all)
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
pub fn open(path: &Path) -> std::io::Result<Box<dyn Read>> {
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
