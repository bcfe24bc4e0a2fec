//! The planner of sweeps: the grid, seeds where intervals are wider than asked, and points where curves bend.

use std::collections::BTreeSet;

use crate::document::Scale;
use crate::interval::{Width, interval, seeds_for};
use crate::plan::{Axis, Known, Place, Said, Wish};

/// Runs of a round at least, where there are so many: enough for many workers.
const ROUND: u64 = 1024;
/// Rounds at most, but for the last seeds: what is known is looked through in each.
const ROUNDS: u64 = 32;
/// Points that are added at a time: enough to keep workers busy, few enough to lie where they should.
const ADDED_AT_ONCE: usize = 4;
/// How far a curve must lie off the straight line between its points for another one to be added, as a part of its whole height.
const BEND: f64 = 0.01;

/// A sweep as its planner sees it.
pub(crate) struct Sweep {
    /// What varies.
    pub(crate) axes: Vec<Axis>,
    /// The places of the study's own values of each factor; between them others may be added.
    pub(crate) own: Vec<Vec<u32>>,
    /// Measures of every run.
    pub(crate) measures: usize,
    /// Seeds of every point at first.
    pub(crate) seeds: u32,
    /// How wide intervals may be.
    pub(crate) within: Option<Asked>,
    /// Points that may be added where curves bend.
    pub(crate) bends: u32,
}

/// How wide intervals may be.
pub(crate) struct Asked {
    pub(crate) width: Width,
    /// Of these measures.
    pub(crate) measures: Vec<usize>,
    /// Most seeds of a point.
    pub(crate) most: u32,
}

/// What the planner says, and how many seeds it wants of each place.
pub(crate) struct SweepSaid {
    pub(crate) said: Said<()>,
    pub(crate) seeds: Vec<u32>,
}

impl Sweep {
    pub(crate) fn next(&self, known: &impl Known) -> SweepSaid {
        let mut places: BTreeSet<Place> = self.grid().into_iter().collect();
        let grid = places.len();
        // What was added before follows from what is known, like everything else.
        loop {
            let seeds: Vec<u32> = places.iter().map(|place| self.seeds_at(place, known)).collect();
            let wishes = wishes(&places, &seeds, known);
            let added = places.len() - grid;
            let is_done = wishes.is_empty();
            let further =
                if is_done { self.bent(&places, &seeds, self.bends as usize - added, known) } else { Vec::new() };
            if further.is_empty() {
                let doing = match (added, seeds.iter().any(|seeds| *seeds > self.seeds)) {
                    _ if is_done => "Done",
                    (0, false) => "Running all points",
                    (0, true) => "Adding seeds where intervals are wide",
                    _ => "Adding points where the curve bends",
                };
                let said = Said {
                    wishes,
                    places: places.into_iter().collect(),
                    standings: Vec::new(),
                    doing: doing.into(),
                    answer: is_done.then_some(()),
                };
                return SweepSaid { said, seeds };
            }
            places.extend(further);
        }
    }

    /// The points of the study, the first factor changing slowest.
    fn grid(&self) -> Vec<Place> {
        let mut places = vec![Place::new()];
        for own in &self.own {
            let longer = |place: &Place, value: u32| place.iter().copied().chain([value]).collect();
            places = places.iter().flat_map(|place| own.iter().map(move |value| longer(place, *value))).collect();
        }
        places
    }

    /// The seeds that a point takes: those of the study, and more as long as its first ones do not suffice. Only a complete prefix of them
    /// decides, so that it does not matter which results come first.
    fn seeds_at(&self, place: &[u32], known: &impl Known) -> u32 {
        let mut seeds = self.seeds;
        let Some(asked) = &self.within else { return seeds };
        while let Some(numbers) = self.numbers(place, seeds, known) {
            let needs = |measure: &usize| seeds_for(asked.width, &numbers[*measure], self.seeds, asked.most);
            let needed = asked.measures.iter().map(needs).max().unwrap_or(seeds);
            if needed <= seeds {
                break;
            }
            seeds = needed;
        }
        seeds
    }

    /// What the first seeds of a point gave, of each measure; none where one is not known, or the point is refused.
    fn numbers(&self, place: &[u32], seeds: u32, known: &impl Known) -> Option<Vec<Vec<Option<f64>>>> {
        if known.refused(place).is_some() {
            return None;
        }
        let mut numbers = vec![Vec::new(); self.measures];
        for seed in 0..seeds {
            let outcome = known.outcome(place, seed)?;
            for (measure, numbers) in numbers.iter_mut().enumerate() {
                numbers.push(outcome.ok().and_then(|of| of[measure]));
            }
        }
        Some(numbers)
    }

