//! How far each factor may move alone from the answer, and whether that shows a better one.

use super::outcome::Break;
use super::{MOST_FAILURES, Round, Searcher};
use crate::plan::Place;

/// Of the seeds of a point, those that its first neighbours are given when margins are looked for.
const MARGIN_SEEDS: u32 = 3;

/// Rounds that halve the distance between a factor's last value that holds and the first that does not.
const MARGIN_ROUNDS: u32 = 2;

impl Searcher {
    /// A place about the answer that is preferred to it, and of which the runs for the margins have made sure: it was not sure enough
    /// before. Of two preferences the trade-off tells such places.
    pub(super) fn better(&self) -> Option<Place> {
        let (answer, ..) = self.confirmed.first()?;
        let answer = &self.evidence.records[self.evidence.find(answer)?];
        if self.problem.prefer.len() != 1 || self.left() < self.problem.confirm || self.failures >= MOST_FAILURES {
            return None;
        }
        let cost = |at: usize| self.evidence.records[at].costs[0];
        let is_better = |at: &usize| {
            let is_sure = || self.evidence.belief(*at, &self.walks[0].counts).holds >= self.sure;
            cost(*at) < answer.costs[0] && !self.evidence.records[*at].is_dropped && is_sure()
        };
        let better = (0..self.evidence.records.len()).filter(is_better);
        let best = better.min_by(|left, right| cost(*left).total_cmp(&cost(*right)));
        best.map(|at| self.evidence.records[at].place.clone())
    }

    /// Whether all targets surely hold at a place that margins are looked for at.
    fn keeps(&self, place: &[u32]) -> Option<bool> {
        let at = self.evidence.find(place)?;
        let record = &self.evidence.records[at];
        let is_confirmed = self.confirmed.iter().any(|(confirmed, ..)| confirmed == place);
        Some(is_confirmed || !record.is_dropped && self.evidence.belief(at, &self.walks[0].counts).holds >= self.sure)
    }

    /// A factor moved alone one way: the last place up to which all that was tried holds, and the first that breaks.
    pub(super) fn reach(&self, place: &[u32], factor: usize, is_up: bool) -> (u32, Option<u32>) {
        let (own, mut last) = (place[factor], place[factor]);
        let end = if is_up { self.problem.at(factor, 1.0) } else { 0 };
        let mut other = place.to_vec();
        let steps = own.abs_diff(end);
        for step in 1..=steps {
            other[factor] = if is_up { own + step } else { own - step };
            match self.keeps(&other) {
                Some(true) => last = other[factor],
                Some(false) => return (last, Some(other[factor])),
                None => {}
            }
        }
        (last, None)
    }

    /// Runs about the answer: the first guess, its neighbours, further ones at twice the distance each, and then what lies between the
    /// last that holds and the first that breaks.
    pub(super) fn margins(&self, done: u32) -> Round {
        let mut round = Round::default();
        let Some((place, ..)) = self.confirmed.first() else { return round };
        if let Some(guess) = self.problem.recommended().filter(|_| done == 0) {
            round.seeds(&self.evidence, &guess, 0..self.problem.seeds);
        }
        let few = self.problem.seeds.min(MARGIN_SEEDS);
        for (factor, axis) in
            self.problem.axes.iter().enumerate().filter(|(_, axis)| !axis.is_words && axis.values.len() > 1)
        {
            let last_place = self.problem.at(factor, 1.0);
            for is_up in [false, true] {
                let at = |distance: u32| {
                    if is_up {
                        (place[factor] + distance).min(last_place)
                    } else {
                        place[factor].saturating_sub(distance)
                    }
                };
                let mut wanted = Vec::new();
                if done == 0 {
                    let mut distance = 1;
                    while at(distance) != place[factor] && at(distance) != at(distance / 2)
                        || distance == 1 && at(1) != place[factor]
                    {
                        wanted.push((at(distance), if distance == 1 { self.problem.seeds } else { few }));
                        if distance as usize > axis.values.len()
                            || self.keeps_at(place, factor, at(distance)) == Some(false)
                        {
                            break;
                        }
                        distance *= 2;
                    }
                } else if done <= MARGIN_ROUNDS {
                    let (holds, breaks) = self.reach(place, factor, is_up);
                    if let Some(breaks) = breaks.filter(|breaks| breaks.abs_diff(holds) > 1) {
                        wanted.push(((holds + breaks) / 2, few));
                    }
                }
                for (value, seeds) in wanted {
                    let mut other = place.clone();
                    other[factor] = value;
                    round.seeds(&self.evidence, &other, 0..seeds);
                }
            }
        }
        round
    }

    fn keeps_at(&self, place: &[u32], factor: usize, value: u32) -> Option<bool> {
        let mut other = place.to_vec();
        other[factor] = value;
        self.keeps(&other)
    }

    /// What breaks where a factor is moved alone.
    pub(super) fn broken(&self, place: &[u32], factor: usize, value: u32) -> Break {
        let mut other = place.to_vec();
        other[factor] = value;
        let what = self.evidence.find(&other).map_or(Ok((0, None)), |at| {
            let record = &self.evidence.records[at];
            if let Some(why) = &record.why {
                return Err(why.clone());
            }
            let weakest = self.evidence.weakest(at).unwrap_or(0);
            let numbers = record.numbers(self.problem.measures, self.problem.targets[weakest].measure, |_| true);
            let numbers: Vec<f64> = numbers.flatten().collect();
            Ok((weakest, (!numbers.is_empty()).then(|| qoscope_figures::statistics::mean(&numbers))))
        });
        Break { at: value, what }
    }
}
