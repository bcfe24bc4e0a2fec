//! Earliest deadline first on a single level: the deadline of every request is its arrival and the response time that its
//! tenant was promised for the innermost class, conforming or not.

use std::collections::VecDeque;

use super::{Scheduling, Terms, Waiting};

/// Queues of the tenants, each in the order of its deadlines.
#[derive(Clone, Debug, Default)]
pub struct Edf {
    /// By tenant.
    queues: Vec<VecDeque<Waiting>>,
    /// By tenant: δ of its innermost class; none where nothing is promised.
    responses_ps: Vec<Option<u64>>,
}

impl Scheduling for Edf {
    fn new(terms: &Terms) -> Self {
        let mut edf = Self { queues: vec![VecDeque::new(); terms.contracts.len()], responses_ps: Vec::new() };
        edf.set(terms);
        edf
    }

    fn set(&mut self, terms: &Terms) {
        self.responses_ps = terms.contracts.iter().map(|contract| contract.response_ps(0)).collect();
    }

    fn arrive(&mut self, waiting: Waiting) {
        self.queues[usize::from(waiting.tenant)].push_back(waiting);
    }

    /// Of equal deadlines that of the first tenant is served.
    fn next(&mut self, _: u64) -> Option<Waiting> {
        let deadline = |(queue, response_ps): (&VecDeque<Waiting>, &Option<u64>)| {
            // Those without promise come last, in the order in which they came.
            Some((response_ps.is_none(), queue.front()?.at_ps.saturating_add(response_ps.unwrap_or(0))))
        };
        let deadlines = self.queues.iter().zip(&self.responses_ps).map(deadline).enumerate();
        let first = deadlines.filter_map(|(tenant, deadline)| Some((deadline?, tenant))).min();
        first.and_then(|(_, tenant)| self.queues[tenant].pop_front())
    }

    fn waiting(&self) -> impl Iterator<Item = &Waiting> {
        self.queues.iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::super::TenantScheduler::Edf;
    use super::super::tests::{common_case, letters, promised};

    #[test]
    fn the_common_case_is_served_by_deadlines() {
        // In ms: B at 400, 400 and 550, A at 450, 550 three times and 750, C never. Of 550 that of A is first.
        assert_eq!(common_case(Edf), [0, 1, 3, 5, 6, 7, 4, 8, 2]);
    }

    #[test]
    fn a_burst_beyond_the_envelope_keeps_its_deadlines() {
        let terms = promised(&[&[(1, 1, 50)], &[(1, 1, 60)]]);
        assert_eq!(letters(Edf, &terms, 10, &[(0, 0), (0, 0), (0, 0), (0, 1)]), "AAAB");
    }

    #[test]
    fn of_equal_deadlines_the_first_tenant_is_served_and_those_without_come_last() {
        // While D is served A comes, due at 60 ms as B is; E is promised nothing.
        for (response_ms, expected) in [(61, "DABCE"), (59, "DCABE")] {
            let terms = promised(&[&[(9, 1, 50)], &[(9, 1, 60)], &[(9, 1, response_ms)], &[(9, 1, 1)], &[]]);
            let arrivals = [(0, 4), (0, 3), (0, 2), (0, 1), (10, 0)];
            assert_eq!(letters(Edf, &terms, 10, &arrivals), expected);
        }
    }
}
