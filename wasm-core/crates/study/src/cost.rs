//! What a study costs, before it is run: by the engine's own forecast of its scenarios.

use qoscope_campaign::kept;
use qoscope_engine::scenario::{self, size};
use serde_json::Value;

use crate::document::{Ask, Study};
use crate::limits::{Counts, counts};
use crate::question::Question;
use crate::table::Cost;
use crate::template;

/// Points whose cost is looked at: enough to see how it changes over the grid.
const LOOKED_AT: u64 = 32;
/// Letters that a number takes in a summary beyond those that it has before the run.
const DIGITS: u64 = 12;

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
    fn a_spread_reaches_from_end_to_end() {
        assert_eq!(spread(&[2, 3]).len(), 6);
        let places = spread(&[100, 100]);
        assert_eq!((places.first(), places.len()), (Some(&vec![0, 0]), 32));
        assert!(places.last().unwrap()[0] > 95);
    }
}
