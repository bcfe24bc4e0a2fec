//! The settings that no step of a search has led to: while no answer is found and runs are left, they are looked at as well.

use std::collections::BTreeSet;

use qoscope_engine::kernel::convert::{index_u32, saturated_u32};
use qoscope_engine::kernel::random::Stream;

use super::{Round, Searcher};
use crate::plan::Place;

/// Places that are compared in a round if the grid is too large to be listed.
const MAX_DRAWN: usize = 1000;

/// New places of a round, at least.
const MIN_PLACES: usize = 24;

/// Rounds in which all places are looked at, if there are enough runs.
const ROUNDS: usize = 6;

impl Searcher {
    /// More seeds for the places that come nearest, and some places that were never looked at: half of them those that a surface over all
    /// results predicts to come nearest, half of them spread over all.
    pub(super) fn remaining(&self, runs: usize) -> Round {
        let mut round = Round::default();
        let walk = &self.walks[0];
        let order = self.ranked(walk);
        let Some(lead) = order.first().copied() else { return round };
        walk.strengthen(self, lead, &order, true, &mut round);
        let mut places = self.unseen();
        let count = (places.len().min(runs) / ROUNDS).max(MIN_PLACES);
        if places.len() > count {
            let middle = &self.evidence.records[lead].place;
            if let (Some(surface), _) = walk.surface(self, middle, 1.0) {
                let violation = |place: &Place| walk.foretold(self, &surface, middle, place, 1.0).0.violation;
                let mut rated: Vec<(f64, Place)> = places.into_iter().map(|place| (violation(&place), place)).collect();
                rated.sort_by(|left, right| left.0.total_cmp(&right.0).then_with(|| left.1.cmp(&right.1)));
                places = rated.into_iter().map(|(_, place)| place).collect();
            }
            let rest = places.split_off(count / 2);
            let every = (rest.len() / (count - places.len())).max(1);
            places.extend(rest.into_iter().step_by(every).take(count - count / 2));
        }
        for place in places {
            round.seeds(&self.evidence, &place, 0..1);
        }
        round
    }

    /// Some of the places that were never looked at, evenly among them.
    pub(super) fn some_unseen(&self, count: usize) -> Vec<Place> {
        let places = self.unseen();
        let every = places.len().div_ceil(count).max(1);
        places.into_iter().step_by(every).collect()
    }

    /// The places that were never looked at: all of them, or some drawn at random if the grid is large beside the runs allowed.
    pub(super) fn unseen(&self) -> Vec<Place> {
        let problem = &self.problem;
        if problem.grid() <= 4.0 * f64::from(problem.max_runs).max(MAX_DRAWN as f64) {
            let longer = |places: Vec<Place>, factor: usize| {
                let count = index_u32(problem.count(factor));
                places
                    .into_iter()
                    .flat_map(|place| (0..count).map(move |at| [place.as_slice(), &[at]].concat()))
                    .collect()
            };
            let all = (0..problem.axes.len()).fold(vec![Place::new()], longer);
            return all.into_iter().filter(|place| self.evidence.find(place).is_none()).collect();
        }
        let mut stream = Stream::new(self.evidence.records.len() as u64, "settings never looked at", 0);
        let mut drawn = BTreeSet::new();
        for _ in 0..4 * MAX_DRAWN {
            let mut at = |factor: usize| saturated_u32(stream.integer(0, problem.count(factor) as u64 - 1));
            let place: Place = (0..problem.axes.len()).map(&mut at).collect();
            if self.evidence.find(&place).is_none() && drawn.len() < MAX_DRAWN {
                drawn.insert(place);
            }
        }
        drawn.into_iter().collect()
    }
}
