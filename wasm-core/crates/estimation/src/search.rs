//! The search, stage by stage: each is over once all runs of its points are known.
//!
//! Formulas say where to begin and, set right by what runs come to, where to go on in great steps; slopes lead from there to the drive
//! that meets the jobs best. Ways along which the jobs tell a parameter least from the others show how well it is known.

use super::closed_form::{self, starts};
use super::least_squares::{Slopes, agreed, bounded, cost, scale};
use super::parameters::{DriveParameters, MAX_CHANNELS, Parameter};
use super::{Fit, Matching, within};
use qoscope_interop::fio::{MeasuredJob, Operations};

#[derive(Clone)]
pub(super) enum Stage {
    /// Drives to begin with, and for so many rounds those to which formulas lead from the best of each.
    Formulas { trails: Vec<Trail>, round: usize },
    /// Parameters put back to the preset, from a point on: alone, and with the others where they make up for it.
    Back {
        first: usize,
        before: usize,
        back: Vec<Parameter>,
        slopes: Slopes,
        intervals: Vec<ConfidenceInterval>,
        is_seen: bool,
    },
    /// The point under another seed, `around`, and then points beside it for each active parameter.
    Gradient { at: usize, around: usize },
    /// The drive that was found with other numbers of channels and sizes of the cache, from a point on; slopes where they led to it.
    Forms { at: usize, first: usize, slopes: Option<Slopes> },
    /// Points on the way that the gradient shows, more and more cautious.
    Steps { at: usize, slopes: Slopes },
    /// Active parameters moved by some ways, the others following, for so many rounds; where slopes were taken at the point.
    Profiles { at: usize, probes: Vec<Probe>, round: usize, slopes: Slopes, intervals: Vec<ConfidenceInterval> },
    /// The drive that was found, run for longer, with the jobs that were held out.
    Last { intervals: Vec<ConfidenceInterval> },
    /// Over.
    Done { intervals: Vec<ConfidenceInterval> },
    /// No drive could be run.
    Failed { reason: String },
}

/// Drives that followed from each other.
#[derive(Clone)]
pub(super) struct Trail {
    /// The best of them.
    best: usize,
    /// How far the next one may go, in logarithms.
    reach: f64,
    /// The one that was tried last.
    tried: usize,
}

/// A parameter that is moved by a way and held there, while the others follow to make up for it.
#[derive(Clone, Copy)]
pub(super) struct Probe {
    of: Parameter,
    way: f64,
    /// The point that meets the jobs best with the parameter there.
    best: usize,
    /// The point tried last; `None` once another one would gain little.
    tried: Option<usize>,
    /// Whether formulas say where the others go.
    is_curved: bool,
}

/// How well a parameter is known: how far below and above its value it may be, as logarithms, ends of an interval that is meant to hold it 95 times in 100.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConfidenceInterval {
    pub(super) parameter: Parameter,
    pub(super) below: f64,
    pub(super) above: f64,
}

impl ConfidenceInterval {
    fn width(&self) -> f64 {
        self.below.max(self.above)
    }

    /// Of a parameter about which the jobs say nothing.
    fn unknown(parameter: Parameter) -> Self {
        Self { parameter, below: UNKNOWN, above: UNKNOWN }
    }

    /// Whether both ends are what is assumed before anything is measured.
    pub(super) fn is_unknown(&self) -> bool {
        self.below.min(self.above) >= UNKNOWN
    }

    /// The end to which a way leads.
    fn side(&mut self, way: f64) -> &mut f64 {
        if way < 0.0 { &mut self.below } else { &mut self.above }
    }

    /// The same without the values on the far side of one that the jobs reject, which is `way` away.
    fn cut_at(mut self, way: f64) -> Self {
        let end = self.side(-way);
        *end = end.min(libm::fabs(way));
        self
    }

    /// The same with both ends farther away, by a factor of their logarithms.
    fn widened(self, factor: f64) -> Self {
        Self { below: self.below * factor, above: self.above * factor, ..self }
    }

