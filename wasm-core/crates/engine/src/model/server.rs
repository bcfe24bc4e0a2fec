//! A server of constant capacity, one request at a time, with a scheduler before it (the server of paper 4).

use std::iter::Peekable;

use crate::kernel::time::NEVER_PS;
use crate::qos::tenants::{Scheduler, Waiting};

/// A request that arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// When.
    pub at_ps: u64,
    /// Number of its tenant.
    pub tenant: u16,
}

/// A server and the requests that come to it, in order of time: an iterator over these as they are served, each with the instant
/// at which it is done. Memory grows with what waits only.
#[derive(Clone, Debug)]
pub struct Server<A: Iterator<Item = Arrival>> {
    scheduler: Scheduler,
    service_ps: u64,
    free_ps: u64,
    arrivals: Peekable<A>,
}

impl<A: Iterator<Item = Arrival>> Server<A> {
    /// A server that takes `service_ps` for a request, and has not begun.
    pub fn new(scheduler: Scheduler, service_ps: u64, arrivals: impl IntoIterator<IntoIter = A>) -> Self {
        Self { scheduler, service_ps, free_ps: 0, arrivals: arrivals.into_iter().peekable() }
    }
}

impl<A: Iterator<Item = Arrival>> Iterator for Server<A> {
    type Item = (Waiting, u64);

