//! A drive fitted to what fio measured of it.
//!
//! Every job is run on a bench, one host with one drive, whose parameters are searched for until latencies are those that were measured.
//! The search begins with a closed form (a request alone takes the time of a page; many keep all dies busy; Little's law says how
//! many), and goes on by least squares in the logarithms of the parameters (Levenberg and Marquardt), every point with the same seeds. Each
//! parameter is drawn weakly to its preset, so that one on which nothing depends stays there; a parameter that jobs do not tell within
//! half of its value is put back to the preset, and the rest is fitted again. Every fourth job is held out, to say what to expect of others.
//!
//! As a study, a fit says which runs it wants and takes what they came to, in any order: it has no threads and makes no run itself.

mod bench;
mod closed_form;
mod least_squares;
mod normal;
mod outcome;
mod parameters;

use qoscope_engine::catalogue;
use qoscope_engine::scenario::{self, Diagnostic, Scenario};
use serde::Serialize;

use crate::fio::{MeasuredJob, Operations};
use bench::Plan;
pub(crate) use bench::one_host;
pub use bench::{Simulated, SimulatedOperations, simulate, usual_base};
use least_squares::{Slopes, Units, agreed, cost, scale};
pub use outcome::{Compared, Errors, Fitted, JobOutcome, Kept, Numbers, OperationOutcome, Outcome};
use parameters::{Drive, Parameter};

/// What latencies are matched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Matching {
    /// Means alone.
    Mean,
    /// Means, medians and 99th percentiles.
    #[default]
    Distribution,
}

/// How a drive is fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choices {
    /// One of so many jobs is held out; 0: none. Of fewer jobs than that none is.
    pub hold_out: u32,
    /// What is matched.
    pub matching: Matching,
    /// The seed of all runs.
    pub seed: u32,
    /// The search ends after so many runs.
    pub most_runs: u32,
}

impl Default for Choices {
    fn default() -> Self {
        Self { hold_out: 4, matching: Matching::Distribution, seed: 42, most_runs: 2000 }
    }
}

/// A run that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Wish {
    /// What the fit calls it.
    pub id: u32,
    /// The job that is run.
    pub job: usize,
}

/// How far a fit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// Runs made.
    pub made: u32,
    /// Runs that it takes at most.
    pub most: u32,
    /// Whether it is done.
    pub done: bool,
}

/// A fit under way.
pub struct Fit {
    jobs: Vec<MeasuredJob>,
    held_out: Vec<bool>,
    choices: Choices,
    base: Drive,
    quick: Vec<Plan>,
    careful: Vec<Plan>,
    points: Vec<Point>,
    stage: Stage,
    /// Points whose runs the stage waits for.
    awaited: Vec<usize>,
    /// Whether a parameter is searched for; those that are not are the preset's.
    active: Vec<bool>,
    /// Whether slopes are taken over small steps, near the end.
    fine: bool,
    units: Units,
    made: u32,
}

/// A drive that was tried.
struct Point {
    drive: Drive,
    /// Run for longer, with the jobs that are held out.
    careful: bool,
    seed: u32,
    runs: Vec<Option<Result<Simulated, String>>>,
    asked: Vec<bool>,
}

#[derive(Clone)]
enum Stage {
    /// Drives to begin with, from this point on; where none of them can be run, what was found before.
    Start { first: usize, before: Option<(usize, Deviations)> },
    /// The point under another seed, `around`, and then points beside it for each active parameter.
    Gradient { at: usize, around: usize },
    /// Points on the way that the gradient shows, more and more cautious.
    Steps { at: usize, slopes: Slopes },
    /// Each active parameter moved by some ways, and the others to where they make up for it: point by point, what moved by how much.
    Profiles { at: usize, ways: Vec<(Parameter, f64)>, deviations: Deviations },
    /// The drive that was found, run for longer, with the jobs that were held out.
    Last { deviations: Deviations },
    /// Over.
    Done { deviations: Deviations },
    /// No drive could be run.
    Failed { reason: String },
}

/// Standard deviations of the logarithms of the active parameters.
type Deviations = Vec<(Parameter, f64)>;

