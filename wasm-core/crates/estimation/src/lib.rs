//! Fits of drives to measurements of fio.
//!
//! Every job is run on a bench, one host with one drive, whose parameters are searched for until latencies are those that were measured.
//! The search begins with formulas ([`formulas`]), which say where to look whatever the preset is, and goes on by least squares in the
//! logarithms of the parameters (Levenberg and Marquardt), every point with the same seeds. Each parameter is drawn weakly to its preset, so
//! that one on which nothing depends stays there. For a parameter that jobs do not tell within half of its value, the value of the preset is
//! tried: it is kept if latencies are no farther off, and the rest is fitted again. One of four jobs is held out, to say what to expect of
//! others. A verdict ([`Verdict`]) says whether the jobs match a drive of the model at all.
//!
//! A fit is a [`Campaign`]: it requests runs and receives their results in any order.

mod bench;
mod cache;
mod choices;
mod closed_form;
mod errors;
mod file;
mod formulas;
mod least_squares;
mod needs;
mod normal;
mod outcome;
mod parameters;
mod search;
mod verdict;

use qoscope_campaign::{Campaign, Detail, Outcome as RunOutcome, Progress, RunRequest};
use qoscope_engine::catalogue;
use qoscope_engine::kernel::convert::index_u32;
use qoscope_engine::scenario::{self, Diagnostic, Scenario};
use serde_json::Value;

use bench::Plan;
use bench::Simulated;
pub use bench::usual_base;
pub(crate) use bench::{fill, one_host};
use cache::{CacheSize, cache_size};
pub use choices::{Asked, Choices, DEFAULT_NAME, Matching};
pub use errors::{Errors, Numbers};
pub use file::{Drive, Source};
use least_squares::Units;
pub use outcome::{Compared, Fitted, JobOutcome, Kept, OperationOutcome, Outcome};
use parameters::{DriveParameters, Parameter};
use qoscope_interop::fio::{Log, MeasuredJob};
use search::{Stage, matched};
pub use verdict::Verdict;

/// A fit under way.
pub struct Fit {
    jobs: Vec<MeasuredJob>,
    held_out: Vec<bool>,
    choices: Choices,
    base: DriveParameters,
    /// The size of the write cache by a log, or why logs do not tell it; and that of the preset.
    cache: Option<CacheSize>,
    no_cache: Vec<String>,
    preset_cache: f64,
    quick: Vec<Plan>,
    careful: Vec<Plan>,
    points: Vec<Point>,
    stage: Stage,
    /// Points whose runs the stage waits for.
    awaited: Vec<usize>,
    /// Whether a parameter is searched for; those that are not are the preset's.
    active: Vec<bool>,
    /// Whether the jobs accept the preset's value of a parameter, of those that were tried alone and stayed.
    restored: Vec<Option<bool>>,
    /// Whether the preset's values are tried one by one, as several together were not accepted.
    one_by_one: bool,
    /// Whether slopes are taken over small steps, near the end.
    fine: bool,
    /// Whether no other number of channels, nor any of the other forms tried, was better than the drive that was found.
    reshaped: bool,
    /// Whether garbage collection was in its steady state in one of the jobs.
    is_steady: bool,
    units: Units,
    made: u32,
}

/// A drive that was tried.
struct Point {
    drive: DriveParameters,
    /// Run for longer, with the jobs that are held out.
    careful: bool,
    seed: u32,
    runs: Vec<Option<Result<Simulated, String>>>,
    asked: Vec<bool>,
}

/// Requests of a run while it is searched, and of the last runs.
const QUICK_REQUESTS: f64 = 4000.0;
const CAREFUL_REQUESTS: f64 = 40_000.0;

impl Fit {
    /// Of a scenario, whose drive is where the search begins and what is kept where jobs tell nothing.
    ///
    /// # Errors
    /// That there is no job that can be fitted, or that the scenario's drive cannot be run.
    pub fn new(base: &Scenario, jobs: Vec<MeasuredJob>, choices: Choices) -> Result<Self, Vec<Diagnostic>> {
        Self::with_logs(base, jobs, &[], choices)
    }

