//! Moves along rays: the numbers of several factors are scaled together and rounded to values of the study.
//!
//! If measures depend only on the ratio of some factors, all places of one ratio are alike, and steps of one factor at a time leave that
//! ratio. A response surface over the logarithms of such factors, without their mean, predicts a place from the results near its ratio, at
//! whatever scale they are. Runs decide: a walk whose predictions fail stops moving along rays.

use super::evidence::Belief;
use super::surface::{Offset, Surface};
use super::walk::{Walk, offset};
use super::{Quantity, Round, Search, Searcher};
use crate::plan::Place;

/// Factors of which every group is tried. Of more factors, pairs and all together are.
const MAX_GROUPED: usize = 4;

/// Places that are run in a round.
const MAX_PLACES: usize = 3;

/// Predictions in a row that may fail.
const MAX_MISSES: u32 = 6;

/// The lower end of the radius of a surface: the logarithm of a ratio, or a part of a range.
const MIN_RADIUS: f64 = 0.02;

/// A place along a ray, with what is predicted of it.
struct Candidate {
    place: Place,
    belief: Belief,
    cost: f64,
}

impl Walk {
    /// Adds places along rays through the lead that may be better than it.
    pub(super) fn follow_rays(&mut self, search: &Searcher, lead: usize, round: &mut Round) {
        for place in std::mem::take(&mut self.rays.predicted) {
            let Some(at) = search.evidence.find(&place) else { continue };
            let is_right = search.evidence.belief(at, &self.counts).holds >= 0.5;
            self.rays.misses = if is_right { 0 } else { self.rays.misses + 1 };
        }
        if self.rays.misses >= MAX_MISSES {
            return;
        }
        let own = &search.evidence.records[lead];
        let (is_met, own_cost) = (self.is_met(search, lead), self.cost(search, own.costs));
        let mut candidates: Vec<Candidate> = Vec::new();
        for group in groups(&search.problem) {
            candidates.extend(self.best_of_group(search, lead, &group, is_met.then_some(own_cost)));
        }
        if is_met {
            let gain = |of: &Candidate| of.belief.holds * (own_cost - of.cost);
            candidates.sort_by(|left, right| gain(right).total_cmp(&gain(left)));
        } else {
            candidates.sort_by(|left, right| left.belief.violation.total_cmp(&right.belief.violation));
        }
        candidates.truncate(MAX_PLACES);
        for Candidate { place, .. } in candidates {
            if !self.rays.predicted.contains(&place) {
                round.seeds(&search.evidence, &place, 0..1);
                self.rays.predicted.push(place);
            }
        }
    }

    /// Of the places along the ray of a group: the one with the greatest expected gain and the best that more likely than not keeps the
    /// targets. If the lead misses a target, `own_cost` is `None`, and it is the place that is predicted to miss least.
    fn best_of_group(&self, search: &Searcher, lead: usize, group: &[usize], own_cost: Option<f64>) -> Vec<Candidate> {
        let problem = &search.problem;
        let middle = &search.evidence.records[lead].place;
        let Some((surface, radius)) = self.ratio_surface(search, middle, group) else { return Vec::new() };
        let is_measured = problem.prefer.iter().any(|aim| matches!(aim.of, Quantity::Measure(_)));
        let costs = if is_measured { self.surface(search, middle, 1.0).0 } else { None };
        let predict = |place: Place| {
            let positions = surface.foretell(&ratio_offset(search, group, middle, &place).scaled(radius));
            let belief = search.evidence.foretold(problem, &positions[..problem.targets.len()], &self.counts);
            let measured = costs.as_ref().map(|costs| self.foretold(search, costs, middle, &place, 1.0).1);
            let exact = || self.cost(search, [0, 1].map(|aim| problem.factor_cost(aim, &place).unwrap_or(0.0)));
            let cost = measured.unwrap_or_else(exact);
            Candidate { place, belief, cost }
        };
        let places = scaled(problem, group, middle).into_iter();
        let unknown = places.filter(|place| search.evidence.find(place).is_none()).map(predict);
        let Some(own_cost) = own_cost else {
            let violation = search.evidence.belief(lead, &self.counts).violation;
            let nearer = unknown.filter(|of| of.belief.violation < violation);
            return nearer
                .min_by(|left, right| left.belief.violation.total_cmp(&right.belief.violation))
                .into_iter()
                .collect();
        };
        let (mut expected, mut likely): (Option<Candidate>, Option<Candidate>) = (None, None);
        let gain = |of: &Candidate| of.belief.holds * (own_cost - of.cost);
        for candidate in unknown.filter(|candidate| candidate.cost < own_cost) {
            if candidate.belief.holds >= 0.5 && likely.as_ref().is_none_or(|best| candidate.cost < best.cost) {
                likely = Some(Candidate { place: candidate.place.clone(), ..candidate });
            }
            if expected.as_ref().is_none_or(|best| gain(&candidate) > gain(best)) {
                expected = Some(candidate);
            }
        }
        expected.into_iter().chain(likely).collect()
    }

