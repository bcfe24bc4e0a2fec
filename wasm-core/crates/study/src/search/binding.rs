//! Where no place keeps the targets: the one that comes nearest, and the targets that bind there.

use qoscope_engine::kernel::convert::saturated_u32;

use super::walk::{Goal, Walk};
use super::{Searcher, Step};

impl Searcher {
    /// No place is confirmed: the one that comes nearest is that which holds most often of those confirmed, or misses least.
    pub(super) fn take_nearest(&mut self) {
        let counts = self.walks[0].counts.clone();
        // What would have been confirmed next, where runs are at their end.
        let lead = self.walks[0].lead.filter(|at| self.walks[0].is_met(self, *at));
        let key = |at: &usize| {
            let record = &self.evidence.records[*at];
            let fresh = record.seeds.iter().filter(|seed| **seed >= self.problem.fresh()).count();
            (self.evidence.belief(*at, &counts).violation, std::cmp::Reverse(fresh))
        };
        let places = 0..self.evidence.records.len();
        let best = places.min_by(|left, right| {
            let (left, right) = (key(left), key(right));
            left.0.total_cmp(&right.0).then(left.1.cmp(&right.1))
        });
        self.nearest = lead.or(best).map(|at| {
            let record = &self.evidence.records[at];
            let fresh: Vec<u32> = record.seeds.iter().copied().filter(|seed| *seed >= self.problem.fresh()).collect();
            let first = fresh.first().copied().unwrap_or(self.problem.fresh());
            let count = saturated_u32(fresh.len());
            (record.place.clone(), first, count, self.confirmations)
        });
        self.step = if self.nearest.is_some() { Step::Binding } else { self.finished() };
    }

    /// Of each target that the nearest place misses: is there a place at which all others hold?
    pub(super) fn look_for_binding(&mut self) {
        let Some(at) = self.nearest.as_ref().and_then(|(place, ..)| self.evidence.find(place)) else {
            self.step = self.finished();
            return;
        };
        if self.problem.targets.len() == 1 {
            self.step = self.finished();
            return;
        }
        for target in self.missed(at) {
            if self.without.iter().any(|(known, _)| *known == target) {
                continue;
            }
            let mut counts = vec![true; self.problem.targets.len()];
            counts[target] = false;
            let holds = |at: &usize| self.evidence.belief(*at, &counts).holds >= 0.5;
            let place = (0..self.evidence.records.len()).find(holds);
            if let Some(place) = place {
                self.without.push((target, self.evidence.records[place].place.clone()));
            } else if self.walks.iter().all(|walk| walk.counts != counts)
                && self.left() > 0
                && self.evidence.records[at].why.is_none()
            {
                self.walks.push(Walk::new(Goal::Any, counts));
                self.step = Step::Walk(self.walks.len() - 1);
                return;
            }
        }
        self.step = self.finished();
    }

    /// The targets that a place misses, by the seeds that are known of it.
    pub(super) fn missed(&self, at: usize) -> Vec<usize> {
        let misses = |target: &usize| self.evidence.margin(at, *target).is_none_or(|margin| margin < 0.0);
        let missed: Vec<usize> = (0..self.problem.targets.len()).filter(misses).collect();
        if !missed.is_empty() {
            return missed;
        }
        self.evidence.weakest(at).into_iter().collect()
    }
}
