//! pClock (A. Gulati, A. Merchant, P. Varman, "pClock: an arrival curve based approach for QoS guarantees in shared storage
//! systems", SIGMETRICS 2007; paper 4 ref. 10). A tenant has one envelope (σ, ρ) and one response time δ: those of its
//! innermost class.
//!
//! A request that finds a token starts at its arrival, one that does not 1/ρ after the one before it; its deadline is δ after
//! that. The earliest deadline is served. Tokens may be owed: each request takes one. When all that waits has start tags in the
//! future, since spare capacity was used, all tags move back so that the first of them is now.

use std::collections::VecDeque;

use super::{Scheduling, Terms, Waiting};
use crate::kernel::convert::rounded;
use crate::kernel::time::PS_PER_S;
use crate::qos::tenants::RATE_SCALE;

/// A request with its tags, which count from the sum of all moves back.
#[derive(Clone, Copy, Debug)]
struct Tagged {
    waiting: Waiting,
    start_ps: u64,
    finish_ps: u64,
}

/// A tenant.
#[derive(Clone, Debug, Default)]
struct Tenant {
    /// σ, 1/ρ and δ; nothing is promised where δ is none.
    burst: f64,
    gap_ps: u64,
    response_ps: Option<u64>,
    /// Tokens, negative where they are owed.
    tokens: f64,
    at_ps: u64,
    last_start_ps: u64,
    queue: VecDeque<Tagged>,
}

/// Queues of all tenants.
#[derive(Clone, Debug, Default)]
pub struct PClock {
    tenants: Vec<Tenant>,
    moved_back_ps: u64,
}

impl Scheduling for PClock {
    fn new(terms: &Terms) -> Self {
        let mut pclock = Self { tenants: vec![Tenant::default(); terms.contracts.len()], moved_back_ps: 0 };
        pclock.set(terms);
        pclock.tenants.iter_mut().for_each(|tenant| tenant.tokens = tenant.burst);
        pclock
    }

    fn set(&mut self, terms: &Terms) {
        for (tenant, contract) in self.tenants.iter_mut().zip(&terms.contracts) {
            let promise = contract.promises().first();
            tenant.burst = promise.map_or(1.0, |promise| f64::from(promise.envelope.burst));
            tenant.gap_ps = promise
                .map_or(0, |promise| rounded((PS_PER_S * RATE_SCALE) as f64 / promise.envelope.rate as f64).max(1));
            tenant.response_ps = promise.map(|promise| promise.response_ps);
            tenant.tokens = tenant.tokens.min(tenant.burst);
        }
    }

    fn arrive(&mut self, waiting: Waiting) {
        let now_ps = waiting.at_ps;
        // Tags are moved back by counting instants from further ahead.
        let starts = self.tenants.iter().filter_map(|tenant| tenant.queue.front());
        if let Some(first_ps) = starts.map(|head| head.start_ps).min()
            && first_ps > now_ps + self.moved_back_ps
        {
            self.moved_back_ps = first_ps - now_ps;
        }
        let tag_ps = now_ps + self.moved_back_ps;
        let tenant = &mut self.tenants[usize::from(waiting.tenant)];
        if tenant.gap_ps > 0 {
            let refilled = (now_ps - tenant.at_ps) as f64 / tenant.gap_ps as f64;
            tenant.tokens = (tenant.tokens + refilled).min(tenant.burst);
        }
        tenant.at_ps = now_ps;
        let start_ps =
            if tenant.tokens < 1.0 { tenant.last_start_ps.saturating_add(tenant.gap_ps).max(tag_ps) } else { tag_ps };
        tenant.tokens -= 1.0;
        tenant.last_start_ps = start_ps;
        let finish_ps = tenant.response_ps.map_or(u64::MAX, |response_ps| start_ps.saturating_add(response_ps));
        tenant.queue.push_back(Tagged { waiting, start_ps, finish_ps });
    }

    /// Of equal deadlines that of the first tenant is served.
    fn next(&mut self, _: u64) -> Option<Waiting> {
        let heads = self.tenants.iter().enumerate();
        let first = heads.filter_map(|(tenant, of)| Some((of.queue.front()?.finish_ps, tenant))).min();
        first.and_then(|(_, tenant)| self.tenants[tenant].queue.pop_front()).map(|tagged| tagged.waiting)
    }

    fn waiting(&self) -> impl Iterator<Item = &Waiting> {
        self.tenants.iter().flat_map(|tenant| tenant.queue.iter().map(|tagged| &tagged.waiting))
    }
}

#[cfg(test)]
mod tests {
    use super::super::TenantScheduler;
    use super::super::tests::{MS, common_case, letters, promised};
    use super::*;

    #[test]
    fn the_common_case_is_served_by_deadlines_after_arrival_curves() {
        // As EDF does, but for number 7, the fourth of A within 250 ms: it starts at 1250 ms, after number 4 of B at 1000 ms.
        assert_eq!(common_case(TenantScheduler::PClock), [0, 1, 3, 5, 6, 4, 7, 8, 2]);
    }

    /// σ = 2, ρ = 1 a second, δ = 300 ms. Two of a burst find tokens, the others start a second after each other. At 2.5 s half a
    /// token is there, since two were owed; at 4 s there is one again. After a long pause there are two, not more.
    #[test]
    fn deadlines_follow_the_arrival_curve() {
        let mut pclock = PClock::new(&promised(&[&[(2, 1, 300)]]));
        for at_ms in [0, 0, 0, 0, 2500, 4000, 100_000, 100_000, 100_000] {
            pclock.arrive(Waiting { at_ps: at_ms * MS, ..Waiting::default() });
        }
        let due_ms: Vec<u64> = pclock.tenants[0].queue.iter().map(|tagged| tagged.finish_ps / MS).collect();
        assert_eq!(due_ms, [300, 300, 1300, 2300, 3300, 4300, 100_300, 100_300, 101_300]);
    }

    /// EDF would serve all of A first.
    #[test]
    fn what_goes_beyond_the_envelope_does_not_hold_up_others() {
        let terms = promised(&[&[(1, 1, 50)], &[(1, 1, 60)]]);
        assert_eq!(letters(TenantScheduler::PClock, &terms, 10, &[(0, 0), (0, 0), (0, 0), (0, 1)]), "ABAA");
    }

    /// A sends four while nobody else asks; they start at 0, 1, 2 and 3 s. When B comes at 0.5 s two are served already, and the
    /// third moves from 2 s back to now: then both tenants are due at 1.5 s, and at 2.5 s. Without, A would wait for two of B.
    #[test]
    fn who_used_spare_capacity_does_not_pay_for_it() {
        let terms = promised(&[&[(1, 1, 1000)], &[(1, 1, 1000)]]);
        let arrivals = [(0, 0), (0, 0), (0, 0), (0, 0), (500, 1), (500, 1), (500, 1)];
        assert_eq!(letters(TenantScheduler::PClock, &terms, 400, &arrivals), "AAABABB");
    }

    #[test]
    fn those_without_a_promise_come_last_in_the_order_of_tenants() {
        let terms = promised(&[&[], &[], &[(1, 1, 1000)]]);
        assert_eq!(letters(TenantScheduler::PClock, &terms, 10, &[(0, 1), (0, 0), (0, 2), (0, 2), (0, 0)]), "CCAAB");
    }
}