    /// The surface about the ratio of a group at a place, and its radius; `None` while there are too few results.
    fn ratio_surface(&self, search: &Searcher, middle: &[u32], group: &[usize]) -> Option<(Surface, f64)> {
        let records = search.evidence.records.iter().enumerate();
        let usable = records.filter(|(_, record)| !record.is_hopeless() && !record.seeds.is_empty());
        let mut near: Vec<(f64, usize, Offset)> = usable
            .map(|(at, record)| {
                let offset = ratio_offset(search, group, middle, &record.place);
                (offset.square(1.0), at, offset)
            })
            .collect();
        near.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        // Twice as many results within the radius as there are slopes and curvatures.
        let wanted = 4 * near.first()?.2.along.len() + 2;
        let radius = near.get(wanted.min(near.len()) - 1)?.0.sqrt().max(MIN_RADIUS);
        near.retain_mut(|(far, _, offset)| {
            *far = offset.square(radius);
            *far < 16.0
        });
        let near = near.into_iter().map(|(far, at, offset)| (far, at, offset.scaled(radius))).collect();
        Some((Self::fit(search, near)?, radius))
    }
}

/// The groups of factors of which a ratio may matter: those with positive numbers, two or more.
fn groups(problem: &Search) -> Vec<Vec<usize>> {
    let numbers: Vec<usize> = (0..problem.axes.len())
        .filter(|factor| {
            let axis = &problem.axes[*factor];
            !axis.is_words && axis.values.len() > 1 && axis.values.iter().all(|value| *value > 0.0)
        })
        .collect();
    if numbers.len() > MAX_GROUPED {
        let pairs = (0..numbers.len()).flat_map(|one| (one + 1..numbers.len()).map(move |other| [one, other]));
        let pairs = pairs.map(|pair| pair.map(|at| numbers[at]).to_vec());
        return pairs.chain([numbers.clone()]).collect();
    }
    let subsets = (0..1_u32 << numbers.len()).filter(|subset| subset.count_ones() > 1);
    let of = |subset: u32| (0..numbers.len()).filter(|at| subset >> at & 1 == 1).map(|at| numbers[at]).collect();
    subsets.map(of).collect()
}

/// The offset of a place from another one: of a group's factors the logarithm of each ratio, without their mean.
fn ratio_offset(search: &Searcher, group: &[usize], from: &[u32], to: &[u32]) -> Offset {
    let axes = &search.problem.axes;
    let mut offset = offset(search, from, to);
    let log = |factor: usize| {
        let value = |place: &[u32]| axes[factor].values[place[factor] as usize];
        libm::log(value(to) / value(from))
    };
    let mean = group.iter().map(|factor| log(*factor)).sum::<f64>() / group.len() as f64;
    for factor in group {
        let place = axes[..*factor].iter().filter(|axis| !axis.is_words).count();
        offset.along[place] = log(*factor) - mean;
    }
    offset
}

/// The places at which the numbers of a group are those of a place times one number, each rounded down and up to a value of its factor. One
/// of the factors, if possible one that is preferred, takes each of its values.
fn scaled(problem: &Search, group: &[usize], middle: &[u32]) -> Vec<Place> {
    let preferred = problem.prefer.iter().find_map(|aim| match aim.of {
        Quantity::Factor(factor) if group.contains(&factor) => Some(factor),
        _ => None,
    });
    let lead = preferred.unwrap_or(group[0]);
    let value = |factor: usize, at: u32| problem.axes[factor].values[at as usize];
    let mut places = Vec::new();
    for at in (0..=problem.at(lead, 1.0)).filter(|at| *at != middle[lead]) {
        let times = value(lead, at) / value(lead, middle[lead]);
        let mut own = middle.to_vec();
        own[lead] = at;
        let mut rounded = vec![own];
        for factor in group.iter().filter(|factor| **factor != lead) {
            let ends = around(&problem.axes[*factor].values, times * value(*factor, middle[*factor]));
            let with = |place: Place, at: u32| {
                let mut place = place;
                place[*factor] = at;
                place
            };
            rounded =
                rounded.into_iter().flat_map(|place| ends.iter().map(move |at| with(place.clone(), *at))).collect();
        }
        places.extend(rounded);
    }
    places
}

/// The places of the values next to a number, one or two, where values rise or fall.
fn around(values: &[f64], number: f64) -> Vec<u32> {
    let is_rising = values.first() <= values.last();
    let after = values.partition_point(|value| if is_rising { *value < number } else { *value > number });
    let last = values.len() - 1;
    let mut ends = vec![after.saturating_sub(1), after.min(last)];
    if values.get(after) == Some(&number) {
        ends.remove(0);
    }
    ends.dedup();
    ends.into_iter().map(qoscope_engine::kernel::convert::index_u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_between_values_is_rounded_to_both_sides() {
        let rising = [1.0, 2.0, 3.0, 5.0];
        assert_eq!(around(&rising, 2.4), [1, 2]);
        assert_eq!(around(&rising, 3.0), [2]);
        assert_eq!(around(&rising, 0.2), [0]);
        assert_eq!(around(&rising, 9.0), [3]);
        assert_eq!(around(&[5.0, 3.0, 2.0, 1.0], 2.4), [1, 2]);
    }
}
