//! What the results of a search say of its places: how far each lies from the targets, how surely it keeps them, and what it costs.

use std::collections::BTreeMap;

use super::{Bound, Quantity, Search};
use crate::document::Wanted;
use crate::plan::{Known, Place};
use qoscope_figures::statistics::{mean, normal, normal_quantile, variance};

/// What a failing place lacks: more than any that has numbers.
const HOPELESS: f64 = f64::INFINITY;

/// How many seeds' worth of trust the usual scatter has beside a place's own.
const PRIOR_SEEDS: f64 = 4.0;

/// The least part of a bound that counts: what lies beyond a thousandth of it, or a thousand times it, is as good or as bad.
const RATIO_LIMIT: f64 = 1000.0;

/// How far numbers of a measure lie on the good side of a target's bound: the logarithm of the ratio to a bound above 0, as scatter is in
/// proportion there; else the distance in units of what is usual among the first places.
#[derive(Clone, Debug)]
enum Gauge {
    Ratio,
    Distance(f64),
}

impl Gauge {
    /// Where a number is from the bound of a target, the upper one of two; it rises with the number.
    fn position(&self, target: &Bound, number: f64) -> f64 {
        let bound = target.at_most.or(target.at_least).unwrap_or(0.0);
        match self {
            Self::Ratio => libm::log((number / bound).clamp(1.0 / RATIO_LIMIT, RATIO_LIMIT)),
            Self::Distance(unit) => (number - bound) / unit,
        }
    }

    /// The slack of a target at a position: the distance to the nearer of its bounds.
    fn slack(&self, target: &Bound, position: f64) -> f64 {
        let above = target.at_most.map_or(f64::INFINITY, |bound| self.position(target, bound) - position);
        above.min(target.at_least.map_or(f64::INFINITY, |bound| position - self.position(target, bound)))
    }
}

/// The slack of a target at a place, over its seeds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slack {
    /// Its mean; none where a run failed or has no value.
    pub mean: Option<f64>,
    /// The mean position of the measure, which has no edge between two bounds.
    pub position: f64,
    /// The variance from seed to seed.
    pub variance: f64,
    /// Seeds.
    pub count: usize,
}

/// What is known of a place.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// Where it is.
    pub place: Place,
    /// Why the engine refuses it, or the first run that failed.
    pub why: Option<String>,
    /// The engine refuses it.
    pub is_refused: bool,
    /// The seeds that were run, in the order in which they were wished for.
    pub seeds: Vec<u32>,
    /// What each of them gave: the numbers of all measures, one seed after another.
    numbers: Vec<Option<f64>>,
    /// Of every target.
    pub slacks: Vec<Slack>,
    /// What it costs in each preference, the less the better; infinite where there is no value.
    pub costs: [f64; 2],
    /// Variance of each cost from seed to seed.
    pub cost_variances: [f64; 2],
    /// It was confirmed and failed.
    pub is_dropped: bool,
}

impl Record {
    /// What a measure was under the seeds that a condition chooses.
    pub fn numbers<'a>(
        &'a self,
        measures: usize,
        measure: usize,
        chosen: impl Fn(u32) -> bool + 'a,
    ) -> impl Iterator<Item = Option<f64>> + 'a {
        let at = self.seeds.iter().enumerate().filter(move |(_, seed)| chosen(**seed));
        at.map(move |(run, _)| self.numbers[run * measures + measure])
    }

    /// It can be neither the answer nor near it.
    pub fn is_hopeless(&self) -> bool {
        self.why.is_some() || self.slacks.iter().any(|slack| slack.mean.is_none())
    }
}

/// What is believed of a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Belief {
    /// The probability that it keeps all targets in their shares of seeds.
    pub holds: f64,
    /// How far it misses the target that it misses most, in units of the gauge.
    pub violation: f64,
}

/// All that is known.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    measures: usize,
    /// The places, in the order in which they were come to.
    pub records: Vec<Record>,
    index: BTreeMap<Place, usize>,
    /// Runs that were looked at.
    pub runs: u32,
    gauges: Vec<Gauge>,
    /// Standard normal quantile of each target's share of seeds.
    quantiles: Vec<f64>,
    /// The usual variance of each target's slack from seed to seed.
    pub scatter: Vec<f64>,
    /// Preferred measures count by their logarithm: all that was seen first is above 0.
    is_log: [bool; 2],
}

impl Evidence {
    pub fn new(problem: &Search) -> Self {
        let above_zero = |bound: Option<f64>| bound.is_none_or(|bound| bound > 0.0);
        let gauge = |target: &Bound| match above_zero(target.at_most) && above_zero(target.at_least) {
            true => Gauge::Ratio,
            false => Gauge::Distance(1.0),
        };
        // In all seeds: as much as can be told from those of a confirmation.
        let most = 1.0 - 0.5 / f64::from(problem.confirm.max(1));
        Self {
            measures: problem.measures,
            records: Vec::new(),
            index: BTreeMap::new(),
            runs: 0,
            gauges: problem.targets.iter().map(gauge).collect(),
            quantiles: problem.targets.iter().map(|target| normal_quantile(target.confidence.min(most))).collect(),
            scatter: vec![0.0; problem.targets.len()],
            is_log: [false; 2],
        }
    }

