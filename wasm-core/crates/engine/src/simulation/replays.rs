//! The requests of workloads that replay a trace: those of one that was recorded, or drawn like those of one.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::convert::{index, rounded};
use crate::kernel::histogram::LatencyHistogram;
use crate::kernel::time::{PS_PER_S, from_us, to_us};
use crate::scenario::MAXIMUM_REPLAYED;
use crate::scenario::document::{Scenario, Traffic, Workload};
use crate::scenario::{Diagnostic, quoted, shortened};
use crate::workload::traces::{Counts, Operation, Record, Recorded, Statistics, Trace, Traces};

/// By workload: what it replays; none where it replays nothing.
pub(super) type Replayed = Vec<Option<Arc<Trace>>>;

/// What the workloads of a scenario replay.
///
/// # Errors
/// A trace is not there, or has not what is asked for.
pub(super) fn replayed(scenario: &Scenario, traces: &Traces) -> Result<Replayed, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let replayed = (0..scenario.workloads.len()).map(|number| {
        let found = of_workload(scenario, number, traces);
        found.unwrap_or_else(|diagnostic| {
            diagnostics.push(diagnostic);
            None
        })
    });
    let replayed = replayed.collect();
    if diagnostics.is_empty() { Ok(replayed) } else { Err(diagnostics) }
}

/// What one workload replays, as much as its run needs at its speed.
pub fn of_workload(scenario: &Scenario, number: usize, traces: &Traces) -> Result<Option<Arc<Trace>>, Diagnostic> {
    let workload = &scenario.workloads[number];
    let (time_scale, requests) = match &workload.traffic {
        Traffic::Trace { time_scale, requests, .. } | Traffic::StandIn { time_scale, requests, .. } => {
            (*time_scale, *requests)
        }
        Traffic::OpenLoop { .. } | Traffic::Backlogged {} | Traffic::ClosedLoop { .. } => return Ok(None),
    };
    let until_ps = rounded(from_us(scenario.duration_us) as f64 * time_scale).max(1);
    let max_requests = index(requests.unwrap_or(u64::MAX).min(MAXIMUM_REPLAYED + 1));
    let trace = match &workload.traffic {
        Traffic::StandIn { of, .. } => {
            // What validation lets pass is drawn as expected; a little more is cut off.
            let max_requests = max_requests.min(index(MAXIMUM_REPLAYED));
            of.trace(scenario.seed, number as u64, until_ps, max_requests)
        }
        Traffic::Trace { file, volume, skip_us, .. } => {
            let path = |field: &str| format!("workloads[{number}].traffic.{field}");
            let Some(trace) = traces.get(file) else {
                return Err(Diagnostic::new(
                    path("file"),
                    format!("names the trace {}, which has not been read", quoted(file)),
                    "Choose the file of the trace, or put it beside the scenario.",
                ));
            };
            let volume = match volume {
                None => None,
                Some(name) => Some(trace.volume(name).ok_or_else(|| unknown_volume(path("volume"), name, trace))?),
            };
            let from_ps = from_us(*skip_us);
            let selected = selected(trace, volume, from_ps, from_ps.saturating_add(until_ps), max_requests);
            if selected.is_empty() {
                return Err(Diagnostic::new(
                    path("file"),
                    format!("has no reads and writes in the stretch of {} s that is replayed", seconds(until_ps)),
                    "Replay it faster, skip less or more of it, or choose another volume.",
                ));
            }
            selected
        }
        Traffic::OpenLoop { .. } | Traffic::Backlogged {} | Traffic::ClosedLoop { .. } => return Ok(None),
    };
    if trace.len() as u64 > MAXIMUM_REPLAYED {
        return Err(too_many(number, time_scale));
    }
    Ok(Some(Arc::new(trace)))
}

fn too_many(number: usize, time_scale: f64) -> Diagnostic {
    Diagnostic::new(
        format!("workloads[{number}].traffic.timeScale"),
        format!("is {time_scale}, so that more than {} million requests are replayed", MAXIMUM_REPLAYED / 1_000_000),
        "Give a smaller one, limit the requests, or shorten the run.",
    )
}

