//! Deficit round robin (M. Shreedhar, G. Varghese, "Efficient fair queueing using deficit round robin", SIGCOMM 1995, section 3),
//! for requests that all cost the same.
//!
//! Tenants that wait stand in a list of those that are active. The first of them gets its quantum, is served as long as its
//! deficit counter covers a request, and goes to the end of the list with what is left in the counter. One of whom nothing waits
//! any more leaves the list, and what was left is lost. Quanta are as weights, the smallest of them one request: then every turn serves
//! one at least, and a choice takes no longer the more tenants there are (the paper's theorem on work).

use std::collections::VecDeque;

use super::{Scheduling, Terms, Waiting};
use crate::qos::tenants::fair::parts;

/// Part of a request that a counter may lack: quanta are fractions, each of which is rounded.
const SAME: f64 = 1e-6;

/// A tenant.
#[derive(Clone, Debug, Default)]
struct Tenant {
    queue: VecDeque<Waiting>,
    /// Requests that a turn adds to the counter.
    quantum: f64,
    /// The deficit counter, in requests.
    deficit: f64,
}

/// Queues of all tenants.
#[derive(Clone, Debug, Default)]
pub struct Drr {
    tenants: Vec<Tenant>,
    /// Tenants that wait, by number, in the order of their turns.
    active: VecDeque<u16>,
    /// Whether the first of them has had its quantum of this turn.
    has_quantum: bool,
}

impl Drr {
    /// The first of the list has its turn no longer, and is out of the list.
    fn end_turn(&mut self) -> Option<u16> {
        self.has_quantum = false;
        self.active.pop_front()
    }
}

impl Scheduling for Drr {
    fn new(terms: &Terms) -> Self {
        let mut drr = Self { tenants: vec![Tenant::default(); terms.weights.len()], ..Self::default() };
        drr.set(terms);
        drr
    }

    /// Quanta of other weights begin with the next turns.
    fn set(&mut self, terms: &Terms) {
        let min = parts(&terms.weights).fold(f64::INFINITY, f64::min);
        for (tenant, part) in self.tenants.iter_mut().zip(parts(&terms.weights)) {
            tenant.quantum = part / min;
        }
    }

    fn arrive(&mut self, waiting: Waiting) {
        let tenant = &mut self.tenants[usize::from(waiting.tenant)];
        if tenant.queue.is_empty() {
            self.active.push_back(waiting.tenant);
        }
        tenant.queue.push_back(waiting);
    }

    fn next(&mut self, _: u64) -> Option<Waiting> {
        loop {
            let tenant = &mut self.tenants[usize::from(*self.active.front()?)];
            tenant.deficit += if self.has_quantum { 0.0 } else { tenant.quantum };
            self.has_quantum = true;
            if tenant.deficit >= 1.0 - SAME {
                tenant.deficit -= 1.0;
                let served = tenant.queue.pop_front();
                if tenant.queue.is_empty() {
                    tenant.deficit = 0.0;
                    self.end_turn();
                }
                return served;
            }
            let last = self.end_turn();
            self.active.extend(last);
        }
    }

    fn waiting(&self) -> impl Iterator<Item = &Waiting> {
        self.tenants.iter().flat_map(|tenant| &tenant.queue)
    }
}

#[cfg(test)]
mod tests {
    use super::super::TenantScheduler;
    use super::super::tests::{common_case, letters, weighted};
    use super::*;

    /// The order of tenants with these weights, of whom each request takes a second.
    fn order(weights: &[f64], arrivals: &[(u64, u16)]) -> String {
        letters(TenantScheduler::Drr, &weighted(weights), 1000, arrivals)
    }

    /// So many requests of each tenant at once.
    fn backlog<const N: usize>(requests: [usize; N]) -> Vec<(u64, u16)> {
        (0..).zip(requests).flat_map(|(tenant, count)| vec![(0, tenant); count]).collect()
    }

    #[test]
    fn the_common_case_is_served_in_turns() {
        assert_eq!(common_case(TenantScheduler::Drr), [0, 2, 1, 3, 5, 6, 4, 7, 8]);
    }

    #[test]
    fn every_turn_serves_a_quantum_by_the_weight() {
        // Also where three tenths are not three times a tenth.
        for weights in [[1.0, 2.0, 3.0], [0.1, 0.2, 0.3], [0.7, 1.4, 2.1]] {
            assert_eq!(order(&weights, &backlog([2, 4, 6])), "ABBCCCABBCCC", "{weights:?}");
        }
    }

    /// The quantum of B is one and a half: the half that its first turn leaves is there in the second, which serves two.
    #[test]
    fn what_a_turn_leaves_counts_in_the_next() {
        assert_eq!(order(&[2.0, 3.0], &backlog([4, 6])), "ABABBABABB");
    }

    /// As above, but B has one request at first: the half is lost when that is served, and its next turn serves one again.
    #[test]
    fn what_is_left_when_a_queue_empties_is_lost() {
        let arrivals = [backlog([6, 1]), vec![(1500, 1); 4]].concat();
        assert_eq!(order(&[2.0, 3.0], &arrivals), "ABABABBABAA");
    }

    #[test]
    fn who_comes_while_others_have_their_turns_stands_at_the_end() {
        let arrivals = [backlog([6, 2]), vec![(500, 2); 2]].concat();
        assert_eq!(order(&[3.0, 1.0, 1.0], &arrivals), "AAABCAAABC");
    }

    #[test]
    fn other_weights_begin_with_the_next_turn() {
        let mut drr = Drr::new(&weighted(&[3.0, 1.0]));
        for (_, tenant) in backlog([8, 4]) {
            drr.arrive(Waiting { tenant, ..Waiting::default() });
        }
        let first = drr.next(0).map(|waiting| waiting.tenant);
        drr.set(&weighted(&[1.0, 2.0]));
        let later = (0..7).map(|_| drr.next(0).map(|waiting| waiting.tenant));
        let order: Vec<u16> = [first].into_iter().chain(later).flatten().collect();
        assert_eq!(order, [0, 0, 0, 1, 1, 0, 1, 1]);
    }
}
