//! The planner of sweeps: which runs of a grid are wanted next.

use crate::plan::{Known, Place, Said, Wish};
use crate::table::Standing;

/// Runs of a round at least, where there are so many: enough for many workers, few enough to be listed.
const ROUND: usize = 1024;

/// A sweep as its planner sees it.
pub(crate) struct Sweep {
    /// Values of each factor, those between two of the study included.
    pub(crate) values: Vec<u32>,
    /// Places from one value of the study to the next.
    pub(crate) step: u32,
    /// Seeds of every point.
    pub(crate) seeds: u32,
}

/// What the planner says, and how many seeds it wants of each place.
pub(crate) struct SweepSaid {
    pub(crate) said: Said<()>,
    pub(crate) seeds: Vec<u32>,
}

impl Sweep {
    /// The points of the study, the first factor changing slowest.
    fn grid(&self) -> Vec<Place> {
        let mut places = vec![Place::new()];
        for count in &self.values {
            let longer = |place: &Place, value: u32| place.iter().copied().chain([value]).collect();
            places = places
                .iter()
                .flat_map(|place| (0..*count).step_by(self.step as usize).map(move |value| longer(place, value)))
                .collect();
        }
        places
    }

    pub(crate) fn next(&self, known: &impl Known) -> SweepSaid {
        let places = self.grid();
        let seeds = vec![self.seeds; places.len()];
        let mut wishes = Vec::new();
        // One seed of all points after the other, so that whole curves are there soon.
        for seed in 0..self.seeds {
            let missing = places.iter().filter(|place| known.outcome(place, seed).is_none());
            wishes.extend(missing.map(|place| Wish { place: place.clone(), seed }));
            if wishes.len() >= ROUND {
                break;
            }
        }
        let answer = wishes.is_empty().then_some(());
        let standings: Vec<Standing> = Vec::new();
        SweepSaid { said: Said { wishes, places, standings, doing: "Running all points".into(), answer }, seeds }
    }
}