/// The reads and writes of one volume, or of all, in a stretch of a trace, counted from its beginning.
fn selected(trace: &Trace, volume: Option<u32>, from_ps: u64, until_ps: u64, max_requests: usize) -> Trace {
    let mut selected = Trace::default();
    let stretch = (trace.position(from_ps)..trace.position(until_ps)).filter_map(|number| trace.get(number));
    let wanted =
        |record: &Record| record.operation != Operation::Trim && volume.is_none_or(|volume| record.volume == volume);
    for record in stretch.filter(wanted).take(max_requests) {
        selected.push(Record { at_ps: record.at_ps - from_ps, ..record });
    }
    selected
}

fn unknown_volume(path: String, name: &str, trace: &Trace) -> Diagnostic {
    const NAMED: usize = 8;
    let names: Vec<String> = trace.volumes().iter().take(NAMED).map(|name| shortened(name)).collect();
    let more = if trace.volumes().len() > NAMED { " and others" } else { "" };
    Diagnostic::new(
        path,
        format!("is {}, which the trace does not have", quoted(name)),
        format!("It has {}{more}.", names.join(", ")),
    )
}

fn seconds(ps: u64) -> f64 {
    ps as f64 / PS_PER_S as f64
}

/// Bits a second of what is replayed over the whole run at time scale 1; infinite where nothing is.
pub(super) fn recorded_bps(scenario: &Scenario, replayed: &Replayed) -> Vec<f64> {
    let of = |(workload, trace): (&Workload, &Option<Arc<Trace>>)| match (&workload.traffic, trace) {
        (Traffic::Trace { time_scale, .. }, Some(trace)) => {
            let bits: f64 = trace.iter().map(|record| 8.0 * f64::from(record.bytes)).sum();
            bits / (scenario.duration_us / 1e6 * time_scale)
        }
        _ => f64::INFINITY,
    };
    scenario.workloads.iter().zip(replayed).map(of).collect()
}

/// The stretch of a trace that a run of a scenario reads, as a program that reads it keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceNeed {
    /// Index of the workload.
    pub workload: usize,
    /// Name of the trace.
    pub file: String,
    /// The volume; all where there is none.
    pub volume: Option<String>,
    /// From which instant of the trace on.
    pub from_ps: u64,
    /// Up to which instant.
    pub until_ps: u64,
}

/// What a run of `scenario` reads of traces, changes of its timeline included.
pub fn trace_needs(scenario: &Scenario) -> Vec<TraceNeed> {
    let need = |(number, workload): (usize, &Workload)| {
        let Traffic::Trace { file, volume, skip_us, time_scale, .. } = &workload.traffic else { return None };
        let path = format!("workloads[{number}].traffic.timeScale");
        let changes = scenario.timeline.iter().filter(|change| change.path == path);
        let fastest = changes.filter_map(|change| change.value.as_f64()).fold(*time_scale, f64::max);
        let from_ps = from_us(*skip_us);
        let span_ps = rounded(from_us(scenario.duration_us) as f64 * fastest).max(1);
        let until_ps = from_ps.saturating_add(span_ps);
        Some(TraceNeed { workload: number, file: file.clone(), volume: volume.clone(), from_ps, until_ps })
    };
    scenario.workloads.iter().enumerate().filter_map(need).collect()
}

/// Volumes that a description lists.
const DESCRIBED_VOLUMES: usize = 1000;

/// Points of a curve of latencies that a description has.
const DESCRIBED_POINTS: usize = 200;

/// What a trace holds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TraceSummary")]
pub struct TraceDescription {
    /// Its format, by name.
    pub format: &'static str,
    /// Lines read.
    pub lines: u64,
    /// Time from the first request to the last.
    pub span_us: f64,
    /// Its requests.
    pub counts: TraceCounts,
    /// How long those that were selected took; null if the trace does not say.
    pub recorded: Option<RecordedLatencies>,
    /// Requests that were selected and kept.
    pub kept: u64,
    /// Whether every request that was selected has been kept.
    pub complete: bool,
    /// Requests that were left out: without data, without an answer, or of a kind that moves none.
    pub skipped: u64,
    /// How the requests were read, where the format leaves a choice, as sentences.
    pub remarks: Vec<String>,
    /// Requests that came behind a later one.
    pub reordered: u64,
    /// Of these, those too late to be put in order: they are taken to have come when the one before them did.
    pub late: u64,
    /// Lines that could not be read.
    pub bad: u64,
    /// The first of them.
    pub bad_lines: Vec<TraceLine>,
    /// Number of volumes.
    pub volume_count: usize,
    /// The volumes, the first thousand.
    pub volumes: Vec<TraceVolume>,
}