/// How well a model of few parameters can meet a mean, a median and a 99th percentile.
const MEAN_WITHIN: f64 = 0.01;
const MEDIAN_WITHIN: f64 = 0.02;
const TAIL_WITHIN: f64 = 0.05;
/// A parameter is determined where its 95 % interval reaches to no more than this factor.
const DETERMINED: f64 = 1.5;
/// Of a normal distribution.
const Z95: f64 = 1.96;
/// A parameter is moved so far to see what it costs, in logarithms.
const WAYS: [f64; 4] = [-0.6, -0.15, 0.15, 0.6];
/// Longest step in the logarithm of a parameter.
const LONGEST_STEP: f64 = 0.7;
/// Steps by this damping of the normal equations are tried at once.
const DAMPING: [f64; 3] = [1e-3, 0.2, 3.0];
/// A step that makes less of the squares than this part smaller is the last.
const WORTH: f64 = 0.01;
/// Where the squares come to this part of their number, there is nothing to be gained.
const GOOD_ENOUGH: f64 = 0.2;
/// Requests of a run while it is searched, and of the last runs.
const QUICK_REQUESTS: f64 = 4000.0;
const CAREFUL_REQUESTS: f64 = 40_000.0;

impl Fit {
    /// Of a scenario, whose drive is where the search begins and what is kept where jobs tell nothing.
    ///
    /// # Errors
    /// That there is no job that can be fitted, or that the scenario's drive cannot be run.
    pub fn new(base: &Scenario, jobs: Vec<MeasuredJob>, choices: Choices) -> Result<Self, Vec<Diagnostic>> {
        if jobs.is_empty() {
            let hint = "Give results of fio jobs that ran on the drive.";
            return Err(vec![Diagnostic::new("", "has no job to fit a drive to", hint)]);
        }
        let base = Drive::of(base, host_us(base, &jobs[0])?);
        let steady = steady(&jobs, &base);
        let cache = base.get(Parameter::Cache);
        let plans = |requests: f64| {
            jobs.iter().zip(&steady).map(|(job, steady)| Plan::new(job, requests, cache, *steady)).collect::<Vec<_>>()
        };
        let (quick, careful) = (plans(QUICK_REQUESTS), plans(CAREFUL_REQUESTS));
        let every = choices.hold_out as usize;
        // The third of four, and so on: neither end of a row of queue depths.
        let is_held_out = |at: usize| every > 1 && jobs.len() >= every && at % every == (every - 1).min(2);
        let held_out = (0..jobs.len()).map(is_held_out).collect();
        let mut fit = Self {
            jobs,
            held_out,
            choices,
            base,
            quick,
            careful,
            points: Vec::new(),
            stage: Stage::Start { first: 0, before: None },
            awaited: Vec::new(),
            active: vec![true; Parameter::ALL.len()],
            fine: false,
            units: Units::new(Vec::new()),
            made: 0,
        };
        let fitted = fit.fitted_jobs();
        let within = fitted.iter().flat_map(|job| job.operations()).flat_map(|(_, of)| matched(of, choices.matching));
        let within = within.flatten().map(|(_, within)| within).collect();
        let starts = closed_form::starts(&fit.base, &fitted);
        fit.units = Units::new(within);
        fit.awaited = starts.into_iter().map(|drive| fit.point(drive, false, choices.seed)).collect();
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

    /// Runs that are wanted and were not yet asked for, at most so many.
    pub fn wanted(&mut self, most: usize) -> Vec<Wish> {
        let mut wishes = Vec::new();
        let jobs = self.jobs.len();
        for &at in &self.awaited {
            let point = &mut self.points[at];
            for job in 0..jobs {
                if wishes.len() == most {
                    return wishes;
                }
                let wanted = point.careful || !self.held_out[job];
                if wanted && !point.asked[job] {
                    point.asked[job] = true;
                    wishes.push(Wish { id: (at * jobs + job) as u32, job });
                }
            }
        }
        wishes
    }

    /// The scenario of a run that was wanted, for [`simulate`].
    pub fn document(&self, id: u32) -> Option<String> {
        let (at, job) = (id as usize / self.jobs.len(), id as usize % self.jobs.len());
        let point = self.points.get(at)?;
        let plan = if point.careful { &self.careful[job] } else { &self.quick[job] };
        let Drive { ssd, host_us, .. } = &point.drive;
        Some(plan.document(&self.jobs[job], ssd, *host_us, point.seed).to_string())
    }

    /// Takes what a run came to, or why it failed.
    pub fn put(&mut self, id: u32, ran: Result<Simulated, String>) {
        let (at, job) = (id as usize / self.jobs.len(), id as usize % self.jobs.len());
        let Some(run) = self.points.get_mut(at).map(|point| &mut point.runs[job]) else { return };
        if run.is_some() {
            return;
        }
        *run = Some(ran);
        self.made += 1;
        // What comes late, for a stage that is over, changes nothing.
        while !self.awaited.is_empty() && self.awaited.iter().all(|at| self.is_complete(*at)) {
            self.awaited.clear();
            self.go_on();
        }
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let last = self.jobs.len() as u32;
        let done = matches!(self.stage, Stage::Done { .. } | Stage::Failed { .. });
        Progress {
            made: self.made,
            most: if done { self.made } else { self.choices.most_runs.max(self.made) + last },
            done,
        }
    }

    /// What it came to; none before it is done.
    ///
    /// # Errors
    /// That no drive could be run.
    pub fn outcome(&self) -> Option<Result<Outcome, Diagnostic>> {
        match &self.stage {
            Stage::Done { deviations } => Some(Ok(self.settled(deviations))),
            Stage::Failed { reason } => {
                let hint = "Begin with another preset, or leave out the job that it cannot serve.";
                Some(Err(Diagnostic::new("", format!("could not be run: {reason}"), hint)))
            }
            _ => None,
        }
    }

    fn fitted_jobs(&self) -> Vec<&MeasuredJob> {
        self.jobs.iter().zip(&self.held_out).filter(|(_, held_out)| !**held_out).map(|(job, _)| job).collect()
    }

    fn point(&mut self, drive: Drive, careful: bool, seed: u32) -> usize {
        let jobs = self.jobs.len();
        self.points.push(Point { drive, careful, seed, runs: vec![None; jobs], asked: vec![false; jobs] });
        self.points.len() - 1
    }

    fn is_complete(&self, at: usize) -> bool {
        let point = &self.points[at];
        point.runs.iter().zip(&self.held_out).all(|(run, held_out)| run.is_some() || (*held_out && !point.careful))
    }

    /// Goes on after all runs of a stage.
    fn go_on(&mut self) {
        match self.stage.clone() {
            Stage::Start { first, before } => {
                let best = self.best(first..self.points.len());
                match before {
                    _ if self.cost(best).is_finite() => self.look_around(best),
                    Some((at, deviations)) => self.finish(at, deviations),
                    None => {
                        let reason = self.points[0].runs.iter().flatten().find_map(|run| run.as_ref().err().cloned());
                        self.stage = Stage::Failed { reason: reason.unwrap_or_default() };
                    }
                }
            }
            Stage::Gradient { at, around } => {
                if let (Some(one), Some(other)) = (self.differences(at), self.differences(around)) {
                    self.units.note_chance(&one, &other);
                }
                let slopes = self.slopes(at, around);
                let first = self.points.len();
                let here = self.points[at].drive.clone();
                for damping in DAMPING {
                    let drive = self.moved(&here, &slopes.step(&self.ways(&here), damping));
                    self.point(drive, false, self.choices.seed);
                }
                self.awaited = (first..self.points.len()).collect();
                self.stage = Stage::Steps { at, slopes };
            }
            Stage::Steps { at, slopes } => {
                let last = self.points.len();
                let best = self.best(last - DAMPING.len()..last);
                let is_worth_it = self.cost(best) < (1.0 - WORTH) * self.cost(at);
                let at = if self.cost(best) < self.cost(at) { best } else { at };
                let is_good = self.cost(at) < GOOD_ENOUGH * slopes.residuals.len() as f64;
                if self.made < self.choices.most_runs && !is_good && (is_worth_it || !self.fine) {
                    self.fine |= !is_worth_it;
                    self.look_around(at);
                } else {
                    self.profile(at, &slopes);
                }
            }
            Stage::Profiles { at, ways, deviations } => {
                let first = self.points.len() - ways.len();
                let best = self.best(first..self.points.len());
                if self.cost(best) < (1.0 - WORTH) * self.cost(at) && self.made < self.choices.most_runs {
                    self.look_around(best);
                    return;
                }
                // Slopes say what is lost nearby; a way shows it.
                let scale = scale(&self.residuals(at).unwrap_or_default(), deviations.len());
                let seen = |(number, (parameter, way)): (usize, &(Parameter, f64))| {
                    let lost = (self.cost(first + number) - self.cost(at)) / scale;
                    (*parameter, libm::fabs(*way) / libm::sqrt(lost.max(1e-9)))
                };
                let seen: Vec<(Parameter, f64)> = ways.iter().enumerate().map(seen).collect();
                let widest = |(parameter, deviation): (Parameter, f64)| {
                    let seen = seen.iter().filter(|(of, _)| *of == parameter).map(|(_, seen)| *seen);
                    (parameter, seen.fold(deviation, f64::max))
                };
                let deviations = deviations.into_iter().map(widest).collect();
                self.settle(at, deviations);
            }
            Stage::Last { deviations } => self.stage = Stage::Done { deviations },
            Stage::Done { .. } | Stage::Failed { .. } => (),
        }
    }

    /// This point under another seed, and points beside it for each active parameter.
    fn look_around(&mut self, at: usize) {
        let drive = self.points[at].drive.clone();
        let first = self.point(drive.clone(), false, self.choices.seed.wrapping_add(1));
        for parameter in self.actives() {
            for factor in parameter.steps(self.fine) {
                let moved = drive.with(parameter, within(parameter, drive.get(parameter) * factor));
                self.point(moved, false, self.choices.seed);
            }
        }
        self.awaited = (first..self.points.len()).collect();
        self.stage = Stage::Gradient { at, around: first };
    }

    /// Points along which the jobs tell each parameter least from the others.
    fn profile(&mut self, at: usize, slopes: &Slopes) {
        let actives = self.actives();
        let deviations = slopes.deviations(scale(&slopes.residuals, actives.len()));
        let drive = self.points[at].drive.clone();
        let all = actives.iter().enumerate().flat_map(|(number, of)| WAYS.map(|way| (number, *of, way)));
        let moved = all.clone().map(|(number, _, way)| self.moved(&drive, &slopes.profile(number, way)));
        let moved: Vec<Drive> = moved.collect();
        let ways = all.map(|(_, of, way)| (of, way)).collect();
        let deviations = actives.iter().copied().zip(deviations).collect();
        self.awaited = moved.into_iter().map(|drive| self.point(drive, false, self.choices.seed)).collect();
        self.stage = Stage::Profiles { at, ways, deviations };
    }

    /// Puts back what is not determined and goes on with the rest; where all is determined, comes to the last runs.
    fn settle(&mut self, at: usize, deviations: Deviations) {
        // The loosest alone: what it was confused with may be determined without it.
        let loosest = deviations.iter().copied().max_by(|one, other| one.1.total_cmp(&other.1));
        let loosest = loosest.filter(|(_, deviation)| !is_determined(*deviation));
        let Some((loosest, _)) = loosest.filter(|_| self.made < self.choices.most_runs) else {
            return self.finish(at, deviations);
        };
        self.active[loosest as usize] = false;
        let back = self.points[at].drive.with(loosest, self.base.get(loosest));
        let first = self.point(back, false, self.choices.seed);
        self.awaited = vec![first];
        self.stage = Stage::Start { first, before: Some((at, deviations)) };
    }

    /// Runs the jobs for longer, on the drive of a point.
    fn finish(&mut self, at: usize, deviations: Deviations) {
        let point = self.point(self.points[at].drive.clone(), true, self.choices.seed);
        self.awaited = vec![point];
        self.stage = Stage::Last { deviations };
    }

    fn actives(&self) -> Vec<Parameter> {
        Parameter::ALL.into_iter().filter(|parameter| self.active[*parameter as usize]).collect()
    }

    fn best(&self, of: std::ops::Range<usize>) -> usize {
        of.min_by(|one, other| self.cost(*one).total_cmp(&self.cost(*other))).expect("points are tried")
    }

    /// What is made small.
    fn cost(&self, at: usize) -> f64 {
        let ways = self.ways(&self.points[at].drive);
        self.residuals(at).map_or(f64::INFINITY, |residuals| cost(&residuals, ways.into_iter()))
    }

    /// Logarithms of how far active parameters are from the preset.
    fn ways(&self, drive: &Drive) -> Vec<f64> {
        let way = |of: Parameter| libm::log(drive.get(of) / self.base.get(of));
        self.actives().into_iter().map(way).collect()
    }

    /// Logarithms of simulated over measured, each in its unit; none where a run failed.
    fn residuals(&self, at: usize) -> Option<Vec<f64>> {
        Some(self.units.residuals(&self.differences(at)?))
    }

    /// Logarithms of simulated over measured; none where a run failed.
    fn differences(&self, at: usize) -> Option<Vec<f64>> {
        let mut differences = Vec::new();
        let fitted =
            self.jobs.iter().zip(&self.points[at].runs).zip(&self.held_out).filter(|(_, held_out)| !**held_out);
        for ((job, run), _) in fitted {
            let simulated = run.as_ref()?.as_ref().ok()?;
            for (is_read, measured) in job.operations() {
                let simulated = if is_read { &simulated.reads } else { &simulated.writes }.as_ref()?;
                let simulated = [simulated.mean, simulated.p50, simulated.p99];
                let both = matched(measured, self.choices.matching).into_iter().zip(simulated);
                differences.extend(both.filter_map(|(of, simulated)| Some(libm::log(simulated.max(1e-3) / of?.0))));
            }
        }
        Some(differences)
    }

    fn slopes(&self, at: usize, around: usize) -> Slopes {
        let residuals = self.residuals(at).unwrap_or_default();
        let mut next = around + 1;
        let mut columns = Vec::new();
        for parameter in self.actives() {
            let mut sides = Vec::new();
            for _ in parameter.steps(self.fine) {
                let way = libm::log(self.points[next].drive.get(parameter) / self.points[at].drive.get(parameter));
                let moved = self.residuals(next).filter(|_| way != 0.0);
                sides.push(
                    moved
                        .map_or_else(|| vec![0.0; residuals.len()], |moved| self.units.column(&residuals, &moved, way)),
                );
                next += 1;
            }
            columns.push((0..residuals.len()).map(|row| agreed(sides.iter().map(|side| side[row]))).collect());
        }
        Slopes { residuals, columns }
    }

    /// A drive whose active parameters are moved by some logarithms.
    fn moved(&self, drive: &Drive, steps: &[f64]) -> Drive {
        let mut next = drive.clone();
        for (parameter, way) in self.actives().into_iter().zip(steps) {
            let value = drive.get(parameter) * libm::exp(way.clamp(-LONGEST_STEP, LONGEST_STEP));
            next = next.with(parameter, within(parameter, value));
        }
        next
    }
}

/// Mean, median and 99th percentile of a job, as far as they are measured and matched, each with how well it can be met.
fn matched(measured: &Operations, matching: Matching) -> [Option<(f64, f64)>; 3] {
    let latency = &measured.latency_us;
    let percentile = |percent: f64, within: f64| {
        let us = latency.percentile(percent).filter(|us| *us > 0.0 && matching == Matching::Distribution);
        us.map(|us| (us, within))
    };
    [Some((latency.mean, MEAN_WITHIN)), percentile(50.0, MEDIAN_WITHIN), percentile(99.0, TAIL_WITHIN)]
}

fn is_determined(deviation: f64) -> bool {
    Z95 * deviation <= libm::log(DETERMINED)
}

fn within(parameter: Parameter, value: f64) -> f64 {
    let (least, greatest) = parameter.range();
    value.clamp(least, greatest)
}

/// The time of the host's software in force for local requests.
fn host_us(base: &Scenario, job: &MeasuredJob) -> Result<f64, Vec<Diagnostic>> {
    const PATH: &str = "access.software.hostLatencyUs";
    if let Some(us) = base.access.software.host_latency_us.filter(|us| *us > 0.0) {
        return Ok(us);
    }
    let ssd = serde_json::to_value(&base.storage.ssd).unwrap_or_default();
    let mut bench = Plan::new(job, QUICK_REQUESTS, 0.0, false).document(job, &ssd, 0.0, 1);
    bench["access"]["software"] = serde_json::json!({});
    let explanation = catalogue::explain(&scenario::from_value(bench)?)?;
    let field = explanation.fields.iter().find(|field| field.path == PATH);
    Ok(field.and_then(|field| field.value.as_f64()).unwrap_or(1.0))
}

/// Of each job, whether writes at random before it, or in the first half of it, went once over all that it reaches: garbage collection
/// is then in its steady state.
fn steady(jobs: &[MeasuredJob], base: &Drive) -> Vec<bool> {
    let capacity = base.capacity_bytes();
    let mut written = 0.0;
    let of = |job: &MeasuredJob| {
        let own = job.writes.as_ref().filter(|_| job.pattern == crate::fio::Pattern::Random);
        let own = own.map_or(0.0, |writes| writes.requests as f64 * f64::from(job.write_bytes));
        let steady = written + own / 2.0 >= job.range_bytes.map_or(capacity, |range| (range as f64).min(capacity));
        written += own;
        steady
    };
    jobs.iter().map(of).collect()
}

impl MeasuredJob {
    /// Its reads (true) and its writes (false), as far as there were any.
    pub fn operations(&self) -> impl Iterator<Item = (bool, &Operations)> {
        let reads = self.reads.iter().map(|reads| (true, reads));
        reads.chain(self.writes.iter().map(|writes| (false, writes)))
    }

    /// Bytes of a request.
    pub(crate) fn block_bytes(&self) -> u32 {
        if self.reads.is_some() { self.read_bytes } else { self.write_bytes }
    }
}

#[cfg(test)]
mod tests;
