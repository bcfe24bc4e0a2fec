//! pClock (A. Gulati, A. Merchant, P. Varman, "pClock: an arrival curve based approach for QoS guarantees in shared storage
//! systems", SIGMETRICS 2007; paper 4 ref. 10). A tenant has one envelope (σ, ρ) and one response time δ: those of its
//! innermost class.
//!
//! A request that finds a token starts at its arrival, one that does not 1/ρ after the one before it; its deadline is δ after
//! that. The earliest deadline is served. Tokens may be owed: each request takes one. When all that waits has start tags in the
//! future, since spare capacity was used, all tags move back so that the first of them is now.

use std::collections::VecDeque;

use super::bucket::RATE_SCALE;
use super::{Contract, Waiting};
use crate::kernel::convert::rounded;
use crate::kernel::time::PS_PER_S;

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

impl PClock {
    /// Nothing waits.
    pub(super) fn new(contracts: &[Contract]) -> Self {
        let mut pclock = Self { tenants: vec![Tenant::default(); contracts.len()], moved_back_ps: 0 };
        pclock.set(contracts);
        pclock.tenants.iter_mut().for_each(|tenant| tenant.tokens = tenant.burst);
        pclock
    }

    /// Changes what is promised.
    pub(super) fn set(&mut self, contracts: &[Contract]) {
        for (tenant, contract) in self.tenants.iter_mut().zip(contracts) {
            let promise = contract.promises().first();
            tenant.burst = promise.map_or(1.0, |promise| f64::from(promise.envelope.burst));
            tenant.gap_ps = promise
                .map_or(0, |promise| rounded((PS_PER_S * RATE_SCALE) as f64 / promise.envelope.rate as f64).max(1));
            tenant.response_ps = promise.map(|promise| promise.response_ps);
            tenant.tokens = tenant.tokens.min(tenant.burst);
        }
    }

    /// A request waits from now on.
    pub(super) fn arrive(&mut self, waiting: Waiting) {
        let now_ps = waiting.at_ps;
        // Tags are moved back by counting instants from further ahead.
        let starts = self.tenants.iter().filter_map(|tenant| tenant.queue.front());
        if let Some(first_ps) = starts.map(|head| head.start_ps).min()
            && first_ps > now_ps + self.moved_back_ps
        {
            self.moved_back_ps = first_ps - now_ps;
        }
        let tag_ps = now_ps + self.moved_back_ps;
        let tenant = &mut self.tenants[waiting.tenant as usize];
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

    /// The request that is served next. Of equal deadlines that of the first tenant is.
    pub(super) fn next(&mut self) -> Option<Waiting> {
        let heads = self.tenants.iter().enumerate();
        let first = heads.filter_map(|(tenant, of)| Some((of.queue.front()?.finish_ps, tenant))).min();
        first.and_then(|(_, tenant)| self.tenants[tenant].queue.pop_front()).map(|tagged| tagged.waiting)
    }

    /// Requests that wait.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Waiting> {
        self.tenants.iter().flat_map(|tenant| tenant.queue.iter().map(|tagged| &tagged.waiting))
    }
}
