//! Traces from files, plain or gzip.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use flate2::bufread::MultiGzDecoder;
use qoscope_engine::scenario::{Scenario, TraceFormat, Traffic, trace_format};
use qoscope_engine::simulation::replays::trace_needs;
use qoscope_engine::text::grouped;
use qoscope_engine::workload::traces::{Format, Selection, Statistics, Trace, TraceReader, Traces};

use crate::Error;

/// Bytes read at once.
const PIECE_BYTES: usize = 1 << 18;
/// Most requests that are kept of a file for a run.
pub const MAXIMUM_KEPT: usize = 20_000_000;

/// Traces of scenarios: files beside them, or at places of their own. Each is read when it is first needed, and again only where more of it
/// is.
pub struct Shelf {
    beside: PathBuf,
    places: BTreeMap<String, PathBuf>,
    state: Mutex<State>,
}

/// What has been read.
#[derive(Default)]
struct State {
    needs: BTreeMap<String, Need>,
    traces: Traces,
    told: Vec<String>,
}

/// What is needed of a file.
type Need = (TraceFormat, Selection);

impl Shelf {
    /// Of scenarios in a folder, with the places of traces that are not there, by name.
    pub fn new(beside: &Path, places: BTreeMap<String, PathBuf>) -> Self {
        Self { beside: beside.to_owned(), places, state: Mutex::default() }
    }

    /// Where a trace is.
    pub fn path(&self, name: &str) -> PathBuf {
        self.places.get(name).cloned().unwrap_or_else(|| self.beside.join(name))
    }

    /// The traces that a scenario replays.
    ///
    /// # Errors
    /// What keeps one of them from being read.
    pub fn of(&self, scenario: &Scenario) -> Result<Traces, Error> {
        let mut state = self.state();
        let State { needs, traces, told } = &mut *state;
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
            told.extend(statistics.remarks.iter().map(|remark| format!("{}: {remark}", path.display())));
            told.extend(of_bad_lines(&path, &statistics));
            traces.insert(name.clone(), trace);
            needs.insert(name, need);
        }
        Ok(traces.clone())
    }

    /// What a person should know of the traces that were read and has not been told, a line each.
    pub fn told(&self) -> Vec<String> {
        mem::take(&mut self.state().told)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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

/// Says which lines could not be read.
fn of_bad_lines(path: &Path, statistics: &Statistics) -> Vec<String> {
    if statistics.bad == 0 {
        return Vec::new();
    }
    let all = format!("{}: {} lines could not be read and were passed over.", path.display(), grouped(statistics.bad));
    core::iter::once(all).chain(statistics.bad_lines.iter().map(ToString::to_string)).collect()
}

/// Reads a trace, to its end or until nothing more is needed.
///
/// # Errors
/// What keeps it from being read.
pub fn read(
    path: &Path,
    format: Option<Format>,
    selection: Selection,
    only_what_is_needed: bool,
) -> Result<(Trace, Statistics), Error> {
    let failed = |why: String| Error::Sentence(format!("{}: {why}", path.display()));
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
fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    let mut file = BufReader::with_capacity(PIECE_BYTES, File::open(path)?);
    let is_packed = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    Ok(if is_packed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) })
}
