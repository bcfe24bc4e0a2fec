//! WF2Q+: every tenant has its share of the server, and within it one queue (see [`super::fair`]).

use std::collections::VecDeque;

use super::Waiting;
use super::fair::FairShares;

/// Queues of all tenants.
#[derive(Clone, Debug, Default)]
pub struct Wf2qPlus {
    shares: FairShares,
    queues: Vec<VecDeque<Waiting>>,
}

impl Wf2qPlus {
    /// Nothing waits.
    pub(super) fn new(weights: &[f64]) -> Self {
        Self { shares: FairShares::new(weights), queues: vec![VecDeque::new(); weights.len()] }
    }

    /// Changes the shares.
    pub(super) fn set(&mut self, weights: &[f64]) {
        self.shares.set(weights);
    }

    /// A request waits from now on.
    pub(super) fn arrive(&mut self, waiting: Waiting) {
        self.shares.arrive(waiting.tenant as usize);
        self.queues[waiting.tenant as usize].push_back(waiting);
    }

    /// The request that is served next.
    pub(super) fn next(&mut self) -> Option<Waiting> {
        let tenant = self.shares.choose()?;
        self.queues[tenant].pop_front()
    }

    /// Requests that wait.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Waiting> {
        self.queues.iter().flatten()
    }
}
