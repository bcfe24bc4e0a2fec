//! WF2Q+: every tenant has its share of the server, and within it one queue (see [`FairShares`]).

use std::collections::VecDeque;

use super::{Scheduling, Terms, Waiting};
use crate::qos::tenants::fair::FairShares;

/// Queues of all tenants.
#[derive(Clone, Debug, Default)]
pub struct Wf2qPlus {
    shares: FairShares,
    queues: Vec<VecDeque<Waiting>>,
}

impl Scheduling for Wf2qPlus {
    fn new(Terms { weights, .. }: &Terms) -> Self {
        Self { shares: FairShares::new(weights), queues: vec![VecDeque::new(); weights.len()] }
    }

    fn set(&mut self, terms: &Terms) {
        self.shares.set(&terms.weights);
    }

    fn arrive(&mut self, waiting: Waiting) {
        self.shares.arrive(usize::from(waiting.tenant));
        self.queues[usize::from(waiting.tenant)].push_back(waiting);
    }

    fn next(&mut self, _: u64) -> Option<Waiting> {
        let tenant = self.shares.choose()?;
        self.queues[tenant].pop_front()
    }

    fn waiting(&self) -> impl Iterator<Item = &Waiting> {
        self.queues.iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::super::TenantScheduler::Wf2qPlus;
    use super::super::tests::{common_case, letters, weighted};

    #[test]
    fn the_common_case_is_served_by_the_virtual_time_of_the_server() {
        assert_eq!(common_case(Wf2qPlus), [0, 2, 3, 5, 1, 6, 7, 8, 4]);
    }

    /// Requests take 1.5 of virtual time of A and 3 of B. S and F of A are 0 and 1.5, then 1.5 and 3, of B 0 and 3: at V = 1 A has
    /// not begun, at V = 2 it has, and at V = 3 both begin anew.
    #[test]
    fn by_two_to_one_a_tenant_waits_until_its_request_has_begun() {
        let backlog = [0, 0, 0, 0, 1, 1].map(|tenant| (0, tenant));
        assert_eq!(letters(Wf2qPlus, &weighted(&[2.0, 1.0]), 1000, &backlog), "ABAABA");
    }

    /// The example of WF2Q (see there): no tenant runs ahead of its share as under WFQ, which would serve ten of A at first.
    #[test]
    fn a_tenant_of_half_the_server_alternates_with_ten_others() {
        let weights: Vec<f64> = std::iter::once(10.0).chain([1.0; 10]).collect();
        let backlog: Vec<(u64, u16)> = [0; 11].into_iter().chain(1..=10).map(|tenant| (0, tenant)).collect();
        assert_eq!(letters(Wf2qPlus, &weighted(&weights), 1000, &backlog), "ABACADAEAFAGAHAIAJAKA");
    }
}
