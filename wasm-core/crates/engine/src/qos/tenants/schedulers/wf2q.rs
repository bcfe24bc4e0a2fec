//! WF2Q (J. Bennett, H. Zhang, "WF2Q: worst-case fair weighted fair queueing", INFOCOM 1996; paper 4 ref. 3), for requests
//! that all cost the same.
//!
//! Virtual time is that of an ideal server of the same capacity, which serves all tenants at once by their weights:
//! dV/dt = C / Σw over the tenants that wait there. A request has S = max(F of the one before, V at its arrival) and
//! F = S + 1/w. Of the requests that the ideal server has begun (S ≤ V) the one that it ends first is served.

use std::collections::VecDeque;

use super::{Scheduling, Terms, Waiting};
use crate::kernel::time::PS_PER_S;

/// Part of a request by which two tags may differ and be the same: they are sums of fractions, each of which is rounded, and
/// virtual time is that of instants in whole picoseconds.
const SAME: f64 = 1e-6;

/// A request with its tags.
#[derive(Clone, Copy, Debug)]
struct Tagged {
    waiting: Waiting,
    start: f64,
    finish: f64,
}

impl Tagged {
    /// How far tags of this tenant may be off by rounding.
    fn tolerance(&self) -> f64 {
        SAME * (self.finish - self.start)
    }

    /// Whether the ideal server ends it before another one.
    fn ends_before(&self, other: &Self) -> bool {
        self.finish + self.tolerance().min(other.tolerance()) < other.finish
    }
}

/// A tenant, here and at the ideal server.
#[derive(Clone, Debug, Default)]
struct Tenant {
    weight: f64,
    queue: VecDeque<Tagged>,
    /// F of its last request. While V is below it, it waits at the ideal server.
    last_finish: f64,
}

/// Queues of all tenants, and the ideal server.
#[derive(Clone, Debug, Default)]
pub struct Wf2q {
    tenants: Vec<Tenant>,
    /// Capacity of the ideal server, in requests per picosecond.
    per_ps: f64,
    virtual_time: f64,
    at_ps: u64,
}

impl Wf2q {
    /// Virtual time goes on to that of `now_ps`: at each tenant that the ideal server is done with the others get more.
    fn advance(&mut self, now_ps: u64) {
        let mut left_ps = (now_ps - self.at_ps) as f64;
        self.at_ps = now_ps;
        while left_ps > 0.0 {
            let (mut weights, mut next) = (0.0, f64::INFINITY);
            for tenant in self.tenants.iter().filter(|tenant| tenant.last_finish > self.virtual_time) {
                weights += tenant.weight;
                next = next.min(tenant.last_finish);
            }
            if weights == 0.0 {
                return;
            }
            let until_ps = (next - self.virtual_time) * weights / self.per_ps;
            if until_ps > left_ps {
                self.virtual_time += left_ps * self.per_ps / weights;
                return;
            }
            self.virtual_time = next;
            left_ps -= until_ps;
        }
    }
}

impl Scheduling for Wf2q {
    fn new(terms: &Terms) -> Self {
        let mut wf2q = Self { tenants: vec![Tenant::default(); terms.weights.len()], ..Self::default() };
        wf2q.set(terms);
        wf2q
    }

    fn set(&mut self, Terms { weights, capacity, .. }: &Terms) {
        self.per_ps = capacity / PS_PER_S as f64;
        for (tenant, weight) in self.tenants.iter_mut().zip(weights) {
            tenant.weight = weight.max(f64::MIN_POSITIVE);
        }
    }

    fn arrive(&mut self, waiting: Waiting) {
        self.advance(waiting.at_ps);
        let tenant = &mut self.tenants[usize::from(waiting.tenant)];
        let start = tenant.last_finish.max(self.virtual_time);
        let finish = start + 1.0 / tenant.weight;
        tenant.last_finish = finish;
        tenant.queue.push_back(Tagged { waiting, start, finish });
    }

    fn next(&mut self, now_ps: u64) -> Option<Waiting> {
        self.advance(now_ps);
        let virtual_time = self.virtual_time;
        let heads = || self.tenants.iter().enumerate().filter_map(|(number, of)| Some((number, *of.queue.front()?)));
        let has_begun = |&(_, head): &(usize, Tagged)| head.start <= virtual_time + head.tolerance();
        // Of those that end at the same time the first tenant's.
        let first = |of: (usize, Tagged), other: (usize, Tagged)| match other.1.ends_before(&of.1) {
            true => other,
            false => of,
        };
        // A server that is faster than the ideal one may find none begun: then the one that is next to begin.
        let begun = heads().filter(has_begun).reduce(first);
        let (tenant, _) = begun.or_else(|| heads().min_by(|of, other| of.1.start.total_cmp(&other.1.start)))?;
        self.tenants[tenant].queue.pop_front().map(|tagged| tagged.waiting)
    }

