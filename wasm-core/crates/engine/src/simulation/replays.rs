//! The requests of workloads that replay a trace: those of one that was recorded, or drawn like those of one.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::kernel::convert::{index, rounded};
use crate::kernel::histogram::LatencyHistogram;
use crate::kernel::time::{PS_PER_S, from_us, to_us};
use crate::scenario::document::{Scenario, Traffic, Workload};
use crate::scenario::size::MAXIMUM_REPLAYED;
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

/// How long requests took when a trace was recorded, as JSON; null where it does not say.
fn described_latencies(recorded: &Recorded) -> Value {
    let of = |histogram: &LatencyHistogram| {
        json!({
            "requests": histogram.count(),
            "meanUs": histogram.mean_us(),
            "p50Us": histogram.quantile_us(0.5),
            "p99Us": histogram.quantile_us(0.99),
            "maxUs": histogram.max_us(),
        })
    };
    let all = recorded.reads.with(&recorded.writes);
    if all.count() == 0 {
        return Value::Null;
    }
    json!({ "reads": of(&recorded.reads), "writes": of(&recorded.writes), "slower": all.tail(DESCRIBED_POINTS) })
}

/// What a trace holds, as JSON; of its volumes the first thousand.
pub fn described(statistics: &Statistics) -> Value {
    let counts = |counts: &Counts| {
        json!({
            "requests": counts.requests(),
            "reads": counts.reads,
            "writes": counts.writes,
            "trims": counts.trims,
            "readBytes": counts.read_bytes,
            "writtenBytes": counts.written_bytes,
            "meanBytes": counts.mean_bytes(),
            "readFraction": counts.read_fraction(),
            "endAddress": counts.end_address,
        })
    };
    let volumes = statistics.volumes.iter().take(DESCRIBED_VOLUMES).map(|volume| {
        let mut value = counts(&volume.counts);
        value["name"] = volume.name.as_str().into();
        value["recorded"] = described_latencies(&volume.recorded);
        value
    });
    let bad_lines = statistics.bad_lines.iter();
    let bad_lines = bad_lines
        .map(|bad| json!({ "number": bad.number, "reason": bad.reason, "text": bad.text }))
        .collect::<Vec<_>>();
    json!({
        "format": statistics.format,
        "lines": statistics.lines,
        "spanUs": to_us(statistics.span_ps),
        "counts": counts(&statistics.counts),
        "recorded": described_latencies(&statistics.recorded),
        "kept": statistics.kept,
        "complete": statistics.complete,
        "skipped": statistics.skipped,
        "remarks": statistics.remarks,
        "reordered": statistics.reordered,
        "late": statistics.late,
        "bad": statistics.bad,
        "badLines": bad_lines,
        "volumeCount": statistics.volumes.len(),
        "volumes": volumes.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests;