    /// Whether the interval leaves out a part of the parameter's range.
    fn is_within_range(&self, value: f64) -> bool {
        let (min, max) = self.parameter.range();
        value / libm::exp(self.below) > min || value * libm::exp(self.above) < max
    }
}

/// How well a model of few parameters can meet a mean, a median and a 99th percentile.
const MEAN_WITHIN: f64 = 0.01;
const MEDIAN_WITHIN: f64 = 0.02;
const TAIL_WITHIN: f64 = 0.05;
/// A parameter is determined where its interval, before calibration, reaches to no more than this factor.
const DETERMINED: f64 = 1.5;
/// Of a normal distribution.
pub(super) const Z95: f64 = 1.96;
/// Number of discrete configurations (channels x cache mode) used as starting points, plus the preset.
const FORMS: usize = 4;
/// Rounds in which they are, and trails that are followed in each.
const TRAILS: [usize; 6] = [5, 5, 3, 3, 2, 2];
/// How far formulas lead at first.
const FIRST_REACH: f64 = 0.7;
/// Logarithms by which a parameter is moved to see its cost, the others following along slopes.
const WAYS: [f64; 2] = [-0.15, 0.15];
/// The same for parameters that formulas do not know.
const FAR_WAYS: [f64; 2] = [-0.6, 0.6];
/// The same where the others follow by formulas, which know how they make up for it in curves.
const CURVED_WAYS: [f64; 4] = [-0.35, 0.35, -1.0, 1.0];
/// Rounds in which the others follow: formulas are set right by the runs of the round before.
const PROBE_ROUNDS: usize = 3;
/// A probe is followed while its cost falls by this part per round.
const PROBE_GAIN: f64 = 0.15;
/// Squares that another number of channels, or writes that wait for flash where they did not, has to be worth: ways to the preset of e
/// in two parameters and more.
const OTHER_FORM: f64 = 6.0;
/// Factor by which ends of intervals are moved away from the value, in logarithms, so that they hold the true value 95 times in 100 for
/// drives at random (`docs/measurements.md`): the search can end in another place of a valley that all jobs lie in.
const CALIBRATION: f64 = 2.25;
/// Upper bound of an interval: the prior, +-1.96 in log space.
const UNKNOWN: f64 = Z95;
/// A parameter on which nothing depends is known to little better than before anything was measured.
const NO_SLOPE: f64 = 0.9;
/// Drives that are tried in addition to that which was found, each of another assumption about what holds requests up; and how far
/// apart they are, in the logarithm of a parameter.
const ALTERNATIVES: usize = 8;
const APART: f64 = 0.1;
/// Sizes of the cache that are tried beside that of a drive, as factors.
const CACHES: [f64; 3] = [1.0 / 16.0, 0.25, 4.0];
/// Points of a trial of the preset's values: alone, and with the others following.
const RESTORE_POINTS: usize = 2;
/// Longest step in the logarithm of a parameter.
const LONGEST_STEP: f64 = 0.7;
/// Steps by this damping of the normal equations are tried at once.
const DAMPING: [f64; 3] = [1e-3, 0.2, 3.0];
/// A step that makes the squares smaller by less is the last: no parameter is known better than by some.
const WORTH: f64 = 1.0;
/// Where the squares come to this part of their number, there is nothing to be gained.
const GOOD_ENOUGH: f64 = 0.2;

impl Fit {
    /// Begins the search.
    pub(super) fn begin(&mut self) {
        let mut drives = starts(&self.base, &self.fitted_jobs(), &self.actives(), FORMS);
        drives.truncate(self.affordable_points(0).max(1));
        self.awaited = drives.into_iter().map(|drive| self.point(drive, false, self.choices.seed)).collect();
        let trail = |at: &usize| Trail { best: *at, reach: FIRST_REACH, tried: *at };
        self.stage = Stage::Formulas { trails: self.awaited.iter().map(trail).collect(), round: 0 };
    }

