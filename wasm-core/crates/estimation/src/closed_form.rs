//! Where a search begins, and where it goes in great steps: what formulas say of a drive, without a run.
//!
//! Nothing is known at first of how many channels there are, and whether writes wait for flash: each is tried, from slow and fast flash
//! and from few and many dies. What formulas say is off by the same part nearby, so that runs of one drive tell where the next is to be.

use super::formulas::{Load, Model};
use super::normal;
use super::parameters::{DriveParameters, Parameter};
use super::within;
use qoscope_interop::fio::MeasuredJob;

/// What formulas know of.
pub(super) const KNOWN: [Parameter; 8] = [
    Parameter::Host,
    Parameter::Target,
    Parameter::Read,
    Parameter::Program,
    Parameter::Dies,
    Parameter::Channel,
    Parameter::Link,
    Parameter::Cache,
];
/// Numbers of channels from which formulas are followed; the search tries those between them.
const CHANNELS: [u32; 6] = [1, 2, 4, 8, 16, 32];
/// Parts of the shortest read that the array takes, and numbers of dies, from which formulas are followed.
const ARRAY_SHARES: [f64; 3] = [0.2, 0.5, 0.9];
const DIES: [f64; 3] = [8.0, 32.0, 128.0];
/// How well formulas meet the mean of a job: alone, where requests wait for each other, where reads and writes do.
const ALONE_WITHIN: f64 = 0.03;
const PURE_WITHIN: f64 = 0.06;
const MIXED_WITHIN: f64 = 0.3;
/// By so much better where what they are off by nearby is known.
const SET_RIGHT: f64 = 3.0;
/// What the logarithm of a parameter is known to before.
const PRIOR: f64 = 2.0;
/// A residual that is beyond this counts by its logarithm.
const FAR: f64 = 3.0;

/// A job, and what formulas are to say of it.
struct Goal {
    load: Load,
    us: f64,
    within: f64,
}

impl Goal {
    fn of(job: &MeasuredJob) -> Self {
        let load = Load::of(job);
        let within = match load.read_share {
            share if share > 0.0 && share < 1.0 => MIXED_WITHIN,
            _ if load.outstanding < 1.5 => ALONE_WITHIN,
            _ => PURE_WITHIN,
        };
        Self { us: load.measured_us, load, within }
    }
}

/// Drives to begin with: the preset, and of each form the one that formulas hold for the likeliest, the best first.
pub(super) fn starts(
    base: &DriveParameters,
    jobs: &[&MeasuredJob],
    free: &[Parameter],
    most: usize,
) -> Vec<DriveParameters> {
    let goals: Vec<Goal> = jobs.iter().map(|job| Goal::of(job)).collect();
    let shortest = |wanted: fn(&MeasuredJob) -> bool| {
        let of = jobs.iter().filter(|job| wanted(job)).map(|job| Load::of(job).measured_us);
        of.reduce(f64::min)
    };
    let read_us = shortest(|job| job.writes.is_none());
    let write_us = shortest(|job| job.reads.is_none());
    let mut channels = CHANNELS.to_vec();
    channels.push(base.channels());
    channels.sort_unstable();
    channels.dedup();
    let mut found: Vec<(f64, DriveParameters)> = Vec::new();
    for channels in channels {
        for has_cache in [base.has_cache(), !base.has_cache()] {
            if has_cache != base.has_cache() && jobs.iter().all(|job| job.writes.is_none()) {
                continue;
            }
            let form = base.shaped(channels, has_cache);
            let mut best: Option<(f64, Model)> = None;
            for share in ARRAY_SHARES {
                for dies in DIES {
                    let mut model = Model::of(&form);
                    model.set(Parameter::Dies, dies);
                    if let Some(us) = read_us {
                        model.set(Parameter::Read, share * us);
                        model.set(Parameter::Host, (1.0 - share) * us / 2.0);
                    }
                    if let Some(us) = write_us.filter(|_| has_cache) {
                        model.set(Parameter::Host, model.get(Parameter::Host).min(us));
                    } else if let Some(us) = write_us {
                        model.set(Parameter::Program, us);
                    }
                    let (cost, model) = followed(model, &Model::of(base), &goals, f64::INFINITY, free);
                    if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                        best = Some((cost, model));
                    }
                }
            }
            found.extend(best.map(|(cost, model)| (cost, with(&form, &model))));
        }
    }
    found.sort_by(|one, other| one.0.total_cmp(&other.0));
    let best = found.into_iter().take(most).map(|(_, drive)| drive);
    std::iter::once(base.clone()).chain(best).collect()
}

