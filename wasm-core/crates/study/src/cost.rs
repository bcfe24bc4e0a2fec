//! What a study costs, before it is run: by the engine's own forecast of its scenarios.

use qoscope_campaign::kept;
use qoscope_engine::scenario::{self, size};
use serde_json::Value;

use crate::base::Base;
use crate::check::Found;
use crate::document::{Ask, Study};
use crate::factor::Varied;
use crate::question::{Question, bends};
use crate::search::usual_runs;
use crate::table::Cost;
use crate::template;

/// Most runs of a study.
pub const MAXIMUM_RUNS: u64 = 1_000_000;
/// Most points of a sweep.
pub const MAXIMUM_POINTS: u64 = 10_000;
/// Points whose cost is looked at: enough to see how it changes over the grid.
const LOOKED_AT: u64 = 32;
/// Letters that a number takes in a summary beyond those that it has before the run.
const DIGITS: u64 = 12;

/// How many there are.
struct Counts {
    points: u64,
    runs: u64,
    max_runs: u64,
}

/// The values of the study of each factor: those between two of them are not counted.
fn counts(study: &Study, varied: &[Varied]) -> Counts {
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

/// Refuses a study that nobody can run, with what it would cost.
pub(crate) fn check(study: &Study, base: &Base, varied: &[Varied], found: &mut Found) {
    let Counts { points, max_runs, .. } = counts(study, varied);
    let is_sweep = matches!(study.ask, Ask::Sweep { .. });
    if max_runs <= MAXIMUM_RUNS && (points <= MAXIMUM_POINTS || !is_sweep) {
        return;
    }
    let seconds = size::cost(&base.scenario).work * max_runs as f64 / size::WORK_PER_SECOND;
    let time = size::time_in_words(seconds);
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

/// A count with commas between thousands.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What a study costs.
pub(crate) fn cost(study: &Study, question: &Question) -> Cost {
    let Counts { points, runs, max_runs } = counts(study, &question.varied);
    let (mut work, mut memory_bytes, mut looked_at) = (0.0, 0.0_f64, 0.0);
    for place in spread(&question.counts()) {
        let Ok(scenario) = scenario::from_value(question.base.changed(&question.changes(&place))) else { continue };
        let cost = size::cost(&scenario);
        work += cost.work;
        memory_bytes = memory_bytes.max(cost.memory_bytes);
        looked_at += 1.0;
    }
    let summary = template::of(&question.base.scenario).map(|summary| kept(&summary)).unwrap_or_default();
    let bytes = summary.to_string().len() as u64 + DIGITS * numbers(&summary);
    Cost {
        points,
        runs,
        max_runs,
        is_usual: matches!(study.ask, Ask::Search { .. }),
        events: if looked_at > 0.0 { work / looked_at * runs as f64 } else { 0.0 },
        memory_bytes,
        kept_bytes: bytes as f64 * runs as f64,
    }
}

/// Some places of a grid, evenly over all of them.
fn spread(counts: &[u32]) -> Vec<Vec<u32>> {
    let all = counts.iter().fold(1_u64, |all, count| all.saturating_mul(u64::from(*count)));
    let take = all.min(LOOKED_AT);
    let place = |number: u64| {
        let mut left = if take > 1 { number.saturating_mul((all - 1) / (take - 1)) } else { 0 };
        let mut place: Vec<u32> = Vec::new();
        for count in counts.iter().rev() {
            place.push(u32::try_from(left % u64::from(*count)).unwrap_or(0));
            left /= u64::from(*count);
        }
        place.reverse();
        place
    };
    (0..take).map(place).collect()
}

/// Numbers of a summary.
fn numbers(value: &Value) -> u64 {
    match value {
        Value::Number(_) => 1,
        Value::Array(elements) => elements.iter().map(numbers).sum(),
        Value::Object(fields) => fields.values().map(numbers).sum(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn a_spread_reaches_from_end_to_end() {
        assert_eq!(spread(&[2, 3]).len(), 6);
        let places = spread(&[100, 100]);
        assert_eq!((places.first(), places.len()), (Some(&vec![0, 0]), 32));
        assert!(places.last().unwrap()[0] > 95);
    }
}
