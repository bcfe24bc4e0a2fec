//! Number of runs of a study, and its limits.

use qoscope_engine::scenario::size;
use qoscope_engine::text::{about_time, grouped};

use crate::base::Base;
use crate::check::Found;
use crate::document::{Ask, Study};
use crate::factor::Varied;
use crate::search::usual_runs;

/// Most runs of a study.
pub const MAXIMUM_RUNS: u64 = 1_000_000;
/// Most points of a sweep.
pub const MAXIMUM_POINTS: u64 = 10_000;

/// How many there are.
pub(crate) struct Counts {
    pub(crate) points: u64,
    pub(crate) runs: u64,
    pub(crate) max_runs: u64,
}

/// The values of the study of each factor: those between two of them are not counted.
pub(crate) fn counts(study: &Study, varied: &[Varied]) -> Counts {
    let values = varied.iter().map(|of| of.own.len() as u64);
    let seeds = u64::from(study.seeds.count);
    match &study.ask {
        Ask::Sweep { within, .. } => {
            let points = values.fold(1, u64::saturating_mul);
            let max_seeds = within.as_ref().map_or(seeds, |within| u64::from(within.max_seeds));
            let most_points = points.saturating_add(u64::from(bends(&study.ask)));
            Counts { points, runs: points.saturating_mul(seeds), max_runs: most_points.saturating_mul(max_seeds) }
        }
        Ask::Sensitivity { walks, .. } => {
            let points = u64::from(*walks) * (values.count() as u64 + 1);
            Counts { points, runs: points * seeds.max(2), max_runs: points * seeds.max(2) }
        }
        Ask::Search { confirm, max_runs, .. } => {
            let axes = varied.iter().map(|varied| (varied.own.len(), varied.view.is_words));
            let runs = usual_runs(axes, study.seeds.count, *confirm).min(*max_runs);
            Counts { points: 1, runs: runs.into(), max_runs: u64::from(*max_runs) }
        }
    }
}

/// Points that a sweep may add where its curve bends.
pub(crate) const fn bends(ask: &Ask) -> u32 {
    if let Ask::Sweep { bends, .. } = ask { *bends } else { 0 }
}

/// Refuses a study that nobody can run, with what it would cost.
pub(crate) fn check(study: &Study, base: &Base, varied: &[Varied], found: &mut Found) {
    let Counts { points, max_runs, .. } = counts(study, varied);
    let is_sweep = matches!(study.ask, Ask::Sweep { .. });
    if max_runs <= MAXIMUM_RUNS && (points <= MAXIMUM_POINTS || !is_sweep) {
        return;
    }
    let seconds = size::cost(&base.scenario).work * max_runs as f64 / size::WORK_PER_SECOND;
    let time = about_time(seconds);
    let reason = format!(
        "asks for {} runs at {} points, which take {time} of computing on one core",
        grouped(max_runs),
        grouped(points)
    );
    let hint = format!(
        "Take fewer values or seeds: a study makes at most {} runs, a sweep at {} points.",
        grouped(MAXIMUM_RUNS),
        grouped(MAXIMUM_POINTS)
    );
    found.push("vary", reason, hint);
}
