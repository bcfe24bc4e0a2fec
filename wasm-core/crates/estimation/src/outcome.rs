//! What a fit came to.

use qoscope_engine::text::three_digits;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::bench::{self, SimulatedOperations};
use super::cache::CacheSize;
use super::errors::{Errors, Numbers};
use super::parameters::{DriveParameters, Parameter, Words};
use super::search::ConfidenceInterval;
use super::verdict::Verdict;
use super::{Fit, needs, within};
use qoscope_interop::fio::{Latency, MeasuredJob, Operations};

/// What a fit came to.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FitOutcome")]
pub struct Outcome {
    /// Whether the jobs match a drive of the model.
    pub verdict: Verdict,
    /// Parameters that the jobs determine.
    pub fitted: Vec<Fitted>,
    /// Parameters that they do not.
    pub kept: Vec<Kept>,
    /// The section `storage.ssd` of the drive.
    pub ssd: Value,
    /// Fields beside it that the jobs were simulated with, by path: `access.software.hostLatencyUs`, and `targetLatencyUs` if jobs came over
    /// a network.
    pub beside: BTreeMap<String, Value>,
    /// By job: measured and simulated.
    pub jobs: Vec<JobOutcome>,
    /// Mean errors of the jobs that were fitted.
    pub errors: Errors,
    /// Of those that were held out; none where none was.
    pub held_out_errors: Option<Errors>,
    /// Runs made.
    pub runs: u32,
    /// The seed of all of them.
    pub seed: u32,
}

/// A parameter that the jobs determine.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FittedParameter")]
pub struct Fitted {
    /// What it is called.
    pub title: &'static str,
    /// Its symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<&'static str>,
    /// Its unit; empty: a share.
    pub unit: &'static str,
    /// Its field, the first where it is several.
    pub path: &'static str,
    /// Its value.
    pub value: f64,
    /// Ends of the interval that the measurements leave it: meant to hold the true value 95 times in 100, and docs/measurements.md says how often
    /// they did for drives at random.
    pub low: f64,
    /// The upper one.
    pub high: f64,
    /// That of the preset.
    pub base: f64,
    /// The log that tells it, where that is not what the jobs come to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
}

/// A parameter that the jobs do not determine.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "KeptParameter")]
pub struct Kept {
    /// What it is called.
    pub title: &'static str,
    /// Its symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<&'static str>,
    /// Its unit.
    pub unit: &'static str,
    /// Its field.
    pub path: &'static str,
    /// Its value.
    pub value: f64,
    /// Where the value is from: `preset`, `search`, or the ratio of the preset to a parameter that was fitted.
    pub source: String,
    /// Why the jobs do not determine it, as a sentence.
    pub why: String,
}

/// A job, measured and simulated.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FitJob")]
pub struct JobOutcome {
    /// Its number among the jobs.
    pub job: usize,
    /// Whether it was held out.
    pub held_out: bool,
    /// Its reads, if there were any.
    pub reads: Option<OperationOutcome>,
    /// Its writes, if there were any.
    pub writes: Option<OperationOutcome>,
    /// Digest of its run, 16 hexadecimal digits.
    pub digest: String,
}

/// Reads or writes, measured and simulated.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FitOperation")]
pub struct OperationOutcome {
    /// Mean, median, 99th percentile and IOPS.
    pub compared: Compared,
    /// Pairs of a latency in microseconds and the share of requests that took longer, as measured.
    pub measured_tail: Vec<(f64, f64)>,
    /// The same, as simulated.
    pub simulated_tail: Vec<(f64, f64)>,
    /// Requests measured.
    pub measured_requests: u64,
    /// Requests simulated.
    pub simulated_requests: u64,
}

/// Numbers, measured and simulated.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FitComparison")]
pub struct Compared {
    /// As measured; none where fio does not say.
    pub measured: Numbers,
    /// As simulated.
    pub simulated: Numbers,
    /// Simulated over measured, less one, in per cent.
    pub errors: Numbers,
}

