//! What a search came to, by places.

use qoscope_engine::kernel::convert::saturated_u32;

use super::evidence::Evidence;
use super::{Bound, Quantity, Searcher, Step};
use crate::plan::Place;
use qoscope_figures::statistics::least_share;

/// What is told of a share is wrong with this probability at most, over all confirmations: the first may use half of it, and each one that
/// follows half of what is left. The first bound is thus the lower end of the usual 95 % interval.
const RISK: f64 = 0.05;

/// Places without a look that are listed.
const MAX_UNSEEN: usize = 100;

/// How a target fares at a place, under the seeds of its confirmation.
#[derive(Clone, Debug, PartialEq)]
pub struct Fare {
    /// What the measure was.
    pub numbers: Vec<Option<f64>>,
    /// Seeds under which it holds.
    pub held: u32,
    /// How far the worst of the seeds that count lies on the good side of the bound.
    pub margin: Option<f64>,
    /// It binds: where the targets are met, the one that is kept least surely; where they are not, one that is missed.
    pub is_binding: bool,
}

/// A factor moved alone, as far as targets hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    /// The factor.
    pub factor: usize,
    /// The places up to which all targets hold, of those tried.
    pub from: u32,
    /// The greatest.
    pub to: u32,
    /// What breaks below.
    pub below: Option<Break>,
    /// What breaks above.
    pub above: Option<Break>,
}

/// What breaks at a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Break {
    /// Where the factor stands then.
    pub at: u32,
    /// Why there is no run, or the target that is kept least surely, with what its measure is there on average.
    pub what: Result<(usize, Option<f64>), String>,
}

/// What a search came to, by places.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundPlan {
    /// There is a place that meets all targets, confirmed.
    pub is_met: bool,
    /// The place that answers, or that comes nearest.
    pub place: Option<Place>,
    /// How the targets fare there.
    pub fares: Vec<Fare>,
    /// What is preferred, there: the numbers of its unseen seeds where it is a measure, else the place of the factor.
    pub preferred: Vec<Vec<Option<f64>>>,
    /// Unseen seeds under which all targets hold together.
    pub held: u32,
    /// Unseen seeds.
    pub of: u32,
    /// Share of all seeds under which they hold at least.
    pub at_least: f64,
    /// Candidates that were confirmed before, and failed.
    pub failures: u32,
    /// How far each ordered factor may move alone.
    pub reaches: Vec<Reach>,
    /// The trade-off, and whether each of its places is confirmed.
    pub trade_off: Vec<(Place, bool)>,
    /// The model's first guess.
    pub first_guess: Option<Place>,
    /// Where targets are not met: of each that binds a place at which all others hold.
    pub without: Vec<(usize, Place)>,
    /// Places that were looked at.
    pub places: usize,
    /// Of so many.
    pub grid: f64,
    /// Runs that were made.
    pub runs: u32,
    /// The search ended because it may make no more.
    pub is_out_of_runs: bool,
    /// Places that were not looked at: all of them if they are few, else some.
    pub unseen: Vec<Place>,
    /// Why the place that comes nearest has no run, where all are so.
    pub why: Option<String>,
}

impl FoundPlan {
    /// No answer was found, and there may be one: places were not looked at, or runs ended before a confirmation.
    pub fn is_stopped(&self) -> bool {
        !self.is_met && (self.is_out_of_runs || (self.places as f64) < self.grid)
    }
}

impl Searcher {
    /// The answer.
    pub(super) fn finished(&self) -> Step {
        let problem = &self.problem;
        let is_met = !self.confirmed.is_empty();
        let told = self.confirmed.first().or(self.nearest.as_ref());
        let mut plan = FoundPlan {
            is_met,
            place: None,
            fares: Vec::new(),
            preferred: Vec::new(),
            held: 0,
            of: 0,
            at_least: 0.0,
            failures: self.failures - u32::from(!is_met && self.failures > 0),
            reaches: Vec::new(),
            trade_off: Vec::new(),
            first_guess: problem.recommended().filter(|place| self.evidence.find(place).is_some()),
            without: self.without.clone(),
            places: self.evidence.records.len(),
            grid: problem.grid(),
            runs: self.evidence.runs,
            is_out_of_runs: self.is_out_of_runs,
            unseen: if is_met { Vec::new() } else { self.some_unseen(MAX_UNSEEN) },
            why: None,
        };
        if let Some((place, first, of, number)) = told {
            let at = self.evidence.find(place);
            if let Some(record) = at.map(|at| &self.evidence.records[at]) {
                plan.why = record.why.clone();
                let numbers = |measure: usize| -> Vec<Option<f64>> {
                    record.numbers(problem.measures, measure, |seed| (*first..first + of).contains(&seed)).collect()
                };
                let binding = at.map(|at| self.missed(at)).unwrap_or_default();
                plan.fares = problem
                    .targets
                    .iter()
                    .enumerate()
                    .map(|(target, bound)| {
                        let numbers = numbers(bound.measure);
                        let is_binding = binding.contains(&target);
                        Fare {
                            held: Evidence::held(bound, &numbers),
                            margin: margin(bound, &numbers),
                            numbers,
                            is_binding,
                        }
                    })
                    .collect();
                plan.preferred = problem
                    .prefer
                    .iter()
                    .map(|aim| match aim.of {
                        Quantity::Measure(measure) => numbers(measure),
                        Quantity::Factor(factor) => vec![Some(f64::from(place[factor]))],
                    })
                    .collect();
                let holds = |run: &u32| {
                    plan.fares.iter().zip(&problem.targets).all(|(fare, bound)| {
                        fare.numbers.get(*run as usize).copied().flatten().is_some_and(|number| bound.holds(number))
                    })
                };
                plan.of = *of;
                plan.held = saturated_u32((0..*of).filter(holds).count());
                let risk = (0..*number).fold(RISK, |risk, _| risk / 2.0);
                plan.at_least = if plan.of > 0 { least_share(plan.held, plan.of, risk) } else { 0.0 };
            }
            plan.place = Some(place.clone());
            if is_met {
                let ordered = problem.axes.iter().enumerate().filter(|(_, axis)| !axis.is_words);
                plan.reaches = ordered
                    .map(|(factor, _)| {
                        let (from, below) = self.reach(place, factor, false);
                        let (to, above) = self.reach(place, factor, true);
                        let broken = |at: u32| self.broken(place, factor, at);
                        Reach { factor, from, to, below: below.map(broken), above: above.map(broken) }
                    })
                    .collect();
                if problem.prefer.len() > 1 {
                    let is_confirmed = |place: &Place| self.confirmed.iter().any(|(known, ..)| known == place);
                    plan.trade_off =
                        self.front().into_iter().map(|place| (place.clone(), is_confirmed(&place))).collect();
                }
            }
        }
        Step::Done(Box::new(plan))
    }
}

/// How far the worst of the seeds that count lies on the good side of the bound: as many of the worst may miss as the share allows.
fn margin(bound: &Bound, numbers: &[Option<f64>]) -> Option<f64> {
    let distance = |number: f64| {
        let above = bound.at_most.map_or(f64::INFINITY, |most| most - number);
        above.min(bound.at_least.map_or(f64::INFINITY, |least| number - least))
    };
    let mut distances: Vec<f64> = numbers.iter().map(|number| number.map_or(f64::NEG_INFINITY, distance)).collect();
    distances.sort_unstable_by(f64::total_cmp);
    let of = saturated_u32(distances.len());
    distances.get((of - bound.needed(of)) as usize).copied().filter(|distance| distance.is_finite())
}