    #[inline]
    fn next(&mut self) -> Option<(Waiting, u64)> {
        let Self { scheduler, free_ps, arrivals, .. } = self;
        let waiting = loop {
            // At one instant requests arrive before the server chooses.
            while let Some(arrival) = arrivals.next_if(|arrival| scheduler.is_empty() || arrival.at_ps <= *free_ps) {
                *free_ps = (*free_ps).max(if scheduler.is_empty() { arrival.at_ps } else { 0 });
                scheduler.arrive(arrival.at_ps, arrival.tenant, 0);
            }
            match scheduler.next(*free_ps) {
                Some(waiting) => break waiting,
                None if scheduler.is_empty() => return None,
                // All that wait are held back: until they may go on, or another one comes.
                None => {
                    let arrival_ps = arrivals.peek().map_or(NEVER_PS, |arrival| arrival.at_ps);
                    *free_ps = scheduler.held_until_ps().min(arrival_ps);
                }
            }
        };
        *free_ps = free_ps.saturating_add(self.service_ps);
        Some((waiting, self.free_ps))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::time::PS_PER_S;
    use crate::qos::tenants::capacity::service_ps;
    use crate::qos::tenants::{Contract, Envelope, Promise, RATE_SCALE, TenantScheduler, Terms, capacity};
    use proptest::prelude::*;

    const MS: u64 = 1_000_000_000;

    fn contract(promises: &[(u32, u64, u64)]) -> Contract {
        let promise = |&(burst, per_s, response_ms): &(u32, u64, u64)| Promise {
            envelope: Envelope { burst, rate: per_s * RATE_SCALE },
            response_ps: response_ms * MS,
        };
        Contract::new(promises.iter().map(promise).collect())
    }

    /// By how much the latest request of a class that is promised something was late; negative: early.
    fn lateness_ps(kind: TenantScheduler, terms: &Terms, capacity: f64, arrivals: &[Arrival]) -> i64 {
        let scheduler = Scheduler::new(kind, terms);
        let mut latest = i64::MIN;
        for (waiting, done_ps) in Server::new(scheduler, service_ps(capacity), arrivals.iter().copied()) {
            let contract = &terms.contracts[usize::from(waiting.tenant)];
            if let Some(response_ps) = contract.response_ps(usize::from(waiting.class)) {
                let late = i128::from(done_ps) - i128::from(waiting.at_ps + response_ps);
                latest = latest.max(i64::try_from(late).expect("runs are short"));
            }
        }
        latest
    }

    /// The workload that shows Lemma 1 to be tight (paper 4, section 5): the largest burst, then requests at the rate.
    fn worst_case(contract: &Contract, until_ps: u64) -> Vec<Arrival> {
        let outermost = contract.promises().last().expect("there are classes").envelope;
        let burst = (0..outermost.burst).map(|_| 0);
        // A whole number of picoseconds: a bucket of one token would lose the surplus of any other.
        let gap_ps = (PS_PER_S * RATE_SCALE).div_ceil(outermost.rate);
        let later = (1..).map(|number| number * gap_ps).take_while(|&at_ps| at_ps < until_ps);
        burst.chain(later).map(|at_ps| Arrival { at_ps, tenant: 0 }).collect()
    }

    #[test]
    fn a_queue_of_requests_is_served_one_after_the_other() {
        let terms =
            Terms { contracts: vec![Contract::default()], weights: vec![1.0], capacity: 1000.0, ..Terms::default() };
        for &kind in TenantScheduler::ALL {
            let scheduler = Scheduler::new(kind, &terms);
            let arrivals = [0, 0, 5 * MS, 5 * MS + MS / 2].map(|at_ps| Arrival { at_ps, tenant: 0 });
            let server = Server::new(scheduler, service_ps(1000.0), arrivals);
            let done: Vec<u64> = server.map(|(_, at_ps)| at_ps / 1_000_000).collect();
            assert_eq!(done, [1000, 2000, 6000, 7000], "{kind:?}");
        }
    }

    #[test]
    fn overflow_waits_for_all_that_is_promised_something() {
        let contracts = vec![contract(&[(1, 1, 1000)])];
        let terms = Terms { contracts, weights: vec![1.0], capacity: 1.0, ..Terms::default() };
        // The second request overflows; the third finds a token and goes before it.
        let arrivals = [0, 0, 1000].map(|ms| Arrival { at_ps: ms * MS, tenant: 0 });
        let server = Server::new(Scheduler::new(TenantScheduler::Nested, &terms), service_ps(1.0), arrivals);
        let order: Vec<(u64, u8)> = server.map(|(waiting, _)| (waiting.at_ps / MS, waiting.class)).collect();
        assert_eq!(order, [(0, 0), (1000, 0), (0, 1)]);
    }

    #[test]
    fn the_lemma_is_tight_for_the_classes_of_the_paper() {
        for (burst, per_s, response_ms) in [(3, 650, 5), (3, 600, 5), (4, 400, 5), (33, 6600, 5), (16, 320, 50)] {
            let classes = [0, 1, 2].map(|number| (burst << number, per_s, response_ms * 10_u64.pow(number)));
            let contract = contract(&classes);
            let need = capacity::need(&capacity::classes(&contract)).capacity;
            let arrivals = worst_case(&contract, 3 * PS_PER_S);
            let terms = Terms { contracts: vec![contract], weights: vec![1.0], capacity: need, ..Terms::default() };
            let late = |capacity: f64| lateness_ps(TenantScheduler::Nested, &terms, capacity, &arrivals);
            assert!(late(need) <= 1000, "late by {} ps at the capacity of the lemma", late(need));
            assert!(late(0.97 * need) > 0, "in time with 97 % of the capacity of the lemma");
        }
    }

    /// A contract that is nested as the paper asks, of up to four classes.
    fn any_contract(equal_rates: bool) -> impl Strategy<Value = Contract> {
        let class = (1_u32..20, 0_u64..300, 2_u64..12);
        (20_u64..500, prop::collection::vec(class, 1..4)).prop_map(move |(first_rate, steps)| {
            let (mut burst, mut rate, mut response_ms) = (0, first_rate, 2);
            let mut promises = Vec::new();
            for (more_burst, more_rate, factor) in steps {
                burst += more_burst;
                rate += if equal_rates { 0 } else { more_rate };
                response_ms *= factor;
                promises.push((burst, rate, response_ms));
            }
            contract(&promises)
        })
    }

    /// Bursts and pauses, as shares of what the outermost envelope lets through.
    fn any_arrivals(contract: &Contract, steps: &[(u32, u32)]) -> Vec<Arrival> {
        let outermost = contract.promises().last().expect("there are classes").envelope;
        let mut now_ps = 0;
        let mut arrivals = Vec::new();
        for &(burst, pause) in steps {
            let count = outermost.burst * burst / 8;
            arrivals.extend((0..count).map(|_| Arrival { at_ps: now_ps, tenant: 0 }));
            now_ps += u64::from(pause) * PS_PER_S * RATE_SCALE / outermost.rate * u64::from(outermost.burst) / 8;
        }
        arrivals
    }

    proptest! {
        /// At the capacity that a contract needs nothing that conforms is late by more than the request in service, whatever
        /// arrives.
        #[test]
        fn what_conforms_is_in_time(
            contract in any::<bool>().prop_flat_map(any_contract),
            steps in prop::collection::vec((0_u32..16, 0_u32..12), 1..40),
        ) {
            let need = capacity::need(&capacity::classes(&contract)).capacity;
            let arrivals = any_arrivals(&contract, &steps);
            let worst = worst_case(&contract, PS_PER_S);
            let terms = Terms { contracts: vec![contract], weights: vec![1.0], capacity: need, ..Terms::default() };
            for arrivals in [arrivals, worst] {
                let late = lateness_ps(TenantScheduler::Nested, &terms, need, &arrivals);
                // Service times are rounded to the picosecond.
                let allowed = service_ps(need) as i64 + arrivals.len() as i64;
                prop_assert!(late <= allowed, "late by {} ps, a request takes {}", late, service_ps(need));
            }
        }

        /// With equal rates 97 % of the capacity is not enough for the worst case, where a burst and not the rate binds.
        #[test]
        fn less_than_the_lemma_says_is_too_little(contract in any_contract(true)) {
            let classes = capacity::classes(&contract);
            let need = capacity::lemma_1(&classes);
            prop_assert!((capacity::need(&classes).capacity / need - 1.0).abs() < 1e-9);
            // The lemma counts parts of requests: the worst case must come near it in whole ones.
            let first_s = classes[0].response_s;
            let due = |class: &capacity::Class| {
                (class.burst + (class.rate * (class.response_s - first_s)).floor()) / class.response_s
            };
            prop_assume!(classes.iter().map(due).fold(0.0, f64::max) > 0.98 * need);
            let arrivals = worst_case(&contract, 4 * contract.promises().last().expect("is there").response_ps);
            let terms = Terms { contracts: vec![contract], weights: vec![1.0], capacity: need, ..Terms::default() };
            let late = lateness_ps(TenantScheduler::Nested, &terms, 0.97 * need, &arrivals);
            prop_assert!(late > 0, "in time by {} ps at 97 % of {}", -late, need);
        }

        /// Every scheduler serves every request once and keeps the order within a class; all but those that hold requests
        /// work whenever there is work.
        #[test]
        fn requests_are_served_once_and_in_order(
            gaps in prop::collection::vec((0_u64..8, 0_u16..3), 1..300),
            first in any_contract(false),
            second in any_contract(false),
        ) {
            let contracts = vec![first, Contract::default(), second];
            let terms = Terms { contracts, weights: vec![2.0, 1.0, 3.0], capacity: 500.0, ..Terms::default() };
            let mut now_ps = 0;
            let arrivals: Vec<Arrival> = gaps.iter().map(|&(gap, tenant)| {
                now_ps += gap * MS;
                Arrival { at_ps: now_ps, tenant }
            }).collect();
            let mut ends = Vec::new();
            for &kind in TenantScheduler::ALL {
                let scheduler = Scheduler::new(kind, &terms);
                let server = Server::new(scheduler, service_ps(500.0), arrivals.iter().copied());
                let served: Vec<(Waiting, u64)> = server.collect();
                prop_assert_eq!(served.len(), arrivals.len());
                for tenant in 0..3 {
                    let count = |of: usize| if of == tenant { 1 } else { 0 };
                    let arrived: usize = arrivals.iter().map(|arrival| count(usize::from(arrival.tenant))).sum();
                    let done: usize = served.iter().map(|(waiting, _)| count(usize::from(waiting.tenant))).sum();
                    prop_assert_eq!(arrived, done);
                }
                for (number, (later, _)) in served.iter().enumerate() {
                    let same = |(earlier, _): &&(Waiting, u64)| (earlier.tenant, earlier.class) == (later.tenant, later.class);
                    prop_assert!(served[..number].iter().filter(same).all(|(earlier, _)| earlier.at_ps <= later.at_ps));
                }
                // A busy server ends each busy period when any other does, but where requests are held back before an idle one.
                if !kind.profile().holds_requests {
                    ends.push(served.iter().map(|&(_, at_ps)| at_ps).collect::<Vec<u64>>());
                }
            }
            prop_assert!(ends.windows(2).all(|pair| pair[0] == pair[1]));
        }
    }
}