    /// The same with logs over time of jobs that wrote, of which one may tell the size of the write cache: it is then what the log says.
    ///
    /// # Errors
    /// As of [`Fit::new`].
    pub fn with_logs(
        base: &Scenario,
        jobs: Vec<MeasuredJob>,
        logs: &[Log],
        choices: Choices,
    ) -> Result<Self, Vec<Diagnostic>> {
        if jobs.is_empty() {
            let hint = "Give results of fio jobs that ran on the drive.";
            return Err(vec![Diagnostic::new("results of fio", "have no job that a drive can be fitted to", hint)]);
        }
        let base = DriveParameters::of(base, host_us(base, &jobs)?);
        let preset_cache = base.get(Parameter::Cache);
        let sizes = logs.iter().map(|log| cache_size(log, &jobs, base.capacity_bytes()));
        let (cache, no_cache) = told(sizes.collect());
        let base = cache.as_ref().map_or_else(|| base.clone(), |size| base.with(Parameter::Cache, size.bytes));
        let steady = steady(&jobs, &base);
        let cache_bytes = base.get(Parameter::Cache);
        let plans = |requests: f64| {
            jobs.iter()
                .zip(&steady)
                .map(|(job, steady)| Plan::new(job, requests, cache_bytes, *steady))
                .collect::<Vec<_>>()
        };
        let (quick, careful) = (plans(QUICK_REQUESTS), plans(CAREFUL_REQUESTS));
        let held_out = held_out(&jobs, choices.hold_out as usize);
        // One drive, and its confirmation.
        let min_runs = jobs.len() + held_out.iter().filter(|held_out| !**held_out).count();
        if (choices.max_runs as usize) < min_runs {
            let reason =
                format!("is {}, but these {} jobs take at least {min_runs} runs", choices.max_runs, jobs.len());
            return Err(vec![Diagnostic::new("maxRuns", reason, format!("Allow {min_runs} runs or more."))]);
        }
        let mut fit = Self {
            jobs: qoscope_interop::fio::with_distinct_names(jobs),
            held_out,
            choices,
            base,
            cache,
            no_cache,
            preset_cache,
            quick,
            careful,
            points: Vec::new(),
            stage: Stage::Formulas { trails: Vec::new(), round: 0 },
            awaited: Vec::new(),
            active: vec![true; Parameter::ALL.len()],
            restored: vec![None; Parameter::ALL.len()],
            one_by_one: false,
            fine: false,
            reshaped: false,
            is_steady: steady.contains(&true),
            units: Units::new(Vec::new()),
            made: 0,
        };
        let fitted = fit.fitted_jobs();
        let within = fitted.iter().flat_map(|job| job.operations()).flat_map(|(_, of)| matched(of, choices.matching));
        let within = within.flatten().map(|(_, within)| within).collect();
        fit.units = Units::new(within);
        // Cells of one bit have one type of pages.
        fit.active[Parameter::Spread as usize] = fit.base.form.has_page_types;
        // Where no garbage is collected, nothing depends on what is kept free for it.
        fit.active[Parameter::OverProvisioning as usize] = steady.contains(&true);
        // A difference that nobody measured tells nothing: what is on the way is one.
        let is_local = |local: bool| fit.jobs.iter().any(|job| job.access.is_local() == local);
        fit.active[Parameter::Cache as usize] = fit.cache.is_none();
        fit.active[Parameter::Target as usize] = is_local(true) && is_local(false);
        fit.begin();
        Ok(fit)
    }

    /// The jobs, in order.
    pub fn jobs(&self) -> &[MeasuredJob] {
        &self.jobs
    }

    /// Whether a job is held out, by its number.
    pub fn is_held_out(&self, job: usize) -> bool {
        self.held_out[job]
    }

    fn plan(&self, id: u32) -> Option<(&Point, &Plan, usize)> {
        let (at, job) = (id as usize / self.jobs.len(), id as usize % self.jobs.len());
        let point = self.points.get(at)?;
        Some((point, if point.careful { &self.careful[job] } else { &self.quick[job] }, job))
    }

