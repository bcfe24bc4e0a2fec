//! Groups of tenants whose bursts climb a ladder, as a scheduler (paper 5, "Group QOS for burst management"; see
//! [`crate::qos::tenants::ladder`]). Time goes in steps. In each a tenant has its share of the server; what others leave is given to those
//! that ask for more, as far up the ladder as their burst has come. What is beyond that waits for the next step, even before an
//! idle server: that is what the ladder is for.

use std::collections::VecDeque;

use super::{Scheduling, Terms, Waiting};
use crate::kernel::convert::saturated_u32;
use crate::kernel::time::PS_PER_S;
use crate::qos::tenants::ladder::{Groups, Ladder, Member};

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
pub struct BurstLadder {
    groups: Groups,
    queues: Vec<VecDeque<Waiting>>,
    step_ps: u64,
    /// When the next step begins.
    next_step_ps: u64,
}

impl BurstLadder {
    /// Begins the step that an instant is in.
    fn advance(&mut self, now_ps: u64) {
        if let Some(late_ps) = now_ps.checked_sub(self.next_step_ps) {
            let steps = late_ps / self.step_ps + 1;
            self.next_step_ps = self.next_step_ps.saturating_add(steps.saturating_mul(self.step_ps));
            self.groups.begin_step(saturated_u32(steps));
        }
    }
}

impl Scheduling for BurstLadder {
    fn new(Terms { weights, capacity, bursts, .. }: &Terms) -> Self {
        Self {
            groups: Groups::of_requests(bursts.ladder, &bursts.members(weights, *capacity)),
            queues: vec![VecDeque::new(); weights.len()],
            step_ps: bursts.step_ps.max(1),
            next_step_ps: 0,
        }
    }

    /// Shares and steps of another length begin with the next step.
    fn set(&mut self, Terms { weights, capacity, bursts, .. }: &Terms) {
        self.groups.set(bursts.ladder, &bursts.members(weights, *capacity));
        self.step_ps = bursts.step_ps.max(1);
    }

    fn arrive(&mut self, waiting: Waiting) {
        self.advance(waiting.at_ps);
        self.groups.ask(usize::from(waiting.tenant), 1.0);
        self.queues[usize::from(waiting.tenant)].push_back(waiting);
    }

    /// None where all have to wait for the next step.
    fn next(&mut self, now_ps: u64) -> Option<Waiting> {
        self.advance(now_ps);
        let tenant = self.groups.serve_next()?;
        self.queues[tenant].pop_front()
    }

    fn held_until_ps(&self) -> u64 {
        self.next_step_ps
    }

    fn waiting(&self) -> impl Iterator<Item = &Waiting> {
        self.queues.iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::super::TenantScheduler;
    use super::super::tests::{MS, common_case, weighted};
    use super::*;
    use crate::kernel::time::NEVER_PS;
    use crate::qos::tenants::Scheduler;

    #[test]
    fn the_common_case_is_served_step_by_step() {
        assert_eq!(common_case(TenantScheduler::BurstLadder), [0, 2, 3, 5, 6, 1, 7, 8, 4]);
    }

    /// Two tenants that share ten requests in each step of 100 ms.
    fn two() -> Scheduler {
        Scheduler::new(TenantScheduler::BurstLadder, &Terms { capacity: 100.0, ..weighted(&[1.0, 1.0]) })
    }

    /// The tenants of the requests that go on at once.
    fn at_once(scheduler: &mut Scheduler, now_ms: u64) -> Vec<u16> {
        std::iter::from_fn(|| scheduler.next(now_ms * MS)).map(|waiting| waiting.tenant).collect()
    }

    #[test]
    fn a_burst_gets_its_share_and_one_more_in_each_step_and_waits_for_the_next() {
        let mut scheduler = two();
        (0..20).for_each(|tag| _ = scheduler.arrive(0, 0, tag));
        for (now_ms, expected, held_until_ps) in [(0, 6, 100 * MS), (100, 7, 200 * MS), (200, 7, NEVER_PS)] {
            assert_eq!(at_once(&mut scheduler, now_ms).len(), expected, "at {now_ms} ms");
            assert_eq!(scheduler.held_until_ps(), held_until_ps);
        }
    }

    #[test]
    fn who_leaves_nothing_lends_nothing() {
        let mut scheduler = two();
        (0..20).for_each(|tag| _ = scheduler.arrive(0, 0, tag));
        (20..25).for_each(|tag| _ = scheduler.arrive(0, 1, tag));
        assert_eq!(at_once(&mut scheduler, 99), [0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
    }

    /// A server that has no time for three steps: of its own the tenant has two shares then, and its burst is in its fourth step.
    #[test]
    fn steps_go_by_while_a_server_is_busy() {
        let mut scheduler = two();
        (0..20).for_each(|tag| _ = scheduler.arrive(0, 0, tag));
        assert_eq!(at_once(&mut scheduler, 350).len(), 5 + 5 + 4);
        assert_eq!(scheduler.held_until_ps(), 400 * MS);
    }

    #[test]
    fn shares_divide_a_step_of_the_capacity_that_is_stated_or_known() {
        let shares = |terms: &BurstTerms| -> Vec<(usize, f64, bool)> {
            let members = terms.members(&[1.0, 3.0], 100.0);
            members.iter().map(|member| (member.group, member.share, member.sets_bit)).collect()
        };
        assert_eq!(shares(&BurstTerms::default()), [(0, 2.5, true), (0, 7.5, true)]);
        let stated = BurstTerms {
            capacity: Some(40.0),
            step_ps: PS_PER_S,
            tenants: vec![(1, false), (0, true)],
            ..BurstTerms::default()
        };
        assert_eq!(shares(&stated), [(1, 10.0, false), (0, 30.0, true)]);
    }
}