fn operation(measured: &Operations, simulated: &SimulatedOperations) -> OperationOutcome {
    let latency = &measured.latency_us;
    let of_measured = Numbers {
        mean: Some(latency.mean),
        p50: latency.percentile(50.0),
        p99: latency.percentile(99.0),
        p999: latency.percentile(99.9),
        iops: Some(measured.iops),
    };
    // A percentile that fewer than ten requests exceed says little.
    let some = |value: f64, share: f64| (simulated.requests as f64 * share >= 10.0).then_some(value);
    let of_simulated = Numbers {
        mean: Some(simulated.mean),
        p50: some(simulated.p50, 0.5),
        p99: some(simulated.p99, 0.01),
        p999: some(simulated.p999, 0.001),
        iops: Some(simulated.iops),
    };
    let errors = of_simulated.map2(of_measured, |simulated, measured| (simulated / measured - 1.0) * 100.0);
    OperationOutcome {
        compared: Compared { measured: of_measured, simulated: of_simulated, errors },
        measured_tail: tail(latency),
        simulated_tail: simulated.tail.clone(),
        measured_requests: measured.requests,
        simulated_requests: simulated.requests,
    }
}

/// The shares that took longer, of bins, else of percentiles.
fn tail(latency: &Latency) -> Vec<(f64, f64)> {
    if latency.bins.is_empty() {
        return latency.percentiles.iter().map(|(percent, us)| (*us, 1.0 - percent / 100.0)).collect();
    }
    let total: u64 = latency.bins.iter().map(|(_, count)| count).sum();
    let mut left = total;
    // All requests take at least the first bin, so that equal latencies give a vertical line.
    let all = latency.bins.first().map(|(us, _)| (*us, 1.0));
    let below = latency.bins.iter().map(|(us, count)| {
        left -= count;
        (*us, left as f64 / total as f64)
    });
    all.into_iter().chain(below).collect()
}

impl Fit {
    /// The outcome after the last runs.
    pub(super) fn settled(&self, intervals: &[ConfidenceInterval]) -> Outcome {
        let last = self.points.last().expect("the last runs are those of a point");
        let determined = |parameter: Parameter| {
            intervals.iter().filter(|of| of.parameter == parameter).find_map(|of| self.calibrated(&last.drive, of))
        };
        let mut fitted = Vec::new();
        let mut said = Vec::new();
        let mut kept = Vec::new();
        for parameter in Parameter::ALL {
            let Words { title, symbol, unit, path, .. } = parameter.words();
            let value = last.drive.get(parameter);
            if let (Parameter::Cache, Some(CacheSize { bytes, low, high, file })) = (parameter, &self.cache) {
                let (value, low, high, base) = (*bytes, *low, *high, self.preset_cache);
                said.push(parameter);
                fitted.push(Fitted { title, symbol, unit, path, value, low, high, base, log: Some(file.clone()) });
                continue;
            }
            match determined(parameter) {
                Some(of) => {
                    let [low, high] = self.ends(&last.drive, &of);
                    let value = last.drive.shown(parameter, value);
                    let base = self.base.shown(parameter, self.base.get(parameter));
                    said.push(parameter);
                    fitted.push(Fitted { title, symbol, unit, path, value, low, high, base, log: None });
                }
                None => {
                    let value = last.drive.shown(parameter, value);
                    let source = self.source(&last.drive, parameter);
                    let interval = intervals.iter().find(|of| of.parameter == parameter);
                    let why = self.why(&last.drive, parameter, interval);
                    kept.push(Kept { title, symbol, unit, path, value, source, why });
                }
            }
        }
        let outcome = |(job, run): (usize, &Option<Result<super::Simulated, String>>)| {
            let simulated = run.as_ref()?.as_ref().ok()?;
            let measured = &self.jobs[job];
            let of = |measured: &Option<Operations>, simulated: &Option<SimulatedOperations>| {
                Some(operation(measured.as_ref()?, simulated.as_ref()?))
            };
            Some(JobOutcome {
                job,
                held_out: self.held_out[job],
                reads: of(&measured.reads, &simulated.reads),
                writes: of(&measured.writes, &simulated.writes),
                digest: simulated.digest.clone(),
            })
        };
        let jobs: Vec<JobOutcome> = last.runs.iter().enumerate().filter_map(outcome).collect();
        let errors = |held_out: bool| {
            let of: Vec<&JobOutcome> = jobs.iter().filter(|job| job.held_out == held_out).collect();
            let all = of.iter().flat_map(|job| [&job.reads, &job.writes]).flatten().map(|of| of.compared.errors);
            Errors { jobs: of.len(), of: Numbers::means(&all.collect::<Vec<_>>()) }
        };
        let (errors, held_out_errors) = (errors(false), Some(errors(true)).filter(|errors| errors.jobs > 0));
        let verdict = Verdict::of(&self.jobs, &errors);
        let is_remote = self.jobs.iter().any(|job| !job.access.is_local());
        let beside = [Parameter::Host, Parameter::Target].into_iter().filter(|of| *of == Parameter::Host || is_remote);
        let beside = beside.map(|of| (of.words().path.into(), json!(last.drive.get(of)))).collect();
        let mut ssd = last.drive.section(&said, &self.base);
        bench::fill(&mut ssd, self.is_steady);
        let (runs, seed) = (self.made, self.choices.seed);
        Outcome { verdict, fitted, kept, ssd, beside, jobs, errors, held_out_errors, runs, seed }
    }