    /// The record of a place.
    pub fn find(&self, place: &[u32]) -> Option<usize> {
        self.index.get(place).copied()
    }

    /// Seeds of those of the search that are known of a place.
    pub fn count(&self, problem: &Search, place: &[u32]) -> u32 {
        self.find(place).map_or(0, |at| {
            let record = &self.records[at];
            let count = record.seeds.iter().filter(|seed| **seed < problem.fresh()).count();
            if record.why.is_some() { problem.fresh() } else { u32::try_from(count).unwrap_or(u32::MAX) }
        })
    }

    /// Takes what is known of a wish; `false` where nothing is.
    pub fn take(&mut self, problem: &Search, place: &[u32], seed: u32, known: &impl Known) -> bool {
        let refused = known.refused(place);
        let outcome = known.outcome(place, seed);
        if refused.is_none() && outcome.is_none() {
            return false;
        }
        let next = self.records.len();
        let at = *self.index.entry(place.to_vec()).or_insert(next);
        if at == next {
            self.records.push(Record {
                place: place.to_vec(),
                why: None,
                is_refused: false,
                seeds: Vec::new(),
                numbers: Vec::new(),
                slacks: vec![Slack::default(); problem.targets.len()],
                costs: [f64::INFINITY; 2],
                cost_variances: [0.0; 2],
                is_dropped: false,
            });
        }
        let record = &mut self.records[at];
        if let Some(why) = refused {
            record.why = Some(why.to_owned());
            record.is_refused = true;
            return true;
        }
        if record.seeds.contains(&seed) {
            return true;
        }
        self.runs += 1;
        record.seeds.push(seed);
        match outcome {
            Some(Ok(numbers)) => {
                record.numbers.extend((0..self.measures).map(|measure| numbers.get(measure).copied().flatten()))
            }
            Some(Err(why)) => {
                record.numbers.extend((0..self.measures).map(|_| None));
                record.why.get_or_insert_with(|| why.to_owned());
            }
            None => {}
        }
        true
    }

    /// Settles how measures are gauged, once from the places seen first.
    pub fn settle_gauges(&mut self, problem: &Search) {
        let measures = self.measures;
        let seen = |records: &[Record], measure: usize| -> Vec<f64> {
            records.iter().flat_map(|record| record.numbers(measures, measure, |_| true).flatten()).collect()
        };
        for (target, gauge) in problem.targets.iter().zip(&mut self.gauges) {
            if let Gauge::Distance(unit) = gauge {
                let bound = target.at_most.or(target.at_least).unwrap_or(0.0);
                let numbers = seen(&self.records, target.measure);
                let mut away: Vec<f64> =
                    numbers.iter().map(|number| (number - bound).abs()).filter(|far| *far > 0.0).collect();
                away.sort_unstable_by(f64::total_cmp);
                *unit = away.get(away.len() / 2).copied().unwrap_or(1.0);
            }
        }
        for (aim, is_log) in problem.prefer.iter().zip(&mut self.is_log) {
            if let Quantity::Measure(measure) = aim.of {
                *is_log = seen(&self.records, measure).iter().all(|number| *number > 0.0);
            }
        }
    }

    /// Brings what is derived from the results of these places up to date, and the usual scatter with it.
    pub fn digest(&mut self, problem: &Search, places: &[Place]) {
        let mut touched: Vec<usize> = places.iter().filter_map(|place| self.find(place)).collect();
        touched.sort_unstable();
        touched.dedup();
        let (measures, is_log) = (self.measures, self.is_log);
        for at in touched {
            let record = &mut self.records[at];
            let slacks = problem.targets.iter().zip(&self.gauges).map(|(target, gauge)| {
                let numbers = record.numbers(measures, target.measure, |_| true);
                let positions: Option<Vec<f64>> = numbers.map(|number| Some(gauge.position(target, number?))).collect();
                let positions =
                    positions.filter(|all| !all.is_empty() && all.iter().all(|position| position.is_finite()));
                let Some(positions) = positions else { return Slack::default() };
                let slacks: Vec<f64> = positions.iter().map(|position| gauge.slack(target, *position)).collect();
                Slack {
                    mean: Some(mean(&slacks)),
                    position: mean(&positions),
                    variance: variance(&slacks),
                    count: slacks.len(),
                }
            });
            let slacks = slacks.collect();
            let mut costs = [f64::INFINITY; 2];
            let mut cost_variances = [0.0; 2];
            for (place, aim) in problem.prefer.iter().take(2).enumerate() {
                match aim.of {
                    Quantity::Factor(_) => {
                        costs[place] = problem.factor_cost(place, &record.place).unwrap_or(f64::INFINITY)
                    }
                    Quantity::Measure(measure) => {
                        let chosen = record.numbers(measures, measure, |seed| seed < problem.seeds).flatten();
                        let numbers: Vec<f64> = chosen.map(|number| cost(aim.wanted, is_log[place], number)).collect();
                        if !numbers.is_empty() {
                            costs[place] = mean(&numbers);
                            cost_variances[place] = variance(&numbers);
                        }
                    }
                }
            }
            record.slacks = slacks;
            record.costs = costs;
            record.cost_variances = cost_variances;
        }
        for target in 0..problem.targets.len() {
            let own = self.records.iter().map(|record| record.slacks[target]);
            let mut own: Vec<f64> =
                own.filter(|slack| slack.mean.is_some() && slack.count > 1).map(|slack| slack.variance).collect();
            own.sort_unstable_by(f64::total_cmp);
            // The scatter of a distance to 0 is no measure of it elsewhere.
            let is_usual = matches!(self.gauges[target], Gauge::Ratio);
            self.scatter[target] = own.get(own.len() / 2).copied().filter(|_| is_usual).unwrap_or(0.0);
        }
    }

