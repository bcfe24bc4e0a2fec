//! Earliest deadline first on a single level: the deadline of every request is its arrival and the response time that its
//! tenant was promised for the innermost class, conforming or not.

use std::collections::VecDeque;

use super::{Contract, Waiting};

/// Queues of the tenants, each in the order of its deadlines.
#[derive(Clone, Debug, Default)]
pub struct Edf {
    /// By tenant.
    queues: Vec<VecDeque<Waiting>>,
    /// By tenant: δ of its innermost class; none where nothing is promised.
    responses_ps: Vec<Option<u64>>,
}

impl Edf {
    /// Nothing waits.
    pub(super) fn new(contracts: &[Contract]) -> Self {
        let mut edf = Self { queues: vec![VecDeque::new(); contracts.len()], responses_ps: Vec::new() };
        edf.set(contracts);
        edf
    }

    /// Changes what is promised.
    pub(super) fn set(&mut self, contracts: &[Contract]) {
        self.responses_ps = contracts.iter().map(|contract| contract.response_ps(0)).collect();
    }

    /// A request waits from now on.
    pub(super) fn arrive(&mut self, waiting: Waiting) {
        self.queues[waiting.tenant as usize].push_back(waiting);
    }

    /// The request that is served next. Of equal deadlines that of the first tenant is.
    pub(super) fn next(&mut self) -> Option<Waiting> {
        let deadline = |(queue, response_ps): (&VecDeque<Waiting>, &Option<u64>)| {
            // Those without promise come last, in the order in which they came.
            Some((response_ps.is_none(), queue.front()?.at_ps.saturating_add(response_ps.unwrap_or(0))))
        };
        let deadlines = self.queues.iter().zip(&self.responses_ps).map(deadline).enumerate();
        let first = deadlines.filter_map(|(tenant, deadline)| Some((deadline?, tenant))).min();
        first.and_then(|(_, tenant)| self.queues[tenant].pop_front())
    }

    /// Requests that wait.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Waiting> {
        self.queues.iter().flatten()
    }
}
