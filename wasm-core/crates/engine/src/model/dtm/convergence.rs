//! When a class has converged.

use super::{Initial, Model, Parameters};

/// Slot and time from which a quality factor stays in the band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Convergence {
    /// Number of the common slot, from 0.
    pub slot: u64,
    /// Start of that slot, in seconds.
    pub start_s: f64,
}

/// First slot from which `slots` qualities in a row lie within `band` of 1, if there is one.
pub fn convergence_slot(qualities: impl IntoIterator<Item = f64>, band: f64, slots: u64) -> Option<u64> {
    let mut run = 0;
    for (slot, quality) in (0..).zip(qualities) {
        run = if (quality - 1.0).abs() <= band { run + 1 } else { 0 };
        if run == slots {
            return Some(slot + 1 - slots);
        }
    }
    None
}

/// When each class converges: from when on its Q stays within `band` of 1 for `slots` of its own slots, looking at no more
/// than `limit` common slots.
pub fn converge(
    parameters: Parameters,
    initial: Initial,
    band: f64,
    slots: f64,
    limit: u64,
) -> Vec<Option<Convergence>> {
    let mut search = ConvergenceSearch::new(parameters.classes.len(), band, slots);
    let mut model = Model::new(parameters, initial);
    for _ in 0..limit {
        model.step();
        if search.look(&model) {
            break;
        }
    }
    search.found().to_vec()
}

/// The search for convergence in a model that runs.
#[derive(Clone, Debug)]
pub struct ConvergenceSearch {
    band: f64,
    slots: f64,
    /// Of each class: the own slots it has been in the band for, and since when.
    stays: Vec<(f64, Convergence)>,
    found: Vec<Option<Convergence>>,
}

/// Room for the rounding of a sum of fractions of slots.
const ROUNDING: f64 = 1e-9;

impl ConvergenceSearch {
    /// Looks for a quality factor within `band` of 1 for `slots` own slots, for each of `classes`.
    pub fn new(classes: usize, band: f64, slots: f64) -> Self {
        let none = (0.0, Convergence { slot: 0, start_s: 0.0 });
        Self { band, slots, stays: vec![none; classes], found: vec![None; classes] }
    }

    /// Looks at the slot just computed. True once every class has converged.
    pub fn look(&mut self, model: &Model) -> bool {
        for ((state, stay), found) in model.classes().iter().zip(&mut self.stays).zip(&mut self.found) {
            let inside = (state.quality - 1.0).abs() <= self.band;
            if !inside {
                stay.0 = 0.0;
                continue;
            }
            if stay.0 == 0.0 {
                stay.1 = Convergence { slot: model.slot(), start_s: model.start_s() };
            }
            stay.0 += state.fraction;
            if stay.0 >= self.slots - ROUNDING && found.is_none() {
                *found = Some(stay.1);
            }
        }
        self.found.iter().all(Option::is_some)
    }

    /// What has been found so far, by class.
    pub fn found(&self) -> &[Option<Convergence>] {
        &self.found
    }
}