/// From a drive on which jobs were simulated, by job what a request took in the mean: the one near it that formulas then hold for the
/// likeliest. No logarithm of a parameter goes much further than `reach`.
pub(super) fn corrected(
    from: &DriveParameters,
    base: &DriveParameters,
    jobs: &[(&MeasuredJob, f64)],
    free: &[Parameter],
    reach: f64,
) -> DriveParameters {
    let model = Model::of(from);
    let goals = set_right(&model, jobs);
    let (_, found) = followed(model, &Model::of(base), &goals, reach, free);
    with(from, &found)
}

/// The drive with another value of a parameter that meets the jobs the best, as formulas have it that are set right likewise.
pub(super) fn beside(
    from: &DriveParameters,
    base: &DriveParameters,
    jobs: &[(&MeasuredJob, f64)],
    free: &[Parameter],
    (of, value): (Parameter, f64),
) -> DriveParameters {
    let others: Vec<Parameter> = free.iter().copied().filter(|free| *free != of).collect();
    let model = Model::of(from);
    let goals = set_right(&model, jobs);
    let mut moved = model;
    moved.set(of, value);
    let (_, found) = followed(moved, &Model::of(base), &goals, f64::INFINITY, &others);
    with(from, &found)
}

/// Other drives that meet the jobs as formulas have it, set right by runs of the drive `from`: which of link, channel and flash holds
/// requests up is often told by no job alone, so that each assumption has a best drive of its own. The likeliest first, each by more than
/// `apart` from the others in the logarithm of a parameter.
pub(super) fn alternatives(
    from: &DriveParameters,
    base: &DriveParameters,
    jobs: &[(&MeasuredJob, f64)],
    free: &[Parameter],
    apart: f64,
    max: usize,
) -> Vec<DriveParameters> {
    const FACTORS: [f64; 4] = [0.2, 0.5, 2.0, 5.0];
    let model = Model::of(from);
    let goals = set_right(&model, jobs);
    let mut found: Vec<(f64, DriveParameters)> = Vec::new();
    for of in KNOWN.into_iter().filter(|of| free.contains(of)) {
        let others: Vec<Parameter> = free.iter().copied().filter(|free| *free != of).collect();
        for factor in FACTORS {
            let mut moved = model.clone();
            moved.set(of, within(of, model.get(of) * factor));
            // The others make up for it, and then it moves as well.
            let (_, there) = followed(moved, &Model::of(base), &goals, f64::INFINITY, &others);
            let (cost, there) = followed(there, &Model::of(base), &goals, f64::INFINITY, free);
            found.push((cost, with(from, &there)));
        }
    }
    found.sort_by(|one, other| one.0.total_cmp(&other.0));
    let is_apart = |one: &DriveParameters, other: &DriveParameters| {
        free.iter().any(|of| libm::fabs(libm::log(one.get(*of) / other.get(*of))) > apart)
    };
    let mut kept: Vec<DriveParameters> = Vec::new();
    for (_, drive) in found {
        if kept.len() < max && is_apart(&drive, from) && kept.iter().all(|other| is_apart(&drive, other)) {
            kept.push(drive);
        }
    }
    kept
}

/// The drive of another form `to` that meets the jobs the best, as formulas have it that are set right by runs of the drive `from`.
pub(super) fn reshaped(
    from: &DriveParameters,
    to: &DriveParameters,
    base: &DriveParameters,
    jobs: &[(&MeasuredJob, f64)],
    free: &[Parameter],
) -> DriveParameters {
    let goals = set_right(&Model::of(from), jobs);
    let (_, found) = followed(Model::of(to), &Model::of(base), &goals, f64::INFINITY, free);
    with(to, &found)
}