    /// The slack that a target keeps in its share of seeds, and how uncertain that is, given mean, variance and number of seeds.
    fn kept(&self, target: usize, slack: Slack) -> Option<(f64, f64)> {
        let count = slack.count as f64;
        let quantile = self.quantiles[target];
        let prior = if self.scatter[target] > 0.0 { PRIOR_SEEDS } else { 0.0 };
        let weight = prior + (count - 1.0).max(0.0);
        let variance = if weight > 0.0 {
            (prior * self.scatter[target] + (count - 1.0).max(0.0) * slack.variance) / weight
        } else {
            0.0
        };
        let error = variance * (1.0 / count + quantile * quantile / (2.0 * weight.max(1.0)));
        Some((slack.mean? - quantile * variance.sqrt(), error.sqrt()))
    }

    /// The slack of a target in its share of seeds; none where there is no value.
    pub fn margin(&self, at: usize, target: usize) -> Option<f64> {
        self.kept(target, self.records[at].slacks[target]).map(|(kept, _)| kept)
    }

    /// How surely a target is kept in its share of seeds: its slack there, in standard errors of it; below 0 it is more likely missed.
    pub fn sureness(&self, at: usize, target: usize) -> f64 {
        match self.kept(target, self.records[at].slacks[target]) {
            Some((kept, error)) if error > 0.0 => kept / error,
            Some((kept, _)) if kept >= 0.0 => f64::INFINITY,
            _ => f64::NEG_INFINITY,
        }
    }

    /// The target that is kept least surely at a place.
    pub fn weakest(&self, at: usize) -> Option<usize> {
        let targets = 0..self.quantiles.len();
        targets.min_by(|left, right| self.sureness(at, *left).total_cmp(&self.sureness(at, *right)))
    }

    /// What is believed of a place, of those targets that count.
    pub fn belief(&self, at: usize, counts: &[bool]) -> Belief {
        let record = &self.records[at];
        let mut belief = Belief { holds: 1.0, violation: 0.0 };
        if record.why.is_some() || record.seeds.is_empty() {
            return Belief { holds: 0.0, violation: HOPELESS };
        }
        for (target, _) in counts.iter().enumerate().filter(|(_, counts)| **counts) {
            let Some((kept, error)) = self.kept(target, record.slacks[target]) else {
                return Belief { holds: 0.0, violation: HOPELESS };
            };
            belief.holds *= probability(kept, error);
            belief.violation = belief.violation.max(-kept);
        }
        belief
    }

    /// What would be believed of a place whose positions are foretold, each with the error of the foretelling.
    pub fn foretold(&self, problem: &Search, positions: &[(f64, f64)], counts: &[bool]) -> Belief {
        let mut belief = Belief { holds: 1.0, violation: 0.0 };
        for (target, _) in counts.iter().enumerate().filter(|(_, counts)| **counts) {
            let (position, error) = positions[target];
            let slack = self.gauges[target].slack(&problem.targets[target], position);
            let kept = slack - self.quantiles[target] * self.scatter[target].sqrt();
            belief.holds *= probability(kept, error.max(1e-3));
            belief.violation = belief.violation.max(-kept);
        }
        belief
    }

    /// On how many of these numbers a target holds.
    pub fn held(target: &Bound, numbers: &[Option<f64>]) -> u32 {
        let held = numbers.iter().filter(|number| number.is_some_and(|number| target.holds(number))).count();
        u32::try_from(held).unwrap_or(u32::MAX)
    }
}

fn probability(kept: f64, error: f64) -> f64 {
    if error > 0.0 {
        normal(kept / error)
    } else if kept >= 0.0 {
        1.0
    } else {
        0.0
    }
}

/// The cost of a number that is wanted as small, or as large, as may be.
fn cost(wanted: Wanted, is_log: bool, number: f64) -> f64 {
    let number = if is_log { libm::log(number.max(f64::MIN_POSITIVE)) } else { number };
    match wanted {
        Wanted::Min => number,
        Wanted::Max => -number,
    }
}