    fn waiting(&self) -> impl Iterator<Item = &Waiting> {
        self.tenants.iter().flat_map(|tenant| tenant.queue.iter().map(|tagged| &tagged.waiting))
    }
}

#[cfg(test)]
mod tests {
    use super::super::TenantScheduler;
    use super::super::tests::{MS, common_case, weighted};
    use super::*;

    #[test]
    fn the_common_case_is_served_after_the_ideal_server() {
        assert_eq!(common_case(TenantScheduler::Wf2q), [0, 2, 3, 1, 5, 6, 7, 4, 8]);
    }

    /// Two tenants of equal weight at one request a second: V goes at 1 while one of them waits at the ideal server, at a half while
    /// both do, and stands still while none does.
    #[test]
    fn virtual_time_is_that_of_the_ideal_server() {
        let mut wf2q = Wf2q::new(&weighted(&[1.0, 1.0]));
        let mut virtual_time = |at_ms: u64, arrives: Option<u16>| {
            let at_ps = at_ms * MS;
            match arrives {
                Some(tenant) => wf2q.arrive(Waiting { tenant, at_ps, ..Waiting::default() }),
                None => wf2q.advance(at_ps),
            }
            wf2q.virtual_time
        };
        // A has F = 1. B comes at V = 0.5, so that its F is 1.5; A is done at 1.5 s and B at 2 s.
        for (at_ms, arrives, expected) in [
            (0, Some(0), 0.0),
            (500, Some(1), 0.5),
            (1000, None, 0.75),
            (1500, None, 1.0),
            (1750, None, 1.25),
            (2000, None, 1.5),
            (9000, None, 1.5),
            (9000, Some(0), 1.5),
            (9250, None, 1.75),
        ] {
            assert!((virtual_time(at_ms, arrives) - expected).abs() < 1e-9, "{expected} after {at_ms} ms");
        }
        let starts: Vec<f64> = wf2q.tenants.iter().flat_map(|tenant| tenant.queue.iter().map(|of| of.start)).collect();
        assert_eq!(starts, [0.0, 1.5, 0.5]);
    }

    /// A server that is faster than the ideal one: once no request has begun there, the next that will begin is served.
    #[test]
    fn where_none_has_begun_the_next_to_begin_is_served() {
        let mut wf2q = Wf2q::new(&weighted(&[1.0, 2.0]));
        for tenant in [0, 0, 1, 1] {
            wf2q.arrive(Waiting { tenant, ..Waiting::default() });
        }
        // F = 0.5 before F = 1, then S = 0.5 before S = 1.
        let order: Vec<u16> = (0..4).filter_map(|_| wf2q.next(0)).map(|waiting| waiting.tenant).collect();
        assert_eq!(order, [1, 0, 1, 0]);
    }

    /// The example of the paper's figures 1 to 3, at any capacity and scale of the weights: at the start eleven requests of a
    /// tenant with half of the server, and one of each of ten tenants with a twentieth.
    fn slots(capacity: f64, scale: f64) -> Vec<u16> {
        let weights: Vec<f64> = std::iter::once(10.0).chain([1.0; 10]).map(|weight| weight * scale).collect();
        let mut wf2q = Wf2q::new(&Terms { capacity, ..weighted(&weights) });
        let tenants = [0; 11].into_iter().chain(1..=10);
        tenants.for_each(|tenant| wf2q.arrive(Waiting { tag: 0, tenant, class: 0, at_ps: 0 }));
        let slot_ps = PS_PER_S as f64 / capacity;
        (0..21).filter_map(|slot| wf2q.next((f64::from(slot) * slot_ps) as u64).map(|waiting| waiting.tenant)).collect()
    }

    /// WFQ, which has no rule of requests that have begun, would serve ten of the first tenant before any other (figure 2).
    #[test]
    fn the_example_of_the_paper_alternates() {
        let expected: Vec<u16> = (1..=10).flat_map(|tenant| [0, tenant]).chain([0]).collect();
        for capacity in [1.0, 10.0, 528.0, 1e5, 1e6] {
            for scale in [1.0, 0.1, capacity / 20.0, 7.3] {
                assert_eq!(slots(capacity, scale), expected, "{capacity} requests a second, weights times {scale}");
            }
        }
    }
}
