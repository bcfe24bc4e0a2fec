//! When a class has converged.

use std::collections::VecDeque;

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

/// When a class counts as converged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// Q stays within the band for so many own slots.
    Stay,
    /// The mean of Q over so many own slots lies within the band, as the simulation has it.
    Mean,
}

/// When each class converges: from when on its Q stays within `band` of 1 for `slots` of its own slots, looking at no more
/// than `limit` common slots.
pub fn converge(
    parameters: Parameters,
    initial: Initial,
    band: f64,
    slots: usize,
    limit: u64,
) -> Vec<Option<Convergence>> {
    let mut search = ConvergenceSearch::new(parameters.classes.len(), Criterion::Stay, band, slots);
    let mut model = Model::new(parameters, initial);
    for _ in 0..limit {
        model.step();
        if search.look(&model) {
            break;
        }
    }
    search.found()
}

/// The search for convergence in a model that runs.
#[derive(Clone, Debug)]
pub struct ConvergenceSearch {
    criterion: Criterion,
    band: f64,
    slots: usize,
    classes: Vec<Watch>,
}

/// The search for one class.
#[derive(Clone, Debug)]
struct Watch {
    /// Q of the last own slots, and when they were.
    recent: VecDeque<(f64, Convergence)>,
    found: Option<Convergence>,
}

impl ConvergenceSearch {
    /// Looks for a quality factor within `band` of 1 over `slots` own slots, for each of `classes`.
    pub fn new(classes: usize, criterion: Criterion, band: f64, slots: usize) -> Self {
        let watch = Watch { recent: VecDeque::with_capacity(slots), found: None };
        Self { criterion, band, slots, classes: vec![watch; classes] }
    }

    /// Looks at the slot just computed. True once every class has converged.
    pub fn look(&mut self, model: &Model) -> bool {
        let (criterion, band, slots) = (self.criterion, self.band, self.slots);
        let now = Convergence { slot: model.slot(), start_s: model.start_s() };
        let classes = model.classes().iter().zip(model.qualities_of_demand()).zip(&mut self.classes);
        for ((state, quality), watch) in classes.filter(|(_, watch)| watch.found.is_none()) {
            if !state.active {
                watch.recent.clear();
            } else if state.decided {
                if watch.recent.len() == slots {
                    watch.recent.pop_front();
                }
                watch.recent.push_back((quality, now));
                let qualities = || watch.recent.iter().map(|(quality, _)| *quality);
                let near = |quality: f64| (quality - 1.0).abs() <= band;
                let converged = watch.recent.len() == slots
                    && match criterion {
                        Criterion::Stay => qualities().all(near),
                        Criterion::Mean => near(qualities().sum::<f64>() / slots as f64),
                    };
                watch.found = if converged { watch.recent.front().map(|(_, since)| *since) } else { None };
            }
        }
        self.classes.iter().all(|watch| watch.found.is_some())
    }

    /// What has been found so far, by class.
    pub fn found(&self) -> Vec<Option<Convergence>> {
        self.classes.iter().map(|watch| watch.found).collect()
    }
}
