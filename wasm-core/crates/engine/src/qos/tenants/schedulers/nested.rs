//! Nested QoS (paper 4, sections 2 and 4): a fair scheduler gives every tenant its share of the capacity; within a tenant the
//! request with the earliest deadline is served, and what overflows only while nothing else of the tenant waits.

use std::collections::VecDeque;

use super::{Scheduling, Terms, Waiting};
use crate::qos::tenants::fair::FairShares;
use crate::qos::tenants::in_order;

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

impl Scheduling for Nested {
    fn new(terms: &Terms) -> Self {
        let Terms { contracts, weights, .. } = terms;
        let mut nested = Self { shares: FairShares::new(weights), tenants: vec![Queues::default(); contracts.len()] };
        nested.set(terms);
        nested
    }

    /// What waits in a class that is there no longer overflows.
    fn set(&mut self, Terms { contracts, weights, .. }: &Terms) {
        self.shares.set(weights);
        for (queues, contract) in self.tenants.iter_mut().zip(contracts) {
            queues.responses_ps = contract.promises().iter().map(|promise| promise.response_ps).collect();
            let mut beyond = queues.classes.split_off(queues.responses_ps.len().min(queues.classes.len()));
            queues.classes.resize_with(queues.responses_ps.len(), VecDeque::new);
            queues.classes.push(in_order(beyond.drain(..).flatten().collect()).into());
        }
    }

    #[inline]
    fn arrive(&mut self, waiting: Waiting) {
        self.shares.arrive(usize::from(waiting.tenant));
        self.tenants[usize::from(waiting.tenant)].classes[usize::from(waiting.class)].push_back(waiting);
    }

    #[inline]
    fn next(&mut self, _: u64) -> Option<Waiting> {
        let tenant = self.shares.choose()?;
        self.tenants[tenant].next()
    }

    fn waiting(&self) -> impl Iterator<Item = &Waiting> {
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

#[cfg(test)]
mod tests {
    use super::super::TenantScheduler;
    use super::super::TenantScheduler::Nested as NESTED;
    use super::super::tests::{MS, common_case, contract, promised, served};
    use crate::qos::tenants::Scheduler;

    #[test]
    fn the_common_case_is_served_by_shares_and_within_a_tenant_by_classes() {
        // As WF2Q+ does, but for the last two of A: number 7 overflows and number 8 does not.
        assert_eq!(common_case(NESTED), [0, 2, 3, 5, 1, 6, 8, 7, 4]);
        let mut by_shares = common_case(TenantScheduler::Wf2qPlus);
        by_shares.swap(6, 7);
        assert_eq!(common_case(NESTED), by_shares);
    }

    #[test]
    fn what_overflows_waits_for_what_comes_later_and_does_not() {
        // Four at once are of classes 0 and 1, and two overflow; a second later both buckets have a token.
        let terms = promised(&[&[(1, 1, 100), (2, 1, 1000)]]);
        assert_eq!(served(NESTED, &terms, 500, &[(0, 0), (0, 0), (0, 0), (0, 0), (1000, 0)]), [0, 1, 4, 2, 3]);
    }

    /// The second request is of class 1 and due at δ_2; the third is of class 0, when the first one is long done.
    #[test]
    fn deadlines_count_and_not_ranks_of_classes() {
        for (rate, responses_ms, at_ms, expected) in [
            // 600 ms before 700 ms.
            (10, [500, 600], 200, [0, 1, 2]),
            // 1100 ms before 5000 ms.
            (1, [100, 5000], 1000, [0, 2, 1]),
            // Of 1500 ms both: the class further in.
            (1, [500, 1500], 1000, [0, 2, 1]),
        ] {
            let [inner, outer] = responses_ms;
            let terms = promised(&[&[(1, rate, inner), (2, rate, outer)]]);
            assert_eq!(served(NESTED, &terms, at_ms, &[(0, 0), (0, 0), (at_ms, 0)]), expected, "{responses_ms:?}");
        }
    }

    #[test]
    fn what_waits_in_a_class_that_goes_overflows_in_the_order_of_arrival() {
        let mut terms = promised(&[&[(1, 1, 100), (2, 1, 200), (4, 1, 300)]]);
        let mut scheduler = Scheduler::new(NESTED, &terms);
        let classes: Vec<u8> = (0..5).map(|tag| scheduler.arrive(u64::from(tag) * MS, 0, tag)).collect();
        assert_eq!(classes, [0, 1, 2, 2, 3]);
        terms.contracts = vec![contract(&[(1, 1, 100)])];
        scheduler.set(10 * MS, NESTED, &terms);
        scheduler.arrive(1000 * MS, 0, 5);
        let order: Vec<u32> = (0..6).filter_map(|_| scheduler.next(1000 * MS)).map(|waiting| waiting.tag).collect();
        assert_eq!(order, [0, 5, 1, 2, 3, 4]);
    }
}