    /// Where to add points: in the middle of the gaps in which a curve lies farthest off the straight line between its points, beyond what
    /// chance explains.
    fn bent(&self, places: &BTreeSet<Place>, seeds: &[u32], most: usize, known: &impl Known) -> Vec<Place> {
        if most == 0 {
            return Vec::new();
        }
        let points: Vec<(u32, Vec<Vec<Option<f64>>>)> = places
            .iter()
            .zip(seeds)
            .filter_map(|(place, seeds)| Some((place[0], self.numbers(place, *seeds, known)?)))
            .collect();
        let x: Vec<f64> = points.iter().map(|(place, _)| self.on_scale(*place)).collect();
        // Of each gap what the points about its left and its right end say: where it is bent itself, both do.
        let mut bends = vec![[0.0_f64; 2]; points.len().saturating_sub(1)];
        for measure in 0..self.measures {
            let curve: Vec<&[Option<f64>]> = points.iter().map(|(_, numbers)| numbers[measure].as_slice()).collect();
            let means = curve.iter().filter_map(|numbers| Some(interval(numbers, None)?.value));
            let (low, high) =
                means.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), mean| (low.min(mean), high.max(mean)));
            if high <= low {
                continue;
            }
            for at in 1..curve.len().saturating_sub(1) {
                let (left, right) = (x[at] - x[at - 1], x[at + 1] - x[at]);
                let off = off_the_line([curve[at - 1], curve[at], curve[at + 1]], left / (left + right));
                for (gap, width, end) in [(at - 1, left, 1), (at, right, 0)] {
                    // A parabola through three points that lies `off` the line at the middle one leaves so much in the middle of a gap.
                    let error = off * width * width / (4.0 * left * right) / (high - low);
                    bends[gap][end] = bends[gap][end].max(error);
                }
            }
        }
        let last = bends.len().saturating_sub(1);
        let bends = bends.into_iter().enumerate().map(|(gap, [left, right])| match gap {
            0 => right / 2.0,
            gap if gap == last => left / 2.0,
            _ => left.min(right),
        });
        let middle = |gap: usize| self.middle(points[gap].0, points[gap + 1].0);
        let mut found: Vec<(f64, u32)> =
            bends.enumerate().filter_map(|(gap, bend)| Some((bend, middle(gap)?))).collect();
        found.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let least = BEND.max(found.first().map_or(0.0, |most| most.0 / 2.0 * (1.0 + 1e-9)));
        let found = found.into_iter().filter(|(bend, _)| *bend > least);
        found.take(most.min(ADDED_AT_ONCE)).map(|(_, place)| vec![place]).collect()
    }

    fn on_scale(&self, place: u32) -> f64 {
        let value = self.axes[0].values[place as usize];
        if self.axes[0].scale == Scale::Log { libm::log(value) } else { value }
    }

    /// The place between two others that is nearest to the middle of the axis between them; none where there is none.
    fn middle(&self, from: u32, to: u32) -> Option<u32> {
        let middle = (self.on_scale(from) + self.on_scale(to)) / 2.0;
        let distance = |place: &u32| (self.on_scale(*place) - middle).abs();
        (from + 1..to).min_by(|one, other| distance(one).total_cmp(&distance(other)))
    }
}

/// How far the middle one of three points lies off the line between the others, seed by seed, beyond what chance explains. It divides the way
/// between them at `part`.
fn off_the_line([left, middle, right]: [&[Option<f64>]; 3], part: f64) -> f64 {
    let of_seed = |((left, middle), right): ((&Option<f64>, &Option<f64>), &Option<f64>)| {
        let (left, middle, right) = ((*left)?, (*middle)?, (*right)?);
        Some(middle - (left + (right - left) * part))
    };
    let off: Vec<Option<f64>> = left.iter().zip(middle).zip(right).map(of_seed).collect();
    interval(&off, None).map_or(0.0, |off| off.low.max(-off.high).max(0.0))
}

/// The runs that are not known, one seed of all points after the other, so that whole curves are there soon.
fn wishes(places: &BTreeSet<Place>, seeds: &[u32], known: &impl Known) -> Vec<Wish> {
    let round = ROUND.max(seeds.iter().copied().map(u64::from).sum::<u64>() / ROUNDS);
    let mut wishes = Vec::new();
    for seed in 0..seeds.iter().copied().max().unwrap_or(0) {
        let wanted = places.iter().zip(seeds).filter(|(_, seeds)| seed < **seeds).map(|(place, _)| place);
        let missing = wanted.filter(|place| known.refused(place).is_none() && known.outcome(place, seed).is_none());
        wishes.extend(missing.map(|place| Wish { place: place.clone(), seed }));
        if wishes.len() as u64 >= round {
            break;
        }
    }
    wishes
}
