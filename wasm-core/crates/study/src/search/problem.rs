//! What a search is asked.

use qoscope_engine::kernel::convert::{rounded, saturated_u32, whole_index};

use crate::document::Wanted;
use crate::plan::{Axis, Place};

/// A bound of a measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The measure, by its place.
    pub measure: usize,
    /// Most that it may be.
    pub at_most: Option<f64>,
    /// Least that it may be.
    pub at_least: Option<f64>,
    /// Share of seeds in which it must hold.
    pub confidence: f64,
}

impl Bound {
    pub(super) fn holds(&self, number: f64) -> bool {
        self.at_most.is_none_or(|most| number <= most) && self.at_least.is_none_or(|least| number >= least)
    }

    /// Of so many seeds those in which it must hold.
    pub(super) fn needed(&self, of: u32) -> u32 {
        (0..=of).find(|held| f64::from(*held) >= self.confidence * f64::from(of) - 1e-9).unwrap_or(of)
    }
}

/// Something that has a number at every point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The mean of a measure, by its place.
    Measure(usize),
    /// The value of a factor, by its place.
    Factor(usize),
}

/// Something that is to be least or most.
#[derive(Clone, Debug, PartialEq)]
pub struct Aim {
    /// What.
    pub of: Quantity,
    /// Which way.
    pub wanted: Wanted,
}

/// What is looked for, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// What varies.
    pub axes: Vec<Axis>,
    /// How many measures every run has.
    pub measures: usize,
    /// What must hold.
    pub targets: Vec<Bound>,
    /// One or two things that are to be least or most.
    pub prefer: Vec<Aim>,
    /// Seeds that points are compared by, twice as many where that leaves a doubt; confirmations use those that follow.
    pub seeds: u32,
    /// Seeds of a confirmation.
    pub confirm: u32,
    /// Most runs.
    pub max_runs: u32,
}

impl Search {
    /// What a place costs in a preference that is a factor: its value, on the scale of its axis from 0 to 1; none of a measure.
    pub(super) fn factor_cost(&self, preference: usize, place: &[u32]) -> Option<f64> {
        let aim = self.prefer.get(preference)?;
        let Quantity::Factor(factor) = aim.of else { return None };
        let axis = &self.axes[factor];
        // A list of values may fall: what is least is decided by values, not by places.
        let (first, last) = (axis.values.first()?, axis.values.last()?);
        let at = f64::from(place[factor]) / (self.count(factor) - 1).max(1) as f64;
        let is_rising = last >= first;
        let sign = if (aim.wanted == Wanted::Min) == is_rising { 1.0 } else { -1.0 };
        Some(sign * at)
    }

    /// Places that are looked at first.
    pub(super) fn spread_size(&self) -> usize {
        spread_size(self.axes.iter().map(|axis| (axis.values.len(), axis.is_words)))
    }

    /// The first seed that the search never compares by.
    pub(super) fn fresh(&self) -> u32 {
        2 * self.seeds
    }

    /// How many values a factor has.
    pub(super) fn count(&self, factor: usize) -> usize {
        self.axes[factor].values.len().max(1)
    }

    /// How many points there are.
    pub fn grid(&self) -> f64 {
        (0..self.axes.len()).map(|factor| self.count(factor) as f64).product()
    }

    /// Where the factor lies in its range, from 0 to 1.
    pub(super) fn unit(&self, factor: usize, place: u32) -> f64 {
        f64::from(place) / (self.count(factor) - 1).max(1) as f64
    }

    /// The place at a part of the range, from 0 to 1.
    pub(super) fn at(&self, factor: usize, part: f64) -> u32 {
        let last = (self.count(factor) - 1) as f64;
        saturated_u32(rounded(part.clamp(0.0, 1.0) * last))
    }

    /// The scenario as it is.
    pub(super) fn present(&self) -> Option<Place> {
        self.axes.iter().map(|axis| axis.present).collect()
    }

    /// The scenario with what theory recommends; none where theory says nothing.
    pub(super) fn recommended(&self) -> Option<Place> {
        let says_something = self.axes.iter().any(|axis| axis.recommended.is_some());
        says_something.then(|| self.axes.iter().map(|axis| axis.recommended.or(axis.present).unwrap_or(0)).collect())
    }
}

/// Places that a search looks at first, by the number of values of each factor and whether they are words.
fn spread_size(axes: impl Iterator<Item = (usize, bool)> + Clone) -> usize {
    let ordered = axes.clone().filter(|(count, is_words)| !is_words && *count > 1).count();
    let arms: usize = axes.clone().filter(|(_, is_words)| *is_words).map(|(count, _)| count).product();
    let usual = 4 + 4 * ordered + 2 * arms.saturating_sub(1).min(12);
    let grid = axes.fold(1.0, |grid, (count, _)| grid * count.max(1) as f64);
    usual.min(whole_index(grid / 4.0).max(3))
}

/// Runs that a search usually makes, by the number of values of each factor and whether they are words: half of the random questions of the
/// tests take fewer, half take more.
pub(crate) fn usual_runs(axes: impl Iterator<Item = (usize, bool)> + Clone, seeds: u32, confirm: u32) -> u32 {
    let ordered = saturated_u32(axes.clone().filter(|(count, is_words)| !is_words && *count > 1).count());
    let spread = saturated_u32(spread_size(axes));
    // The spread and as many in the first steps; all seeds of the lead and of a rival; the confirmation; both neighbours of the answer along
    // each factor, and points further away.
    2 * spread + 3 * seeds + confirm + (2 * seeds + 16) * ordered
}