    fn document(&self, id: u32) -> Option<Value> {
        let (point, plan, job) = self.plan(id)?;
        Some(plan.document(&self.jobs[job], &point.drive, point.seed))
    }

    fn put_simulated(&mut self, id: u32, simulated: Result<Simulated, String>) {
        let (at, job) = (id as usize / self.jobs.len(), id as usize % self.jobs.len());
        let Some(run) = self.points.get_mut(at).map(|point| &mut point.runs[job]) else { return };
        if run.is_some() {
            return;
        }
        *run = Some(simulated);
        self.made += 1;
        // A late result, for a stage that is over, changes nothing.
        while !self.awaited.is_empty() && self.awaited.iter().all(|at| self.is_complete(*at)) {
            self.awaited.clear();
            self.go_on();
        }
    }

    fn fitted_numbers(&self) -> impl Iterator<Item = usize> {
        (0..self.jobs.len()).filter(|job| !self.held_out[*job])
    }

    fn fitted_jobs(&self) -> Vec<&MeasuredJob> {
        self.fitted_numbers().map(|job| &self.jobs[job]).collect()
    }

    fn point(&mut self, drive: DriveParameters, careful: bool, seed: u32) -> usize {
        let jobs = self.jobs.len();
        self.points.push(Point { drive, careful, seed, runs: vec![None; jobs], asked: vec![false; jobs] });
        self.points.len() - 1
    }

    fn is_complete(&self, at: usize) -> bool {
        let point = &self.points[at];
        point.runs.iter().zip(&self.held_out).all(|(run, held_out)| run.is_some() || (*held_out && !point.careful))
    }
}

impl Campaign for Fit {
    type Answer = Outcome;

    fn next(&mut self, max: usize) -> Vec<RunRequest> {
        let (jobs, mut ids) = (self.jobs.len(), Vec::new());
        for &at in &self.awaited {
            let point = &mut self.points[at];
            for job in 0..jobs {
                let is_needed = point.careful || !self.held_out[job];
                if ids.len() < max && is_needed && !point.asked[job] {
                    point.asked[job] = true;
                    ids.push(index_u32(at * jobs + job));
                }
            }
        }
        ids.into_iter().filter_map(|id| Some(RunRequest::of(id, &self.document(id)?, Detail::Tails))).collect()
    }

    fn scenario(&self, id: u32) -> Option<String> {
        Some(self.document(id)?.to_string())
    }

    fn put(&mut self, id: u32, outcome: RunOutcome<'_>) {
        let Some(measured_s) = self.plan(id).map(|(_, plan, _)| plan.measured_s()) else { return };
        let simulated = match outcome {
            RunOutcome::Summary(result) => Simulated::of(result, measured_s),
            RunOutcome::Failed(reason) => Err(reason),
        };
        self.put_simulated(id, simulated);
    }

    fn progress(&mut self) -> Progress {
        let done = matches!(self.stage, Stage::Done { .. } | Stage::Failed { .. });
        let wanted = if done { self.made } else { self.choices.max_runs };
        Progress { known: self.made.into(), wanted: wanted.into(), is_limit: !done, done, doing: String::new() }
    }

    fn answer(&mut self) -> Option<Result<Outcome, Vec<Diagnostic>>> {
        match &self.stage {
            Stage::Done { intervals } => Some(Ok(self.settled(intervals))),
            Stage::Failed { reason } => {
                let hint = "Begin with another preset, or leave out the job that it cannot serve.";
                Some(Err(vec![Diagnostic::new("drive", format!("could not be run: {reason}"), hint)]))
            }
            _ => None,
        }
    }
}

fn within(parameter: Parameter, value: f64) -> f64 {
    let (least, greatest) = parameter.range();
    value.clamp(least, greatest)
}