    /// Goes on after all runs of a stage.
    pub(super) fn go_on(&mut self) {
        match self.stage.clone() {
            Stage::Formulas { trails, round } => self.follow(trails, round),
            Stage::Back { first, before, back, slopes, intervals, is_seen } => {
                let best = self.best(first..self.points.len());
                let lost = self.cost(best) - self.cost(before);
                let is_free = lost <= WORTH && !self.is_worse(best, before);
                if is_free {
                    // No job depends on it: the others stay.
                    let residuals = self.residuals(best).unwrap_or_default();
                    let is_left = |interval: &&ConfidenceInterval| self.active[interval.parameter as usize];
                    let columns = intervals.iter().zip(&slopes.columns).filter(|(interval, _)| is_left(interval));
                    let slopes = Slopes { columns: columns.map(|(_, column)| column.clone()).collect(), residuals };
                    if is_seen && self.affordable_points(self.restore_runs()) < self.probe_points() {
                        let left = intervals.iter().filter(is_left).copied().collect();
                        self.settle(best, slopes, left, true);
                    } else {
                        self.profile(best, slopes);
                    }
                } else {
                    let is_rejected = self.is_rejected(best, before, intervals.len());
                    if !is_rejected && self.has_time() {
                        return self.look_around(best);
                    }
                    for parameter in &back {
                        self.active[*parameter as usize] = true;
                    }
                    if let [alone] = back[..] {
                        self.restored[alone as usize] = Some(!is_rejected);
                    }
                    self.one_by_one |= back.len() > 1;
                    self.settle(before, slopes, intervals, is_seen);
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
                let is_worth_it = self.cost(best) < self.cost(at) - WORTH;
                let at = if self.cost(best) < self.cost(at) { best } else { at };
                let is_good = self.cost(at) < GOOD_ENOUGH * slopes.residuals.len() as f64;
                if self.has_time() && !is_good && (is_worth_it || !self.fine) {
                    self.fine |= !is_worth_it;
                    self.look_around(at);
                } else if self.reshaped {
                    self.profile(at, slopes);
                } else {
                    self.reshape(at, Some(slopes));
                }
            }
            Stage::Forms { at, first, slopes } => {
                let best = self.best(first..self.points.len());
                let is_better = self.cost(best) < self.cost(at) - WORTH;
                // After slopes, forms are tried again as long as one is better.
                self.reshaped |= slopes.is_some() && !is_better;
                match slopes {
                    Some(slopes) if !is_better => self.profile(at, slopes),
                    _ => self.look_around_if_possible(if is_better { best } else { at }),
                }
            }
            Stage::Profiles { at, probes, round, slopes, intervals } => {
                self.follow_probes(at, probes, round, slopes, intervals)
            }
            Stage::Last { intervals } => self.stage = Stage::Done { intervals },
            Stage::Done { .. } | Stage::Failed { .. } => (),
        }
    }

    /// Goes on where formulas lead from the best drive of each trail; after the last round, by slopes from the best of all.
    fn follow(&mut self, mut trails: Vec<Trail>, round: usize) {
        for trail in &mut trails {
            if trail.tried == trail.best {
                continue;
            }
            if self.cost_of_means(trail.tried) < self.cost_of_means(trail.best) {
                (trail.best, trail.reach) = (trail.tried, (trail.reach * 1.5).min(1.0));
            } else {
                trail.reach /= 3.0;
            }
        }
        trails.retain(|trail| self.cost_of_means(trail.best).is_finite());
        trails.sort_by(|one, other| self.cost_of_means(one.best).total_cmp(&self.cost_of_means(other.best)));
        let Some(best) = trails.first().map(|trail| trail.best) else {
            let reason = self.points[0].runs.iter().flatten().find_map(|run| run.as_ref().err().cloned());
            self.stage = Stage::Failed { reason: reason.unwrap_or_default() };
            return;
        };
        let residuals = self.residuals(best).unwrap_or_default().len() as f64;
        let is_over = round == TRAILS.len() || self.cost(best) < GOOD_ENOUGH * residuals;
        if is_over || !self.has_time() {
            return self.reshape(best, None);
        }
        trails.truncate(TRAILS[round].min(self.affordable_points(self.reserve())).max(1));
        for trail in &mut trails {
            let drive = &self.points[trail.best].drive;
            let next = closed_form::corrected(drive, &self.base, &self.ran(trail.best), &self.actives(), trail.reach);
            trail.tried = self.point(next, false, self.choices.seed);
        }
        self.awaited = trails.iter().map(|trail| trail.tried).collect();
        self.stage = Stage::Formulas { trails, round: round + 1 };
    }

    /// What requests of jobs that are fitted took in the mean on the drive of a point.
    fn ran(&self, at: usize) -> Vec<(&MeasuredJob, f64)> {
        let ran = self.fitted_numbers().map(|job| (&self.jobs[job], self.points[at].runs[job].as_ref()));
        ran.filter_map(|(job, run)| Some((job, run?.as_ref().ok()?.mean_us()?))).collect()
    }

    /// Takes slopes at a point; without the runs for it, the drive of the point is the result.
    fn look_around_if_possible(&mut self, at: usize) {
        if self.has_time() {
            return self.look_around(at);
        }
        let residuals = self.residuals(at).unwrap_or_default();
        let actives = self.actives();
        let columns = vec![vec![0.0; residuals.len()]; actives.len()];
        self.settle(
            at,
            Slopes { residuals, columns },
            actives.into_iter().map(ConfidenceInterval::unknown).collect(),
            true,
        );
    }

    /// This point under another seed, and points beside it for each active parameter.
    fn look_around(&mut self, at: usize) {
        let drive = self.points[at].drive.clone();
        let first = self.point(drive.clone(), false, self.choices.seed.wrapping_add(1));
        for parameter in self.actives() {
            for factor in parameter.steps(self.fine) {
                self.point(drive.stepped(parameter, *factor), false, self.choices.seed);
            }
        }
        self.awaited = (first..self.points.len()).collect();
        self.stage = Stage::Gradient { at, around: first };
    }

    /// Tries the drive that was found with neighbouring numbers of channels, with sizes of the cache, and in other places that formulas
    /// allow: valleys that slopes are slow to follow, or do not show.
    fn reshape(&mut self, at: usize, slopes: Option<Slopes>) {
        let drive = self.points[at].drive.clone();
        let (ran, free) = (self.ran(at), self.actives());
        let channels = drive.channels();
        let mut counts =
            vec![channels / 2, channels * 2, channels - 1, channels + 1, channels.saturating_sub(2), channels + 2];
        counts.push(channels * 3 / 2);
        let mut drives: Vec<DriveParameters> = Vec::new();
        for count in counts {
            if count == channels || !(1..=MAX_CHANNELS).contains(&count) {
                continue;
            }
            let shaped = drive.shaped(count, drive.has_cache());
            let next = closed_form::reshaped(&drive, &shaped, &self.base, &ran, &free);
            if !drives.contains(&next) {
                drives.push(next);
            }
        }
        drives.extend(closed_form::alternatives(&drive, &self.base, &ran, &free, APART, ALTERNATIVES));
        let mut scan = |of: Parameter, factors: &[f64]| {
            let values = factors.iter().map(|factor| within(of, drive.get(of) * factor));
            drives.extend(values.map(|value| closed_form::beside(&drive, &self.base, &ran, &free, (of, value))));
        };
        let writes = self.fitted_jobs().iter().any(|job| job.writes.is_some());
        if free.contains(&Parameter::Cache) && drive.has_cache() && writes {
            scan(Parameter::Cache, &CACHES);
        }
        drives.truncate(self.affordable_points(self.reserve()));
        if drives.is_empty() {
            return match slopes {
                Some(slopes) => self.profile(at, slopes),
                None => self.look_around_if_possible(at),
            };
        }
        let first = self.points.len();
        self.awaited = drives.into_iter().map(|drive| self.point(drive, false, self.choices.seed)).collect();
        self.stage = Stage::Forms { at, first, slopes };
    }

    /// What slopes say of how well parameters are known.
    fn profile(&mut self, at: usize, slopes: Slopes) {
        let actives = self.actives();
        let deviations = slopes.deviations(self.scale(&slopes.residuals, actives.len()));
        let intervals = actives.into_iter().zip(deviations).map(|(parameter, deviation)| {
            let end = (Z95 * deviation).min(UNKNOWN);
            ConfidenceInterval { parameter, below: end, above: end }
        });
        self.settle(at, slopes, intervals.collect(), false);
    }

    /// Moves each parameter, with the others following to make up for it.
    fn move_along(&mut self, at: usize, slopes: Slopes, intervals: Vec<ConfidenceInterval>) {
        let drive = self.points[at].drive.clone();
        let (ran, free) = (self.ran(at), self.actives());
        let mut moved = Vec::new();
        let curved = |of: Parameter| closed_form::KNOWN.contains(&of);
        for way in CURVED_WAYS {
            for of in free.iter().copied().filter(|of| curved(*of)) {
                let value = within(of, drive.get(of) * libm::exp(way));
                moved.push((of, way, true, closed_form::beside(&drive, &self.base, &ran, &free, (of, value))));
            }
            for (number, of) in free.iter().copied().enumerate() {
                let far = FAR_WAYS.into_iter().filter(|_| !curved(of));
                for way in WAYS.into_iter().chain(far).filter(|near| (near * way > 0.0) && libm::fabs(way) < 0.5) {
                    moved.push((of, way, false, self.moved(&drive, &slopes.profile(number, way))));
                }
            }
        }
        moved.truncate(self.affordable_points(self.restore_runs()));
        let mut probes = Vec::new();
        for (of, way, is_curved, drive) in moved {
            let best = self.point(drive, false, self.choices.seed);
            self.awaited.push(best);
            probes.push(Probe { of, way, best, tried: Some(best), is_curved });
        }
        self.stage = Stage::Profiles { at, probes, round: 1, slopes, intervals };
    }

    /// Lets the others follow once more where a parameter that was moved still costs much, then reads the intervals off.
    fn follow_probes(
        &mut self,
        at: usize,
        mut probes: Vec<Probe>,
        round: usize,
        slopes: Slopes,
        intervals: Vec<ConfidenceInterval>,
    ) {
        for probe in &mut probes {
            let Some(tried) = probe.tried else { continue };
            let (cost, before) = (self.cost(tried), self.cost(probe.best));
            if cost < before {
                probe.best = tried;
            }
            if tried != probe.best || (round > 1 && cost > (1.0 - PROBE_GAIN) * before) {
                probe.tried = None;
            }
        }
        let best =
            probes.iter().map(|probe| probe.best).min_by(|one, other| self.cost(*one).total_cmp(&self.cost(*other)));
        if let Some(best) = best.filter(|best| self.cost(*best) < self.cost(at) - WORTH && self.has_time()) {
            return self.look_around(best);
        }
        let mut budget = self.affordable_points(self.restore_runs());
        let free = self.actives();
        let here = self.points[at].drive.clone();
        let mut awaited = Vec::new();
        for probe in &mut probes {
            let is_open =
                probe.is_curved && probe.tried.is_some() && self.lost(probe.best, at, intervals.len()) > Z95 * Z95;
            if !is_open || round == PROBE_ROUNDS || budget == 0 {
                probe.tried = None;
                continue;
            }
            budget -= 1;
            let value = within(probe.of, here.get(probe.of) * libm::exp(probe.way));
            let from = self.points[probe.best].drive.clone();
            let next = closed_form::beside(&from, &self.base, &self.ran(probe.best), &free, (probe.of, value));
            let next = self.point(next, false, self.choices.seed);
            probe.tried = Some(next);
            awaited.push(next);
        }
        if !awaited.is_empty() {
            self.awaited = awaited;
            self.stage = Stage::Profiles { at, probes, round: round + 1, slopes, intervals };
            return;
        }
        let intervals = self.seen(at, &probes, intervals);
        self.settle(at, slopes, intervals, true);
    }

    /// What a point costs more than another one, in squares of standard deviations, less what chance does to runs of another drive.
    fn lost(&self, point: usize, than: usize, parameters: usize) -> f64 {
        let scale = self.scale(&self.residuals(than).unwrap_or_default(), parameters);
        (self.cost(point) - self.cost(than) - self.units.noise()).max(0.0) / scale
    }

    /// Confidence intervals after the probes. An end is the largest of: the end by slopes, unless these are zero (as at a step) and
    /// there is a probe; the end by the cost of a probe; and the distance to any point of the search that meets the jobs as well.
    fn seen(&self, at: usize, probes: &[Probe], mut intervals: Vec<ConfidenceInterval>) -> Vec<ConfidenceInterval> {
        let parameters = intervals.len();
        for interval in &mut intervals {
            let parameter = interval.parameter;
            let value = self.points[at].drive.get(parameter);
            let way_of = |point: usize| libm::log(self.points[point].drive.get(parameter) / value);
            let moved: Vec<(usize, f64)> = probes
                .iter()
                .filter(|probe| probe.of == parameter)
                .map(|probe| (probe.best, way_of(probe.best)))
                .filter(|(_, way)| *way != 0.0)
                .collect();
            if interval.is_unknown() {
                for (_, way) in &moved {
                    *interval.side(*way) = 0.0;
                }
            }
            let mut reach = |by: f64, end: f64| {
                let side = interval.side(by);
                *side = side.max(end).min(UNKNOWN);
            };
            for (point, way) in moved {
                reach(way, Z95 * libm::fabs(way) / libm::sqrt(self.lost(point, at, parameters).max(1e-9)));
            }
            let met = (0..self.points.len()).filter(|point| self.points[*point].seed == self.choices.seed);
            for point in met.filter(|point| self.lost(*point, at, parameters) <= Z95 * Z95) {
                reach(way_of(point), libm::fabs(way_of(point)));
            }
        }
        intervals
    }

    /// Restores the preset's value of parameters that the jobs do not determine, tries it on the jobs, and continues with the others. If
    /// all are determined and probed, the last runs follow.
    fn settle(&mut self, at: usize, slopes: Slopes, mut intervals: Vec<ConfidenceInterval>, is_seen: bool) {
        let drive = self.points[at].drive.clone();
        // Jobs of a steady state tell whether a cache is another one than the preset's, and hardly its size.
        if let Some(cache) = intervals.iter_mut().find(|interval| interval.parameter == Parameter::Cache) {
            (cache.below, cache.above) = (UNKNOWN, UNKNOWN);
        }
        let can_see = !is_seen && !intervals.is_empty() && self.affordable_points(self.restore_runs()) > 0;
        let mut loose: Vec<&ConfidenceInterval> =
            intervals.iter().filter(|interval| !self.is_settled(&drive, interval)).collect();
        loose.sort_by(|one, other| other.width().total_cmp(&one.width()));
        let can_try = self.affordable_points(0) >= RESTORE_POINTS;
        if loose.is_empty() || !can_try {
            return if can_see { self.move_along(at, slopes, intervals) } else { self.finish(drive, intervals) };
        }
        // Those of which slopes show nothing, together, else the loosest alone: what it was confused with may be determined without it.
        let unknown = loose.iter().take_while(|interval| interval.width() > Z95 * NO_SLOPE).count();
        let together = if self.one_by_one { 1 } else { unknown.max(1) };
        let back: Vec<Parameter> = loose.iter().take(together).map(|interval| interval.parameter).collect();
        let preset = |drive: DriveParameters| back.iter().fold(drive, |drive, of| drive.with(*of, self.base.get(*of)));
        let loosest = intervals.iter().position(|interval| interval.parameter == back[0]).unwrap_or_default();
        let following = self.moved(&drive, &slopes.profile(loosest, -self.way(&drive, back[0])));
        let drives = [preset(drive.clone()), preset(following)];
        for parameter in &back {
            self.active[*parameter as usize] = false;
        }
        let first = self.points.len();
        self.awaited = drives.into_iter().map(|drive| self.point(drive, false, self.choices.seed)).collect();
        self.stage = Stage::Back { first, before: at, back, slopes, intervals, is_seen };
    }

    /// Whether the jobs reject a point, compared with another one.
    fn is_rejected(&self, point: usize, than: usize, parameters: usize) -> bool {
        self.lost(point, than, parameters) > Z95 * Z95 || self.is_worse(point, than)
    }

    /// Whether latencies of the jobs are farther off than on another point, by more than rounding and chance.
    fn is_worse(&self, point: usize, than: usize) -> bool {
        const FACTOR: f64 = 1.1;
        const MARGIN: f64 = 0.005;
        let error = |at: usize| {
            let differences = self.differences(at)?;
            Some(differences.iter().map(|of| libm::fabs(*of)).sum::<f64>() / differences.len().max(1) as f64)
        };
        match (error(point), error(than)) {
            (Some(one), Some(other)) => one > FACTOR * other + MARGIN,
            (one, _) => one.is_none(),
        }
    }

    /// Points whose runs can still be made, beside some runs and those of the confirmation.
    fn affordable_points(&self, beside: u32) -> usize {
        let left = self.choices.max_runs.saturating_sub(self.made + self.jobs.len() as u32 + beside) as usize;
        left / self.fitted_numbers().count().max(1)
    }

    /// Runs of a trial of values of the preset.
    fn restore_runs(&self) -> u32 {
        (RESTORE_POINTS * self.fitted_numbers().count()) as u32
    }

    /// Points of the first round of probes.
    fn probe_points(&self) -> usize {
        (CURVED_WAYS.len() + WAYS.len()) * self.actives().len()
    }

    /// Runs that the search leaves for what follows it: how well parameters are known, at most a third of all, and trials of the preset's
    /// values.
    fn reserve(&self) -> u32 {
        let seeing = (self.probe_points() * self.fitted_numbers().count()) as u32;
        seeing.min(self.choices.max_runs / 3) + 2 * self.restore_runs()
    }

    /// Whether runs are left to search with. A look around and the steps after it are one stage.
    fn has_time(&self) -> bool {
        let around: usize = self.actives().iter().map(|of| of.steps(self.fine).len()).sum();
        self.affordable_points(self.reserve()) >= 1 + around + DAMPING.len()
    }

    /// Runs the jobs for longer, on the drive that was found.
    fn finish(&mut self, drive: DriveParameters, intervals: Vec<ConfidenceInterval>) {
        self.awaited = vec![self.point(drive, true, self.choices.seed)];
        self.stage = Stage::Last { intervals };
    }

    fn actives(&self) -> Vec<Parameter> {
        Parameter::ALL.into_iter().filter(|parameter| self.active[*parameter as usize]).collect()
    }

    fn best(&self, of: std::ops::Range<usize>) -> usize {
        of.min_by(|one, other| self.cost(*one).total_cmp(&self.cost(*other))).expect("points are tried")
    }

    /// What is made small: beside the squares what another form has to be worth.
    pub(super) fn cost(&self, at: usize) -> f64 {
        let drive = &self.points[at].drive;
        let ways = self.ways(drive).into_iter();
        self.residuals(at).map_or(f64::INFINITY, |residuals| cost(&residuals, ways))
            + OTHER_FORM * f64::from(drive.other_forms())
    }

    /// What formulas make small: of means alone, which are all that they know of.
    fn cost_of_means(&self, at: usize) -> f64 {
        let ran = self.ran(at);
        let is_all = ran.len() == self.fitted_numbers().count();
        let off = ran.iter().map(|(job, us)| bounded(closed_form::off(job, *us)));
        let drive = &self.points[at].drive;
        let cost = cost(&off.collect::<Vec<_>>(), self.ways(drive).into_iter());
        if is_all { cost + OTHER_FORM * f64::from(drive.other_forms()) } else { f64::INFINITY }
    }

    /// The logarithm of how far a parameter is from the preset.
    fn way(&self, drive: &DriveParameters, of: Parameter) -> f64 {
        libm::log(drive.get(of) / self.base.get(of))
    }

    /// Those of all active parameters.
    fn ways(&self, drive: &DriveParameters) -> Vec<f64> {
        self.actives().into_iter().map(|of| self.way(drive, of)).collect()
    }

    /// Whether the jobs determine a parameter of a drive, or its value in the preset was tried.
    fn is_settled(&self, drive: &DriveParameters, interval: &ConfidenceInterval) -> bool {
        self.restored[interval.parameter as usize].is_some() || self.is_determined(drive, interval)
    }

    /// Whether the jobs determine a parameter of a drive: within a factor, or as different from the preset's value, which they reject.
    fn is_determined(&self, drive: &DriveParameters, interval: &ConfidenceInterval) -> bool {
        let (value, way) = (drive.get(interval.parameter), self.way(drive, interval.parameter));
        let interval = self.without_rejected(drive, *interval);
        let is_narrow = interval.width() <= libm::log(DETERMINED);
        interval.is_within_range(value) && (is_narrow || way >= interval.below || -way >= interval.above)
    }

    /// The calibrated interval of a parameter that the jobs determine; `None` for others.
    pub(super) fn calibrated(
        &self,
        drive: &DriveParameters,
        interval: &ConfidenceInterval,
    ) -> Option<ConfidenceInterval> {
        let wide = self.without_rejected(drive, interval.widened(CALIBRATION));
        let is_stated = self.is_determined(drive, interval) && wide.is_within_range(drive.get(interval.parameter));
        is_stated.then_some(wide)
    }

    /// An interval without the values on the far side of the preset's, if the jobs reject that one.
    fn without_rejected(&self, drive: &DriveParameters, interval: ConfidenceInterval) -> ConfidenceInterval {
        let way = self.way(drive, interval.parameter);
        let is_rejected = self.restored[interval.parameter as usize] == Some(false) && way != 0.0;
        if is_rejected { interval.cut_at(way) } else { interval }
    }

    /// Logarithms of simulated over measured, each in its unit; none where a run failed.
    fn residuals(&self, at: usize) -> Option<Vec<f64>> {
        Some(self.units.residuals(&self.differences(at)?))
    }

    /// Logarithms of simulated over measured; none where a run failed.
    fn differences(&self, at: usize) -> Option<Vec<f64>> {
        let mut differences = Vec::new();
        for job in self.fitted_numbers() {
            let simulated = self.points[at].runs[job].as_ref()?.as_ref().ok()?;
            for (is_read, measured) in self.jobs[job].operations() {
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

    /// What a loss of one in the squares says. What a model cannot meet of a job is in its mean, its median and its 99th percentile alike:
    /// the three are as good as one.
    fn scale(&self, residuals: &[f64], parameters: usize) -> f64 {
        let alike = match self.choices.matching {
            Matching::Mean => 1.0,
            Matching::Distribution => 3.0,
        };
        alike * scale(residuals, parameters)
    }

    /// A drive whose active parameters are moved by some logarithms.
    fn moved(&self, drive: &DriveParameters, steps: &[f64]) -> DriveParameters {
        let mut next = drive.clone();
        for (parameter, way) in self.actives().into_iter().zip(steps) {
            let value = drive.get(parameter) * libm::exp(way.clamp(-LONGEST_STEP, LONGEST_STEP));
            next = next.with(parameter, within(parameter, value));
        }
        next
    }
}

/// Mean, median and 99th percentile of a job, as far as they are measured and matched, each with how well it can be met.
pub(super) fn matched(measured: &Operations, matching: Matching) -> [Option<(f64, f64)>; 3] {
    let latency = &measured.latency_us;
    let percentile = |percent: f64, within: f64| {
        let us = latency.percentile(percent).filter(|us| *us > 0.0 && matching == Matching::Distribution);
        us.map(|us| (us, within))
    };
    [Some((latency.mean, MEAN_WITHIN)), percentile(50.0, MEDIAN_WITHIN), percentile(99.0, TAIL_WITHIN)]
}