    /// Ends of the interval of a parameter, as its field has them: no end is beyond the range of the field.
    fn ends(&self, drive: &DriveParameters, of: &ConfidenceInterval) -> [f64; 2] {
        let value = drive.get(of.parameter);
        let ends = [value / libm::exp(of.below), value * libm::exp(of.above)];
        ends.map(|end| drive.shown(of.parameter, within(of.parameter, end)))
    }

    /// Where the value of a parameter is from that the jobs do not determine.
    pub(super) fn source(&self, drive: &DriveParameters, of: Parameter) -> String {
        let is_same = |of: Parameter| libm::fabs(drive.get(of) / self.base.get(of) - 1.0) < 1e-9;
        if !is_same(of) {
            "search".into()
        } else if of == Parameter::Spread && !is_same(Parameter::Read) {
            let read = Parameter::Read.words().title;
            format!("{} x {read}, the ratio of the preset", three_digits(drive.slowest_over_mean()))
        } else {
            "preset".into()
        }
    }

    /// Why the jobs do not determine a parameter.
    fn why(&self, drive: &DriveParameters, of: Parameter, interval: Option<&ConfidenceInterval>) -> String {
        if of == Parameter::Spread && !drive.form.has_page_types {
            return "Cells of one bit have one type of pages.".into();
        }
        let are_met = |jobs: &[&MeasuredJob]| needs::are_met(of, jobs, drive, self.choices.matching, self.is_steady);
        let needs = format!("Needs {}.", of.words().needs);
        if of == Parameter::Cache && !self.no_cache.is_empty() {
            return format!("{}.", self.no_cache.join(". "));
        }
        if !are_met(&self.fitted_jobs()) {
            let is_held_out = are_met(&self.jobs.iter().collect::<Vec<_>>());
            return if is_held_out { format!("{needs} The job that tells it is held out.") } else { needs };
        }
        match interval {
            Some(interval) if interval.is_unknown() => "The jobs do not say how far from this value it may be.".into(),
            Some(interval) => {
                let [low, high] = self.ends(drive, interval).map(three_digits);
                format!("The jobs are met about as well from {low} to {high}.")
            }
            None => "The jobs are met as well with the value of the preset.".into(),
        }
    }
}
