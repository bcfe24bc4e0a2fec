//! Nested QoS (paper 4, sections 2 and 4): a fair scheduler gives every tenant its share of the capacity; within a tenant the
//! request with the earliest deadline is served, and what overflows only while nothing else of the tenant waits.

use std::collections::VecDeque;

use super::fair::FairShares;
use super::{Contract, Waiting, in_order};

/// Queues of a tenant.
#[derive(Clone, Debug, Default)]
struct Queues {
    /// By nested class, and at the end what overflows. Each is in the order of its deadlines.
    classes: Vec<VecDeque<Waiting>>,
    /// By nested class: δ.
    responses_ps: Vec<u64>,
}

/// Queues of all tenants.
#[derive(Clone, Debug, Default)]
pub struct Nested {
    shares: FairShares,
    tenants: Vec<Queues>,
}

impl Nested {
    /// Nothing waits.
    pub(super) fn new(contracts: &[Contract], weights: &[f64]) -> Self {
        let mut nested = Self { shares: FairShares::new(weights), tenants: vec![Queues::default(); contracts.len()] };
        nested.set(contracts, weights);
        nested
    }

    /// Changes what is promised, and the shares. What waits in a class that is there no longer overflows.
    pub(super) fn set(&mut self, contracts: &[Contract], weights: &[f64]) {
        self.shares.set(weights);
        for (queues, contract) in self.tenants.iter_mut().zip(contracts) {
            queues.responses_ps = contract.promises().iter().map(|promise| promise.response_ps).collect();
            let mut beyond = queues.classes.split_off(queues.responses_ps.len().min(queues.classes.len()));
            queues.classes.resize_with(queues.responses_ps.len(), VecDeque::new);
            queues.classes.push(in_order(beyond.drain(..).flatten().collect()).into());
        }
    }

    /// A request waits from now on.
    #[inline]
    pub(super) fn arrive(&mut self, waiting: Waiting) {
        self.shares.arrive(waiting.tenant as usize);
        self.tenants[waiting.tenant as usize].classes[usize::from(waiting.class)].push_back(waiting);
    }

    /// The request that is served next.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Waiting> {
        let tenant = self.shares.choose()?;
        self.tenants[tenant].next()
    }

    /// Requests that wait.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Waiting> {
        self.tenants.iter().flat_map(|queues| queues.classes.iter().flatten())
    }
}

impl Queues {
    #[inline]
    fn next(&mut self) -> Option<Waiting> {
        // Of equal deadlines the one further in is first.
        let (mut chosen, mut first_ps) = (self.responses_ps.len(), u64::MAX);
        for (number, (queue, response_ps)) in self.classes.iter().zip(&self.responses_ps).enumerate() {
            let Some(head) = queue.front() else { continue };
            let deadline_ps = head.at_ps.saturating_add(*response_ps);
            if deadline_ps < first_ps {
                (chosen, first_ps) = (number, deadline_ps);
            }
        }
        self.classes[chosen].pop_front()
    }
}