/// Requests and bytes of a trace, or of one of its volumes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TraceCounts {
    /// Reads, writes and trims.
    pub requests: u64,
    /// Reads.
    pub reads: u64,
    /// Writes.
    pub writes: u64,
    /// Trims.
    pub trims: u64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Mean size; null without reads and writes.
    pub mean_bytes: Option<f64>,
    /// Share of reads; null without reads and writes.
    pub read_fraction: Option<f64>,
    /// End of the range of addresses.
    pub end_address: u64,
}

/// How long requests took when a trace was recorded.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RecordedLatencies {
    /// Of reads.
    pub reads: RecordedFigures,
    /// Of writes.
    pub writes: RecordedFigures,
    /// Pairs of a latency in microseconds and the share of reads and writes that took longer.
    pub slower: Vec<(f64, f64)>,
}

/// How long reads, or writes, took; null without any.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordedFigures {
    /// Requests counted.
    pub requests: u64,
    /// Mean.
    pub mean_us: Option<f64>,
    /// Median.
    pub p50_us: Option<f64>,
    /// 99th percentile.
    pub p99_us: Option<f64>,
    /// Largest.
    pub max_us: Option<f64>,
}

/// A line that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TraceLine {
    /// Its number, from 1.
    pub number: u64,
    /// What is wrong with it, as the end of the sentence "Line 17 ...".
    pub reason: String,
    /// Its beginning.
    pub text: String,
}

/// A volume of a trace.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TraceVolume {
    /// Its requests.
    #[serde(flatten)]
    pub counts: TraceCounts,
    /// Its name.
    pub name: String,
    /// How long its requests took; null if the trace does not say.
    pub recorded: Option<RecordedLatencies>,
}

impl TraceCounts {
    fn of(counts: &Counts) -> Self {
        Self {
            requests: counts.requests(),
            reads: counts.reads,
            writes: counts.writes,
            trims: counts.trims,
            read_bytes: counts.read_bytes,
            written_bytes: counts.written_bytes,
            mean_bytes: counts.mean_bytes(),
            read_fraction: counts.read_fraction(),
            end_address: counts.end_address,
        }
    }
}

impl RecordedLatencies {
    /// `None` if the trace does not say.
    fn of(recorded: &Recorded) -> Option<Self> {
        let all = recorded.reads.with(&recorded.writes);
        (all.count() > 0).then(|| Self {
            reads: RecordedFigures::of(&recorded.reads),
            writes: RecordedFigures::of(&recorded.writes),
            slower: all.tail(DESCRIBED_POINTS),
        })
    }
}

impl RecordedFigures {
    fn of(histogram: &LatencyHistogram) -> Self {
        Self {
            requests: histogram.count(),
            mean_us: histogram.mean_us(),
            p50_us: histogram.quantile_us(0.5),
            p99_us: histogram.quantile_us(0.99),
            max_us: histogram.max_us(),
        }
    }
}

/// What a trace holds; of its volumes the first thousand.
pub fn described(statistics: &Statistics) -> TraceDescription {
    let volumes = statistics.volumes.iter().take(DESCRIBED_VOLUMES).map(|volume| TraceVolume {
        counts: TraceCounts::of(&volume.counts),
        name: volume.name.clone(),
        recorded: RecordedLatencies::of(&volume.recorded),
    });
    let bad_lines = statistics.bad_lines.iter().map(|bad| TraceLine {
        number: bad.number,
        reason: bad.reason.clone(),
        text: bad.text.clone(),
    });
    TraceDescription {
        format: statistics.format,
        lines: statistics.lines,
        span_us: to_us(statistics.span_ps),
        counts: TraceCounts::of(&statistics.counts),
        recorded: RecordedLatencies::of(&statistics.recorded),
        kept: statistics.kept,
        complete: statistics.complete,
        skipped: statistics.skipped,
        remarks: statistics.remarks.clone(),
        reordered: statistics.reordered,
        late: statistics.late,
        bad: statistics.bad,
        bad_lines: bad_lines.collect(),
        volume_count: statistics.volumes.len(),
        volumes: volumes.collect(),
    }
}

#[cfg(test)]
mod tests;
