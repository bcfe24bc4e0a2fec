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

/// When each class converges: the start of its first `slots` slots in a row with Q within `band` of 1, looking at no more
/// than `limit` slots.
pub fn converge(
    parameters: Parameters,
    initial: Initial,
    band: f64,
    slots: u64,
    limit: u64,
) -> Vec<Option<Convergence>> {
    let mut search = Search::new(parameters.classes.len(), band, slots);
    let mut model = Model::new(parameters, initial);
    for _ in 0..limit {
        model.step();
        if search.look(&model) {
            break;
        }
    }
    search.found
}

/// The search for convergence in a model that runs.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    band: f64,
    slots: u64,
    runs: Vec<(u64, Convergence)>,
    pub(crate) found: Vec<Option<Convergence>>,
}

impl Search {
    pub(crate) fn new(classes: usize, band: f64, slots: u64) -> Self {
        let none = (0, Convergence { slot: 0, start_s: 0.0 });
        Self { band, slots, runs: vec![none; classes], found: vec![None; classes] }
    }

    /// Looks at the slot just computed. True once every class has converged.
    pub(crate) fn look(&mut self, model: &Model) -> bool {
        for ((state, run), found) in model.classes().iter().zip(&mut self.runs).zip(&mut self.found) {
            if (state.quality - 1.0).abs() > self.band || state.quality.is_nan() {
                run.0 = 0;
                continue;
            }
            if run.0 == 0 {
                run.1 = Convergence { slot: model.slot(), start_s: model.start_s() };
            }
            run.0 += 1;
            if run.0 >= self.slots && found.is_none() {
                *found = Some(run.1);
            }
        }
        self.found.iter().all(Option::is_some)
    }
}