/// How far what a job took on a drive is from what was measured, in units of how well formulas that were set right meet it.
pub(super) fn off(job: &MeasuredJob, us: f64) -> f64 {
    let goal = Goal::of(job);
    libm::log(us / goal.us) / (goal.within / SET_RIGHT)
}

/// What formulas are to say of jobs, so that with what they are off by at a drive it is what was measured.
fn set_right(model: &Model, jobs: &[(&MeasuredJob, f64)]) -> Vec<Goal> {
    let goal = |(job, simulated_us): &(&MeasuredJob, f64)| {
        let goal = Goal::of(job);
        let us = goal.us * model.latency_us(&goal.load) / simulated_us;
        Goal { us, within: goal.within / SET_RIGHT, ..goal }
    };
    jobs.iter().map(goal).collect()
}

/// The drive of the parameters that formulas know of.
fn with(drive: &DriveParameters, model: &Model) -> DriveParameters {
    KNOWN.into_iter().fold(drive.clone(), |drive, of| drive.with(of, within(of, model.get(of))))
}

/// Follows formulas downhill: by steps of Levenberg and Marquardt, with slopes that are computed. Parameters that are not free stay
/// where they are.
fn followed(mut at: Model, base: &Model, goals: &[Goal], reach: f64, free: &[Parameter]) -> (f64, Model) {
    const STEPS: usize = 40;
    const SMALL: f64 = 0.02;
    let start = at.clone();
    let moved = |model: &Model, by: &[f64]| {
        let mut model = model.clone();
        for (of, by) in KNOWN.into_iter().zip(by) {
            model.set(of, within(of, model.get(of) * libm::exp(by.clamp(-0.7, 0.7))));
        }
        model
    };
    let way = |one: &Model, other: &Model, of: Parameter| libm::log(one.get(of) / other.get(of));
    let residuals = |model: &Model| -> Vec<f64> {
        let of_jobs = goals.iter().map(|goal| {
            let off = libm::log(model.latency_us(&goal.load) / goal.us) / goal.within;
            // Beyond FAR by its logarithm, so that one job of another kind does not move all.
            let size = libm::fabs(off);
            if size > FAR { libm::copysign(FAR * (1.0 + libm::log(size / FAR)), off) } else { off }
        });
        let drawn = KNOWN.into_iter().map(|of| way(model, base, of) / PRIOR);
        let held = KNOWN.into_iter().map(|of| way(model, &start, of) / reach);
        of_jobs.chain(drawn).chain(held).collect()
    };
    let cost = |residuals: &[f64]| residuals.iter().map(|of| of * of).sum::<f64>();
    let mut here = residuals(&at);
    let mut damping = 0.1;
    for _ in 0..STEPS {
        let column = |number: usize| {
            if !free.contains(&KNOWN[number]) {
                return vec![0.0; here.len()];
            }
            let mut by = [0.0; KNOWN.len()];
            by[number] = SMALL;
            let there = residuals(&moved(&at, &by));
            there.iter().zip(&here).map(|(there, here)| (there - here) / SMALL).collect::<Vec<f64>>()
        };
        let columns: Vec<Vec<f64>> = (0..KNOWN.len()).map(column).collect();
        let dot = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(one, other)| one * other).sum::<f64>();
        let right: Vec<f64> = columns.iter().map(|column| -dot(column, &here)).collect();
        let before = cost(&here);
        let mut is_better = false;
        for _ in 0..6 {
            let row = |i: usize| {
                let entry = |j: usize| {
                    let along = dot(&columns[i], &columns[j]);
                    if i == j { along * (1.0 + damping) + f64::MIN_POSITIVE.sqrt() } else { along }
                };
                (0..KNOWN.len()).map(entry).collect::<Vec<f64>>()
            };
            let matrix: Vec<Vec<f64>> = (0..KNOWN.len()).map(row).collect();
            let Some(step) = normal::solve(&matrix, &right) else { break };
            let next = moved(&at, &step);
            let there = residuals(&next);
            if cost(&there) < before {
                is_better = cost(&there) < before * (1.0 - 1e-4);
                (at, here) = (next, there);
                damping = (damping / 5.0_f64).max(1e-6);
                break;
            }
            damping *= 5.0;
        }
        if !is_better {
            break;
        }
    }
    (cost(&here), at)
}