/// The size of the cache that logs tell, the narrowest interval of several, and why others tell none.
fn told(sizes: Vec<Result<CacheSize, String>>) -> (Option<CacheSize>, Vec<String>) {
    let (mut told, mut why): (Option<CacheSize>, Vec<String>) = (None, Vec::new());
    for size in sizes {
        match size {
            Ok(size) if told.as_ref().is_none_or(|told| size.high / size.low < told.high / told.low) => {
                told = Some(size)
            }
            Ok(_) => (),
            Err(reason) => why.push(reason),
        }
    }
    (told, why)
}

/// Which jobs are held out: one of so many, of fewer than that none, and fewer where a parameter would lose the only job that tells it.
/// Those go first that have others of their kind with fewer and with more requests outstanding, so that their errors are those between
/// jobs that were measured, not beyond them.
fn held_out(jobs: &[MeasuredJob], every: usize) -> Vec<bool> {
    let mut held_out = vec![false; jobs.len()];
    if every < 2 || jobs.len() < every {
        return held_out;
    }
    let is_of_kind = |one: &MeasuredJob, other: &MeasuredJob| {
        let kind = |job: &MeasuredJob| (job.pattern, job.read_share.to_bits(), job.read_bytes, job.write_bytes);
        kind(one) == kind(other)
    };
    for _ in 0..(jobs.len() + 1) / every {
        let left: Vec<usize> = (0..jobs.len()).filter(|at| !held_out[*at]).collect();
        // Whether others are on both sides of it, how many of its kind are left, and, at an end, how deep it is: what a request
        // takes alone is told by the other end.
        let rank = |at: usize| {
            let of_kind = left.iter().filter(|other| **other != at && is_of_kind(&jobs[**other], &jobs[at]));
            let of_kind: Vec<u32> = of_kind.map(|other| jobs[*other].outstanding()).collect();
            let own = jobs[at].outstanding();
            let is_between = of_kind.iter().any(|of| *of < own) && of_kind.iter().any(|of| *of > own);
            (is_between, of_kind.len(), if is_between { 0 } else { own })
        };
        let of = |numbers: &[usize]| numbers.iter().map(|at| &jobs[*at]).collect::<Vec<_>>();
        let all = needs::told_by(&of(&left));
        let is_spare = |at: &usize| {
            let others: Vec<usize> = left.iter().copied().filter(|other| other != at).collect();
            needs::told_by(&of(&others)) == all
        };
        let Some(first) = left.iter().copied().filter(is_spare).rev().max_by_key(|at| rank(*at)) else { break };
        held_out[first] = true;
    }
    held_out
}

/// The time of the host's software in force, for local requests if there are any.
fn host_us(base: &Scenario, jobs: &[MeasuredJob]) -> Result<f64, Vec<Diagnostic>> {
    const PATH: &str = "access.software.hostLatencyUs";
    if let Some(us) = base.access.software.host_latency_us.filter(|us| *us > 0.0) {
        return Ok(us);
    }
    let job = jobs.iter().find(|job| job.access.is_local()).unwrap_or(&jobs[0]);
    let mut bench = Plan::new(job, QUICK_REQUESTS, 0.0, false).document(job, &DriveParameters::of(base, 0.0), 1);
    bench["access"]["software"] = serde_json::json!({});
    let explanation = catalogue::explain(&scenario::from_value(bench)?)?;
    let field = explanation.fields.iter().find(|field| field.path == PATH);
    Ok(field.and_then(|field| field.value.as_f64()).unwrap_or(1.0))
}

/// Of each job, whether writes at random before it, or in the first half of it, went once over all that it reaches: garbage collection
/// is then in its steady state.
fn steady(jobs: &[MeasuredJob], base: &DriveParameters) -> Vec<bool> {
    let capacity = base.capacity_bytes();
    let mut written = 0.0;
    let of = |job: &MeasuredJob| {
        let own = job.writes.as_ref().filter(|_| job.pattern == qoscope_interop::fio::Pattern::Random);
        let own = own.map_or(0.0, |writes| writes.requests as f64 * f64::from(job.write_bytes));
        let steady = written + own / 2.0 >= job.range_bytes.map_or(capacity, |range| (range as f64).min(capacity));
        written += own;
        steady
    };
    jobs.iter().map(of).collect()
}

#[cfg(test)]
mod tests;
