//! Groups of tenants whose bursts climb a ladder, as a scheduler (paper 5, "Group QOS for burst management"; see
//! [`super::ladder`]). Time goes in steps. In each a tenant has its share of the server; what others leave is given to those
//! that ask for more, as far up the ladder as their burst has come. What is beyond that waits for the next step, even before an
//! idle server: that is what the ladder is for.

use std::collections::VecDeque;

use super::Waiting;
use super::ladder::{Groups, Ladder, Member};
use crate::kernel::convert::saturated_u32;
use crate::kernel::time::PS_PER_S;

/// What tenants agree on for their bursts.
#[derive(Clone, Debug, PartialEq)]
pub struct BurstTerms {
    /// The step function of allowances, in requests.
    pub ladder: Ladder,
    /// Length of a step.
    pub step_ps: u64,
    /// Requests a second that all shares add up to; none: the capacity of the server.
    pub capacity: Option<f64>,
    /// By tenant: its group, and whether it sets its burst presence bit. Empty: all are of one group and set it.
    pub tenants: Vec<(usize, bool)>,
}

impl Default for BurstTerms {
    /// The ladder with the a and ψ that the page begins with, in steps of a tenth of a second.
    fn default() -> Self {
        Self { ladder: Ladder::of_paper(10.0, 30), step_ps: PS_PER_S / 10, capacity: None, tenants: Vec::new() }
    }
}

impl BurstTerms {
    /// Tenants with their shares of a step, at a server of so many requests a second that `weights` divide.
    pub fn members(&self, weights: &[f64], capacity: f64) -> Vec<Member> {
        let of_all: f64 = weights.iter().sum();
        let a_step = self.capacity.unwrap_or(capacity) * self.step_ps as f64 / PS_PER_S as f64;
        let member = |(number, weight): (usize, &f64)| {
            let (group, sets_bit) = self.tenants.get(number).copied().unwrap_or((0, true));
            Member { group, share: weight / of_all * a_step, sets_bit }
        };
        weights.iter().enumerate().map(member).collect()
    }
}

/// Queues of all tenants.
#[derive(Clone, Debug)]
pub struct Bursts {
    groups: Groups,
    queues: Vec<VecDeque<Waiting>>,
    step_ps: u64,
    /// When the next step begins.
    next_step_ps: u64,
}

impl Bursts {
    /// Nothing waits.
    pub(super) fn new(terms: &BurstTerms, weights: &[f64], capacity: f64) -> Self {
        Self {
            groups: Groups::of_requests(terms.ladder, &terms.members(weights, capacity)),
            queues: vec![VecDeque::new(); weights.len()],
            step_ps: terms.step_ps.max(1),
            next_step_ps: 0,
        }
    }

    /// Changes the terms. Shares and steps of another length begin with the next step.
    pub(super) fn set(&mut self, terms: &BurstTerms, weights: &[f64], capacity: f64) {
        self.groups.set(terms.ladder, &terms.members(weights, capacity));
        self.step_ps = terms.step_ps.max(1);
    }

    /// Begins the step that an instant is in.
    fn advance(&mut self, now_ps: u64) {
        if let Some(late_ps) = now_ps.checked_sub(self.next_step_ps) {
            let steps = late_ps / self.step_ps + 1;
            self.next_step_ps = self.next_step_ps.saturating_add(steps.saturating_mul(self.step_ps));
            self.groups.begin_step(saturated_u32(steps));
        }
    }

    /// A request waits from now on.
    pub(super) fn arrive(&mut self, waiting: Waiting) {
        self.advance(waiting.at_ps);
        self.groups.ask(usize::from(waiting.tenant), 1.0);
        self.queues[usize::from(waiting.tenant)].push_back(waiting);
    }

    /// The request that is served next; none where all have to wait for the next step.
    pub(super) fn next(&mut self, now_ps: u64) -> Option<Waiting> {
        self.advance(now_ps);
        let tenant = self.groups.serve_next()?;
        self.queues[tenant].pop_front()
    }

    /// When requests that have to wait may be served at the earliest.
    pub(super) fn next_step_ps(&self) -> u64 {
        self.next_step_ps
    }

    /// Requests that wait.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Waiting> {
        self.queues.iter().flatten()
    }
}
